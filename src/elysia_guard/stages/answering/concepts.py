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


def concept_blocks(evidence: Evidence, lang: Lang, sources: CitedSources) -> Iterator[Block]:
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


def relation_blocks(
    relation: Relation, evidence: Evidence, lang: Lang, sources: CitedSources
) -> Iterator[Block]:
    """The concepts that stand to a term as is asked, each with its definition; or its names."""
    match = evidence.matches[0]
    written = evidence.written if isinstance(evidence, Definitions) else ""
    if written:
        told = say(lang, "answer.written", written=written, label=match.label.value)
        yield Block(notes=(told,))
    concept, term = match.concept, match.label.value
    vocabulary = concept.vocabulary_title or concept.vocabulary
    if relation is Relation.SYNONYMS:
        names = other_names(match, lang)
        number = sources.cite_concept(concept, names[0], lang)
        quotes = tuple(Quote(text=name, source=number) for name in names)
    else:
        found = evidence.relatives if isinstance(evidence, Definitions) else ()
        quotes = tuple(_relative(each, lang, sources) for each in found)
    heading = say(lang, f"answer.{relation}_of", term=term)
    source = say(lang, "answer.concept_source", vocabulary=vocabulary, uri=concept.uri)
    yield Block(heading=heading, quotes=quotes, notes=(source,))


def _relative(concept: Concept, lang: Lang, sources: CitedSources) -> Quote:
    """A concept with its definition; by its label alone where it has none."""
    label, definition = concept.label(lang), concept.definition(lang)
    if definition is None:
        return Quote(text=label, source=sources.cite_concept(concept, label, lang))
    number = sources.cite_concept(concept, definition.value, lang)
    return Quote(text=definition.value, source=number, lead=f"**{label}**: ")


def _why_not(sense: Sense) -> str:
    """Name the message that says why a term is not defined."""
    if len(sense.matches) > 1:
        return "answer.ambiguous"
    if not sense.matches:
        return "refusal.terminology_not_found"
    if sense.matches[0].concept.deprecated:
        return "refusal.terminology_deprecated"
    return "refusal.terminology_not_found_undefined"


def _concept_block(evidence: Evidence, lang: Lang, sources: CitedSources) -> Block:
    """The definition, word for word, with what the vocabulary says around it."""
    concept = evidence.matches[0].concept
    definition = concept.definition(lang)
    quotes: tuple[Quote, ...] = ()
    notes: list[str] = []
    if definition:
        named = (*_others(evidence, lang), *evidence.related)
        number = sources.cite_concept(concept, definition.value, lang, named)
        quotes = (Quote(text=definition.value, source=number),)
        if definition.lang and definition.lang.partition("-")[0].lower() != lang:
            found = called(lang, definition.lang.partition("-")[0].lower())
            told = say(lang, "answer.other_language", asked=called(lang, lang), lang=found)
            notes.append(told)
    if note := in_language(concept.scope_notes, lang):
        notes.append(say(lang, "answer.scope_note", text=note.value))
    label = concept.label(lang)
    synonyms = [name for name in concept.names(lang) if name.casefold() != label.casefold()]
    if synonyms:
        notes.append(say(lang, "answer.synonyms", labels=", ".join(synonyms)))
    around = (*_others(evidence, lang), *evidence.related)
    for relation in (OTHER_MEANING, "broader", "narrower", "related"):
        labels = [item.label for item in around if item.relation == relation]
        if labels:
            notes.append(say(lang, f"answer.{relation}", labels=", ".join(labels)))
    return Block(heading=f"**{label}**", quotes=quotes, notes=tuple(notes))


def _others(evidence: Evidence, lang: Lang) -> Iterator[RelatedConcept]:
    """The other meanings of a term of which one was chosen before."""
    for match in evidence.others:
        told = _qualified(match.concept, lang)
        yield RelatedConcept(uri=match.concept.uri, label=told, relation=OTHER_MEANING)


def _qualified(concept: Concept, lang: Lang) -> str:
    return f"{concept.label(lang)} ({concept.vocabulary_title or concept.vocabulary})"
