"""A conversation in the terminal: lines in, answers out, names completed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import pytest
from tests.unit.small_world import World

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.cli.completing import Completer
from elysia_guard.edge.cli.screen import Screen
from elysia_guard.edge.cli.talking import Talk
from elysia_guard.guard import Guard

PATIENCE_S = 30
ANSWERED = "direct\r\n\r\n? "
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
        subprocess.run([*program, "ingest"], env=own, cwd=home, check=True, capture_output=True)
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
        while until is None or until not in self.screen[seen:]:
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

    Talk(begin, Screen(), read).go_on()
    return capsys.readouterr().out


def test_a_question_follows_up_the_one_before(capsys: pytest.CaptureFixture[str]) -> None:
    alone, after = told([FOLLOW_UP], capsys), told([FIRST, FOLLOW_UP], capsys)
    assert "ADR-0012" not in alone
    assert "ADR-0012" in after.removeprefix(told([FIRST], capsys).rstrip("\n"))


def test_a_new_conversation_knows_nothing_of_the_last(capsys: pytest.CaptureFixture[str]) -> None:
    text = told([FIRST, "/new", FOLLOW_UP], capsys)
    assert "ADR-0012" not in text.partition("A new conversation.")[2]


def test_what_cannot_be_asked_ends_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(["???", FIRST], capsys)
    assert "holds no words" in text
    assert "ADR-0012" in text


def test_ctrl_c_at_the_prompt_takes_the_line_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert "ADR-0012" in told([KeyboardInterrupt, FIRST], capsys)


def test_whoever_wants_to_leave_by_ctrl_c_is_told_how(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Ctrl-D or /quit" in told([KeyboardInterrupt], capsys)


def test_it_ends_when_asked_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert "ADR-0012" not in told(["/quit", FIRST], capsys)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("/help", "Ctrl-D"),
        ("/trace", "Nothing has been asked yet."),
        ("/what", "There is no /what; /help names what there is."),
    ],
)
def test_commands_answer(line: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert says in told([line], capsys)


def test_the_trace_is_that_of_the_last_question(capsys: pytest.CaptureFixture[str]) -> None:
    shown = told([FIRST, "/trace"], capsys)
    assert "How it came about" in shown
    assert "Read as a question for" in shown


class TestCompleting:
    NAMES = ("CIMXML", "CIM profile", "Use CIM as the canonical data model", "ADR-0012", "")

    @pytest.mark.parametrize(
        ("line", "completed"),
        [
            ("What is cimx", ["What is CIMXML"]),
            ("what is cim p", ["what is CIM profile"]),
            ("tell me of use cim as", ["tell me of Use CIM as the canonical data model"]),
            ("adr-00", ["ADR-0012"]),
            ("What is zzz", []),
            ("c", []),
            ("", []),
        ],
    )
    def test_the_end_of_a_line_becomes_a_name(self, line: str, completed: list[str]) -> None:
        assert Completer(self.NAMES).complete(line) == completed

    def test_all_names_that_fit_are_offered_in_order(self) -> None:
        completer = Completer(self.NAMES)
        assert [completer("cim", state) for state in range(3)] == ["CIM profile", "CIMXML", None]

    def test_what_was_typed_is_never_taken_away(self) -> None:
        """What all completions begin with is put in its place: it must begin with it."""
        completer = Completer(["Redispatch", "redispatching", "Groß", "grosser"])
        for typed in ("What is redis", "What is Redis", "gros"):
            offered = completer.complete(typed)
            assert len(offered) == 2
            assert all(line.startswith(typed) for line in offered)

    def test_names_are_shown_without_the_line_before_them(self) -> None:
        assert Completer(self.NAMES).offered("What is cim") == ["CIM profile", "CIMXML"]
        assert Completer(self.NAMES).offered("What is zzz") == []

    def test_no_more_than_one_looks_at(self) -> None:
        assert len(Completer([f"name {n:03d}" for n in range(500)]).complete("name")) <= 20

    def test_nothing_in_a_name_acts_on_the_terminal(self) -> None:
        assert Completer(["evil\x1b[2Jname"]).complete("evil") == ["evil[2Jname"]


@pytest.mark.slow
class TestInATerminal:
    """The program itself, behind a terminal of 40 columns, as a person types."""

    @pytest.fixture
    def typed(self, tmp_path: Path) -> Callable[..., Typed]:
        home = tmp_path / "home"
        home.mkdir()
        (home / "note.md").write_text("# Redispatch\n\nRedispatching costs money.\n")
        (home / "note2.md").write_text("# redispatching in winter\n\nIt is done often.\n")
        return lambda **environ: Typed(home, environ)

    def test_it_goes_on_after_whatever_is_typed(self, typed: Callable[..., Typed]) -> None:
        """Nothing, a line taken back (Ctrl-U), a name completed, a pasted question, and the end."""
        with typed() as person:
            person.types("\r", until="? ")
            person.types("half a line", until="half a line")
            person.types("\x15", until="")
            person.types("What is redis\t", until="  redispatching in winter")
            person.types("\x15", until="")
            person.types("\x1b[200~What does\nRedispatching\ncost?\x1b[201~\r", until=ANSWERED)
            assert person.types("\x04") == 0
        assert "costs money" in person.screen
        assert "Traceback" not in person.screen

    def test_without_colours_nothing_is_coloured(self, typed: Callable[..., Typed]) -> None:
        with typed(NO_COLOR="1") as person:
            person.types("What does Redispatching cost?\r", until=ANSWERED)
            assert person.types("/quit\r") == 0
        assert not re.search(r"\x1b\[[0-9;]*m", person.raw)
