"""What the browser tests share: one index, one server in a process of its own, one browser."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.house import Chat, House, at_the_page, served, steps
from tests.host.chat_server import ChatServer

from elysia_guard import config as configuration
from elysia_guard.wiring import Wiring

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the documents that ship."""
    shipped = configuration.load(environ={})
    path = tmp_path_factory.mktemp("e2e") / "index.sqlite"
    own = shipped.model_copy(update={"index": shipped.index.model_copy(update={"path": path})})
    asyncio.run(Wiring(own).fill_index())
    return path


@pytest.fixture(scope="session")
def address(index: Path) -> Iterator[str]:
    """Where the web chat is, as `serve` says when it is ready."""
    settings = {"ELYSIA_GUARD_INDEX__PATH": str(index)}
    with served(index.parent / "server.log", **settings) as said:
        yield said


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium of this machine; none is downloaded."""
    # Module scope: the driver holds an event loop, which tests elsewhere need for themselves.
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="no playwright: pip install playwright"
    )
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(CHROMIUM)} is on the PATH")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def model() -> Iterator[ChatServer]:
    with ChatServer(steps()) as serving:
        yield serving


@pytest.fixture
def house(index: Path, tmp_path: Path, model: ChatServer) -> House:
    return House(index, tmp_path, model)


@pytest.fixture
def chat(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Chat]:
    """A person at the page of the chat."""
    name = request.node.name.removeprefix("test_")
    with at_the_page(browser, Chat, address, name=name) as person:
        yield person
