"""A message taken apart: what it opens with, its words and their roles, what it names itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.language.kinds import names_as_words
from elysia_guard.language.pack import pack
from elysia_guard.language.references import SIGNS, located_references, may_be_number
from elysia_guard.language.stems import is_content_word
from elysia_guard.language.text import words, words_in_place
from elysia_guard.reading.followups.spoken import Antecedent
from elysia_guard.reading.followups.words import FollowupWords, followup_words, kind_words

EDGES: Final = " ,.;:?!\u2013\u2014"
OPENING: Final = ("away", "back", "parallel", "corrects", "thanks", "joins")
_BREAKS: Final = frozenset(",.;:?!()\u2013\u2014\u2026")
_BEFORE: Final = re.compile(rf"([.,/-]|[{SIGNS}] ?)\Z")
_UNITS: Final = re.compile(rf"\w|[.,:/-]\d|\s?[{SIGNS}]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A term or a document that a text names itself, and where; ``reference`` is of a document."""

    start: int
    end: int
    reference: Reference | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """One word in lower case; whether a clause ends with it, and whether it is of a name."""

    low: str
    start: int
    end: int
    breaks: bool = False
    own: bool = False


@dataclass(frozen=True, kw_only=True)
class Message:
    """What was typed, behind the words that it opens with."""

    text: str
    lang: Lang
    words: tuple[Word, ...]
    subjects: tuple[Subject, ...]
    opening: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str, lang: Lang, subjects: Sequence[Subject] = ()) -> Message:
        """Take a text apart; a bare number is none of its subjects."""
        numbered_ = tuple(
            Subject(start=start, end=end, reference=ref)
            for start, end, ref in located_references(text)
            if ref.kind
        )
        own = list(numbered_)
        for each in sorted(subjects, key=lambda item: item.start - item.end):
            named = words(text[each.start : each.end])
            if not each.reference and not any(_is_of_its_own(word, lang) for word in named):
                continue
            if text[each.start : each.end].strip(" #").isdecimal():
                continue
            if not any(each.start < one.end and one.start < each.end for one in own):
                own.append(each)
        own.sort(key=lambda each: each.start)
        return cls(text=text, lang=lang, words=tuple(_words(text, own)), subjects=tuple(own))

    @cached_property
    def pack(self) -> FollowupWords:
        """The words of its language."""
        return followup_words(self.lang)

    @cached_property
    def low(self) -> tuple[str, ...]:
        """Its words alone."""
        return tuple(each.low for each in self.words)

    def opened(self) -> Message:
        """Take away what it opens with, and at its end what says that something else was meant."""
        said, found = self, set[str]()
        while opens := said._opens():
            found.add(opens[0])
            said = said.after(opens[1])
        end = len(said.words)
        closing = (
            at
            for at in range(1, end)
            if at + said.pack.match("opening.corrects", said.low, at) == end
        )
        if at := next(closing, 0):
            said = said.until(at)
            found.add("corrects")
        return replace(said, opening=frozenset(found))

    def _opens(self) -> tuple[str, int] | None:
        article = bool(self.low) and self.low[0] in pack(self.lang).core.words.indefinite
        for role in OPENING:
            skipped = article and role == "away"
            length = self.pack.match(f"opening.{role}", self.low, skipped)
            length += skipped and length > 0
            whole = length == len(self.words)
            if length and not self.words[0].own and (not whole or role in {"away", "thanks"}):
                return role, length
        return None

    def after(self, count: int) -> Message:
        """Return what follows the first words."""
        start = self.words[count].start if count < len(self.words) else len(self.text)
        return Message.of(
            self.text[start:],
            self.lang,
            [
                replace(each, start=each.start - start, end=each.end - start)
                for each in self.subjects
                if each.start >= start
            ],
        )

    def until(self, count: int) -> Message:
        """Return the first words alone."""
        end = self.words[count - 1].end
        return Message.of(
            self.text[:end], self.lang, [each for each in self.subjects if each.end <= end]
        )

    def is_content(self, at: int) -> bool:
        """Tell whether a word says what the text is about."""
        word = self.words[at]
        return not word.own and self.is_telling(word.low)

    def is_telling(self, low: str) -> bool:
        """Tell whether a word is none of how a question is built."""
        return (
            is_content_word(low, self.lang)
            and not self.pack.is_closed(low)
            and not self.pack.has("refers.its", low)
        )

    @cached_property
    def content(self) -> tuple[str, ...]:
        """What it says beside what it names, and beside the words of every question."""
        return tuple(
            word.low
            for at, word in enumerate(self.words)
            if self.is_content(at) and not word.low.isdecimal()
        )

    @cached_property
    def own(self) -> tuple[Antecedent, ...]:
        """What the text names itself."""
        return tuple(
            Antecedent.of(each.reference)
            if each.reference
            else Antecedent(name=self.text[each.start : each.end])
            for each in self.subjects
        )

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers that may be of documents: no version, no measure."""
        return tuple(
            word.low
            for word in self.words
            if not word.own
            and word.low.isdecimal()
            and may_be_number(word.low)
            and not _BEFORE.search(self.text[max(word.start - 2, 0) : word.start])
            and not _UNITS.match(self.text, word.end)
        )

    @cached_property
    def has_verb(self) -> bool:
        """Whether it has a verb of the closed classes."""
        return any(map(self.is_verb, range(len(self.words))))

    @cached_property
    def is_asking(self) -> bool:
        """Whether it has a verb of the closed classes, or a word that asks."""
        asks = self.pack.words("clauses.question_words")
        return self.has_verb or any(word in asks for word in self.low)

    def is_verb(self, at: int) -> bool:
        """Tell whether a word is a verb of the closed classes."""
        roles = ("clauses.auxiliaries", "clauses.perfect", "refers.plural")
        return any(self.pack.has(role, self.low[at]) for role in roles)

    def is_before_noun(self, low: str) -> bool:
        """Tell whether a word is an article or a preposition."""
        articles = pack(self.lang).core.words
        article = low in {*articles.definite, *articles.indefinite}
        return article or self.pack.has("clauses.prepositions", low)

    def adverb(self, at: int) -> str:
        """Return the preposition that a pronominal adverb holds: of 'daarvan' it is 'van'."""
        return self.pack.adverbs.get(self.low[at], "")

    def says(self, role: str) -> int:
        """Return how many words of a role stand in it, beside what it names; the longest phrase."""
        found = (
            self.pack.match(role, self.low, at)
            for at, word in enumerate(self.words)
            if not word.own
        )
        return max(found, default=0)

    def kind_at(self, at: int) -> tuple[DocumentKind, bool] | None:
        """Return the kind of documents that a word names, and whether it names several."""
        return kind_words().get(self.low[at])

    def kinds(self) -> list[tuple[int, DocumentKind, bool]]:
        """Return where it names kinds of documents."""
        found = ((at, self.kind_at(at)) for at in range(len(self.words)) if not self.words[at].own)
        return [(at, *kind) for at, kind in found if kind]

    def replaced(self, first: int, end: int, by: str) -> str:
        """Put a text in the place of some words."""
        start, stop = self.words[first].start, self.words[end - 1].end
        before, behind = self.text[:start].removesuffix("-"), self.text[stop:]
        return tidy(f"{before} {by}{' ' if behind[:1].isalnum() else ''}{behind}")


def _is_of_its_own(word: str, lang: Lang) -> bool:
    """Tell whether a word names something: none for a kind, a term as such, or in a follow-up."""
    said = followup_words(lang)
    return word not in kind_words() and not said.is_closed(word) and word not in said.known


def tidy(text: str) -> str:
    """Mend what taking words out of a text leaves: blanks, stops and an opening comma."""
    return re.sub(r"\s+([,.?!;:])", r"\1", " ".join(text.split())).strip().lstrip(EDGES)


def _words(text: str, own: Sequence[Subject]) -> Iterator[Word]:
    found = list(words_in_place(text))
    lows = [match.group().casefold().replace("\u2019", "'") for match in found]
    for first, end in names_as_words(lows):
        start, stop = found[first].start(), found[end - 1].end()
        following = found[end].start() if end < len(found) else len(text)
        yield Word(
            low=" ".join(lows[first:end]),
            start=start,
            end=stop,
            breaks=end == len(found) or bool(_BREAKS.intersection(text[stop:following])),
            own=any(each.start <= start < each.end for each in own),
        )
