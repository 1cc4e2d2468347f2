"""The answering stage: an extractive draft, made of the sources' own words and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from elysia_guard.domain.concept import Concept, in_language
from elysia_guard.domain.document import Document, DocumentKind, Hit, Passage, SectionRole
from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Aspect, Intent, IntentKind, Lang, Question
from elysia_guard.domain.response import Source
from elysia_guard.language.catalogue import say
from elysia_guard.language.coverage import QueryTerms, query_terms
from elysia_guard.language.sentences import units

CollectionOf = Callable[[DocumentKind | None], str]

MAX_QUOTED_CHARS = 1_200
MAX_DOCUMENTS = 3
MAX_UNITS = 3
MAX_ENTITY_UNITS = 8

_WEIGHTS: dict[str, float] = {
    SectionRole.SUBSTANCE: 0.5,
    SectionRole.CONTEXT: -0.25,
    SectionRole.OPTIONS: -0.25,
}
"""How much more or less a sentence counts by the part it stands in, in words covered."""

_ROLES: dict[Aspect, tuple[SectionRole, ...]] = {
    Aspect.SUBSTANCE: (SectionRole.SUBSTANCE,),
    Aspect.APPROVAL: (SectionRole.APPROVAL,),
    Aspect.CONSEQUENCES: (SectionRole.CONSEQUENCES, SectionRole.IMPLICATIONS),
    Aspect.ALTERNATIVES: (SectionRole.OPTIONS,),
    Aspect.CONTEXT: (SectionRole.CONTEXT, SectionRole.RATIONALE, SectionRole.DRIVERS),
}


@dataclass(kw_only=True)
class _Sources:
    """Numbers sources as they are cited, one number a document section or concept."""

    collection: CollectionOf
    sources: list[Source] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def cite(self, passage: Passage, quote: str, hit: Hit | None = None) -> int:
        """Return the number of a passage, adding it as a source at its first quote."""
        if passage.id not in self.numbers:
            document = passage.document
            self.numbers[passage.id] = self._add(
                passage.text,
                doc_type=document.doc_type,
                doc_id=document.id,
                title=document.title,
                collection=self.collection(document.kind),
                quote=quote,
                section=passage.section,
                location=document.path,
                status=document.status,
                lang=document.lang,
                distance=hit.distance if hit else None,
                lexical=hit.lexical if hit else None,
            )
        return self.numbers[passage.id]

    def cite_document(self, document: Document) -> int:
        """Return the number of a document cited for what its metadata say."""
        stated = (
            document.identifier,
            document.title,
            document.status,
            document.date,
            document.owner,
        )
        return self._add(
            "\n".join(item for item in stated if item),
            doc_type=document.doc_type,
            doc_id=document.id,
            title=document.title,
            collection=self.collection(document.kind),
            quote=document.title,
            section="",
            location=document.path,
            status=document.status,
            lang=document.lang,
        )

    def cite_concept(self, concept: Concept, quote: str, lang: Lang) -> int:
        """Return the number of a concept."""
        return self._add(
            "\n".join(text.value for text in concept.definitions),
            doc_type="Vocabulary",
            doc_id=concept.uri,
            title=concept.label(lang),
            collection=self.collection(None),
            quote=quote,
            section=concept.vocabulary_title or concept.vocabulary,
            location=concept.uri,
            lang=lang,
        )

    def _add(self, origin: str, **values: object) -> int:
        number = len(self.sources) + 1
        self.sources.append(Source(n=number, **values))  # type: ignore[arg-type]
        self.origins.append(origin)
        return number


def draft(inquiry: Inquiry, *, collection: CollectionOf) -> Draft:
    """Quote what answers: the definition, the outcome, the list, or the best sentences."""
    question, intent, evidence = inquiry.question, inquiry.intent, inquiry.evidence
    sources = _Sources(collection=collection)
    if evidence.matches:
        blocks = [_concept_block(evidence, question.lang, sources)]
    elif intent.kind is IntentKind.LIST:
        blocks = [_list_block(evidence, question.lang, sources)]
    elif intent.kind is IntentKind.ENTITY:
        blocks = _entity_blocks(question, intent, evidence, sources)
    else:
        blocks = _search_blocks(inquiry, sources)
    return Draft(
        blocks=tuple(blocks), sources=tuple(sources.sources), origins=tuple(sources.origins)
    )


def _concept_block(evidence: Evidence, lang: Lang, sources: _Sources) -> Block:
    """The definition, word for word, with what the vocabulary says around it."""
    concept = evidence.matches[0].concept
    definition = concept.definition(lang)
    quotes: tuple[Quote, ...] = ()
    notes: list[str] = []
    if definition:
        number = sources.cite_concept(concept, definition.value, lang)
        quotes = (Quote(text=definition.value, source=number),)
        if definition.lang and definition.lang.partition("-")[0].lower() != lang:
            notes.append(say(lang, "answer.other_language", lang=definition.lang))
    if note := in_language(concept.scope_notes, lang):
        notes.append(say(lang, "answer.scope_note", text=note.value))
    synonyms = [text.value for text in concept.alternative if text.lang in (None, lang)]
    if synonyms:
        notes.append(say(lang, "answer.synonyms", labels=", ".join(synonyms)))
    if evidence.others:
        others = ", ".join(_qualified(match.concept, lang) for match in evidence.others)
        notes.append(say(lang, "answer.other_meanings", labels=others))
    for relation in ("broader", "narrower", "related"):
        labels = [item.label for item in evidence.related if item.relation == relation]
        if labels:
            notes.append(say(lang, f"answer.{relation}", labels=", ".join(labels)))
    vocabulary = concept.vocabulary_title or concept.vocabulary
    notes.append(say(lang, "answer.concept_source", vocabulary=vocabulary, uri=concept.uri))
    return Block(heading=f"**{concept.label(lang)}**", quotes=quotes, notes=tuple(notes))


def _qualified(concept: Concept, lang: Lang) -> str:
    return f"{concept.label(lang)} ({concept.vocabulary_title or concept.vocabulary})"


def _list_block(evidence: Evidence, lang: Lang, sources: _Sources) -> Block:
    count = len(evidence.documents)
    heading = (
        say(lang, "answer.list_one") if count == 1 else say(lang, "answer.list_many", count=count)
    )
    quotes = tuple(
        Quote(
            text=document.title,
            source=sources.cite_document(document),
            lead=f"**{document.identifier}** " if document.identifier else "",
            tail=f" ({document.status})" if document.status else "",
        )
        for document in evidence.documents
    )
    return Block(heading=heading, quotes=quotes)


def _entity_blocks(
    question: Question, intent: Intent, evidence: Evidence, sources: _Sources
) -> list[Block]:
    terms = query_terms(intent.topic, question.lang, evidence.synonyms)
    return [
        _document_block(
            document,
            [hit.passage for hit in evidence.hits if hit.passage.document.id == document.id],
            intent.aspect,
            terms,
            question.lang,
            sources,
        )
        for document in evidence.documents
    ]


def _document_block(
    document: Document,
    passages: Sequence[Passage],
    aspect: Aspect,
    terms: QueryTerms,
    lang: Lang,
    sources: _Sources,
) -> Block:
    if stated := _stated(document, aspect):
        quote = Quote(
            text=stated, source=sources.cite_document(document), lead=say(lang, f"answer.{aspect}")
        )
        return Block(heading=_heading(document), quotes=(quote,))
    wanted = SectionRole.APPROVAL if document.approval else None
    roles = (wanted,) if wanted else _ROLES.get(aspect, (SectionRole.SUBSTANCE,))
    chosen = [item for item in passages if item.role in roles] or list(passages)
    about = _about(chosen, terms) or (_about(passages, terms) if terms.words else [])
    quoted = about or [(item, unit) for item in chosen for unit in units(item.text)]
    quotes = _quotes(quoted[:MAX_ENTITY_UNITS], sources)
    return Block(heading=_heading(document), quotes=quotes)


def _about(passages: Sequence[Passage], terms: QueryTerms) -> list[tuple[Passage, str]]:
    """The units that cover most of what is asked, in reading order; none when nothing is asked."""
    scored = [
        (len(terms.covered_by(unit, item.document.lang)), item, unit)
        for item in passages
        for unit in units(item.text)
    ]
    best = max((score for score, _, _ in scored), default=0)
    return [(item, unit) for score, item, unit in scored if score == best] if best else []


def _stated(document: Document, aspect: Aspect) -> str:
    """What the document's own metadata say, when that is what is asked."""
    return {
        Aspect.STATUS: document.status,
        Aspect.DATE: document.date,
        Aspect.OWNER: document.owner,
    }.get(aspect, "")


def _search_blocks(inquiry: Inquiry, sources: _Sources) -> list[Block]:
    """The sentences that cover the question best, from the best documents, each under its name."""
    question, intent, evidence = inquiry.question, inquiry.intent, inquiry.evidence
    terms = query_terms(
        intent.topic or question.text, question.lang, evidence.synonyms, rarity=evidence.rarity
    )
    by_document: dict[str, list[Hit]] = {}
    for hit in inquiry.decided().support:
        by_document.setdefault(hit.passage.document.id, []).append(hit)
    blocks = []
    for document in _as_good_as_the_first(list(by_document.values()), terms)[:MAX_DOCUMENTS]:
        found = [hit for hit in evidence.hits if hit.passage.document.id == document.id]
        quotes = _quotes(_best_units(found, terms), sources, {hit.passage.id: hit for hit in found})
        blocks.append(Block(heading=_heading(document), quotes=quotes))
    return blocks


def _as_good_as_the_first(found: Sequence[Sequence[Hit]], terms: QueryTerms) -> list[Document]:
    """The best document, and the others that cover at least as much of the question."""

    def covered(hits: Sequence[Hit]) -> float:
        return max(
            terms.coverage(hit.passage.in_context, hit.passage.document.lang) for hit in hits
        )

    needed = covered(found[0])
    kept = [found[0], *(hits for hits in found[1:] if covered(hits) >= needed)]
    return [hits[0].passage.document for hits in kept]


def _best_units(hits: Sequence[Hit], terms: QueryTerms) -> list[tuple[Passage, str]]:
    """The sentences of a document's passages that cover most of the question, in reading order.

    What a document decides or states counts for more than its context; questions that a document
    asks itself are no answers. Where no words can be compared (another language), the first
    sentences of the part that states something stand.
    """
    scored: list[tuple[float, Passage, int, str]] = []
    for hit in hits:
        passage = hit.passage
        for position, unit in enumerate(units(passage.text)):
            if unit.endswith("?"):
                continue
            covered = len(terms.covered_by(unit, passage.document.lang))
            weight = covered + _WEIGHTS.get(passage.role, 0.0) if covered else 0.0
            scored.append((weight, passage, position, unit))
    if not any(weight for weight, *_ in scored):
        stated = [item for item in scored if item[1].role == SectionRole.SUBSTANCE] or scored
        return [(passage, unit) for _, passage, _, unit in stated[:MAX_UNITS]]
    best = sorted(scored, key=lambda item: (-item[0], item[1].position, item[2]))[:MAX_UNITS]
    floor = best[0][0] / 2
    kept = [item for item in best if item[0] >= floor]
    kept.sort(key=lambda item: (item[1].position, item[2]))
    return [(passage, unit) for _, passage, _, unit in kept]


def _quotes(
    chosen: Sequence[tuple[Passage, str]],
    sources: _Sources,
    hits: Mapping[str, Hit] | None = None,
) -> tuple[Quote, ...]:
    """Turn units into quotes until the answer is long enough; the first is always kept."""
    quotes: list[Quote] = []
    length = 0
    for passage, unit in chosen:
        if quotes and length + len(unit) > MAX_QUOTED_CHARS:
            break
        hit = (hits or {}).get(passage.id)
        quotes.append(Quote(text=unit, source=sources.cite(passage, unit, hit)))
        length += len(unit)
    return tuple(quotes)


def _heading(document: Document) -> str:
    name = f"{document.identifier}: " if document.identifier else ""
    state = ", ".join(item for item in (document.status, document.date) if item)
    return f"**{name}{document.title}**" + (f" ({state})" if state else "")
