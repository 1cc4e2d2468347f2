"""A question for a meaning that no form decides is heard by its sound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import pytest
from tests.unit.small_world import LIMITS, THRESHOLDS, World

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.meaning_model import MeaningModel
from elysia_guard.domain.question import IntentKind, Lang
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.thresholds import Calibration, Thresholds
from elysia_guard.language.mentions import Traits, mention
from elysia_guard.reading.meanings import MOST_HEARD
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.terminology import CONCEPTS, Failure, FakeTerminology

NEVER = Calibration(intercept=-5.0, similarity=0.0, coverage=0.0, lexical=0.0)
UNSURE = Thresholds(default=replace(LIMITS, calibration=NEVER, min_query_coverage=0.0))
STORY = "The minutes mention a transformer again and I nodded along, no clue really"


class Cue:
    """Gives one chance for every term, and remembers what it was asked."""

    def __init__(self, chance: float) -> None:
        self.chance = chance
        self.asked: list[str] = []

    async def __call__(self, _text: str, term: str, /, *, lang: Lang, others: int) -> float:
        self.asked.append(term)
        return self.chance


class Rows(FakeTerminology):
    """A vocabulary of which every text mentions more terms than are listened for."""

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        return [(f"thing {n}",) for n in range(MOST_HEARD + 2)]


def world(cue: Cue, terminology: FakeTerminology | None = None) -> World:
    made = World(terminology=terminology)
    made.hear(cue)
    return made


class TestHearing:
    def test_what_sounds_like_it_is_looked_up(self) -> None:
        """The definition, and the trace says why."""
        response = world(Cue(0.9)).ask(STORY)
        assert [source.doc_type for source in response.sources] == ["Vocabulary"]
        notes = [step.note for step in response.trace if step.stage == "router"]
        assert notes[-1] == "terminology: it sounds like asking what 'transformer' means (0.90)"

    def test_what_hardly_does_is_searched_for(self) -> None:
        cue = Cue(THRESHOLDS.meaning_asked - 0.01)
        response = world(cue).ask(STORY)
        assert "transformer" in cue.asked
        assert not any(source.doc_type == "Vocabulary" for source in response.sources)

    @pytest.mark.parametrize(
        "question",
        [
            "What does ADR-0012 decide?",
            "Which policies are there?",
        ],
    )
    def test_what_a_form_decides_is_not_listened_to(self, question: str) -> None:
        cue = Cue(1.0)
        world(cue).ask(question)
        assert not cue.asked

    def test_a_term_that_several_concepts_bear_is_asked_back(self) -> None:
        """As it is where the form of the question decides."""
        asked_plainly = World().ask("What is an asset?")
        heard = world(Cue(0.9)).ask("They keep saying asset in the corridor and I smile and nod")
        assert asked_plainly.refusal_reason is RefusalReason.TERMINOLOGY_AMBIGUOUS
        assert heard.refusal_reason is RefusalReason.TERMINOLOGY_AMBIGUOUS

    def test_a_long_row_of_terms_is_not_listened_to_in_full(self) -> None:
        cue, source = Cue(0.0), Rows(CONCEPTS)
        world(cue, source).ask(
            "The planners kept discussing towers, blades and gravel all day"
        )
        assert len(cue.asked) == MOST_HEARD

    def test_a_vocabulary_that_is_down_is_not_heard(self) -> None:
        source = FakeTerminology(CONCEPTS, name="Test", failure=Failure.UNAVAILABLE)
        made = world(Cue(1.0), source)
        inquiry = made.begin(STORY)
        run_anywhere(made.pipeline.gather(inquiry))
        assert inquiry.asks.kind is IntentKind.OPEN


class TestMentions:
    @pytest.mark.parametrize(
        ("text", "term", "expected"),
        [
            ("No clue what those busbars are", "busbar", "No clue what those XYZ are"),
            ("Wat is dat, 'Netcongestie'?", "netcongestie", "Wat is dat, 'XYZ'?"),
            ("die Schutzrelais im Feld", "Schutzrelais", "die XYZ im Feld"),
            ("N-1? never heard", "N-1", "XYZ? never heard"),
            ("a TSO or a DSO", "DSO", "a TSO or a XYZ"),
        ],
    )
    def test_a_term_is_masked_in_any_form(self, text: str, term: str, expected: str) -> None:
        found = mention(text, term, lang="en")
        assert found is not None
        assert found.masked == expected

    @pytest.mark.parametrize(("text", "term"), [("no such word", "busbar"), ("anything", "?")])
    def test_what_is_not_there_is_not_masked(self, text: str, term: str) -> None:
        assert mention(text, term, lang="en") is None

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("a grid-forming inverter", {"word_before"}),
            ("inverter coupling, what is that", {"word_after", "first"}),
            ("what is an inverter-station", {"word_after", "hyphened", "indefinite"}),
            ("they said 'inverter' to me", {"quoted"}),
            ("and the word inverter?", set()),
            ("what is the inverter?", {"definite"}),
        ],
    )
    def test_what_stands_around_is_told(self, text: str, said: set[str]) -> None:
        found = mention(text, "inverter", lang="en")
        assert found is not None
        names = [field.name for field in fields(Traits)][:-2]
        assert {name for name in names if getattr(found.traits, name)} == said
        assert len(found.traits.values) == len(fields(Traits))


class TestModel:
    """The weights that ship, over the model that ships."""

    MODEL = MeaningModel(BundledEmbedder())

    @pytest.mark.parametrize(
        ("text", "term"),
        [
            ("Could somebody tell me in plain words what on earth a busbar is?", "busbar"),
            ("In het overleg viel het woord redispatch, geen idee wat dat is", "redispatch"),
            ("Ich habe keine Ahnung, was mit Redispatch gemeint ist", "Redispatch"),
        ],
    )
    def test_a_question_for_a_meaning_is_likely(self, text: str, term: str) -> None:
        assert run_anywhere(self.MODEL(text, term, lang="en", others=0)) > 0.7

    @pytest.mark.parametrize(
        ("text", "term"),
        [
            ("Who has to approve a change of the busbar protection before it goes live?", "busbar"),
            ("Hoeveel kostte redispatch ons vorig jaar?", "redispatch"),
            ("Warum haben wir uns gegen Redispatch entschieden?", "Redispatch"),
            ("Could somebody tell me what on earth a bay is?", "busbar"),
            ("Any idea what a double busbar coupler relay is?", "busbar"),
        ],
    )
    def test_another_question_is_not(self, text: str, term: str) -> None:
        assert run_anywhere(self.MODEL(text, term, lang="en", others=0)) < 0.3

    def test_the_vectors_of_another_model_say_nothing(self) -> None:
        """Weights mean nothing for vectors that they were not fitted on."""
        other = MeaningModel(HashEmbedder(dimension=512))
        assert run_anywhere(other("What is a busbar?", "busbar", lang="en", others=0)) == 0.0

    def test_the_weights_are_in_the_package(self) -> None:
        file = Path(__file__).parents[2] / "src/elysia_guard/adapters/meaning_model.json"
        assert 1_000 < file.stat().st_size < 30_000
