"""The clauses of a question: where each begins, how it is joined on, and whether it asks."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from elysia_guard.reading.tagged import Mention, Wording

_STOPS = frozenset("? ! . ... \u2026 ;".split())
_DASHES = frozenset("- -- \u2013 \u2014".split())
OF_TERMS = ("broader", "narrower", "related", "synonyms")
"""Roles of words that ask how a term stands to others."""
_OF_CONCEPTS = ("broader_of", "narrower_of", "related_of")
"""Roles of words that do, where they are said of a concept."""
_LEAST = 2
"""Words with content that make a question without a verb of a closed class."""


class Joint(StrEnum):
    """How a clause is joined to what stands before."""

    NONE = ""
    STOP = "stop"
    AND = "and"
    OR = "or"
    DASH = "dash"
    COLON = "colon"
    COMMA = "comma"


class Mood(StrEnum):
    """What a clause does."""

    QUESTION = "question"
    """It begins with a question word."""
    CHOICE = "choice"
    """It asks whether."""
    COMMAND = "command"
    """It wants something told or shown."""
    WISH = "wish"
    """It says what somebody needs, which may be no more than an occasion."""
    NOUN = "noun"
    """It names what is wanted: 'the owner', 'synonyms of islanding'."""
    MENTION = "mention"
    """It is a term or a document, and nothing else."""
    STATEMENT = "statement"


class Clause(NamedTuple):
    """Tokens from ``start`` to ``end``, without what joins them to the others."""

    wording: Wording
    start: int
    end: int
    joint: Joint
    mark: str = ""
    """What closes it, where a sentence ends there: '?', '.', ';'."""

    @property
    def asked(self) -> bool:
        """Whether a question mark closes it."""
        return self.mark == "?"

    @property
    def places(self) -> range:
        """The places of its tokens."""
        return range(self.start, self.end)

    @property
    def text(self) -> str:
        """What is written in it."""
        return self.wording.written(self.start, self.end)

    @property
    def head(self) -> int:
        """The place of its first word that matters: after a preamble and 'also'."""
        wording, place = self.wording, self.start
        while place < self.end:
            token = wording.tokens[place]
            if token.is_mention or wording.plays(place, "commands", "requests", "wishes"):
                break
            step = wording.roles[place].get("openers", 0)
            if not step and (token.is_word or token.word in "=+"):
                break
            place += step or 1
        return place if place < self.end else self.start

    @property
    def spans(self) -> tuple[Mention, ...]:
        """What it mentions."""
        found = (self.wording.tokens[place].span for place in self.places)
        return tuple(span for span in found if span)

    def has(self, *names: str) -> bool:
        """Tell whether a word of it plays one of these roles."""
        return any(self.wording.plays(place, *names) for place in self.places)

    @property
    def is_of_terms(self) -> bool:
        """Whether it speaks of how a term stands to others."""
        return self.has(*OF_TERMS) or (self.has(*_OF_CONCEPTS) and self.has("concepts"))

    @property
    def content(self) -> list[int]:
        """The places of its words that name something, mentions included."""
        wording = self.wording
        return [
            place
            for place in self.places
            if wording.tokens[place].is_mention or wording.is_content(place)
        ]

    @property
    def mood(self) -> Mood:
        """What it does, by the words at its beginning, or at its end where verbs stand there."""
        head, wording = self.head, self.wording
        at = wording.after(head, self.end, "prepositions", "topical")
        if at < self.end and wording.plays(at, "question_words"):
            return Mood.QUESTION
        if wording.plays(head, "commands", "requests") or self._ends_in_command():
            return Mood.COMMAND
        if wording.plays(head, "wishes"):
            return Mood.WISH
        if wording.plays(head, "whether") or self._begins_with_verb(head):
            return Mood.CHOICE
        if self._is_noun(head):
            return Mood.NOUN
        if self.spans and not any(wording.is_content(place) for place in self.places):
            return Mood.MENTION
        return Mood.STATEMENT

    @property
    def asks(self) -> bool:
        """Tell whether it asks something."""
        return self.mood not in (Mood.STATEMENT, Mood.MENTION) or (
            self.asked and bool(self.content) and self.mood is not Mood.MENTION
        )

    @property
    def stands(self) -> bool:
        """Tell whether it is a whole question, not the rest of one ('and how often')."""
        content, mood = self.content, self.mood
        if mood is not Mood.QUESTION:
            return bool(content)
        head = self.wording.after(self.head, self.end, "prepositions", "topical")
        whole = bool(self.spans) or self.has("auxiliaries", "perfect", "thing", "things")
        whole = whole or self.wording.plays(head, "question_subjects")
        return len(content) >= (1 if whole else _LEAST)

    def _begins_with_verb(self, head: int) -> bool:
        wording, following = self.wording, head + 1
        inverted = any(wording.plays(at, "adverbs") for at in range(self.start, head))
        if following >= self.end or (inverted and not self.asked):
            return False  # 'jetzt ist das Paket riesig' states
        subject = wording.plays(following, "subjects") or wording.tokens[following].is_mention
        if wording.plays(head, "auxiliaries"):
            return subject or self.asked
        if wording.plays(head, "perfect"):
            return subject and self.has("perfect_marks")
        joined = self.joint not in (Joint.NONE, Joint.COMMA)
        if (
            not joined
            or not wording.tokens[head].text[:1].islower()
            or not wording.is_content(head)
        ):
            return False
        finite = wording.plays(head, "finite")
        articles = ("definite", "indefinite", "determiners")
        return wording.plays(following, "inverted") or (
            finite and (wording.plays(following, *articles) or subject)
        )

    def _ends_in_command(self) -> bool:
        wording = self.wording
        words = [place for place in self.places if wording.tokens[place].is_word]
        while words and wording.plays(words[-1], "fillers"):
            words.pop()
        return any(wording.plays(place, "final_commands") for place in words[-1:])

    def _is_noun(self, head: int) -> bool:
        wording = self.wording
        at = wording.after(head, self.end, "indefinite", "definite", "determiners", "owning")
        if at < self.end and wording.plays(at, "superlatives"):
            return True
        near = range(at, min(at + 2, self.end))
        return (
            any(wording.plays(place, "asked_nouns", "counting") for place in near)
            or any(wording.tokens[place].word == "=" for place in self.places)
            or (self.is_of_terms and not all(span.is_document for span in self.spans))
        )


def clauses(said: Wording) -> list[Clause]:
    """Cut a text at every mark and every 'and' and 'or' that stands between words or mentions."""
    return [clause for clause in _cut(said) if clause.start < clause.end]


def _cut(said: Wording) -> Iterator[Clause]:
    found, start, joint, place, depth = said.tokens, 0, Joint.NONE, 0, 0
    while place < len(found):
        depth += (found[place].word in {"(", "["}) - (found[place].word in {")", "]"})
        kind, step = (Joint.NONE, 1) if depth > 0 else _joint(said, place)
        if kind is Joint.NONE:
            place += 1
            continue
        mark = next(
            (found[at].word for at in range(place, place + step) if found[at].word in _STOPS), ""
        )
        if start < place:
            yield Clause(said, start, place, joint, mark)
            joint = kind
        else:
            joint = kind if joint or place else Joint.NONE
        place += step
        start = place
    yield Clause(said, start, place, joint)


def _joint(said: Wording, place: int) -> tuple[Joint, int]:
    roles_here, word = said.roles[place], said.tokens[place].word
    if step := roles_here.get("additive", 0):
        return (Joint.STOP if word in _STOPS else Joint.AND), step
    if step := roles_here.get("alternative", 0):
        return Joint.OR, step
    if word in _STOPS:
        return Joint.STOP, 1
    if word in _DASHES:
        return Joint.DASH, 1
    return {":": Joint.COLON, ",": Joint.COMMA}.get(word, Joint.NONE), 1
