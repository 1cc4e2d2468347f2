"""Titles shortened as people do: a kind of document beside the words that tell which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.states import known_state
from elysia_guard.language.text import without_marks
from elysia_guard.reading.naming_words import EVERY_KIND, Kinds
from elysia_guard.reading.title_words import Bearing, TitleWords
from elysia_guard.reading.tokens import Token
from elysia_guard.reading.wording import Wording

NAMED: Final = 0.85
"""The chance for a kind with all its telling words: 'the TLS decision'."""
DOUBTED: Final = 0.5
"""The chance where more may be said than the title does: 'the principle of least surprise'."""
MOST_MEANT: Final = 5
"""Documents that a shortened title may fit: what fits more names none."""
GAP: Final = 2
"""Function words that may stand between two words that tell the same title."""
COVERED: Final = 0.6
"""What share of a name is most of it."""
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


@dataclass(frozen=True, slots=True)
class Shortened:
    """Finds a kind with telling words before it, behind it, or in one word with it."""

    words: TitleWords
    kinds: Sequence[DocumentKind]
    """Of each document."""

    def find(self, wording: Wording, whole: Iterable[int]) -> Iterator[Told]:
        """Give what is told; ``whole`` are places where a whole title ends, which need no more."""
        for place, token in enumerate(wording.tokens):
            kinds = wording.naming.kinds.get(token.word)
            if wording.is_indefinite(place):
                continue
            if kinds is None:
                yield from self._in_one_word(wording, place)
            elif place not in whole:
                before = list(self._before(wording, place, kinds))
                yield from before or self._behind(wording, place, kinds)

    def _before(
        self, wording: Wording, place: int, kinds: Kinds, begun: Bearing | None = None
    ) -> Iterator[Told]:
        """'the TLS decision': every word between an article and the kind is to be borne.

        In a compound the last of them is its beginning: 'open-databeleid'.
        """
        bearing = [] if begun is None else [begun]
        meant = set(begun or ())
        first = place
        for at in range(place - 1, -1, -1):
            if not wording.follows(at + 1) or first - at > GAP + 1:
                break
            word = wording.word(at)
            if word in wording.naming.definite:
                break
            if not wording.telling[at] or (at == place - 1 and word in wording.naming.beside):
                continue
            borne = self._of_kinds(wording.bearing[at], kinds)
            both = meant & borne.keys() if bearing else set(borne)
            if not both:
                # 'our cloud security policy' is not the one on suppliers' security.
                if at == first - 1 and not _is_asked(wording, at):
                    bearing = []
                break
            bearing.append(borne)
            meant, first = both, at
        if kinds != EVERY_KIND or wording.is_definite(first):
            yield from _fitting(bearing, first, place + 1)

    def _behind(self, wording: Wording, place: int, kinds: Kinds) -> Iterator[Told]:
        """'the decision on assistants and cited sources', as far as one document bears it."""
        if kinds == EVERY_KIND and not wording.is_definite(place):
            return
        bearing: list[Bearing] = []
        meant: set[int] = set()
        first = _told_from(wording, place)
        last, chance = first, NAMED
        for at in range(first, len(wording.tokens)):
            if not wording.follows(at) or at - last > GAP:
                break
            borne = self._of_kinds(wording.bearing[at], kinds)
            if not borne and wording.word(at) in wording.naming.asked:
                break
            if not wording.telling[at]:
                continue
            both = meant & borne.keys() if bearing else set(borne)
            if not both:
                if len(bearing) == 1 and not self._is_covered(wording, first, last, meant):
                    chance = DOUBTED if at == last else NAMED
                    bearing = [] if borne else bearing
                break
            bearing.append(borne)
            meant, last = both, at + 1
        yield from _fitting(bearing, place, last, chance)

    def _in_one_word(self, wording: Wording, place: int) -> Iterator[Told]:
        """'omnichannelprincipe': a word that ends in a kind, and begins with what tells which."""
        token, heads = wording.tokens[place], wording.naming.heads
        if not token.word.endswith(heads):
            return
        head = next(head for head in heads if token.word.endswith(head))
        begins = token.said[: len(token.said) - len(head)]
        for link in _LINKS:
            told = begins.removesuffix(link)
            if len(told) >= _SHORTEST_TOLD and (link == "" or told != begins):
                word = Token(token.start, token.end, told, without_marks(told))
                kinds = wording.naming.kinds[head]
                borne = self._of_kinds(self.words.bearing(word, wording.lang), kinds)
                if borne:
                    yield from self._before(wording, place, kinds, borne)
                    return

    def _is_covered(self, wording: Wording, first: int, last: int, places: Iterable[int]) -> bool:
        said = wording.said(first, last)
        shares = (self.words.coverage(place, said, wording.lang)[0] for place in places)
        return max(shares, default=0.0) >= COVERED

    def _of_kinds(self, borne: Bearing, kinds: Kinds) -> Bearing:
        return {place: told for place, told in borne.items() if self.kinds[place] in kinds}


def _told_from(wording: Wording, place: int) -> int:
    """Where the words begin that tell which: behind 'on', or 'where they settled on'.

    The end of the question where nothing of the kind follows.
    """
    relative = False
    for at in range(place + 1, min(place + 1 + _FAR, len(wording.tokens))):
        if not wording.follows(at):
            break
        if wording.word(at) in wording.naming.about:
            return at + 1
        relative = relative or wording.word(at) in wording.naming.relative
        if not relative:
            break
    return len(wording.tokens)


def _is_asked(wording: Wording, place: int) -> bool:
    """A word before a shortened title that asks for it, or says its state."""
    token = wording.tokens[place]
    return token.word in wording.naming.asked or bool(known_state(token.said))


def _fitting(
    bearing: Sequence[Bearing], first: int, last: int, chance: float = NAMED
) -> Iterator[Told]:
    """The documents that bear every word, and of these the ones that are told most."""
    meant = set(bearing[0]).intersection(*bearing[1:]) if bearing else ()
    told = {place: sum(borne[place] for borne in bearing) for place in meant}
    most = max(told.values(), default=0.0)
    best = [place for place in sorted(told) if told[place] >= most - _SAME]
    if 0 < len(best) <= MOST_MEANT:
        yield Told(first, last, best, chance)
