"""A reply as events: what it begins with is there while a model writes, and last the whole."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import httpx
import jsonschema
import pytest
from tests.host.test_service import FIRST, FOLLOW_UP, client, settled
from tests.host.test_webapp import PATIENCE_S, running
from tests.host.test_written_routes import ASKED, written_by
from tests.writer_server import Asked, Fault, Sentence, WriterServer

from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.shown import Shown
from elysia_guard.edge.elysia.webapp import server
from elysia_guard.edge.service.events import EVENTS, UNANSWERED
from elysia_guard.guard import Guard
from elysia_guard.wiring import Wiring

pytestmark = [pytest.mark.host, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

ACCEPT = {"Accept": EVENTS}
Event = tuple[str, dict[str, Any]]


def stated(asked: Asked) -> list[Sentence]:
    """Three sentences of the sources, each over itself."""
    found: list[Sentence] = []
    for source in asked.sources:
        text = " ".join(source["text"].split())
        sentences = [each for each in re.split(r"(?<=\.) ", text) if 40 < len(each) < 160]
        found += [(each, [(source["id"], each)]) for each in sentences[:2]]
    return found[:3]


def read(lines: Iterator[str]) -> Iterator[Event]:
    """Read events as they come."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def events(answer: httpx.Response) -> list[Event]:
    assert answer.headers["content-type"].startswith(EVENTS)
    return list(read(iter(answer.text.splitlines())))


@pytest.fixture
def writer() -> Iterator[WriterServer]:
    with WriterServer(stated) as made:
        made.streams = True
        yield made


@pytest.fixture
def address(wiring: Wiring, writer: WriterServer) -> Iterator[str]:
    """The chat's own server on loopback, with a model that writes."""
    made = written_by(wiring, url=writer.url, model="m")
    with running(server._settings(made)) as found:
        yield found
    made.close()


def test_sentences_come_while_the_model_writes(address: str, writer: WriterServer) -> None:
    """Two are told while it has not begun the third; the reply begins with all that was told."""
    writer.stops_at_row = 3
    asking = {"json": {"question": ASKED}, "headers": ACCEPT, "timeout": PATIENCE_S}
    with httpx.stream("POST", f"{address}/guard/ask", **asking) as answer:  # type: ignore[arg-type]
        assert answer.status_code == 200
        told = read(answer.iter_lines())
        first = [next(told) for _ in range(3)]
        assert [name for name, _ in first] == ["shown"] * 3
        assert [len(data["sources"]) for _, data in first] == [0, 1, 1]
        writer.go_on()
        *others, (name, reply) = list(told)
    assert name == "reply"
    assert [name for name, _ in others] == ["shown"]
    shown = "\n\n".join(data["text"] for _, data in (*first, *others))
    assert reply["answer"].startswith(shown)
    sources = [item for _, data in (*first, *others) for item in data["sources"]]
    assert sources == reply["sources"]
    assert reply["outcome"] == "hedged"


def test_who_hangs_up_ends_the_call_of_the_model(address: str, writer: WriterServer) -> None:
    writer.stops_at_row = 3
    asking = {"json": {"question": ASKED}, "headers": ACCEPT, "timeout": PATIENCE_S}
    with httpx.stream("POST", f"{address}/guard/ask", **asking) as answer:  # type: ignore[arg-type]
        next(read(answer.iter_lines()))
    assert writer.left.wait(PATIENCE_S)


@pytest.mark.parametrize("fault", [Fault.ERROR, None])
def test_the_reply_is_that_of_who_asks_for_no_events(
    address: str, writer: WriterServer, fault: Fault | None
) -> None:
    """Also where the model answers to neither."""
    writer.fault = fault
    whole, streamed = (
        httpx.post(
            f"{address}/guard/ask", json={"question": ASKED}, headers=headers, timeout=PATIENCE_S
        )
        for headers in ({}, ACCEPT)
    )
    assert settled(events(streamed)[-1][1]) == settled(whole.json())


@pytest.mark.parametrize("question", [FIRST, "What does ADR-0050 decide?", "What is CIM?", "Hi!"])
def test_without_a_writer_the_reply_is_all(wiring: Wiring, question: str) -> None:
    answer = client(wiring).post("/guard/ask", json={"question": question}, headers=ACCEPT)
    ((name, reply),) = events(answer)
    assert name == "reply"
    assert settled(reply) == settled(Guard(wiring=wiring).ask(question).to_dict())


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json;q=0.9, text/*"])
def test_json_is_told_to_everybody_else(wiring: Wiring, accept: str) -> None:
    answer = client(wiring).post("/guard/ask", json={"question": FIRST}, headers={"Accept": accept})
    assert answer.json()["outcome"] == "asserted"


def test_a_conversation_goes_on(wiring: Wiring) -> None:
    """Kept before the reply is told, whichever way the next question comes."""
    asking, reply = client(wiring), {}
    for question in (FIRST, FOLLOW_UP):
        body = {"question": question, "conversation_id": "c1"}
        reply = events(asking.post("/guard/ask", json=body, headers=ACCEPT))[-1][1]
    assert reply["sources"][0]["doc_id"] == "ADR-0012D"
    after = asking.post("/guard/ask", json={"question": FOLLOW_UP, "conversation_id": "c1"})
    assert after.json()["sources"][0]["doc_id"] == "ADR-0012D"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"question": " "}, "empty"),
        ({"question": FIRST, "collections": ["nope"]}, "no_such_collection"),
        ({"question": " ", "conversation_id": "c1"}, "empty"),
    ],
)
def test_what_cannot_be_asked_has_its_status(
    wiring: Wiring, body: dict[str, Any], code: str
) -> None:
    answer = client(wiring).post("/guard/ask", json=body, headers=ACCEPT)
    assert (answer.status_code, answer.json()["code"]) == (422, code)


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("talk", [{}, {"conversation_id": "c1"}])
def test_what_breaks_off_is_told_without_the_reason(
    wiring: Wiring,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    talk: dict[str, str],
    *,
    begun: bool,
) -> None:
    """With its status before anything was told, and as the last event after that."""

    async def fails(*_args: object, **_named: object) -> AsyncGenerator[Shown | RAGResponse, None]:
        for text in ["It begins."] if begun else ():
            yield Shown(text=text)
        raise PassageIndexError("/secret/place/index.sqlite is damaged")

    monkeypatch.setattr(Guard, "astream", fails)
    answer = client(wiring).post("/guard/ask", json={"question": FIRST, **talk}, headers=ACCEPT)
    if begun:
        assert events(answer) == [
            ("shown", {"text": "It begins.", "sources": []}),
            ("error", {"error": UNANSWERED}),
        ]
    else:
        assert (answer.status_code, answer.json()) == (503, {"error": UNANSWERED})
    assert "/secret/place" in caplog.text


def test_the_description_says_what_the_events_are(address: str) -> None:
    told = httpx.get(f"{address}/guard/openapi.json").json()
    answers = told["paths"]["/guard/ask"]["post"]["responses"]
    assert set(answers["200"]["content"]) == {"application/json", EVENTS}
    assert set(answers["422"]["content"]) == {"application/json"}
    schemas = answers["200"]["content"][EVENTS]["schema"]["x-events"]
    answer = httpx.post(
        f"{address}/guard/ask", json={"question": ASKED}, headers=ACCEPT, timeout=PATIENCE_S
    )
    found = events(answer)
    assert {name for name, _ in found} == {"shown", "reply"}
    for name, data in found:
        jsonschema.Draft202012Validator({**schemas[name], **told}).validate(data)
