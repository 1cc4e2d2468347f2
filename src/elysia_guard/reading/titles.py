"""Documents that a question names by their titles: whole, in part, or shortened as people do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs
from elysia_guard.reading.naming_words import NamingWords
from elysia_guard.reading.phrases import Phrase, Phrases
from elysia_guard.reading.shortened import COVERED, DOUBTED, GAP, MOST_MEANT, Shortened, Told
from elysia_guard.reading.title_names import filed_as, titled_as, whole_names
from elysia_guard.reading.title_words import TitleWords
from elysia_guard.reading.tokens import Token
from elysia_guard.reading.wording import Wording

WITH_KIND: Final = 0.99
"""The chance that a document is meant whose title stands there beside its kind."""
WHOLE: Final = 0.95
"""The same without it: 'least privilege' is a term too."""
NEARLY: Final = 0.75
"""The chance for words that are nearly all of a title."""
_NEARLY_ALL: Final = 0.9
_FEWEST_WORDS: Final = 2
"""How many words of a title must be said where nothing else names it."""
_LONG: Final = 4
"""Words from which a title without a telling word is known by itself."""
_KIND_NEAR: Final = 3
"""How far before a title its kind may stand: 'the principle that data has one owner'."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Titled:
    """Documents that the words from ``first`` to before ``last`` may name; mostly one.

    ``chance`` is how likely the first of them is meant, 0 to 1; ``is_sure`` tells that more than
    a few telling words name it.
    """

    first: int
    last: int
    documents: tuple[Document, ...]
    chance: float
    exact: bool = False
    is_sure: bool = True


class Titles:
    """The titles of a catalogue, found in questions."""

    def __init__(self, documents: Iterable[Document], naming: NamingWords) -> None:
        """Take the documents; approval records bear the titles of others, and are left out."""
        self._documents = [item for item in documents if not item.approval]
        self._naming = naming
        filed = [filed_as(item) for item in self._documents]
        self._filed = [frozenset(token.word for token in name) for name in filed]
        titled = map(titled_as, self._documents)
        self.words = TitleWords(list(zip(titled, filed, strict=True)))
        self._shortened = Shortened(self.words, [item.kind for item in self._documents])
        self._whole = Phrases(
            Phrase(words, langs(), place)
            for place, item in enumerate(self._documents)
            for words in set(whole_names(item))
        )

    def find(self, text: str, tokens: Sequence[Token], lang: Lang) -> list[Titled]:
        """Return what may name documents; what overlaps is for the caller to choose from."""
        if not self._documents:
            return []
        wording = Wording.of(text, tokens, lang, self.words, self._naming)
        whole = list(self._in_full(wording))
        ends = {item.last - 1 for item in whole}
        told = [*self._shortened.find(wording, ends), *self._told(wording)]
        return whole + [self._titled(*item) for item in told]

    def _in_full(self, wording: Wording) -> Iterator[Titled]:
        """Titles that stand there whole, with the kind that is said beside them."""
        spans: dict[tuple[int, int], dict[int, bool]] = defaultdict(dict)
        for item in self._whole.find([token.word for token in wording.tokens]):
            held = spans[item.first, item.last]
            held[item.phrase.value] = held.get(item.phrase.value, False) or item.exact
        for (first, last), held in spans.items():
            places = self._as_filed(wording, first, last, list(held))
            exact = any(held[place] for place in places)
            behind = self._of_kind_at(wording, last, places) if wording.follows(last) else []
            near = range(max(first - _KIND_NEAR, 0), first)
            before = next(filter(None, (self._of_kind_at(wording, at, places) for at in near)), [])
            if behind:
                yield self._titled(first, last + 1, behind, WITH_KIND, exact=exact)
            elif before:
                yield self._titled(first, last, before, WITH_KIND, exact=exact)
            elif any(wording.telling[first:last]) or last - first > _LONG:
                # Otherwise a kind must be said: who needs to know something names no principle.
                yield self._titled(first, last, places, WHOLE, exact=exact)

    def _as_filed(self, wording: Wording, first: int, last: int, places: list[int]) -> list[int]:
        """Of documents with one title, those whose files are named so too: it may be copied."""
        if len(places) == 1:
            return places
        said = {token.word for token in wording.said(first, last)}
        return [place for place in places if said <= self._filed[place]] or places

    def _of_kind_at(self, wording: Wording, at: int, places: Iterable[int]) -> list[int]:
        """Those documents that are of the kind that a word names."""
        kinds = self._naming.kinds.get(wording.word(at), frozenset())
        return [place for place in places if self._documents[place].kind in kinds]

    def _told(self, wording: Wording) -> Iterator[Told]:
        """Telling words that one document alone bears, and that say most of a name of it."""
        done = 0
        for first in range(len(wording.tokens)):
            if first < done or not wording.bearing[first]:
                continue
            meant = set(wording.bearing[first])
            last = at = first + 1
            while at - last <= GAP and wording.follows(at):
                if wording.telling[at]:
                    both = meant & wording.bearing[at].keys()
                    if not both:
                        break
                    meant, last = both, at + 1
                at += 1
            for told in self._covered(wording, first, last, meant):
                done = last
                yield told

    def _covered(self, wording: Wording, first: int, last: int, meant: set[int]) -> Iterator[Told]:
        said = wording.said(first, last)
        shares = {}
        for place in meant if len(meant) <= MOST_MEANT else ():
            share, words = self.words.coverage(place, said, wording.lang)
            if share >= COVERED and words >= _FEWEST_WORDS:
                shares[place] = share
        if len(shares) == 1:
            ((place, share),) = shares.items()
            yield Told(first, last, [place], NEARLY if share >= _NEARLY_ALL else DOUBTED)

    def _titled(
        self, first: int, last: int, places: Sequence[int], chance: float, *, exact: bool = False
    ) -> Titled:
        return Titled(
            first=first,
            last=last,
            documents=tuple(self._documents[place] for place in places),
            chance=chance / len(places),
            exact=exact,
            is_sure=chance > DOUBTED,
        )
