"""A Weaviate to travel with: an index of our own in it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.contract.weaviate_server import Line

from elysia_guard.domain.kinds import STANDING_KINDS

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient

FILLED_S = 300


@dataclass(kw_only=True)
class Cluster:
    """A Weaviate, reached over two lines that can be cut; what is made in it goes at the end."""

    url: str
    grpc_port: int
    prefix: str = field(default_factory=lambda: f"Journey{uuid.uuid4().hex[:6]}")

    def __post_init__(self) -> None:
        """Lay the lines."""
        address = urlsplit(self.url)
        self.host = address.hostname or "127.0.0.1"
        self.http = Line(self.host, address.port or 80)
        self.grpc = Line(self.host, self.grpc_port)

    @property
    def names(self) -> dict[str, str]:
        """The collections of the index, by the kind of their documents."""
        return {kind.value: f"{self.prefix}_{kind.value}" for kind in STANDING_KINDS}

    @property
    def indexed(self) -> Mapping[str, str]:
        """The environment of a chat whose index stands in it."""
        collections = {
            f"ELYSIA_GUARD_COLLECTIONS__{kind.upper()}": name for kind, name in self.names.items()
        }
        own = "ELYSIA_GUARD_INDEX__WEAVIATE__"
        return collections | {
            "ELYSIA_GUARD_INDEX__KIND": "weaviate",
            f"{own}URL": f"http://127.0.0.1:{self.http.port}",
            f"{own}GRPC_PORT": str(self.grpc.port),
            f"{own}PREFIX": f"ELYSIA_{self.prefix}",
        }

    def fill(self, environment: Mapping[str, str]) -> str:
        """Ingest the documents that ship; returns what was said."""
        done = subprocess.run(
            [sys.executable, "-m", "elysia_guard.edge.cli.main", "ingest"],
            env={**os.environ, **environment},
            capture_output=True,
            check=False,
            text=True,
            timeout=FILLED_S,
        )
        if done.returncode:
            raise SystemExit(f"error: no index: {done.stdout[-500:]}{done.stderr[-1500:]}")
        return done.stdout

    def cut(self) -> None:
        """Let it be away."""
        self.http.cut()
        self.grpc.cut()

    def mend(self) -> None:
        """Let it be back."""
        self.http.mend()
        self.grpc.mend()

    @asynccontextmanager
    async def client(self) -> AsyncIterator[WeaviateAsyncClient]:
        """Ask it itself, past the lines."""
        import weaviate

        port = urlsplit(self.url).port or 80
        made = weaviate.use_async_with_local(host=self.host, port=port, grpc_port=self.grpc_port)
        async with made as client:
            yield client

    async def version(self) -> str:
        """Which Weaviate it is."""
        async with self.client() as client:
            return str((await client.get_meta())["version"])

    async def clear(self) -> None:
        """Drop all that was made in it."""
        async with self.client() as client:
            made = [name for name in await client.collections.list_all() if self.prefix in name]
            await client.collections.delete(made)


@contextmanager
def lent(cluster: Cluster | None) -> Iterator[str]:
    """Say which Weaviate it is; at the end drop what was made in it, and nothing else."""
    if cluster is None:
        yield ""
        return
    try:
        yield asyncio.run(cluster.version())
    finally:
        cluster.cut()
        asyncio.run(cluster.clear())
