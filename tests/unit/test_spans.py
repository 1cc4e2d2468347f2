"""OpenTelemetry: a span a request, below it its stages, below these what they asked."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.unit.model_server import Fault, LoopbackModels
from tests.unit.served_world import QUESTION, ServedWorld, write_world

from elysia_guard import config
from elysia_guard.direct import Guard
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.events import LookupEnded, RequestEnded, RequestStarted, StageEnded
from elysia_guard.observability import spans as spanning
from elysia_guard.observability.spans import Spans, spans
from elysia_guard.wiring import Wiring


class Collected:
    """A provider that keeps its spans."""

    def __init__(self) -> None:
        self._kept = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self._kept))

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self._kept.get_finished_spans())

    def below(self, parent: ReadableSpan | None) -> list[ReadableSpan]:
        own = parent.context.span_id if parent else None
        found = [item for item in self.spans if (item.parent.span_id if item.parent else 0) == own]
        return sorted(found, key=lambda item: item.start_time)

    def root(self) -> ReadableSpan:
        (found,) = [item for item in self.spans if item.name == "elysia_guard.request"]
        return found


@pytest.fixture
def collected() -> Iterator[Collected]:
    made = Collected()
    yield made
    made.provider.shutdown()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ServedWorld]:
    with LoopbackModels() as models:
        made = ServedWorld(tmp_path, models)
        yield made
        made.wiring.close()


def tell(observe: Spans, request_id: str = "req-1") -> None:
    observe(RequestStarted(request_id=request_id, route="direct", query="What is CIM?"))
    looked_up = LookupEnded(
        request_id=request_id, term="CIM", outcome="hit", elapsed_ms=2, backend="skosmos"
    )
    observe(looked_up)
    observe(StageEnded(request_id=request_id, stage="terminology", elapsed_ms=3, note="CIM"))


def ended(request_id: str = "req-1") -> RequestEnded:
    return RequestEnded(
        request_id=request_id, route="direct", reason=None, fallback_flags=(), total_ms=5
    )


def test_a_request_becomes_a_tree_of_spans(collected: Collected) -> None:
    """With the times that its events tell."""
    now = iter(range(1_000_000_000, 9_000_000_000, 10_000_000))
    observe = Spans(collected.provider, clock=lambda: next(now))
    tell(observe)
    observe(ended())
    root = collected.root()
    (stage,) = collected.below(root)
    (lookup,) = collected.below(stage)
    assert (stage.name, lookup.name) == ("elysia_guard.terminology", "elysia_guard.lookup")
    assert (root.start_time, root.end_time) == (1_000_000_000, 1_030_000_000)
    assert (stage.start_time, stage.end_time) == (1_017_000_000, 1_020_000_000)
    assert dict(lookup.attributes) == {"backend": "skosmos", "outcome": "hit", "cached": False}
    assert dict(root.attributes) == {
        "elysia_guard.request_id": "req-1",
        "elysia_guard.route": "direct",
        "elysia_guard.fallback_flags": (),
    }


async def test_a_real_question_without_its_text(world: ServedWorld, collected: Collected) -> None:
    """Every stage, the embedding and the search in it, the fallback; nothing of what was asked."""
    world.wiring.observers.append(Spans(collected.provider))
    world.models.fault = Fault.ERROR
    await Guard(wiring=world.wiring).aask(QUESTION, request_id="req-7")
    root = collected.root()
    assert root.attributes["elysia_guard.fallback_flags"] == ("bm25_only",)
    stages = collected.below(root)
    names = [item.name.removeprefix("elysia_guard.") for item in stages]
    assert names == ["router", "retrieval", "gates", "answer", "verification"]
    asked = collected.below(stages[1])
    assert [item.name for item in asked] == ["elysia_guard.embedding", "elysia_guard.search"]
    assert asked[0].attributes["outcome"] == "error"
    assert asked[1].attributes["bm25_only"] is True
    everything = " ".join(item.to_json() for item in collected.spans)
    assert "encrypted" not in everything
    assert "connections" not in everything


def test_requests_that_never_end_are_forgotten(
    collected: Collected, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest first; what ends without a beginning makes no span."""
    monkeypatch.setattr(spanning, "_AT_MOST", 2)
    observe = Spans(collected.provider)
    for name in ("req-1", "req-2", "req-3"):
        tell(observe, name)
    for name in ("req-1", "req-2", "req-3", "req-4"):
        observe(ended(name))
    ids = [item.attributes.get("elysia_guard.request_id") for item in collected.spans]
    assert [name for name in ids if name] == ["req-2", "req-3"]


def switched_on(tmp_path: Path, models: LoopbackModels) -> config.Config:
    file = write_world(tmp_path, models)
    return config.load(file, environ={"ELYSIA_GUARD_OBSERVABILITY__OTEL": "true"})


def test_the_provider_of_the_program_around_is_used(
    tmp_path: Path, collected: Collected, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``observability.otel: true``, where OpenTelemetry is set up; and it is left running."""
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: collected.provider)
    with LoopbackModels() as models:
        wiring = Wiring(switched_on(tmp_path, models))
        wiring.ensure_index()
        Guard(wiring=wiring).ask(QUESTION)
        wiring.close()
    assert collected.root().attributes["elysia_guard.route"] == "tree"
    with collected.provider.get_tracer("host").start_as_current_span("afterwards"):
        pass
    assert "afterwards" in [item.name for item in collected.spans]


def test_without_the_extra_it_is_said_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is switched on, and not at the first question."""
    real = builtins.__import__

    def absent(name: str, *rest, **named):
        if name.startswith("opentelemetry"):
            raise ImportError("no", name="opentelemetry")
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ConfigError, match=r"observability.otel: .* 'elysia-guard\[otel\]'"):
        spans()


def test_a_request_begins_when_it_came_in(collected: Collected) -> None:
    """It is told of once it has been read; the reading is a part of it."""
    now = iter(range(1_000_000_000, 9_000_000_000, 10_000_000))
    observe = Spans(collected.provider, clock=lambda: next(now))
    observe(RequestStarted(request_id="req-1", route="direct", query="q", elapsed_ms=4.0))
    observe(StageEnded(request_id="req-1", stage="router", elapsed_ms=14.0))
    observe(ended())
    root = collected.root()
    (stage,) = collected.below(root)
    assert stage.start_time == root.start_time == 996_000_000
