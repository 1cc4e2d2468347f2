"""A proxy without sticky sessions: each request, and each websocket, goes to the next server."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Sequence
from itertools import cycle

from tests.loopback import LoopbackServer

_CONNECTION = re.compile(rb"\r\nconnection:[^\r]*", re.I)
_UPGRADE = re.compile(rb"\r\nupgrade:", re.I)
BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class RoundRobin(LoopbackServer[bytes]):
    """Passes each request on to the next port, over a connection of its own."""

    def __init__(self, ports: Sequence[int]) -> None:
        super().__init__()
        self._ports = cycle(ports)
        self._tries = len(ports)
        self._last: dict[str, int] = {}
        self.moves = 0
        """How often the next port answered of what a request is of (the header ``X-Talk``)."""

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        self._take(head)
        found = await self._next()
        if found is None:
            writer.write(BAD_GATEWAY)
            await writer.drain()
            return False
        port, from_server, to_server = found
        if not _UPGRADE.search(head):
            # The end of the answer is then the end of the connection.
            head = _CONNECTION.sub(b"", head).replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
        to_server.write(head)
        try:
            await self._pass_on(reader, writer, from_server, to_server, port, head)
        finally:
            to_server.transport.abort()
        return False

    async def _next(self) -> tuple[int, asyncio.StreamReader, asyncio.StreamWriter] | None:
        for _ in range(self._tries):
            port = next(self._ports)
            with contextlib.suppress(OSError):
                return port, *await asyncio.open_connection("127.0.0.1", port)
        return None

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        from_server: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
        port: int,
        head: bytes,
    ) -> None:
        onward = asyncio.create_task(_pour(reader, to_server))
        try:
            with contextlib.suppress(ConnectionError):
                if first := await from_server.read(65_536):
                    self._note(port, head)
                    writer.write(first)
                    await _pour(from_server, writer)
        finally:
            onward.cancel()
            await asyncio.wait({onward})

    def _note(self, port: int, head: bytes) -> None:
        if talk := re.search(rb"\r\nx-talk: ([^\r]*)", head, re.I):
            name = talk[1].decode()
            self.moves += self._last.get(name, port) != port
            self._last[name] = port


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while part := await reader.read(65_536):
            writer.write(part)
            await writer.drain()
