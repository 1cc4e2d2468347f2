"""A follow-up behind the words that it opens with, and what those say of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.domain.reading import Listing, Search
from elysia_guard.language.glossary import translations
from elysia_guard.language.pack import langs
from elysia_guard.language.references import SIGNS, may_be_number
from elysia_guard.language.stems import stem, stems
from elysia_guard.reading.followups.coreference import mentions
from elysia_guard.reading.followups.focus import Antecedent, SpokenOf
from elysia_guard.reading.followups.mention import ReferringWords, Refers
from elysia_guard.reading.followups.text import FollowUpText
from elysia_guard.reading.followups.wholes import names
from elysia_guard.reading.followups.words import FollowupWords

_BEFORE: Final = re.compile(rf"([.,/-]|[{SIGNS}] ?)\Z")
_UNITS: Final = re.compile(rf"\w|[.,:/-]\d|\s?[{SIGNS}]")
_OPENING: Final = ("away", "back", "parallel", "corrects", "thanks", "joins")
_ALONE: Final = {"away", "thanks"}
_DIRECT: Final = {Refers.THING, Refers.POSSESSIVE, Refers.ADVERB, Refers.KIND, Refers.TERM}


@dataclass(frozen=True, kw_only=True, slots=True)
class Whole:
    """A question that can be understood with nothing before it.

    ``lang`` is the language to answer in, which may not be that of the text. ``about`` names, for
    the reader, what a follow-up was taken to be about, and is empty where that was obvious.
    ``refers`` tells whether it is a follow-up at all; where nothing in its words says so,
    ``perhaps`` is what it asks if it is, of a document that then speaks of it.
    """

    text: str
    lang: Lang
    about: str = ""
    reason: str = ""
    refers: bool = False
    perhaps: Perhaps | None = None
    asks: Listing | Search | None = None
    """What it asks, where it changes what was asked before; else its text tells."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Perhaps:
    """A question that may be about the document spoken of: if all of its words stand there."""

    document: Reference
    whole: Whole
    words: tuple[str, ...]
    """What it asks about, in lower case."""

    def is_told(self, text: str) -> bool:
        """Tell whether the text of the document speaks of every word, in some form of it."""
        there = {found for lang in langs() for found in stems(text, lang)}
        return all(
            there & self._forms(word) or (word.isalpha() and _initials(word).search(text))
            for word in self.words
        )

    def _forms(self, word: str) -> set[str]:
        """The stems of a word, and of what it is called in the other languages."""
        foreign = {stem(name, lang) for name, lang in translations(word, self.whole.lang)}
        return foreign | {stem(word, lang) for lang in langs()}


@dataclass(frozen=True, kw_only=True)
class Followup:
    """What was typed, without what it opens with, in the conversation that it may refer to."""

    said: FollowUpText
    opening: frozenset[str]
    talk: SpokenOf
    documents: Sequence[Document]

    @classmethod
    def of(cls, said: FollowUpText, talk: SpokenOf, documents: Sequence[Document] = ()) -> Followup:
        """Take off the words that a text opens with, and 'that is what I meant' at its end."""
        opening: set[str] = set()
        while found := _opens(said):
            role, length = found
            opening.add(role)
            said = said.after(length)
        if closing := _closes(said):
            opening.add("corrects")
            said = said.until(closing)
        return cls(said=said, opening=frozenset(opening), talk=talk, documents=documents)

    @property
    def pack(self) -> FollowupWords:
        """The words of its language."""
        return self.said.pack

    @property
    def lang(self) -> Lang:
        """The language that it is in."""
        return self.said.lang

    @property
    def is_something_else(self) -> bool:
        """Whether it says that it is: 'vergiss das: ...'."""
        return "away" in self.opening and bool(self.said.words)

    @property
    def is_small_talk(self) -> bool:
        """Whether it says nothing but thanks."""
        if not self.said.words:
            return True
        asks = self.said.asks or self.said.subjects or "?" in self.said.text
        return "thanks" in self.opening and not asks

    @property
    def corrects(self) -> bool:
        """Whether it says that something else was meant."""
        return "corrects" in self.opening

    @cached_property
    def mentions(self) -> tuple[ReferringWords, ...]:
        """Its words that refer."""
        return mentions(self.said)

    @property
    def refers_back(self) -> ReferringWords | None:
        """The first word that refers, and to nothing in the text itself if there is such a word."""
        return min(self.mentions, key=lambda each: each.inside, default=None)

    @cached_property
    def own(self) -> tuple[Antecedent, ...]:
        """What the text names itself."""
        return tuple(
            Antecedent.of(each.reference)
            if each.reference
            else Antecedent(name=self.said.named(each))
            for each in self.said.subjects
        )

    @cached_property
    def numbered(self) -> tuple[Antecedent, ...]:
        """The bare numbers that it names, as documents of the kind that was spoken of."""
        kind = self.talk.kind
        return tuple(_numbered(kind, each) for each in self.bare_numbers if kind)

    @cached_property
    def bare_numbers(self) -> tuple[str, ...]:
        """The numbers that it names without saying of what."""
        return tuple(_numbers(self.said))

    @property
    def number_alone(self) -> str:
        """The one number that it names so, where no other figures stand beside it; else nothing."""
        figures = sum(word.low.isdecimal() for word in self.said.words)
        return self.bare_numbers[0] if figures == len(self.bare_numbers) == 1 else ""

    @property
    def content(self) -> tuple[str, ...]:
        """What it says beside what it names."""
        return tuple(word for word in self.said.content if not word.isdecimal())

    def worded(self, mention: ReferringWords) -> str:
        """Return words that refer as they were typed."""
        words = self.said.words
        return self.said.text[words[mention.first].start : words[mention.end - 1].end]

    def whole(
        self,
        text: str,
        reason: str,
        subjects: Iterable[Antecedent] = (),
        mention: ReferringWords | None = None,
    ) -> Whole:
        """Return a whole question, and what it is about where neither it nor a pronoun says so."""
        subjects, last = tuple(subjects), self.talk.last
        direct = mention is not None and mention.refers in _DIRECT
        typed = self.said.text.casefold()
        named = [item for item in subjects if item.name.casefold() not in typed]
        if not named or (direct and last and last.named == subjects and len(subjects) == 1):
            return Whole(text=text, lang=self.lang, reason=reason, refers=True)
        about = names(named, self.lang)
        return Whole(text=text, lang=self.lang, about=about, reason=reason, refers=True)


def _initials(word: str) -> re.Pattern[str]:
    """Match the name that a word shortens: 'CISO', 'Chief Information Security Officer'."""
    begun = r"\w*[ -]".join(word)
    return re.compile(rf"\b{begun}\w+\b", re.IGNORECASE)


def _opens(said: FollowUpText) -> tuple[str, int] | None:
    for role in _OPENING:
        length = said.pack.match(f"opening.{role}", said.low)
        if length and not said.words[0].own and (length < len(said.words) or role in _ALONE):
            return role, length
    return None


def _closes(said: FollowUpText) -> int:
    """Return where a text ends in saying that something else was meant: 'principe 15 bedoel ik'."""
    closing = (
        at
        for at in range(1, len(said.words))
        if at + said.pack.match("opening.corrects", said.low, at) == len(said.words)
    )
    return next(closing, 0)


def _numbers(said: FollowUpText) -> list[str]:
    """The numbers that may be of documents: no version, no measure."""
    return [
        word.low
        for word in said.words
        if not word.own
        and word.low.isdecimal()
        and may_be_number(word.low)
        and not _BEFORE.search(said.text[max(word.start - 2, 0) : word.start])
        and not _UNITS.match(said.text, word.end)
    ]


def _numbered(kind: DocumentKind, number: str) -> Antecedent:
    return Antecedent.of(Reference(number=int(number), written=number, kind=kind))
