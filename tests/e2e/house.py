"""A machine on which the chat is started, stopped and started again; and a person at its page."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest
from tests import prepared
from tests.guide_server import lazy
from tests.host.chat_server import ChatServer
from tests.host.scripted import MARK, guiding, making_up

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Response

BROWSER = [
    pytest.mark.e2e,
    pytest.mark.slow,
    # playwright leaves the pipes to its driver to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
"""What marks a module of tests that drive a browser or a server of their own."""
PATIENCE_S = 120
KEY = "sk-made-up-0123456789"

SHOTS = Path(__file__).parents[2] / "build" / "e2e"
PICTURED = "E2E_PICTURES" in os.environ
"""Whether pictures are taken: a page takes 1.5 s until all of it is faded in."""
PATIENCE_MS = 60_000
ANSWER_MS = 15_000
FADED_IN_MS = 1_500

# The sphere on the start page is drawn by the processor here, which takes all there is of it.
NO_DRAWING = """
for (const context of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) {
    for (const name of ['drawArrays', 'drawElements', 'clear', 'readPixels']) {
        if (context) context.prototype[name] = () => {};
    }
}
"""


def steps() -> Callable[[str], str]:
    """A model that makes claims, and at times sense, whatever it is asked."""
    turns = count()
    said: tuple[Callable[[str], str], ...] = (
        guiding(lazy),
        making_up,
        lambda _prompt: f"{MARK}: nothing that can be read",
    )

    def answer(prompt: str) -> str:
        return said[next(turns) % len(said)](prompt)

    return answer


SERVE = """
import sys
from elysia_guard.edge.elysia.webapp import serve
from elysia_guard.wiring import Wiring

serve(Wiring.load(), port=0, ready=lambda address: print(address, flush=True))
"""


def own_environment(**settings: str) -> dict[str, str]:
    """The machine's environment without our settings and anybody's keys, and these settings."""
    ours = ("ELYSIA_GUARD_", "_API_KEY")
    kept = {
        k: v for k, v in os.environ.items() if not (k.startswith(ours[0]) or k.endswith(ours[1]))
    }
    return kept | {"LITELLM_LOCAL_MODEL_COST_MAP": "True"} | settings


class House:
    """A machine on which `elysia-guard chat` is started, stopped and started again."""

    def __init__(self, index: Path, folder: Path, model: ChatServer) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "chat.log"
        self._index = index
        self._environment = own_environment(
            ELYSIA_GUARD_CONVERSATIONS__PATH=str(folder / "kept" / "conversations.sqlite"),
            ELYSIA_GUARD_LOG_LEVEL="INFO",
            BASE_MODEL="made-up",
            COMPLEX_MODEL="made-up",
            BASE_PROVIDER="openai",
            COMPLEX_PROVIDER="openai",
            MODEL_API_BASE=f"{model.url}/v1",
            OPENAI_API_KEY=KEY,
        )

    @contextmanager
    def chat(self, *options: str) -> Iterator[prepared.Program]:
        """Start it as a person does, and stop it with Ctrl-C."""
        words = ["chat", "--port", str(self.port), "--index", str(self._index), *options]
        with self.log.open("a") as log:
            process = prepared.begin(
                words,
                module="elysia_guard.edge.cli.main",
                folder=self.log.parent,
                environment=self._environment,
                stderr=log,
            )
        try:
            assert self.address in process.stdout.readline(), self.log.read_text()
            yield process
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_S) in {0, 130}
        finally:
            process.kill()
            process.wait(PATIENCE_S)
            process.stdout.close()

    def problems(self) -> list[str]:
        """What the log says that went wrong."""
        bad = ("ERROR", '"level": "error"', "Traceback", "CRITICAL", "cannot be kept")
        return [line for item in bad for line in self.lines_with(item)]

    def lines_with(self, text: str) -> list[str]:
        """The lines of the log that say so."""
        return [line for line in self.log.read_text().splitlines() if text in line]


class Chat:
    """A person at the page."""

    def __init__(self, page: Page, address: str, *, name: str) -> None:
        self.page = page
        self.address = address
        self.name = name
        self.problems: list[str] = []
        self.opened: set[str] = set()
        page.set_default_timeout(PATIENCE_MS)
        page.on("response", self._note)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.add_init_script(NO_DRAWING)
        page.goto(address)

    def _note(self, response: Response) -> None:
        if "/init/tree/" in response.url:
            user, conversation = response.url.rsplit("/", 2)[-2:]
            self.opened.add(f"/db/{user}/delete_tree/{conversation}")
        if response.status >= 400:
            self.problems.append(f"{response.status} {response.url}")

    def start(self) -> Chat:
        """Wait for a conversation."""
        self.page.get_by_text("New Conversation").first.wait_for()
        return self

    def ask(self, question: str) -> str:
        """Ask and wait for the end of the answer; returns what the page then shows."""
        answered = self.finished.count()
        self.page.locator("textarea").first.fill(question)
        self.page.keyboard.press("Enter")
        return self.answered(answered + 1)

    def answered(self, times: int) -> str:
        self.finished.nth(times - 1).wait_for(timeout=ANSWER_MS)
        return self.shown

    @property
    def finished(self) -> Locator:
        return self.page.get_by_text(re.compile(r"^Finished in"))

    @property
    def shown(self) -> str:
        return self.page.inner_text("body")

    def shot(self, what: str) -> None:
        if PICTURED:
            self.picture(what)

    def picture(self, what: str) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.wait_for_timeout(FADED_IN_MS)
        self.page.screenshot(path=SHOTS / f"{self.name}-{what}.png")

    def leave(self) -> None:
        """Delete what was opened: all tests are one user, whose last conversation opens first."""
        requests = self.page.context.request
        self.page.close()  # an open page would begin another conversation
        for path in self.opened:
            requests.delete(f"{self.address}{path}")

    def check(self) -> None:
        """Nothing on the page, and no request behind it, has gone wrong."""
        assert not self.problems, self.problems
        shown = self.shown
        assert "undefined" not in shown
        assert "_REF_ID" not in shown
        assert "Error" not in shown


Person = TypeVar("Person", bound=Chat)


@contextmanager
def at_the_page(
    browser: Browser, person: type[Person], address: str, *, name: str
) -> Iterator[Person]:
    """Open a window for a person; at the end nothing has gone wrong, and nothing is left."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    there = person(context.new_page(), address, name=name)
    try:
        there.start()
        yield there
        there.check()
        there.shot("end")
    except BaseException:
        there.picture("end")
        raise
    finally:
        there.leave()
        context.close()


@contextmanager
def served(log: Path, **settings: str) -> Iterator[str]:
    """Serve the chat in a process of its own, with these variables; tell its address."""
    with log.open("w") as told:
        process = prepared.begin(
            [],
            code=SERVE,
            folder=log.parent,
            environment=own_environment(**settings),
            stderr=told,
        )
    try:
        said = process.stdout.readline().strip()
        assert said.startswith("http"), log.read_text()
        yield said
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()
