"""Titles shortened as people do: a kind of document beside words that tell which, or most words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang
from elysia_guard.language.states import known_state
from elysia_guard.language.text import without_marks
from elysia_guard.reading.naming_words import EVERY_KIND, Kinds, NamingWords
from elysia_guard.reading.title_words import Bearing, TitleWords, is_telling
from elysia_guard.reading.tokens import Token, joined

NAMED: Final = 0.85
"""The chance for a kind with all its telling words: 'the TLS decision'."""
NEARLY: Final = 0.75
"""The chance for words that are nearly all of a title."""
DOUBTED: Final = 0.5
"""The chance where more may be said than the title does: 'the principle of least surprise'."""
MOST_MEANT: Final = 5
"""Documents that a shortened title may fit: what fits more names none."""
GAP: Final = 2
"""Function words that may stand between two words that tell the same title."""
COVERED: Final = 0.6
"""What share of a name is most of it."""
NEARLY_ALL: Final = 0.9
_FEWEST_WORDS: Final = 2
"""How many words of a title must be said where no kind is."""
_FAR: Final = 5
"""Words after a kind among which it is to be said what it is about."""
_SHORTEST_TOLD: Final = 3
"""Letters before the kind in a compound."""
_LINKS: Final = ("", "s", "en")
_SAME: Final = 1e-9


class Told(NamedTuple):
    """The documents, by their places, that words from ``first`` to before ``last`` tell."""

    first: int
    last: int
    places: Sequence[int]
    chance: float


class _Run(NamedTuple):
    """Words that one document at least bears all of; ``broken`` by the next, which none does."""

    at: list[int]
    bearing: list[Bearing]
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Shortened:
    """Finds a kind with telling words before it, behind it or in one word with it, or many words.

    ``kinds`` are those of each document.
    """

    words: TitleWords
    kinds: Sequence[DocumentKind]
    naming: NamingWords

    def find(
        self, text: str, tokens: Sequence[Token], lang: Lang, whole: Iterable[int]
    ) -> Iterator[Told]:
        """Give what is told; ``whole`` are places where a whole title ends, which need no more."""
        cut = [(at, each) for at, token in enumerate(tokens) for each in self._apart(token, lang)]
        asked = _Asked(self, text, [token for _, token in cut], lang)
        for place, (at, token) in enumerate(cut):
            kinds = self.naming.kinds.get(token.word)
            if kinds and at not in whole and not asked.is_indefinite(place):
                yield from _in_text(asked.beside(place, kinds), cut)
        yield from _in_text(asked.covered(), cut)

    def of_kinds(self, borne: Bearing, kinds: Kinds) -> Bearing:
        """Return of the documents that bear a word those of some kinds."""
        return {place: told for place, told in borne.items() if self.kinds[place] in kinds}

    def _apart(self, token: Token, lang: Lang) -> Sequence[Token]:
        """'omnichannelprincipe': a word that ends in a kind, and begins with what tells which."""
        heads = (token.word,) if token.word in self.naming.kinds else self.naming.heads
        head = next((head for head in heads if token.word.endswith(head)), token.word)
        begins = token.said[: len(token.said) - len(head)]
        for link in _LINKS:
            told = begins.removesuffix(link)
            word = Token(token.start, token.end, told, without_marks(told))
            if len(told) >= _SHORTEST_TOLD and self.words.bearing(word, lang):
                return word, Token(token.end, token.end, head, head)
        return (token,)


class _Asked:
    """A question as titles see it: which words tell, who bears them, what belongs together."""

    def __init__(self, known: Shortened, text: str, tokens: Sequence[Token], lang: Lang) -> None:
        self._known, self._naming, self._lang, self._tokens = known, known.naming, lang, tokens
        kinds = self._naming.kinds.keys() | self._naming.several.keys()
        self._kind = [token.word in kinds for token in tokens] + [False]
        self._telling = [
            is_telling(token)
            and not self._kind[at]
            and not (token.word in self._naming.beside and self._kind[at + 1])
            for at, token in enumerate(tokens)
        ]
        self._bearing = [
            known.words.bearing(token, lang) if tells else {}
            for token, tells in zip(tokens, self._telling, strict=True)
        ]
        apart = [at for at, pair in enumerate(pairwise(tokens), 1) if not joined(text, *pair)]
        self._phrase = [
            range(start, end)
            for start, end in pairwise([0, *apart, len(tokens)])
            for _ in range(start, end)
        ]

    def is_indefinite(self, place: int) -> bool:
        """Tell whether any is meant, or the first of a list: 'a decision', 'which old policy'."""
        for at in range(place - 1, self._phrase[place].start - 1, -1):
            if self._tokens[at].word in self._naming.indefinite:
                return True
            if not self._telling[at]:
                return False
        return False

    def beside(self, place: int, kinds: Kinds) -> Iterator[Told]:
        """What the words before a kind tell, or else those behind it."""
        phrase = self._phrase[place]
        run = self._run(range(place - 1, phrase.start - 1, -1), kinds, until=self._naming.definite)
        first = min(run.at, default=place)
        is_named = not run.broken and (kinds != EVERY_KIND or self._is_definite(first))
        if is_named and (found := list(self._fitting(run, first, place + 1))):
            yield from found
        elif kinds != EVERY_KIND or self._is_definite(place):
            run = self._run(range(self._told_from(place), phrase.stop), kinds)
            is_sure = not run.broken or len(run.at) > 1 or any(self._shares(run))
            last = max(run.at, default=place) + 1
            yield from self._fitting(run, place, last, NAMED if is_sure else DOUBTED)

    def covered(self) -> Iterator[Told]:
        """Telling words that one document alone bears, and that say most of a name of it."""
        done = 0
        for first, phrase in enumerate(self._phrase):
            if first < done or not self._bearing[first]:
                continue
            run = self._run(range(first, phrase.stop), EVERY_KIND)
            shares = [item for item in self._shares(run) if item[2] >= _FEWEST_WORDS]
            if len(shares) == 1:
                ((place, share, _),) = shares
                done = run.at[-1] + 1
                yield Told(first, done, [place], NEARLY if share >= NEARLY_ALL else DOUBTED)

    def _run(
        self, places: Sequence[int], kinds: Kinds, until: frozenset[str] = frozenset()
    ) -> _Run:
        """The words from a place on, either way, as far as one document of some kinds bears all."""
        run = _Run([], [])
        meant: set[int] = set()
        last = places[0] if places else 0
        for at in places:
            token, far = self._tokens[at], abs(at - last)
            borne = self._known.of_kinds(self._bearing[at], kinds)
            asked = token.word in self._naming.asked or bool(known_state(token.said))
            if token.word in until or far > GAP + 1 or (asked and not borne):
                break
            if self._telling[at]:
                meant = meant & borne.keys() if run.at else set(borne)
                if not meant:
                    return run._replace(broken=far <= 1)
                run.at.append(at)
                run.bearing.append(borne)
                last = at
        return run

    def _fitting(self, run: _Run, first: int, last: int, chance: float = NAMED) -> Iterator[Told]:
        """The documents that bear every word, and of these the ones that are told most."""
        told = {place: sum(borne[place] for borne in run.bearing) for place in _meant(run)}
        most = max(told.values(), default=0.0)
        best = [place for place in sorted(told) if told[place] >= most - _SAME]
        if 0 < len(best) <= MOST_MEANT:
            yield Told(first, last, best, chance)

    def _shares(self, run: _Run) -> Iterator[tuple[int, float, int]]:
        """Of each document that may be meant of which most is said: how much, in how many words."""
        said = [self._tokens[at] for at in run.at]
        meant = _meant(run)
        for place in meant if len(meant) <= MOST_MEANT else ():
            share, words = self._known.words.coverage(place, said, self._lang)
            if share >= COVERED:
                yield place, share, words

    def _is_definite(self, place: int) -> bool:
        """Tell whether what begins at a place is known to both sides: 'the', 'our'."""
        known = self._naming.definite
        return place > self._phrase[place].start and self._tokens[place - 1].word in known

    def _told_from(self, place: int) -> int:
        """Where the words begin that tell which: behind 'on', or 'where they settled on'.

        The end of the phrase where nothing of the kind follows.
        """
        end = self._phrase[place].stop
        for at in range(place + 1, min(place + 1 + _FAR, end)):
            word = self._tokens[at].word
            if word in self._naming.about:
                return at + 1
            if at == place + 1 and word not in self._naming.relative:
                break
        return end


def _meant(run: _Run) -> set[int]:
    return set(run.bearing[0]).intersection(*run.bearing[1:]) if run.bearing else set()


def _in_text(found: Iterable[Told], cut: Sequence[tuple[int, Token]]) -> Iterator[Told]:
    """Place what is told among the words as they are written."""
    for item in found:
        yield item._replace(first=cut[item.first][0], last=cut[item.last - 1][0] + 1)
