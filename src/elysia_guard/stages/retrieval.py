"""The retrieval stage: fetch documents by identity, or search their passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.document import Document, Filters, Hit, Passage
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import Evidence, SourceFailure, looked_at
from elysia_guard.domain.own_kinds import in_house
from elysia_guard.domain.question import OF_ASPECT, RECORDED, Aspect, Lang, Question, Reference
from elysia_guard.domain.reading import Comparison, Named, Search, aspect_of, kinds_of
from elysia_guard.language.coverage import Likeness, QueryTerms, passage_words, query_terms
from elysia_guard.language.glossary import halves, named, names, parts
from elysia_guard.language.sentences import ends_in_list, laid_out
from elysia_guard.language.text import words
from elysia_guard.ports import Embedder, PassageIndex, WordLikeness, by_form_alone

SEARCH_LIMIT = 15
RECORD_ASKED, RECORD_NOT_ASKED = 1.25, 0.8
"""What the rank of an approval record's passage is multiplied by."""
MOST_RECORDS = 5
"""Of so many documents that a search finds the approval records are read, where one is asked."""
SPOKEN_OF = 0.5
"""The share of a matter that a sentence of a section covers, under its headings."""
MAX_LABELS = 6
SHORTEST_CUT = 600
"""Characters; a shorter passage would have taken in what follows, unless that is long itself."""

Synonyms = tuple[tuple[str, ...], ...]


async def fetch(
    index: PassageIndex,
    named: Named,
    question: Question,
    synonyms: Synonyms,
    *,
    alike: WordLikeness = by_form_alone,
) -> Evidence:
    """Fetch the documents a question names, by kind and number, never by likeness."""
    found = [(ref, await _identified(index, ref)) for ref in named.references]
    documents = [items[0] for _, items in found if len(items) == 1]
    undecided = next((items for _, items in found if len(items) > 1), ())
    # What an approval record approves; that there is none does not say that it is not there.
    of_records = [(item, items) for item, items in found if item.approval and len(items) <= 1]
    plain = [
        (await _identified(index, replace(item, approval=False)), bool(items))
        for item, items in of_records
    ]
    passages = [item for each in documents for item in await index.passages(each.id)]
    hits = [Hit(passage=item, score=1 / (1 + item.position)) for item in passages]
    asked = query_terms(named.matter, question.lang).words
    return Evidence(
        hits=tuple(hits),
        documents=tuple(documents),
        rarity=await index.rarity(asked, lang=question.lang) if asked else {},
        likeness=await _likeness(alike, asked, hits),
        absent=tuple(ref for ref, items in found if not items),
        undecided=tuple(undecided),
        unrecorded=tuple(item for items, recorded in plain if not recorded for item in items),
        approved=tuple(item for items, recorded in plain if recorded for item in items),
        records=await _records(index, documents) if named.aspect in RECORDED else (),
        synonyms=synonyms,
        looked_at=looked_at(named, question),
    )


async def _records(index: PassageIndex, documents: Sequence[Document]) -> tuple[Passage, ...]:
    """Fetch what the approval records of some documents say."""
    names = dict.fromkeys(document.record for document in documents if document.record)
    return tuple([passage for name in names for passage in await index.passages(name)])


async def _beside(index: PassageIndex, hits: Sequence[Hit]) -> tuple[Passage, ...]:
    """Fetch the documents of which a passage may end within a list: a quote takes along all of it.

    One that was cut there is long.
    """
    ids: dict[str, None] = {}
    for passage in (hit.passage for hit in hits):
        text, lang = passage.text, passage.document.lang
        if len(text) >= SHORTEST_CUT and ends_in_list(laid_out(text, lang), lang):
            ids[passage.document.id] = None
    return tuple([item for id_ in ids for item in await index.passages(id_)])


async def _sections(
    index: PassageIndex, documents: Sequence[Document], aspect: Aspect, matter: QueryTerms
) -> tuple[Passage, ...]:
    """Fetch the sections of a side of some documents.

    Nothing, where the nearest one has none, or no sentence of theirs speaks of the matter.
    """
    found: list[Passage] = []
    for document in documents if matter.words else ():
        passages = await index.passages(document.id)
        found += (item for item in passages if item.role in OF_ASPECT.get(aspect, ()))
        if not found:
            break
    spoken = any(matter.coverage_by(item) >= SPOKEN_OF for item in found)
    return tuple(found) if spoken else ()


async def _approved(index: PassageIndex, records: Sequence[Document]) -> tuple[Document, ...]:
    """Fetch the documents that some records approve."""
    if not any(record.approval for record in records):
        return ()
    names = {record.id for record in records if record.approval}
    return tuple(item for item in await index.documents(Filters()) if item.record in names)


async def _identified(index: PassageIndex, reference: Reference) -> Sequence[Document]:
    """Fetch what a reference may mean: by id, else by kind and number.

    Where its number alone tells not which, an approval record is asked back by what it approves.
    """
    kinds = (reference.kind,) if reference.kind else in_house().every
    known = await index.documents(Filters(kinds=kinds, number=reference.number, approval=None))
    records = [item for item in known if item.approval]
    plain = [item for item in known if not item.approval]
    if held := [item for item in known if reference.id in {item.id, item.record} - {""}]:
        ids = {name for item in held for name in (item.id, item.record)}
        return [item for item in held if item.approval is reference.approval] or [
            item for item in known if item.id in ids and item.approval is reference.approval
        ]
    if reference.number is None:
        return [item for item in known if item.title.casefold() == reference.written.casefold()]
    if not reference.approval or (len(plain) > 1 and all(item.apart for item in plain)):
        written = words(reference.written)
        return [item for item in plain if words(item.identifier) == written] or plain
    return records


async def search(
    index: PassageIndex,
    embedder: Embedder,
    question: Question,
    asks: Search | Comparison,
    synonyms: Synonyms,
    *,
    alike: WordLikeness = by_form_alone,
) -> Evidence:
    """Search by words and by meaning; by words alone when no vector can be had.

    Approval records are searched too: what an approver asked for stands nowhere else.
    """
    filters = Filters(kinds=kinds_of(asks), approval=None)
    topic = asks.topic or question.text
    terms = query_terms(topic, question.lang)
    rarity = await index.rarity(terms.words, lang=question.lang)
    unknown = [word for word in terms.words if rarity[word] == 1]
    # The model reads compounds by itself: their parts said beside them lead it astray.
    asked = _with_synonyms(topic, synonyms)
    synonyms = (*synonyms, *await _apart(index, unknown, question.lang))
    terms = query_terms(topic, question.lang, synonyms)
    vector, failure = None, None
    try:
        vector = await embedder.embed_question(asked, kinds=kinds_of(asks))
    except SourceUnavailableError as err:
        failure = SourceFailure.of(err, "embeddings")
    hits = await index.search(
        terms.expansion or question.text, vector, filters=filters, limit=SEARCH_LIMIT
    )
    weighed = _weighed(hits, aspect_of(asks))
    nearest = list(dict.fromkeys(hit.passage.document for hit in weighed))[:MOST_RECORDS]
    recorded = nearest if aspect_of(asks) in RECORDED else []
    matter = asks.matter if isinstance(asks, Search) else ""
    said = query_terms(matter, question.lang, synonyms, rarity=rarity)
    return Evidence(
        hits=weighed,
        approved=await _approved(index, recorded),
        records=await _records(index, recorded),
        sections=await _sections(index, nearest, aspect_of(asks), said),
        beside=await _beside(index, hits),
        looked_at=looked_at(asks, question),
        missing=(failure,) if failure else (),
        fallbacks=_fallbacks(failure),
        rarity=rarity,
        synonyms=synonyms,
        likeness=await _likeness(alike, terms.words, hits),
    )


async def _apart(index: PassageIndex, words: Sequence[str], lang: Lang) -> Synonyms:
    """Say compounds that no passage holds by their parts, which passages or the glossary know."""
    pieces = {piece for word in words for half in halves(word, lang) for piece in half}
    if not pieces:
        return ()
    rarity = await index.rarity(sorted(pieces), lang=lang)
    known = {piece for piece in pieces if rarity[piece] < 1 or named(piece, lang)}
    found = ((word, parts(word, lang, known=known.__contains__)) for word in words)
    return tuple((word, *names(made, lang)) for word, made in found if made)


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


async def from_elsewhere(
    embedder: Embedder, question: Question, passages: Sequence[Passage], *, source: str
) -> Evidence:
    """Make hits of passages that were found elsewhere, each with its true distance.

    Without a model there is no distance, nor a word counted: the gate refuses, and it is told.
    """
    if not passages:
        return Evidence(looked_at=(source,))
    try:
        asked = await embedder.embed_question(question.text)
        vectors = await embedder.embed([item.text for item in passages])
    except SourceUnavailableError as err:
        failure = SourceFailure.of(err, "embeddings")
        return Evidence(looked_at=(source,), missing=(failure,), fallbacks=_fallbacks(failure))
    hits = []
    for position, (passage, vector) in enumerate(zip(passages, vectors, strict=True)):
        distance = 1.0 - float(sum(a * b for a, b in zip(asked, vector, strict=True)))
        hits.append(Hit(passage=passage, score=1 / (1 + position), distance=distance))
    return Evidence(hits=tuple(hits), looked_at=(source,))
