"""What the small model of wordings learns from: labelled questions, their spans masked.

Three sets are read alike: the golden set (its category tells the kind), the questions of
``intents.jsonl`` and those of ``readings.jsonl``; of each the tuning half alone.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from scripts.lab.intents import IntentCase
from scripts.lab.readings import OF_TERM, LabelledMention, ReadingCase

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import IntentKind, Lang, Reference
from elysia_guard.domain.reading import ReadKind
from elysia_guard.evaluation.golden import Case, Category
from elysia_guard.language.identify import identify
from elysia_guard.language.text import clean, normalise
from elysia_guard.reading.by_mention import compared
from elysia_guard.reading.intents import TERM, masked
from elysia_guard.reading.mentions import Meant, TermSpan
from elysia_guard.reading.spans import Span

Spot = Callable[[str, Lang], Sequence[Span]]
"""Finds the spans of a question in one corpus."""
Spots = Callable[[str], Spot]
"""Returns what finds spans in the corpus of a name."""

MEANINGS = frozenset(
    {
        Category.TERMINOLOGY_HIT,
        Category.TERMINOLOGY_AMBIGUOUS,
        Category.TERMINOLOGY_MISS,
        Category.TERMINOLOGY_TIMEOUT,
    }
)
GOLDEN: Final = "golden"
INTENTS: Final = "intents"
READINGS: Final = "readings"
OWN: Final = "demo"
"""The corpus of the golden set and of ``intents.jsonl``."""
_IDENTITY: Final = re.compile(r"(?P<kind>ADR|DAR|PCPD?|POL)-(?P<number>\d+)")
_OF: Final = {
    "ADR": DocumentKind.DECISION,
    "DAR": DocumentKind.DECISION,
    "PCP": DocumentKind.PRINCIPLE,
    "PCPD": DocumentKind.PRINCIPLE,
    "POL": DocumentKind.POLICY,
}
_OF_INTENTS = {
    IntentKind.TERMINOLOGY: ReadKind.DEFINITION,
    IntentKind.ENTITY: ReadKind.NAMED,
    IntentKind.LIST: ReadKind.LISTING,
    IntentKind.SINGLE_COLLECTION: ReadKind.SEARCH,
    IntentKind.CROSS_COLLECTION: ReadKind.SEARCH,
    IntentKind.CONVERSATIONAL: ReadKind.SMALL_TALK,
    IntentKind.OPEN: ReadKind.SEARCH,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class IntentExample:
    """A question with marks in the place of its spans, and what it asks.

    ``source`` is the set that it is from. ``of_term`` tells, where a meaning is asked and one term
    is masked, whether it is that of this term and not of a longer one or one beside; None
    elsewhere. ``weight`` is 1 for a question as it would be asked about; the same with one of its
    several terms masked shares another 1.
    """

    case_id: str
    source: str
    corpus: str
    question: str
    spans: tuple[Span, ...] = field(repr=False)
    text: str
    lang: Lang
    terms: int
    documents: int
    kind: ReadKind
    of_term: bool | None = None
    weight: float = 1.0

    @property
    def is_whole(self) -> bool:
        """Whether all spans are masked."""
        return self.text.count(TERM) == self.terms


class _Labelled(NamedTuple):
    """A question as its set labels it."""

    case_id: str
    source: str
    corpus: str
    text: str
    lang: Lang
    kind: ReadKind


@dataclass(frozen=True, slots=True)
class _Place:
    """A mention, and whether its meaning is asked."""

    span: Span
    asked: bool

    @property
    def is_document(self) -> bool:
        return isinstance(self.span.means, Reference)

    @property
    def means(self) -> object:
        return self.span.means.uri if isinstance(self.span.means, TermSpan) else self.span.means


def of_golden(cases: Iterable[Case], spot: Spot) -> Iterator[IntentExample]:
    """Read the golden set: a question that names documents asks about them.

    Left out are those that let the vocabulary fail.
    """
    for case in cases:
        if case.category is Category.TERMINOLOGY_TIMEOUT:
            continue
        text, lang = _asked(case.query)
        uris = frozenset(case.expected.doc_ids)
        places = [_Place(span, asked=bool(uris & _uris(span))) for span in spot(text, lang)]
        kind = _kind_of_golden(case, places)
        yield from _views(_Labelled(case.id, GOLDEN, OWN, text, lang, kind), places)


def of_intents(cases: Iterable[IntentCase], spot: Spot) -> Iterator[IntentExample]:
    """Read ``intents.jsonl``; left out is a term alone, of which the vocabulary is asked anyway."""
    for case in cases:
        text, lang = _asked(case.query)
        kind, spans = _OF_INTENTS[case.intent], spot(text, lang)
        if case.intent is IntentKind.OPEN and case.term:
            if not compared(text, lang=lang, spans=spans):
                continue
            kind = ReadKind.COMPARISON
        places = [_Place(span, asked=normalise(span.text) == case.term) for span in spans]
        if kind is ReadKind.SEARCH:
            kind = _searched(places)
        yield from _views(_Labelled(case.id, INTENTS, OWN, text, lang, kind), places)


def of_readings(cases: Iterable[ReadingCase], spots: Spots) -> Iterator[IntentExample]:
    """Read the questions of several corpora that ask one thing; what is labelled is masked first.

    Documents that are compared are named: each is told, one after the other.
    ``spots`` gives for a corpus what finds further spans: what a search mentions has no label.
    """
    for case in cases:
        if len(case.parts) > 1:
            continue
        text, lang = case.question, identify(case.question, default=case.lang)
        part = case.parts[0]
        mentioned = [_Place(_labelled(text, item), asked=True) for item in part.spans if item.means]
        places = [
            *mentioned,
            *(
                _Place(span, asked=False)
                for span in spots(case.corpus)(text, lang)
                if all(
                    span.end <= item.span.start or span.start >= item.span.end for item in mentioned
                )
            ),
        ]
        kind = part.kind
        if kind is ReadKind.COMPARISON and any(item.is_document for item in mentioned):
            kind = ReadKind.NAMED
        labelled = _Labelled(case.id, READINGS, case.corpus, text, lang, kind)
        yield from _views(labelled, places)


def digest(examples: Iterable[IntentExample]) -> str:
    """Return a hash of all that is learnt from."""
    lines = (
        json.dumps(
            [
                item.case_id,
                item.text,
                item.lang,
                item.terms,
                item.documents,
                item.kind,
                item.of_term,
                item.weight,
            ]
        )
        for item in examples
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _asked(text: str) -> tuple[str, Lang]:
    cleaned = clean(text)
    return cleaned, identify(cleaned)


def _kind_of_golden(case: Case, places: Sequence[_Place]) -> ReadKind:
    terms = sum(not place.is_document for place in places)
    if case.category in MEANINGS:
        both = len(case.expected.doc_ids) > 1 and terms > 1
        return ReadKind.COMPARISON if both else ReadKind.DEFINITION
    if case.category is Category.NON_TERMINOLOGY_LIST:
        return ReadKind.LISTING
    return _searched(places)


def _searched(places: Sequence[_Place]) -> ReadKind:
    """What a question for what documents say is: where it names some, about those."""
    named = any(place.is_document for place in places)
    return ReadKind.NAMED if named else ReadKind.SEARCH


def _labelled(text: str, mention: LabelledMention) -> Span:
    """The span that a label tells of: where its words stand first."""
    start, means = text.find(mention.text), mention.means or ""
    found: Meant = TermSpan(uri=means, label=means.removeprefix(OF_TERM))
    if match := _IDENTITY.fullmatch(means):
        number, kind = int(match["number"]), _OF[match["kind"]]
        found = Reference(number=number, written=mention.text, kind=kind)
    return Span(start=start, end=start + len(mention.text), text=mention.text, means=found)


def _uris(span: Span) -> frozenset[str]:
    return frozenset(item.uri for item in span.candidates if isinstance(item, TermSpan))


def _views(item: _Labelled, places: Sequence[_Place]) -> Iterator[IntentExample]:
    """The question with all spans masked, and where it has several terms, with one at a time."""
    terms = _each_once(place for place in places if not place.is_document)
    documents = [place for place in places if place.is_document]
    whole = IntentExample(
        case_id=item.case_id,
        source=item.source,
        corpus=item.corpus,
        question=item.text,
        spans=tuple(sorted((place.span for place in places), key=lambda span: span.start)),
        text=_marked(item.text, [*terms, *documents]),
        lang=item.lang,
        terms=len(terms),
        documents=len(documents),
        kind=item.kind,
    )
    meaning = item.kind is ReadKind.DEFINITION
    if len(terms) == 1:
        yield replace(whole, of_term=terms[0].asked if meaning else None)
        return
    yield whole
    for place in terms:
        yield replace(
            whole,
            text=_marked(item.text, [place, *documents]),
            of_term=place.asked if meaning else None,
            weight=1.0 / len(terms),
        )


def _each_once(terms: Iterable[_Place]) -> list[_Place]:
    """The first mention of each term: of it the meaning is asked, wherever it is."""
    found: dict[object, _Place] = {}
    for place in sorted(terms, key=lambda item: item.span.start):
        found.setdefault(place.means, place)
    return list(found.values())


def _marked(text: str, places: Iterable[_Place]) -> str:
    return masked(text, [place.span for place in places])
