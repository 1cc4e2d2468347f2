"""What the documentation lists of metrics and log lines is all that there is."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import pytest
from scripts.observability_catalogue import EVERY_LINE, EXAMPLES, FIELDS, lines, metrics

from elysia_guard.domain import events
from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.events import DecisionMade, Event
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.observability.logs import JsonLines, line_of

IR0003 = {
    "rag_abstention_total": "reason",
    "skosmos_lookup_total": "backend",
    "skosmos_hit_total": "backend",
    "skosmos_miss_total": "backend",
    "skosmos_timeout_total": "backend",
    "skosmos_error_total": "backend",
    "skosmos_cache_hit_total": "backend",
    "embedding_request_total": "collection",
    "embedding_fail_total": "collection",
    "embedding_fallback_total": "collection",
    "retrieval_request_total": "collection",
    "retrieval_latency_ms": "collection",
    "circuit_breaker_state": "service",
    "circuit_breaker_trip_total": "service",
}


def test_every_metric_of_ir0003_has_its_name_and_its_label() -> None:
    """And is there from the start, with the values that IR0003 shows."""
    rows = {row.name: row for row in metrics("ADR_Ollama")}
    assert {name: rows[name].label for name in IR0003} == IR0003
    assert rows["rag_abstention_total"].values == tuple(RefusalReason)
    assert rows["skosmos_cache_hit_total"].values == ("cache",)
    assert rows["retrieval_latency_ms"].kind == "histogram"
    assert rows["circuit_breaker_state"].kind == "gauge"
    assert "skosmos" in rows["skosmos_lookup_total"].values
    assert "embeddings" in rows["circuit_breaker_state"].values


def test_every_event_has_its_line_in_the_list() -> None:
    """All but the record of a decision, which has a log of its own."""
    kinds = {type(example) for example in EXAMPLES}
    assert kinds == {
        item
        for item in vars(events).values()
        if isinstance(item, type) and issubclass(item, Event) and item not in {Event, DecisionMade}
    }
    assert len({(row.component, row.event) for row in lines()}) == len(list(lines()))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("log_queries", ["full", "length"])
def test_every_field_of_a_line_is_explained(example: Event, log_queries) -> None:
    """And every line has those that IR0003 requires, and can be written as JSON."""
    with within(RequestContext(request_id="req-1", route="tree")):
        _, line = line_of(replace(example, request_id="req-1"), log_queries)
    assert set(EVERY_LINE) <= set(line) <= set(FIELDS)
    assert json.loads(json.dumps(line)) == line


def test_every_field_that_is_explained_is_written_somewhere() -> None:
    record = logging.LogRecord("rich", logging.ERROR, "f", 1, "m", (), None)
    record.exc_info = (ValueError, ValueError("no"), None)
    written = set()
    for log_queries in ("full", "length"):
        written |= set(json.loads(JsonLines(log_queries=log_queries).format(record)))
        for example in EXAMPLES:
            written |= set(line_of(example, log_queries)[1])
    assert written == set(FIELDS)
