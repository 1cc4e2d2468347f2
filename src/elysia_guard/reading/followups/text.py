"""A follow-up taken apart: its words, where its clauses end, and what it names itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from elysia_guard.domain.question import Lang, Reference
from elysia_guard.language.kinds import names_as_words
from elysia_guard.language.references import find_references
from elysia_guard.language.text import words_in_place
from elysia_guard.reading.followups.words import FollowupWords, followup_words, in_words

EDGES = " ,.;:?!\u2013\u2014"
_BREAKS = frozenset(",.;:?!()\u2013\u2014\u2026")


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A term or a document that a text names itself, and where; ``reference`` is of a document."""

    start: int
    end: int
    reference: Reference | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowUpWord:
    """One word, in lower case; ``breaks`` tells whether a clause ends with it."""

    low: str
    start: int
    end: int
    breaks: bool = False
    own: bool = False
    """Whether it belongs to what the text names itself."""


@dataclass(frozen=True, kw_only=True)
class FollowUpText:
    """A follow-up, or what is left of one behind the words it opens with."""

    text: str
    lang: Lang
    words: tuple[FollowUpWord, ...]
    subjects: tuple[Subject, ...]

    @classmethod
    def of(cls, text: str, lang: Lang, subjects: Sequence[Subject] = ()) -> FollowUpText:
        """Take a text apart; documents that it names by number are found here.

        A bare number is none of its subjects: of which kind it is, tells what was said before.
        """
        full = [each for each in subjects if each.reference and each.reference.id]
        own = tuple(
            each for each in _numbered(text) if not any(_is_within(each, one) for one in full)
        )
        for each in sorted(subjects, key=lambda item: item.start - item.end):
            known = followup_words(lang).is_known
            if text[each.start : each.end].strip(" #").isdecimal():
                continue
            if not any(_meet(each, one) for one in own) and not all(
                map(known, in_words(text[each.start : each.end]))
            ):
                own += (each,)
        own = tuple(sorted(own, key=lambda each: each.start))
        return cls(text=text, lang=lang, words=tuple(_words(text, lang, own)), subjects=own)

    @cached_property
    def pack(self) -> FollowupWords:
        """The words of its language."""
        return followup_words(self.lang)

    @cached_property
    def low(self) -> tuple[str, ...]:
        """Its words alone."""
        return tuple(each.low for each in self.words)

    @cached_property
    def content(self) -> tuple[str, ...]:
        """What it says beside what it names itself and beside the words of every question."""
        return tuple(
            each.low for each in self.words if not each.own and self.pack.is_content(each.low)
        )

    @property
    def references(self) -> tuple[Reference, ...]:
        """The documents that it names."""
        return tuple(each.reference for each in self.subjects if each.reference)

    @property
    def asks(self) -> bool:
        """Whether it has a question word or a verb of the closed classes."""
        return self.has_verb or any(self.pack.has("grammar.asks", word) for word in self.low)

    @property
    def has_verb(self) -> bool:
        """Whether it has a verb of the closed classes."""
        return any(self.pack.has("grammar.verbs", word) for word in self.low)

    def says(self, role: str) -> bool:
        """Tell whether a phrase of a role stands anywhere in it, beside what it names."""
        return any(
            self.pack.match(role, self.low, at)
            for at, word in enumerate(self.words)
            if not word.own
        )

    def after(self, count: int) -> FollowUpText:
        """Return what follows the first words."""
        if not count:
            return self
        start = self.words[count].start if count < len(self.words) else len(self.text)
        return replace(
            self,
            text=self.text[start:],
            words=tuple(
                replace(each, start=each.start - start, end=each.end - start)
                for each in self.words[count:]
            ),
            subjects=tuple(
                replace(each, start=each.start - start, end=each.end - start)
                for each in self.subjects
                if each.start >= start
            ),
        )

    def until(self, count: int) -> FollowUpText:
        """Return the first words alone."""
        end = self.words[count - 1].end
        return FollowUpText.of(
            self.text[:end], self.lang, [each for each in self.subjects if each.end <= end]
        )

    def without(self, *spans: tuple[int, int]) -> str:
        """Return the text without some of its words, given as places among them."""
        text = self.text
        for first, end in sorted(spans, reverse=True):
            text = f"{text[: self.words[first].start]} {text[self.words[end - 1].end :]}"
        return tidy(text)

    def named(self, subject: Subject) -> str:
        """Return a subject as the text says it."""
        return self.text[subject.start : subject.end]


def tidy(text: str) -> str:
    """Mend what taking words out of a text leaves: blanks, stops and an opening comma."""
    return re.sub(r"\s+([,.?!;:])", r"\1", " ".join(text.split())).strip().lstrip(EDGES)


def _numbered(text: str) -> Iterator[Subject]:
    end = 0
    for reference in find_references(text):
        if reference.kind is None:
            continue
        if (start := text.find(reference.written, end)) < 0:
            start = text.find(reference.written)
        end = start + len(reference.written)
        yield Subject(start=start, end=end, reference=reference)


def _is_within(one: Subject, other: Subject) -> bool:
    return other.start <= one.start and one.end <= other.end


def _meet(one: Subject, other: Subject) -> bool:
    return one.start < other.end and other.start < one.end


def _words(text: str, lang: Lang, own: Sequence[Subject]) -> Iterator[FollowUpWord]:
    found = list(words_in_place(text))
    lows = [match.group().casefold().replace("\u2019", "'") for match in found]
    contracted = followup_words(lang).plain.get("contractions", {})
    for first, end in names_as_words(lows):
        start, stop = found[first].start(), found[end - 1].end()
        following = found[end].start() if end < len(found) else len(text)
        breaks = end == len(found) or bool(_BREAKS.intersection(text[stop:following]))
        named = any(each.start <= start < each.end for each in own)
        low = " ".join(lows[first:end])
        *parts, last = contracted.get(low, low).split() if end - first == 1 else [low]
        for part in parts:
            yield FollowUpWord(low=part, start=start, end=start + len(part), own=named)
            start += len(part)
        yield FollowUpWord(low=last, start=start, end=stop, breaks=breaks, own=named)
