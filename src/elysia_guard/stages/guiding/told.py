"""Which units a model is told: of named and near documents what is likeliest to answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from elysia_guard.domain.document import Document, Hit, Passage, SectionRole
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.pointing import MAX_UNIT_CHARS, UnitOfSource
from elysia_guard.domain.question import Lang
from elysia_guard.language.coverage import asked_of, query_terms
from elysia_guard.language.sentences import Unit, paragraphs
from elysia_guard.ports import PassageIndex

MOST_FOUND = 2
"""Documents that are told beside those of the plan."""
FUSED = 60
"""Reciprocal rank fusion counts a place as 1 / (60 + place)."""


def told_documents(
    planned: Sequence[Document],
    lists: Sequence[Sequence[Hit]],
    beyond: Collection[Document],
) -> list[Document]:
    """The documents that are told: those of the plan and the nearest others.

    Where several lists were found, a document counts by its places in them.
    """
    known: dict[str, Document] = {}
    places: Counter[str] = Counter()
    for hits in lists:
        documents = list({hit.passage.document.id: hit.passage.document for hit in hits}.items())
        for place, (name, document) in enumerate(documents):
            known.setdefault(name, document)
            places[name] += 1 / (FUSED + place)  # type: ignore[assignment]
    known_before = {item.id for item in beyond}
    first = [item for item in planned if item.id not in known_before]
    named = known_before | {item.id for item in first}
    nearest = [known[name] for name, _ in places.most_common() if name not in named]
    return [*first, *nearest[: MOST_FOUND if first else MOST_FOUND + 1]]


async def texts_of(
    index: PassageIndex, documents: Sequence[Document], first: Collection[str]
) -> Mapping[str, Sequence[Passage]]:
    """The passages of documents, by their names; last the approval records of the ``first``."""
    names = [item.id for item in documents]
    records = [item.record for item in documents if item.record and item.id in first]
    return {name: await index.passages(name) for name in dict.fromkeys((*names, *records))}


def told_units(
    passages: Mapping[str, Sequence[Passage]],
    lists: Sequence[Sequence[Hit]],
    words: str,
    lang: Lang,
    max_chars: int,
) -> list[UnitOfSource]:
    """The units that are told: of each document the likeliest passages, by turns, that fit.

    They stand in the order of the documents, each in its own order.
    """
    terms = query_terms(words, lang)
    scores: Counter[str] = Counter()
    for hits in lists:
        for place, hit in enumerate(hits):
            scores[hit.passage.id] += 1 / (FUSED + place)  # type: ignore[assignment]

    def likelier(item: Passage) -> tuple[float, float, int]:
        told = item.role != SectionRole.PARTICULARS
        return (-scores[item.id] * told, -terms.coverage_by(item) * told, item.position)

    # The likelier a document, the more of it: of the second half as much as of the first.
    ranked = [
        ((place + 1) * rank, place, item)
        for place, items in enumerate(passages.values())
        for rank, item in enumerate(sorted(items, key=likelier), start=1)
    ]
    left, taken = max_chars, set[str]()
    for *_, item in sorted(ranked, key=lambda each: each[:2]):
        length = sum(min(len(unit.text), MAX_UNIT_CHARS) for unit in _units(item))
        if length <= left or not taken:
            taken.add(item.id)
            left -= length
    return [
        UnitOfSource(passage=item, at=at, text=unit.text)
        for items in passages.values()
        for item in items
        if item.id in taken
        for at, unit in enumerate(_units(item))
    ]


def _units(passage: Passage) -> Sequence[Unit]:
    return paragraphs(passage.text, passage.document.lang)


def is_related(unit: UnitOfSource, words: str, evidence: Evidence, lang: Lang) -> bool:
    """Whether a unit, under its title and headings, shares a word with what is asked.

    A word of like meaning counts, and the name of a word in another language.
    """
    terms = asked_of(evidence, words, lang)
    passage = unit.passage
    text = f"{passage.document.title}\n{passage.section}\n{unit.text}"
    return not terms.words or terms.coverage(text, passage.document.lang or lang) > 0
