"""What is measured and logged, as the documentation lists it: taken from what the code does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from elysia_guard.domain.events import (
    AnswerKept,
    BreakerChanged,
    CallOutcome,
    ContextsRejected,
    EmbeddingEnded,
    Event,
    LookupEnded,
    ModelCallEnded,
    RecallEnded,
    RecallOutcome,
    RequestAnswered,
    RequestEnded,
    RequestStarted,
    SearchEnded,
    SourceFailed,
    StageEnded,
    TokensUsed,
)
from elysia_guard.observability.exposition import gather
from elysia_guard.observability.logs import line_of
from elysia_guard.observability.metrics import STAGES, Metrics

EVERY_LINE = ("request_id", "timestamp", "level", "route", "fallback_flags", "component", "event")

FIELDS = {
    "request_id": "names the question; the same on every line that it causes",
    "timestamp": "UTC, ISO 8601 with milliseconds",
    "level": "`DEBUG`, `INFO`, `WARN` or `ERROR`",
    "route": "`tree` where several collections may answer, `direct` where one may or none is asked;"
    " null where none is under way",
    "fallback_flags": "the fallbacks in force so far, such as `bm25_only`",
    "component": "who speaks: `router`, `skosmos`, `index`, `embeddings`, `llm`, a stage, a source",
    "event": "what happened",
    "query": "the question, with `log_queries: full`",
    "query_length": "its length, with `log_queries: length`",
    "refusal_reason": "why there was no answer; null where there was one",
    "total_ms": "from the question to its response, in milliseconds",
    "term": "what was looked up, with `log_queries: full`",
    "term_length": "its length, with `log_queries: length`",
    "hit": "whether the vocabulary has the term",
    "cached": "whether the vocabulary was spared the look-up",
    "latency_ms": "how long it took, in milliseconds",
    "method": "how an HTTP request was made",
    "path": "its route, with names in braces for what it names; `unknown` where there is none",
    "status": "what it was answered: a failure of the server is WARN; probes and metrics that are "
    "well are DEBUG",
    "service": "whose circuit breaker it is",
    "outcome": "`done`, `timeout`, `error` or `circuit_open`",
    "purpose": "what a model was asked for: to `plan` a search, to `point` at units that answer, "
    "or by a wrapped `tool`",
    "prompt_tokens": "the tokens of a prompt, as the model's server tells",
    "completion_tokens": "the tokens that were written to it",
    "mode": "how an answer is to be made, or was: `instant`, `auto` or `thinking`",
    "search": "`hybrid`, or `bm25_only` where there was no vector",
    "collections": "what was searched",
    "gate": "the gate that turned away what was found",
    "score": "what the best of that came to",
    "limit": "and what it had to come to",
    "note": "what the stage says of itself, with `log_queries: full`",
    "logger": "which part of the program wrote a line of its own (event `log`, in the web app)",
    "message": "what it wrote; of a library, with `log_queries: full` only",
    "message_length": "its length, with `log_queries: length`",
    "error": "the kind of exception",
    "trace": "where it came from; with `log_queries: length` without what it says",
}
"""What each field of a log line says."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MetricRow:
    """A metric: its name, kind, label with the values it shows from the start, and meaning."""

    name: str
    kind: str
    label: str
    values: tuple[str, ...]
    text: str


def metrics(*collections: str) -> Iterator[MetricRow]:
    """List every metric."""
    for family in gather(Metrics(collections=collections).registry):
        labels = [{**sample.labels} for sample in family.samples]
        (label,) = {name for item in labels for name in item if name != "le"}
        yield MetricRow(
            name=f"{family.name}_total" if family.type == "counter" else family.name,
            kind=family.type,
            label=label,
            values=tuple(dict.fromkeys(item[label] for item in labels)),
            text=family.documentation,
        )


EXAMPLES: tuple[Event, ...] = (
    RequestStarted(route="tree", query="What is CIMXML?"),
    *(StageEnded(stage=stage, elapsed_ms=1.0, note="") for stage in STAGES),
    LookupEnded(term="CIMXML", outcome="hit", elapsed_ms=45.0, backend="skosmos"),
    LookupEnded(term="CIMXML", outcome="timeout", elapsed_ms=300.0, backend="skosmos"),
    LookupEnded(term="CIMXML", outcome="error", elapsed_ms=9.0, backend="skosmos"),
    EmbeddingEnded(collections=("ADR_Ollama",), outcome="done", elapsed_ms=30.0),
    SearchEnded(collections=("ADR_Ollama",), by_words_alone=False, elapsed_ms=4.0),
    *(
        ModelCallEnded(purpose="plan", outcome=outcome, elapsed_ms=3_000.0)
        for outcome in get_args(CallOutcome)
    ),
    ContextsRejected(gate="distance", score=0.74, limit=0.6, reason="not_relevant"),
    TokensUsed(purpose="point", prompt=2_100, written=240),
    *(
        RecallEnded(mode="auto", outcome=outcome, elapsed_ms=1.0)
        for outcome in get_args(RecallOutcome)
    ),
    AnswerKept(mode="auto"),
    SourceFailed(source="embeddings", timeout=True),
    SourceFailed(source="embeddings", timeout=False),
    SourceFailed(source="embeddings", timeout=False, circuit_open=True),
    BreakerChanged(service="embeddings", state="open"),
    BreakerChanged(service="embeddings", state="half_open"),
    BreakerChanged(service="embeddings", state="closed"),
    RequestEnded(route="tree", reason=None, fallback_flags=(), total_ms=120.0),
    RequestAnswered(method="POST", path="/guard/ask", status=200, elapsed_ms=120.0),
)
"""An event of each form that a line can have."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LineRow:
    """A log line: who says what, how severe it is, and the fields that not every line has."""

    component: str
    event: str
    level: str
    fields: tuple[str, ...]


def lines() -> Iterator[LineRow]:
    """List every form of a log line, each once, as ``log_queries: full`` writes it."""
    seen: set[LineRow] = set()
    for event in EXAMPLES:
        _, line = line_of(event)
        row = LineRow(
            component=str(line["component"]),
            event=str(line["event"]),
            level=str(line["level"]),
            fields=tuple(name for name in line if name not in EVERY_LINE),
        )
        if row not in seen:
            yield row
        seen.add(row)
