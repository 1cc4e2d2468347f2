"""``elysia-guard ask`` without a question: a conversation in the terminal."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.cli import replies
from elysia_guard.edge.cli.asking import quiet_host
from elysia_guard.edge.cli.completing import Completer, completed_by
from elysia_guard.edge.cli.screen import Screen
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.domain.document import DocumentKind
    from elysia_guard.domain.mode import Mode
    from elysia_guard.domain.response import RAGResponse
    from elysia_guard.wiring import Wiring

PROMPT = "? "
HELP = """\
Ask in any language that has a pack; a question may follow up the one before: "who approved it?"
Tab completes titles and terms, the arrows bring back what was asked; Ctrl-C stops an answer.

  /trace   the way of the last question, stage by stage
  /new     begin a new conversation
  /help    this
  /quit    end it, as Ctrl-D does"""

Answer = Callable[[str], Coroutine[Any, Any, "RAGResponse"]]
Read = Callable[[str], str]


class Talk:
    """One conversation: reads a line, answers it, until there are no more.

    Args:
        begin: begins a conversation; returns what answers its questions.
        screen: what is printed on.
        read: gives the next line for a prompt, and ends with ``EOFError``.
    """

    def __init__(self, begin: Callable[[], Answer], screen: Screen, read: Read) -> None:
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

    def _take(self, line: str) -> None:
        commands = {"/help": self._help, "/new": self._anew, "/trace": self._trace}
        if line in commands:
            commands[line]()
        elif line.startswith("/"):
            self._screen.line(f"There is no {line}; /help names what there is.")
        else:
            self._ask(line)
        self._screen.line()

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

    def _trace(self) -> None:
        if self._last is None:
            self._screen.line("Nothing has been asked yet.")
        else:
            replies.show_way(self._screen, self._last)

    def _anew(self) -> None:
        self._answer = self._begin()
        self._last = None
        self._screen.line("A new conversation.", "dim")

    def _help(self) -> None:
        self._screen.line(HELP)


def talk(wiring: Wiring, *, route: str, kind: DocumentKind | None, mode: Mode | None) -> None:
    """Lead a conversation on standard input and output."""
    on_tree = route == "tree"
    begin = _trees(wiring, kind, mode) if on_tree else _guards(wiring, kind, mode)
    screen = Screen()
    screen.line("Ask a question; /help tells more, Ctrl-D ends it.", "dim")
    with completed_by(Completer.of(wiring), PROMPT):
        Talk(begin, screen, input).go_on()


def _guards(wiring: Wiring, kind: DocumentKind | None, mode: Mode | None) -> Callable[[], Answer]:
    from elysia_guard.guard import Guard

    guard = Guard(wiring=wiring)

    def begin() -> Answer:
        conversation = Conversation(id=str(uuid.uuid4()))

        async def answer(question: str) -> RAGResponse:
            return await guard.aask(question, kind=kind, conversation=conversation, mode=mode)

        return answer

    return begin


def _trees(wiring: Wiring, kind: DocumentKind | None, mode: Mode | None) -> Callable[[], Answer]:
    with quiet_host():
        from elysia_guard.edge.elysia import TreeTalk

    def begin() -> Answer:
        tree = TreeTalk(wiring, collections=(kind.value,) if kind else (), mode=mode)

        async def answer(question: str) -> RAGResponse:
            with quiet_host():
                return await tree.ask(question)

        return answer

    return begin
