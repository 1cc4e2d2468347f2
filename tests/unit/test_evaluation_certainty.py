"""Three outcomes, counted: what was asserted, hedged, mentioned, and how much was right."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.evaluation_samples import case, response, scored

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.evaluation.certainty import certainty, told

LOW = RefusalReason.LOW_CONFIDENCE


def test_asserted_and_hedged_are_counted_apart() -> None:
    found = certainty(
        [
            scored(case("ADR-0012", number=1), response("ADR-0012", confidence=0.95)),
            scored(case("ADR-0012", number=2), response("ADR-0013", confidence=0.95)),
            scored(case("ADR-0012", number=3), response("ADR-0012", confidence=0.7)),
            scored(case(number=4), response("ADR-0012", confidence=0.7)),
            scored(case(number=5), response("ADR-0012", confidence=0.9)),
            scored(case(number=6), response(reason=LOW)),
        ]
    )
    assert (found.answerable, found.near_misses) == (3, 3)
    assert (found.asserted, found.asserted_right) == (3, 1)
    assert (found.hedged, found.hedged_right) == (2, 1)
    assert (found.near_misses_asserted, found.near_misses_hedged) == (1, 1)
    assert found.precision == 1 / 3


def test_a_mention_shows_the_passage_and_is_no_answer() -> None:
    refused = response(reason=LOW)
    mention = response("ADR-0012").sources
    with_mention = replace(refused, mentions=mention)
    found = certainty(
        [
            scored(case("ADR-0012", number=1), refused),
            scored(case("ADR-0012", number=2), with_mention),
        ]
    )
    assert (found.shown, found.asserted, found.hedged) == (1, 0, 0)


def test_where_a_sentence_is_named_it_must_be_shown() -> None:
    """The right document with other sentences shows nothing."""
    asked = case("ADR-0012", expected={"quote": "Keys rotate every year."})
    other = replace(response("ADR-0012"), answer="> Keys are long. [source:1]")
    right = replace(response("ADR-0012"), answer="> Keys rotate every year. [source:1]")
    assert certainty([scored(asked, other)]).shown == 0
    assert certainty([scored(asked, right)]).shown == 1


def test_without_a_question_every_figure_is_nought() -> None:
    figures = certainty([]).figures()
    assert not any(figures.values())
    assert "asserted 0, right 0" in told(figures)[0]
