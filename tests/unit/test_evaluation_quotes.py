"""Whether a right answer holds the sentence that answers."""

from __future__ import annotations

import pytest
from tests.unit.evaluation_samples import case, response, scored

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.evaluation import metrics, quotes

KEPT = "Readings are kept for two years."
BOTH = f"{KEPT} Older ones are erased."


@pytest.mark.parametrize(
    ("answer", "held"),
    [
        (f"**ADR-0012: Readings**\n\n> {KEPT} [source:1]", True),
        ("> - **Readings** are\n>   kept for `two` years. [source:1]", True),
        ("> Older ones are erased. [source:2]\n>\n> No more. [source:2]", True),
        ("> Readings are kept for two years [source:1].", True),
        ("> Readings are kept for two. [source:1]", False),
        ("> Readings are kept for twenty-two years. [source:1]", False),
        ("", False),
    ],
)
def test_any_sentence_of_the_quote_is_enough(answer: str, held: bool) -> None:
    """Word for word; marks and white space around it do not count."""
    asked = case("ADR-0012", expected={"quote": BOTH})
    assert scored(asked, response("ADR-0012", answer=answer)).quoted is held


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("It applies to cables laid in sand.", "cables laid in sand"),
        ("Er gilt am\n15. März.", "Er gilt am 15. März."),
        ("1. Cables\n2. Meters", "2. Meters"),
        ("- Gas\n- Cables and\n  wires", "- Water\n- Cables and wires"),
        ("(see the\u00a0annex)", "(see the annex)"),
        ("Use the MIT licence.", "Use [the MIT licence](https://mit.example/a_(b))."),
        ("Use [the MIT licence](https://mit.example).", "Use the MIT licence."),
    ],
)
def test_a_text_holds_a_quote_however_it_is_set(text: str, quote: str) -> None:
    assert quotes.holds(text, quote)


@pytest.mark.parametrize(
    ("text", "quote"), [("Recables laid", "cables laid"), ("cables laidback", "cables laid")]
)
def test_a_part_of_a_word_is_no_quote(text: str, quote: str) -> None:
    assert not quotes.holds(text, quote)


def test_only_right_answers_to_questions_with_a_quote_count() -> None:
    """A wrong answer may hold the words, a refusal holds none: neither says anything."""
    asked = case("ADR-0012", expected={"quote": KEPT})
    assert scored(case("ADR-0012"), response("ADR-0012", answer=KEPT)).quoted is None
    assert scored(asked, response("ADR-0013", answer=KEPT)).quoted is None
    assert scored(asked, response(reason=RefusalReason.NO_RESULTS, answer=KEPT)).quoted is None
    assert scored(case(), response(reason=RefusalReason.NO_RESULTS)).quoted is None


def test_an_answer_without_the_sentence_stays_right() -> None:
    asked = case("ADR-0012", expected={"quote": KEPT})
    assert scored(asked, response("ADR-0012", answer="Nothing of it.")).correct


def test_a_category_without_a_right_answer_is_counted_all_the_same() -> None:
    """Else a figure would seem to be gone when answers turn wrong."""
    wrong = scored(case("ADR-0012", expected={"quote": KEPT}), response("ADR-0013", answer=KEPT))
    plain = scored(case("POL-0001", category="policy_retrieval"), response("POL-0001"))
    none = metrics.Sentences(count=0, held=0)
    assert metrics.sentences_by_category([wrong, plain]) == {"adr_retrieval": none}
    assert metrics.sentences([wrong, plain]).share == 0
