"""The sides of a comparison: what is told of each, and what a sentence may say of it.

A sentence that names a side rests on words of that side, or on words that name it themselves; one
that says something of both rests on words of two at least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from elysia_guard.domain.claim import Claim
from elysia_guard.domain.document import Document, Passage
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Comparison, Named
from elysia_guard.language.claim_words import claim_words
from elysia_guard.language.coverage import QueryTerms, query_terms
from elysia_guard.language.references import find_references

TWO = 2
"""So many sides at least are told of."""


class Side(Protocol):
    """One of the things that are held against each other."""

    @property
    def name(self) -> str:
        """How it is named."""

    def holds(self, passage: Passage) -> bool:
        """Tell whether a passage speaks for it."""

    def is_named_in(self, text: str, lang: Lang) -> bool:
        """Tell whether a text names it."""


@dataclass(frozen=True, slots=True)
class DocumentSide:
    """A document that is compared: its own passages speak for it."""

    document: Document

    @property
    def name(self) -> str:
        """Its name."""
        return self.document.name

    def holds(self, passage: Passage) -> bool:
        """Tell whether a passage is of it."""
        return passage.document.id == self.document.id

    def is_named_in(self, text: str, lang: Lang) -> bool:
        """Tell whether it is named by kind and number, or by its title."""
        identity, title = self.document.identity, self.document.title
        named = bool(identity) and any(each.identity == identity for each in find_references(text))
        return named or (bool(title) and title.casefold() in text.casefold())


@dataclass(frozen=True, slots=True)
class TermSide:
    """A term that is compared: what holds all its words speaks for it."""

    name: str
    terms: QueryTerms

    def holds(self, passage: Passage) -> bool:
        """Tell whether a passage, under its title and headings, holds its words."""
        return self.terms.coverage(passage.in_context, passage.document.lang) >= 1.0

    def is_named_in(self, text: str, lang: Lang) -> bool:
        """Tell whether all its words stand in a text."""
        return self.terms.coverage(text, lang) >= 1.0


def sides_of(inquiry: Inquiry) -> tuple[Side, ...]:
    """Return what a question holds against each other; nothing where it compares nothing."""
    asks, lang = inquiry.asks, inquiry.question.lang
    found: list[Side] = []
    if isinstance(asks, Named):
        # One name may stand for several documents: those are not held against each other.
        several = len(asks.references) > 1
        found += [DocumentSide(item) for item in inquiry.evidence.documents if several]
    elif isinstance(asks, Comparison):
        terms = ((term, query_terms(term, lang)) for term in asks.terms)
        found += [TermSide(term, own) for term, own in terms if own.words]
    return tuple(found) if len(found) > 1 else ()


def astray(
    claim: Claim, passages: Sequence[Passage], sides: Sequence[Side], lang: Lang
) -> tuple[str, ...]:
    """Name the sides that a sentence speaks of without words of theirs; nothing where it may.

    ``lang`` is the language of the question; a word for both counts in that of the source too.
    """
    cited = [
        (passages[each.source - 1], each.words)
        for each in claim.supports
        if 1 <= each.source <= len(passages)
    ]
    words = "\n".join(said for _, said in cited)
    rested = [side for side in sides if any(side.holds(passage) for passage, _ in cited)]
    langs = {lang, *(passage.document.lang or lang for passage, _ in cited)}
    lacking = [
        side.name
        for side in sides
        if side not in rested
        and any(side.is_named_in(claim.text, own) for own in langs)
        and not any(side.is_named_in(words, own) for own in langs)
    ]
    if len(rested) < TWO and _says_both(claim.text, langs) and not _says_both(words, langs):
        lacking += [side.name for side in sides if side not in rested]
    return tuple(dict.fromkeys(lacking))


def under_its_side(
    claim: Claim, passages: Sequence[Passage], sides: Sequence[Side], lang: Lang
) -> Claim:
    """Return a sentence of one compared document with the name of it in front, unless it has it.

    Beside a sentence on another document it would else be read as one on that.
    """
    cited = [passages[each.source - 1] for each in claim.supports]
    documents = [side for side in sides if isinstance(side, DocumentSide)]
    held = [side for side in documents if any(map(side.holds, cited))]
    if len(held) != 1 or not all(map(held[0].holds, cited)):
        return claim
    langs = {lang, *(passage.document.lang or lang for passage in cited)}
    if any(held[0].is_named_in(claim.text, own) for own in langs):
        return claim
    return replace(claim, text=f"{held[0].name}: {claim.text}")


def compared(cited: Sequence[Passage], told: Sequence[Passage], sides: Sequence[Side]) -> bool:
    """Tell whether words of two sides are told, where sources of two were given."""

    def of(passages: Sequence[Passage]) -> int:
        return sum(any(map(side.holds, passages)) for side in sides)

    return of(cited) >= min(TWO, of(told))


def _says_both(text: str, langs: set[str]) -> bool:
    return any(claim_words(lang).both.search(text) for lang in langs)
