"""Requests that arrive whole, of a bearable size and in time, or whose connection is closed.

uvicorn bounds none of it: a head may be of any size, and who sends half of one, or takes no answer,
holds a connection for ever.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from elysia_guard.config import ServerSection

BEYOND_THE_BODY_S = 5.0
"""What reads a body says itself that it came late; this is for a body that nobody reads."""


class TooLargeError(Exception):
    """The head of a request has more bytes than are taken."""


class InTime(HttpToolsProtocol):
    """uvicorn's HTTP, which waits for a head, a body and a reader so long and no longer."""

    section: ClassVar[ServerSection] = ServerSection()
    _arriving: asyncio.TimerHandle | None = None
    _leaving: asyncio.TimerHandle | None = None
    _head = 0
    """Bytes of a head that is not complete; at least one where there is one."""
    _complete = False
    """Whether the head of the request that is arriving is complete."""

    @classmethod
    def within(cls, section: ServerSection) -> type[InTime]:
        """Return the protocol with the bounds of a configuration."""
        return type(cls.__name__, (cls,), {"section": section})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head."""
        super().connection_made(transport)
        self._arriving = self._after(self.section.arrival_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._arrived()
        self._taken()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, unless it makes the head of a request too large."""
        self._head += 0 if self._complete else len(data)
        super().data_received(data)
        if self._head > self.section.max_head_bytes:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._head and self._arriving is None:
            self._arriving = self._after(self.section.arrival_seconds)

    def on_message_begin(self) -> None:
        """Take note of a head, which may come in one piece with the request before it."""
        self._head = self._head or 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Wait for the body.

        Raises:
            TooLargeError: the head came in one piece, and is too large all the same.
        """
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > self.section.max_head_bytes:
            self._head = size
            raise TooLargeError
        self._complete, self._head = True, 0
        self._arrived()
        self._arriving = self._after(self.section.arrival_seconds + BEYOND_THE_BODY_S)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait no more: all of it is there."""
        self._complete = False
        self._arrived()
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Begin to wait for somebody who does not take what was sent."""
        super().pause_writing()
        self._leaving = self._after(self.section.arrival_seconds)

    def resume_writing(self) -> None:
        """Wait no more: it was taken."""
        self._taken()
        super().resume_writing()

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to the websocket."""
        self._arrived()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Refuse a head that makes no sense, or is too large."""
        if self._head <= self.section.max_head_bytes:
            super().send_400_response(msg)

    def _arrived(self) -> None:
        if self._arriving:
            self._arriving.cancel()
        self._arriving = None

    def _taken(self) -> None:
        if self._leaving:
            self._leaving.cancel()
        self._leaving = None

    def _after(self, seconds: float) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        if self._head:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        # At once: what nobody takes would keep it open.
        self.transport.abort() if self.transport.get_write_buffer_size() else self.transport.close()

    def _refuse(self, status: HTTPStatus) -> None:
        rest = "connection: close\r\ncontent-length: 0\r\n\r\n"
        self.transport.write(f"HTTP/1.1 {status.value} {status.phrase}\r\n{rest}".encode())
        self.transport.close()
