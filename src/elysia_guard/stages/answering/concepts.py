"""What the vocabulary says of a term, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from elysia_guard.domain.concept import Concept, RelatedConcept, TermMatch, in_language
from elysia_guard.domain.draft import Block, Quote
from elysia_guard.domain.evidence import Definitions, Evidence, Sense, other_names
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Relation
from elysia_guard.language.catalogue import called, say
from elysia_guard.stages.answering.citing import CitedSources

OTHER_MEANING = "other_meanings"
MAX_SENSES = 3
"""So many meanings of a term are mentioned where one of them may have been asked for."""


def concept_blocks(
    relation: Relation, evidence: Evidence, lang: Lang, sources: CitedSources
) -> Iterator[Block]:
    """What is asked of a term: its definition, and of terms that are compared each, or why not.

    Or the concepts that stand to it as is asked, each with its definition; or its names.
    """
    found = evidence if isinstance(evidence, Definitions) else Definitions()
    match = evidence.matches[0]
    if found.written:
        told = say(lang, "answer.written", written=found.written, label=match.label.value)
        yield Block(notes=(told,))
    if relation is not Relation.MEANING:
        yield _relation_block(relation, evidence, lang, sources)
        return
    yield _concept_block(evidence, lang, sources)
    for sense in found.compared:
        if sense.defined:
            yield _concept_block(Evidence(matches=sense.matches), lang, sources)
        else:
            source = evidence.looked_at[0]
            told = say(lang, _why_not(sense), subject=sense.term, source=source)
            yield Block(notes=(told,))


def sense_blocks(matches: Sequence[TermMatch], lang: Lang, sources: CitedSources) -> list[Block]:
    """The definition of each living concept that a term names, under its label and vocabulary."""
    found = [match.concept for match in matches if not match.concept.deprecated]
    defined = [concept for concept in found if concept.definition(lang)][:MAX_SENSES]
    return [
        Block(
            heading=f"**{_qualified(concept, lang)}**",
            quotes=(replace(_relative(concept, lang, sources), lead=""),),
        )
        for concept in defined
    ]


def _relation_block(
    relation: Relation, evidence: Evidence, lang: Lang, sources: CitedSources
) -> Block:
    match = evidence.matches[0]
    concept = match.concept
    if relation is Relation.SYNONYMS:
        names = other_names(match, lang)
        number = sources.cite_concept(concept, names[0], lang)
        quotes = tuple(Quote(text=name, source=number) for name in names)
    else:
        found = evidence.relatives if isinstance(evidence, Definitions) else ()
        quotes = tuple(_relative(each, lang, sources) for each in found)
    heading = say(lang, f"answer.{relation}_of", term=match.label.value)
    vocabulary = concept.vocabulary_title or concept.vocabulary
    source = say(lang, "answer.concept_source", vocabulary=vocabulary, uri=concept.uri)
    return Block(heading=heading, quotes=quotes, notes=(source,))


def _relative(concept: Concept, lang: Lang, sources: CitedSources) -> Quote:
    """A concept with its definition; by its label alone where it has none."""
    label, definition = concept.label(lang), concept.definition(lang)
    text = definition.value if definition else label
    number = sources.cite_concept(concept, text, lang)
    return Quote(text=text, source=number, lead=f"**{label}**: " if definition else "")


def _why_not(sense: Sense) -> str:
    """Name the message that says why a term is not defined."""
    if len(sense.matches) > 1:
        return "answer.ambiguous"
    if not sense.matches:
        return "refusal.terminology_not_found"
    deprecated = sense.matches[0].concept.deprecated
    return f"refusal.terminology_{'deprecated' if deprecated else 'not_found_undefined'}"


def _concept_block(evidence: Evidence, lang: Lang, sources: CitedSources) -> Block:
    """The definition, word for word, with what the vocabulary says around it."""
    concept = evidence.matches[0].concept
    label, definition = concept.label(lang), concept.definition(lang)
    # The other meanings of a term of which one was chosen before, and the neighbours.
    others = (
        RelatedConcept(
            uri=each.concept.uri, label=_qualified(each.concept, lang), relation=OTHER_MEANING
        )
        for each in evidence.others
    )
    around = (*others, *evidence.related)
    quotes: tuple[Quote, ...] = ()
    notes: list[str] = []
    if definition:
        number = sources.cite_concept(concept, definition.value, lang, around)
        quotes = (Quote(text=definition.value, source=number),)
        written = definition.lang.partition("-")[0].lower() if definition.lang else lang
        if written != lang:
            asked, found = called(lang, lang), called(lang, written)
            notes.append(say(lang, "answer.other_language", asked=asked, lang=found))
    if note := in_language(concept.scope_notes, lang):
        notes.append(say(lang, "answer.scope_note", text=note.value))
    synonyms = [name for name in concept.names(lang) if name.casefold() != label.casefold()]
    if synonyms:
        notes.append(say(lang, "answer.synonyms", labels=", ".join(synonyms)))
    for relation in (OTHER_MEANING, "broader", "narrower", "related"):
        labels = [item.label for item in around if item.relation == relation]
        if labels:
            notes.append(say(lang, f"answer.{relation}", labels=", ".join(labels)))
    return Block(heading=f"**{label}**", quotes=quotes, notes=tuple(notes))


def _qualified(concept: Concept, lang: Lang) -> str:
    return f"{concept.label(lang)} ({concept.vocabulary_title or concept.vocabulary})"
