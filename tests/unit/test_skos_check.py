"""What the check finds in a vocabulary: expected values are read off the Turtle by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tables import FOLDER

from elysia_guard.adapters.skos.check import (
    Vocabulary,
    check,
    check_files,
)
from elysia_guard.adapters.skos.rdf import read_concepts
from elysia_guard.adapters.skos.report import (
    RESTARTS,
    Problem,
    Report,
    Severity,
    VocabularyFinding,
    sound_quads,
)
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.errors import DocumentError

ROOT = Path(__file__).parents[2]
MADE = FOLDER / "vocabularies"
VENNET = ROOT / "data" / "vocabulary" / "vennet.ttl"

BASE = "https://v.example/"
PREFIXES = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix v: <https://v.example/> .
"""

Row = tuple[str, str, str]


def report_of(folder: Path, turtle: str) -> Report:
    path = folder / "terms.ttl"
    path.write_text(PREFIXES + turtle, encoding="utf-8")
    return check_files([path])


def short(finding: VocabularyFinding) -> Row:
    uris = " ".join(uri.removeprefix(BASE) for uri in finding.concepts)
    return str(finding.problem), uris, finding.text.replace(BASE, "")


def concept(name: str, lang: str = "en", text: str = "A thing.") -> str:
    return f'v:{name} a skos:Concept ; skos:prefLabel "{name}"@{lang} ; skos:definition "{text}"@en'


@pytest.mark.parametrize("path", sorted(MADE.glob("*.ttl")), ids=lambda path: path.stem)
def test_a_vocabulary_has_the_findings_that_it_names(path: Path) -> None:
    """In its lines that begin with ``#!``: problem, concepts and what is told, in this order.

    Most of them define nothing; that is named where they are about it.
    """
    named = [line for line in path.read_text(encoding="utf-8").splitlines() if line[:2] == "#!"]
    found = [f"#! {' | '.join(short(item))}".rstrip() for item in check_files([path]).findings]
    about = any("no-definition" in line for line in named)
    assert [line for line in found if about or "no-definition" not in line] == named


def test_broken_language_tags(tmp_path: Path) -> None:
    """What is no Turtle is told with its line, what is no language with its concept."""
    report = report_of(
        tmp_path,
        """
        v:a a skos:Concept ; skos:prefLabel "a"@en_GB, "ja"@nl ; skos:altLabel "aa"@ ;
          skos:definition "Says @en_GB."@en- .
        v:b a skos:Concept ; skos:prefLabel "b"@english ; skos:definition "B."@e .
        """,
    )
    found = [item for item in report.findings if item.problem is Problem.BROKEN_TAG]
    assert [(short(item)[1:], item.place) for item in found] == [
        (("", "@en_GB"), "terms.ttl, line 10"),
        (("", "@"), "terms.ttl, line 10"),
        (("", "@en-"), "terms.ttl, line 11"),
        (("b", "'b'@english"), "terms.ttl"),
        (("b", "'B.'@e"), "terms.ttl"),
    ]


@pytest.mark.parametrize(
    ("edges", "cycles"),
    [
        ("a>a", ["a"]),
        ("b>a a>b", ["a b"]),
        # Also written from above, and with a way into the cycle that is no part of it.
        ("x>c c>a a<c a>b b>c", ["a b c"]),
        # Two that share a concept; a diamond, and what is above a cycle, are none.
        ("a>b b>a a>c c>a", ["a b", "a c"]),
        ("a>b a>c b>d c>d", []),
        ("a>b b>a b>c c>d", ["a b"]),
    ],
)
def test_cycles(tmp_path: Path, edges: str, cycles: list[str]) -> None:
    """``a>b``: a has the broader concept b; ``a<b``: a has the narrower concept b."""
    relations = {">": "skos:broader", "<": "skos:narrower"}
    turtle = "".join(
        f"v:{one} a skos:Concept ; {relations[sign]} v:{other} . v:{other} a skos:Concept . "
        for one, sign, other in edges.split()
    )
    found = report_of(tmp_path, turtle).findings
    assert [short(item)[1] for item in found if item.problem is Problem.CYCLE] == cycles


def test_a_long_chain_is_no_recursion() -> None:
    """A hierarchy of 5,000 levels that ends where it began."""
    chain = [
        Concept(uri=f"{n:04}", vocabulary="v", broader=(f"{(n + 1) % 5000:04}",))
        for n in range(5000)
    ]
    found = [f for f in check(Vocabulary(concepts=chain)) if f.problem is Problem.CYCLE]
    assert [len(item.concepts) for item in found] == [5000]


def test_files_are_checked_as_one_and_a_broken_one_costs_only_itself(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(PREFIXES + f"{concept('a')} ; skos:broader v:b .")
    (tmp_path / "b.ttl").write_text(PREFIXES + f"{concept('b')} .")
    (tmp_path / "c.ttl").write_text(PREFIXES + "v:c a skos:Concept ; nowhere:b 1 .")
    (tmp_path / "d.ttl").write_text(PREFIXES + "nowhere:d a skos:Concept .")
    report = check_files([tmp_path])
    found = [item for item in report.findings if item.problem.severity is Severity.ERROR]
    assert [item.problem for item in found] == [
        Problem.UNREADABLE,
        Problem.BROKEN,
        Problem.NO_NAME,
    ]
    assert "d.ttl, line 9" in found[0].place
    assert (found[1].place, found[1].concepts) == ("c.ttl, line 9", (f"{BASE}c",))
    assert [file.name for file in report.files] == ["a.ttl", "b.ttl", "c.ttl"]
    with pytest.raises(DocumentError, match=r"d\.ttl, line 9"):
        check_files([tmp_path / "d.ttl"])


def test_the_pitfalls_of_the_demo_vocabulary() -> None:
    """What its README names, and nothing else (but names shared between schemes)."""
    found = [short(item) for item in check_files([VENNET]).findings]
    place = "https://vocab.vennet.example/"
    rows = [(id_, uris.replace(place, ""), text) for id_, uris, text in found]
    assert [row for row in rows if row[0] != "shared-label"] == [
        ("no-definition", "grid/synthetic-inertia", ""),
        ("no-definition", "it/data-mesh", ""),
        ("untagged-definition", "grid/fault-passage-indicator", ""),
        ("untagged-definition", "it/feature-flag", ""),
        ("untagged-definition", "it/sparql", ""),
        ("homonym", "grid/switch grid/supplier-switch", "'switch' (en)"),
        ("homonym", "grid/load-profile grid/cim-profile", "'profile' (en)"),
        ("homonym", "grid/load-profile grid/cim-profile", "'profiel' (nl)"),
        ("homonym", "grid/state-variables-profile grid/sampled-values", "'SV' (en)"),
        ("no-replacement", "grid/town-gas", ""),
        ("no-replacement", "grid/pcb-transformer", ""),
        ("no-replacement", "grid/ferraris-meter", ""),
        ("no-replacement", "it/enterprise-service-bus", ""),
    ]


SHORT = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix v: <https://v.example/> .
"""
RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n'
    ' xmlns:skos="http://www.w3.org/2004/02/skos/core#">\n'
)


def named(name: str, more: str = "") -> str:
    return f'v:{name} a skos:Concept ; skos:prefLabel "{name}"@en{more} .\n'


def read(path: Path, text: str) -> tuple[dict[str, list[str]], list[VocabularyFinding]]:
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
    text = SHORT + named("a") + broken + "\n" + named("b") + named("c")
    labels, (told, *_) = read(tmp_path / "terms.ttl", text)
    assert {name: [name] for name in ["a", *kept, "b", "c"]} == labels
    assert told.place in {"terms.ttl, line 4", "terms.ttl, line 5"}
    assert told.text


def test_sentences_in_long_texts_begin_no_statement(tmp_path: Path) -> None:
    """A text over lines is not taken apart, though a line in it ends in a full stop."""
    text = SHORT + named("a", ' ; skos:definition """One.\nv:b a thing.\nTwo."""@en')
    labels, told = read(tmp_path / "terms.ttl", text)
    assert (list(labels), told) == (["a"], [])


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
    text = SHORT + 'v:x v:p "open .\n' * (3 * RESTARTS)
    _, broken, _ = sound_quads(Path("terms.ttl"), text.encode())
    assert len(broken) == RESTARTS + 1


def test_an_installation_does_not_start_with_half_a_vocabulary(tmp_path: Path) -> None:
    """What a load tells, a start could not."""
    path = tmp_path / "terms.ttl"
    path.write_text(SHORT + named("a") + 'v:x v:p "open\n' + named("b"))
    with pytest.raises(DocumentError, match="line 4"):
        read_concepts([path])
