"""The suggestion stage: ways on when there is no answer, as questions that would be answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from elysia_guard.domain.concept import Concept
from elysia_guard.domain.document import Document, DocumentKind, Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.domain.reading import Definition, Listing, Named, Relation, Unclear, topic_of
from elysia_guard.domain.refusal import NOT_ASKED, Examples, Outcome, Suggestion
from elysia_guard.language.catalogue import say
from elysia_guard.language.coverage import query_terms
from elysia_guard.language.spelling import written_alike
from elysia_guard.language.text import words
from elysia_guard.ports import PassageIndex, TerminologySource

LIMIT = 3
FAILS = (SourceUnavailableError, PassageIndexError)


async def suggest(
    inquiry: Inquiry,
    *,
    terminology: TerminologySource,
    index: PassageIndex,
    gone: Sequence[Document] = (),
) -> tuple[Suggestion, ...]:
    """Return up to three ways on for a refusal, and every choice for a question back.

    None leads to a document that is ``gone``. Where vocabulary or index cannot be asked, there is
    nothing of theirs.
    """
    lang, evidence, perhaps = inquiry.question.lang, inquiry.evidence, inquiry.part.perhaps
    asks, meant = inquiry.asks, [_define(perhaps, lang)] if perhaps else []
    if inquiry.decided().reason in NOT_ASKED:
        # What the vocabulary may answer: a list of documents would be refused as well.
        return tuple(meant)
    if isinstance(asks, Unclear):
        return tuple(Suggestion(question=item, label="") for item in asks.candidates)
    if inquiry.decided().outcome is Outcome.CLARIFY:
        return _choices(evidence, lang)
    found = [
        _define(item.label, lang, f"suggest.{item.relation}")
        for item in evidence.related
        if item.living
    ]
    if not found and isinstance(asks, Definition) and not evidence.missing:
        known = asks.relation is not Relation.MEANING and bool(evidence.matches)
        if known and not evidence.matches[0].concept.deprecated:
            found = [_define(asks.term, lang)]
        else:
            with suppress(SourceUnavailableError):
                near = await terminology.suggest(asks.term, lang=lang, limit=LIMIT)
                found = [_define(concept.label(lang), lang, "suggest.term") for concept in near]
    found += meant
    if len(found) < LIMIT:
        with suppress(*FAILS):
            found += await _nearby(index, inquiry)
    lost = {_document(item, lang).question for item in gone}
    asked = words(inquiry.question.text)
    ways_on = {
        item.question: item
        for item in found
        if item.question not in lost and words(item.question) != asked
    }
    with suppress(*FAILS):
        return tuple(ways_on.values())[:LIMIT] or await _lists(index, lang)
    return ()


async def _lists(index: PassageIndex, lang: Lang) -> tuple[Suggestion, ...]:
    """The lists that would not be empty."""
    kinds = Examples.of(await index.documents(Filters())).kinds
    listed = [f"suggest.list_{kind.value}" for kind in kinds if kind.is_numbered]
    if kinds and not listed:
        listed = ["suggest.list_document"]
    return tuple(Suggestion(question=say(lang, key), label="") for key in listed)


async def _nearby(index: PassageIndex, inquiry: Inquiry) -> list[Suggestion]:
    """Documents near to what was asked; for a list only those near to one that is not there."""
    asks, lang, evidence = inquiry.asks, inquiry.question.lang, inquiry.evidence
    if isinstance(asks, Listing) and not evidence.hits:
        return await _numbered(index, evidence.absent[0], lang) if evidence.absent else []
    if named := (*evidence.documents, *evidence.unrecorded):
        return [_document(item, lang, label="") for item in named]
    if isinstance(asks, Named):
        return await _numbered(index, asks.references[0], lang)
    return await _documents(index, inquiry)


def _choices(evidence: Evidence, lang: Lang) -> tuple[Suggestion, ...]:
    """Ask for one document, or for one meaning by its label and the vocabulary it belongs to."""
    if evidence.undecided:
        return tuple(_document(item, lang, label=item.heading) for item in evidence.undecided)
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


async def _numbered(index: PassageIndex, reference: Reference, lang: Lang) -> list[Suggestion]:
    """The documents of the same kind whose numbers are written most alike."""
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
    if not hits:
        terms = query_terms(topic_of(asks) or question.text, question.lang)
        if not terms.words:
            return []
        found = await index.search(terms.expansion, None, filters=Filters(), limit=LIMIT * 4)
        passages = ((hit, hit.passage) for hit in found)
        hits = [hit for hit, at in passages if terms.coverage(at.text, at.document.lang) == 1]
    documents = {hit.passage.document.id: hit.passage.document for hit in hits}
    key = "suggest.mention" if isinstance(asks, Definition) else "suggest.nearest"
    return [_document(item, question.lang, key) for item in list(documents.values())[:LIMIT]]


def _document(
    document: Document, lang: Lang, key: str = "suggest.nearest", *, label: str | None = None
) -> Suggestion:
    """Ask about a document; it is shown by the message of a key, or by a label."""
    verb = "decision" if document.kind.like == DocumentKind.DECISION else "document"
    asked = say(lang, f"suggest.{verb}", name=document.in_question)
    called = (document.label, document.title)
    if not document.identifier:
        called = (document.title, document.apart or document.path)
    shown = say(lang, key, name=called[0], title=called[1]) if label is None else label
    return Suggestion(question=asked, label=shown)


def _define(term: str, lang: Lang, key: str = "", *, called: str = "") -> Suggestion:
    """Ask what a term means; it is shown by the message of a key, or as it is ``called``."""
    label = say(lang, key, term=term) if key else called
    return Suggestion(question=say(lang, "suggest.define", term=term), label=label)
