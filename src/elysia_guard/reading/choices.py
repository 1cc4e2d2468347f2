"""A message that picks what was offered is no new question."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.conversation import Choice, Conversation, QuestionBack
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.question import Reference
from elysia_guard.domain.reading import Definition, Named, Part, ReadBy, Search
from elysia_guard.language import choice_parsing
from elysia_guard.language.text import normalise, unquote, words


def resume(text: str, asked: QuestionBack | None) -> Part | None:
    """Return the reading of a message that answers a question back; None where it asks anew.

    A place that the list does not have ('the seventh' of two) asks the same question back again.
    """
    if asked is None:
        return None
    place = choice_parsing.position(text)
    if place is None:
        choice = _named(text, asked.choices)
        return _picked(text, asked, choice) if choice else None
    if place == choice_parsing.LAST:
        place = len(asked.choices)
    choice = asked.choices[place - 1] if place <= len(asked.choices) else None
    return _picked(text, asked, choice)


def way_on(text: str, conversation: Conversation) -> str | None:
    """Return the question that a message picks from the ways on of the last refusal, if any."""
    offered = conversation.ways_on.questions if conversation.ways_on else ()
    place = choice_parsing.position(text)
    place = len(offered) if place == choice_parsing.LAST else place
    if place and place <= len(offered):
        return offered[place - 1]
    return None


def must_be_offered(text: str) -> None:
    """Turn a message away that is nothing but a place in a list, where none was shown.

    Raises:
        QuestionError: it is one ('the second').
    """
    if choice_parsing.names_only_a_place(text):
        raise QuestionError("nothing_offered")


def settle(part: Part, conversation: Conversation) -> Part:
    """Give a term the meaning that was chosen for it earlier in the conversation."""
    asks = part.asks
    if not isinstance(asks, Definition | Search) or asks.uri:
        return part
    uri = conversation.settled.get(normalise(asks.term))
    if not uri:
        return part
    reason = f"{part.reason}; which meaning, was chosen earlier"
    return replace(part, asks=replace(asks, uri=uri), reason=reason)


def _picked(text: str, asked: QuestionBack, choice: Choice | None) -> Part:
    if choice and choice.reference:
        named = Named(references=(choice.reference,), aspect=asked.aspect, matter=asked.topic)
        return _part(text, named, f"it picks {choice.reference.identity}")
    if choice is None and asked.choices[0].reference:
        number = asked.choices[0].reference.number
        bare = Reference(number=number, written=asked.subject)
        reason = f"it picks none of the documents with number {number}"
        return _part(text, Named(references=(bare,), aspect=asked.aspect), reason)
    chosen = f"a meaning of '{asked.subject}'" if choice else "none of the meanings there are"
    meant = Definition(term=asked.subject, uri=choice.uri if choice else "")
    return _part(text, meant, f"it picks {chosen}")


def _part(text: str, asks: Named | Definition, reason: str) -> Part:
    return Part(asks=asks, text=text, reason=reason, read_by=ReadBy.CONVERSATION)


def _named(text: str, choices: tuple[Choice, ...]) -> Choice | None:
    """Return the one choice that a text names: by its URI, a name of its own, or telling words."""
    for choice in choices:
        if choice.uri and unquote(text).strip("<>") == choice.uri:
            return choice
    wanted = normalise(unquote(text))
    exact = [item for item in choices if wanted in map(normalise, item.names)]
    if len(exact) == 1:
        return exact[0]
    told = choice_parsing.told_apart(
        text, [frozenset(words(" ".join(item.names))) for item in choices]
    )
    return None if told is None else choices[told]
