"""Whether a sentence is its source's, token by token: then it holds, whatever a model meant by it.

Each token of it must stand in one sentence of the source, in the same order. Of the source only
articles may be missing, and whole clauses that neither limit nor deny anything. All else that could
be true is left to a second opinion: words that are alike, that change places, that are added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from elysia_guard.language.claim_words import claim_words
from elysia_guard.language.sentences import is_item
from elysia_guard.language.sides import side_told
from elysia_guard.language.text import without_marks, words
from elysia_guard.stages.verification.claims.evidence import Evidence
from elysia_guard.stages.verification.claims.joined import joined
from elysia_guard.stages.verification.claims.named import forms
from elysia_guard.stages.verification.claims.said import Said, read
from elysia_guard.stages.verification.claims.tokens import Token, articles, says, tokens
from elysia_guard.stages.verification.claims.voice import is_turned_round

MOST = 0.6
"""Such a share of the words must begin alike; numbers and dates may be written otherwise."""
BEGUN = 3
"""Letters; in so many, forms of one word begin alike."""
LONGEST = 120
"""Tokens; what is longer is compared as it is written, without leaving anything out."""
_LIMITS = ("condition", "exception", "only")


Way = tuple[int, ...]
"""The places of texts that say a sentence together, in its order."""


def traces(text: str, evidence: Evidence) -> Iterator[Way]:
    """Find which texts say a sentence: one of those that it names, or several in their order."""
    return _Ways(evidence).of(text, 0)


class _Ways:
    """How a sentence is said by some texts, each pair of words and text looked at once.

    Parts of a sentence that are joined by 'and' or a semicolon are each said by a text of its own.
    They are of one source, in the order of its texts: sentences, or items of one list.
    """

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._units = list(zip(evidence.units, evidence.langs, strict=True))
        self._said: dict[tuple[str, int], bool] = {}
        self._vain: set[tuple[str, int]] = set()

    def of(self, text: str, first: int) -> Iterator[Way]:
        """Find the ways by texts from a place on."""
        if (text, first) in self._vain:
            return
        is_said = False
        for way in self._found(text, first):
            is_said = True
            yield way
        if not is_said:
            self._vain.add((text, first))

    def _found(self, text: str, first: int) -> Iterator[Way]:
        places = range(first, len(self._units))
        yield from ((at,) for at in places if self._is_said(text, at))
        if len(places) < 2 or not self._evidence.is_one:  # noqa: PLR2004
            return
        for head, tail in joined(text, self._units[first][1]):
            for at in places[:-1]:
                if self._is_said(head, at):
                    later = self.of(tail, at + 1)
                    yield from ((at, *way) for way in later if self._are_listed((at, *way)))

    def _are_listed(self, way: Way) -> bool:
        """Whether texts are all of no list, or all items of one."""
        return len({self._evidence.lists[at] for at in way}) == 1

    def _is_said(self, text: str, at: int) -> bool:
        if (text, at) not in self._said:
            unit, lang = self._units[at]
            self._said[text, at] = any(
                traced(read(form, lang), read(said, lang))
                for form, said in forms(text, unit, lang, self._evidence)
                if _may_be(form, said)
            )
        return self._said[text, at]


def _may_be(text: str, unit: str) -> bool:
    """Whether enough words of a sentence begin as words of a text do: else none need be read."""
    own, there = begun(text), set(begun(unit))
    return sum(each in there for each in own) >= MOST * len(own)


@lru_cache(maxsize=4_000)
def begun(text: str) -> tuple[str, ...]:
    """Return how each word of a text begins, without its marks."""
    return tuple(word[:BEGUN] for word in words(without_marks(text)))


def traced(said: Said, source: Said) -> bool:
    """Tell whether a sentence says nothing but what one text of a source says, and limits it so.

    Both are read in the language of the source: a sentence whose every word stands there is in it.
    """
    own, other = tokens(said), tokens(source)
    if max(len(own), len(other)) > LONGEST:
        return [each.text for each in own] == [each.text for each in other]
    return bool(own) and (_runs(own, other, source) or is_turned_round(own, other, source.lang))


def _runs(own: Sequence[Token], other: Sequence[Token], source: Said) -> bool:
    put = articles(source.lang) | claim_words(source.lang).joins
    return all(each.text in put or any(says(each, one) for one in other) for each in own) and _Runs(
        own, other, source
    ).fits(0, 0)


class _Runs:
    """A sentence laid along a text of a source, token by token."""

    def __init__(self, own: Sequence[Token], other: Sequence[Token], source: Said) -> None:
        self._own, self._other, self._source = own, other, source
        self._free = articles(source.lang)
        self._joins = claim_words(source.lang).joins
        self._known: dict[tuple[int, int, bool], bool] = {}
        self._ends: dict[int, list[int]] = {}

    def fits(self, at: int, there: int, *, put: bool = False) -> bool:
        """Whether the rest of both runs alike; ``put``: an article was put in just before."""
        key = (at, there, put)
        if key not in self._known:
            self._known[key] = self._fits(at, there, put=put)
        return self._known[key]

    def _fits(self, at: int, there: int, *, put: bool) -> bool:
        own, other = self._own, self._other
        if at == len(own):
            return there == len(other) or any(self.fits(at, end) for end in self._spare(there))
        if there == len(other):
            return False
        if self._goes_on(at, there) and self.fits(at + 1, there + 1):
            return True
        joins = own[at].text in self._joins and _closes(other[there].mark)
        if joins and self.fits(at + 1, there):
            return True
        if put:
            return False
        if own[at].text in self._free and self.fits(at + 1, there, put=True):
            return True
        return self._left_out(at, there)

    def _goes_on(self, at: int, there: int) -> bool:
        """Whether a token says another; what stood in two sentences is not run into one."""
        own, other = self._own, self._other
        begins = at > 0 and _closes(other[there].mark)
        joined = bool(own[at].mark) or own[at - 1].text in self._joins
        return says(own[at], other[there]) and (joined or not begins)

    def _left_out(self, at: int, there: int) -> bool:
        own, other = self._own, self._other
        is_free = other[there].text in self._free and _follows(own, at, other, there)
        if is_free and self.fits(at, there + 1):
            return True
        return any(self.fits(at, end) for end in self._spare(there))

    def _spare(self, there: int) -> list[int]:
        if there not in self._ends:
            self._ends[there] = list(_spare(self._other, there, self._source))
        return self._ends[there]


def _follows(own: Sequence[Token], at: int, other: Sequence[Token], there: int) -> bool:
    """Whether the word behind an article that is left out is there: no other article is."""
    return at < len(own) and there + 1 < len(other) and says(own[at], other[there + 1])


def _spare(other: Sequence[Token], at: int, source: Said) -> Iterator[int]:
    """The ends of what begins here and may be left out: a label, a marker, a clause beside.

    What stands behind a semicolon may be an exception, without a word that says so.
    """
    end = next((n for n in range(at + 1, len(other)) if _closes(other[n].mark)), len(other))
    if at == 0 and len(other) > 1 and other[1].mark == ":" and _is_label(other[0], source):
        yield 1  # 'Good: ' says who gains, and nothing of what follows.
    turns = _turns(other, at, end, source)
    reason = turns and _is_reason(other, at, end, source)
    is_marker = at == 0 and end == 1 and is_item(source.text)
    if is_marker or (_is_beside(other[at], source) and (reason or not turns)):
        yield end


def _is_label(token: Token, source: Said) -> bool:
    """Whether what stands before a colon says only whose side the rest is on, or neither's."""
    return bool(side_told(source.text)) or token.text in claim_words(source.lang).neutral


def _is_reason(other: Sequence[Token], at: int, end: int, source: Said) -> bool:
    """Whether a clause is a reason to its end, whatever it denies: then it turns nothing else.

    Nowhere does it make a condition, which may be one of the rest. What stands in it behind a mark
    or an 'and' may be said of the rest as well, so there nothing is denied or limited.
    """
    words = claim_words(source.lang)
    begin = words.reasons.match(source.text, other[at].start)
    if not begin or any(each.mark for each in other[at + 1 : end]):
        return False
    last = other[end].start if end < len(other) else len(source.text)
    joint = words.beside.search(source.text, begin.end(), last)
    behind = joint.start() if joint else last
    limits = [words.limits[name] for name in _LIMITS if name in words.limits]
    turned = any(each.search(source.text, behind, last) for each in (words.denies, *limits))
    whole = (words.limits.get(name) for name in ("condition", "exception"))
    return not turned and not any(e and e.search(source.text, begin.end(), last) for e in whole)


def _is_beside(token: Token, source: Said) -> bool:
    """Whether a clause begins here that says more, and nothing of the rest; none is denied."""
    words = claim_words(source.lang)
    begins = words.beside if token.mark else words.reasons
    return bool(
        begins.match(source.text, token.start)
        and not words.denies.search(source.text, 0, token.start)
    )


def _closes(mark: str) -> bool:
    return any(each in mark for each in ".!?;")


def _turns(other: Sequence[Token], at: int, end: int, source: Said) -> bool:
    """Whether a part denies or limits: what it turns may be the rest.

    Behind a mark inside of it something may stand that is said of all.
    """
    words = claim_words(source.lang)
    last = other[end].start if end < len(other) else len(source.text)
    text = source.text[other[at].start : last]
    patterns = [words.denies, *(words.limits[name] for name in _LIMITS if name in words.limits)]
    if any(each.mark for each in other[at + 1 : end]):
        patterns += words.comparison.values()
    return any(pattern.search(text) for pattern in patterns)
