"""A conversation in the terminal: lines in, answers out, names completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.unit.small_world import World

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.cli.completing import Completer
from elysia_guard.edge.cli.screen import Screen
from elysia_guard.edge.cli.talking import Talk
from elysia_guard.guard import Guard

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
    assert "The way of the question" in told([FIRST, "/trace"], capsys)


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

    def test_no_more_than_one_looks_at(self) -> None:
        assert len(Completer([f"name {n:03d}" for n in range(500)]).complete("name")) <= 20

    def test_nothing_in_a_name_acts_on_the_terminal(self) -> None:
        assert Completer(["evil\x1b[2Jname"]).complete("evil") == ["evil[2Jname"]
