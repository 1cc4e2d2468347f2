"""The objects that a wrapped tool returned, and what they say of where they come from."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from elysia_guard.edge.elysia.host import Result

Key = tuple[str, str]
"""A collection, and the uuid of an object in it."""


@dataclass(frozen=True, kw_only=True)
class ToolRow:
    """One object that a tool returned, and the collection that it is said to come from."""

    values: Mapping[str, Any]
    collection: str = ""
    id_field: str = ""
    """The field with its identity, where it has no ``uuid``."""

    @property
    def key(self) -> Key | None:
        """Its identity in a Weaviate, if it has one."""
        for name in ("uuid", self.id_field):
            with suppress(KeyError, ValueError):
                return (self.collection, str(uuid.UUID(str(self.values[name]))))
        return None

    def said(self, name: str) -> str:
        """A text of it, or ''."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""


def rows_of(result: Result, id_field: str = "") -> Iterator[ToolRow]:
    """The objects of a result; of one that gathers others with identities, those.

    An identity is in ``uuid``, or in the field that is named.
    """
    names = {"uuid", id_field or "uuid"}
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
            if isinstance(item, Mapping) and names & item.keys()
        ]
        for found in [values] if names & values.keys() or not inner else inner:
            said = found.get("collection_name")
            own = said if isinstance(said, str) else ""
            yield ToolRow(values=dict(found), collection=own or home, id_field=id_field)
