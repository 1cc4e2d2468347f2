"""A Weaviate in memory: as much of its client as Elysia's tools and the guard ask of it."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

from elysia_guard.edge.elysia.host import ClientManager

LONG_AGO = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


class InMemoryCollection:
    """Objects by uuid; a search finds them all, in the order they came."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.objects: dict[str, SimpleNamespace] = {}
        self.query = self.aggregate = self.data = self
        self.down = False

    def put(
        self, properties: dict[str, Any], *, key: str = "", written: dt.datetime = LONG_AGO
    ) -> str:
        """Store an object; returns its uuid."""
        key = key or str(uuid.uuid4())
        self.objects[key] = SimpleNamespace(
            uuid=uuid.UUID(key),
            properties=properties,
            references={},
            metadata=SimpleNamespace(last_update_time=written, creation_time=written),
        )
        return key

    async def fetch_objects(self, *, limit: int = 10, **_: Any) -> Any:
        self._ask()
        return SimpleNamespace(objects=list(self.objects.values())[:limit])

    bm25 = hybrid = near_text = fetch_objects

    async def fetch_objects_by_ids(self, ids: Iterable[str], **_: Any) -> Any:
        self._ask()
        found = [self.objects[key] for key in map(str, ids) if key in self.objects]
        return SimpleNamespace(objects=found)

    async def fetch_object_by_id(self, key: object, **_: Any) -> Any:
        self._ask()
        return self.objects.get(str(key))

    async def over_all(self, **_: Any) -> Any:
        self._ask()
        return SimpleNamespace(total_count=len(self.objects), properties={})

    async def exists(self, key: object) -> bool:
        return str(key) in self.objects

    async def insert(self, *, properties: dict[str, Any], uuid: object) -> None:
        self.put(properties, key=str(uuid), written=dt.datetime.now(dt.UTC))

    async def update(self, *, properties: dict[str, Any], uuid: object) -> None:
        await self.insert(properties=properties, uuid=uuid)

    replace = update

    async def delete_by_id(self, key: object) -> None:
        self._ask()
        self.objects.pop(str(key), None)

    async def delete_many(self, *, where: Any) -> None:
        """Delete what all its equalities hold for."""
        self._ask()
        for key, item in list(self.objects.items()):
            if all(item.properties.get(one.target) == one.value for one in where.filters):
                del self.objects[key]

    def _ask(self) -> None:
        if self.down:
            raise ConnectionError("the Weaviate is down")


class InMemoryWeaviate(ClientManager):
    """Elysia's client manager over collections in memory."""

    def __init__(self, *names: str) -> None:
        self.is_client = True
        self.client = self
        self.known = {name: InMemoryCollection(name) for name in names}
        self.collections = self

    def get(self, name: str) -> InMemoryCollection:
        return self.known[name]

    async def exists(self, name: str) -> bool:
        return name in self.known

    async def create(self, name: str, **_: Any) -> InMemoryCollection:
        return self.known.setdefault(name, InMemoryCollection(name))

    @asynccontextmanager
    async def connect_to_async_client(self) -> AsyncIterator[InMemoryWeaviate]:
        yield self

    async def start_clients(self) -> None:
        """Nothing to start."""

    async def close_clients(self) -> None:
        """Nothing to close."""
