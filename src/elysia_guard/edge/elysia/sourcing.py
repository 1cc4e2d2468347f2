"""What of a wrapped tool's results is a source: what a store gives again, or declared fields.

Everything else is rejected, whatever it says of itself: a model may have written it.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.elysia.completions import Completions
from elysia_guard.edge.elysia.host import Result
from elysia_guard.edge.elysia.refetching import Fetched, Row, Stored, Stores, as_passage
from elysia_guard.language.authorship import Author, standing_in
from elysia_guard.language.text import clean

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
    """

    source_fields: tuple[str, ...] = ()
    title_field: str = ""
    collections: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        source_fields: Collection[str],
        title_field: str,
        collections: Collection[str] | None,
    ) -> Declared:
        """Check what is declared.

        Raises:
            ConfigError: one name stands where several are wanted, or is empty.
        """
        return cls(
            source_fields=_names("source_fields", source_fields),
            title_field=title_field,
            collections=None if collections is None else _names("collections", collections),
        )


@dataclass(kw_only=True)
class Sources:
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
    stores: Stores
    completions: Completions

    async def sources(self, rows: Sequence[Row]) -> Sources:
        """Fetch again what can be, take of the rest what is declared, and reject the others."""
        found = Sources()
        if len(rows) > MAX_ROWS:
            found.rejected[Rejection.TOO_MANY] = len(rows) - MAX_ROWS
        fetched = await self.stores.fetch(rows[:MAX_ROWS])
        for row in rows[:MAX_ROWS]:
            taken = self._source(row, fetched)
            if isinstance(taken, Rejection):
                found.rejected[taken] += 1
            else:
                found.passages += [item for item in taken if item not in found.passages]
        return found

    def _source(self, row: Row, fetched: Fetched) -> Sequence[Passage] | Rejection:
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


def rows_of(result: Result) -> Iterator[Row]:
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
            yield Row(values=dict(found), collection=own or home)


def _names(what: str, given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not all(isinstance(name, str) and name for name in given):
        raise ConfigError(f"{what} is {given!r}; give the names in a list: ['content']")
    return tuple(given)
