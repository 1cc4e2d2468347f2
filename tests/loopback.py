"""A server on loopback, in a thread of its own, whose connections and requests a test can count."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

Request = TypeVar("Request")
DRIP_S = 0.02
LIMIT_S = 30.0


class LoopbackServer(ABC, Generic[Request]):
    """Runs between ``with`` and its end; what it speaks is said by ``_exchange``."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.connections = 0
        """Opened so far."""
        self.on_late: Callable[[], None] = lambda: None
        """Called when an answer is being late: a test may let its clock move then."""
        self._fault: Any = None
        self._mending = threading.RLock()
        self._open: set[asyncio.StreamWriter] = set()
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    @abstractmethod
    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Read a request and answer it; tell whether the connection stays open."""

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=2_000))
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def fault(self) -> Any:
        """How it fails; None: not at all. Once it is mended, no clock moves for what was late."""
        return self._fault

    @fault.setter
    def fault(self, fault: Any) -> None:
        with self._mending:
            self._fault = fault

    def _tell_late(self) -> bool:
        """Tell that an answer is late; False where the server has been mended since it was asked.

        Then no clock moves, and nobody's time would ever be over: the answer is to be given.
        """
        with self._mending:
            if self._fault is not None:
                self.on_late()
            return self._fault is not None

    async def _be_late(
        self,
        fault: Enum,
        message: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        slow_s: float,
    ) -> bool:
        """Answer too late, by the fault's name, or at once where it was mended meanwhile."""
        head = message.index(b"\r\n\r\n") + 4
        at_once = {"DRIPPING": head, "STUCK": (head + len(message)) // 2}.get(fault.name, 0)
        writer.write(message[:at_once])
        await writer.drain()
        if self._tell_late():
            if fault.name in {"DRIPPING", "DRIPPING_HEAD"}:
                for byte in message[at_once:]:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    if await has_left(reader, DRIP_S):
                        break
                return False
            if await has_left(reader, slow_s if fault.name == "SLOW" else LIMIT_S):
                return False
        writer.write(message[at_once:])
        await writer.drain()
        return True

    async def _break_off(
        self,
        fault: Enum,
        message: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Hang up before the whole answer was sent, or send what is none, by the fault's name."""
        if fault.name == "NO_HTTP":
            writer.write(b"220 mail.example ESMTP\r\n")
        elif fault.name == "HUGE_UNANNOUNCED":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
            for _ in range(160):
                writer.write(b" " * 65_536)
                await writer.drain()
        elif fault.name != "CLOSED":
            writer.write(message[: len(message) * 3 // 4])
        await writer.drain()
        if fault.name == "RESET":
            kernel = writer.get_extra_info("socket")
            kernel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.close()
        return False

    def open_connections(self, at_most: int) -> int:
        """How many connections are open, once they are so few or a second has passed."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._open) <= at_most, timeout=1)
            return len(self._open)

    def wait_until_asked(self, count: int) -> None:
        """Wait until so many requests have come."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.requests) >= count, timeout=5)

    def _take(self, request: Request) -> None:
        """Count a request."""
        with self._changed:
            self.requests.append(request)
            self._changed.notify_all()

    def _run(self, work):  # type: ignore[no-untyped-def]
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _stop(self) -> None:
        # What a server has accepted when it is closed, asyncio drops without closing it.
        for listening in self._server.sockets:
            self._loop.remove_reader(listening.fileno())
        await asyncio.sleep(0)
        self._server.close()
        # A connection that was being accepted becomes one to serve; it ends like the others.
        while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
            for writer in list(self._open):
                writer.transport.abort()
            await asyncio.wait(tasks, timeout=5)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with self._changed:
            self._open.add(writer)
            self._changed.notify_all()
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                while await self._exchange(reader, writer):
                    pass
        finally:
            writer.transport.abort()
            with self._changed:
                self._open.discard(writer)
                self._changed.notify_all()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()  # else the loop may end before its socket is closed


async def has_left(reader: asyncio.StreamReader, seconds: float) -> bool:
    """Wait for the client to leave, or the time to pass; tell whether it left.

    Nobody sends a second request before the answer to the first, so what comes is the end.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await reader.read(1)
            return True
    return False
