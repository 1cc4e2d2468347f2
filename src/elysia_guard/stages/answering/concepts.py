"""What the vocabulary says of a term, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from elysia_guard.domain.concept import (
    Concept,
    LabelRole,
    RelatedConcept,
    TermMatch,
    Text,
    in_language,
    more,
)
from elysia_guard.domain.draft import Block, Quote
from elysia_guard.domain.evidence import Definitions, Evidence, Sense, names_in, other_names
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Definition, Relation
from elysia_guard.language.catalogue import called, say
from elysia_guard.stages.answering.citing import CitedSources

OTHER_MEANING = "other_meanings"
MAX_LINKS = 8
"""To other vocabularies, of one concept."""
MAX_SENSES = 3
"""So many meanings of a term are mentioned where one of them may have been asked for."""


def concept_blocks(
    evidence: Evidence, lang: Lang, sources: CitedSources, *, whether: bool = False
) -> Iterator[Block]:
    """What the vocabulary says of the term, and of those it is compared with, or why nothing.

    ``whether``: it is asked whether the terms are one and the same.
    """
    found = evidence.matches[0]
    if isinstance(evidence, Definitions) and evidence.written:
        label = found.label.value
        yield Block(notes=(say(lang, "answer.written", written=evidence.written, label=label),))
    compared = evidence.compared if isinstance(evidence, Definitions) else ()
    others = [sense for sense in compared if sense.single]
    one = [each for each in others if each.matches[0].concept.uri == found.concept.uri]
    if one or (whether and others):
        key = "answer.same" if one else "answer.apart"
        names = [found.label.value, (one or others)[0].matches[0].label.value]
        yield Block(notes=(say(lang, key, one=names[0], other=names[1]),))
    yield from _concept_blocks(evidence, lang, sources, named=not one)
    for sense in compared:
        if sense in one:
            continue
        if sense.single:
            told = Evidence(matches=sense.matches, looked_at=evidence.looked_at)
            yield from _concept_blocks(told, lang, sources)
        else:
            source = evidence.looked_at[0]
            why = say(lang, _why_not(sense), subject=sense.term, source=source)
            yield Block(notes=(why,))


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
    asks: Definition, evidence: Evidence, lang: Lang, sources: CitedSources
) -> Iterator[Block]:
    """The concepts that stand to a term as is asked, each with its definition; or its names."""
    match = evidence.matches[0]
    written = evidence.written if isinstance(evidence, Definitions) else ""
    if written:
        told = say(lang, "answer.written", written=written, label=match.label.value)
        yield Block(notes=(told,))
    concept, term = match.concept, match.label.value
    vocabulary = concept.vocabulary_title or concept.vocabulary
    if asks.relation in {Relation.SYNONYMS, Relation.TRANSLATION}:
        into = asks.relation is Relation.TRANSLATION
        names = names_in(concept, asks.into) if into else other_names(match, lang)
        number = sources.cite_concept(concept, names[0], lang)
        quotes = tuple(Quote(text=name, source=number) for name in names)
    else:
        found = evidence.relatives if isinstance(evidence, Definitions) else ()
        quotes = tuple(_relative(each, lang, sources) for each in found)
    heading = say(lang, f"answer.{asks.relation}_of", term=term, language=called(lang, asks.into))
    source = say(lang, "answer.concept_source", vocabulary=vocabulary, uri=concept.uri)
    yield Block(heading=heading, quotes=quotes, notes=(source,))


def _relative(concept: Concept, lang: Lang, sources: CitedSources) -> Quote:
    """A concept with its definition; by its label alone where it has none."""
    label, definition = concept.label(lang), concept.definition(lang)
    if definition is None:
        number = sources.cite_concept(concept, label, lang)
        return Quote(text=label, source=number, lead="**", tail="**")
    number = sources.cite_concept(concept, definition.value, lang)
    return Quote(text=definition.value, source=number, lead=f"**{label}**: ")


def _why_not(sense: Sense) -> str:
    """Name the message that says why nothing is told of a term."""
    if len(sense.matches) > 1:
        return "answer.ambiguous"
    if not sense.matches:
        return "refusal.terminology_not_found"
    return "refusal.terminology_deprecated"


def _concept_blocks(
    evidence: Evidence, lang: Lang, sources: CitedSources, *, named: bool = True
) -> Iterator[Block]:
    """The definition, word for word, with what the vocabulary says around it.

    Where it gives none, it is said, and what else it says stands in its place. ``named``: tell
    of another name that it is one.
    """
    match, around = evidence.matches[0], (*_others(evidence, lang), *evidence.related)
    concept, definition = match.concept, match.concept.definition(lang)
    label, notes = concept.label(lang), list[str]()
    heading, quoted = f"**{label}**", definition or in_language(concept.descriptions, lang)
    text = quoted.value if quoted else label
    number = sources.cite_concept(concept, text, lang, around)
    quotes: tuple[Quote, ...] = (Quote(text=text, source=number),) if quoted else ()
    written = match.label.value
    if named and match.role is LabelRole.ALTERNATIVE and written.casefold() != label.casefold():
        another = say(lang, "answer.another_name", written=written, label=label)
        yield Block(heading=heading, notes=(another,))
        heading = ""
    if definition is None:
        vocabulary = evidence.looked_at[0]
        none = say(lang, "answer.no_definition", source=vocabulary, subject=label)
        yield Block(heading=heading, notes=(none,))
        if quotes:
            yield Block(quotes=quotes)
        heading, quotes = "", _labels(concept, lang, number)
    elif definition.primary not in {None, lang}:
        found = called(lang, definition.primary or "")
        notes.append(say(lang, "answer.other_language", asked=called(lang, lang), lang=found))
    notes += _notes(concept, around, lang)
    yield Block(heading=heading, quotes=quotes, notes=tuple(notes))


def _labels(concept: Concept, lang: Lang, number: int) -> tuple[Quote, ...]:
    """The preferred labels in all languages, the asked one first."""
    ordered = sorted(concept.preferred, key=lambda text: (text.primary != lang, text.lang or ""))
    return tuple(
        Quote(
            text=text.value,
            source=number,
            lead=say(lang, "answer.label_in", lang=_tongue(text, lang)) if text.lang else "",
        )
        for text in ordered
    )


def _tongue(text: Text, lang: Lang) -> str:
    """Name the language of a text: 'English', 'English (en-GB)'."""
    name = called(lang, text.primary or "")
    return name if text.lang == text.primary else f"{name} ({text.lang})"


def _notes(concept: Concept, around: Sequence[RelatedConcept], lang: Lang) -> Iterator[str]:
    """What the vocabulary says of a concept beside its definition."""
    if note := in_language(concept.scope_notes, lang):
        yield say(lang, "answer.scope_note", text=note.value)
    label = concept.label(lang)
    synonyms = [name for name in concept.names(lang) if name.casefold() != label.casefold()]
    if synonyms:
        yield say(lang, "answer.synonyms", labels=", ".join(synonyms))
    if not concept.definitions:
        yield from _foreign_names(concept, lang)
    for relation in (OTHER_MEANING, "broader", "narrower", "related"):
        labels = [item.label for item in around if item.relation == relation]
        left = len(getattr(concept, relation, ())) - len(labels)
        if labels:
            told = say(lang, f"answer.{relation}", labels=", ".join(labels))
            yield f"{told} {more(left)}" if left > 0 else told
    if concept.definitions:
        return
    if concept.top:
        yield say(lang, "answer.top")
    if concept.mappings:
        links = ", ".join(f"{name} {uri}" for name, uri in concept.mappings[:MAX_LINKS])
        told, left = say(lang, "answer.mappings", links=links), len(concept.mappings) - MAX_LINKS
        yield f"{told} {more(left)}" if left > 0 else told


def _foreign_names(concept: Concept, lang: Lang) -> Iterator[str]:
    """What it is also called in the other languages."""
    foreign: dict[str, list[str]] = {}
    for text in concept.alternative:
        if not text.is_in(lang) and text.value not in concept.names(lang):
            foreign.setdefault(_tongue(text, lang), []).append(text.value)
    for tongue, names in foreign.items():
        yield say(lang, "answer.synonyms_in", lang=tongue, labels=", ".join(names))


def _others(evidence: Evidence, lang: Lang) -> Iterator[RelatedConcept]:
    """The other meanings of a term of which one was chosen before."""
    for match in evidence.others:
        told = _qualified(match.concept, lang)
        yield RelatedConcept(uri=match.concept.uri, label=told, relation=OTHER_MEANING)


def _qualified(concept: Concept, lang: Lang) -> str:
    return f"{concept.label(lang)} ({concept.vocabulary_title or concept.vocabulary})"
