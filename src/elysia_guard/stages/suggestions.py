"""The suggestion stage: ways on when there is no answer, as questions that would be answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document, DocumentKind, Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Definition, Listing, Named, Relation, Unclear, topic_of
from elysia_guard.domain.refusal import NOT_ASKED, Examples, Outcome, Suggestion
from elysia_guard.language.catalogue import say
from elysia_guard.language.coverage import query_terms
from elysia_guard.language.spelling import written_alike
from elysia_guard.language.text import words
from elysia_guard.ports import PassageIndex, TerminologySource

LIMIT = 3


async def suggest(
    inquiry: Inquiry,
    *,
    terminology: TerminologySource,
    index: PassageIndex,
    gone: Sequence[Document] = (),
) -> tuple[Suggestion, ...]:
    """Return up to three ways on for a refusal, and every choice for a question back.

    None leads to a document that is ``gone``.
    """
    lang, evidence, perhaps = inquiry.question.lang, inquiry.evidence, inquiry.part.perhaps
    meant = [_define(perhaps, lang)] if perhaps else []
    if inquiry.decided().reason in NOT_ASKED:
        # What the vocabulary may answer: a list of documents would be refused as well.
        return tuple(meant)
    if isinstance(inquiry.asks, Unclear):
        return tuple(map(_plain, inquiry.asks.candidates))
    if inquiry.decided().outcome is Outcome.CLARIFY:
        return _choices(evidence, lang)
    found = [
        _define(item.label, lang, f"suggest.{item.relation}")
        for item in evidence.related
        if item.living
    ]
    asks = inquiry.asks
    if not found and isinstance(asks, Definition) and not evidence.missing:
        known = asks.relation is not Relation.MEANING and bool(evidence.matches)
        living = known and not evidence.matches[0].concept.deprecated
        near = _define(asks.term, lang) if living else None
        found = [near] if near else await _nearest(terminology, asks.term, lang)
    found += meant
    if len(found) < LIMIT:
        found += await _nearby(index, inquiry)
    lost = {_document(item, lang).question for item in gone}
    asked = words(inquiry.question.text)
    found = [item for item in found if item.question not in lost and words(item.question) != asked]
    found = list({item.question: item for item in found}.values())[:LIMIT]
    return tuple(found) or await _lists(index, lang)


async def _lists(index: PassageIndex, lang: Lang) -> tuple[Suggestion, ...]:
    """The lists that would not be empty; none when the index cannot be asked."""
    try:
        kinds = Examples.of(await index.documents(Filters())).kinds
    except (SourceUnavailableError, PassageIndexError):
        return ()
    listed = [f"suggest.list_{kind.value}" for kind in kinds if kind.is_numbered]
    if kinds and not listed:
        listed = ["prompt.list_document"]
    return tuple(_plain(say(lang, key)) for key in listed)


async def _nearby(index: PassageIndex, inquiry: Inquiry) -> list[Suggestion]:
    """Documents near to what was asked; none for a list, or when the index cannot be asked."""
    if isinstance(inquiry.asks, Listing) and not inquiry.evidence.hits:
        return []
    try:
        if named := (*inquiry.evidence.documents, *inquiry.evidence.unrecorded):
            return [replace(_document(item, inquiry.question.lang), label="") for item in named]
        if isinstance(inquiry.asks, Named):
            return await _numbered(index, inquiry.asks, inquiry.question.lang)
        return await _documents(index, inquiry)
    except (SourceUnavailableError, PassageIndexError):
        return []


def _choices(evidence: Evidence, lang: Lang) -> tuple[Suggestion, ...]:
    if evidence.undecided:
        return tuple(
            replace(_document(item, lang), label=item.heading) for item in evidence.undecided
        )
    found = [_meaning(match.concept, lang) for match in evidence.matches]
    told = Counter(item.question for item in found)
    return tuple(
        item if told[item.question] == 1 else _meaning(match.concept, lang, by=match.concept.uri)
        for item, match in zip(found, evidence.matches, strict=True)
    )


def _meaning(concept: Concept, lang: Lang, *, by: str = "") -> Suggestion:
    """Ask for one meaning by its label and the vocabulary it belongs to, or ``by`` its URI."""
    told, label = by or concept.vocabulary_title or concept.vocabulary, concept.label(lang)
    return _define(f"{label} ({told})", lang, called=label)


async def _nearest(source: TerminologySource, term: str, lang: Lang) -> list[Suggestion]:
    """The terms whose labels are nearest; none when the vocabulary cannot be asked."""
    try:
        concepts = await source.suggest(term, lang=lang, limit=LIMIT)
    except SourceUnavailableError:
        return []
    return [_define(concept.label(lang), lang, "suggest.term") for concept in concepts]


async def _numbered(index: PassageIndex, named: Named, lang: Lang) -> list[Suggestion]:
    """The documents of the same kind whose numbers are written most alike."""
    reference = named.references[0]
    kinds = (reference.kind,) if reference.kind else ()
    known = await index.documents(Filters(kinds=kinds, approval=False))
    order = written_alike(reference.number or 0, {item.number for item in known if item.number})
    numbered = sorted(
        (item for item in known if item.number), key=lambda item: order.index(item.number or 0)
    )
    return [_document(item, lang) for item in numbered[:LIMIT]]


async def _documents(index: PassageIndex, inquiry: Inquiry) -> list[Suggestion]:
    """The documents nearest to the question; for a term, those that mention it, marked as such."""
    question, asks = inquiry.question, inquiry.asks
    hits = list(inquiry.decided().ranking or inquiry.evidence.hits)
    term = asks.term if isinstance(asks, Definition) else None
    if not hits:
        topic = term or topic_of(asks) or question.text
        terms = query_terms(topic, question.lang)
        if not terms.words:
            return []
        found = await index.search(terms.expansion, None, filters=Filters(), limit=LIMIT * 4)
        hits = [
            hit for hit in found if terms.coverage(hit.passage.text, hit.passage.document.lang) == 1
        ]
    documents = {hit.passage.document.id: hit.passage.document for hit in hits}
    return [
        _document(item, question.lang, mention=bool(term))
        for item in list(documents.values())[:LIMIT]
    ]


def _document(document: Document, lang: Lang, *, mention: bool = False) -> Suggestion:
    verb = "decision" if document.kind.like == DocumentKind.DECISION else "document"
    key = "suggest.mention" if mention else "suggest.nearest"
    asked = say(lang, f"suggest.{verb}", name=document.in_question)
    called = (document.label, document.title)
    if not document.identifier:
        called = (document.title, document.apart or document.path)
    label = say(lang, key, name=called[0], title=called[1])
    return Suggestion(question=asked, label=label)


def _define(term: str, lang: Lang, key: str = "", *, called: str = "") -> Suggestion:
    """Ask what a term means; it is shown by the message of a key, or as it is ``called``."""
    label = say(lang, key, term=term) if key else called
    return Suggestion(question=say(lang, "suggest.define", term=term), label=label)


def _plain(question: str) -> Suggestion:
    return Suggestion(question=question, label="")
