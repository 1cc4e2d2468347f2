"""The vectors of an index in a Weaviate that is to be replaced, by the texts that were embedded."""

from __future__ import annotations

import base64
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from elysia_guard.adapters.index_store import Embedded, Key, bare_passage, digest
from elysia_guard.adapters.weaviate_index.schema import VECTOR, BuildState

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient

_FIELDS = ("document_id", "title", "lang", "section", "content", "digest")


async def embedded_in(
    client: WeaviateAsyncClient,
    names: Sequence[str],
    sentences: str,
    key: Key,
    state: BuildState,
    of: Collection[str] | None,
) -> dict[bytes, Embedded]:
    """Return what passages in some collections were embedded as, by their keys.

    ``sentences`` is the collection of the vectors of their sentences. A text that was changed
    there is left out; ``of`` are the ids of the documents that are looked at, None is all.
    """
    parts: dict[object, bytes] = {}
    if await client.collections.exists(sentences):
        fields = ["packed", "document_id"]
        async for item in client.collections.use(sentences).iterator(return_properties=fields):
            if of is None or item.properties["document_id"] in of:
                parts[item.uuid] = base64.b64decode(str(item.properties["packed"] or ""))
    found: dict[bytes, Embedded] = {}
    for name in names:
        held = client.collections.use(name)
        async for item in held.iterator(include_vector=True, return_properties=list(_FIELDS)):
            values = {field: str(item.properties.get(field) or "") for field in _FIELDS}
            text = values["content"]
            if digest(text).hex() != values["digest"]:
                continue
            if of is not None and values["document_id"] not in of:
                continue
            passage = bare_passage(values["title"], values["lang"], values["section"], text)
            vector = np.asarray(item.vector.get(VECTOR, ()), dtype="<f4").tobytes()
            packed = parts.get(item.uuid, b"")
            kept = Embedded.unpacked(vector, packed, dimension=state.dimension)
            if kept:
                found[key(passage)] = kept
    return found
