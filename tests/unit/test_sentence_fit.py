"""Fitting which sentences are shown, and what that is worth on questions that were not seen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.unit.evaluation_samples import case
from tests.unit.small_world import World

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import sentence_fit
from elysia_guard.evaluation.sentence_examples import Asked, Example, examples, of_file, of_golden
from elysia_guard.evaluation.sentence_table import table
from elysia_guard.running import run_anywhere
from elysia_guard.stages.answering.measures import NAMES, NEARNESS, SECOND

HELD, NEAR = NAMES.index("holds"), NAMES.index("nearness")


def made(corpus: str, count: int, *, compared: bool = True, seed: int = 1) -> list[Example]:
    """Questions of six sentences each: the one that answers holds what is asked, and is near."""
    numbers = np.random.default_rng(seed)
    found = []
    for n in range(count):
        rows = numbers.normal(size=(6, len(NAMES)))
        answers = np.arange(6) == n % 6
        rows[:, HELD] += 3.0 * answers
        if compared:
            rows[:, NEAR] += 3.0 * answers
        else:
            rows[:, [NAMES.index(name) for name in NEARNESS]] = 0.0
        right = np.arange(6) != (n + 1) % 6
        found.append(
            Example(
                id=f"{corpus}-{n}", corpus=corpus, group=f"{corpus}-{n % 7}", compared=compared,
                rows=rows, answers=answers, right=right,
            )
        )  # fmt: skip
    return found


def asked(text: str, quote: str, *ids: str, corpus: str = "own") -> Asked:
    answerable = case(*ids, query=text, expected={"quote": quote})
    (found,) = of_golden([answerable], corpus)
    return found


def measured(*questions: Asked) -> list[Example]:
    async def every() -> list[Example]:
        return [item async for item in examples(World().pipeline, questions)]

    return run_anywhere(every())


class TestExamples:
    def test_every_sentence_found_is_a_row_and_the_answering_one_is_marked(self) -> None:
        """Of documents that answer alone: the same words elsewhere are no answer."""
        (found,) = measured(
            asked("Which fallback for TLS is there?", "TLS 1.2 is a fallback.", "ADR-0027")
        )
        assert found.rows.shape == (len(found.answers), len(NAMES))
        assert found.answers.sum() == 1
        assert found.right[found.answers].all()
        assert (found.corpus, found.group, found.compared) == ("own", "ADR-0027", True)

    @pytest.mark.parametrize(
        ("text", "quote"),
        [
            ("Which fallback for TLS is there?", "Something else altogether."),
            ("is it", "TLS 1.2 is a fallback."),
            ("What does ADR-0027 say of TLS and who owns ADR-0012?", "TLS 1.2 is a fallback."),
        ],
        ids=["not found", "without content words", "of two parts"],
    )
    def test_what_teaches_nothing_is_left_out(self, text: str, quote: str) -> None:
        assert measured(asked(text, quote, "ADR-0027")) == []

    def test_questions_without_a_sentence_are_not_asked(self) -> None:
        """Neither those that nothing answers."""
        assert of_golden([case("ADR-0012"), case()], "own") == []

    def test_another_corpus_is_read_from_a_file(self, tmp_path: Path) -> None:
        """Its documents are named by their paths; a question without an answer is left out."""
        line = {
            "id": "X-1", "corpus": "other", "query": "Which fallback for TLS is there?",
            "documents": ["ADR-0027.md"], "answer": ["TLS 1.2 is a fallback."],
        }  # fmt: skip
        path = tmp_path / "questions.jsonl"
        path.write_text(f"{json.dumps(line)}\n{json.dumps({**line, 'answer': []})}\n", "utf-8")
        (found,) = measured(*of_file(path))
        assert (found.corpus, found.group) == ("other", "ADR-0027")

    @pytest.mark.parametrize("line", ["no json", "[]", '{"answer": ["x"]}'])
    def test_a_line_that_is_no_question_is_named(self, tmp_path: Path, line: str) -> None:
        path = tmp_path / "questions.jsonl"
        path.write_text(line, "utf-8")
        with pytest.raises(GuardError, match=r"questions\.jsonl:1"):
            of_file(path)


class TestFit:
    def test_what_marks_the_answer_is_what_counts(self) -> None:
        """Where nothing is compared by meaning, nearness counts nothing."""
        models = sentence_fit.fit([*made("a", 60), *made("b", 30, compared=False)])
        best = sorted(zip(models.compared, NAMES, strict=True), reverse=True)[:2]
        assert {name for _, name in best} == {"holds", "nearness"}
        assert [models.words_alone[NAMES.index(name)] for name in NEARNESS] == [0.0] * 3
        assert max(zip(models.words_alone, NAMES, strict=True))[1] == "holds"

    def test_the_same_questions_give_the_same_weights(self) -> None:
        first, again = (sentence_fit.fit(made("a", 40)) for _ in range(2))
        assert np.array_equal(first.compared, again.compared)

    def test_too_few_questions_are_told(self) -> None:
        with pytest.raises(GuardError, match="3 question"):
            sentence_fit.fit([*made("a", 3), *made("b", 40, compared=False)])

    @pytest.mark.parametrize(
        ("scores", "rank"), [([3.0, 1.0, 2.0], 2), ([1.0, 1.0, 1.0], 3), ([0.0, 0.0, 5.0], 1)]
    )
    def test_the_place_of_the_first_that_answers(self, scores: Sequence[float], rank: int) -> None:
        """Ties keep the order in which the sentences stand."""
        answers = np.array([False, False, True])
        assert sentence_fit.rank(answers, np.array(scores)) == rank

    def test_a_corpus_is_scored_by_what_has_not_seen_it(self) -> None:
        """A large one by what has not seen the documents either; a lone one by that alone."""
        both = [*made("large", 60), *made("small", 20, seed=2)]
        found = sentence_fit.left_out(both)
        assert {name: len(scored) for name, scored in found.items()} == {
            "large": 60,
            "large, documents left out": 60,
            "small": 20,
        }
        assert all(sentence_fit.worth(scored).shares[1] > 0.8 for scored in found.values())
        assert list(sentence_fit.left_out(both[:60])) == ["large, documents left out"]

    def test_nothing_is_worth_nothing(self) -> None:
        assert sentence_fit.worth([]).shares == (0.0, 0.0)

    def test_what_is_written_names_what_it_was_fitted_on(self) -> None:
        """The model of the vectors, the sets, and how many questions of each corpus."""
        found = [*made("a", 40), *made("b", 12)]
        models = sentence_fit.fit(found)
        held = json.dumps({"second": {"model": "other@1"}, "by_both": {"holds": 2.0}})
        text = sentence_fit.written(models, found, model="m@1", sets={"golden": "abc"}, held=held)
        read = json.loads(text)
        assert (read["model"], read["sets"]) == ("m@1", {"golden": "abc"})
        assert read["questions"] == {"a": 40, "b": 12}
        assert read["compared"].keys() == set(NAMES)
        assert not read["words_alone"].keys() & {*NEARNESS, SECOND}
        assert (read["second"], read["by_both"]) == ({"model": "other@1"}, {"holds": 2.0})

    def test_what_is_fitted_with_a_second_model_leaves_the_rest(self) -> None:
        found = made("a", 40)
        models = sentence_fit.fit(found)
        held = json.dumps({"model": "m@1", "compared": {"holds": 2.0}, "words_alone": {}})
        read = json.loads(
            sentence_fit.written_for_both(models, found, model="two@1", sets={}, held=held)
        )
        assert (read["model"], read["compared"], read["words_alone"]) == ("m@1", {"holds": 2.0}, {})
        assert read["second"] == {"model": "two@1", "sets": {}, "questions": {"a": 40}}
        assert read["by_both"].keys() == set(NAMES)

    def test_the_table_tells_what_each_measure_is_worth(self) -> None:
        """Sizes and seed, what was left out, the weights, and the loss without each of them."""
        found = [*made("a", 20), *made("b", 20, seed=3)]
        told = table(found)
        assert "40 questions (a 20, b 20), 240 sentences" in told
        assert "seed 14" in told
        assert "| a | 20 |" in told
        assert f"| {', '.join(NEARNESS)} |" in told
        assert "without" not in table(found, ablation=False)
