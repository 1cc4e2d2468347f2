"""The retrieval stage: fetch documents by identity, list them, or search their passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Document, DocumentKind, Filters, Hit, Passage, SectionRole
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.question import RECORDED, Aspect, Intent, Question, Reference, Scope
from elysia_guard.language.coverage import Likeness, passage_words, query_terms
from elysia_guard.language.owners import named_owners
from elysia_guard.language.states import has_status
from elysia_guard.ports import Embedder, PassageIndex, Vector, WordLikeness, by_form_alone

SEARCH_LIMIT = 15
RECORD_ASKED, RECORD_NOT_ASKED = 1.25, 0.8
"""What the rank of an approval record's passage is multiplied by."""
MOST_RECORDS = 5
"""Of so many documents that a search finds the approval records are read, where one is asked."""
TOPIC_LIMIT = 500
MAX_LABELS = 6
HARDLY_LESS_THAN_ALL = 0.9
"""So large a share of the documents listed mentions the house whose documents they are."""
NUMBERED = (DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY)

Synonyms = tuple[tuple[str, ...], ...]


async def fetch(
    index: PassageIndex,
    intent: Intent,
    question: Question,
    synonyms: Synonyms,
    *,
    alike: WordLikeness = by_form_alone,
) -> Evidence:
    """Fetch the documents a question names, by kind and number, never by likeness."""
    hits: list[Hit] = []
    documents: list[Document] = []
    absent: list[Reference] = []
    undecided: list[Document] = []
    unrecorded: list[Document] = []
    approved: list[Document] = []
    for reference in intent.references:
        found = await _identified(index, reference)
        if not found:
            absent.append(reference)
            if reference.approval:
                unrecorded.extend(await _identified(index, replace(reference, approval=False)))
        elif len(found) > 1:
            undecided.extend(found)
        else:
            documents.extend(found)
            if reference.approval:
                approved.extend(await _identified(index, replace(reference, approval=False)))
            passages = await index.passages(found[0].id)
            hits.extend(Hit(passage=item, score=1 / (1 + item.position)) for item in passages)
    asked = query_terms(intent.topic, question.lang).words
    return Evidence(
        hits=tuple(hits),
        documents=tuple(documents),
        rarity=await index.rarity(asked, lang=question.lang) if asked else {},
        likeness=await _likeness(alike, asked, hits),
        absent=tuple(absent),
        undecided=tuple(undecided),
        unrecorded=tuple(unrecorded),
        approved=tuple(approved),
        records=await _records(index, documents) if intent.aspect in RECORDED else (),
        synonyms=synonyms,
        looked_at=_looked_at(intent.kinds),
    )


async def _records(index: PassageIndex, documents: Sequence[Document]) -> tuple[Passage, ...]:
    """Fetch what the approval records of some documents say."""
    names = dict.fromkeys(document.record for document in documents if document.record)
    return tuple([passage for name in names for passage in await index.passages(name)])


async def _approved(index: PassageIndex, records: Sequence[Document]) -> tuple[Document, ...]:
    """Fetch the documents that some records approve."""
    if not any(record.approval for record in records):
        return ()
    names = {record.id for record in records if record.approval}
    return tuple(item for item in await index.documents(Filters()) if item.record in names)


async def _identified(index: PassageIndex, reference: Reference) -> Sequence[Document]:
    kinds = (reference.kind,) if reference.kind else NUMBERED
    return await index.documents(
        Filters(kinds=kinds, number=reference.number, approval=reference.approval)
    )


async def list_documents(
    index: PassageIndex, intent: Intent, question: Question, synonyms: Synonyms
) -> Evidence:
    """List the documents of some kinds, in a fixed order, about a topic where one is named.

    An owner is one that documents name; words that name none ('of security') are the topic.
    """
    found = await index.documents(_filters(intent))
    scope = replace(intent.scope, statuses=())
    admitted = [item for item in found if scope.admit(item)]
    documents = [item for item in admitted if _in_status(item.status, intent.scope)]
    if not documents and (intent.scope.statuses or intent.scope.denied):
        overruled = (item for item in admitted if _in_status(item.own_status, intent.scope))
        return Evidence(
            statuses=_statuses(found),
            overruled=tuple(overruled),
            looked_at=_looked_at(intent.kinds),
        )
    ownership = await _ownership(index, intent)
    if ownership.owners:
        documents = [item for item in documents if item.owner in ownership.owners]
    if ownership.other_owners:
        documents = []
    topic = intent.topic_beside(ownership.owners)
    if topic and intent.scope.titled:
        terms = query_terms(topic, question.lang)
        documents = [item for item in documents if terms.coverage(item.title, item.lang) == 1]
    elif topic:
        about = await _about(index, intent, topic, question, synonyms, of=documents)
        documents = [item for item in documents if item.id in about]
    return replace(ownership, documents=tuple(documents), looked_at=_looked_at(intent.kinds))


async def _ownership(index: PassageIndex, intent: Intent) -> Evidence:
    """Find the owner that a list is restricted to, or name those that there are."""
    owner = intent.scope.owner
    if owner is None:
        return Evidence()
    every = [item for item in await index.documents(Filters(approval=None)) if item.owner]
    found = named_owners(owner.written, [item.owner for item in every], in_full=not owner.said)
    if found or owner.topic is not None:
        return Evidence(owners=found)
    own = {item.owner for item in every if item.kind in intent.kinds}
    return Evidence(other_owners=tuple(sorted(own or {item.owner for item in every})))


async def _about(
    index: PassageIndex,
    intent: Intent,
    topic: str,
    question: Question,
    synonyms: Synonyms,
    *,
    of: Sequence[Document],
) -> set[str]:
    """Find those of some documents that are about a topic: by their titles where several bear it.

    Otherwise by their substance, or failing that by any mention. A name that hardly any leaves out
    ('the policies of Acme') is of the house whose documents they all are.
    """
    filters = _filters(intent)
    listed = {document.id for document in of}
    terms = query_terms(topic, question.lang, synonyms)
    hits = await index.search(terms.expansion or topic, None, filters=filters, limit=TOPIC_LIMIT)
    titled: set[str] = set()
    central: set[str] = set()
    anywhere: set[str] = set()
    for hit in hits:
        document, passage = hit.passage.document, hit.passage
        if document.id not in listed or terms.coverage(passage.in_context, document.lang) < 1:
            continue
        anywhere.add(document.id)
        if terms.coverage(document.title, document.lang) == 1:
            titled.add(document.id)
        if passage.role == SectionRole.SUBSTANCE:
            central.add(document.id)
    if len(titled) > 1:
        return titled
    if not titled and _may_be_owner(intent) and len(anywhere) >= HARDLY_LESS_THAN_ALL * len(listed):
        return listed
    return titled | central or anywhere


def _in_status(status: str, scope: Scope) -> bool:
    wanted = not scope.statuses or any(has_status(status, asked) for asked in scope.statuses)
    other = not scope.denied or bool(status)
    return wanted and other and not any(has_status(status, denied) for denied in scope.denied)


def _statuses(documents: Sequence[Document]) -> tuple[str, ...]:
    """Name the statuses that documents have, each once, whatever their case."""
    found = {document.status.casefold(): document.status for document in reversed(documents)}
    return tuple(found[name] for name in sorted(found) if name)


def _filters(intent: Intent) -> Filters:
    return Filters(kinds=intent.kinds, approval=intent.scope.approval)


def _may_be_owner(intent: Intent) -> bool:
    """Tell whether the topic is nothing but what may be an owner."""
    owner = intent.scope.owner
    return owner is not None and owner.topic == "" and owner.written[:1].isupper()


async def search(
    index: PassageIndex,
    embedder: Embedder,
    question: Question,
    intent: Intent,
    synonyms: Synonyms,
    *,
    alike: WordLikeness = by_form_alone,
) -> Evidence:
    """Search by words and by meaning; by words alone when no vector can be had.

    Approval records are searched too: what an approver asked for stands nowhere else.
    """
    filters = Filters(kinds=intent.kinds, approval=None)
    terms = query_terms(intent.topic or question.text, question.lang, synonyms)
    asked = _with_synonyms(intent.topic or question.text, synonyms)
    vector, failure = await _vector(embedder, asked, intent.kinds)
    hits = await index.search(
        terms.expansion or question.text, vector, filters=filters, limit=SEARCH_LIMIT
    )
    weighed = _weighed(hits, intent.aspect)
    nearest = list(dict.fromkeys(hit.passage.document for hit in weighed))[:MOST_RECORDS]
    recorded = nearest if intent.aspect in RECORDED else []
    return Evidence(
        hits=weighed,
        approved=await _approved(index, recorded),
        records=await _records(index, recorded),
        looked_at=_looked_at(intent.kinds),
        missing=(failure,) if failure else (),
        fallbacks=_fallbacks(failure),
        rarity=await index.rarity(terms.words, lang=question.lang),
        synonyms=synonyms,
        likeness=await _likeness(alike, terms.words, hits),
    )


async def _likeness(alike: WordLikeness, asked: Sequence[str], hits: Sequence[Hit]) -> Likeness:
    """Find the words of some hits that mean alike; none where the model cannot be asked."""
    found = (word for hit in hits for word in passage_words(hit.passage))
    try:
        return await alike(asked, list(dict.fromkeys(found)))
    except SourceUnavailableError:
        return {}


def _weighed(hits: Sequence[Hit], aspect: Aspect) -> tuple[Hit, ...]:
    """Put approval records first where approval is asked for, else behind what is as near."""
    factor = RECORD_ASKED if aspect is Aspect.APPROVAL else RECORD_NOT_ASKED
    weighed = (
        replace(hit, score=hit.score * factor) if hit.passage.document.approval else hit
        for hit in hits
    )
    return tuple(sorted(weighed, key=lambda hit: -hit.score))


async def _vector(
    embedder: Embedder, text: str, kinds: Sequence[DocumentKind]
) -> tuple[Vector | None, SourceFailure | None]:
    try:
        return await embedder.embed_question(text, kinds=kinds), None
    except SourceUnavailableError as err:
        return None, replace(SourceFailure.of(err), source="embeddings")


def _fallbacks(failure: SourceFailure | None) -> tuple[str, ...]:
    """Name the degradations that a missing vector brings, as IR0003 does."""
    if failure is None:
        return ()
    return ("bm25_only", "circuit_open") if failure.circuit_open else ("bm25_only",)


def _with_synonyms(text: str, synonyms: Synonyms) -> str:
    """Say the vocabulary's words for what is asked beside the question's own, for the embedder.

    A compound of one language ('netcongestie') means little to a multilingual model; the labels of
    its concept in the other languages do.
    """
    labels = (label for group in synonyms for label in group[:MAX_LABELS])
    return " ".join((text, *dict.fromkeys(labels)))


async def from_texts(
    embedder: Embedder, question: Question, texts: Sequence[tuple[str, str]], *, source: str
) -> Evidence:
    """Make hits of (title, text) pairs found elsewhere, each with its true distance.

    Without a model there is no distance, nor a word counted: the gate refuses, and it is told.
    """
    if not texts:
        return Evidence(looked_at=(source,))
    try:
        asked = await embedder.embed_question(question.text)
        vectors = await embedder.embed([text for _, text in texts])
    except SourceUnavailableError as err:
        failure = replace(SourceFailure.of(err), source="embeddings")
        return Evidence(looked_at=(source,), missing=(failure,), fallbacks=_fallbacks(failure))
    hits = []
    for position, ((title, text), vector) in enumerate(zip(texts, vectors, strict=True)):
        document = Document(
            id=f"{source}-{position}",
            kind=DocumentKind.DOCUMENT,
            title=title or source,
            path=source,
            sha256="",
        )
        passage = Passage(
            id=f"{document.id}#0", document=document, section="", text=text, position=0
        )
        distance = 1.0 - float(sum(a * b for a, b in zip(asked, vector, strict=True)))
        hits.append(Hit(passage=passage, score=1 / (1 + position), distance=distance))
    return Evidence(hits=tuple(hits), looked_at=(source,))


def _looked_at(kinds: Sequence[DocumentKind]) -> tuple[str, ...]:
    return tuple(kind.value for kind in kinds or NUMBERED)
