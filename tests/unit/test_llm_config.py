"""How long a language model may take, and when it is left alone: the settings."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import cases

from elysia_guard.config import load
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.events import BreakerChanged
from elysia_guard.wiring import Wiring


def test_c4_a_few_seconds_unless_somebody_says_otherwise() -> None:
    """A choice may take three seconds, and five failures in a row are enough."""
    made = load(environ={})
    assert made.llm.choice_deadline_seconds == 3
    assert made.llm.deadline_seconds == 20
    breaker = made.circuit_breaker.llm
    assert (breaker.failure_threshold, breaker.success_threshold) == (5, 2)
    assert breaker.timeout_seconds == 30


def test_c4_variables_say_otherwise() -> None:
    """Deadlines and breaker can be set by variables, of which Elysia takes none away."""
    environ = {
        "ELYSIA_GUARD_LLM__CHOICE_DEADLINE_SECONDS": "8.5",
        "ELYSIA_GUARD_CIRCUIT_BREAKER__LLM__FAILURE_THRESHOLD": "2",
    }
    made = load(environ=environ)
    assert made.llm.choice_deadline_seconds == 8.5
    assert made.circuit_breaker.llm.failure_threshold == 2
    swapped = ("_API_KEY", "_TOKEN", "_API_BASE", "_API_VERSION")
    assert not [name for name in environ if name.endswith(swapped)]


@pytest.mark.parametrize("row", cases("wrong_settings"))
def test_c4_what_makes_no_sense_is_named(row: dict[str, Any]) -> None:
    """Of models and of the index: limits out of range, unknown keys, sections that are missing."""
    with pytest.raises(ConfigError) as caught:
        load(environ={f"ELYSIA_GUARD_{key}": value for key, value in row["environ"].items()})
    assert row["says"] in str(caught.value)


def test_c4_all_conversations_share_a_breaker() -> None:
    """Whoever asks a model over one wiring asks it by one breaker, which is shown as `llm`."""
    seen: list[object] = []
    wiring = Wiring(load(environ={}), observe=seen.append)
    assert wiring.models is wiring.models
    one = wiring.models.of("openai/x")
    assert one is wiring.models.of("openai/x")
    one._guarded._breaker._open()
    assert seen == [BreakerChanged(service="llm", state="open")]
    wiring.close()
