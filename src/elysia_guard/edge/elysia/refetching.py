"""Fetching what a tool returned again from where it says that it comes from, by identity."""

from __future__ import annotations

import asyncio
import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from weaviate.classes.query import MetadataQuery

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.question import Lang
from elysia_guard.edge.elysia.host import ClientManager
from elysia_guard.ports import PassageIndex, TerminologySource

HOSTS_OWN = "elysia_"
"""How the names of the collections begin in which Elysia keeps what models wrote."""

Key = tuple[str, str]
"""A collection, and the uuid of an object in it."""


@dataclass(frozen=True, kw_only=True)
class Row:
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

    def ours(self, row: Row) -> Sequence[Passage]:
        """The passages that our own index or vocabulary has for a row."""
        if document := row.said("document_id"):
            wanted = row.said("passage_id")
            found = self.passages.get(document, ())
            return [item for item in found if wanted in {"", item.id}]
        return self.passages.get(row.said("uri"), ())

    def could_not_ask(self, row: Row) -> bool:
        """Tell whether a store that a row names did not answer."""
        named = (row.collection, row.said("document_id"), row.said("uri"))
        return any(name in self.unasked for name in named if name)


@dataclass(frozen=True, kw_only=True)
class Stores:
    """The stores that can give a text again: our index, our vocabulary, the tree's Weaviate."""

    index: PassageIndex
    terminology: TerminologySource
    client_manager: ClientManager | None
    collections: Collection[str] | None = None
    """The only collections whose objects count as sources; None means all but Elysia's own."""
    lang: Lang
    deadline_s: float = 5.0

    async def fetch(self, rows: Sequence[Row]) -> Fetched:
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

    async def _objects(self, rows: Sequence[Row]) -> tuple[dict[Key, Stored], set[str]]:
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
        return self.collections is None or collection in self.collections

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
