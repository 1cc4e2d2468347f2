"""Which of the concepts that were found does a term name?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from elysia_guard.domain.concept import Concept, LabelRole, TermMatch, Text
from elysia_guard.domain.question import Lang
from elysia_guard.language.text import normalise


def named(concepts: Iterable[Concept], term: str, lang: Lang) -> tuple[TermMatch, ...]:
    """Return the concepts with this label, by vocabulary and URI.

    Living concepts win over deprecated ones, names over hidden labels, and labels in the asked
    language (or in none) over those in others. All that remain count: none is the first.
    """
    key = normalise(term)
    ordered = sorted(concepts, key=lambda concept: (concept.vocabulary, concept.uri))
    found = [
        TermMatch(concept=concept, label=label, role=role)
        for concept in ordered
        for label, role in _labels(concept)
        if normalise(label.value) == key
    ]
    return _once_each(next(filter(None, _tiers(found)), []), lang)


def _labels(concept: Concept) -> Iterator[tuple[Text, LabelRole]]:
    yield from ((text, LabelRole.PREFERRED) for text in concept.preferred)
    yield from ((text, LabelRole.ALTERNATIVE) for text in concept.alternative)
    yield from ((text, LabelRole.HIDDEN) for text in concept.hidden)


def _tiers(found: Sequence[TermMatch]) -> Iterator[list[TermMatch]]:
    for deprecated in (False, True):
        for hidden in (False, True):
            yield [
                match
                for match in found
                if match.concept.deprecated is deprecated
                and (match.role is LabelRole.HIDDEN) is hidden
            ]


def _once_each(found: Sequence[TermMatch], lang: Lang) -> tuple[TermMatch, ...]:
    spoken = [m for m in found if (m.label.lang or lang).partition("-")[0].lower() == lang]
    once: dict[str, TermMatch] = {}
    for match in spoken or found:
        once.setdefault(match.concept.uri, match)
    return tuple(once.values())
