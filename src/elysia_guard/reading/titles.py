"""Documents that a question names by their titles: whole, in part, or shortened as people do."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile
from pathlib import PurePath
from typing import Final

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.language.pack import langs
from elysia_guard.reading.mentions import PossibleMention, Rank
from elysia_guard.reading.naming_words import NamingWords
from elysia_guard.reading.shortened import Shortened, TitleWords
from elysia_guard.reading.terms import FoundPhrase, Phrase
from elysia_guard.reading.tokens import Token, is_telling, joined, tokens_of

WITH_KIND: Final = 0.99
"""The chance that a document is meant whose title stands there beside its kind."""
WHOLE: Final = 0.95
"""The same without it: 'least privilege' is a term too."""
NAMED: Final = 0.85
"""The chance for a kind with all its telling words: 'the TLS decision'."""
_LONG: Final = 4
"""Words from which a title is known without a telling word, and by all but its first word."""
_SHORTEST: Final = 2
"""Words of a part of a title that may stand for it."""
_NUMBERED: Final = re.compile(r"^\s*\d{1,6}[.:)]?\s+")
_FILED: Final = re.compile(r"^[a-z]{0,4}[-_.]?\d{1,6}d?[-_. ]+", re.IGNORECASE)
_QUOTES: Final = "\"'\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"
_OPENED: Final = re.compile(rf"[{_QUOTES}][\s(]*\Z")
_CLOSED: Final = re.compile(rf"[\s?!.,:;)\u2026]*[{_QUOTES}]")
_PARTS: Final = re.compile(r"\s[\u2013\u2014-]\s|:\s|[()]")


class Titles:
    """The titles of a catalogue, found in questions."""

    def __init__(self, documents: Iterable[Document], naming: NamingWords) -> None:
        """Take the documents; approval records bear the titles of others, and are left out."""
        self._documents = [item for item in documents if not item.approval]
        self._naming = naming
        self._full = {_words(item.name) for item in self._documents if item.apart}
        self.words: Final = TitleWords(
            [(tokens_of(_title(item)), _filed_as(item)) for item in self._documents]
        )
        self._shortened = Shortened(self.words, [item.kind for item in self._documents], naming)

    def phrases(self) -> Iterator[Phrase]:
        """Give what names a document if it is said as it stands, with its place."""
        for place, item in enumerate(self._documents):
            yield from (Phrase(words, langs(), place) for words in set(_whole_names(item)))

    def find(
        self, text: str, tokens: Sequence[Token], lang: Lang, found: Iterable[FoundPhrase]
    ) -> Iterator[PossibleMention]:
        """Give what may name documents; what overlaps is for the caller to choose from.

        ``found`` are the phrases that stand in the text.
        """
        if not self._documents:
            return
        full = list(self._in_full(text, tokens, found))
        yield from full
        ends = {item.last - 1 for item in full}
        for told in self._shortened.find(text, tokens, lang, ends):
            yield self._titled(*told, NAMED)

    def _in_full(
        self, text: str, tokens: Sequence[Token], found: Iterable[FoundPhrase]
    ) -> Iterator[PossibleMention]:
        """Titles that stand there whole, with the kind that is said beside them."""
        spans: dict[tuple[int, int], dict[int, bool]] = defaultdict(dict)
        for item in found:
            if isinstance(place := item.phrase.value, int):
                held = spans[item.first, item.last]
                held[place] = held.get(place, False) or item.exact
        for (first, last), held in spans.items():
            places, exact = list(held), any(held.values())
            follows = tokens[last] if last < len(tokens) else None
            if follows and joined(text, tokens[last - 1], follows):
                kinds = self._naming.kinds.get(follows.word, frozenset())
                if named := [at for at in places if self._documents[at].kind in kinds]:
                    yield self._titled(first, last + 1, named, WITH_KIND, exact=exact)
                    continue
            if tuple(token.word for token in tokens[first:last]) in self._full:
                yield self._titled(first, last, places, WITH_KIND, exact=exact, rank=Rank.NUMBERED)
                continue
            quoted = quoted_at(text, tokens[first].start, tokens[last - 1].end) is not None
            telling = any(map(self._naming.is_telling, tokens[first:last])) or last - first > _LONG
            # Otherwise a kind must be said: who needs to know something names no principle.
            alone = quoted or (telling and last - first > 1)
            if named := [at for at in places if (telling if self._is_numbered(at) else alone)]:
                # Of a title that is quoted a number in it is a part: 'on ADR-3, once more'.
                numbered = quoted and any(map(str.isdecimal, (t.word for t in tokens[first:last])))
                rank = Rank.NUMBERED if numbered else Rank.KNOWN
                yield self._titled(first, last, named, WHOLE, exact=exact, rank=rank)

    def _is_numbered(self, place: int) -> bool:
        return self._documents[place].number is not None

    def _titled(
        self,
        first: int,
        last: int,
        places: Sequence[int],
        chance: float,
        *,
        exact: bool = False,
        rank: Rank = Rank.KNOWN,
    ) -> PossibleMention:
        meant = tuple(Reference.of(self._documents[place]) for place in places)
        return PossibleMention(rank, first, last, meant, chance / len(meant), exact)


def quoted_at(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where the quotation begins and ends that ``[start, end)`` fills; None for none.

    >>> quoted_at('What does "Why RACI?" say?', 11, 19)
    (10, 21)
    """
    opened, closed = _OPENED.search(text, 0, start), _CLOSED.match(text, end)
    return (opened.start(), closed.end()) if opened and closed else None


def _words(text: str) -> tuple[str, ...]:
    return tuple(token.word for token in tokens_of(text))


def _title(document: Document) -> str:
    """A document's title, without a number before it."""
    return _NUMBERED.sub("", document.title)


def _filed_as(document: Document) -> Sequence[Token]:
    """The words of the name of a document's file, without its number."""
    name = _FILED.sub("", PurePath(document.path).stem)
    return tokens_of(name.replace("_", " "))


def _whole_names(document: Document) -> Iterator[tuple[str, ...]]:
    """Give what names a document if it is said as it stands: title, file name, parts of a title.

    A part is what stands before or behind a dash, a colon, a bracket or a first comma, or all but
    the first word of a longer title, which mostly is an article or an imperative; with the
    function words behind it. A document that is of no kind is named by its whole title alone.
    """
    if document.apart:
        yield _words(document.name)
    whole = tokens_of(_title(document))
    if not document.kind.is_numbered:
        yield tuple(token.word for token in whole)
        return
    first, *others = _PARTS.split(_title(document))
    parts = [tokens_of(part) for part in (first.partition(", ")[0], first, *others)]
    rest = list(dropwhile(lambda word: not is_telling(word), whole[1:]))
    if len(whole) >= _LONG and sum(map(is_telling, rest)) >= _SHORTEST:
        parts.append(rest)
    for words in (whole, _filed_as(document), *(part for part in parts if len(part) >= _SHORTEST)):
        yield tuple(token.word for token in words)
