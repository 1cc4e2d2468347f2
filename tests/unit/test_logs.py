"""Logs: one JSON line an event, with IR0003's fields."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts.observability_catalogue import EVERY_LINE

from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.events import (
    BreakerChanged,
    Event,
    LookupEnded,
    RequestEnded,
    RequestStarted,
    SourceFailed,
    StageEnded,
)
from elysia_guard.observability.logs import JsonLines, line_of, log_events, redactor

STARTED = RequestStarted(request_id="req-1", route="tree", query="What is CIMXML?")
STAGE = StageEnded(request_id="req-1", stage="terminology", elapsed_ms=45.12345, note="1 concept")
FAILED = SourceFailed(request_id="req-1", source="index", timeout=True)
LOOKED_UP = LookupEnded(
    request_id="req-1", term="CIMXML", outcome="hit", elapsed_ms=45.2, backend="skosmos"
)
ENDED = RequestEnded(
    request_id="req-1",
    route="tree",
    reason="terminology_timeout",
    fallback_flags=("bm25_only", "circuit_open"),
    total_ms=320.46,
)

Logged = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Logged:
    def lines(*events: Event, **settings: Any) -> list[dict[str, Any]]:
        observe = log_events(**settings)
        for event in events:
            observe(event)
        captured = capsys.readouterr()
        assert captured.out == "", "data belongs on standard output, logs do not"
        return [json.loads(line) for line in captured.err.splitlines()]

    return lines


def test_every_line_has_the_required_fields(logged: Logged) -> None:
    """IR0003: request_id, timestamp with milliseconds, level, component, event."""
    lines = logged(STARTED, STAGE, FAILED, ENDED, level="DEBUG")
    assert len(lines) == 4
    for line in lines:
        assert line["request_id"] == "req-1"
        moment = datetime.fromisoformat(line["timestamp"])
        assert line["timestamp"].endswith("Z")
        assert len(line["timestamp"]) == len("2026-02-09T10:30:00.000Z")
        assert moment.utcoffset() is not None
        assert line["component"]
        assert line["event"]
    assert [line["level"] for line in lines] == ["INFO", "DEBUG", "WARN", "INFO"]


def test_a_request_starts_with_its_question_and_ends_with_its_flags(logged: Logged) -> None:
    """As in IR0003's example."""
    start, end = logged(STARTED, ENDED, level="INFO")
    assert (start["component"], start["event"]) == ("router", "request_start")
    assert (start["route"], start["query"]) == ("tree", "What is CIMXML?")
    assert (end["component"], end["event"]) == ("router", "request_complete")
    assert end["fallback_flags"] == ["bm25_only", "circuit_open"]
    assert end["total_ms"] == 320.5
    assert end["refusal_reason"] == "terminology_timeout"


def test_a_lookup_is_told_as_in_the_example(logged: Logged) -> None:
    """Component skosmos, event lookup_complete, with term, hit, cached and latency."""
    (line,) = logged(LOOKED_UP, level="INFO")
    del line["timestamp"]
    assert line == {
        "request_id": "req-1",
        "level": "INFO",
        "route": None,
        "fallback_flags": [],
        "component": "skosmos",
        "event": "lookup_complete",
        "term": "CIMXML",
        "hit": True,
        "cached": False,
        "latency_ms": 45,
    }


def test_terms_are_kept_out_like_questions(logged: Logged) -> None:
    """Only their length is told."""
    (line,) = logged(LOOKED_UP, level="INFO", log_queries="length")
    assert (line["term_length"], "term" in line) == (6, False)


def test_a_circuit_breaker_tells_its_states(logged: Logged) -> None:
    """IR0003's example: event circuit_open, with the service."""
    opened = BreakerChanged(service="embeddings", state="open")
    turned_away = SourceFailed(source="embeddings", timeout=False, circuit_open=True)
    for line in logged(opened, turned_away):
        assert (line["level"], line["event"]) == ("WARN", "circuit_open")
        assert (line["component"], line["service"]) == ("embeddings", "embeddings")
    (line,) = logged(BreakerChanged(service="embeddings", state="closed"), level="INFO")
    assert (line["level"], line["event"]) == ("INFO", "circuit_closed")


def test_the_text_of_questions_can_be_kept_out(logged: Logged) -> None:
    """Its length remains; notes, which may quote it, go too."""
    lines = logged(STARTED, STAGE, level="DEBUG", log_queries="length")
    assert lines[0]["query_length"] == len("What is CIMXML?")
    assert "CIMXML" not in json.dumps(lines)
    assert "1 concept" not in json.dumps(lines)


@pytest.mark.parametrize(
    ("level", "events"),
    [
        ("ERROR", []),
        ("WARNING", ["timeout"]),
        ("INFO", ["request_start", "timeout", "request_complete"]),
    ],
)
def test_below_the_level_nothing_is_written(logged: Logged, level: str, events: list[str]) -> None:
    """The operator chooses."""
    lines = logged(STARTED, STAGE, FAILED, ENDED, level=level)
    assert [line["event"] for line in lines] == events


def test_c7_a_cause_does_not_tell_the_term_where_questions_stay_out_of_the_log() -> None:
    """``log_queries: length`` holds for what goes wrong, too."""
    cause = "Skosmos answers, but does not find 'dismissal'"
    ended = LookupEnded(
        term="dismissal", outcome="error", elapsed_ms=9.0, backend="skosmos", cause=cause
    )
    assert "dismissal" not in json.dumps(line_of(ended, "length")[1])
    assert line_of(ended, "full")[1]["cause"] == cause


KEY = "kept-in-a-vault-42"
STARTS = ("sk-", "SK_", "pk_", "rk-", "ghp_", "gho_", "GHO-", "xoxa-", "xoxb-", "xoxp_")


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("GET https://me:hunter22@vocab.example/rest", "hunter22"),
        ("redis://:p4ssw0rd@cache.example:6379", "p4ssw0rd"),
        ("https://api.example/v1?api_key=abcdef123456&q=CIM", "abcdef123456"),
        ("https://api.example/v1?token=abcdef123456", "abcdef123456"),
        ("Authorization: Bearer abcdef.123456-x", "abcdef.123456"),
        ("the key sk-proj-0123456789abcdef is wrong", "0123456789abcdef"),
        *((f"{start}0123456789abcdef", "0123456789abcdef") for start in STARTS),
        ("https://api.example/v1;SIGNATURE=abcdef123456", "abcdef123456"),
        ("authorization: BASIC abcdef123456", "abcdef123456"),
        (f"the server repeats {KEY}", KEY),
    ],
)
def test_secrets_are_taken_out(text: str, secret: str) -> None:
    """Those that are known, and what has the shape of one."""
    shown = redactor([KEY])(text)
    assert secret not in shown
    assert "***" in shown


@pytest.mark.parametrize(
    "text",
    [
        "What is a basic token?",
        "https://vocab.vennet.example/grid/c002",
        "Who signs off ADR-0012 and what does sk stand for?",
        "me@example.org asks: what does password: mean?",
    ],
)
def test_plain_words_stay(text: str) -> None:
    """A log that hides too much is of no use."""
    assert redactor([KEY, "", "is"])(text) == text


@given(st.text(max_size=60))
def test_a_redacted_line_is_still_json(text: str) -> None:
    """Whatever somebody types, nothing of the line's own form is taken away."""
    line = json.dumps({"query": text, "request_id": "req-1"})
    assert json.loads(redactor([KEY])(line))["request_id"] == "req-1"


def test_a_secret_in_a_question_is_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody pastes an address with its password, or the key that we know."""
    observe = log_events(level="INFO", secrets=[KEY])
    observe(RequestStarted(route="tree", query=f"What is http://a:hunter22@b.example/ and {KEY}?"))
    written = capsys.readouterr().err
    assert json.loads(written)["query"] == "What is http://***@b.example/ and ***?"


def test_who_closes_standard_error_is_answered_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    """A log that cannot be written is no reason to fail."""
    closed = (tmp_path / "log").open("w", encoding="utf-8")
    monkeypatch.setattr("sys.stderr", closed)
    observe = log_events(level="DEBUG")
    closed.close()
    observe(StageEnded(stage="gates", elapsed_ms=1.0))


def record(logger: str, message: str, *args: object, error: Exception | None = None):
    caught = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(logger, logging.WARNING, "file.py", 7, message, args, caught)


def failing(text: str) -> None:
    raise RuntimeError(text)


def raised(text: str) -> Exception:
    with pytest.raises(RuntimeError) as caught:
        failing(text)
    return caught.value


def test_other_log_records_become_lines_of_the_same_form() -> None:
    """With every required field, and the request that they belong to."""
    context = RequestContext(request_id="req-7", route="tree", fallback_flags=["bm25_only"])
    with within(context):
        text = JsonLines().format(record("elysia_guard.edge.elysia.webapp.managers", "No %s", "x"))
    line = json.loads(text)
    assert set(EVERY_LINE) <= set(line)
    assert (line["request_id"], line["route"]) == ("req-7", "tree")
    assert (line["level"], line["component"], line["event"]) == ("WARN", "webapp", "log")
    assert line["message"] == "No x"


def test_an_exception_says_where_it_came_from() -> None:
    """In full, with its secrets taken out."""
    error = raised("no http://a:hunter22@b.example")
    line = json.loads(JsonLines().format(record("rich", "failed", error=error)))
    assert line["error"] == "RuntimeError"
    assert "no http://***@b.example" in line["trace"]


def test_what_may_quote_a_question_is_left_out() -> None:
    """A library's message, and what an exception says; not ours, which hold ids only."""
    lines = JsonLines(log_queries="length")
    error = raised("What is CIMXML?")
    theirs = json.loads(lines.format(record("rich", "What is CIMXML?", error=error)))
    assert "CIMXML" not in json.dumps(theirs)
    assert theirs["message_length"] == len("What is CIMXML?")
    assert "in failing" in theirs["trace"][-1]
    ours = json.loads(lines.format(record("elysia_guard.edge.elysia.tools", "Question 7 failed")))
    assert ours["message"] == "Question 7 failed"
