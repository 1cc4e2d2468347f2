"""A proxy that is the opposite of sticky: what a request is of goes to another server each time."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator, Sequence
from itertools import cycle

from tests.loopback import LoopbackServer

_CONNECTION = re.compile(rb"\r\nconnection:[^\r]*", re.I)
_UPGRADE = re.compile(rb"\r\nupgrade:", re.I)
_TALK = re.compile(rb"\r\nx-talk: ([^\r]*)", re.I)
BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class RoundRobin(LoopbackServer[bytes]):
    """Passes each request on to a port, over a connection of its own.

    The ports take turns, for each conversation (the header ``X-Talk``) and for what bears none;
    where one is not there, the next is asked.
    """

    def __init__(self, ports: Sequence[int]) -> None:
        super().__init__()
        self._ports = ports
        self._turns: dict[bytes, Iterator[int]] = {}
        self._last: dict[bytes, int] = {}
        self.moves = 0
        """How often a conversation was answered by another port than just before."""

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        self._take(head)
        named = _TALK.search(head)
        talk = named[1] if named else b""
        found = await self._next(self._turns_of(talk))
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
            await self._pass_on(reader, writer, from_server, to_server, port, talk)
        finally:
            to_server.transport.abort()
        return False

    def _turns_of(self, talk: bytes) -> Iterator[int]:
        if talk not in self._turns:
            first = len(self._turns) % len(self._ports)
            self._turns[talk] = cycle([*self._ports[first:], *self._ports[:first]])
        return self._turns[talk]

    async def _next(
        self, turns: Iterator[int]
    ) -> tuple[int, asyncio.StreamReader, asyncio.StreamWriter] | None:
        for _ in self._ports:
            port = next(turns)
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
        talk: bytes,
    ) -> None:
        onward = asyncio.create_task(_pour(reader, to_server))
        try:
            with contextlib.suppress(ConnectionError):
                if first := await from_server.read(65_536):
                    self._note(port, talk)
                    writer.write(first)
                    await _pour(from_server, writer)
        finally:
            onward.cancel()
            await asyncio.wait({onward})

    def _note(self, port: int, talk: bytes) -> None:
        if talk:
            self.moves += self._last.get(talk, port) != port
            self._last[talk] = port


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while part := await reader.read(65_536):
            writer.write(part)
            await writer.drain()
