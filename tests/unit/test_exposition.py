"""Metrics as Prometheus, a script and a person read them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter

from elysia_guard.domain.events import LookupEnded, RequestEnded, RequestStarted
from elysia_guard.observability.exposition import as_json, as_table, as_text, parse
from elysia_guard.observability.metrics import Metrics


@pytest.fixture
def metrics() -> Metrics:
    made = Metrics(collections=["ADR_Ollama"])
    made(RequestStarted(route="direct", query="What is CIM?"))
    made(LookupEnded(term="CIM", outcome="hit", elapsed_ms=9.0, backend="skosmos"))
    made(RequestEnded(route="direct", reason=None, fallback_flags=(), total_ms=12.0))
    return made


def test_prometheus_reads_what_was_counted(metrics: Metrics) -> None:
    """With name, label and help, and without the moments at which counters were made."""
    text = as_text(metrics.registry)
    lines = text.splitlines()
    assert 'skosmos_hit_total{backend="skosmos"} 1.0' in lines
    assert 'rag_request_latency_ms_bucket{le="25.0",route="direct"} 1.0' in lines
    assert "# TYPE circuit_breaker_state gauge" in lines
    assert "_created" not in text


def test_what_is_written_can_be_read_again(metrics: Metrics) -> None:
    """The dump of a server is that of its registry, in every form."""
    read = parse(as_text(metrics.registry))
    for write in (as_text, as_json, as_table):
        assert write(read) == write(metrics.registry)


@given(st.text(alphabet='{}="\\\n #abc1.e+_, TYPEcounter<', max_size=60) | st.text(max_size=40))
def test_what_is_no_metrics_is_said_to_be_none(text: str) -> None:
    """Whatever a wrong address answers: metrics, or a ValueError."""
    try:
        assert as_text(parse(text))
    except ValueError:
        return


def test_nothing_a_server_sent_acts_on_a_terminal() -> None:
    """Control characters in a label are not printed."""
    registry = CollectorRegistry()
    Counter("odd", "Odd", ["label"], registry=registry).labels("\x1b[2J\u202e").inc()
    assert as_table(registry).split() == ["odd_total{label=?[2J?}", "1"]


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_json_stays_json(value: float) -> None:
    """Infinity and NaN are no JSON."""
    text = parse(f"# TYPE odd gauge\nodd {value}\n")
    (metric,) = json.loads(as_json(text))["metrics"]
    assert metric["samples"][0]["value"] == str(value)
