"""What golden questions about terms are told: the vocabulary's words, or none but those of sources.

Of the tuning half, by what ships.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from elysia_guard import Guard
from elysia_guard.adapters.skos.rdf import read_concepts
from elysia_guard.domain.response import RAGResponse, ReplyOutcome, Source
from elysia_guard.edge.linking import VOCABULARY
from elysia_guard.evaluation import golden
from elysia_guard.evaluation.golden import Case, Category, Split

DATA = Path(__file__).parents[2] / "data"
ANSWERED = {ReplyOutcome.ASSERTED, ReplyOutcome.HEDGED}
ABOUT_TERMS = {Category.TERMINOLOGY_HIT, Category.TERMINOLOGY_MISS}
Answers = list[tuple[Case, RAGResponse]]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def answers() -> Iterator[Answers]:
    """The answers to those questions of which the vocabulary has the term, and to near ones."""
    cases = golden.load(DATA / "evaluation" / "golden_queries.jsonl").select(Split.TUNING)
    guard = Guard()
    asked = [(case, guard.ask(case.query)) for case in cases if case.category in ABOUT_TERMS]
    yield [(case, reply) for case, reply in asked if reply.outcome in ANSWERED]
    guard.wiring.close()


def of_vocabulary(source: Source) -> bool:
    return source.doc_type == VOCABULARY


def cites_vocabulary(reply: RAGResponse) -> bool:
    return any(of_vocabulary(source) for source in reply.sources)


def test_what_is_answered_as_a_term_cites_the_vocabulary(answers: Answers) -> None:
    """Wherever the vocabulary is asked and has the term."""
    as_terms = [
        (case.query, reply)
        for case, reply in answers
        if reply.intent == "terminology" and case.category is Category.TERMINOLOGY_HIT
    ]
    assert len(as_terms) > 200
    assert [query for query, reply in as_terms if not cites_vocabulary(reply)] == []


def test_no_word_of_a_definition_is_invented(answers: Answers) -> None:
    """What is quoted of a concept stands in the vocabulary's file, under the concept's URI."""
    said: dict[str, set[str]] = {}
    for concept in read_concepts([DATA / "vocabulary" / "vennet.ttl"]):
        texts = (*concept.definitions, *concept.preferred, *concept.alternative)
        said[concept.uri] = {text.value for text in texts}
    told = [source for _, reply in answers for source in reply.sources if of_vocabulary(source)]
    assert len(told) > 200
    assert [source for source in told if source.quote not in said[source.doc_id]] == []


def test_what_is_answered_from_documents_is_rare_hedged_and_in_their_words(
    answers: Answers,
) -> None:
    """Of questions whose term the vocabulary has: read as questions to documents, 2 in 100."""
    hits = [reply for case, reply in answers if case.category is Category.TERMINOLOGY_HIT]
    others = [reply for reply in hits if not cites_vocabulary(reply)]
    assert len(others) <= 0.02 * len(hits)
    assert {reply.outcome for reply in others} <= {ReplyOutcome.HEDGED}
    for reply in others:
        assert reply.validation is not None
        assert reply.validation.sources_verified == reply.validation.sources_total > 0
