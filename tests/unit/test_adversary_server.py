"""The server that adversaries stand behind: OpenAI's chat completions, and how it fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from scripts.lab.adversaries.server import MARKED, AdversaryServer, Fault
from scripts.lab.adversaries.told import InventionKind

TEXT = "Keys are rotated every twelve months by the security team of the house."
DATA = {
    "question": "How often are keys rotated?",
    "sources": [{"id": 1, "document": "ADR-0012", "status": "accepted", "text": TEXT}],
}


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
    assert {item.kind for item in server.taken()} == {InventionKind.NAME}
    assert server.taken() == []
    assert said["usage"]["prompt_tokens"] > 0


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
