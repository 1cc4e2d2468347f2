"""The clarification stage: what was offered, or asked back, is remembered for the next message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from elysia_guard.domain.concept import TermMatch
from elysia_guard.domain.conversation import (
    MOST_REMEMBERED,
    Choice,
    Conversation,
    Focus,
    QuestionBack,
    Suggestions,
)
from elysia_guard.domain.document import Document, Hit
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.domain.reading import (
    Comparison,
    Definition,
    Listing,
    Named,
    Relation,
    Search,
    SmallTalk,
    Unclear,
    aspect_of,
    kinds_of,
    topic_of,
)
from elysia_guard.domain.refusal import Outcome, RefusalReason, Suggestion
from elysia_guard.language.kinds import names
from elysia_guard.language.references import find_references
from elysia_guard.language.text import normalise

MOST_NEAR: Final = 3
"""Documents of a refused search that a follow-up may be about."""
MOST_SHOWN: Final = 12
LONGEST_SHOWN: Final = 80
"""Characters of a name of what was shown."""


def remember(
    inquiry: Inquiry, conversation: Conversation, suggestions: tuple[Suggestion, ...] = ()
) -> None:
    """Keep for the next message: the question back, the ways on, the choice made, and the focus.

    A pick of what is not on offer takes nothing back that is.
    """
    if isinstance(inquiry.asks, Unclear) and inquiry.asks.picks:
        return
    conversation.question_back = conversation.ways_on = None
    lang = inquiry.question.lang
    if suggestions and all(part.decided().outcome is Outcome.REFUSE for part in inquiry.every):
        questions = tuple(item.question for item in suggestions)
        conversation.ways_on = Suggestions(questions=questions, lang=lang)
    for part in inquiry.every:
        asks, verdict = part.asks, part.decided()
        if isinstance(asks, Unclear):
            if asks.candidates:
                conversation.ways_on = Suggestions(questions=asks.candidates, lang=lang)
            offered = asks.candidates[:MOST_SHOWN]
            pending = Focus(question=inquiry.question.text, lang=lang, shown=offered)
            conversation.focus = (*conversation.focus, pending)[-MOST_REMEMBERED:]
        elif verdict.outcome is Outcome.CLARIFY and conversation.question_back is None:
            conversation.question_back = QuestionBack(
                subject=verdict.subject,
                lang=lang,
                choices=_choices(part),
                aspect=aspect_of(asks),
                topic=topic_of(asks),
                relation=asks.relation if isinstance(asks, Definition) else Relation.MEANING,
                references=asks.references if isinstance(asks, Named) else (),
                into=asks.into if isinstance(asks, Definition) else "",
                listing=asks if isinstance(asks, Listing) else None,
            )
        elif isinstance(asks, Definition) and asks.uri and verdict.outcome is Outcome.ANSWER:
            conversation.settled[normalise(asks.term)] = asks.uri
        if not isinstance(asks, SmallTalk | Unclear):
            focus = replace(_focus(part, suggestions), further=part is not inquiry)
            conversation.focus = (*conversation.focus, focus)[-MOST_REMEMBERED:]


def _focus(inquiry: Inquiry, suggestions: Sequence[Suggestion]) -> Focus:
    """What a part of a question was about, as far as the next message may refer to it.

    Of what was refused, that is what was proposed in its place, else what came nearest.
    """
    asks, evidence, verdict = inquiry.asks, inquiry.evidence, inquiry.decided()
    terms: tuple[str, ...] = ()
    if isinstance(asks, Definition):
        terms = (asks.term,)
    elif isinstance(asks, Comparison):
        terms = asks.terms
    elif evidence.matches:
        terms = (topic_of(asks),)
    named = asks if isinstance(asks, Named) else None
    # A bare number may have turned out to be a document.
    found = _references(evidence.documents)
    asked = named.references if named else ()
    shown = evidence.documents if isinstance(asks, Listing) else ()
    shown = shown or _documents(verdict.support)
    refused = verdict.outcome is Outcome.REFUSE
    proposed = tuple(ref for item in suggestions for ref in find_references(item.question))
    return Focus(
        question=inquiry.question.told,
        lang=inquiry.question.lang,
        documents=found if len(found) == len(asked) else asked,
        terms=terms,
        listed=_references(shown) if verdict.outcome is Outcome.ANSWER else (),
        near=proposed or _references(_documents(evidence.hits))[:MOST_NEAR] if refused else (),
        asks=asks if isinstance(asks, Listing | Search) and asks.kinds else None,
        listing=isinstance(asks, Listing),
        kinds=kinds_of(asks),
        topic=topic_of(asks),
        aspect=aspect_of(asks),
        matter=named.matter if named else "",
        part=named.part if named else 1,
        refused=refused,
        asked_about=verdict.reason is RefusalReason.TERMINOLOGY_NOT_FOUND,
        shown=() if refused else tuple(_shown(inquiry, shown)),
    )


def _shown(inquiry: Inquiry, listed: Sequence[Document]) -> list[str]:
    """Name what a reply shows, or has to choose from, in its order."""
    evidence, lang = inquiry.evidence, inquiry.question.lang
    terms = (match.concept.label(lang) for match in evidence.matches)
    documents = evidence.undecided or listed or evidence.documents
    titles = (item.heading for item in documents)
    return [name[:LONGEST_SHOWN] for name in dict.fromkeys((*terms, *titles))][:MOST_SHOWN]


def _documents(hits: Sequence[Hit]) -> tuple[Document, ...]:
    """The documents of the passages that a search found, the best first."""
    return tuple({hit.passage.document.id: hit.passage.document for hit in hits}.values())


def _references(documents: Sequence[Document]) -> tuple[Reference, ...]:
    return tuple(map(Reference.of, documents))


def _choices(inquiry: Inquiry) -> tuple[Choice, ...]:
    """What was asked back: which of the documents of a number, or which meaning of a term."""
    if inquiry.evidence.undecided:
        return tuple(map(_document, inquiry.evidence.undecided))
    return tuple(_meaning(each, inquiry.question.lang) for each in inquiry.evidence.matches)


def _meaning(match: TermMatch, lang: Lang) -> Choice:
    concept = match.concept
    labels = [text.value for text in (*concept.preferred, *concept.alternative)]
    where = concept.vocabulary_title or concept.vocabulary
    told = [text.value for text in concept.definitions]
    shown = f"{concept.label(lang)} ({where})"
    called = dict.fromkeys([shown, *labels, where, concept.vocabulary, *told])
    return Choice(names=tuple(called), uri=concept.uri)


def _document(document: Document) -> Choice:
    kind = (document.kind.value, document.doc_type, *names(document.kind))
    path = PurePath(document.path)
    called = (document.name, document.title, document.apart, path.stem, *path.parts[:-1], *kind)
    return Choice(names=tuple(filter(None, called)), reference=Reference.of(document))
