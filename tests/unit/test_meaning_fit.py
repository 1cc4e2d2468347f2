"""Fitting the models that hear a question for a meaning, and what they do unseen."""

from __future__ import annotations

import json

import pytest

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import meaning_fit
from elysia_guard.evaluation.golden import Case, Category, Expected, ExpectedRoute, Split
from elysia_guard.evaluation.meaning_fit import Example
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.terminology import CONCEPTS, FakeTerminology

HIT, MISS, OTHER = (
    Category.TERMINOLOGY_HIT,
    Category.TERMINOLOGY_MISS,
    Category.SEMANTIC_SEARCH,
)
SAID = {
    HIT: "No clue what a transformer might be, says number {}",
    MISS: "No clue what a hidden transformer coupling might be, says number {}",
    OTHER: "Who approved the budget of that transformer before March {}",
}
LEAST = 12


def case(number: int, category: Category, text: str | None = None) -> Case:
    return Case(
        id=f"GS-{number:03}",
        query=text or SAID[category].format(number),
        category=category,
        lang="en",
        split=Split.TUNING,
        expected=Expected(route=ExpectedRoute.SEMANTIC, abstain=True, doc_types=(), doc_ids=()),
        tags=(),
    )


def mentions(*cases: Case) -> list[Example]:
    source = FakeTerminology(CONCEPTS)
    return run_anywhere(meaning_fit.examples(source, cases, default="en"))


@pytest.fixture(scope="module")
def found() -> list[Example]:
    kinds = (HIT, MISS, OTHER)
    return mentions(*(case(n, kinds[n % 3]) for n in range(LEAST * 3)))


def test_each_term_of_a_question_is_a_mention() -> None:
    made = mentions(case(1, OTHER, "a meter on a transformer"), case(2, OTHER, "neither of them"))
    assert sorted(item.mention.masked for item in made) == [
        "a XYZ on a transformer",
        "a meter on a XYZ",
    ]
    assert {item.mention.traits.others for item in made} == {1}


def test_the_three_kinds_are_told_apart_unseen(found: list[Example]) -> None:
    """The meaning of the term is likely; that of another, or none at all, is not."""
    fitted = run_anywhere(meaning_fit.fit(HashEmbedder(), found))
    assert fitted.mentions == len(found)
    assert fitted.count({HIT}) == fitted.count({MISS}) == fitted.count({OTHER}) == LEAST
    assert fitted.count({HIT}, at_least=0.5) == LEAST
    assert fitted.count({MISS, OTHER}, at_least=0.5) == 0


def test_the_file_says_what_it_was_fitted_on(found: list[Example]) -> None:
    embedder = HashEmbedder()
    fitted = run_anywhere(meaning_fit.fit(embedder, found))
    read = json.loads(meaning_fit.written(fitted, model=embedder.model_id, golden_set_hash="abc"))
    traits = len(found[0].mention.traits.values)
    assert (read["model"], read["golden_set_hash"]) == ("hash@1", "abc")
    assert read["questions"] == LEAST * 3
    assert len(read["asked"]) == 1 + embedder.dimension
    assert len(read["whole"]) == 1 + embedder.dimension + traits


@pytest.mark.parametrize("categories", [(), (HIT, MISS), (HIT, OTHER), (MISS, OTHER)])
def test_too_little_to_learn_from_is_an_error(categories: tuple[Category, ...]) -> None:
    made = [case(n, categories[n % 2]) for n in range(LEAST)] if categories else [case(1, HIT)]
    with pytest.raises(GuardError, match="a fit needs at least"):
        run_anywhere(meaning_fit.fit(HashEmbedder(), mentions(*made)))
