"""A page that goes away: what it had asked ends with it, and nothing is sent after it.

Elysia's handler takes a page that is gone for a faulty message, tells it so, and asks for the next
one: without an end, and with a line of log for each turn, if the server lets it send. A server need
not raise before it has read a close frame, which a page that crashes or loses its network never
sends. So the page is listened to here, also while a question is under way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

MAX_WAITING = 16
"""Messages that may wait while a question is answered; a page sends one at a time."""

POLICY_VIOLATION = 1008


class EndsWithItsPage:
    """Cancels what a websocket is doing as soon as its page is gone."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one page until it goes."""
        if scope["type"] == "websocket":
            page = _Page(receive, send)
            await page.serve(self._app(scope, page.receive, page.send))  # type: ignore[arg-type]
        else:
            await self._app(scope, receive, send)


class _Page:
    """The other end of a websocket."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._waiting: asyncio.Queue[Message] = asyncio.Queue()
        self._gone = False

    async def serve(self, work: Coroutine[Any, Any, None]) -> None:
        """Work until it is done, or the page is gone."""
        working = asyncio.create_task(work)
        listening = asyncio.create_task(self._listen(working))
        try:
            await asyncio.wait({working})
        finally:
            listening.cancel()
            working.cancel()
            await asyncio.wait({working, listening})
        # What the end of the page made of the work is no error; anything else is the server's.
        if not working.cancelled() and (failure := working.exception()) and not self._gone:
            raise failure

    async def receive(self) -> Message:
        """Return what the page has sent next."""
        return await self._waiting.get()

    async def send(self, message: Message) -> None:
        """Send to the page; where it is gone, end what wants to."""
        if not self._gone:
            await self._send(message)
        elif message["type"] != "websocket.close":
            # Cancelled once more: Python 3.11's `wait_for` swallows the first where it comes
            # together with a message. An OSError would be logged, and answered with a message.
            raise asyncio.CancelledError

    async def _listen(self, working: asyncio.Task[None]) -> None:
        while (message := await self._receive())["type"] != "websocket.disconnect":
            self._waiting.put_nowait(message)
            if self._waiting.qsize() > MAX_WAITING:
                await self._send({"type": "websocket.close", "code": POLICY_VIOLATION})
                break
        # In one step: whatever runs next finds itself cancelled, and has nothing to complain of.
        self._gone = True
        working.cancel()


class Pinging(WebSocketsSansIOProtocol):
    """uvicorn's websocket, which also notices a page that left no trace.

    A machine that is switched off, or a network that drops what it is given, closes no connection.
    A browser answers pings by itself; one that does not within ``ws_ping_timeout`` is gone.
    """

    _heard = True
    _watching: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to watch."""
        super().connection_made(transport)
        self._after(self.config.ws_ping_interval, self._ping)

    def data_received(self, data: bytes) -> None:
        """Take note that somebody is there."""
        self._heard = True
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop watching."""
        if self._watching:
            self._watching.cancel()
        super().connection_lost(exc)

    def _ping(self) -> None:
        if self.handshake_complete and self.conn.state is State.OPEN:
            self._heard = False
            self.conn.send_ping(b"")
            self.transport.write(b"".join(self.conn.data_to_send()))
        self._after(self.config.ws_ping_timeout, self._look)

    def _look(self) -> None:
        if self._heard:
            self._after(self.config.ws_ping_interval, self._ping)
        else:
            self.transport.abort()

    def _after(self, seconds: float | None, then: Any) -> None:
        if seconds is not None:
            self._watching = self.loop.call_later(seconds, then)
