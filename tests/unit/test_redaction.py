"""No secret in a log line, whoever writes it."""

from __future__ import annotations

import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts.observability_catalogue import EVERY_LINE

from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.events import RequestStarted, StageEnded
from elysia_guard.observability.logs import JsonLines, log_events, redactor

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
