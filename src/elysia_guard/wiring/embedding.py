"""The model that makes vectors: behind a breaker for questions, patient for an ingest."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.embedders.guarded import GuardedEmbedder
from elysia_guard.adapters.embedders.server import ModelServer
from elysia_guard.adapters.observed import ObservedEmbedder
from elysia_guard.config import Config
from elysia_guard.domain.errors import ConfigError
from elysia_guard.ports import Embedder
from elysia_guard.wiring.surroundings import Surroundings


def embedder_of(config: Config, key: str, around: Surroundings) -> Embedder:
    """Make the model as questions ask it: behind its breaker, seen by counters and logs."""
    server = _model_server(config, key)
    model = server.for_questions(around.opened, clock=around.clock) if server else BundledEmbedder()
    guarded = GuardedEmbedder(
        model, around.breaker("embeddings", config.circuit_breaker.embeddings)
    )
    return ObservedEmbedder(guarded, around.observe, collections=config.collections)


def second_of(config: Config, around: Surroundings) -> Embedder | None:
    """Make the second model, behind a breaker and a deadline of its own; None without one.

    Raises:
        ConfigError: its package is not installed.
    """
    section = config.second_embedder
    if section is None:
        return None
    from elysia_guard.adapters.embedders.e5 import E5Embedder, require

    require()
    model = E5Embedder(deadline_s=section.timeout_ms / 1000, clock=around.clock)
    breaker = around.breaker("second_embedder", config.circuit_breaker.embeddings)
    return GuardedEmbedder(model, breaker)


@asynccontextmanager
async def ingesting(config: Config, key: str, embedder: Embedder) -> AsyncIterator[Embedder]:
    """The model as an ingest asks it: with patience, and past the breaker of the questions."""
    if server := _model_server(config, key):
        async with server.for_ingest() as patient:
            yield patient
    else:
        yield embedder


def _model_server(config: Config, key: str) -> ModelServer | None:
    section = config.embedder
    if section.kind == "bundled" or section.server is None:
        return None
    if section.server.api_key_env and not key:
        raise ConfigError(
            f"embedder.server.api_key_env: the variable {section.server.api_key_env} holds "
            "no key; set it before the start, or leave its name out"
        )
    values = section.server.model_dump(exclude={"api_key_env"})
    return ModelServer(kind=section.kind, api_key=key, **values)
