"""What a message in a conversation may ask: by a template where one fits, else its candidates."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Final

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Unclear
from elysia_guard.language.pack import pack
from elysia_guard.language.small_talk import small_talk
from elysia_guard.language.stems import function_word_counts
from elysia_guard.language.text import words
from elysia_guard.reading.followups import referring, repeating
from elysia_guard.reading.followups.asked import Asked, Candidates, Whole, asks_side
from elysia_guard.reading.followups.message import EDGES, Message, Subject
from elysia_guard.reading.followups.picks import place_of
from elysia_guard.reading.followups.spoken import SpokenOf

MOST_CLOSING: Final = 4
"""Words of what ends a conversation: 'Understood. Goodbye.'"""
LONGEST: Final = 80
"""Words of a follow-up; a longer text says itself what it is about."""


def resolve(
    text: str,
    *,
    lang: Lang,
    conversation: Conversation,
    documents: Sequence[Document] = (),
    subjects: Sequence[Subject] = (),
) -> Whole | Unclear | Candidates:
    """Make a whole question of a text, by what the conversation was about.

    A text with a subject of its own and no word that refers is returned as it is, and so is any in
    a language whose pack has no follow-ups. Where nothing in its words decides, the candidates are
    returned: what documents say of its words is to choose (``evidence.chosen``).

    Args:
        text: what was typed, cleaned.
        lang: the language that it is in.
        conversation: what was said before; a message that was asked back stands in its focus
            without any subject.
        documents: those that there are, for 'the TLS one' and for who owns them.
        subjects: the terms and titles that stand in the text; what it names by number is found.

    >>> resolve("is it accepted?", lang="en", conversation=Conversation()).word
    'it'
    """
    talk = SpokenOf.of(conversation)
    if talk.last and not any(function_word_counts(text).values()):
        lang = talk.last.said.lang
    if not pack(lang).has("followups"):
        return Whole(text=text, lang=lang)
    listed = {each.kind for each in talk.several()}
    said = Message.of(text, lang, [each for each in subjects if not _is_picked(each, text, listed)])
    if len(said.words) > LONGEST:
        return Whole(text=text, lang=lang)
    opened = said.opened()
    asked = Asked(said=opened, talk=talk, documents=documents)
    if not opened.words or "away" in opened.opening:
        return Whole(text=opened.text.strip(EDGES) or text, lang=lang)
    if "thanks" in opened.opening and not ("?" in opened.text or opened.own or asked.pick):
        thanks = text[: len(text) - len(opened.text)].strip(EDGES)
        closes = len(opened.content) == 1 or opened.says("refers.persons")
        asks = asks_side(opened) or opened.says("clauses.question_words")
        if not asks and (closes or not opened.is_asking):
            return Whole(text=thanks if closes else text, lang=lang)
    *_, ending = text.rstrip(EDGES).replace("!", ".").split(". ")
    if ending != text and small_talk(ending) and len(said.words) <= MOST_CLOSING:
        return Whole(text=ending, lang=lang)
    answers = (rule(asked) for rule in _TEMPLATES)
    found = next((each for each in answers if each), None)
    return found or Whole(text=text, lang=lang)


def _is_picked(subject: Subject, text: str, listed: Container[DocumentKind | None]) -> bool:
    """Tell whether it is a place among those listed, and no number: 'the second decision'."""
    first = next(iter(words(text[subject.start : subject.end])), "")
    return (
        subject.reference is not None
        and subject.reference.kind in listed
        and place_of(first) is not None
    )


_TEMPLATES: Final[tuple[Callable[[Asked], Whole | Unclear | Candidates | None], ...]] = (
    repeating.filled,
    repeating.clarified,
    referring.of_term,
    repeating.listed,
    repeating.again,
    repeating.listed_before,
    referring.compared,
    repeating.same,
    repeating.other_kind,
    repeating.owned,
    referring.picked,
    referring.of_spoken,
)
"""From the most to the least certain; the first that answers decides."""
