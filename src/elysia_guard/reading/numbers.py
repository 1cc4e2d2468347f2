"""Documents that a question names by their number: in figures, in words, as an ordinal, alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Reference
from elysia_guard.language.pack import packs
from elysia_guard.language.references import bounds_row, located_references, may_be_number
from elysia_guard.reading.mentions import PossibleMention, Rank
from elysia_guard.reading.naming_words import LETTERS, Kinds, NamingWords
from elysia_guard.reading.tokens import Token, is_telling, joined

NUMBERED: Final = 0.99
"""The chance that a number with its kind names a document."""
ALONE: Final = 0.8
"""The chance that a number alone does."""
MOST_WORDS: Final = 3
"""Of how many words a number may be made: 'quatre-vingt-dix'."""
_APPROVAL_NEAR: Final = 3
_CONNECTED: Final = re.compile(r"[\w.,:/\-\u2010-\u2015+*=<>\u20ac$\u00a3~^]$")
_CONTINUED: Final = re.compile(r"^\s*[%\u00b0\u20ac$]|^[.,:/\-\u2010-\u2015]?\w")
_RECORD: Final = re.compile(r"0\d{3}d")
"""How the file of an approval record begins: '0031D'."""


class Numbers(NamedTuple):
    """Finds numbers of documents in a question, by the numbers that the catalogue bears."""

    borne: Mapping[int, Kinds]
    naming: NamingWords

    @classmethod
    def of(cls, documents: Iterable[Document], naming: NamingWords) -> Numbers:
        """Take the numbers of documents; an approval record has that of what it approves."""
        borne: dict[int, Kinds] = {}
        for item in documents:
            if item.number is not None and not item.approval:
                borne[item.number] = borne.get(item.number, frozenset()) | {item.kind}
        return cls(borne, naming)

    def find(self, text: str, tokens: Sequence[Token]) -> list[PossibleMention]:
        """Return what is named with its kind, whether it is there or not, and numbers alone.

        A number alone is one that the catalogue bears, where neither what stands before it nor
        what follows makes it an amount, a time or a version.
        """
        if not any(map(self._may_be_number, tokens)):
            return []
        written = list(_written(text, tokens, self.naming))
        taken = _places(written)
        spoken = [item for item in self._spoken(text, tokens) if taken.isdisjoint(item.places)]
        named = [*written, *spoken]
        return [*named, *self._alone(text, tokens, named)]

    def _may_be_number(self, token: Token) -> bool:
        in_words = token.word in self.naming.ordinals or token.word in self.naming.cardinals
        return in_words or any(map(str.isdecimal, token.word))

    def _spoken(self, text: str, tokens: Sequence[Token]) -> Iterator[PossibleMention]:
        """'decision four', 'the 12th decision', 'het twaalfde besluit'."""
        for place, token in enumerate(tokens):
            kinds = self.naming.kinds.get(token.word, frozenset())
            if len(kinds) != 1:
                continue
            found = self._after(place, text, tokens) or self._before(place, text, tokens)
            if found and self._may_be_of(kinds, found[2]):
                first, last, number = found
                written = text[tokens[first].start : tokens[last - 1].end]
                reference = Reference(number=number, written=written, kind=min(kinds))
                yield PossibleMention(Rank.NUMBERED, first, last, (reference,), NUMBERED)

    def _may_be_of(self, kinds: Kinds, number: int) -> bool:
        """Whether a number is one of a kind: 'the policy 2024' names a year if none bears it."""
        bearing = self.borne.get(number, frozenset())
        return may_be_number(str(number)) or not kinds.isdisjoint(bearing)

    def _after(self, place: int, text: str, tokens: Sequence[Token]) -> tuple[int, int, int] | None:
        """The number right behind a kind: 'decision number four'."""
        at = place + 1
        at += at < len(tokens) and tokens[at].word in self.naming.number
        if at >= len(tokens) or not joined(text, tokens[at - 1], tokens[at]):
            return None
        if tokens[at].word.isdecimal():
            is_whole = _is_whole(tokens[at], text)
            return (place, at + 1, int(tokens[at].word)) if is_whole else None
        for end in range(min(at + MOST_WORDS, len(tokens)), at, -1):
            # 'the decision one should take' names none.
            if (number := self.naming.cardinals.get(_joint(tokens[at:end]), 1)) > 1:
                return place, end, number
        return None

    def _before(
        self, place: int, text: str, tokens: Sequence[Token]
    ) -> tuple[int, int, int] | None:
        """The ordinal right before a kind, in words, or in figures with an ending: '12th'."""
        if not place or text[tokens[place - 1].end : tokens[place].start].strip(" .-\u2010\u2011"):
            return None
        before = tokens[place - 1]
        figures = before.word.rstrip(LETTERS)
        ending = before.word[len(figures) :] or text[before.end : before.end + 1]
        if figures.isdecimal() and ending in {".", *self.naming.endings}:
            return place - 1, place + 1, int(figures)
        for first in range(max(place - MOST_WORDS, 0), place):
            if number := self.naming.ordinals.get(_joint(tokens[first:place])):
                of_some = self._is_relative(place + 1, text, tokens)
                return None if of_some else (first, place + 1, number)
        return None

    def _is_relative(self, at: int, text: str, tokens: Sequence[Token]) -> bool:
        """Tell 'the first decision that was rejected' from 'the first decision, which says so?'."""
        if at >= len(tokens) or tokens[at].word not in self.naming.relative - self.naming.about:
            return False
        apart = "," in text[tokens[at - 1].end : tokens[at].start]
        asking = (item.core.questions.words for item in packs().values())
        return not (apart and any(tokens[at].word in each for each in asking))

    def _alone(
        self, text: str, tokens: Sequence[Token], named: Sequence[PossibleMention]
    ) -> Iterator[PossibleMention]:
        """Numbers without a kind; beside those with one only what is joined on: 'ADR 10 vs 17'.

        Where one of them is an amount, so are the others: 'why 90 days and not 12'.
        """
        taken, ends = _places(named), [item.last for item in named]
        numbers = {
            at: number
            for at in range(len(tokens))
            if at not in taken and (number := self._number(at, tokens)) is not None
        }
        if ends:
            numbers = {
                at: number
                for at, number in numbers.items()
                if any(end <= at and not any(map(self._counts, tokens[end:at])) for end in ends)
            }
        spoken = self._kinds_spoken_of(named, tokens)
        if not bounds_row(text) and all(
            self._may_be_of(spoken, number) and self._is_alone(at, number, text, tokens)
            for at, number in numbers.items()
        ):
            yield from (self._bare(at, each, tokens, spoken) for at, each in numbers.items())

    def _number(self, place: int, tokens: Sequence[Token]) -> int | None:
        """The number that a word is: in figures, in letters behind 'number', or of a record."""
        word = tokens[place].word
        if word.isdecimal() or _RECORD.fullmatch(word):
            return int(word.removesuffix("d"))
        is_number = place and tokens[place - 1].word in self.naming.number
        return self.naming.cardinals.get(word) if is_number else None

    def _is_alone(self, place: int, number: int, text: str, tokens: Sequence[Token]) -> bool:
        """Whether the catalogue bears a number, and nothing beside it says what else it is of."""
        token = tokens[place]
        if number not in self.borne or not _is_whole(token, text):
            return False
        if token.word.startswith("0"):
            return True  # no amount is written so
        if place and joined(text, before := tokens[place - 1], token):
            if before.word in self.naming.number:
                return True
            if before.word in self.naming.amounts or self._counts(before):
                return False
        following = tokens[place + 1 : place + 2]
        return not any(joined(text, token, word) and self._counts(word) for word in following)

    def _counts(self, token: Token) -> bool:
        """Whether a word beside a number says what is counted, or what has that number."""
        beside = token.word in self.naming.asked or token.word in self.naming.number
        return not beside and not token.word.isdecimal() and is_telling(token)

    def _bare(
        self, place: int, number: int, tokens: Sequence[Token], spoken: Kinds
    ) -> PossibleMention:
        """Give a number the kind that bears it or is spoken of; else all that may be meant."""
        word = tokens[place].word
        bearing = self.borne[number]
        kinds = sorted(bearing & spoken if len(bearing & spoken) == 1 else bearing)
        bare = Reference(number=number, written=word, approval=word.endswith("d"))
        each = tuple(replace(bare, kind=kind) for kind in kinds)
        meant = each if len(each) == 1 else (bare, *each)
        return PossibleMention(Rank.ALONE, place, place + 1, meant, ALONE)

    def _kinds_spoken_of(self, named: Iterable[PossibleMention], tokens: Sequence[Token]) -> Kinds:
        """The kinds of what is named with one; else those of which there is talk at all."""
        references = (each for item in named for each in item.meant)
        kinds = {each.kind for each in references if isinstance(each, Reference) and each.kind}
        every = {**self.naming.kinds, **self.naming.several}
        talk = (every.get(token.word, frozenset()) for token in tokens)
        return frozenset(kinds) or frozenset().union(*(each for each in talk if len(each) == 1))


def _written(text: str, tokens: Sequence[Token], naming: NamingWords) -> Iterator[PossibleMention]:
    """What is written as a reference; that of an approval record where it is spoken of."""
    for start, end, reference in located_references(text):
        if reference.kind is None:
            continue
        covered = [at for at, each in enumerate(tokens) if start < each.end and each.start < end]
        first, last = covered[0], covered[-1] + 1
        before = {token.word for token in tokens[max(first - _APPROVAL_NEAR, 0) : first]}
        approval = reference.approval or not naming.approval.isdisjoint(before)
        meant = (replace(reference, approval=approval),)
        yield PossibleMention(Rank.NUMBERED, first, last, meant, NUMBERED)


def _is_whole(token: Token, text: str) -> bool:
    """Tell whether nothing is written to a number: no unit, no point, no further figure."""
    before, after = text[: token.start], text[token.end :]
    return not _CONNECTED.search(before) and not _CONTINUED.search(after)


def _joint(tokens: Sequence[Token]) -> str:
    return "".join(token.word for token in tokens)


def _places(named: Iterable[PossibleMention]) -> set[int]:
    return {place for item in named for place in item.places}
