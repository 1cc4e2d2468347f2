"""What a question mentions that is known: terms of the vocabulary, titles and numbers of documents.

Every mention is a span with an identity, found before anything is read from the question's form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple, Self

from elysia_guard.domain.concept import Label, LabelRole
from elysia_guard.domain.document import Document
from elysia_guard.domain.loading import uncollected
from elysia_guard.domain.question import Lang
from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import langs
from elysia_guard.language.spelling import NearSpellings, is_slip, most_slips
from elysia_guard.language.stems import is_stop_word, stem
from elysia_guard.reading import terms
from elysia_guard.reading.mentions import Meant, PossibleMention
from elysia_guard.reading.naming_words import naming_words
from elysia_guard.reading.numbers import Numbers
from elysia_guard.reading.terms import Phrases
from elysia_guard.reading.titles import Titles
from elysia_guard.reading.tokens import Token, tokens_of

_MOST_KEPT: Final = 5_000
"""Words of which it is remembered how they are spelt."""
MISTYPED: Final = 0.85
"""What a chance is worth where a word was mistyped, of 1."""
SHORTEST_ALONE: Final = 7
"""Letters of a mistyped word that is a term by itself."""


class Slips:
    """Finds the word that was meant among many, in less than a tenth of a millisecond."""

    def __init__(self, words: Collection[str], others: Collection[str]) -> None:
        """Take the words that may be meant, and others that are well spelt too."""
        self._known = frozenset(words) | frozenset(others)
        self._stems = {(lang, stem(word, lang)) for word in words for lang in langs()}
        self._near = NearSpellings(dict.fromkeys(words, 1))
        self._is_known = lru_cache(maxsize=_MOST_KEPT)(self._spelt)
        self._is_meant = lru_cache(maxsize=_MOST_KEPT)(self._meant)

    def mended(self, tokens: Sequence[Token], known: Collection[str] = ()) -> list[Token]:
        """Return the words of a text as they are meant, each mistyped one replaced.

        ``known`` are words in lower case that are meant as they are.
        """
        return [token if token.word in known else self._mended(token) for token in tokens]

    def _mended(self, token: Token) -> Token:
        if not most_slips(token.word) or self.knows(token):
            return token
        word = self._is_meant(token.word)
        return token._replace(said=word, word=word) if word else token

    def knows(self, token: Token) -> bool:
        """Tell whether a word is spelt as some label, title or language has it."""
        return self._is_known(token.word, token.said)

    def _spelt(self, word: str, said: str) -> bool:
        return (
            word in self._known
            or any(is_stop_word(said, lang) for lang in langs())
            or any((lang, stem(word, lang)) in self._stems for lang in langs())
            or any(translations(said, lang) for lang in langs())
        )

    def _meant(self, word: str) -> str:
        """Return the word that one is mistyped for; empty where none is near, or several are."""
        nearest = self._near.nearest(word)
        return nearest if nearest and is_slip(word, nearest) else ""


class Span(NamedTuple):
    """A mention at ``[start, end)`` of a text: ``text`` is what stands there.

    ``means`` is what it most likely names; ``others`` are what else it may name: where what is
    asked does not decide between them, it is asked back. A number that several kinds bear means a
    ``Reference`` without a kind. ``exact`` tells that it stands there as the vocabulary or the
    catalogue has it, but for case, blanks and hyphens. ``chance``, 0 to 1, is how likely it means
    ``means``. ``mistyped`` are those of its words that were taken for others, as typed, in lower
    case and without marks.
    """

    start: int
    end: int
    text: str
    means: Meant
    others: tuple[Meant, ...] = ()
    exact: bool = True
    chance: float = 1.0
    mistyped: tuple[str, ...] = ()

    @property
    def candidates(self) -> tuple[Meant, ...]:
        """All that it may name, the likeliest first."""
        return (self.means, *self.others)

    @property
    def is_ambiguous(self) -> bool:
        """Whether it may name more than one thing."""
        return bool(self.others)


class Spotter:
    """Finds what a vocabulary and a catalogue know in questions, in a fraction of a millisecond."""

    def __init__(self, labels: Sequence[Label], documents: Sequence[Document]) -> None:
        """See ``of``."""
        naming = naming_words()
        self._titles = Titles(documents, naming)
        said = terms.said(labels)
        self._phrases = Phrases(chain(terms.phrases(said), self._titles.phrases()))
        self._numbers = Numbers.of(documents, naming)
        names = {w for label, its in said if label.role is not LabelRole.HIDDEN for w in its}
        meant = {*names, *self._titles.words.all, *naming.kinds}
        self._slips = Slips(meant, {*(w for _, its in said for w in its), *naming.all})

    @classmethod
    def of(cls, labels: Iterable[Label], documents: Iterable[Document]) -> Self:
        """Take the labels of a vocabulary and the documents of a catalogue.

        Approval records are named by what they approve.
        """
        with uncollected():
            return cls(tuple(labels), tuple(documents))

    def knows(self, token: Token) -> bool:
        """Tell whether a word is spelt as some label, title or language has it."""
        return self._slips.knows(token)

    def spot(self, text: str, lang: Lang, *, known: Collection[str] = ()) -> tuple[Span, ...]:
        """Return the spans of a text, from left to right; none overlaps another.

        ``known`` are words in lower case, without marks, that are not mistyped, such as those that
        the documents use.

        >>> Spotter.of((), ()).spot("Compare ADR-12 with principle 10", "en")[1].means.number
        10
        """
        tokens = tokens_of(text)
        found = list(self._found(text, tokens, lang))
        meant = self._slips.mended(tokens, known)
        slips = {at for at, token in enumerate(tokens) if meant[at] is not token}
        if slips:
            mended = self._found(text, meant, lang)
            found += (_mistyped(item, slips) for item in mended if _rests_on(item, slips, tokens))
        return _without_overlap(found, text, tokens)

    def _found(self, text: str, tokens: Sequence[Token], lang: Lang) -> Iterator[PossibleMention]:
        phrases = self._phrases.find([token.word for token in tokens])
        yield from self._numbers.find(text, tokens)
        yield from terms.mentioned(phrases, text, tokens, lang)
        yield from self._titles.find(text, tokens, lang, phrases)


def _mistyped(found: PossibleMention, slips: set[int]) -> PossibleMention:
    at = tuple(place for place in found.places if place in slips)
    return found._replace(exact=False, chance=MISTYPED * found.chance, slips=at)


def _rests_on(found: PossibleMention, slips: set[int], tokens: Sequence[Token]) -> bool:
    """Whether a word was mended in it, and a term of one word is long enough to be sure of."""
    places = found.places
    alone = len(places) == 1 and len(tokens[found.first].word) < SHORTEST_ALONE
    return not slips.isdisjoint(places) and not alone


def _without_overlap(
    found: Iterable[PossibleMention], text: str, tokens: Sequence[Token]
) -> tuple[Span, ...]:
    """Of what overlaps keep the better known, then the longer; of the same words all meanings."""
    ranked = sorted(found, key=lambda item: (item.rank, item.first - item.last, -item.chance))
    taken: set[int] = set()
    kept: dict[tuple[int, int], list[PossibleMention]] = {}
    for item in ranked:
        extent = item.first, item.last
        if extent in kept and item.rank == kept[extent][0].rank:
            kept[extent].append(item)
        elif taken.isdisjoint(item.places):
            taken.update(item.places)
            kept[extent] = [item]
    return tuple(_span(kept[extent], text, tokens) for extent in sorted(kept))


def _span(found: Sequence[PossibleMention], text: str, tokens: Sequence[Token]) -> Span:
    best = found[0]
    start, end = tokens[best.first].start, tokens[best.last - 1].end
    means, *others = dict.fromkeys(meant for item in found for meant in item.meant)
    return Span(
        start=start,
        end=end,
        text=text[start:end],
        means=means,
        others=tuple(others),
        exact=best.exact,
        chance=best.chance,
        mistyped=tuple(tokens[place].word for place in best.slips),
    )
