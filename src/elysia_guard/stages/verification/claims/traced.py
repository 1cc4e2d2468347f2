"""Whether a sentence is its source's, token by token: then it holds, whatever a model meant by it.

Each token of it must stand in one sentence of the source, in the same order. Of the source only
articles may be missing, and whole clauses that neither limit nor deny anything. All else that could
be true is left to a second opinion: words that are alike, that change places, that are added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from elysia_guard.domain.question import Lang
from elysia_guard.language.claim_words import claim_words
from elysia_guard.language.kinds import KINDS, names
from elysia_guard.language.sides import side_told
from elysia_guard.language.text import without_marks, words
from elysia_guard.stages.verification.claims.evidence import Evidence
from elysia_guard.stages.verification.claims.said import Said, read
from elysia_guard.stages.verification.claims.tokens import Token, articles, says, tokens
from elysia_guard.stages.verification.claims.voice import is_turned_round

FARTHEST = 600
"""Characters; texts that are longer together are looked at one by one."""
MOST = 0.6
"""Such a share of the words must begin alike; numbers and dates may be written otherwise."""
BEGUN = 3
"""Letters; in so many, forms of one word begin alike."""
LONGEST = 120
"""Tokens; what is longer is compared as it is written, without leaving anything out."""
_LIMITS = ("condition", "exception", "only")


def is_traced(text: str, evidence: Evidence) -> bool:
    """Tell whether one text that a sentence names for itself, or all in their order, say it."""
    units = list(dict.fromkeys(zip(evidence.units, evidence.langs, strict=True)))
    together = " ".join(unit for unit, _ in units)
    if len(units) > 1 and len(together) <= FARTHEST and _may_join(text, units):
        units = [(together, units[0][1])]
    return any(
        traced(read(form, lang), read(unit, lang))
        for unit, lang in units
        for form in dict.fromkeys((text, _without_source(text, lang, evidence)))
        if _may_be(form, unit)
    )


def _may_join(text: str, units: Sequence[tuple[str, Lang]]) -> bool:
    """Whether a sentence has what joins two, and may be of all texts and of none alone."""
    if any(_may_be(text, unit) for unit, _ in units):
        return False
    langs = {lang for _, lang in units}
    joins = claim_words(units[0][1]).joins
    return len(langs) == 1 and (";" in text or not joins.isdisjoint(words(text)))


def _may_be(text: str, unit: str) -> bool:
    """Whether enough words of a sentence begin as words of a text do: else none need be read."""
    own, there = begun(text), set(begun(unit))
    return sum(each in there for each in own) >= MOST * len(own)


@lru_cache(maxsize=4_000)
def begun(text: str) -> tuple[str, ...]:
    """Return how each word of a text begins, without its marks."""
    return tuple(word[:BEGUN] for word in words(without_marks(text)))


def _without_source(text: str, lang: Lang, evidence: Evidence) -> str:
    """A sentence without what names its source first: 'By ADR-0012, ', 'ADR-0012 says that '."""
    words = claim_words(lang)
    begin = words.sources.match(text)
    rest = _without_kind(text[begin.end() :] if begin else text, lang)
    name = next((n for n in evidence.identifiers if rest.casefold().startswith(n.casefold())), "")
    after = rest[len(name) :]
    if not name or not evidence.is_one or after[:1] not in (",", ":", " "):
        return text
    if not begin:
        report = words.reports.match(after.lstrip())
        after = after.lstrip()[report.end() :] if report else ""
    return after.lstrip(",: ") or text


def _without_kind(text: str, lang: Lang) -> str:
    """'ADR-0012' of 'the decision ADR-0012'."""
    before, _, after = text.lstrip().partition(" ")
    if before.casefold() in articles(lang):
        before, _, after = after.partition(" ")
    is_kind = any(before.casefold() in names(kind) for kind in KINDS)
    return after if is_kind else text.lstrip()


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
        if says(own[at], other[there]) and self.fits(at + 1, there + 1):
            return True
        joins = own[at].text in self._joins and _closes(other[there].mark)
        if joins and self.fits(at + 1, there):
            return True
        if put:
            return False
        if own[at].text in self._free and self.fits(at + 1, there, put=True):
            return True
        return self._left_out(at, there)

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
    """The ends of what begins here and may be left out: a sentence, or a clause beside the rest.

    Of several sentences one is left out after the other.
    """
    end = next((n for n in range(at + 1, len(other)) if _closes(other[n].mark)), len(other))
    if at == 0 and len(other) > 1 and other[1].mark == ":" and side_told(source.text):
        yield 1  # 'Good: ' says who gains, and nothing of what follows.
    is_sentence = _closes(other[at].mark) or (at == 0 and end < len(other))
    if (is_sentence or _is_beside(other[at], source)) and not _turns(other, at, end, source):
        yield end


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
