"""All input has a bound, on every route; what makes no sense gets a clean answer."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from tests.security.served import ADMIN_SECRET, Served, answers, question_of
from websockets.exceptions import ConnectionClosed

from elysia_guard.edge.elysia.webapp.protection.bounds import DEEPEST, Refusal, read_json
from elysia_guard.edge.elysia.webapp.protection.messages import Pace
from elysia_guard.edge.elysia.webapp.tree_managers import longest_idle
from elysia_guard.testing.clock import FakeClock

WITH_BODY = {"POST", "PATCH", "PUT", "DELETE"}
TOO_LARGE = b'"' + b"x" * 300_000 + b'"'
PATIENCE_S = 30

MALFORMED: list[bytes] = [
    b"{",
    b"[1, 2",
    b"\xff\xfe",
    b"NaN",
    b'{"text": Infinity}',
    b"1" * 5_000,
    b"[" * 5_000,
    b'{"a":' * 100 + b"1" + b"}" * 100,
    json.dumps({"user_id": "x" * 300}).encode(),
    json.dumps({"user_id": 7}).encode(),
    json.dumps({"user_id": "a\nb"}).encode(),
    json.dumps({"conversation_id": "\ud800"}).encode(),
]
WRONG: list[object] = [None, 7, "text", [], [{}], {"text": {}}, {"config": "x"}, {"settings": [1]}]


def clean(answer: httpx.Response) -> bool:
    """Whether an answer to nonsense is a refusal without anything from inside."""
    inside = ("Traceback", "site-packages", 'File "', ".py", "Error:")
    return 400 <= answer.status_code < 500 and not any(sign in answer.text for sign in inside)


@pytest.mark.parametrize("chunked", [False, True])
def test_b4_no_route_takes_a_body_beyond_the_bound(any_server: Served, chunked: bool) -> None:
    """A body that is too large is refused, also one that does not say how large it is."""
    body: Any = iter([TOO_LARGE[:200_000], TOO_LARGE[200_000:]]) if chunked else TOO_LARGE
    with any_server.client(token(any_server)) as client:
        for route in any_server.over_http:
            if route.method in WITH_BODY:
                sent = {"Content-Type": "application/json"}
                body = iter([TOO_LARGE[:200_000], TOO_LARGE[200_000:]]) if chunked else TOO_LARGE
                answer = client.request(route.method, route.at(), content=body, headers=sent)
                assert (route.path, answer.status_code) == (route.path, 413)


def token(served: Served) -> str:
    return ADMIN_SECRET if served.log.parent.name == "public" else ""


def test_b4_malformed_and_wrong_bodies_get_a_clean_answer(any_server: Served) -> None:
    """What is no JSON, too deep, of the wrong type or has an essay for an id is refused plainly."""
    sent = {"Content-Type": "application/json"}
    with any_server.client(token(any_server)) as client:
        for route in any_server.over_http:
            if route.method not in {"POST", "PATCH", "PUT"}:
                continue
            for body in MALFORMED:
                answer = client.request(route.method, route.at(), content=body, headers=sent)
                assert clean(answer), (route, body[:40], answer.status_code, answer.text)
            for value in WRONG:
                answer = client.request(route.method, route.at(), json=value)
                assert answer.status_code < 500 or "went wrong here" in answer.text
                assert "Traceback" not in answer.text


def test_b4_a_body_that_is_not_json_is_refused(any_server: Served) -> None:
    """A form or plain text, as other sites can send without asking, is no request."""
    with any_server.client(token(any_server)) as client:
        for route in any_server.over_http:
            if route.method in {"POST", "PATCH", "PUT"}:
                answer = client.request(
                    route.method, route.at(), content=b"{}", headers={"Content-Type": "text/plain"}
                )
                assert (route.path, answer.status_code) == (route.path, 415)


def test_b4_ids_and_addresses_have_a_length(any_server: Served) -> None:
    """An id of more than 255 characters, or an address of more than 2,048, is refused."""
    with any_server.client(token(any_server)) as client:
        for route in any_server.over_http:
            if "{" in route.path:
                everywhere = dict.fromkeys(
                    ("user_id", "conversation_id", "config_id", "collection_name", "uuid"),
                    "x" * 300,
                )
                answer = client.request(route.method, route.at(**everywhere))
                assert answer.status_code in {414, 422}, (route, answer.status_code)
            long = client.request(route.method, route.at(), params={"x": "y" * 3_000})
            assert (route.path, long.status_code) == (route.path, 414)


def test_b4_ner_takes_no_more_than_a_question(any_server: Served) -> None:
    """Names are looked for in a text as long as a question may be; a longer one is refused."""
    with any_server.client(token(any_server)) as client:
        marked = client.post("/util/ner", json={"text": "What is the grid?"}).json()
        assert marked["noun_spans"] == [[12, 16]]
        assert client.post("/util/ner", json={"text": "grid " * 500}).status_code == 413
        assert client.post("/util/ner", json={"text": "x" * 200_000}).status_code == 422


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"\x00\x01", 1003),
        ("no JSON", 1007),
        ("[]", 1007),
        ("{}", 1007),
        ("17", 1007),
        ("NaN", 1007),
        ("[" * 5_000, 1007),
        (json.dumps({"user_id": "x1"}), 1007),
        (json.dumps(question_of("Q", query=["x"])), 1007),
        (json.dumps(question_of("Q", user_id="x" * 300)), 1007),
        (json.dumps(question_of("Q", collection_names=[1])), 1007),
        (json.dumps(question_of("Q", collection_names="ABC")), 1007),
        (json.dumps(question_of("Q", route={})), 1007),
        (json.dumps(question_of("x" * 1_100_000)), 1009),
    ],
)
def test_b4_a_message_that_makes_no_sense_closes_the_websocket(
    any_server: Served, message: str | bytes, code: int
) -> None:
    """The websocket is closed with a code that says why; the next one works."""
    sent = {"Authorization": f"Bearer {ADMIN_SECRET}"} if token(any_server) else {}
    with any_server.socket(additional_headers=sent) as socket:
        socket.send(message)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(PATIENCE_S)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code
    with any_server.socket(additional_headers=sent) as socket:
        assert "CIMXML" in answers(any_server.ask(socket, "What is CIMXML?"))["answer"]


def test_b4_messages_have_a_pace() -> None:
    """So many a minute pass, a tenth of them at once, and more as time goes by."""
    clock = FakeClock()
    pace = Pace(60, clock=clock)
    assert [pace.allows_one() for _ in range(7)] == [True] * 6 + [False]
    clock.now += 2
    assert [pace.allows_one() for _ in range(3)] == [True, True, False]


def test_b4_the_longest_idle_makes_room() -> None:
    """Of users and conversations so many are kept; who is busy stays."""
    kept = {name: {"last_request": index} for index, name in enumerate("abcd")}
    assert longest_idle(kept, 5, lambda _: False) == []
    assert longest_idle(kept, 4, lambda _: False) == ["a"]
    assert longest_idle(kept, 3, lambda name: name == "a") == ["b", "c"]


@pytest.mark.parametrize("depth", [DEEPEST, DEEPEST + 1])
def test_b4_json_has_a_depth(depth: int) -> None:
    """Nesting is bounded, far below where a parser would fall."""
    text = "[" * depth + "]" * depth
    if depth > DEEPEST:
        with pytest.raises(Refusal):
            read_json(text)
    else:
        read_json(text)
