"""TD-080's criteria by model and language: what is counted, and what the table says of it."""

from __future__ import annotations

import re
from collections import Counter

from tests.unit.evaluation_samples import SENTENCE, WANTED, case, four, response, scored

from elysia_guard.config import home
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.evaluation import golden
from elysia_guard.evaluation.adversaries.policies import POLICIES
from elysia_guard.evaluation.adversaries.tally import Counted, Leak
from elysia_guard.evaluation.adversaries.told import Kind, Made
from elysia_guard.evaluation.by_model import ALL, Asked, figures, markdown

INVENTED = Made(text="It is kept for 37 days.", kind=Kind.NUMBER)
CELLS = re.compile(r"\s*\|\s*")


def came_of(question: str, *, shown: bool = False) -> Counted:
    return Counted(
        question=question,
        made=Counter({Kind.NUMBER: 2}),
        leaks=(Leak(question=question, made=INVENTED),) if shown else (),
        right=4,
        kept=3,
        ms=0.0,
        written=True,
    )


def asked(*, leaks: bool = False) -> list[Asked]:
    """Four questions in 10, 20, 30 and 40 ms, of which a model wrote on the first and the last."""
    first, second, refused, near = four()
    return [
        Asked(score=first, counted=came_of("GS-001"), without_ms=4.0, model_ms=5.0),
        Asked(score=second, without_ms=20.0),
        Asked(score=refused, without_ms=30.0),
        Asked(score=near, counted=came_of("GS-004", shown=leaks), without_ms=10.0, model_ms=25.0),
    ]


def rows(text: str) -> dict[tuple[str, str], list[str]]:
    lines = [CELLS.split(line.strip("| ")) for line in text.splitlines() if line.startswith("| ")]
    kept = [cells for cells in lines if len(cells) > 4 and not cells[0].startswith("-")]
    return {(cells[0], cells[1].strip("*")): cells for cells in kept}


def test_the_criteria_are_counted() -> None:
    """Three of the four have an answer; one of them is refused, and the near miss is answered."""
    found = figures(asked(leaks=True))
    assert (found.asked, found.reached, found.written) == (4, 2, 2)
    assert (found.made, found.shown, found.questions_shown) == (4, 1, 1)
    assert (found.right, found.kept) == (8, 6)
    assert (found.answerable, found.wrong_refusals) == (3, 1)
    assert (found.near_misses, found.near_answered) == (1, 1)
    assert found.invention_rate == 0.25
    assert round(found.refusal_rate, 3) == 0.333


def test_a_refusal_that_mentions_what_answers_is_a_wrong_one_too() -> None:
    """It is counted apart as well; the count of all wrong refusals does not shrink by it."""
    refusing = RefusalReason.LOW_CONFIDENCE
    told = [
        scored(case("ADR-0012", **WANTED), response(answer=f"> {answer}", reason=refusing))
        for answer in (SENTENCE, "They are kept.", "Gates are green.")
    ]
    found = figures([Asked(score=score) for score in told])
    assert (found.answerable, found.wrong_refusals, found.silent_refusals) == (3, 3, 2)
    table = markdown([("quotes alone", [Asked(score=score) for score in told])])
    assert "| wrong refusals | 10% | 100.0% | all alike |" in table
    assert "| the same without those that mention what answers | 10% | 66.7% |" in table


def test_the_time_added_is_beside_the_same_question_without_a_model() -> None:
    """6 and 30 ms are added; without what the model took, 1 and 5."""
    found = figures(asked())
    assert (found.added_p50_ms, found.added_p95_ms) == (6.0, 30.0)
    assert found.guard_p95_ms == 5.0


def test_nothing_asked_is_nothing_counted() -> None:
    found = figures([])
    assert (found.invention_rate, found.added_p95_ms) == (0.0, 0.0)
    assert (found.refusal_rate, found.silent_rate) == (0.0, 0.0)


def test_each_model_has_a_row_of_each_language() -> None:
    alone = [Asked(score=score) for score in four()]
    told = rows(markdown([("quotes alone", alone), ("right", asked())]))
    assert list(told) == [
        ("model", "language"),
        *((model, lang) for model in ("quotes alone", "right") for lang in (ALL, "en", "nl")),
    ]
    assert told["right", "en"][2:9] == ["3", "2", "2", "4", "0", "6 of 8", "0 of 2 (0.0%)"]
    assert told["right", "nl"][8:10] == ["1 of 1 (100.0%)", "1 (100.0%)"]
    assert not any("ms" in cell for cell in told["quotes alone", ALL])


def test_the_worst_of_those_that_were_asked_all_is_named() -> None:
    """A model that was asked some questions alone is held against no other."""
    some = [Asked(score=four()[2])]
    told = markdown([("quotes alone", asked()), ("leaky", asked(leaks=True)), ("slow", some)])
    assert "| questions shown something invented | 5% | 25.0% | leaky |" in told
    assert "| wrong refusals | 10% | 33.3% | all alike |" in told
    assert "time | 100 ms | 5 ms | all alike |" in told


def test_the_document_tells_every_wrong_refusal_first() -> None:
    """All of them; what a refusal mentions makes it no right one, and is told after it."""
    text = (home() / "docs" / "adversaries.md").read_text(encoding="utf-8")
    table = text.partition("<!-- models: begin -->")[2].partition("<!-- models: end -->")[0]
    (alone,) = [cells for key, cells in rows(table).items() if key == ("quotes alone", ALL)]
    refused, answerable = map(int, alone[8].split(" (")[0].split(" of "))
    silent = int(alone[9].split()[0])
    assert 0 < silent <= refused < answerable
    strict, mild = table.index("| wrong refusals | 10% |"), table.index("| the same without")
    assert strict < mild
    assert f"| wrong refusals | 10% | {refused / answerable:.1%} |" in table


def test_the_document_has_every_model_in_every_language() -> None:
    """Nothing that any of them invented was shown when the table was made: `make models`."""
    text = (home() / "docs" / "adversaries.md").read_text(encoding="utf-8")
    table = text.partition("<!-- models: begin -->")[2].partition("<!-- models: end -->")[0]
    told = rows(table)
    cases = golden.load(home() / "data" / "evaluation" / "golden_queries.jsonl").cases
    langs = {ALL} | {case.lang for case in cases}
    assert {(model, lang) for model in POLICIES for lang in langs} <= told.keys()
    assert all(cells[6] == "0" for key, cells in told.items() if key != ("model", "language"))
