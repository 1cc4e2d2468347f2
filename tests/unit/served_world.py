"""A guard whose vectors come from a model server on loopback: real index, real pipeline."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import yaml
from tests.unit.model_server import DIMENSION, LoopbackModels

from elysia_guard import config
from elysia_guard.domain.events import Event
from elysia_guard.ports import Observer, unobserved
from elysia_guard.running import run_anywhere
from elysia_guard.testing.clock import FakeClock
from elysia_guard.testing.terminology import TURTLE
from elysia_guard.wiring import Wiring

QUESTION = "How are connections encrypted?"
COLLECTIONS = {
    "decision": "ADR_Ollama",
    "principle": "Principle_Ollama",
    "policy": "Policy_Ollama",
    "document": "Document_Ollama",
}
_DECISION = """\
---
identifier: ADR-{number:04d}
dct:
  title: {title}
  isVersionOf: accepted
  issued: 2026-01-01
---
# {title}

## Decision Outcome

{text}
"""
_DECISIONS = {
    12: ("Use CIM as the domain language", "We use CIM as the domain language of the grid."),
    27: ("Protect connections with TLS", "Connections are encrypted with TLS 1.3."),
    31: ("Read meters at night", "Meters are read once a night, when the grid is quiet."),
}


def write_world(root: Path, models: LoopbackModels, *, base: float = 0.85) -> Path:
    """Write documents, limits and a configuration in which every hit is sure to ``base``."""
    knowledge = root / "data" / "decisions"
    knowledge.mkdir(parents=True)
    for number, (title, text) in _DECISIONS.items():
        decision = _DECISION.format(number=number, title=title, text=text)
        (knowledge / f"{number:04d}.md").write_text(decision, encoding="utf-8")
    (root / "data" / "terms.ttl").write_text(TURTLE, encoding="utf-8")
    flat = {"intercept": math.log(base / (1 - base)), "similarity": 0.0}
    own = {**flat, "coverage": 0.0, "lexical": 0.0}
    words = {"intercept": own["intercept"], "coverage": 0.0, "lexical": 0.0, "matter": 0.0}
    limits = {
        "distance_threshold": 1.5,
        "min_query_coverage": 0.2,
        "calibration": own,
        "words_alone": words,
    }
    settings = {
        "terminology": {"name": "Test", "files": ["data/terms.ttl"]},
        "index": {"path": "build/index.sqlite", "sources": ["data"]},
        "embedder": {
            "kind": "ollama",
            "server": {"url": models.address("ollama"), "model": "hash", "dimension": DIMENSION},
        },
        "thresholds": "config/thresholds.yaml",
        "collections": COLLECTIONS,
    }
    (root / "config").mkdir()
    sure = {"search_ceiling": 1.0}
    _write(root / "config" / "thresholds.yaml", {"default": limits, "confidence": sure})
    _write(root / "config" / "guard.yaml", settings)
    return root / "config" / "guard.yaml"


def _write(path: Path, settings: dict[str, Any]) -> None:
    path.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")


class ServedWorld:
    """The parts over a model server, with handles on the clock, the metrics and the events."""

    def __init__(
        self,
        root: Path,
        models: LoopbackModels,
        *,
        base: float = 0.85,
        log: Observer = unobserved,
    ) -> None:
        self.clock = FakeClock()
        self.events: list[Event] = []
        self.models = models

        def observe(event: Event) -> None:
            self.events.append(event)
            log(event)

        made = config.load(write_world(root, models, base=base), environ={})
        self.wiring = Wiring(made, observe=observe, clock=self.clock)
        run_anywhere(self.wiring.fill_index())
        models.requests.clear()

    def metric(self, name: str, **labels: str) -> float | None:
        """Return the value of a metric."""
        return self.wiring.metrics.registry.get_sample_value(name, labels)

    def counted(self, name: str, collection: str = "ADR_Ollama") -> float | None:
        """Return the value of a counter of a collection."""
        return self.metric(name, collection=collection)

    @property
    def state(self) -> float | None:
        """The state of the breaker, as the gauge shows it: 0 closed, 1 half open, 2 open."""
        return self.metric("circuit_breaker_state", service="embeddings")
