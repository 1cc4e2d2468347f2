"""What the parts of a question found, as one inquiry that a model writes one answer to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from elysia_guard.domain.document import Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import Search
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.language.coverage import asked_of, query_terms
from elysia_guard.stages.writing.told import told_of

FEWEST = 2
"""A question that is taken apart has so many parts at least."""
LEAST_TOLD = 0.5
"""The share of a question that its parts hold which are answered. Of 359 tuning questions without
an answer that the gates refuse, a planner that cuts anywhere and a writer that copies anything got
63 answered without this, 28 from 0.3 on, 17 from 0.4 and 11 from here."""


def as_one(parts: Sequence[Inquiry]) -> Inquiry:
    """Return one inquiry of several parts that are answered: it asks them all, one after another.

    What each would be told of comes in turns, so that every part has its say.
    """
    first = parts[0]
    text = " ".join(each.question.text for each in parts)
    told = [list(_hits_told(each)) for each in parts]
    hits = _each_once(hit for row in zip_longest(*told) for hit in row if hit)
    verdicts = [each.decided() for each in parts]
    return replace(
        first,
        question=replace(first.question, text=text),
        part=replace(first.part, asks=Search(topic=text), text=text),
        evidence=_of_all([each.evidence for each in parts]),
        verdict=replace(
            verdicts[0],
            confidence=min(each.confidence for each in verdicts),
            support=hits,
            ranking=hits,
            beside=_each_once(hit for each in verdicts for hit in each.beside),
        ),
        further=(),
    )


def found_by(
    inquiry: Inquiry, parts: Sequence[str], passed: Sequence[Verdict], *, ceiling: float
) -> Inquiry:
    """Return a refused inquiry as one that asks what some parts of it found, and that alone.

    It is no surer than the least sure of these parts, and than ``ceiling``.
    """
    text = " ".join(parts)
    hits = _each_once(
        hit for row in zip_longest(*(each.support for each in passed)) for hit in row if hit
    )
    known = _each_once((*hits, *inquiry.evidence.hits))
    return replace(
        inquiry,
        question=replace(inquiry.question, text=text, typed=inquiry.question.asked),
        part=replace(inquiry.part, asks=Search(topic=text), text=text),
        evidence=replace(inquiry.evidence, hits=known),
        verdict=Verdict(
            outcome=Outcome.ANSWER,
            confidence=min(ceiling, *(each.confidence for each in passed)),
            readings=tuple(reading for each in passed for reading in each.readings),
            subject=inquiry.decided().subject,
            support=hits,
            ranking=hits,
        ),
    )


def is_taken_apart(inquiry: Inquiry, parts: Sequence[str]) -> bool:
    """Tell whether parts are those of the question: of its own words, with none of them left out.

    A search in other words may find more; it is no part of what is asked.
    """
    question = inquiry.question
    whole = query_terms(question.text, question.lang)
    own = [query_terms(part, question.lang) for part in parts]
    held = {word for part in parts for word in whole.covered_by(part, question.lang)}
    added = any(
        set(each.words) - each.covered_by(question.text, question.lang) or not each.words
        for each in own
    )
    return len(parts) >= FEWEST and not added and held.issuperset(whole.words)


def is_most_of(inquiry: Inquiry, parts: Sequence[str]) -> bool:
    """Tell whether parts hold half of what is asked at least, each word by how rare it is.

    A part of common words is found in any sources, and says nothing of the rest.
    """
    question = inquiry.question
    whole = asked_of(inquiry.evidence, question.text, question.lang)
    held = {word for part in parts for word in whole.covered_by(part, question.lang)}
    weights = dict(zip(whole.words, whole.weights, strict=True))
    return sum(weights[word] for word in held) >= LEAST_TOLD * whole.weight


def untold(inquiry: Inquiry, parts: Sequence[str]) -> tuple[str, ...]:
    """Return the content words of a question that none of some parts of it holds."""
    question = inquiry.question
    whole = query_terms(question.text, question.lang)
    held = {word for part in parts for word in whole.covered_by(part, question.lang)}
    return tuple(word for word in whole.words if word not in held)


def _hits_told(inquiry: Inquiry) -> Iterator[Hit]:
    aside = {hit.passage.id for hit in inquiry.decided().beside}
    known = {hit.passage.id: hit for hit in inquiry.evidence.hits}
    for passage in told_of(inquiry):
        if passage.id in known and passage.id not in aside:
            yield known[passage.id]


def _each_once(hits: Sequence[Hit] | Iterator[Hit]) -> tuple[Hit, ...]:
    first: dict[str, Hit] = {}
    for hit in hits:
        first.setdefault(hit.passage.id, hit)
    return tuple(first.values())


def _of_all(found: Sequence[Evidence]) -> Evidence:
    """Put evidence together: all that was found, and what is known of words."""
    rarity: dict[str, float] = {}
    likeness: dict[str, Mapping[str, float]] = {}
    for each in reversed(found):
        rarity |= each.rarity
        likeness |= each.likeness
    documents = {item.id: item for each in found for item in each.documents}
    return replace(
        found[0],
        hits=_each_once(hit for each in found for hit in each.hits),
        documents=tuple(documents.values()),
        absent=tuple(dict.fromkeys(item for each in found for item in each.absent)),
        missing=tuple(dict.fromkeys(item for each in found for item in each.missing)),
        fallbacks=tuple(dict.fromkeys(item for each in found for item in each.fallbacks)),
        synonyms=tuple(dict.fromkeys(item for each in found for item in each.synonyms)),
        rarity=rarity,
        likeness=likeness,
    )
