"""How long a language model may take, and when it is left alone: the settings."""

from __future__ import annotations

import pytest

from elysia_guard.config import load
from elysia_guard.domain.errors import ConfigError


def test_c4_a_few_seconds_unless_somebody_says_otherwise() -> None:
    """A choice may take three seconds, and five failures in a row are enough."""
    made = load(environ={})
    assert made.llm.choice_deadline_seconds == 3
    assert made.llm.deadline_seconds == 20
    breaker = made.circuit_breaker.llm
    assert (breaker.failure_threshold, breaker.success_threshold) == (5, 2)
    assert breaker.timeout_seconds == 30


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("LLM__CHOICE_DEADLINE_SECONDS", "0"),
        ("LLM__CHOICE_DEADLINE_SECONDS", "61"),
        ("LLM__DEADLINE_SECONDS", "-1"),
        ("LLM__MAX_CONCURRENCY", "0"),
        ("LLM__RETRIES", "3"),
        ("CIRCUIT_BREAKER__LLM__TIMEOUT_SECONDS", "0"),
    ],
)
def test_c4_what_makes_no_sense_is_named(key: str, value: str) -> None:
    """A limit out of range and a key that there is not are errors that name it."""
    with pytest.raises(ConfigError, match=key.lower().replace("__", r"\.")):
        load(environ={f"ELYSIA_GUARD_{key}": value})
