"""A page that goes away in every way that a page can, against the real server."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import struct
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.host.test_webapp import PATIENCE_S, Chat, opened, running, text_of

from elysia_guard.edge.elysia.webapp import server
from elysia_guard.edge.elysia.webapp.leaving import MAX_WAITING
from elysia_guard.pipeline import Pipeline
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

SOON_S = 0.25
"""Between pings here; a minute's worth of patience is left to the rest."""
NOTHING_TO_SAY = 3
"""Lines of log that a page may leave behind; one that is looped for leaves thousands."""


class Served:
    """An application that tells when it is done with a websocket."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.begun = threading.Event()
        self.ended = threading.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["type"] == "websocket":
                self.begun.set()
            await self._app(scope, receive, send)
        finally:
            if scope["type"] == "websocket":
                self.ended.set()


class RawPage:
    """A websocket by hand: it can leave in ways that no library offers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, message: dict[str, Any]) -> None:
        """Send a text frame, masked as a browser's are."""
        body, mask = json.dumps(message).encode(), os.urandom(4)
        masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(body))
        self.writer.write(b"\x81" + struct.pack("!BH", 0x80 | 126, len(body)) + mask + masked)

    def reset(self) -> None:
        """Vanish with a RST: a browser that crashed, a proxy that restarts."""
        kernel = self.writer.get_extra_info("socket")
        kernel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    def hang_up(self) -> None:
        """Close the connection without a close frame: what most proxies do."""
        self.writer.close()

    def fall_silent(self) -> None:
        """Neither read nor answer any more, and close nothing: a cable that is pulled."""
        self.writer.transport.pause_reading()  # type: ignore[attr-defined]


WAYS: list[Callable[[RawPage], None]] = [RawPage.reset, RawPage.hang_up, RawPage.fall_silent]


@pytest.fixture
def served(wiring: Wiring) -> Iterator[tuple[Chat, Served]]:
    config = server._settings(wiring)
    config.app = app = Served(config.app)
    config.ws_ping_interval = config.ws_ping_timeout = SOON_S
    with running(config) as address:
        yield Chat(address), app


@asynccontextmanager
async def raw_page(chat: Chat, path: str = "/ws/query") -> AsyncIterator[RawPage]:
    host, port = chat.address.removeprefix("http://").rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    try:
        yield RawPage(reader, writer)
    finally:
        writer.transport.abort()


async def happens(event: threading.Event) -> bool:
    """Wait for what another thread tells."""
    return await asyncio.to_thread(event.wait, PATIENCE_S)


def question(text: str, conversation_id: str, user_id: str) -> dict[str, Any]:
    """What Elysia's page sends."""
    return {
        "user_id": user_id,
        "query": text,
        "query_id": str(uuid.uuid4()),
        "conversation_id": conversation_id,
        "collection_names": [],
        "route": "",
        "mimick": False,  # codespell:ignore mimick
    }


@pytest.mark.parametrize("leave", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("path", ["/ws/query", "/ws/process_collection"])
async def test_c3_an_idle_page_that_vanishes_is_let_go(
    served: tuple[Chat, Served],
    leave: Callable[[RawPage], None],
    path: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A browser that goes away without a word leaves no work and no heap of log behind."""
    chat, app = served
    async with raw_page(chat, path) as page:
        assert await happens(app.begun)
        leave(page)
        assert await happens(app.ended)
    assert len(caplog.records) <= NOTHING_TO_SAY


@pytest.mark.parametrize("leave", WAYS, ids=lambda way: way.__name__)
async def test_c3_the_question_under_way_ends_with_its_page(
    served: tuple[Chat, Served],
    leave: Callable[[RawPage], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A page that vanishes in the middle of an answer cancels it; its conversation goes on."""
    chat, app = served
    asked, cancelled = threading.Event(), threading.Event()

    async def search(*_args: Any, **_kwargs: Any) -> None:
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    async with opened(chat) as known:
        talk = {"conversation_id": known.conversation_id, "user_id": known.user_id}
        monkeypatch.setattr(Pipeline, "gather", search)
        async with raw_page(chat) as page:
            page.send(question("What is CIMXML?", **talk))
            assert await happens(asked)
            leave(page)
            assert await happens(cancelled)
            assert await happens(app.ended)
        monkeypatch.undo()
        payloads = await known.ask("What is CIMXML?")
        assert "Format, laid down" in text_of(payloads)
        title = [item["payload"]["title"] for item in payloads if item["type"] == "title"]
        assert title == ["What is CIMXML?"], "what was cancelled was never asked"
        where = f"/db/{known.user_id}/load_tree/{known.conversation_id}"
        shown = (await known.http.get(where)).json()["rebuild"]
        assert [item["type"] for item in shown].count("user_prompt") == 1
    assert len(caplog.records) <= NOTHING_TO_SAY


async def test_c3_a_page_that_answers_pings_stays(served: tuple[Chat, Served]) -> None:
    """Whoever is only idle keeps the connection, however long."""
    chat, _ = served
    async with opened(chat) as page:
        for _ in range(3):
            await asyncio.wait_for(await page.socket.ping(), PATIENCE_S)
            assert "Format, laid down" in text_of(await page.ask("What is CIMXML?"))


async def test_c3_a_page_that_only_talks_is_closed(
    served: tuple[Chat, Served],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Questions that pile up unanswered end with the connection, not with the memory."""
    chat, app = served
    asked = threading.Event()

    async def search(*_args: Any, **_kwargs: Any) -> None:
        asked.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Pipeline, "gather", search)
    async with raw_page(chat) as page:
        page.send(question("What is CIMXML?", str(uuid.uuid4()), "talker"))
        assert await happens(asked)
        for _ in range(MAX_WAITING + 1):
            page.send(question("What is CIM?", str(uuid.uuid4()), "talker"))
        assert await happens(app.ended)
    assert len(caplog.records) <= NOTHING_TO_SAY
