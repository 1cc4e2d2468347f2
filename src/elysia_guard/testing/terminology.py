"""A working terminology source without files or servers, and a small vocabulary to test with.

The vocabulary exists twice, as Turtle (``TURTLE``) and as the values that it means (``CONCEPTS``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from enum import StrEnum

from elysia_guard.domain.concept import Concept, Label, LabelRole, Labels, TermMatch, Text
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.question import Lang

NEAR = 0.8

GRID = "https://vocab.vennet.example/grid/"
LAW = "https://vocab.vennet.example/law/"


class ScriptedFailure(StrEnum):
    """How a source fails when it is told to."""

    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"


class FakeTerminology:
    """A terminology source over plain values; implements ``ports.TerminologySource``.

    It matches labels without regard to case and blanks, and knows no plurals. Set ``failure`` and
    every call fails that way; ``asked`` lists the terms that were looked up.
    """

    def __init__(
        self,
        concepts: Iterable[Concept] = (),
        *,
        name: str = "the test vocabulary",
        failure: ScriptedFailure | None = None,
    ) -> None:
        self._name = name
        self._concepts = sorted(concepts, key=lambda concept: (concept.vocabulary, concept.uri))
        every = tuple(label for concept in self._concepts for label in Label.of(concept))
        self._labels = Labels(version=str(hash(every)), all=every)
        self.failure = failure
        self.asked: list[str] = []

    @property
    def name(self) -> str:
        """How the source is called before a reader."""
        return self._name

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        """Return every concept with this label, names before hidden labels, living ones first."""
        self.asked.append(term)
        self._fail_if_told()
        for deprecated in (False, True):
            for roles in ((LabelRole.PREFERRED, LabelRole.ALTERNATIVE), (LabelRole.HIDDEN,)):
                found = [
                    TermMatch(concept=concept, label=text, role=role)
                    for concept in self._concepts
                    for text, role in LabelRole.of(concept)
                    if concept.deprecated is deprecated
                    and role in roles
                    and _key(text.value) == _key(term)
                ]
                if found:
                    return _once_each(found, lang)
        return []

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        """Return the concepts with these URIs, unknown ones left out."""
        self._fail_if_told()
        by_uri = {concept.uri: concept for concept in self._concepts}
        return [by_uri[uri] for uri in uris if uri in by_uri]

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        """Return the living concepts with the most letters in common with the term."""
        self._fail_if_told()
        scored = [
            (-_likeness(concept, term), place)
            for place, concept in enumerate(self._concepts)
            if not concept.deprecated
        ]
        near = [place for score, place in sorted(scored) if -score >= NEAR]
        return [self._concepts[place] for place in near[:limit]]

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        """Return all names of each living concept of which a label occurs in the text."""
        self._fail_if_told()
        padded = f" {_key(text).rstrip('.?!')} "
        return [
            tuple(dict.fromkeys([found.value, *_names(concept)]))
            for concept in self._concepts
            if not concept.deprecated
            for found in [_mentioned(concept, padded)]
            if found
        ]

    async def labels(self) -> Labels:
        """Return every label."""
        self._fail_if_told()
        return self._labels

    def _fail_if_told(self) -> None:
        if self.failure is ScriptedFailure.TIMEOUT:
            raise SourceTimeoutError(f"{self._name} did not answer in time", source=self._name)
        if self.failure is ScriptedFailure.UNAVAILABLE:
            raise SourceUnavailableError(f"{self._name} cannot be reached", source=self._name)


def _names(concept: Concept) -> list[str]:
    return [text.value for text in (*concept.preferred, *concept.alternative)]


def _key(label: str) -> str:
    return " ".join(label.casefold().split())


def _once_each(found: Sequence[TermMatch], lang: Lang) -> list[TermMatch]:
    """One match for each concept; other languages count only where the asked one has none."""
    spoken = [match for match in found if (match.label.lang or lang).partition("-")[0] == lang]
    once: dict[str, TermMatch] = {}
    for match in spoken or found:
        once.setdefault(match.concept.uri, match)
    return list(once.values())


def _likeness(concept: Concept, term: str) -> float:
    return max(
        (SequenceMatcher(None, _key(term), _key(name)).ratio() for name in _names(concept)),
        default=0.0,
    )


def _mentioned(concept: Concept, padded: str) -> Text | None:
    texts = (text for text, _ in LabelRole.of(concept))
    return next((text for text in texts if f" {_key(text.value)} " in padded), None)


TURTLE = f'''
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix grid: <{GRID}> .
@prefix law: <{LAW}> .

grid:scheme a skos:ConceptScheme ; dct:title "Terms of the grid"@en , "Begrippen van het net"@nl .
law:scheme a skos:ConceptScheme ; dct:title "Terms of the law"@en .

grid:asset a skos:Concept ; skos:inScheme grid:scheme ;
    skos:prefLabel "asset"@en , "bedrijfsmiddel"@nl , "Betriebsmittel"@de ;
    skos:definition "Part of the grid that carries, switches or measures energy."@en ;
    skos:narrower grid:transformer .

grid:transformer a skos:Concept ; skos:inScheme grid:scheme ;
    skos:prefLabel "power transformer"@en , "vermogenstransformator"@nl ;
    skos:altLabel "transformer"@en , "trafo"@nl ;
    skos:hiddenLabel "tranformer"@en , "meter"@en ;
    skos:definition """Machine without moving parts, that "transforms" voltages;
its windings share one core."""@en , "Machine die spanningen omzet."@nl ;
    skos:scopeNote "Not for instrument transformers."@en ;
    skos:example "the 150/20 kV transformer of a substation"@en ;
    skos:notation "G-2" ;
    skos:broader grid:asset ;
    skos:related grid:meter .

grid:meter a skos:Concept ; skos:inScheme grid:scheme ;
    skos:prefLabel "meter"@en , "meter"@nl , "Zähler"@de ;
    skos:definition "Device that measures energy."@en , "Toestel dat energie meet."@nl ;
    skos:related grid:transformer .

grid:cim-dump a skos:Concept ; skos:inScheme grid:scheme ;
    skos:prefLabel "CIM dump"@en ;
    skos:definition "Former name of a full export of the model."@en ;
    owl:deprecated true ; dct:isReplacedBy grid:meter .

grid:netvlak a skos:Concept ; skos:inScheme grid:scheme ;
    skos:prefLabel "netvlak"@nl ;
    skos:definition "Deel van het net met één spanning." .

law:asset a skos:Concept ; skos:inScheme law:scheme ;
    skos:prefLabel "regulated asset"@en , "activum"@nl ;
    skos:altLabel "asset"@en ;
    skos:definition "Item on the balance sheet that counts towards the tariff."@en .
'''


def _en(value: str) -> Text:
    return Text(value=value, lang="en")


def _nl(value: str) -> Text:
    return Text(value=value, lang="nl")


def _de(value: str) -> Text:
    return Text(value=value, lang="de")


ASSET = Concept(
    uri=GRID + "asset",
    vocabulary="grid",
    vocabulary_title="Terms of the grid",
    preferred=(_en("asset"), _nl("bedrijfsmiddel"), _de("Betriebsmittel")),
    definitions=(_en("Part of the grid that carries, switches or measures energy."),),
    narrower=(GRID + "transformer",),
)
TRANSFORMER = Concept(
    uri=GRID + "transformer",
    vocabulary="grid",
    vocabulary_title="Terms of the grid",
    preferred=(_en("power transformer"), _nl("vermogenstransformator")),
    alternative=(_en("transformer"), _nl("trafo")),
    hidden=(_en("tranformer"), _en("meter")),
    definitions=(
        _en(
            'Machine without moving parts, that "transforms" voltages;\n'
            "its windings share one core."
        ),
        _nl("Machine die spanningen omzet."),
    ),
    scope_notes=(_en("Not for instrument transformers."),),
    examples=(_en("the 150/20 kV transformer of a substation"),),
    notation="G-2",
    broader=(GRID + "asset",),
    related=(GRID + "meter",),
)
METER = Concept(
    uri=GRID + "meter",
    vocabulary="grid",
    vocabulary_title="Terms of the grid",
    preferred=(_en("meter"), _nl("meter"), _de("Zähler")),
    definitions=(_en("Device that measures energy."), _nl("Toestel dat energie meet.")),
    related=(GRID + "transformer",),
)
CIM_DUMP = Concept(
    uri=GRID + "cim-dump",
    vocabulary="grid",
    vocabulary_title="Terms of the grid",
    preferred=(_en("CIM dump"),),
    definitions=(_en("Former name of a full export of the model."),),
    deprecated=True,
    replaced_by=(GRID + "meter",),
)
NETVLAK = Concept(
    uri=GRID + "netvlak",
    vocabulary="grid",
    vocabulary_title="Terms of the grid",
    preferred=(_nl("netvlak"),),
    definitions=(Text(value="Deel van het net met één spanning."),),
)
REGULATED_ASSET = Concept(
    uri=LAW + "asset",
    vocabulary="law",
    vocabulary_title="Terms of the law",
    preferred=(_en("regulated asset"), _nl("activum")),
    alternative=(_en("asset"),),
    definitions=(_en("Item on the balance sheet that counts towards the tariff."),),
)
CONCEPTS = (ASSET, TRANSFORMER, METER, CIM_DUMP, NETVLAK, REGULATED_ASSET)
