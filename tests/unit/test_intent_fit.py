"""Fitting the small model of wordings, and what it does on questions whose like it has not seen."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from scripts.lab import fit_intents
from scripts.lab.fit_intents import Fitted
from scripts.lab.intent_examples import (
    IntentExample,
    of_golden,
    of_intents,
    of_readings,
)
from scripts.lab.intents import IntentCase
from scripts.lab.readings import ReadingCase

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import IntentKind, Lang, Reference
from elysia_guard.domain.reading import ReadKind
from elysia_guard.evaluation.golden import Case, Category, Expected, ExpectedRoute, Split
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
) -> tuple[IntentExample, ...]:
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


def intent(text: str, kind: IntentKind, **values: object) -> tuple[IntentExample, ...]:
    fields = {"id": "IQ-001", "query": text, "lang": "en", "split": "tuning", "intent": kind}
    return tuple(of_intents([IntentCase.model_validate({**fields, **values})], spot))


def reading(
    text: str, kind: ReadKind, *spans: tuple[str, str | None], number: int = 1, **values: object
) -> tuple[IntentExample, ...]:
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


def made(corpus: str, count: int) -> list[IntentExample]:
    found: list[IntentExample] = []
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
def examples() -> list[IntentExample]:
    return [*made("here", 6), *made("there", 6)]


@pytest.fixture(scope="module")
def fitted(examples: list[IntentExample]) -> Fitted:
    return run_anywhere(fit_intents.fit(HashEmbedder(), examples))


class TestFit:
    def test_a_wording_is_known_over_another_corpus(self, fitted: Fitted) -> None:
        there = [item for item in fitted.judged if item.without == "there"]
        assert sum(item.best is item.example.kind for item in there) >= 0.9 * len(there)
        assert all(0.0 <= item.chance <= 1.0 for item in there)
