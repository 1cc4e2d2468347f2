"""A server of chat completions that takes a form or does not, and what is read in what it wrote."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.guide_server import Fault, GuideServer, lazy
from tests.unit.small_world import passage

from elysia_guard.adapters.models import ModelCaller
from elysia_guard.adapters.models.chat import OpenAIChat
from elysia_guard.adapters.models.guide import LanguageModelGuide
from elysia_guard.domain.errors import ConfigError, SourceUnavailableError
from elysia_guard.domain.pointing import PointedVerdict, Pointing, UnitOfSource
from elysia_guard.ports import unobserved
from elysia_guard.resilience.breaker import Breaker

ASKED = "How are connections encrypted?"
TOLD = passage("ADR-0027#1")
UNITS = [UnitOfSource(passage=TOLD, at=0, text=TOLD.text)]
FIRST = Pointing(verdict=PointedVerdict.ANSWERS, units=(1,))


class FreakishServer(GuideServer):
    """One that may send nothing to a schema, or think aloud and fence what it writes."""

    def __init__(self) -> None:
        super().__init__(lazy)
        self.nothing = self.fenced = False

    def _answer(self, request: dict[str, Any]) -> tuple[int, bytes]:
        if self.nothing and "response_format" in request:
            return 200, json.dumps({"choices": []}).encode()
        return super()._answer(request)

    def _written(self, messages: list[dict[str, str]]) -> str:
        written = super()._written(messages)
        return f"<think>Hm, {{1}}.</think>\n```json\n{written}\n```" if self.fenced else written


def pointed(server: GuideServer, *questions: str, nothing: int = 0) -> list[Pointing]:
    """Ask one guide questions in turn; to a schema the first so many are sent nothing."""

    async def ask() -> list[Pointing]:
        chat = OpenAIChat(server.url, "m")
        breaker = Breaker("llm", failure_threshold=9)
        caller = ModelCaller(breaker, unobserved, deadlines_s={"point": 9.0}, at_once=1)
        guide, said = LanguageModelGuide(chat, caller), []
        try:
            for place, question in enumerate(questions):
                if isinstance(server, FreakishServer):
                    server.nothing = place < nothing
                said.append(await guide.point(question, UNITS))
        finally:
            await chat.aclose()
        return said

    return asyncio.run(ask())


def test_what_is_thought_aloud_and_fenced_is_read() -> None:
    with FreakishServer() as server:
        server.fenced = True
        assert pointed(server, ASKED) == [FIRST]
    assert len(server.requests) == 1


@pytest.mark.parametrize("fault", [Fault.PROSE_ONCE, Fault.NO_SCHEMA])
def test_a_form_that_can_be_mended_is(fault: Fault) -> None:
    """Once; a server without JSON schemas is asked without."""
    with GuideServer(lazy) as server:
        server.fault = fault
        assert pointed(server, ASKED) == [FIRST]
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", [Fault.PROSE, Fault.EMPTY])
def test_what_has_no_form_after_a_second_try_is_nothing(fault: Fault) -> None:
    with GuideServer(lazy) as server:
        server.fault = fault
        with pytest.raises(SourceUnavailableError, match="twice"):
            pointed(server, ASKED)
    assert len(server.requests) == 2


@pytest.mark.parametrize(("times", "asked_so"), [(1, True), (3, False)])
def test_nothing_sent_once_turns_no_schema_off(times: int, *, asked_so: bool) -> None:
    """It is asked without one that time; time after time it is asked with none any more."""
    questions = [f"{ASKED} {n}" for n in range(times + 1)]
    with FreakishServer() as server:
        assert pointed(server, *questions, nothing=times) == [FIRST] * (times + 1)
    asked = ["response_format" in item for item in server.requests]
    assert asked == [*[True, False] * times, asked_so]


def test_an_address_that_is_none_names_the_setting() -> None:
    with pytest.raises(ConfigError, match=r"llm\.url"):
        OpenAIChat("http://127.0.0.1:port", "m")
