"""Putting questions to the guard, on either route, and a conversation in the terminal."""

from __future__ import annotations

import os
import sys
import uuid
import warnings
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.cli import replies
from elysia_guard.edge.cli.options import debugging
from elysia_guard.edge.cli.screen import Screen
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.domain.document import DocumentKind
    from elysia_guard.domain.mode import Mode
    from elysia_guard.domain.response import RAGResponse
    from elysia_guard.wiring import Wiring

Answer = Callable[[str], Coroutine[Any, Any, "RAGResponse"]]
"""Answers one question after the other, in one conversation."""
Begin = Callable[[Conversation | None], Answer]
"""Begins a conversation; without one every question stands alone on the direct route."""

PROMPT = "? "
HELP = """\
Ask in any language that has a pack; a question may follow up the one before: "who approved it?"
The arrows bring back what was asked; Ctrl-C stops an answer.

  /trace   the way of the last question, stage by stage
  /new     begin a new conversation
  /help    this
  /quit    end it, as Ctrl-D does"""


def beginner(
    wiring: Wiring, *, route: str, kind: DocumentKind | None = None, mode: Mode | None = None
) -> Begin:
    """Return what begins conversations on a route: ``tree``, ``direct``, or ``auto``: direct."""
    if route != "tree":
        from elysia_guard.direct import Guard

        guard = Guard(wiring=wiring)

        def direct(conversation: Conversation | None) -> Answer:
            async def answer(question: str) -> RAGResponse:
                return await guard.aask(question, kind=kind, conversation=conversation, mode=mode)

            return answer

        return direct
    with quiet_host():
        from elysia_guard.edge.elysia import TreeTalk

    def tree(_conversation: Conversation | None) -> Answer:
        with quiet_host():
            talk = TreeTalk(wiring, collections=(kind.value,) if kind else (), mode=mode)

        async def answer(question: str) -> RAGResponse:
            with quiet_host():
                return await talk.ask(question)

        return answer

    return tree


@contextmanager
def quiet_host() -> Iterator[None]:
    """Keep what Elysia prints out of the answers: it draws each decision on standard output."""
    if debugging():
        with redirect_stdout(sys.stderr):
            yield
        return
    with (
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
        redirect_stdout(nowhere),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


class TerminalConversation:
    """One conversation: reads a line, answers it, until there are no more.

    Args:
        begin: begins a conversation; returns what answers its questions.
        screen: what is printed on.
        read: gives the next line for a prompt, and ends with ``EOFError``.
    """

    def __init__(
        self, begin: Callable[[], Answer], screen: Screen, read: Callable[[str], str]
    ) -> None:
        self._begin = begin
        self._screen = screen
        self._read = read
        self._answer = begin()
        self._last: RAGResponse | None = None

    def go_on(self) -> None:
        """Answer until the end of the input, or ``/quit``."""
        while True:
            try:
                line = self._read(PROMPT).strip()
            except EOFError:
                self._screen.line()
                return
            except KeyboardInterrupt:
                self._screen.line()
                self._screen.line("Ctrl-D or /quit ends it.", "dim")
                continue
            if line == "/quit":
                return
            if line:
                self._take(line)
                self._screen.line()

    def _take(self, line: str) -> None:
        if line == "/help":
            self._screen.line(HELP)
        elif line == "/new":
            self._answer, self._last = self._begin(), None
            self._screen.line("A new conversation.", "dim")
        elif line == "/trace" and self._last is None:
            self._screen.line("Nothing has been asked yet.")
        elif line == "/trace" and self._last:
            replies.show_way(self._screen, self._last)
        elif line.startswith("/"):
            self._screen.line(f"There is no {line}; /help names what there is.")
        else:
            self._ask(line)

    def _ask(self, question: str) -> None:
        try:
            with self._screen.waiting():
                self._last = run_anywhere(self._answer(question))
        except GuardError as err:
            self._screen.line(str(err), "bold red")
        except KeyboardInterrupt:
            self._screen.line("Stopped.", "dim")
        else:
            self._screen.line()
            replies.show(self._screen, self._last)


def talk(begin: Begin) -> None:
    """Lead a conversation on standard input and output."""
    screen = Screen()
    screen.line("Ask a question; /help tells more, Ctrl-D ends it.", "dim")
    with _remembering():
        TerminalConversation(
            lambda: begin(Conversation(id=str(uuid.uuid4()))), screen, input
        ).go_on()


@contextmanager
def _remembering() -> Iterator[None]:
    """Bring back with the arrows what was asked, until the end; it is written nowhere.

    Without GNU readline nothing is brought back.
    """
    try:
        import readline
    except ImportError:
        yield
        return
    if "libedit" not in (readline.__doc__ or ""):
        # What is pasted over several lines is one question.
        readline.parse_and_bind("set enable-bracketed-paste on")
    try:
        yield
    finally:
        readline.clear_history()
