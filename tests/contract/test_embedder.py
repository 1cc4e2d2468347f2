"""One contract for every embedder: the fake, the bundled model, and both kinds of servers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache

import pytest
from tests.contract.embedder_contract import EmbedderContract
from tests.unit.model_server import LoopbackModels

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.embedders.served import Retrying
from elysia_guard.adapters.observed import observed_embedder
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.ports import Embedder, unobserved
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.resilience.calls import Guarded, through
from elysia_guard.testing.fake_index import HashEmbedder


class TestHashEmbedder(EmbedderContract):
    def make(self) -> Embedder:
        return HashEmbedder()


@cache
def bundled() -> BundledEmbedder:
    return BundledEmbedder()


class TestBundled(EmbedderContract):
    def make(self) -> Embedder:
        return bundled()


class TestWrapped(EmbedderContract):
    """Every wrapper at once."""

    def make(self) -> Embedder:
        patient = Retrying(HashEmbedder(), batch_size=2)
        call = Guarded(Breaker("embeddings")).call
        guarded = through(patient, call, "embed", "embed_question")
        names = {kind: kind.value for kind in STANDING_KINDS}
        return observed_embedder(guarded, unobserved, collections=names)


class Served(EmbedderContract):
    kind = ""

    @pytest.fixture(autouse=True)
    def served(self) -> Iterator[None]:
        with LoopbackModels() as models, ExitStack() as closing:
            self.embedder = models.server(self.kind, batch_size=2).for_questions(closing)
            yield

    def make(self) -> Embedder:
        return self.embedder


class TestOllama(Served):
    kind = "ollama"


class TestOpenAI(Served):
    kind = "openai"
