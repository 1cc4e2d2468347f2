"""The published JSON schema of a response is what responses are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.unit.small_world import World

from elysia_guard.edge.response_schema import response_schema

DEGRADED = "encrypted connections with TLS"
"""Asked while there is no embedder."""
PUBLISHED = Path(__file__).parents[2] / "docs" / "response.schema.json"


@pytest.fixture
def published() -> Draft202012Validator:
    schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def told(asked: str) -> dict[str, Any]:
    world = World()
    world.embedder.down = asked == DEGRADED  # type: ignore[attr-defined]
    back: dict[str, Any] = json.loads(json.dumps(world.ask(asked).to_dict()))
    return back


def test_what_is_published_is_what_the_program_says() -> None:
    """`python scripts/response_schema.py` writes it anew."""
    same = json.loads(PUBLISHED.read_text(encoding="utf-8")) == response_schema()
    assert same, "docs/response.schema.json is behind; run: python scripts/response_schema.py"


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [
        ("What does ADR-12 decide?", "asserted"),
        ("What does ADR-12 say about other models?", "hedged"),
        ("What does ADR-0050 decide?", "refused"),
        ("What is an asset?", "clarified"),
        ("Hello", "conversed"),
        (DEGRADED, "hedged"),
        ("What does ADR-12 decide, and what is a transformer?", "asserted"),
    ],
)
def test_every_outcome_fits_the_schema(
    published: Draft202012Validator, asked: str, outcome: str
) -> None:
    """With every field there, so that a program need not ask which are."""
    reply = told(asked)
    assert reply["outcome"] == outcome
    assert reply["fallback_mode"] is (asked == DEGRADED)
    published.validate(reply)
    assert set(reply) == set(published.schema["required"])


@pytest.mark.parametrize(
    "change",
    [
        {"refused": "no"},
        {"refusal_reason": "because"},
        {"outcome": "sure"},
        {"sources": [{"n": 1}]},
        {"validation": {"confidence": "high"}},
    ],
)
def test_what_is_no_response_does_not_fit(
    published: Draft202012Validator, change: dict[str, Any]
) -> None:
    """A schema that everything fits says nothing."""
    assert not published.is_valid(told("What does ADR-12 decide?") | change)
    left = told("What does ADR-12 decide?")
    del left[next(iter(change))]
    assert not published.is_valid(left)
