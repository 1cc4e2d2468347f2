"""The server that adversaries stand behind: OpenAI's chat completions, and how it fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from elysia_guard.evaluation.adversaries.plain import TOOL, filled
from elysia_guard.evaluation.adversaries.server import MARKED, AdversaryServer, Fault
from elysia_guard.evaluation.adversaries.told import Kind

TEXT = "Keys are rotated every twelve months by the security team of the house."
DATA = {
    "question": "How often are keys rotated?",
    "sources": [{"id": 1, "document": "ADR-0012", "status": "accepted", "text": TEXT}],
}
SIGNATURE = """Your input fields are:
1. `user_prompt` (str):
Your output fields are:
1. `reasoning` (str):
2. `function_name` (str):
3. `function_inputs` (dict):
All interactions will be structured in the following way"""


@pytest.fixture
def server() -> Iterator[AdversaryServer]:
    with AdversaryServer(late_s=0.0) as made:
        yield made


def asked(server: AdversaryServer, model: str, *contents: str, **more: Any) -> httpx.Response:
    messages = [{"role": "user", "content": each} for each in contents or (json.dumps(DATA),)]
    body = {"model": model, "messages": messages, **more}
    return httpx.post(f"{server.url}/chat/completions", json=body, timeout=5)


def test_the_model_that_is_named_is_played(server: AdversaryServer) -> None:
    """What it made up is there to be looked for, until it is taken."""
    said = asked(server, "fabricate:name").json()
    rows = json.loads(said["choices"][0]["message"]["content"])["sentences"]
    assert [row["text"] for row in rows] == [item.text for item in server.made]
    assert {item.kind for item in server.taken()} == {Kind.NAME}
    assert server.taken() == []
    assert said["usage"]["prompt_tokens"] > 0


def test_data_is_found_in_one_prompt_with_its_task(server: AdversaryServer) -> None:
    """As a tree's own model is asked: the task, a schema, and the data after it."""
    prompt = f'Write {{"type": "object"}} as told.\n\n{json.dumps(DATA)}'
    assert asked(server, "right", prompt).json()["choices"]
    assert server.made[0].text.endswith("of the house.")


def test_another_turn_is_another_answer(server: AdversaryServer) -> None:
    asked(server, "fabricate:name")
    first = server.taken()
    asked(server, "fabricate:name", json.dumps({**DATA, "failed": [{"text": "x"}]}))
    assert {item.text for item in first} != {item.text for item in server.taken()}


def test_a_model_that_nobody_plays_is_not_found(server: AdversaryServer) -> None:
    answer = asked(server, "gpt-unknown")
    assert answer.status_code == 404
    assert "fabricate" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Fault.ERROR, 500),
        (Fault.UNAUTHORISED, 401),
        (Fault.NO_QUOTA, 402),
        (Fault.FORBIDDEN, 403),
        (Fault.RATE_LIMITED, 429),
    ],
)
def test_a_failure_has_its_status(server: AdversaryServer, fault: Fault, status: int) -> None:
    server.fault = fault
    answer = asked(server, "right")
    assert answer.status_code == status
    assert MARKED in answer.text
    assert not server.made


def test_one_that_hangs_up_sends_nothing(server: AdversaryServer) -> None:
    server.fault = Fault.CLOSED
    with pytest.raises(httpx.TransportError):
        asked(server, "right")


def test_a_schema_may_be_turned_down(server: AdversaryServer) -> None:
    server.fault = Fault.NO_SCHEMA
    assert asked(server, "right", response_format={"type": "json_schema"}).status_code == 400
    assert asked(server, "right").status_code == 200


def test_a_late_answer_is_told_of(server: AdversaryServer) -> None:
    late: list[bool] = []
    server.fault, server.on_late = Fault.LATE, lambda: late.append(True)
    assert asked(server, "right").status_code == 200
    assert late == [True]


def test_elysia_is_told_in_the_fields_that_it_asks_for(server: AdversaryServer) -> None:
    server.saying = TEXT
    said = asked(server, "any", SIGNATURE).json()["choices"][0]["message"]["content"]
    assert f"[[ ## function_name ## ]]\n{TOOL}" in said
    assert json.dumps({"text": TEXT}) in said
    assert filled([{"content": "Give a title."}], TEXT) == TEXT
    assert not server.made


def test_elysia_calls_a_tool_before_it_answers(server: AdversaryServer) -> None:
    """Each tool once, in their order, and nothing ends before the last."""
    server.saying, server.picking = TEXT, ["search_documents"]
    first, second = (
        asked(server, "any", SIGNATURE).json()["choices"][0]["message"]["content"] for _ in "12"
    )
    assert "[[ ## function_name ## ]]\nsearch_documents" in first
    assert TEXT not in first.partition("function_inputs")[2]
    assert f"[[ ## function_name ## ]]\n{TOOL}" in second


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        ({"question": "How?"}, {"searches": []}),
        (
            {"sentences": [{"id": 1, "sentence": "x", "words": "y"}, "none"]},
            {"checks": [{"id": 1, "supported": True, "confidence": 0.95}]},
        ),
    ],
)
def test_it_plans_nothing_and_vouches_for_everything(
    server: AdversaryServer, data: dict[str, Any], answer: dict[str, Any]
) -> None:
    """What it made up too; a model that never keeps to a form does not here."""
    said = asked(server, "fabricate", json.dumps(data)).json()["choices"][0]["message"]
    assert json.loads(said["content"]) == answer
    broken = asked(server, "empty", json.dumps(data)).json()["choices"][0]["message"]["content"]
    assert answer.keys().isdisjoint(json.loads(broken or "{}") if broken.strip() else {})
    assert server.spent_ms > 0
    assert len(server.texts) == 2


def test_prose_is_neither_a_plan_nor_a_check(server: AdversaryServer) -> None:
    said = asked(server, "always_denies", "How are you?").json()["choices"][0]["message"]
    assert json.loads(said["content"])["can_answer"] is False
