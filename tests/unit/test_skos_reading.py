"""Broken SKOS files: a statement that does not parse costs itself, and is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from elysia_guard.adapters.skos_check import check_files
from elysia_guard.adapters.skos_findings import Finding, Problem
from elysia_guard.adapters.skos_rdf import RESTARTS, read_concepts, sound_quads
from elysia_guard.domain.errors import DocumentError

PREFIXES = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix v: <https://v.example/> .
"""
RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n'
    ' xmlns:skos="http://www.w3.org/2004/02/skos/core#">\n'
)


def concept(name: str, more: str = "") -> str:
    return f'v:{name} a skos:Concept ; skos:prefLabel "{name}"@en{more} .\n'


def read(path: Path, text: str) -> tuple[dict[str, list[str]], list[Finding]]:
    """The labels of the concepts that were read, and what was told."""
    path.write_text(text, encoding="utf-8")
    report = check_files([path])
    labels = {
        item.uri.rpartition("/")[2]: [text.value for text in item.preferred]
        for item in report.concepts
    }
    return labels, [item for item in report.findings if item.problem is Problem.BROKEN]


@pytest.mark.parametrize(
    ("broken", "kept"),
    [
        # An open quotation mark, short and long, takes what follows with it.
        ('v:x a skos:Concept ; skos:prefLabel "x"@en ; skos:altLabel "open', ["x"]),
        ('v:x a skos:Concept ; skos:prefLabel "x"@en ; skos:altLabel """open', ["x"]),
        ('v:x a skos:Concept ; skos:prefLabel "x"@en ; skos:definition "a" "b ; v:p "c" .', ["x"]),
        ('v:x a skos:Concept ; skos:prefLabel "x"@en ; skos:broader no:where .', ["x"]),
        ('v:x a skos:Concept ; skos:prefLabel "x"@en', ["x"]),
        ('v:x a skos:Concept ; skos:prefLabel "x"@en ;; ] .', ["x"]),
        ("this is no turtle .", []),
        ("no:where a skos:Concept .", []),
        ("]]]", []),
    ],
)
def test_a_broken_statement_costs_itself(tmp_path: Path, broken: str, kept: list[str]) -> None:
    """Whatever it is, what stands before and behind it is read."""
    text = PREFIXES + concept("a") + broken + "\n" + concept("b") + concept("c")
    labels, (told, *_) = read(tmp_path / "terms.ttl", text)
    assert {name: [name] for name in ["a", *kept, "b", "c"]} == labels
    assert told.place in {"terms.ttl, line 4", "terms.ttl, line 5"}
    assert told.text


def test_every_broken_statement_is_told(tmp_path: Path) -> None:
    """In one run, each with its line and the concept that was read last."""
    broken = 'v:{0} a skos:Concept ; skos:prefLabel "{0}"@en ; skos:altLabel "open\n'
    parts = [concept("a"), broken.format("b"), concept("c"), broken.format("d"), concept("e")]
    labels, told = read(tmp_path / "terms.ttl", PREFIXES + "".join(parts))
    assert sorted(labels) == ["a", "b", "c", "d", "e"]
    assert [(item.place, item.concepts) for item in told] == [
        ("terms.ttl, line 4", ("https://v.example/b",)),
        ("terms.ttl, line 6", ("https://v.example/d",)),
    ]


def test_prefixes_that_come_late_are_known_behind_an_error(tmp_path: Path) -> None:
    late = "@prefix w: <https://w.example/> .\n"
    text = PREFIXES + late + 'v:x v:p "open\n' + "w:a a skos:Concept ; skos:altLabel 'y' .\n"
    labels, told = read(tmp_path / "terms.ttl", text)
    assert list(labels) == ["a"]
    assert len(told) == 1


def test_sentences_in_long_texts_begin_no_statement(tmp_path: Path) -> None:
    """A text over lines is not taken apart, though a line in it ends in a full stop."""
    text = PREFIXES + concept("a", ' ; skos:definition """One.\nv:b a thing.\nTwo."""@en')
    labels, told = read(tmp_path / "terms.ttl", text)
    assert (list(labels), told) == (["a"], [])


def test_ntriples_lose_a_line(tmp_path: Path) -> None:
    type_ = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    lines = [
        f"<https://v.example/{name}> {type_} <http://www.w3.org/2004/02/skos/core#Concept> ."
        for name in "abc"
    ]
    lines[1] = lines[1].replace("core#", 'co"re ').removesuffix(" .")
    labels, told = read(tmp_path / "terms.nt", "\n".join(lines))
    assert sorted(labels) == ["a", "c"]
    (broken,) = told
    assert broken.place in {"terms.nt, line 2", "terms.nt, line 3"}


def test_rdf_xml_ends_where_it_breaks(tmp_path: Path) -> None:
    """What stands before is kept, and the place is told: nothing behind it can be trusted."""
    text = (
        f'{RDF}<skos:Concept rdf:about="https://v.example/a">'
        "<skos:prefLabel>a</skos:prefLabel></skos:Concept>\n"
        '<skos:Concept rdf:about="https://v.example/b"><skos:prefLabel>b & c</skos:prefLabel>\n'
        "</skos:Concept></rdf:RDF>"
    )
    labels, (told,) = read(tmp_path / "terms.rdf", text)
    assert labels["a"] == ["a"]
    assert told.place == "terms.rdf, line 4"


def test_a_file_of_nothing_but_errors_is_read_to_a_limit() -> None:
    """Each new beginning costs time."""
    text = PREFIXES + 'v:x v:p "open .\n' * (3 * RESTARTS)
    _, broken = sound_quads(Path("terms.ttl"), text.encode())
    assert len(broken) == RESTARTS + 1


def test_an_installation_does_not_start_with_half_a_vocabulary(tmp_path: Path) -> None:
    """What a load tells, a start could not."""
    path = tmp_path / "terms.ttl"
    path.write_text(PREFIXES + concept("a") + 'v:x v:p "open\n' + concept("b"))
    with pytest.raises(DocumentError, match="line 4"):
        read_concepts([path])
