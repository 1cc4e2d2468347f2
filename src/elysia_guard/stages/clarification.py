"""The clarification stage: a message that picks what was offered is no new question."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.conversation import Choice, Conversation, QuestionBack, WaysOn
from elysia_guard.domain.document import Document
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Intent, IntentKind, Reference
from elysia_guard.domain.refusal import Outcome, Suggestion
from elysia_guard.language import picks
from elysia_guard.language.text import normalise, unquote, words


def resume(text: str, asked: QuestionBack | None) -> Intent | None:
    """Return the intent of a message that answers a question back; None where it asks anew.

    A place that the list does not have ('the seventh' of two) asks the same question back again.
    """
    if asked is None:
        return None
    place = picks.position(text)
    if place is None:
        choice = _named(text, asked.choices)
        return _picked(asked, choice) if choice else None
    if place == picks.LAST:
        place = len(asked.choices)
    return _picked(asked, asked.choices[place - 1] if place <= len(asked.choices) else None)


def way_on(text: str, conversation: Conversation) -> str | None:
    """Return the question that a message picks from the ways on of the last refusal, if any.

    Raises:
        QuestionError: it is nothing but a place in a list ('the second'), and there is none.
    """
    offered = conversation.ways_on.questions if conversation.ways_on else ()
    place = picks.position(text)
    place = len(offered) if place == picks.LAST else place
    if place and place <= len(offered):
        return offered[place - 1]
    if picks.names_only_a_place(text):
        raise QuestionError("nothing_offered")
    return None


def settle(intent: Intent, conversation: Conversation) -> Intent:
    """Give a term the meaning that was chosen for it earlier in the conversation."""
    uri = conversation.settled.get(normalise(intent.term)) if intent.term else None
    if not uri:
        return intent
    reason = f"{intent.reason}; which meaning, was chosen earlier"
    return replace(intent, uri=uri, reason=reason)


def remember(
    inquiry: Inquiry, conversation: Conversation, suggestions: tuple[Suggestion, ...] = ()
) -> None:
    """Keep a question back or the ways on for the next message, or the choice that answered one."""
    intent, verdict = inquiry.intent, inquiry.decided()
    conversation.question_back = conversation.ways_on = None
    if verdict.outcome is Outcome.REFUSE and suggestions:
        questions = tuple(item.question for item in suggestions)
        conversation.ways_on = WaysOn(questions=questions, lang=inquiry.question.lang)
    if verdict.outcome is Outcome.CLARIFY:
        conversation.question_back = QuestionBack(
            subject=verdict.subject,
            lang=inquiry.question.lang,
            choices=_choices(inquiry),
            aspect=intent.aspect,
            topic=intent.topic,
        )
    elif intent.term and intent.uri and verdict.outcome is Outcome.ANSWER:
        conversation.settled[normalise(intent.term)] = intent.uri


def _picked(asked: QuestionBack, choice: Choice | None) -> Intent:
    if choice and choice.reference:
        return Intent(
            kind=IntentKind.ENTITY,
            reason=f"it picks {choice.reference.identity}",
            references=(choice.reference,),
            aspect=asked.aspect,
            topic=asked.topic,
        )
    if choice is None and asked.choices[0].reference:
        number = asked.choices[0].reference.number
        bare = Reference(number=number, written=asked.subject)
        return Intent(
            kind=IntentKind.ENTITY,
            reason=f"it picks none of the documents with number {number}",
            references=(bare,),
            aspect=asked.aspect,
        )
    chosen = f"a meaning of '{asked.subject}'" if choice else "none of the meanings there are"
    return Intent(
        kind=IntentKind.TERMINOLOGY,
        reason=f"it picks {chosen}",
        term=asked.subject,
        topic=asked.subject,
        uri=choice.uri if choice else "",
    )


def _named(text: str, choices: tuple[Choice, ...]) -> Choice | None:
    """Return the one choice that a text names: by its URI, a name of its own, or telling words."""
    for choice in choices:
        if choice.uri and unquote(text).strip("<>") == choice.uri:
            return choice
    wanted = normalise(unquote(text))
    exact = [item for item in choices if wanted in map(normalise, item.names)]
    if len(exact) == 1:
        return exact[0]
    told = picks.told_apart(text, [frozenset(words(" ".join(item.names))) for item in choices])
    return None if told is None else choices[told]


def _choices(inquiry: Inquiry) -> tuple[Choice, ...]:
    if inquiry.evidence.undecided:
        written = inquiry.decided().subject
        return tuple(_document(item, written) for item in inquiry.evidence.undecided)
    return tuple(_meaning(match, inquiry) for match in inquiry.evidence.matches)


def _meaning(match: TermMatch, inquiry: Inquiry) -> Choice:
    concept = match.concept
    labels = [text.value for text in (*concept.preferred, *concept.alternative)]
    where = concept.vocabulary_title or concept.vocabulary
    shown = f"{concept.label(inquiry.question.lang)} ({where})"
    names = dict.fromkeys([shown, *labels, where, concept.vocabulary])
    return Choice(names=tuple(names), uri=concept.uri)


def _document(document: Document, written: str) -> Choice:
    kind = (document.kind.value, document.doc_type, *picks.KIND_NAMES[document.kind].split())
    reference = Reference(
        number=document.number or 0,
        written=written,
        kind=document.kind,
        approval=document.approval,
    )
    return Choice(names=(document.name, document.title, *kind), reference=reference)
