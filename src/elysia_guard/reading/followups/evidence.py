"""Which candidate a message asks, by what the texts of documents say of its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from elysia_guard.domain.document import Filters, Passage
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.question import Reference
from elysia_guard.domain.reading import Unclear
from elysia_guard.language.coverage import QueryTerms, passage_words, query_terms
from elysia_guard.ports import PassageIndex, TerminologySource, WordLikeness
from elysia_guard.reading.followups.asked import SENTENCE, Candidates, Whole

MOST_FOUND: Final = 15
MOST_ELSEWHERE: Final = 4
"""Documents that a search finds, of which it is looked how much they tell."""
MARGIN: Final = 0.1
"""By how much one candidate must tell more than another."""
LEAST, LEAST_OF_SENTENCE = 0.34, 0.65
"""What a document must tell at least, with what the wording says for it; of a whole sentence."""
_INITIALS: Final = range(3, 6)


async def chosen(
    found: Candidates,
    *,
    vocabulary: TerminologySource,
    catalogue: PassageIndex,
    alike: WordLikeness,
) -> Whole | Unclear:
    """Return what is asked of the document that tells the most of it; else it stands alone.

    Several that tell as much are asked back where they were listed or named together; of what a
    search quoted, the best is meant. Where the sources are away, the message stands alone.
    """
    try:
        told, elsewhere = await _told(found, vocabulary, catalogue, alike)
    except (SourceUnavailableError, PassageIndexError):
        return found.alone
    listed = found.exclusive or isinstance(found.alone, Unclear)
    first, *others = sorted(told, reverse=True)
    if not listed and told[0] + MARGIN >= first:
        first = told[0]
    candidate = found.among[told.index(first)]
    least = LEAST if candidate.lean > SENTENCE else LEAST_OF_SENTENCE
    if first + candidate.lean < max(elsewhere, least):
        return found.alone
    if listed and (first < LEAST_OF_SENTENCE or any(first - each < MARGIN for each in others)):
        return found.alone
    return candidate.whole


async def _told(
    found: Candidates,
    vocabulary: TerminologySource,
    catalogue: PassageIndex,
    alike: WordLikeness,
) -> tuple[list[float], float]:
    """Tell how much each candidate's document tells, and how much the best of the others."""
    words = query_terms(found.words, found.lang).words
    texts = [await _passages(catalogue, each.document) for each in found.among]
    synonyms = [*await vocabulary.synonyms(found.words, lang=found.lang), *_spelt_out(words, texts)]
    rarity = await catalogue.rarity(words, lang=found.lang)
    terms = query_terms(found.words, found.lang, synonyms, rarity=rarity)
    hits = await catalogue.search(
        terms.expansion, None, filters=Filters(approval=None), limit=MOST_FOUND
    )
    own = {passage.document.id for text in texts for passage in text}
    others = dict.fromkeys(hit.passage.document.id for hit in hits)
    nearest = [each for each in others if each not in own][:MOST_ELSEWHERE]
    found_there = [await catalogue.passages(each) for each in nearest]
    said = (
        word for text in (*texts, *found_there) for each in text for word in passage_words(each)
    )
    likeness = await alike(terms.words, list(dict.fromkeys(said)))
    terms = query_terms(found.words, found.lang, synonyms, rarity=rarity, likeness=likeness)
    elsewhere = max((_share(terms, text) for text in found_there), default=0.0)
    return [_share(terms, text) for text in texts], elsewhere


def _share(terms: QueryTerms, passages: Sequence[Passage]) -> float:
    """Tell how much of what is asked a document says: in its best sentence, and anywhere."""
    if not passages:
        return 0.0
    best = max(map(terms.coverage_by, passages))
    covered = zip(*(terms.degrees_by(each).covered for each in passages), strict=True)
    return (best + terms.share(map(max, covered))) / 2


def _spelt_out(
    words: Sequence[str], texts: Sequence[Sequence[Passage]]
) -> Sequence[tuple[str, str]]:
    """Find the names that words shorten: 'CISO', 'Chief Information Security Officer'."""
    forms = {
        word: re.compile(r"\b" + r"\w*[ -]".join(word) + r"\w+\b", re.IGNORECASE)
        for word in words
        if word.isalpha() and len(word) in _INITIALS
    }
    found = (
        (word, match.group())
        for word, form in forms.items()
        for text in texts
        for each in text
        if (match := form.search(each.in_context))
    )
    return list(dict.fromkeys(found))


async def _passages(catalogue: PassageIndex, reference: Reference) -> Sequence[Passage]:
    """Return what a document and its approval record say."""
    if reference.kind is None:
        return ()
    wanted = Filters(kinds=(reference.kind,), number=reference.number, approval=None)
    found = await catalogue.documents(wanted)
    if reference.id:
        found = [item for item in found if reference.id in {item.id, item.record}]
    return [each for item in found for each in await catalogue.passages(item.id)]
