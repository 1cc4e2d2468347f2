"""What the page is shown of index and vocabulary, read through their ports."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from elysia_guard.adapters.empty_index import EmptyIndex
from elysia_guard.config import Config
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.own_kinds import under
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.edge.elysia.webapp.pages import facts, questions, rows
from elysia_guard.edge.elysia.webapp.pages.afar import AWAY, NOTICE, Afar, Listing
from elysia_guard.edge.elysia.webapp.pages.questions import Prompt
from elysia_guard.edge.elysia.webapp.pages.rows import CONTENT, UUID, Row
from elysia_guard.edge.elysia.webapp.pages.shelves import (
    Shelf,
    scope_of,
    shelf_named,
    shelves_of,
)
from elysia_guard.edge.elysia.webapp.pages.viewing import View
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import PassageIndex

log = logging.getLogger(__name__)

FOUND = 300
"""How many passages a search of a collection looks at."""
BY_LABEL = "SKOS labels"

Payload = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class _Held:
    """All that there is, of one version of index and vocabulary."""

    version: tuple[str, str] = ("", "")
    documents: tuple[Document, ...] = ()
    concepts: tuple[Concept, ...] = ()
    rows: dict[str, list[Row]] = field(default_factory=dict)
    """The rows of each collection that is not empty, by the name that the page shows."""
    ids: dict[str, str] = field(default_factory=dict)
    """Which document the page means by an id."""


class Holdings:
    """The collections of one configuration, as Elysia's page asks for them.

    Every method that reads raises ``SourceUnavailableError`` or ``PassageIndexError`` where the
    index or the vocabulary cannot be asked.
    """

    def __init__(
        self, pipeline: Callable[[], Pipeline], config: Config, listing: Listing | None = None
    ) -> None:
        """Take what gives the stages, when they are first needed, and what is configured.

        ``listing`` lists a vocabulary that is asked over the network.
        """
        self._listing = listing
        self._pipeline = pipeline
        self._config = config
        self._held = _Held()
        self._prompts: tuple[Prompt, ...] = ()
        self._trying = asyncio.Lock()
        self._tried: tuple[str, str] | None = None

    @cached_property
    def shelves(self) -> tuple[Shelf, ...]:
        """Every collection that there may be."""
        return shelves_of(self._config)

    def scope(self, names: Sequence[str]) -> CollectionScope:
        """Return what a question reaches that the page asks of these collections."""
        return scope_of(names, self.shelves, frozenset(self._held.rows), self._config)

    def is_shown_as(self, name: str) -> bool:
        """Tell whether the page shows a collection of ours under exactly this name."""
        return any(shelf.name == name for shelf in self.shelves)

    @property
    def offers(self) -> bool:
        """Whether there is anything that the page could list."""
        return bool(self._held.rows)

    def named(self, name: str) -> Shelf | None:
        """Return the collection of a name that is not empty; None if there is none."""
        shelf = shelf_named(self.shelves, name)
        return shelf if shelf and shelf.name in self._held.rows else None

    @cached_property
    def _afar(self) -> Afar | None:
        """A vocabulary over the network; None where it is at hand."""
        if self._listing is None:
            return None
        clock = self._pipeline().deadline_clock
        return Afar(self._listing, self._config.default_lang, clock)

    async def look(self) -> None:
        """Read what there is, and ask a vocabulary over the network what it has."""
        if self._afar:
            await self._afar.refresh()
        await self.refresh()

    async def refresh(self) -> None:
        """Read what there is, if it is another than before; nothing is asked for over a network."""
        pipeline, afar = self._pipeline(), self._afar
        at_hand = pipeline.terminology if afar is None else None
        labels = await at_hand.labels() if at_hand else None
        told = afar.version if afar else labels.version if labels else ""
        version = (await self._index.version(), told)
        if version == self._held.version:
            return
        documents = tuple(await self._index.documents(Filters(approval=None)))
        uris = tuple(dict.fromkeys(item.uri for item in labels.all)) if labels else ()
        concepts: Sequence[Concept] = ()
        if uris and at_hand:
            concepts = await at_hand.concepts(uris)
        self._held = self._of(version, documents, tuple(concepts))

    async def listed(self) -> list[Payload]:
        """Return the collections that hold something, as the page lists them."""
        await self.look()
        await self._try_prompts()
        model = (await self._index.info()).model_id
        return [
            self._entry(shelf, model) for shelf in self.shelves if shelf.name in self._held.rows
        ]

    async def viewed(self, shelf: Shelf, view: View) -> tuple[dict[str, str], list[Row]]:
        """Return the columns of a collection, and the rows that are asked for.

        Raises:
            ViewError: a column that is named is none of its own.
        """
        every = self._held.rows.get(shelf.name, [])
        if not every and shelf.kind is None and self._afar and self._afar.away:
            # The page shows no error of a table, and an empty one would tell nothing.
            return {NOTICE: "text"}, [{NOTICE: AWAY}]
        found = await self._found(shelf, view.query.strip()) if view.query.strip() else every
        if shelf.kind is None and self._afar:
            filled = await self._afar.filled(view.of(found))
            return rows.types_of([*filled, *every]), filled
        shown = [await self._whole(shelf, row) for row in view.of(found)]
        types = rows.types_of(every)
        return (types if shelf.kind is None else types | {CONTENT: "text"}), shown

    async def one(self, shelf: Shelf, uuid: str) -> Row | None:
        """Return a document or a concept by its id, None if there is none."""
        if shelf.kind is None and self._afar:
            row = await self._afar.one(uuid)
            return None if row is None else {name: value for name, value in row.items() if value}
        rows_ = self._held.rows.get(shelf.name, [])
        row = next((item for item in rows_ if item[UUID] == uuid), None)
        return None if row is None else await self._whole(shelf, row)

    async def described(self, shelf: Shelf) -> Payload:
        """Return what is said of a collection."""
        documents = shelf.kind is not None
        model = (await self._index.info()).model_id if documents else BY_LABEL
        held = self._held.rows.get(shelf.name, [])
        told = facts.metadata(shelf.name, held, model=model, content=documents)
        if self._afar and not documents:
            told |= {"length": self._afar.total, "summary": self._afar.told(shelf.name)}
        return told

    @property
    def _index(self) -> PassageIndex:
        """The index, where nobody counts what is asked of it."""
        pipeline = self._pipeline()
        if isinstance(pipeline.index, EmptyIndex):
            return pipeline.index
        return pipeline.uncounted or pipeline.index

    def _of(
        self,
        version: tuple[str, str],
        documents: tuple[Document, ...],
        concepts: tuple[Concept, ...],
    ) -> _Held:
        lang = self._config.default_lang
        labels = {item.uri: item.label(lang) for item in concepts}
        ordered = sorted(concepts, key=lambda item: item.label(lang).casefold())
        filled: dict[str, list[Row]] = {}
        for shelf in self.shelves:
            if shelf.kind is None and self._afar:
                found = self._afar.rows
            elif shelf.kind is None:
                found = [rows.of_concept(item, labels, lang) for item in ordered]
            else:
                own = (item for item in documents if item.kind == shelf.kind)
                found = [rows.of_document(item, lang) for item in own]
            if found or (shelf.kind is None and self._afar and self._afar.away):
                filled[shelf.name] = found
        return _Held(
            version=version,
            documents=documents,
            concepts=tuple(ordered),
            rows=filled,
            ids={rows.uuid_of(item.id): item.id for item in documents},
        )

    def _entry(self, shelf: Shelf, model: str) -> Payload:
        own = [item for item in self._prompts if item.of is shelf.kind]
        beyond = self._afar.total if self._afar and shelf.kind is None else 0
        return {
            "name": shelf.name,
            "total": beyond or len(self._held.rows.get(shelf.name, [])),
            "vectorizer": {
                "fields": {},
                "global": facts.vectorizer(model if shelf.kind else BY_LABEL),
            },
            "processed": True,
            "error": False,
            "prompts": [item.question for item in own],
            # Ours: what each question asks for, and that the page can change nothing here.
            "prompt_kinds": {
                item.question: {"kind": item.kind, "about": item.about and f"  {item.about}"}
                for item in own
            },
            "read_only": True,
        }

    async def _try_prompts(self) -> None:
        async with self._trying:
            held = self._held
            if self._tried == held.version:
                return
            lang = self._config.default_lang
            pipeline = self._pipeline()
            term = pipeline.example_term(lang) if pipeline.terminology else ""
            with under(self._config.kinds):
                tried = questions.candidates(held.concepts, held.documents, lang, example=term)
            self._prompts = await questions.answered(
                tried, pipeline, self._index, clock=pipeline.deadline_clock
            )
            self._tried = held.version

    async def _found(self, shelf: Shelf, query: str) -> list[Row]:
        """The rows whose own words hold what is searched for, then those that a search finds."""
        every = self._held.rows.get(shelf.name, [])
        wanted = query.casefold()
        said = [row for row in every if any(wanted in value.casefold() for value in row.values())]
        if shelf.kind is None and self._afar:
            return [*said, *await self._afar.found(query)]
        near = (
            await self._near_terms(query) if shelf.kind is None else await self._hits(shelf, query)
        )
        by_id = {row[UUID]: row for row in every}
        ids = dict.fromkeys([*(row[UUID] for row in said), *near])
        return [by_id[id_] for id_ in ids if id_ in by_id]

    async def _near_terms(self, query: str) -> list[str]:
        source, lang = self._pipeline().terminology, self._config.default_lang
        if source is None:
            return []
        return [rows.uuid_of(item.concept.uri) for item in await source.lookup(query, lang=lang)]

    async def _hits(self, shelf: Shelf, query: str) -> list[str]:
        kinds = (shelf.kind,) if shelf.kind else ()
        filters = Filters(kinds=kinds, approval=None)
        hits = await self._index.search(query, None, filters=filters, limit=FOUND)
        return [rows.uuid_of(hit.passage.document.id) for hit in hits]

    async def _whole(self, shelf: Shelf, row: Row) -> Row:
        """A row without what it has no value of, its text, where it has one, after its title."""
        filled = {name: value for name, value in row.items() if value}
        if shelf.kind is None:
            return filled
        # Meanwhile the index may have been filled anew, without it.
        document = self._held.ids.get(row[UUID])
        passages = await self._index.passages(document) if document else ()
        return {"title": row["title"], CONTENT: rows.text_of(passages)} | filled


UNREACHABLE = (SourceUnavailableError, PassageIndexError)
"""What says that index or vocabulary cannot be asked."""
