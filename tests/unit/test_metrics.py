"""The counters: each moves when its event comes, and no other does."""

from __future__ import annotations

import json
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram
from tests.unit.small_world import COLLECTIONS

from elysia_guard.domain.events import (
    AnswerKept,
    BreakerChanged,
    CallOutcome,
    EmbeddingEnded,
    Event,
    LookupEnded,
    ModelCallEnded,
    RecallEnded,
    RequestEnded,
    RequestStarted,
    SearchEnded,
    StageEnded,
)
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.observability import metrics as labels
from elysia_guard.observability.exposition import as_json, as_table, as_text, gather, parse
from elysia_guard.observability.metrics import BUCKETS_MS, Durations, Metrics

BEYOND_IR0003 = {
    "rag_request",
    "rag_fallback",
    "rag_request_latency_ms",
    "rag_stage_latency_ms",
}


def moved(*events: Event) -> dict[str, float]:
    """Count events, and return what is no longer zero."""
    metrics = Metrics()
    for event in events:
        metrics(event)
    return {
        f"{sample.name}{sample.labels}": sample.value
        for family in metrics.registry.collect()
        for sample in family.samples
        if sample.value
        and not sample.name.endswith("_created")
        and family.name not in BEYOND_IR0003
    }


@pytest.mark.parametrize(
    ("outcome", "counted"),
    [
        ("done", {"request"}),
        ("timeout", {"request", "timeout"}),
        ("error", {"request", "error"}),
        ("unavailable", {"request", "unavailable"}),
        ("circuit_open", set()),
    ],
)
def test_c4_a_call_of_a_language_model_is_counted_as_it_ended(
    outcome: CallOutcome, counted: set[str]
) -> None:
    """Each call of a language model is counted, and beside it how it failed, if it was made."""
    event = ModelCallEnded(purpose="plan", outcome=outcome, elapsed_ms=9.0)
    labels_of = {"purpose": "plan"}
    assert moved(event) == {f"llm_{name}_total{labels_of}": 1.0 for name in counted}


def ended(reason: RefusalReason | None) -> RequestEnded:
    return RequestEnded(route="tree", reason=reason, fallback_flags=(), total_ms=1.0)


@pytest.mark.parametrize("reason", RefusalReason)
def test_a_refusal_counts_under_its_reason(reason: RefusalReason) -> None:
    """Every reason of the enum, and no other label."""
    assert moved(ended(reason)) == {f"rag_abstention_total{{'reason': '{reason}'}}": 1}


def test_a_breaker_shows_its_state_and_counts_its_trips() -> None:
    """IR0003: 0 closed, 1 half-open, 2 open."""
    states = [BreakerChanged(service="embeddings", state=state) for state in ("open", "half_open")]
    label = "{'service': 'embeddings'}"
    assert moved(*states[:1]) == {
        f"circuit_breaker_state{label}": 2,
        f"circuit_breaker_trip_total{label}": 1,
    }
    assert moved(*states)[f"circuit_breaker_state{label}"] == 1


def test_a_request_is_counted_and_timed_by_route_and_stage() -> None:
    """Beyond IR0003: what rates and latencies of requests are made from."""
    metrics = Metrics()
    metrics(RequestStarted(route="tree", query="What is CIM?"))
    metrics(StageEnded(stage="gates", elapsed_ms=3.0))
    flags = ("bm25_only", "circuit_open")
    metrics(RequestEnded(route="tree", reason=None, fallback_flags=flags, total_ms=30.0))
    value = metrics.registry.get_sample_value
    assert value("rag_request_total", {"route": "tree"}) == 1
    assert value("rag_request_latency_ms_sum", {"route": "tree"}) == 30
    assert value("rag_stage_latency_ms_bucket", {"stage": "gates", "le": "5.0"}) == 1
    assert value("rag_stage_latency_ms_bucket", {"stage": "gates", "le": "2.0"}) == 0
    for flag in flags:
        assert value("rag_fallback_total", {"flag": flag}) == 1


def test_threads_that_count_at_once_lose_nothing() -> None:
    metrics = Metrics(at_once=7)
    ended = RequestEnded(route="tree", reason="no_results", fallback_flags=(), total_ms=2.0)

    def work() -> None:
        for _ in range(500):
            metrics(ended)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        metrics.settle()
        thread.join()
    value = metrics.registry.get_sample_value
    assert value("rag_abstention_total", {"reason": "no_results"}) == 2_000
    assert value("rag_request_latency_ms_sum", {"route": "tree"}) == 4_000


@given(st.lists(st.floats(min_value=0, max_value=10_000) | st.sampled_from(BUCKETS_MS)))
def test_times_that_are_told_in_bulk_are_those_told_one_by_one(times: list[float]) -> None:
    """Sum, count and every bucket, also of a time that is a bucket's bound."""
    registry, other = CollectorRegistry(), CollectorRegistry()
    bulk = Durations("took_ms", "How long", "stage", registry, ["gates"])
    single = Histogram("took_ms", "How long", ["stage"], buckets=BUCKETS_MS, registry=other)
    single.labels("gates")
    for elapsed_ms in times:
        bulk.add("gates", elapsed_ms)
        single.labels("gates").observe(elapsed_ms)
    bulk.settle()
    samples = [
        {(item.name, *item.labels.values()): item.value for item in gather(each)[0].samples}
        for each in (registry, other)
    ]
    assert samples[0] == pytest.approx(samples[1])


ALLOWED = {
    *labels.ROUTES,
    *labels.REASONS,
    *labels.STAGES,
    *labels.SERVICES,
    *labels.BACKENDS,
    *labels.FLAGS,
    *labels.PURPOSES,
    *labels.MODES,
    *COLLECTIONS.values(),
    "cache",
    labels.OTHER,
}
TEXT = st.text(max_size=30)
NAMES = st.lists(TEXT, max_size=3).map(tuple)
ANY_EVENT = st.one_of(
    st.builds(RequestStarted, route=TEXT, query=TEXT),
    st.builds(StageEnded, stage=TEXT, elapsed_ms=st.just(1.0), note=TEXT),
    st.builds(
        LookupEnded,
        term=TEXT,
        outcome=st.sampled_from(["hit", "miss", "timeout", "error"]),
        elapsed_ms=st.just(1.0),
        backend=TEXT,
        cached=st.booleans(),
    ),
    st.builds(
        EmbeddingEnded,
        collections=NAMES,
        outcome=st.sampled_from(["done", "timeout", "error", "circuit_open"]),
        elapsed_ms=st.just(1.0),
    ),
    st.builds(
        SearchEnded, collections=NAMES, by_words_alone=st.booleans(), elapsed_ms=st.just(1.0)
    ),
    st.builds(
        ModelCallEnded,
        purpose=TEXT,
        outcome=st.sampled_from(["done", "timeout", "error", "unavailable", "circuit_open"]),
        elapsed_ms=st.just(1.0),
    ),
    st.builds(
        RecallEnded,
        mode=TEXT,
        outcome=st.sampled_from(["hit", "shared", "stale", "miss"]),
        elapsed_ms=st.just(1.0),
    ),
    st.builds(AnswerKept, mode=TEXT),
    st.builds(BreakerChanged, service=TEXT, state=st.sampled_from(["closed", "half_open", "open"])),
    st.builds(RequestEnded, route=TEXT, reason=TEXT, fallback_flags=NAMES, total_ms=st.just(1.0)),
)


def label_values(metrics: Metrics) -> set[str]:
    """Every value of every label, of every metric that there is; but the bounds of buckets."""
    return {
        value
        for family in metrics.registry.collect()
        for sample in family.samples
        for label, value in sample.labels.items()
        if label != "le"
    }


@settings(max_examples=200)
@given(st.lists(ANY_EVENT, max_size=5))
def test_no_label_is_taken_from_what_an_event_says(events: list[Event]) -> None:
    """Whatever stands in any field: the values of labels are known before."""
    metrics = Metrics(collections=COLLECTIONS.values())
    for event in events:
        metrics(event)
    assert label_values(metrics) <= ALLOWED


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
