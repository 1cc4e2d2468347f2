"""What a term finds by its labels, what is near it, and what a text mentions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from rapidfuzz import fuzz

from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.skos.labels import ALIKE, SHORTLIST, AlikeLabels
from elysia_guard.domain.question import Lang

PREFIXES = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix v: <https://v.example/grid/> .
"""

Read = Callable[[str], SkosFile]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_turtle(turtle: str) -> SkosFile:
        path = tmp_path / "terms.ttl"
        path.write_text(PREFIXES + turtle, encoding="utf-8")
        return SkosFile.load([path])

    return read_turtle


async def found(source: SkosFile, term: str, lang: Lang = "en") -> list[str]:
    """The last segments of the URIs that a term finds."""
    matches = await source.lookup(term, lang=lang)
    return [match.concept.uri.rpartition("/")[2] for match in matches]


@pytest.mark.parametrize(
    ("term", "lang"),
    [
        ("trailing blank", "en"),
        ("transformers", "en"),
        ("batteries", "en"),
        ("aansluitingen", "nl"),
        ("netten", "nl"),
        ("transformatoren", "nl"),
        ("velden", "nl"),
        ("kantoren", "nl"),
        ("processen", "nl"),
        ("industrieën", "nl"),
        ("gegeven", "nl"),
        ("meters", "nl"),
        ("Umspannwerke", "de"),
        ("Häuser", "de"),
        ("Umspannwerke", "en"),
        ("cooperatie", "nl"),
        ("coöperatie", "nl"),
        ("coo\u0308peratie", "nl"),
        ("HV MV substation", "en"),
        ("hv-mv-substations", "en"),
        ("R&D departments", "en"),
        ("in\u00advisible", "en"),
    ],
)
async def test_a_term_is_found_as_people_write_it(read: Read, term: str, lang: Lang) -> None:
    """Plurals, hyphens, slashes, blanks and diacritics do not hide a concept."""
    source = read("""v:a a skos:Concept ;
        skos:prefLabel "trailing blank "@en , "transformer"@en , "aansluiting"@nl , "net"@nl ,
            "Umspannwerk"@de , "Haus"@de , "coöperatie"@nl , "HV/MV substation"@en , "invisible" ,
            "meter" , "battery"@en-GB , "R&D department"@en , "transformator"@nl ,
            "veld"@nl , "kantoor"@nl , "proces"@nl , "industrie"@nl , "gegevens"@nl .""")
    assert await found(source, term, lang) == ["a"]


@pytest.mark.parametrize("term", ["system operation", "metering", "C", "operator", "", "-", "?"])
async def test_another_word_of_the_same_stem_is_not_the_term(read: Read, term: str) -> None:
    """The definition of a near word would be a wrong answer."""
    source = read("""v:a a skos:Concept ;
        skos:prefLabel "system operator"@en , "meter"@en , "C++"@en .""")
    assert await found(source, term) == []


async def test_one_word_and_two_words_are_told_apart(read: Read) -> None:
    """'PowerTransformer' is a class, 'power transformer' a machine, hyphen or not."""
    source = read("""v:class a skos:Concept ; skos:prefLabel "PowerTransformer" .
        v:machine a skos:Concept ; skos:prefLabel "power transformer"@en .""")
    assert await found(source, "powertransformer") == ["class"]
    assert await found(source, "power-transformers") == ["machine"]
    assert await found(source, "power-transformer") == ["machine"]


HOMONYMS = """
    v:a a skos:Concept ; skos:prefLabel "bay"@en ; skos:altLabel "bus"@en .
    v:b a skos:Concept ; skos:prefLabel "Bus"@en ; skos:altLabel "bay"@nl ;
        skos:hiddenLabel "bay"@en .
    v:c a skos:Concept ; skos:prefLabel "bus-es"@en ; skos:hiddenLabel "bus"@en , "buss"@en .
    v:old a skos:Concept ; skos:prefLabel "bay"@en , "former bays"@en ;
        owl:deprecated true ; dct:isReplacedBy v:a .
"""


@pytest.mark.parametrize(
    ("term", "lang", "expected"),
    [
        ("bus", "en", ["a", "b"]),
        ("bay", "en", ["a"]),
        ("bay", "nl", ["b"]),
        ("bay", "de", ["a", "b"]),
        ("buss", "en", ["c"]),
        ("former bay", "en", ["old"]),
    ],
)
async def test_the_best_way_of_matching_decides(
    read: Read, term: str, lang: Lang, expected: list[str]
) -> None:
    """Names before hidden labels, the asked language before others, living before deprecated."""
    assert await found(read(HOMONYMS), term, lang) == expected


async def test_suggestions_are_near_living_and_in_order(read: Read) -> None:
    """The asked language first, each concept once, none where nothing is near."""
    source = read("""
        v:a a skos:Concept ; skos:prefLabel "congestion"@en , "congestie"@nl .
        v:b a skos:Concept ; skos:prefLabel "congestion management"@en ;
            skos:altLabel "congestions" .
        v:c a skos:Concept ; skos:prefLabel "kongestion"@de .
        v:d a skos:Concept ; skos:prefLabel "congestioned"@en ; owl:deprecated true .
    """)

    async def near(term: str, limit: int = 3) -> list[str]:
        return [c.uri[-1] for c in await source.suggest(term, lang="en", limit=limit)]

    assert await near("congesttion") == ["a", "b", "c"]
    assert await near("congesttion", limit=1) == ["a"]
    assert await near("managing of congestion", limit=2) == ["a", "b"]
    assert await near("FooBarBaz") == await near("") == []


def test_the_filter_before_the_comparison_loses_nothing() -> None:
    """Letters are compared in bulk first; what is left out is not alike."""
    random = Random(7)
    labels = {"".join(random.choices("abcdeé1", k=random.randint(1, 12))) for _ in range(1_500)}
    alike = AlikeLabels(labels)
    for term in sorted(labels)[:50]:
        scores = {label: fuzz.ratio(term, label) for label in alike.like(term)}
        best = sorted((fuzz.ratio(term, label) for label in labels), reverse=True)
        assert sorted(scores.values(), reverse=True) == [b for b in best if b >= ALIKE][:SHORTLIST]
    assert list(AlikeLabels([]).like("term")) == list(alike.like("")) == []


SYNONYMS = """
    v:a a skos:Concept ; skos:prefLabel "transformer"@en , "transformator"@nl ;
        skos:altLabel "trafo"@nl .
    v:b a skos:Concept ; skos:prefLabel "power transformer"@en ; skos:hiddenLabel "big trafo"@en .
    v:c a skos:Concept ; skos:prefLabel "IT"@en , "A"@en , "information technology"@en .
    v:d a skos:Concept ; skos:prefLabel "Zähler"@de , "compteur"@fr ; skos:hiddenLabel "trafo"@nl .
"""


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("Why do transformers hum?", "en", [("transformer", "transformator", "trafo")]),
        ("Power-transformers and IT: is it a cost?", "en", [("power transformer",)]),
        ("a big trafo", "en", [("big trafo", "power transformer")]),
        ("trafo, trafo", "nl", [("trafo", "transformer", "transformator")]),
        ("Wie viele Zählern?", "de", [("Zähler", "compteur")]),
        ("les compteurs", "en", [("compteur", "Zähler")]),
        ("", "en", []),
    ],
)
async def test_synonyms_of_what_a_text_mentions(
    read: Read, text: str, lang: Lang, expected: list[tuple[str, ...]]
) -> None:
    """The longest label wins; stop words and single letters are nobody's synonym."""
    assert await read(SYNONYMS).synonyms(text, lang=lang) == expected


async def test_a_latin_plural_is_a_plural(read: Read) -> None:
    """'supernova' finds 'Supernovae', and 'plan' is no form of 'plane'."""
    source = read('v:1 a skos:Concept ; skos:prefLabel "Supernovae"@en .\n'
                  'v:2 a skos:Concept ; skos:prefLabel "plane"@en .')  # fmt: skip
    assert [match.concept.uri for match in await source.lookup("supernova", lang="en")]
    assert not await source.lookup("plan", lang="en")
