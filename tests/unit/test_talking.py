"""A conversation in the terminal: lines in, answers out, names completed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import pytest
from tests import prepared
from tests.unit.small_world import World

from elysia_guard.direct import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.cli.asking import TerminalConversation
from elysia_guard.edge.cli.screen import Screen

PATIENCE_S = 30
ANSWERED = "\r\n\r\n? "
"""How an answer ends, and what comes then."""


class Typed:
    """A person at a terminal, in which the program asks for a question."""

    def __init__(self, home: Path, environ: dict[str, str]) -> None:
        settings = {
            "ELYSIA_GUARD_INDEX__PATH": str(home / "index.sqlite"),
            "ELYSIA_GUARD_INDEX__SOURCES": f'["{home}"]',
            "ELYSIA_GUARD_TERMINOLOGY__FILES": "[]",
            "TERM": "xterm-256color",
        }
        program = [sys.executable, "-m", "elysia_guard.edge.cli.main"]
        own = {**os.environ, **settings, **environ}
        done = prepared.run(["ingest"], module=program[-1], folder=home, environment=own)
        assert done.returncode == 0, done.stderr
        self.raw = ""
        self._pid, self._terminal = pty.fork()
        if not self._pid:
            os.chdir(home)
            os.execve(program[0], [*program, "ask"], own)  # noqa: S606
        size = struct.pack("HHHH", 24, 40, 0, 0)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, size)

    def __enter__(self) -> Self:
        self.types("", until="? ")
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        os.close(self._terminal)

    @property
    def screen(self) -> str:
        """What was shown, without what moves the cursor or colours."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x08", "", self.raw)

    def types(self, keys: str, *, until: str | None = None) -> int | None:
        """Type, and wait until something is shown; without that for the end, with its code."""
        seen = len(self.screen)
        os.write(self._terminal, keys.encode())
        ends = None if until is None else until.split("|")
        while ends is None or not any(each in self.screen[seen:] for each in ends):
            ready, _, _ = select.select([self._terminal], [], [], PATIENCE_S)
            assert ready, self.screen
            try:
                data = os.read(self._terminal, 65_536)
            except OSError:
                break
            if not data:
                break
            self.raw += data.decode("utf-8", "replace")
        if until is None:
            return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return None


FIRST, FOLLOW_UP = "What does ADR-0012 decide?", "and what is its status?"


def told(lines: list[str | type[BaseException]], capsys: pytest.CaptureFixture[str]) -> str:
    """What a conversation prints for these lines; an exception is raised in place of one."""
    guard = Guard.__new__(Guard)
    guard.pipeline = World().pipeline

    def begin() -> Callable[[str], object]:
        talk = Conversation()

        async def answer(question: str) -> RAGResponse:
            return await guard.aask(question, conversation=talk)

        return answer

    coming: Iterator[str | type[BaseException]] = iter(lines)

    def read(_prompt: str) -> str:
        line = next(coming, EOFError)
        if not isinstance(line, str):
            raise line
        return line

    TerminalConversation(begin, Screen(), read).go_on()
    return capsys.readouterr().out


def test_a_question_follows_up_the_one_before(capsys: pytest.CaptureFixture[str]) -> None:
    """In the same conversation; a new one knows nothing of it."""
    alone, after = told([FOLLOW_UP], capsys), told([FIRST, FOLLOW_UP], capsys)
    assert "ADR-0012" not in alone
    assert "ADR-0012" in after.removeprefix(told([FIRST], capsys).rstrip("\n"))
    anew = told([FIRST, "/new", FOLLOW_UP], capsys)
    assert "ADR-0012" not in anew.partition("A new conversation.")[2]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["???"], "holds no words"),
        (["???", FIRST], "ADR-0012"),
        ([KeyboardInterrupt, FIRST], "ADR-0012"),
        ([KeyboardInterrupt], "Ctrl-D or /quit"),
        (["/help"], "Ctrl-D"),
        (["/trace"], "Nothing has been asked yet."),
        ([FIRST, "/trace"], "How it came about"),
        ([FIRST, "/trace"], "Read as a question for"),
        (["/what"], "There is no /what; /help names what there is."),
    ],
)
def test_it_goes_on_whatever_is_typed(
    lines: list[str | type[BaseException]], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C takes a line back, a slash commands, and what cannot be asked ends nothing."""
    assert says in told(lines, capsys)


@pytest.mark.slow
class TestInATerminal:
    """The program itself, behind a terminal of 40 columns, as a person types."""

    @pytest.fixture
    def typed(self, tmp_path: Path) -> Callable[..., Typed]:
        home = tmp_path / "home"
        home.mkdir()
        (home / "note.md").write_text("# Redispatch\n\nRedispatching costs money.\n")
        return lambda **environ: Typed(home, environ)

    def test_it_goes_on_after_whatever_is_typed(self, typed: Callable[..., Typed]) -> None:
        """Nothing, a line taken back (Ctrl-U), a pasted question, and the end."""
        with typed(NO_COLOR="1") as person:
            person.types("\r", until="? ")
            person.types("half a line", until="half a line")
            person.types("\x15", until="")
            person.types("\x1b[200~What does\nRedispatching\ncost?\x1b[201~\r", until=ANSWERED)
            assert person.types("\x04") == 0
        assert "costs money" in person.screen
        assert "Traceback" not in person.screen
        assert not re.search(r"\x1b\[(?:\d+;)*[39]\d", person.raw), "nothing is coloured"
