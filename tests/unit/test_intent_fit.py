"""Fitting the small model of wordings, and what it does on questions whose like it has not seen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.question import IntentKind, Lang, Reference
from elysia_guard.domain.reading import ReadKind
from elysia_guard.evaluation import intent_fit, softmax
from elysia_guard.evaluation.golden import Case, Category, Expected, ExpectedRoute, Split
from elysia_guard.evaluation.intent_examples import (
    Example,
    digest,
    of_golden,
    of_intents,
    of_readings,
)
from elysia_guard.evaluation.intent_fit import Fitted
from elysia_guard.evaluation.intent_table import table
from elysia_guard.evaluation.intents import IntentCase
from elysia_guard.evaluation.readings import ReadingCase
from elysia_guard.reading.masks import DOCUMENT, KINDS, TERM
from elysia_guard.reading.mentions import TermSpan
from elysia_guard.reading.spans import Span
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder

URN = "urn:"
KNOWN = {"busbar", "feeder", "switch"}
SAID = {
    ReadKind.DEFINITION: "no clue what a {term} might be, says number {n}",
    ReadKind.NAMED: "who signed {document} back then, number {n}",
    ReadKind.LISTING: "give me every policy that we have in force, {n}",
    ReadKind.COMPARISON: "is {term} or {other} the larger, ask number {n}",
    ReadKind.SEARCH: "how long may the recordings be kept by team {n}",
    ReadKind.SMALL_TALK: "cheers mate, thanks and goodbye, {n}",
    ReadKind.UNCLEAR: "and that other one then, {n}",
}


def spot(text: str, _lang: Lang) -> Sequence[Span]:
    """Find the terms that are known, and ADR-12."""
    found = []
    for word in sorted({*KNOWN, "ADR-12"}):
        place = text.find(word)
        while place >= 0:
            term = TermSpan(uri=f"{URN}{word}", label=word)
            number = Reference(number=12, written=word, kind=DocumentKind.DECISION)
            means = number if word == "ADR-12" else term
            found.append(Span(start=place, end=place + len(word), text=word, means=means))
            place = text.find(word, place + 1)
    return found


def golden(
    text: str, category: Category, *answers: str, case_id: str = "GS-001"
) -> tuple[Example, ...]:
    expected = Expected(
        route=ExpectedRoute.SEMANTIC,
        abstain=not answers,
        doc_types=("Vocabulary",) if answers else (),
        doc_ids=answers,
    )
    case = Case(
        id=case_id,
        query=text,
        category=category,
        lang="en",
        split=Split.TUNING,
        expected=expected,
    )
    return tuple(of_golden([case], spot))


def intent(text: str, kind: IntentKind, **values: object) -> tuple[Example, ...]:
    fields = {"id": "IQ-001", "query": text, "lang": "en", "split": "tuning", "intent": kind}
    return tuple(of_intents([IntentCase.model_validate({**fields, **values})], spot))


def reading(
    text: str, kind: ReadKind, *spans: tuple[str, str | None], number: int = 1, **values: object
) -> tuple[Example, ...]:
    part = {"kind": kind, "spans": [{"text": said, "means": means} for said, means in spans]}
    fields = {
        "id": f"RD-{number:04}",
        "corpus": "here",
        "lang": "en",
        "split": "tuning",
        "style": [],
        "question": text,
        "parts": [part],
        "sources": [],
    }
    case = ReadingCase.model_validate({**fields, **values})
    return tuple(of_readings([case], lambda _: spot))


class TestExamples:
    def test_the_category_of_a_golden_question_tells_its_kind(self) -> None:
        (asked,) = golden("what might a busbar be", Category.TERMINOLOGY_HIT, "urn:busbar")
        (listed,) = golden("all our policies please", Category.NON_TERMINOLOGY_LIST)
        (named,) = golden("who signed ADR-12", Category.ADR_RETRIEVAL)
        (searched,) = golden("who may sign what", Category.ADR_RETRIEVAL)
        kinds = [item.kind for item in (asked, listed, named, searched)]
        assert kinds == [
            ReadKind.DEFINITION,
            ReadKind.LISTING,
            ReadKind.NAMED,
            ReadKind.SEARCH,
        ]
        assert asked.text == f"what might a {TERM} be"
        assert named.text == f"who signed {DOCUMENT}"

    def test_a_question_that_lets_the_vocabulary_fail_teaches_nothing(self) -> None:
        assert not golden("what is a busbar", Category.TERMINOLOGY_TIMEOUT)

    def test_the_term_that_is_meant_is_told_from_one_beside(self) -> None:
        """Of several terms each is masked by itself, once."""
        whole, *each = golden(
            "the busbar and the feeder; what might a busbar be",
            Category.TERMINOLOGY_HIT,
            "urn:busbar",
        )
        assert whole.text == f"the {TERM} and the {TERM}; what might a busbar be"
        assert whole.is_whole
        assert [(item.text.count(TERM), item.of_term, item.weight) for item in each] == [
            (1, True, 0.5),
            (1, False, 0.5),
        ]

    def test_another_term_than_the_one_that_stands_there_may_be_meant(self) -> None:
        (missed,) = golden("what might a busbar coupler be", Category.TERMINOLOGY_MISS)
        assert missed.of_term is False

    def test_two_terms_that_answer_are_compared(self) -> None:
        found = golden("busbar or feeder?", Category.TERMINOLOGY_HIT, "urn:busbar", "urn:feeder")
        assert {item.kind for item in found} == {ReadKind.COMPARISON}

    def test_the_intent_of_a_question_tells_its_kind(self) -> None:
        (asked,) = intent("what is a busbar", IntentKind.TERMINOLOGY, term="busbar")
        assert (asked.kind, asked.of_term) == (ReadKind.DEFINITION, True)
        (named,) = intent("what does ADR-12 say on it", IntentKind.SINGLE_COLLECTION)
        assert named.kind is ReadKind.NAMED
        compared = intent("difference between busbar and feeder", IntentKind.OPEN,
                          term="difference between busbar and feeder")  # fmt: skip
        assert {item.kind for item in compared} == {ReadKind.COMPARISON}
        assert not intent("busbar", IntentKind.OPEN, term="busbar")

    def test_what_is_labelled_is_masked_and_what_else_is_known(self) -> None:
        found = reading(
            "who owns the bus record, and its switch?", ReadKind.NAMED, ("bus record", "POL-0003")
        )
        assert [item.text for item in found] == [f"who owns the {DOCUMENT}, and its {TERM}?"]

    def test_what_is_not_there_is_not_masked(self) -> None:
        (found,) = reading("what is a gizmo?", ReadKind.DEFINITION, ("gizmo", None))
        assert found.text == "what is a gizmo?"

    def test_documents_that_are_compared_are_named(self) -> None:
        spans = (("ADR-12", "ADR-0012"), ("13", "ADR-0013"))
        (found,) = reading("ADR-12 against 13?", ReadKind.COMPARISON, *spans)
        assert (found.kind, found.documents) == (ReadKind.NAMED, 2)

    def test_terms_that_are_compared_are_compared(self) -> None:
        spans = (("busbar", "term:busbar"), ("rail", "term:rail"))
        found = reading("busbar against rail?", ReadKind.COMPARISON, *spans)
        assert {item.kind for item in found} == {ReadKind.COMPARISON}

    def test_a_question_of_several_parts_is_not_one_example(self) -> None:
        parts = [{"kind": "search"}, {"kind": "search"}]
        assert not reading("this and that?", ReadKind.SEARCH, parts=parts)

    def test_the_hash_is_that_of_what_is_learnt(self) -> None:
        one = golden("who may sign what", Category.ADR_RETRIEVAL)
        assert digest(one) == digest(one)
        assert digest(one) != digest([replace(one[0], kind=ReadKind.LISTING)])


def made(corpus: str, count: int) -> list[Example]:
    found: list[Example] = []
    for number in range(count):
        for kind, said in SAID.items():
            text = said.format(term="busbar", other="feeder", document="ADR-12", n=number)
            spans = [(word, f"term:{word}") for word in sorted(KNOWN) if word in text]
            spans += [("ADR-12", "ADR-0012")] if "ADR-12" in text else []
            found += reading(text, kind, *spans, number=number, corpus=corpus)
        text = f"no clue what a busbar coupler might be, says number {number}"
        found += golden(text, Category.TERMINOLOGY_MISS, case_id=f"GS-{number:03}")
    return found


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return [*made("here", 6), *made("there", 6)]


@pytest.fixture(scope="module")
def fitted(examples: list[Example]) -> Fitted:
    return run_anywhere(intent_fit.fit(HashEmbedder(), examples))


class TestFit:
    def test_each_corpus_and_set_is_judged_by_what_has_not_seen_it(self, fitted: Fitted) -> None:
        names = {item.without for item in fitted.judged}
        assert names == {"here", "there", "demo"}
        assert all(item.example.is_whole for item in fitted.judged)

    def test_a_wording_is_known_over_another_corpus(self, fitted: Fitted) -> None:
        there = [item for item in fitted.judged if item.without == "there"]
        assert sum(item.best is item.example.kind for item in there) >= 0.9 * len(there)
        assert all(0.0 <= item.chance <= 1.0 for item in there)

    def test_the_same_questions_give_the_same_weights(
        self, fitted: Fitted, examples: list[Example]
    ) -> None:
        again = run_anywhere(intent_fit.fit(HashEmbedder(), examples))
        sets = {"readings.jsonl": "abc"}
        texts = {intent_fit.written(item, model="hash@1", sets=sets) for item in (fitted, again)}
        assert len(texts) == 1

    def test_the_file_says_what_it_was_fitted_on(
        self, fitted: Fitted, examples: list[Example]
    ) -> None:
        read = json.loads(intent_fit.written(fitted, model="hash@1", sets={"a.jsonl": "abc"}))
        assert read["model"] == "hash@1"
        assert read["sets"] == {"a.jsonl": "abc"}
        assert read["training_hash"] == digest(examples)
        assert read["examples"] == len(examples)
        assert {len(row) for row in read["kinds"]} == {len(KINDS)}
        assert len(read["term"]) == len(read["kinds"])

    def test_too_little_is_refused(self, examples: list[Example]) -> None:
        with pytest.raises(GuardError, match="too few"):
            run_anywhere(intent_fit.fit(HashEmbedder(), examples[:8]))

    def test_the_table_holds_forms_and_model_against_each_other(self, fitted: Fitted) -> None:
        told = table(fitted)
        assert "there, by a model of the others" in told
        assert "forms, then model from 0.7" in told
        assert "calibration error" in told


class TestSoftmax:
    INPUTS = np.array([[x, y] for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)] * 3)
    LABELS = np.array([0 if x < 0 else 1 if y < 0 else 2 for x, y in INPUTS])

    def test_kinds_apart_are_told_apart(self) -> None:
        found = softmax.fit(self.INPUTS, self.LABELS, penalties=0.01)
        chances = softmax.probabilities(self.INPUTS, found)
        assert (chances.argmax(axis=1) == self.LABELS).all()
        assert chances.sum(axis=1) == pytest.approx(1.0)

    def test_a_kind_that_does_not_occur_is_unlikely(self) -> None:
        found = softmax.fit(self.INPUTS, self.LABELS, penalties=0.1, kinds=4)
        assert softmax.probabilities(self.INPUTS, found)[:, 3].max() < 0.05

    def test_what_weighs_nothing_teaches_nothing(self) -> None:
        weights = (self.LABELS != 2).astype(float)
        found = softmax.fit(self.INPUTS, self.LABELS, penalties=0.1, weights=weights)
        assert softmax.probabilities(self.INPUTS, found)[:, 2].max() < 0.05

    def test_chances_that_are_too_sure_are_cooled(self) -> None:
        """Nine in ten are right, and 0.999 is said."""
        labels = np.array([0] * 9 + [1])
        said = np.array([[0.999, 0.001]] * 10)
        heat = softmax.temperature(said, labels)
        cooled = said[0] ** (1 / heat) / (said[0] ** (1 / heat)).sum()
        assert cooled[0] == pytest.approx(0.9, abs=0.01)
        assert softmax.calibration_error(said, labels) == pytest.approx(0.099, abs=0.001)

    def test_what_counts_more_decides_the_heat(self) -> None:
        labels = np.array([0] * 9 + [1])
        said = np.array([[0.9, 0.1]] * 10)
        right_alone = softmax.temperature(said, labels, weights=np.array([1.0] * 9 + [0.0]))
        assert right_alone < softmax.temperature(said, labels)
