"""What of a wrapped tool's results is a source: what a store gives again, or declared fields.

A text is fetched again, by identity, from where the tool says that it comes from. Everything else
is rejected, whatever it says of itself: a model may have written it.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import uuid
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from weaviate.classes.query import MetadataQuery

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.errors import ConfigError, PassageIndexError, SourceUnavailableError
from elysia_guard.domain.question import Lang
from elysia_guard.edge.elysia.completions import Completions
from elysia_guard.edge.elysia.host import ClientManager, Result
from elysia_guard.language.authorship import Author, standing_in
from elysia_guard.language.text import clean, words
from elysia_guard.ports import PassageIndex, TerminologySource

HOSTS_OWN = "elysia_"
"""How the names of the collections begin in which Elysia keeps what models wrote."""

Key = tuple[str, str]
"""A collection, and the uuid of an object in it."""


@dataclass(frozen=True, kw_only=True)
class ToolRow:
    """One object that a tool returned, and the collection that it is said to come from."""

    values: Mapping[str, Any]
    collection: str = ""

    @property
    def key(self) -> Key | None:
        """Its identity in a Weaviate, if it has one."""
        try:
            return (self.collection, str(uuid.UUID(str(self.values["uuid"]))))
        except (KeyError, ValueError):
            return None

    def said(self, name: str) -> str:
        """A text of it, or ''."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, kw_only=True)
class Stored:
    """An object as its store holds it; ``written`` is when it was last changed there."""

    properties: Mapping[str, Any]
    written: dt.datetime | None


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """What the stores gave again, and the identities that nobody could be asked for."""

    objects: Mapping[Key, Stored] = field(default_factory=dict)
    passages: Mapping[str, Sequence[Passage]] = field(default_factory=dict)
    """Those of our index by the id of their document, those of the vocabulary by the URI."""
    unasked: frozenset[str] = frozenset()
    """Collections, documents and URIs."""

    def ours(self, row: ToolRow) -> Sequence[Passage]:
        """The passages that our own index or vocabulary has for a row."""
        if document := row.said("document_id"):
            wanted = row.said("passage_id")
            found = self.passages.get(document, ())
            return [item for item in found if wanted in {"", item.id}]
        return self.passages.get(row.said("uri"), ())

    def could_not_ask(self, row: ToolRow) -> bool:
        """Tell whether a store that a row names did not answer."""
        named = (row.collection, row.said("document_id"), row.said("uri"))
        return any(name in self.unasked for name in named if name)


def as_passage(*, title: str, text: str, place: str) -> Passage:
    """Make a passage of a text from elsewhere; ``place`` is where it can be found again."""
    document = Document(
        id=place, kind=DocumentKind.DOCUMENT, title=title or place, path=place, sha256=""
    )
    return Passage(id=f"{place}#0", document=document, section="", text=text, position=0)


def _defined(concept: Concept, lang: Lang) -> Sequence[Passage]:
    """The definition of a concept; one without a definition has nothing to quote."""
    definition = concept.definition(lang)
    if definition is None:
        return ()
    return (as_passage(title=concept.label(lang), text=definition.value, place=concept.uri),)


MAX_ROWS = 100
MAX_TEXT_CHARS = 50_000
MAX_TITLE_CHARS = 200
CLOCKS_APART = dt.timedelta(minutes=5)
"""How far the clock of a store may be behind ours."""

_TITLES = ("title", "name", "subject")


class Rejection(StrEnum):
    """Why a result is no source, as the trace tells it."""

    NOT_A_STORES = "not a store's"
    COULD_NOT_ASK = "of a store that could not be asked"
    NO_TEXT = "without text in the fields that are sources"
    WRITTEN = "written by the model"
    REPEATED = "repeating the question"
    TOO_MANY = f"beyond the first {MAX_ROWS}"


_BECAUSE_OF = {Author.MODEL: Rejection.WRITTEN, Author.ASKER: Rejection.REPEATED}


@dataclass(frozen=True, kw_only=True)
class Declared:
    """What the caller of ``guard`` vouches for.

    ``source_fields`` are the fields of a result that hold source text, ``title_field`` the one that
    holds its title, ``collections`` the only ones of a Weaviate whose objects are sources.
    ``when`` are words of questions that the tool is asked for where no rule decides.
    """

    source_fields: tuple[str, ...] = ()
    title_field: str = ""
    collections: tuple[str, ...] | None = None
    when: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        source_fields: Collection[str],
        title_field: str,
        collections: Collection[str] | None,
        when: Collection[str] = (),
    ) -> Declared:
        """Check what is declared.

        Raises:
            ConfigError: one name stands where several are wanted, or is empty.
        """
        return cls(
            source_fields=_names("source_fields", source_fields),
            title_field=title_field,
            collections=None if collections is None else _names("collections", collections),
            when=_names("when", when),
        )

    def word_of(self, question: str) -> str:
        """Return the first of ``when`` that stands in a question; empty where none does."""
        said = f" {' '.join(words(question))} "
        return next((each for each in self.when if f" {' '.join(words(each))} " in said), "")


@dataclass(kw_only=True)
class ToolSources:
    """The sources among a tool's results, and how many results were none, for what reason."""

    passages: list[Passage] = field(default_factory=list)
    rejected: Counter[Rejection] = field(default_factory=Counter)

    def note(self, tool: str) -> str:
        """Tell it in the trace."""
        kept = f"{len(self.passages)} source(s) from {tool}"
        reasons = ", ".join(f"{count} {reason}" for reason, count in self.rejected.items())
        return f"{kept}; rejected: {reasons}" if reasons else kept


@dataclass(frozen=True, kw_only=True)
class Sourcing:
    """Finds the sources among the results of one run of one tool."""

    tool: str
    declared: Declared
    completions: Completions
    index: PassageIndex
    terminology: TerminologySource
    client_manager: ClientManager | None
    """Of the Weaviate that can give its objects again."""
    lang: Lang
    deadline_s: float = 5.0

    async def sources(self, rows: Sequence[ToolRow]) -> ToolSources:
        """Fetch again what can be, take of the rest what is declared, and reject the others."""
        found = ToolSources()
        if len(rows) > MAX_ROWS:
            found.rejected[Rejection.TOO_MANY] = len(rows) - MAX_ROWS
        fetched = await self._fetch(rows[:MAX_ROWS])
        for row in rows[:MAX_ROWS]:
            taken = self._source(row, fetched)
            if isinstance(taken, Rejection):
                found.rejected[taken] += 1
            else:
                found.passages += [item for item in taken if item not in found.passages]
        return found

    async def _fetch(self, rows: Sequence[ToolRow]) -> Fetched:
        """Fetch all that the rows name, in as few queries as can be; what fails is told."""
        passages: dict[str, Sequence[Passage]] = {}
        unasked: set[str] = set()
        for document in dict.fromkeys(row.said("document_id") for row in rows):
            try:
                passages[document] = await self.index.passages(document) if document else ()
            except (SourceUnavailableError, PassageIndexError):
                unasked.add(document)
        uris = [uri for uri in dict.fromkeys(row.said("uri") for row in rows) if uri]
        try:
            for item in await self.terminology.concepts(uris) if uris else ():
                passages[item.uri] = _defined(item, self.lang)
        except SourceUnavailableError:
            unasked.update(uris)
        objects, silent = await self._objects(rows)
        return Fetched(objects=objects, passages=passages, unasked=frozenset(unasked | silent))

    async def _objects(self, rows: Sequence[ToolRow]) -> tuple[dict[Key, Stored], set[str]]:
        """The objects of a Weaviate that the rows name, and the collections that do not answer."""
        wanted: dict[str, set[str]] = {}
        for row in rows:
            if row.key and self._counts(row.collection):
                wanted.setdefault(row.collection, set()).add(row.key[1])
        if self.client_manager is None or not self.client_manager.is_client:
            return {}, set()
        found: dict[Key, Stored] = {}
        silent = set()
        for collection, ids in wanted.items():
            try:
                async with asyncio.timeout(self.deadline_s):
                    found.update(await self._of(self.client_manager, collection, sorted(ids)))
            # Whatever a client raises, for a Weaviate that is down or a collection that is not.
            except Exception:  # noqa: BLE001
                silent.add(collection)
        return found, silent

    def _counts(self, collection: str) -> bool:
        if not collection or collection.lower().startswith(HOSTS_OWN):
            return False
        return (named := self.declared.collections) is None or collection in named

    @staticmethod
    async def _of(
        client_manager: ClientManager, collection: str, ids: Sequence[str]
    ) -> dict[Key, Stored]:
        async with client_manager.connect_to_async_client() as client:
            answer = await client.collections.get(collection).query.fetch_objects_by_ids(
                ids, limit=len(ids), return_metadata=MetadataQuery(last_update_time=True)
            )
        return {
            (collection, str(item.uuid)): Stored(
                properties=item.properties, written=item.metadata.last_update_time
            )
            for item in answer.objects
        }

    def _source(self, row: ToolRow, fetched: Fetched) -> Sequence[Passage] | Rejection:
        if known := fetched.ours(row):
            return known
        if row.key and (stored := fetched.objects.get(row.key)):
            return self._stored(stored, place="/".join(row.key))
        if self.declared.source_fields:
            return self._sifted(row.values, place=self.tool, from_store=False)
        unasked = fetched.could_not_ask(row)
        return Rejection.COULD_NOT_ASK if unasked else Rejection.NOT_A_STORES

    def _stored(self, stored: Stored, *, place: str) -> Sequence[Passage] | Rejection:
        """An object's own texts; what was there before the conversation no model wrote in it."""
        before = self.completions.since - CLOCKS_APART
        if stored.written is None or stored.written >= before:
            return self._sifted(stored.properties, place=place, from_store=True)
        text, title = self._text(stored.properties), self._title(stored.properties)
        if not text:
            return Rejection.NO_TEXT
        return [as_passage(title=title, text=text, place=place)]

    def _sifted(
        self, values: Mapping[str, Any], *, place: str, from_store: bool
    ) -> Sequence[Passage] | Rejection:
        text = self._text(values)
        if not text:
            return Rejection.NO_TEXT
        written = self.completions.authorship
        if text not in self.completions.accepted:
            sifted = written.sift(text, from_store=from_store)
            if sifted.author:
                return _BECAUSE_OF[sifted.author]
            if sifted.text == text:
                self.completions.accepted.add(text)
            text = sifted.text
        title = self._title(values)
        if written.names(title) and not standing_in(title, text):
            title = ""
        return [as_passage(title=title or self.tool, text=text, place=place)]

    def _text(self, values: Mapping[str, Any]) -> str:
        names = self.declared.source_fields or [
            name for name in values if not name.lower().startswith(("elysia_", "_"))
        ]
        texts = (values.get(name) for name in names)
        return "\n\n".join(item for item in texts if isinstance(item, str) and item.strip())[
            :MAX_TEXT_CHARS
        ]

    def _title(self, values: Mapping[str, Any]) -> str:
        """The title: of declared fields the one that is named for it, and no other."""
        named, declared = self.declared.title_field, self.declared.source_fields
        names = (named,) if named else () if declared else _TITLES
        texts = (values.get(name) for name in names)
        title = next((item for item in texts if isinstance(item, str) and item.strip()), "")
        return clean(title)[:MAX_TITLE_CHARS]


def rows_of(result: Result) -> Iterator[ToolRow]:
    """The objects of a result; of one that gathers others with identities, those."""
    metadata = result.metadata if isinstance(result.metadata, Mapping) else {}
    collection = metadata.get("collection_name")
    home = collection if isinstance(collection, str) else ""
    # Where Elysia searched pieces of documents, the documents are the objects of the store.
    for values in getattr(result, "full_documents", None) or result.objects:
        if not isinstance(values, Mapping):
            continue
        inner = [
            item
            for value in values.values()
            if isinstance(value, list)
            for item in value
            if isinstance(item, Mapping) and "uuid" in item
        ]
        for found in [values] if "uuid" in values or not inner else inner:
            said = found.get("collection_name")
            own = said if isinstance(said, str) else ""
            yield ToolRow(values=dict(found), collection=own or home)


def _names(what: str, given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not all(isinstance(name, str) and name for name in given):
        raise ConfigError(f"{what} is {given!r}; give the names in a list: ['content']")
    return tuple(given)
