"""What a SKOS file is read as, and what a term, a slip and a text find in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pyoxigraph
import pytest
from rapidfuzz import fuzz
from tests.tables import cases

from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.skos.labels import ALIKE, SHORTLIST, AlikeLabels
from elysia_guard.adapters.skos.rdf import read_concepts
from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.errors import DocumentError
from elysia_guard.domain.question import Lang
from elysia_guard.testing.terminology import CONCEPTS, TURTLE

PREFIXES = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
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


async def only(source: SkosFile, uri: str) -> Concept:
    (concept,) = await source.concepts([uri])
    return concept


@pytest.mark.parametrize(
    ("suffix", "media_type"),
    [
        (".ttl", pyoxigraph.RdfFormat.TURTLE),
        (".rdf", pyoxigraph.RdfFormat.RDF_XML),
        (".jsonld", pyoxigraph.RdfFormat.JSON_LD),
        (".nt", pyoxigraph.RdfFormat.N_TRIPLES),
    ],
)
async def test_four_formats_say_the_same(
    tmp_path: Path, suffix: str, media_type: pyoxigraph.RdfFormat
) -> None:
    """Turtle, RDF/XML, JSON-LD and N-Triples are read alike."""
    quads = pyoxigraph.parse(TURTLE.encode(), pyoxigraph.RdfFormat.TURTLE)
    path = tmp_path / f"terms{suffix}"
    pyoxigraph.serialize((quad.triple for quad in quads), path, media_type)
    source = SkosFile.load([path])
    concepts = await source.concepts([concept.uri for concept in CONCEPTS])
    assert [sorted(map(str, c.definitions)) for c in concepts] == [
        sorted(map(str, c.definitions)) for c in CONCEPTS
    ]
    assert [c.vocabulary_title for c in concepts] == [c.vocabulary_title for c in CONCEPTS]


async def test_a_folder_is_read_as_one_vocabulary(tmp_path: Path) -> None:
    """Relations across files are known at both ends; other files are left alone."""
    (tmp_path / "a.ttl").write_text(PREFIXES + 'v:a a skos:Concept ; skos:prefLabel "a1" .')
    (tmp_path / "b.ttl").write_text(PREFIXES + "v:b a skos:Concept ; skos:broader v:a .")
    (tmp_path / "README.md").write_text("not RDF")
    source = SkosFile.load([tmp_path])
    assert (await only(source, "https://v.example/grid/a")).narrower == (
        "https://v.example/grid/b",
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("broken.ttl", 'v:a a skos:Concept ;\n skos:prefLabel "a', r"broken\.ttl, line \d+: .+"),
        ("broken.ttl", "v:a a nowhere:b .", r"broken\.ttl, line 8: .*prefix nowhere"),
        ("broken.rdf", "<rdf:RDF>\n<a>\n</rdf:RDF>", r"broken\.rdf, line \d+: .+"),
        ("broken.jsonld", '{"@id":\n', r"broken\.jsonld, line 2: .+"),
        ("table.csv", "a,b", r"table\.csv: not a SKOS file by its name; use \.ttl"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    """The message names the file, the line where there is one, and what is wrong."""
    path = tmp_path / name
    path.write_text((PREFIXES if name.endswith(".ttl") else "") + text)
    with pytest.raises(DocumentError, match=message):
        SkosFile.load([path])


@pytest.mark.parametrize("text", ["v:a a skos:Collection .", ""])
def test_a_file_without_a_concept_is_told_of(tmp_path: Path, text: str) -> None:
    """It defines nothing, and keeps no other file from being read."""
    path = tmp_path / "none.ttl"
    path.write_text(PREFIXES + text)
    (told,) = SkosFile.load([path]).empty
    assert "none.ttl: no skos:Concept" in told
    with pytest.raises(DocumentError, match=r"none\.ttl: no skos:Concept"):
        read_concepts([path])


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    """A missing file, an empty folder and no file at all never become an empty vocabulary."""
    with pytest.raises(DocumentError, match=r"gone\.ttl: cannot be read: No such file"):
        SkosFile.load([tmp_path / "gone.ttl"])
    with pytest.raises(DocumentError, match="no SKOS file in this folder"):
        SkosFile.load([tmp_path])
    with pytest.raises(DocumentError, match="no vocabulary file is named"):
        SkosFile.load([])


@pytest.mark.parametrize(
    ("written", "lang"),
    [
        ("@en_GB", "en-gb"),
        ("@en-", "en"),
        ("@", None),
        ("@e1", None),
        ("@toolonglang", "toolonglang"),
    ],
)
async def test_a_damaged_language_tag_loses_nothing(
    read: Read, written: str, lang: str | None
) -> None:
    """A tag that breaks the grammar is repaired, or left out where it says nothing."""
    source = read(
        f'v:a a skos:Concept ; skos:prefLabel "one"{written} ; skos:definition "It is @en_GB."@en .'
    )
    concept = await only(source, "https://v.example/grid/a")
    assert concept.preferred == (Text(value="one", lang=lang),)
    assert concept.definitions == (Text(value="It is @en_GB.", lang="en"),)


async def test_odd_data_does_not_lose_the_rest(read: Read) -> None:
    """Bad URIs, blank nodes as concepts, missing and blank labels, a byte order mark."""
    source = read("""
        v:a a skos:Concept ; skos:related <http://not a uri> ; skos:prefLabel "one"@en .
        v:b a skos:Concept ; skos:prefLabel "   " ; skos:definition "Of nothing." .
        v:c a skos:Concept ; rdfs:label "three" .
        [] a skos:Concept ; skos:prefLabel "four" .
    """)
    assert await found(source, "one") == ["a"]
    assert (await only(source, "https://v.example/grid/b")).preferred == ()
    assert await found(source, "three") == ["c"]
    assert await found(source, "four") == ["_:terms-1"]


async def test_definitions_are_word_for_word(read: Read) -> None:
    """Lines, quotes and blanks stay; a definition that is a node is read through rdf:value."""
    source = read('''
        v:a a skos:Concept ; skos:definition """First line,
  "second" line; """@en .
        v:b a skos:Concept ; skos:definition [ rdf:value "In a node."@en ; dct:source "x" ] .
    ''')
    lines = (await only(source, "https://v.example/grid/a")).definitions
    assert lines == (Text(value='First line,\n  "second" line; ', lang="en"),)
    assert (await only(source, "https://v.example/grid/b")).definitions == (
        Text(value="In a node.", lang="en"),
    )


@pytest.mark.parametrize(
    ("scheme", "vocabulary"),
    [
        ("https://vocab.vennet.example/grid/scheme", "grid"),
        ("https://v.example/thesaurus#ConceptScheme", "thesaurus"),
        ("https://v.example/id/law/", "law"),
        ("https://begrippen.example/", "begrippen.example"),
        ("http://localhost:8080/scheme", "localhost:8080"),
        ("urn:example:terms", "terms"),
        ("http://[odd", "[odd"),
    ],
)
async def test_a_vocabulary_is_named_by_its_scheme(
    read: Read, scheme: str, vocabulary: str
) -> None:
    """The last segment that says something, else the host; its title comes along."""
    source = read(
        f'<{scheme}> dct:title "Titel"@nl, "Title"@en . '
        f"v:a a skos:Concept ; skos:inScheme <{scheme}> ."
    )
    concept = await only(source, "https://v.example/grid/a")
    assert (concept.vocabulary, concept.vocabulary_title) == (vocabulary, "Title")


async def test_a_concept_without_scheme_belongs_to_its_file(read: Read) -> None:
    """To the only scheme of the file, or else to the file itself."""
    source = read("<https://v.example/law> a skos:ConceptScheme . v:a a skos:Concept .")
    assert (await only(source, "https://v.example/grid/a")).vocabulary == "law"
    assert (await only(read("v:a a skos:Concept ."), "https://v.example/grid/a")).vocabulary == (
        "terms"
    )


@pytest.mark.parametrize("row", cases("read_as", "term"))
async def test_a_term_is_found_as_people_write_it(read: Read, row: dict[str, str]) -> None:
    """Plurals, hyphens, slashes, blanks and diacritics do not hide a concept."""
    source = read("""v:a a skos:Concept ;
        skos:prefLabel "trailing blank "@en , "transformer"@en , "aansluiting"@nl , "net"@nl ,
            "Umspannwerk"@de , "Haus"@de , "coöperatie"@nl , "HV/MV substation"@en , "invisible" ,
            "meter" , "battery"@en-GB , "R&D department"@en , "transformator"@nl ,
            "veld"@nl , "kantoor"@nl , "proces"@nl , "industrie"@nl , "gegevens"@nl .""")
    assert await found(source, row["asked"], row["lang"]) == ["a"]


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
