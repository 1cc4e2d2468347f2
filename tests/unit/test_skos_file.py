"""What a SKOS file is read as."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyoxigraph
import pytest

from elysia_guard.adapters.skos import SkosFile
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
