"""What the page is shown of index and vocabulary, read through their ports."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from elysia_guard.adapters.index_views import EmptyIndex
from elysia_guard.config import Config
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document, DocumentKind, Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.own_kinds import under
from elysia_guard.domain.scope import EVERYTHING, CollectionScope, VocabularyUse
from elysia_guard.edge.elysia.webapp.pages import questions, rows
from elysia_guard.edge.elysia.webapp.pages.questions import Prompt
from elysia_guard.edge.elysia.webapp.pages.rows import CONTENT, UUID, Row
from elysia_guard.edge.elysia.webapp.pages.viewing import View
from elysia_guard.language.catalogue import say
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import PassageIndex
from elysia_guard.wiring.sources import skosmos_section

_NOT_IN_AN_ADDRESS = re.compile(r"[/\\?#%\s]+")
"""The page writes a name into an address as it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shelf:
    """One collection.

    ``name`` is what the page shows, ``collection`` what the configuration calls it. ``kind`` is
    that of its documents; None is the vocabulary.
    """

    name: str
    collection: str
    kind: DocumentKind | None = None


def shelves_of(config: Config) -> tuple[Shelf, ...]:
    """Return every collection that there may be, the vocabulary last."""
    lang = config.default_lang
    ranked = sorted(config.collections.items(), key=lambda item: item[0].rank)
    with under(config.kinds):
        documents = tuple(
            Shelf(name=_shown(say(lang, f"list.{kind}_many")), collection=name, kind=kind)
            for kind, name in ranked
        )
    called = say(lang, "kind.vocabulary", name=config.terminology.name)
    return *documents, Shelf(name=_shown(called), collection=config.vocabulary_collection)


def shelf_named(shelves: Sequence[Shelf], name: str) -> Shelf | None:
    """Return the collection of a name, its own or the configured one; None if there is none."""
    wanted = name.casefold()
    return next(
        (item for item in shelves if wanted in {item.name.casefold(), item.collection.casefold()}),
        None,
    )


def scope_of(
    names: Sequence[str], shelves: Sequence[Shelf], offered: frozenset[str], config: Config
) -> CollectionScope:
    """Return what a question may reach that the page asks of some collections.

    Args:
        names: the collections that are switched on.
        shelves: those that there may be.
        offered: the names of those that the page has listed.
        config: what they are called.
    """
    found = {item.name for name in names if (item := shelf_named(shelves, name))}
    if offered and found >= offered:
        return EVERYTHING
    known: Mapping[str, str] = {item.name.casefold(): item.collection for item in shelves}
    meant = [known.get(name.casefold(), name) for name in names]
    scope = CollectionScope.of_names(meant, config.collections, config.vocabulary_collection)
    vocabulary = next(item.name for item in shelves if item.kind is None)
    if names and offered and vocabulary not in offered:
        # Nobody has left out what the page could not offer.
        return replace(scope, vocabulary=VocabularyUse.ASKED)
    return scope


def _shown(name: str) -> str:
    plain = _NOT_IN_AN_ADDRESS.sub(" ", name).strip()
    return plain[:1].upper() + plain[1:]


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

    def __init__(self, pipeline: Callable[[], Pipeline], config: Config) -> None:
        """Take what gives the stages, when they are first needed, and what is configured."""
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

    @property
    def offers(self) -> bool:
        """Whether there is anything that the page could list."""
        return bool(self._held.rows)

    def named(self, name: str) -> Shelf | None:
        """Return the collection of a name that is not empty; None if there is none."""
        shelf = shelf_named(self.shelves, name)
        return shelf if shelf and shelf.name in self._held.rows else None

    async def refresh(self) -> None:
        """Read what there is, if it is another than before.

        Of a vocabulary that is asked over the network that is nothing: a Skosmos has pages to
        look through it.
        """
        at_hand = None if skosmos_section(self._config) else self._pipeline().terminology
        labels = await at_hand.labels() if at_hand else None
        version = (await self._index.version(), labels.version if labels else "")
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
        await self.refresh()
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
        found = await self._found(shelf, view.query.strip()) if view.query.strip() else every
        shown = [await self._whole(shelf, row) for row in view.of(found)]
        types = rows.types_of(every)
        return (types if shelf.kind is None else types | {CONTENT: "text"}), shown

    async def one(self, shelf: Shelf, uuid: str) -> Row | None:
        """Return a document or a concept by its id, None if there is none."""
        rows_ = self._held.rows.get(shelf.name, [])
        row = next((item for item in rows_ if item[UUID] == uuid), None)
        return None if row is None else await self._whole(shelf, row)

    async def described(self, shelf: Shelf) -> Payload:
        """Return what is said of a collection."""
        documents = shelf.kind is not None
        model = (await self._index.info()).model_id if documents else BY_LABEL
        held = self._held.rows.get(shelf.name, [])
        return rows.metadata(shelf.name, held, model=model, content=documents)

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
            if shelf.kind is None:
                found = [rows.of_concept(item, labels, lang) for item in ordered]
            else:
                own = (item for item in documents if item.kind == shelf.kind)
                found = [rows.of_document(item, lang) for item in own]
            if found:
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
        return {
            "name": shelf.name,
            "total": len(self._held.rows.get(shelf.name, [])),
            "vectorizer": {
                "fields": {},
                "global": rows.vectorizer(model if shelf.kind else BY_LABEL),
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
