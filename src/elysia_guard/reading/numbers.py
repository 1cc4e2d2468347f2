"""Documents that a question names by their number: in figures, in words, as an ordinal, alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from rapidfuzz.distance import OSA

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Reference
from elysia_guard.language.references import located_references
from elysia_guard.reading.naming_words import NamingWords
from elysia_guard.reading.tokens import Token, is_telling, joined

MOST_WORDS: Final = 3
"""Of how many words a number may be made: 'quatre-vingt-dix'."""
_SHORTEST_MISSPELT: Final = 5
_APPROVAL_NEAR: Final = 3
_CONNECTED: Final = re.compile(r"[\w.,:/\-\u2010-\u2015+*=<>\u20ac$\u00a3~^]$")
_CONTINUED: Final = re.compile(r"^\s*[%\u00b0\u20ac$]|^[.,:/\-\u2010-\u2015]?\w")
_RECORD: Final = re.compile(r"0\d{3}d")
"""How the file of an approval record begins: '0031D'."""
_PADDED: Final = re.compile(r"0\d{3}d?")
"""How the file of any document does; no amount is written so."""
_YEARS: Final = range(1900, 2100)
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


class Numbered(NamedTuple):
    """A reference by the words from ``first`` to before ``last``.

    ``may_mean`` are the documents that it may be where no kind is said and several bear it.
    """

    first: int
    last: int
    reference: Reference
    may_mean: tuple[Reference, ...] = ()
    kind_said: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Numbers:
    """Finds numbers of documents in a question, by the numbers that the catalogue bears."""

    borne: Mapping[int, frozenset[DocumentKind]]
    naming: NamingWords

    @classmethod
    def of(cls, documents: Iterable[Document], naming: NamingWords) -> Numbers:
        """Take the numbers of documents; an approval record has that of what it approves."""
        borne: dict[int, frozenset[DocumentKind]] = {}
        for item in documents:
            if item.number is not None and not item.approval:
                borne[item.number] = borne.get(item.number, frozenset()) | {item.kind}
        return cls(borne=borne, naming=naming)

    def find(self, text: str, tokens: Sequence[Token]) -> list[Numbered]:
        """Return what is named with its kind, whether it is there or not, and numbers alone.

        A number alone is one that the catalogue bears, where neither what stands before it nor
        what follows makes it an amount, a time or a version.
        """
        if not any(_may_be_number(token.word) for token in tokens) and not any(
            token.word in self.naming.ordinals or token.word in self.naming.cardinals
            for token in tokens
        ):
            return []
        named = list(self._written(text, tokens))
        taken = _places(named)
        named += (
            item
            for item in self._in_words(text, tokens)
            if taken.isdisjoint(range(item.first, item.last))
        )
        return named + self._alone(text, tokens, named)

    def _alone(
        self, text: str, tokens: Sequence[Token], named: Sequence[Numbered]
    ) -> list[Numbered]:
        """Numbers without a kind; beside those with one only what is joined on: 'ADR 10 vs 17'."""
        spoken = self._kinds_spoken_of(named, tokens)
        ends = {item.last for item in named if item.kind_said}
        taken = _places(named)
        found: list[Numbered] = []
        for chain in self._chains(tokens, taken):
            after = any(
                end <= chain[0] and self._is_joined(tokens, end - 1, chain[0]) for end in ends
            )
            if (after or not ends) and all(self._is_alone(at, text, tokens) for at in chain):
                found += (self._bare(at, tokens, spoken) for at in chain)
        return found

    def _chains(self, tokens: Sequence[Token], taken: Collection[int]) -> list[list[int]]:
        """Numbers, each with those that only small words part from it: 'classes 3 and 4'."""
        chains: list[list[int]] = []
        for place in range(len(tokens)):
            if place in taken or self._number(place, tokens) is None:
                continue
            # Behind a number may stand what it counts: 'why 90 days and not 12'.
            if chains and self._is_joined(tokens, chains[-1][-1] + 1, place):
                chains[-1].append(place)
            else:
                chains.append([place])
        return chains

    def _is_joined(self, tokens: Sequence[Token], one: int, other: int) -> bool:
        return not any(map(self._counts, tokens[one + 1 : other]))

    def _number(self, place: int, tokens: Sequence[Token]) -> int | None:
        """The number that a word is: in figures, in letters behind 'number', or of a record."""
        word = tokens[place].word
        if _RECORD.fullmatch(word):
            return int(word[:-1])
        if place and tokens[place - 1].word in self.naming.number:
            return self.naming.cardinals.get(word) or (int(word) if word.isdecimal() else None)
        return int(word) if word.isdecimal() else None

    def _written(self, text: str, tokens: Sequence[Token]) -> Iterator[Numbered]:
        """What is written as a reference; that of an approval record where it is spoken of."""
        for start, end, reference in located_references(text):
            first, last = _covered(tokens, start, end)
            if reference.kind is None:
                spoken = self._kinds_spoken_of((), tokens)
                yield self._bare(first, tokens, spoken)
                continue
            before = {token.word for token in tokens[max(first - _APPROVAL_NEAR, 0) : first]}
            approval = reference.approval or not self.naming.approval.isdisjoint(before)
            yield Numbered(first, last, replace(reference, approval=approval))

    def _in_words(self, text: str, tokens: Sequence[Token]) -> Iterator[Numbered]:
        """'decision four', 'the 12th decision', 'het twaalfde besluit', 'beslut 11'."""
        for place, token in enumerate(tokens):
            kind = self._kind_of(token.word)
            if kind is None:
                continue
            first, last, number = place, *self._number_after(place, text, tokens)
            if number is None:
                first, number = self._ordinal_before(place, text, tokens)
            if number is not None:
                written = text[tokens[first].start : tokens[last].end]
                reference = Reference(number=number, written=written, kind=kind)
                yield Numbered(first, last + 1, reference)

    def _kind_of(self, word: str) -> DocumentKind | None:
        """The one kind that a word names; also a word that is misspelt."""
        if kinds := self.naming.kinds.get(word):
            return next(iter(kinds)) if len(kinds) == 1 else None
        if len(word) < _SHORTEST_MISSPELT or word in self.naming.all:
            return None
        near = {
            kind
            for name, kinds in self.naming.kinds.items()
            if len(name) > _SHORTEST_MISSPELT and len(kinds) == 1
            for kind in kinds
            if OSA.distance(word, name, score_cutoff=1) <= 1
        }
        return next(iter(near)) if len(near) == 1 else None

    def _number_after(
        self, place: int, text: str, tokens: Sequence[Token]
    ) -> tuple[int, int | None]:
        at = place + 1
        if at < len(tokens) and tokens[at].word in self.naming.number:
            at += 1
        if at >= len(tokens) or not joined(text, tokens[at - 1], tokens[at]):
            return place, None
        if tokens[at].word.isdecimal():
            return (at, int(tokens[at].word)) if self._is_whole(at, text, tokens) else (place, None)
        for length in range(min(MOST_WORDS, len(tokens) - at), 0, -1):
            word = "".join(token.word for token in tokens[at : at + length])
            # 'the decision one should take' names none.
            if (number := self.naming.cardinals.get(word, 1)) > 1:
                return at + length - 1, number
        return place, None

    def _ordinal_before(
        self, place: int, text: str, tokens: Sequence[Token]
    ) -> tuple[int, int | None]:
        """The ordinal right before a kind, in words, or in figures with an ending: '12th'."""
        if not place or text[tokens[place - 1].end : tokens[place].start].strip(" .-\u2010\u2011"):
            return place, None
        before = tokens[place - 1]
        figures = before.word.rstrip(_LETTERS)
        ending = before.word[len(figures) :]
        dotted = text[before.end : before.end + 1] == "."
        if figures.isdecimal() and (ending in self.naming.endings or (dotted and not ending)):
            return place - 1, int(figures)
        for length in range(min(MOST_WORDS, place), 0, -1):
            word = "".join(token.word for token in tokens[place - length : place])
            if word in self.naming.ordinals:
                return place - length, self.naming.ordinals[word]
        return place, None

    def _is_alone(self, place: int, text: str, tokens: Sequence[Token]) -> bool:
        """Whether the catalogue bears a number, and nothing beside it says what else it is of."""
        token, number = tokens[place], self._number(place, tokens)
        is_year = number in _YEARS
        if number not in self.borne or is_year or not self._is_whole(place, text, tokens):
            return False
        if _PADDED.fullmatch(token.word):
            return True
        if place and joined(text, tokens[place - 1], token):
            before = tokens[place - 1]
            if before.word in self.naming.number:
                return True
            if before.word in self.naming.amounts or self._counts(before):
                return False
        following = tokens[place + 1 : place + 2]
        return not any(joined(text, token, word) and self._counts(word) for word in following)

    def _counts(self, token: Token) -> bool:
        """Whether a word beside a number says what is counted, or what has that number."""
        beside = self.naming.asked | self.naming.number
        return is_telling(token) and not token.word.isdecimal() and token.word not in beside

    def _is_whole(self, place: int, text: str, tokens: Sequence[Token]) -> bool:
        """Tell whether nothing is written to a number: no unit, no point, no further figure."""
        token = tokens[place]
        before, after = text[: token.start], text[token.end :]
        return not _CONNECTED.search(before) and not _CONTINUED.search(after)

    def _bare(
        self, place: int, tokens: Sequence[Token], spoken: frozenset[DocumentKind]
    ) -> Numbered:
        """Give a number the kind that bears it or is spoken of; else all that may be meant."""
        number, word = self._number(place, tokens) or 0, tokens[place].word
        bearing = self.borne.get(number, frozenset())
        kinds = sorted(bearing & spoken if len(bearing & spoken) == 1 else bearing)
        bare = Reference(number=number, written=word, approval=bool(_RECORD.fullmatch(word)))
        each = tuple(replace(bare, kind=kind) for kind in kinds)
        if len(each) == 1:
            return Numbered(place, place + 1, each[0], kind_said=False)
        return Numbered(place, place + 1, bare, each, kind_said=False)

    def _kinds_spoken_of(
        self, named: Iterable[Numbered], tokens: Sequence[Token]
    ) -> frozenset[DocumentKind]:
        """The kinds of what is named with one; else those of which there is talk at all."""
        kinds = {item.reference.kind for item in named if item.reference.kind and item.kind_said}
        if not kinds:
            for token in tokens:
                said = self.naming.several.get(token.word) or self.naming.kinds.get(token.word)
                kinds |= said if said and len(said) == 1 else frozenset()
        return frozenset(kinds)


def _covered(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """The words that stand in a part of a text, from the first to before the last."""
    places = [at for at, token in enumerate(tokens) if start < token.end and token.start < end]
    return places[0], places[-1] + 1


def _may_be_number(word: str) -> bool:
    return any(map(str.isdecimal, word))


def _places(named: Iterable[Numbered]) -> set[int]:
    return {place for item in named for place in range(item.first, item.last)}
