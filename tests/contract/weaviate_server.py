"""A real Weaviate to test with, and a line to it that can be cut."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from urllib.parse import urlsplit

import pytest

from elysia_guard.adapters.weaviate_index import Connection, Names, Server
from elysia_guard.domain.kinds import STANDING_KINDS

URL = os.environ.get("WEAVIATE_URL", "")
GRPC_PORT = int(os.environ.get("WEAVIATE_GRPC_PORT", "50051"))

LIVE = [
    pytest.mark.live,
    pytest.mark.enable_socket,
    pytest.mark.skipif(not URL, reason="WEAVIATE_URL names no Weaviate to test with"),
]


def server(*, deadline_s: float = 10.0) -> Server:
    return Server(url=URL, grpc_port=GRPC_PORT, deadline_s=deadline_s)


@contextmanager
def own_names() -> Iterator[Names]:
    """Collections that nobody else has; dropped at the end."""
    prefix = f"Test{uuid.uuid4().hex[:8]}"
    names = Names(
        passages={kind: f"{prefix}_{kind.value}" for kind in STANDING_KINDS},
        prefix=f"ELYSIA_{prefix}",
    )
    yield names
    with closing(Connection(server())) as connection:
        everything = [*names.passages.values(), *names.beside]
        asyncio.run(connection.ask(lambda client: client.collections.delete(everything)))


class Line:
    """A port that leads to another, until it is cut; mended, it leads there again."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._ends: list[socket.socket] = []
        self._listening = self._listen(0)
        self.port = int(self._listening.getsockname()[1])

    def _listen(self, port: int) -> socket.socket:
        listening = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, args=(listening,), daemon=True).start()
        return listening

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                near, _ = listening.accept()
                far = socket.create_connection(self._target)
            except OSError:
                return
            self._ends += [near, far]
            for ends in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=ends, daemon=True).start()

    @staticmethod
    def _carry(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                target.sendall(data)

    def cut(self) -> None:
        """Close the port and what runs through it."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self) -> None:
        """Open the port again."""
        self._listening = self._listen(self.port)


@contextmanager
def lines() -> Iterator[tuple[Line, Line]]:
    """A line to the HTTP port of the Weaviate, and one to its gRPC port."""
    address = urlsplit(URL)
    host = address.hostname or "127.0.0.1"
    both = (Line(host, address.port or 80), Line(host, GRPC_PORT))
    yield both
    for line in both:
        line.cut()
