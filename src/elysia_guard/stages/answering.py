"""The answering stage: an extractive draft, made of the sources' own words and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from elysia_guard.domain.concept import Concept, in_language
from elysia_guard.domain.definitions import Definitions, Sense
from elysia_guard.domain.document import Document, DocumentKind, Hit, Passage, SectionRole
from elysia_guard.domain.draft import Block, Cited, Draft, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import (
    STATED,
    Aspect,
    Intent,
    IntentKind,
    Lang,
    Question,
)
from elysia_guard.domain.response import Source
from elysia_guard.language.answer_types import AnswerType, asked_for, holds
from elysia_guard.language.approvals import apart, own, standing, told
from elysia_guard.language.catalogue import say
from elysia_guard.language.coverage import QueryTerms, asked_of
from elysia_guard.language.lists import listed
from elysia_guard.language.sentences import units
from elysia_guard.language.states import in_force

CollectionOf = Callable[[DocumentKind | None], str]

MAX_QUOTED_CHARS = 1_200
MAX_DOCUMENTS = 3
MAX_UNITS = 4
MAX_ENTITY_UNITS = 8
MUCH = 3
"""So many words beside its name ask for something in a document, not for its status or date."""

_WEIGHTS: dict[str, float] = {
    SectionRole.SUBSTANCE: 0.1,
    SectionRole.CONTEXT: -0.05,
    SectionRole.OPTIONS: -0.05,
}
"""How much more or less a sentence counts by the part it stands in, in shares of the question."""
WHAT_IS_ASKED_FOR = 0.2
"""How much more one counts that holds what is asked for, such as a date."""

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
    lang: Lang
    sources: list[Source] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    cited: list[Cited] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def cite(self, passage: Passage, quote: str, hit: Hit | None = None) -> int:
        """Return the number of a passage, adding it as a source at its first quote."""
        if passage.id not in self.numbers:
            document = passage.document
            self.numbers[passage.id] = self._add(
                passage.text,
                Cited(of=document, altered=passage.altered),
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
        return self._add(
            document.stated,
            Cited(of=document, stated=True),
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
            Cited(of=concept),
            doc_type="Vocabulary",
            doc_id=concept.uri,
            title=concept.label(lang),
            collection=self.collection(None),
            quote=quote,
            section=concept.vocabulary_title or concept.vocabulary,
            location=concept.uri,
            lang=lang,
        )

    def _add(self, origin: str, cited: Cited, **values: object) -> int:
        number = len(self.sources) + 1
        self.sources.append(Source(n=number, **values))  # type: ignore[arg-type]
        self.origins.append(origin)
        self.cited.append(cited)
        return number


def draft(inquiry: Inquiry, *, collection: CollectionOf) -> Draft:
    """Quote what answers: the definition, the outcome, the list, or the best sentences."""
    question, intent, evidence = inquiry.question, inquiry.intent, inquiry.evidence
    sources = _Sources(collection=collection, lang=question.lang)
    if evidence.matches:
        blocks = list(_concept_blocks(evidence, question.lang, sources))
    elif intent.kind is IntentKind.LIST:
        blocks = [_list_block(intent, evidence, question.lang, sources)]
    elif intent.kind is IntentKind.ENTITY:
        blocks = _entity_blocks(question, intent, evidence, sources)
    else:
        blocks = _search_blocks(inquiry, sources)
    return Draft(
        blocks=tuple(blocks),
        sources=tuple(sources.sources),
        origins=tuple(sources.origins),
        cited=tuple(sources.cited),
    )


def _concept_blocks(evidence: Evidence, lang: Lang, sources: _Sources) -> Iterator[Block]:
    """The definition, and of terms that are compared each, or why there is none."""
    if isinstance(evidence, Definitions) and evidence.written:
        label = evidence.matches[0].label.value
        yield Block(notes=(say(lang, "answer.written", written=evidence.written, label=label),))
    yield _concept_block(evidence, lang, sources)
    compared = evidence.compared if isinstance(evidence, Definitions) else ()
    for sense in compared:
        if sense.defined:
            yield _concept_block(Evidence(matches=sense.matches), lang, sources)
        else:
            source = evidence.looked_at[0]
            told = say(lang, _why_not(sense), subject=sense.term, source=source)
            yield Block(notes=(told,))


def _why_not(sense: Sense) -> str:
    """Name the message that says why a term is not defined."""
    if len(sense.matches) > 1:
        return "answer.ambiguous"
    if not sense.matches:
        return "refusal.terminology_not_found"
    if sense.matches[0].concept.deprecated:
        return "refusal.terminology_deprecated"
    return "refusal.terminology_not_found_undefined"


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


def _list_block(intent: Intent, evidence: Evidence, lang: Lang, sources: _Sources) -> Block:
    count = len(evidence.documents)
    found = listed(intent, evidence.owners, lang, count=count)
    key = "answer.list_one" if count == 1 else "answer.list_many"
    heading = say(lang, key, count=count, listed=found)
    quotes = tuple(
        Quote(
            text=document.title,
            source=sources.cite_document(document),
            lead=f"**{document.identifier}** " if document.identifier else "",
            tail=standing(document),
        )
        for document in evidence.documents
    )
    return Block(heading=heading, quotes=quotes)


def _entity_blocks(
    question: Question, intent: Intent, evidence: Evidence, sources: _Sources
) -> list[Block]:
    wanted = _Wanted.of(intent.topic, question, evidence)
    blocks: list[Block] = []
    for document in evidence.documents:
        passages = [hit.passage for hit in evidence.hits if hit.passage.document.id == document.id]
        aspect = Aspect.SUBSTANCE if wanted.more_than(document, passages) else intent.aspect
        found = [] if wanted.terms.words else _record_blocks(document, passages, sources)
        if aspect in STATED:
            found = _approval_blocks(document, aspect, evidence, sources)
        blocks += found or [_document_block(document, passages, aspect, wanted, sources)]
    return blocks


def _approval_blocks(
    document: Document, aspect: Aspect, evidence: Evidence, sources: _Sources
) -> list[Block]:
    """What the approval record says of each approval, the one that decides first."""
    passages = [*evidence.records, *(hit.passage for hit in evidence.hits)]
    blocks = []
    for part in told(document, aspect, passages, sources.lang):
        cited = [(fact, sources.cite(fact.passage, fact.text)) for fact in part.facts]
        quotes = tuple(Quote(text=fact.text, source=n, lead=fact.lead) for fact, n in cited)
        blocks.append(Block(heading=part.heading, quotes=quotes, notes=part.notes))
    return blocks


def _record_blocks(record: Document, passages: Sequence[Passage], sources: _Sources) -> list[Block]:
    """Each approval of a record that lists several under headings of their own, none cut short."""
    blocks = []
    for heading, under in apart(record, passages):
        quoted = [(item, unit) for item in under for unit in units(item.text, record.lang)]
        blocks.append(Block(heading=heading, quotes=_quotes(quoted[:MAX_ENTITY_UNITS], sources)))
    return blocks


def _document_block(
    document: Document,
    passages: Sequence[Passage],
    aspect: Aspect,
    wanted: _Wanted,
    sources: _Sources,
) -> Block:
    if stated := own(document, aspect):
        lead = say(wanted.terms.lang, f"answer.{aspect}")
        quote = Quote(text=stated, source=sources.cite_document(document), lead=lead)
        return Block(heading=_heading(document), quotes=(quote,))
    if aspect in STATED and not wanted.terms.words:
        unstated = say(wanted.terms.lang, f"answer.no_{aspect}", name=document.name)
        return Block(heading=_heading(document), notes=(unstated,))
    part = SectionRole.APPROVAL if document.approval else None
    roles = (part,) if part else _ROLES.get(aspect, (SectionRole.SUBSTANCE,))
    chosen = [item for item in passages if item.role in roles] or list(passages)
    among = passages if aspect is Aspect.SUBSTANCE and not part else chosen
    about = wanted.best(among) or wanted.best(passages)
    quoted = about or [
        (item, unit) for item in chosen for unit in units(item.text, item.document.lang)
    ]
    # Each approval of a record has as much room as one.
    times = max(len(document.approvals), 1) if document.approval else 1
    quotes = _quotes(quoted[: times * MAX_ENTITY_UNITS], sources, times=times)
    return Block(heading=_heading(document), quotes=quotes)


@dataclass(frozen=True, kw_only=True)
class _Wanted:
    """What a question asks: its words, and the kind of thing that would be an answer."""

    terms: QueryTerms
    things: frozenset[AnswerType]

    @classmethod
    def of(cls, topic: str, question: Question, evidence: Evidence) -> _Wanted:
        terms = asked_of(evidence, topic, question.lang)
        return cls(terms=terms, things=asked_for(question.text))

    def best(self, passages: Sequence[Passage]) -> list[tuple[Passage, str]]:
        """The sentences that speak most of what is asked, in reading order; none if none does.

        What a document decides or states counts for more than its context, and what holds a thing
        of the kind asked for counts most; questions that a document asks itself are no answers.
        """
        scored = [
            (score, passage, place, unit)
            for passage in passages
            for place, unit in enumerate(_units(passage))
            if not unit.endswith("?") and (score := self._score(passage, unit)) > 0
        ]
        best = sorted(scored, key=lambda item: (-item[0], item[1].position, item[2]))[:MAX_UNITS]
        kept = [item for item in best if item[0] >= best[0][0] / 2]
        kept.sort(key=lambda item: (item[1].position, item[2]))
        return [(passage, unit) for _, passage, _, unit in kept]

    def more_than(self, document: Document, passages: Sequence[Passage]) -> bool:
        """Tell whether much is asked beside the name of a document, of which it speaks.

        'Which HTTP status does ADR-0024 want for a repeated key?' is not for its own status.
        """
        named = self.terms.coverage(document.title, document.lang)
        beside = (1 - named) * len(self.terms.words)
        return beside >= MUCH and bool(self.best(passages))

    def _score(self, passage: Passage, unit: str) -> float:
        if not self.terms.words:
            return 0.0
        covered = self.terms.coverage(unit, passage.document.lang)
        held = any(holds(unit, thing) for thing in self.things)
        weight = _WEIGHTS.get(passage.role, 0.0) + (WHAT_IS_ASKED_FOR if held else 0.0)
        return covered + weight if covered else 0.0


def _search_blocks(inquiry: Inquiry, sources: _Sources) -> list[Block]:
    """The sentences that answer best, from the best documents, each under its name."""
    question, intent, evidence = inquiry.question, inquiry.intent, inquiry.evidence
    wanted = _Wanted.of(intent.topic or question.text, question, evidence)
    by_document: dict[str, list[Hit]] = {}
    for hit in inquiry.decided().support:
        by_document.setdefault(hit.passage.document.id, []).append(hit)
    if not by_document:
        return []
    documents = _as_good_as_the_first(list(by_document.values()), wanted.terms)
    blocks: list[Block] = []
    recorded = AnswerType.APPROVAL in wanted.things
    # Those in force come first; among them, the better one as before.
    for document in sorted(documents[:MAX_DOCUMENTS], key=lambda item: not in_force(item.status)):
        if recorded and (told_of := _approval_blocks(document, Aspect.APPROVAL, evidence, sources)):
            blocks += [block for block in told_of if block not in blocks]
            continue
        found = {
            hit.passage.id: hit for hit in evidence.hits if hit.passage.document.id == document.id
        }
        passages = [hit.passage for hit in found.values()]
        chosen = wanted.best(passages) or _first_stated(passages)
        blocks.append(Block(heading=_heading(document), quotes=_quotes(chosen, sources, found)))
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


def _first_stated(passages: Sequence[Passage]) -> list[tuple[Passage, str]]:
    """The first sentences of what a document states, where none can be told to answer."""
    stated = [item for item in passages if item.role == SectionRole.SUBSTANCE] or passages
    return [(item, unit) for item in stated for unit in _units(item)][:MAX_UNITS]


def _units(passage: Passage) -> tuple[str, ...]:
    return units(passage.text, passage.document.lang)


def _quotes(
    chosen: Sequence[tuple[Passage, str]],
    sources: _Sources,
    hits: Mapping[str, Hit] | None = None,
    *,
    times: int = 1,
) -> tuple[Quote, ...]:
    """Turn units into quotes until the answer is long enough; the first is always kept."""
    quotes: list[Quote] = []
    length = 0
    for passage, unit in chosen:
        if quotes and length + len(unit) > times * MAX_QUOTED_CHARS:
            break
        hit = (hits or {}).get(passage.id)
        quotes.append(Quote(text=unit, source=sources.cite(passage, unit, hit)))
        length += len(unit)
    return tuple(quotes)


def _heading(document: Document) -> str:
    name = f"{document.identifier}: " if document.identifier else ""
    state = ", ".join(item for item in (document.status, document.date) if item)
    return f"**{name}{document.title}**" + (f" ({state})" if state else "")
