"""What of a wrapped tool's results is a source: what a store gives again, or declared fields.

A text is fetched again, by identity, from where the tool says that it comes from. Everything else
is rejected, whatever it says of itself: a model may have written it.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import re
import uuid
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from weaviate.classes.query import MetadataQuery

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.errors import ConfigError, PassageIndexError, SourceUnavailableError
from elysia_guard.domain.question import Lang
from elysia_guard.edge.elysia.authorship import Author, standing_in
from elysia_guard.edge.elysia.completions import Completions
from elysia_guard.edge.elysia.host import ClientManager
from elysia_guard.edge.elysia.tool_rows import Key, ToolRow
from elysia_guard.language.text import clean, words
from elysia_guard.ports import PassageIndex, TerminologySource

HOSTS_OWN = "elysia_"
"""How the names of the collections begin in which Elysia keeps what models wrote."""


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


def as_passage(*, title: str, text: str, place: str, address: str = "") -> Passage:
    """Make a passage of a text from elsewhere; ``place`` is where it can be found again.

    A reader is shown the ``address``, where there is one.
    """
    document = Document(
        id=place, kind=DocumentKind.DOCUMENT, title=title or place, path=address or place, sha256=""
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
_ID = re.compile(r"[\w .,:;@+#()/-]{1,200}")
"""What has no marks of Markdown; a longer one is none: cut off, it may be that of another."""
_ADDRESS = re.compile(r"https?://[^\s<>\"\\^`{|}]{1,2000}")
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
    holds its title, ``id_field`` its identity and ``url_field`` its address on the web;
    ``collections`` are the only ones of a Weaviate whose objects are sources.
    ``when`` are words of questions that the tool is asked for where no rule decides.
    """

    source_fields: tuple[str, ...] = ()
    title_field: str = ""
    collections: tuple[str, ...] | None = None
    when: tuple[str, ...] = ()
    id_field: str = ""
    url_field: str = ""

    @classmethod
    def of(
        cls,
        source_fields: Collection[str] = (),
        collections: Collection[str] | None = None,
        when: Collection[str] = (),
        **fields: str,
    ) -> Declared:
        """Check what is declared; ``fields`` are those of which there is one each.

        Raises:
            ConfigError: one name stands where several are wanted, or the other way round, or one is
                empty.
        """
        for what, name in fields.items():
            if not isinstance(name, str):
                raise ConfigError(f"{what} is {name!r}; give the name of one field: 'number'")
        return cls(
            **fields,
            source_fields=_names("source_fields", source_fields),
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
    lacking: Counter[str] = field(default_factory=Counter)
    """Declared fields, with how many sources say nothing of use in them."""

    def add(self, item: Passage, *, identified: bool) -> None:
        """Take a passage; those of one identity follow each other in one document."""
        at = item.document.id
        others = [each for each in self.passages if each.document.id == at]
        if others and identified:
            item = replace(item, document=others[0].document)
        if all((each.document, each.text) != (item.document, item.text) for each in others):
            self.passages.append(replace(item, id=f"{at}#{len(others)}", position=len(others)))

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
            if ours := fetched.ours(row):
                found.passages += [item for item in ours if item not in found.passages]
                continue
            stored = fetched.objects.get(row.key) if row.key else None
            taken = self._source(row, fetched, stored)
            if isinstance(taken, Rejection):
                found.rejected[taken] += 1
                continue
            found.add(taken, identified=taken.document.id != self.tool)
            found.lacking.update(self._lacking(row, stored))
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

    def _source(self, row: ToolRow, fetched: Fetched, stored: Stored | None) -> Passage | Rejection:
        if row.key and stored:
            name = self._name(stored.properties) or row.key[1]
            return self._stored(stored, place=_within(row.collection, name))
        if self.declared.source_fields:
            place = _within(self.tool, self._name(row.values))
            return self._sifted(row.values, place=place, from_store=False)
        unasked = fetched.could_not_ask(row)
        return Rejection.COULD_NOT_ASK if unasked else Rejection.NOT_A_STORES

    def _stored(self, stored: Stored, *, place: str) -> Passage | Rejection:
        """An object's own texts; what was there before the conversation no model wrote in it."""
        before = self.completions.since - CLOCKS_APART
        if stored.written is None or stored.written >= before:
            return self._sifted(stored.properties, place=place, from_store=True)
        text, title = self._text(stored.properties), self._title(stored.properties)
        if not text:
            return Rejection.NO_TEXT
        address = self._address(stored.properties)
        return as_passage(title=title, text=text, place=place, address=address)

    def _sifted(
        self, values: Mapping[str, Any], *, place: str, from_store: bool
    ) -> Passage | Rejection:
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
        address = self._address(values)
        return as_passage(title=title or self.tool, text=text, place=place, address=address)

    def _own(self, name: str) -> str:
        """Return a name that no model has worded, or nothing; a person may have asked for it."""
        written = self.completions.authorship
        return name if written.sift(name, from_store=True).text == name else ""

    def _name(self, values: Mapping[str, Any]) -> str:
        """The identity in the field that is named for it; empty where that holds none."""
        said = values.get(self.declared.id_field)
        named = isinstance(said, str | int | uuid.UUID) and not isinstance(said, bool)
        name = clean(str(said)) if named else ""
        return self._own(name) if _ID.fullmatch(name) or _ADDRESS.fullmatch(name) else ""

    def _address(self, values: Mapping[str, Any]) -> str:
        said = values.get(self.declared.url_field)
        return self._own(said) if isinstance(said, str) and _ADDRESS.fullmatch(said) else ""

    def _lacking(self, row: ToolRow, stored: Stored | None) -> Iterator[str]:
        """Name the declared fields that tell no identity, or no address, of a source."""
        values, declared = stored.properties if stored else row.values, self.declared
        fetched_by = str(row.values.get(declared.id_field, "")).lower() if stored else ""
        named = self._name(values) or (row.key and fetched_by == row.key[1])
        if declared.id_field and not named:
            yield declared.id_field
        if declared.url_field and not self._address(values):
            yield declared.url_field

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


def _within(whole: str, name: str) -> str:
    """Say where something can be found again by its name, or in the whole alone."""
    if _ADDRESS.fullmatch(name):
        return name
    return f"{whole}/{name}" if name else whole


def _names(what: str, given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not all(isinstance(name, str) and name for name in given):
        raise ConfigError(f"{what} is {given!r}; give the names in a list: ['content']")
    return tuple(given)
