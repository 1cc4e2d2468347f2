"""What a question asks, where no form says so, is told by its wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.unit.small_world import LIMITS, THRESHOLDS, World

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.intent_model import LogisticIntents
from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.question import IntentKind, Lang
from elysia_guard.domain.reading import Comparison, Definition, ReadBy, ReadKind, SmallTalk, Unclear
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.reading.intents import DOCUMENT, TERM
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.terminology import CONCEPTS, FakeTerminology, ScriptedFailure

NEVER = Calibration(intercept=-5.0, similarity=0.0, coverage=0.0, lexical=0.0)
UNSURE = Thresholds(default=replace(LIMITS, calibration=NEVER, min_query_coverage=0.0))
STORY = "The minutes mention a transformer again and I nodded along, no clue really"
TWO = "All the transformer people and the meter people went quiet when I came in"
SURE = THRESHOLDS.reading_asked


class Model:
    """Gives each kind one chance, search what is left, and remembers what it was asked."""

    def __init__(self, *, down: bool = False, **chances: float) -> None:
        self.chances = {ReadKind(name): chance for name, chance in chances.items()}
        self.down = down
        self.asked: list[str] = []

    async def __call__(
        self, masked: str, /, *, lang: Lang, terms: int, documents: int
    ) -> Mapping[ReadKind, float]:
        self.asked.append(masked)
        if self.down:
            raise SourceUnavailableError("the model is down", source="embedder")
        left = 1.0 - sum(self.chances.values())
        return {**dict.fromkeys(ReadKind, 0.0), ReadKind.SEARCH: left, **self.chances}


class Second(Model):
    """Takes the meaning of the second term for what is asked."""

    async def __call__(
        self, masked: str, /, *, lang: Lang, terms: int, documents: int
    ) -> Mapping[ReadKind, float]:
        found = await super().__call__(masked, lang=lang, terms=terms, documents=documents)
        of_first = masked.count(TERM) == 1 and "meter" in masked
        return {**found, ReadKind.DEFINITION: 0.2} if of_first else found


def world(model: Model, terminology: FakeTerminology | None = None) -> World:
    made = World(terminology=terminology)
    made.hear(model)
    return made


class TestMeanings:
    def test_what_sounds_like_it_is_looked_up(self) -> None:
        """The definition, and the trace says why."""
        response = world(Model(definition=0.9)).ask(STORY)
        assert [source.doc_type for source in response.sources] == ["Vocabulary"]
        notes = [step.note for step in response.trace if step.stage == "router"]
        assert notes[-1] == "terminology: it sounds like asking what 'transformer' means (0.90)"

    def test_the_model_sees_no_term(self) -> None:
        """It learns of no vocabulary: each term is a mark."""
        model = Model()
        world(model).begin(STORY)
        assert model.asked == [STORY.replace("transformer", TERM)]

    def test_what_hardly_sounds_like_it_is_searched_for(self) -> None:
        part = world(Model(definition=SURE - 0.01)).begin(STORY).part
        assert part.asks.kind is IntentKind.OPEN
        assert part.perhaps == "transformer"

    def test_what_does_not_at_all_proposes_nothing(self) -> None:
        assert world(Model(definition=0.01)).begin(STORY).part.perhaps == ""

    @pytest.mark.parametrize(
        "question",
        [
            "What does ADR-0012 decide?",
            "Which policies are there?",
            "What is a transformer?",
            "transformer?",
            "Which policies did the walrus people and the transformer people quarrel about?",
            "Hello!",
        ],
    )
    def test_what_a_form_or_a_term_decides_is_not_listened_to(self, question: str) -> None:
        model = Model(definition=1.0)
        world(model).ask(question)
        assert not model.asked

    def test_a_term_that_several_concepts_bear_is_asked_back(self) -> None:
        """As it is where the form of the question decides."""
        asked_plainly = World().ask("What is an asset?")
        heard = world(Model(definition=0.9)).ask("They keep saying asset in the corridor and I nod")
        assert asked_plainly.refusal_reason is RefusalReason.TERMINOLOGY_AMBIGUOUS
        assert heard.refusal_reason is RefusalReason.TERMINOLOGY_AMBIGUOUS

    def test_of_two_terms_the_likelier_is_looked_up(self) -> None:
        part = world(Second(definition=0.9)).begin(TWO).part
        assert part.asks == Definition(term="meter")
        assert (part.read_by, part.chance) == (ReadBy.INTENT_MODEL, 0.9)

    def test_two_terms_may_be_compared(self) -> None:
        part = world(Model(comparison=0.8)).begin(TWO).part
        assert part.asks == Comparison(terms=("transformer", "meter"), topic=TWO)

    @pytest.mark.parametrize("failing", ["vocabulary", "model"])
    def test_what_is_down_is_not_heard(self, failing: str) -> None:
        failure = ScriptedFailure.UNAVAILABLE if failing == "vocabulary" else None
        source = FakeTerminology(CONCEPTS, name="Test", failure=failure)
        made = world(Model(definition=1.0, down=failing == "model"), source)
        if failing == "model":
            assert made.begin(STORY).asks.kind is IntentKind.OPEN
        else:
            assert made.ask(STORY).refusal_reason is not None


class TestBesideTheSources:
    def test_chatter_is_answered_as_small_talk(self) -> None:
        part = world(Model(small_talk=0.9)).begin("well you saved me a walk there, cheers").part
        assert part.asks == SmallTalk(about="thanks")

    def test_chatter_of_no_kind_is_told_what_can_be_asked(self) -> None:
        part = world(Model(small_talk=0.9)).begin("survived the weekend all right").part
        assert part.asks == SmallTalk(about="help")

    def test_what_says_too_little_is_asked_back(self) -> None:
        part = world(Model(unclear=0.9)).begin("hm fine, but why not though in that case").part
        assert isinstance(part.asks, Unclear)

    @pytest.mark.parametrize("kind", ["small_talk", "unclear"])
    def test_what_mentions_something_is_neither(self, kind: str) -> None:
        part = world(Model(**{kind: 0.99})).begin(STORY).part
        assert part.asks.kind is IntentKind.OPEN

    def test_without_a_model_it_is_a_search(self) -> None:
        part = World().begin("hm fine, but why not though in that case").part
        assert part.asks.kind is IntentKind.OPEN


class TestModel:
    """The weights that ship, over the model that ships."""

    MODEL = LogisticIntents(BundledEmbedder())

    def kinds(self, text: str, *, lang: Lang = "en") -> Mapping[ReadKind, float]:
        terms, documents = text.count(TERM), text.count(DOCUMENT)
        return run_anywhere(self.MODEL(text, lang=lang, terms=terms, documents=documents))

    @pytest.mark.parametrize(
        ("text", "lang"),
        [
            (f"Could somebody tell me in plain words what on earth a {TERM} is?", "en"),
            (f"In het overleg viel het woord {TERM}, geen idee wat dat is", "nl"),
            (f"Ich habe keine Ahnung, was mit {TERM} gemeint ist", "de"),
        ],
    )
    def test_a_question_for_a_meaning_is_likely(self, text: str, lang: Lang) -> None:
        found = self.kinds(text, lang=lang)
        assert found[ReadKind.DEFINITION] > SURE
        assert sum(found.values()) == pytest.approx(1.0)

    @pytest.mark.parametrize(
        ("text", "lang"),
        [
            (f"Who has to approve a change of the {TERM} protection before it goes live?", "en"),
            (f"Hoeveel kostte {TERM} ons vorig jaar?", "nl"),
            (f"Warum haben wir uns gegen {TERM} entschieden?", "de"),
            (f"Any idea what a double {TERM} coupler relay is?", "en"),
        ],
    )
    def test_another_question_is_not(self, text: str, lang: Lang) -> None:
        assert self.kinds(text, lang=lang)[ReadKind.DEFINITION] < SURE

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("thanks a million, you made my day", ReadKind.SMALL_TALK),
            (f"what did they write down in {DOCUMENT} about backups", ReadKind.NAMED),
            (f"{TERM} or {TERM}, what is the difference?", ReadKind.COMPARISON),
            ("how long do we keep the recordings of phone calls", ReadKind.SEARCH),
        ],
    )
    def test_the_kind_is_the_likeliest(self, text: str, kind: ReadKind) -> None:
        found = self.kinds(text)
        assert max(found, key=lambda each: found[each]) is kind

    def test_the_vectors_of_another_model_say_nothing(self) -> None:
        """Weights mean nothing for vectors that they were not fitted on."""
        other = LogisticIntents(HashEmbedder(dimension=512))
        assert not run_anywhere(other(f"What is a {TERM}?", lang="en", terms=1, documents=0))
