"""Gap F of IR0003 on both routes: OBS-01 to OBS-06, over real servers on loopback."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from elysia.tools.text.text import FakeTextResponse
from prometheus_client.parser import text_string_to_metric_families
from scripts.observability_catalogue import EVERY_LINE, FIELDS
from starlette.requests import Request
from tests.golden.skosmos.server import Fault as SkosmosFault
from tests.golden.skosmos.server import SkosmosServer
from tests.host.scripted import ScriptedLM
from tests.host.test_webapp import running
from tests.unit.model_server import Fault as ModelFault
from tests.unit.model_server import LoopbackModels
from tests.unit.served_world import QUESTION, write_world

from elysia_guard import config
from elysia_guard.config import Config, ObservabilitySection, SkosmosSection, TerminologySection
from elysia_guard.direct import Guard
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.elysia import GuardedTree, TreeAsker, guard
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.edge.elysia.webapp import routes, server
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

ROUTES = pytest.mark.parametrize("route", ["direct", "tree"])
TERM, UNKNOWN = "What is CIMXML?", "What is FooBarBaz?"
BARE_TERM = "encrypted connections"
"""Looked up first, and then searched for."""


class Operator:
    """The guard over a Skosmos and a model server, with its logs and metrics in sight."""

    def __init__(self, root: Path, models: LoopbackModels, skosmos: SkosmosServer) -> None:
        self.models, self.skosmos, self.clock = models, skosmos, FakeClock()
        skosmos.on_late = models.on_late = lambda: self.clock.advance(2.0)
        vocabulary = SkosmosSection(
            url=skosmos.url, vocabularies={"iec": "", "legal": ""}, known_term="CIMXML"
        )
        made = config.load(write_world(root, models), environ={})
        self._config = made.model_copy(
            update={
                "terminology": TerminologySection(
                    kind="skosmos", name="Skosmos", skosmos=vocabulary
                ),
                "log_level": "DEBUG",
            }
        )
        self._written = io.StringIO()
        self.wiring = self._wiring(self._config)

    def _wiring(self, settings: Config) -> Wiring:
        before, sys.stderr = sys.stderr, self._written
        try:
            wiring = Wiring(settings, clock=self.clock)
        finally:
            sys.stderr = before
        wiring.ensure_index()
        return wiring

    def set(self, **settings: Any) -> None:
        self.wiring.close()
        self.wiring = self._wiring(self._config.model_copy(update=settings))

    async def ask(self, question: str, route: str, request_id: str = "req-1") -> RAGResponse:
        if route == "tree":
            return await TreeAsker(self.wiring).ask(question, request_id=request_id)
        return await Guard(wiring=self.wiring).aask(question, request_id=request_id)

    @property
    def written(self) -> str:
        return self._written.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.written.splitlines()]

    def of(self, request_id: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["request_id"] == request_id]

    def end_of(self, request_id: str = "req-1") -> dict[str, Any]:
        (end,) = [line for line in self.of(request_id) if line["event"] == "request_complete"]
        return end

    def value(self, name: str, **labels: str) -> float | None:
        return self.wiring.metrics.registry.get_sample_value(name, labels)


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[Operator]:
    with LoopbackModels() as models, SkosmosServer() as skosmos:
        made = Operator(tmp_path, models, skosmos)
        models.requests.clear()
        yield made
        made.wiring.close()


ONE_THAT_WORKS = pytest.mark.without_models(
    "wrong", "slow", "broken", reason="what fails adds lines, flags and counts of its own"
)


@ROUTES
@ONE_THAT_WORKS
@pytest.mark.usefixtures("any_model")
class TestGapF:
    """The six scenarios, by their ids."""

    @pytest.mark.parametrize(
        ("question", "concerns"),
        [
            (TERM, "one"),
            (QUESTION, "several"),
            (UNKNOWN, "one"),
            ("List all decisions", "one"),
            ("List all decisions and policies", "several"),
            ("What is decided about encryption?", "one"),
            ("Hello", "none"),
        ],
    )
    async def test_obs_01_a_normal_request(
        self, operator: Operator, route: str, question: str, concerns: str
    ) -> None:
        """OBS-01: one request_id on every line, no fallback flag, every required field.

        The route is `tree` where it concerns several collections, whichever door it came in by.
        """
        reply = await operator.ask(question, route, "req-abc123")
        lines = operator.lines
        taken = "tree" if concerns == "several" else "direct"
        assert {line["request_id"] for line in lines} == {"req-abc123"}
        assert {line["route"] for line in lines} == {taken} == {reply.route}
        assert all(line["fallback_flags"] == [] for line in lines)
        for line in lines:
            assert set(EVERY_LINE) <= set(line) <= set(FIELDS)
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["timestamp"])
            assert line["level"] in {"DEBUG", "INFO", "WARN", "ERROR"}
        assert (lines[0]["event"], lines[0]["query"]) == ("request_start", question)
        assert operator.end_of("req-abc123")["total_ms"] > 0

    async def test_obs_01_through_every_component(self, operator: Operator, route: str) -> None:
        """Router, vocabulary, index, model: each in its own thread, all for the same request."""
        await operator.ask(QUESTION, route)
        await operator.ask(TERM, route)
        assert {"router", "skosmos", "index", "embeddings", "gates"} <= {
            line["component"] for line in operator.of("req-1")
        }

    async def test_obs_02_skosmos_times_out(self, operator: Operator, route: str) -> None:
        """OBS-02: the flag skosmos_timeout, a warning of its own, one more on the counter."""
        operator.skosmos.fault = SkosmosFault.HANGING
        await operator.ask(TERM, route)
        assert operator.end_of()["fallback_flags"] == ["skosmos_timeout"]
        (late,) = [line for line in operator.lines if line["event"] == "timeout" and "term" in line]
        assert (late["level"], late["component"], late["term"]) == ("WARN", "skosmos", "CIMXML")
        assert operator.value("skosmos_timeout_total", backend="skosmos") == 1
        assert operator.value("rag_fallback_total", flag="skosmos_timeout") == 1

    async def test_obs_03_the_circuit_breaker_is_open(self, operator: Operator, route: str) -> None:
        """OBS-03: the flag circuit_open, from the first question that it turns away."""
        operator.models.fault = ModelFault.ERROR
        for number in range(6):
            await operator.ask(QUESTION, route, f"req-{number}")
        assert "circuit_open" not in operator.end_of("req-4")["fallback_flags"]
        assert "circuit_open" in operator.end_of("req-5")["fallback_flags"]
        (opened,) = [line for line in operator.of("req-4") if line["event"] == "circuit_open"]
        assert (opened["level"], opened["service"]) == ("WARN", "embeddings")
        assert operator.value("circuit_breaker_state", service="embeddings") == 2
        assert operator.value("circuit_breaker_trip_total", service="embeddings") == 1

    async def test_obs_04_searching_by_words_alone(self, operator: Operator, route: str) -> None:
        """OBS-04: the flag bm25_only."""
        operator.models.fault = ModelFault.ERROR
        await operator.ask(QUESTION, route)
        assert operator.end_of()["fallback_flags"] == ["bm25_only"]
        assert operator.value("embedding_fallback_total", collection="ADR_Ollama") == 1
        (found,) = [line for line in operator.lines if line["event"] == "search_complete"]
        assert found["search"] == "bm25_only"

    async def test_obs_05_several_fallbacks(self, operator: Operator, route: str) -> None:
        """OBS-05: all flags that are in force, each once, and on each line those so far."""
        operator.models.fault = ModelFault.ERROR
        for _ in range(5):
            await operator.ask(QUESTION, route, "req-0")
        operator.skosmos.fault = SkosmosFault.ERROR
        reply = await operator.ask(BARE_TERM, route)
        flags = ["skosmos_error", "bm25_only", "circuit_open"]
        assert operator.end_of()["fallback_flags"] == flags
        assert list(reply.retrieval_quality.fallback_reasons) == flags
        seen = [line["fallback_flags"] for line in operator.of("req-1")]
        assert [] in seen
        assert all(so_far == flags[: len(so_far)] for so_far in seen)

    async def test_obs_06_counters_match(self, operator: Operator, route: str) -> None:
        """OBS-06: after many questions at once, with faults between, to the unit."""
        replies: list[RAGResponse] = []
        for turn in range(4):
            operator.skosmos.fault = SkosmosFault.ERROR if turn == 1 else None
            operator.models.fault = ModelFault.ERROR if turn == 2 else None
            asked = (TERM, UNKNOWN, QUESTION, "What does ADR-0099 decide?", "List all decisions")
            replies += await asyncio.gather(
                *(
                    operator.ask(question, route, f"req-{turn}-{number}")
                    for number, question in enumerate(asked)
                )
            )
        count = len(replies)
        ways = Counter(item.route for item in replies)
        assert ways == {"direct": 16, "tree": 4}
        for way, taken in ways.items():
            assert operator.value("rag_request_total", route=way) == taken
            assert operator.value("rag_request_latency_ms_count", route=way) == taken
        reasons = Counter(str(item.refusal_reason) for item in replies if item.refusal_reason)
        assert reasons == {
            reason: operator.value("rag_abstention_total", reason=reason) for reason in reasons
        }
        flags = Counter(
            flag for item in replies for flag in item.retrieval_quality.fallback_reasons
        )
        assert flags == {flag: operator.value("rag_fallback_total", flag=flag) for flag in flags}
        looked_up = operator.value("skosmos_lookup_total", backend="skosmos")
        outcomes = [
            operator.value(f"skosmos_{outcome}_total", backend="skosmos")
            for outcome in ("hit", "miss", "timeout", "error")
        ]
        assert looked_up == sum(outcomes) > 0
        events = Counter(line["event"] for line in operator.lines)
        assert events["request_start"] == events["request_complete"] == count
        searches = operator.value("retrieval_request_total", collection="ADR_Ollama")
        assert searches == events["search_complete"]


class TestDiscretion:
    """What a log must not hold."""

    @ROUTES
    async def test_no_text_of_a_user(
        self, operator: Operator, route: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        """With ``log_queries: length``, at DEBUG, in any library's log, whatever happens."""
        operator.set(log_queries="length")
        caplog.set_level(logging.DEBUG)
        for fault in (None, ModelFault.ERROR):
            operator.models.fault = fault
            operator.skosmos.fault = SkosmosFault.ERROR if fault else None
            await operator.ask("What is Zaphodium?", route)
            await operator.ask("How are Zaphodium connections encrypted?", route)
        theirs = "\n".join(record.getMessage() for record in caplog.records)
        assert operator.lines
        for text in (operator.written, theirs):
            assert "zaphodium" not in text.lower()

    @ROUTES
    async def test_no_key(
        self, operator: Operator, route: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Neither the model's, nor one in an address, also where a question holds it."""
        monkeypatch.setenv("SOME_MODEL_KEY", "vault-0123456789")
        embedder = operator.wiring.config.embedder
        served = embedder.server.model_copy(update={"api_key_env": "SOME_MODEL_KEY"})
        operator.set(embedder=embedder.model_copy(update={"server": served, "kind": "ollama"}))
        operator.models.fault = ModelFault.UNAUTHORISED
        await operator.ask("How is vault-0123456789 of http://me:hunter22@x.example used?", route)
        assert operator.lines
        assert "vault-0123456789" not in operator.written
        assert "hunter22" not in operator.written

    async def test_what_a_language_model_writes_is_not_logged(
        self,
        operator: Operator,
        capfd: pytest.CaptureFixture[str],
        caplog: pytest.LogCaptureFixture,
        model_settings: Settings,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """A model that repeats the question, with Elysia at its most talkative."""
        operator.set(log_queries="length")
        caplog.set_level(logging.DEBUG)
        model_settings.LOGGING_LEVEL_INT = logging.DEBUG
        model = ScriptedLM(
            "Zaphodium is wanted",
            RuntimeError("Zaphodium is beyond me"),
        )
        for name in ("load_base_lm", "load_complex_lm"):
            monkeypatch.setattr(f"elysia.tree.tree.{name}", lambda _settings: model)
        for _ in range(2):
            tree = GuardedTree(wiring=operator.wiring, settings=model_settings)
            tree.add_tool(guard(FakeTextResponse))
            async for _ in tree.async_run("Tell me about Zaphodium connections"):
                pass
        assert model.calls >= 2
        printed = capfd.readouterr()
        assert operator.lines
        for text in (operator.written, printed.err, *map(str, caplog.messages)):
            assert "zaphodium" not in text.lower()


class TestEndpoints:
    """What the web app shows of its metrics."""

    @pytest.fixture(scope="class")
    def address(self, wiring: Wiring) -> Iterator[str]:
        with running(server._settings(wiring)) as address:
            yield address

    async def test_prometheus_reads_them(self, address: str, wiring: Wiring) -> None:
        """In its own format, under its own type; the counters of this wiring."""
        await Guard(wiring=wiring).aask(UNKNOWN)
        async with httpx.AsyncClient() as browser:
            answer = await browser.get(f"{address}/metrics")
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        families = {item.name for item in text_string_to_metric_families(answer.text)}
        assert {"rag_abstention", "skosmos_lookup", "circuit_breaker_state"} <= families
        counted = wiring.metrics.registry.get_sample_value("rag_request_total", {"route": "direct"})
        assert f'rag_request_total{{route="direct"}} {counted}' in answer.text.splitlines()

    def test_and_as_json(self, address: str) -> None:
        """The same metrics."""
        answer = httpx.get(f"{address}/metrics.json")
        assert answer.headers["content-type"] == "application/json"
        shown = {item["name"] for item in answer.json()["metrics"]}
        text = httpx.get(f"{address}/metrics").text
        assert shown == set(re.findall(r"^# TYPE (\S+)", text, re.M))

    @pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 200), ("192.0.2.7", 403)])
    def test_another_machine_reads_nothing(self, address: str, host: str, status: int) -> None:
        """Unless the operator says so; the answer names the setting."""
        for page in (routes.metrics, routes.metrics_json):
            answer = page(Request(_from(host)))
            assert answer.status_code == status
        if status != 200:
            assert b"observability.metrics_for" in answer.body

    def test_unless_the_operator_lets_everyone(
        self, address: str, wiring: Wiring, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """``observability.metrics_for: everyone``, for a Prometheus elsewhere."""
        section = ObservabilitySection(metrics_for="everyone")
        settings = wiring.config.model_copy(update={"observability": section})
        monkeypatch.setattr(wiring, "config", settings)
        assert routes.metrics(Request(_from("192.0.2.7"))).status_code == 200


def _from(host: str) -> dict[str, Any]:
    from elysia.api.app import app

    return {"type": "http", "client": (host, 1), "headers": [], "app": app}
