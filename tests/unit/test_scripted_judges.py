"""The judges of a script, and the table of what they are worth."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import World
from tests.unit.test_judging import HEDGING, NO, Scripted

from elysia_guard.evaluation import judge_table, scoring
from elysia_guard.evaluation.golden import Case
from elysia_guard.evaluation.judge_table import Way
from elysia_guard.evaluation.runner import Run
from elysia_guard.evaluation.scripted_judges import AlwaysYes, RightMostly, answered_by, told_by
from elysia_guard.language.verbatim import found_in
from elysia_guard.stages.judging import Bench

TEXTS = [
    "Keys\nRotation\nKeys are rotated yearly. Nobody minds.",
    "Doors\nOpening\nDoors are opened at eight. Keys hang beside them.",
]
ASKED = "How often are keys rotated?"


def case(query: str, *, quote: str = "", documents: tuple[str, ...] = ("ADR-0001",)) -> Case:
    return Case.model_validate(
        {
            "id": "GS-001",
            "query": query,
            "category": "semantic_search",
            "lang": "en",
            "split": "tuning",
            "expected": {
                "route": "semantic",
                "abstain": not documents,
                "doc_types": ["ADR"],
                "doc_ids": documents,
                "quote": quote or None,
            },
        }
    )


def right(*cases: Case, share: float = 1.0, **titles: str) -> RightMostly:
    return RightMostly(answered_by=answered_by(cases), told_by=told_by(cases, titles), share=share)


class TestRightMostly:
    def test_it_names_the_sentence_that_answers(self) -> None:
        judge = right(case(ASKED, quote="Keys are rotated yearly."))
        said = judge(ASKED, TEXTS)
        assert [(item.answers, item.sentence) for item in said] == [
            (True, "Keys are rotated yearly."),
            (False, ""),
        ]

    def test_where_no_sentence_is_named_the_document_answers(self) -> None:
        judge = right(case(ASKED), **{"ADR-0001": "Keys"})
        assert [item.answers for item in judge(ASKED, TEXTS)] == [True, False]

    def test_a_part_of_a_question_is_known_by_the_whole(self) -> None:
        whole = f"{ASKED} And who does it?"
        judge = right(case(whole, quote="Keys are rotated yearly."))
        assert judge(ASKED, TEXTS)[0].answers

    def test_wrong_it_misses_what_answers_or_lies_about_the_first(self) -> None:
        """With the sentence that shares most words with the question."""
        wrong = right(case(ASKED, quote="Keys are rotated yearly."), share=0.0)
        assert not any(item.answers for item in wrong(ASKED, TEXTS))
        lying = right(case(ASKED, documents=()), share=0.0)
        assert [(item.answers, item.sentence) for item in lying(ASKED, TEXTS)] == [
            (True, "Keys are rotated yearly."),
            (False, ""),
        ]
        assert lying(ASKED, []) == []

    def test_it_is_wrong_about_one_in_twenty(self) -> None:
        """By a draw of the question alone, so that the same is said again."""
        judge = right(case(ASKED, documents=()), share=0.95)
        asked = [f"Question number {n}?" for n in range(1_000)]
        wrong = [judge(text, TEXTS)[0].answers for text in asked]
        assert wrong == [judge(text, TEXTS)[0].answers for text in asked]
        assert 30 < sum(wrong) < 70


@pytest.mark.parametrize(("first", "said"), [(0, [True, True]), (1, [True, False])])
def test_always_yes_looks_at_nothing(first: int, said: list[bool]) -> None:
    found = AlwaysYes(first=first)(ASKED, TEXTS)
    assert [item.answers for item in found] == said
    assert found[0].sentence == "Keys are rotated yearly."


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Keys are rotated yearly.", True),
        ("- keys", False),
        ("\u2018Keys\u2019 are", False),
        ("rotated   yearly. Nobody minds", True),
        ("ed yearly", False),
        ("...", False),
        ("", False),
    ],
)
def test_a_sentence_stands_in_whole_words(sentence: str, found: bool) -> None:
    parts = ["Keys are rotated yearly.", "Nobody minds."]
    assert bool(found_in(sentence, parts)) is found


def test_the_table_has_a_row_for_each_way() -> None:
    """With what asking added, where somebody was asked."""
    world = World(thresholds=HEDGING)
    asked = case("How are connections encrypted?", documents=("ADR-0027",))
    alone = world.ask(asked.query)
    world.pipeline = replace(world.pipeline, bench=Bench(judge=Scripted(lambda _: NO)))
    judged = world.ask(asked.query)
    ways = [
        Way(name=name, scores=[scoring.score(Run(case=asked, latency_ms=1.0), reply)])
        for name, reply in (("alone", alone), ("judged", judged))
    ]
    heading, _, first, second = judge_table.markdown(ways).splitlines()
    assert heading.startswith("| way | near misses asserted | hedged | asserted |")
    assert first == "| alone | 0 of 0 | 0 | 0 | 0 | 0.000 | 1 of 1 | 0 of 1 | 1 |  |"
    assert second == "| judged | 0 of 0 | 0 | 0 | 0 | 0.000 | 0 of 0 | 1 of 1 | 1 | 0 ms |"
