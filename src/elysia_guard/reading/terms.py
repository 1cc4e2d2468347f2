"""Terms of the vocabulary that a question mentions, by any label of theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from elysia_guard.domain.concept import Label, LabelRole
from elysia_guard.domain.question import Lang
from elysia_guard.language.spelling import unqualified
from elysia_guard.language.stems import is_stop_word, primary, stemmers
from elysia_guard.reading.mentions import PossibleMention, Rank, TermSpan
from elysia_guard.reading.phrases import FoundPhrase, Phrase
from elysia_guard.reading.tokens import Token, words_of

EXACT: Final = 0.98
"""The chance that a term is meant whose label stands there."""
INFLECTED: Final = 0.95


Said = Sequence[tuple[Label, tuple[str, ...]]]
"""Labels, each with its words."""


def said(labels: Iterable[Label]) -> Said:
    """Return labels with their words; one without letters or figures names nothing."""
    found = ((label, words_of(label.text.value)) for label in labels)
    return [(label, words) for label, words in found if words]


def phrases(labels: Said) -> Iterator[Phrase]:
    """Give what to look for: each label, also without what stands in brackets behind it."""
    spoken = cache(lambda tag: tuple(stemmers(tag)))
    for label, words in labels:
        yield Phrase(words, spoken(label.text.lang), label)
        if bare := unqualified(label.text.value):
            yield Phrase(words_of(bare), spoken(label.text.lang), label)


def mentioned(
    found: Iterable[FoundPhrase], text: str, tokens: Sequence[Token], lang: Lang
) -> Iterator[PossibleMention]:
    """Give every mention; they may overlap. Of equals the better label counts alone."""
    spans: dict[tuple[int, int], dict[Label, _Rank]] = defaultdict(dict)
    for item in found:
        label, said = item.phrase.value, tokens[item.first : item.last]
        if isinstance(label, Label) and _says_something(said, label, text, lang):
            spans[item.first, item.last][label] = _rank(item, label)
    for (first, last), ranked in spans.items():
        best = min(ranked.values())
        equal = [label for label, rank in ranked.items() if rank == best]
        spoken = [label for label in equal if primary(label.text.lang) in {lang, None}] or equal
        by_uri = {label.uri: label for label in reversed(spoken)}
        meant = tuple(TermSpan(uri=uri, label=by_uri[uri].text.value) for uri in sorted(by_uri))
        exact = not best[0]
        chance = (EXACT if exact else INFLECTED) / len(meant)
        yield PossibleMention(Rank.KNOWN, first, last, meant, chance, exact)


_Rank = tuple[bool, bool, bool, bool]


def _rank(item: FoundPhrase, label: Label) -> _Rank:
    """Exact before inflected, living before deprecated, names before hidden labels.

    And words that are apart as they are in the label: 'power-transformer' is no 'PowerTransformer'.
    """
    apart = item.last - item.first != len(item.phrase.words)
    return not item.exact, label.deprecated, label.role is LabelRole.HIDDEN, apart


def _says_something(said: Sequence[Token], label: Label, text: str, lang: Lang) -> bool:
    """A letter names nothing, a function word only as an abbreviation: 'IT' is not 'it'."""
    if len(said) > 1:
        return True
    (token,) = said
    langs = {lang, *stemmers(label.text.lang)}
    if len(token.word) > 1 and not any(is_stop_word(token.said, each) for each in langs):
        return True
    written = text[token.start : token.end]
    return written == label.text.value and len(written) > 1 and written.isupper()
