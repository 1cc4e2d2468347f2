"""The titles of saved conversations: one that a model wrote gives way to the first question."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from weaviate.util import generate_uuid5

from elysia_guard.edge.elysia import takeover
from elysia_guard.edge.elysia.host import ClientManager

_Key = tuple[str, object]
MAX_KEPT = 10_000


class Titles:
    """Reads the titles to show, each conversation once as long as it is not saved again."""

    def __init__(self, collection: str) -> None:
        """Take the name of the collection that conversations are saved in."""
        self._collection = collection
        self._known: dict[_Key, str] = {}

    async def honest(
        self, listed: Mapping[str, Mapping[str, Any]], client_manager: ClientManager
    ) -> dict[str, dict[str, Any]]:
        """Return a list of saved conversations with titles that no model wrote."""
        unknown = [name for name, entry in listed.items() if _key(name, entry) not in self._known]
        if len(self._known) > MAX_KEPT:
            self._known.clear()
            unknown = list(listed)
        found = await self._read(unknown, client_manager) if unknown else {}
        for name in unknown:
            self._known[_key(name, listed[name])] = found.get(name, "")
        return {
            name: {**entry, "title": self._known[_key(name, entry)]}
            for name, entry in listed.items()
        }

    async def _read(self, names: Sequence[str], client_manager: ClientManager) -> dict[str, str]:
        ids = {str(generate_uuid5(name)): name for name in names}
        async with client_manager.connect_to_async_client() as client:
            saved = await client.collections.get(self._collection).query.fetch_objects_by_ids(
                list(ids), limit=len(ids), return_properties=["tree"]
            )
        return {ids[str(item.uuid)]: _title(item.properties.get("tree")) for item in saved.objects}


def _title(tree: object) -> str:
    try:
        saved = json.loads(str(tree))
    except ValueError:
        return ""
    return takeover.saved_title(saved) if isinstance(saved, dict) else ""


def _key(name: str, entry: Mapping[str, Any]) -> _Key:
    return name, entry.get("last_update_time")
