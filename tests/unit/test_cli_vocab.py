"""``elysia-guard vocab``, and what a whole vocabulary answers through the guard."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph
import pytest
from click.testing import CliRunner

from elysia_guard import Guard
from elysia_guard.edge.cli.main import cli
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).parents[2]
DUTCH = ROOT.parent / "shared" / "vocabulary" / "netbeheer-nederland-begrippenkader.ttl"

PREFIXES = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix g: <https://v.example/grid/> .
@prefix i: <https://v.example/it/> .
"""
TURTLE = f'''{PREFIXES}
g:scheme a skos:ConceptScheme ; dct:title "Grid terms"@en .
i:scheme a skos:ConceptScheme ; dct:title "IT terms"@en .

g:machine a skos:Concept ; skos:inScheme g:scheme ;
  skos:prefLabel "machine"@en, "apparaat"@nl ; skos:definition "Thing that does work."@en .
g:transformer a skos:Concept ; skos:inScheme g:scheme ;
  skos:prefLabel "power transformer"@en, "vermogenstransformator"@nl ;
  skos:altLabel "CIM-XML"@en ; skos:hiddenLabel "trafoo"@en ;
  skos:definition """First line,
  "second" line."""@en, "Apparaat [bold]dat[/bold] spanning omzet."@nl ;
  skos:scopeNote "Not the class."@en ; skos:notation "G-1" ;
  skos:broader g:machine ; skos:related g:gone .
g:old a skos:Concept ; skos:inScheme g:scheme ; skos:prefLabel "old thing"@en ;
  skos:definition "It was." ; owl:deprecated true ; dct:isReplacedBy g:transformer .
i:machine a skos:Concept ; skos:inScheme i:scheme ; skos:prefLabel "virtual machine"@en ;
  skos:altLabel "machine"@en .
'''
GRID, IT = "https://v.example/grid/", "https://v.example/it/"


@pytest.fixture(scope="module")
def terms(tmp_path_factory):
    path = tmp_path_factory.mktemp("vocab") / "terms.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return str(path)


def run(*args: str):
    return CliRunner().invoke(cli, ["vocab", *args], prog_name="elysia-guard")


def read(*args: str):
    result = run(*args, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


class TestList:
    def test_schemes_are_counted_per_language(self, terms):
        grid, it = read("list", "--vocabulary", terms)["schemes"]
        assert grid == {
            "id": "grid",
            "title": "Grid terms",
            "concepts": 3,
            "deprecated": 1,
            "labels": {"en": 3, "nl": 2},
            "definitions": {"en": 2, "nl": 1, "–": 1},
        }
        assert (it["id"], it["labels"], it["definitions"]) == ("it", {"en": 1}, {})

    def test_concepts_stand_by_scheme_and_label(self, terms):
        listed = read("list", "--vocabulary", terms, "--lang", "nl")
        assert [(c["label"], c["scheme"], c["deprecated"]) for c in listed["concepts"]] == [
            ("apparaat", "grid", False),
            ("old thing", "grid", True),
            ("vermogenstransformator", "grid", False),
            ("virtual machine", "it", False),
        ]
        first = run("list", "--vocabulary", terms, "--limit", "2")
        assert first.stderr == "2 of 4 concepts; --limit shows more\n"
        assert "old thing  grid  deprecated" in first.stdout
        assert "power transformer" not in first.stdout


class TestSearch:
    @pytest.mark.parametrize(
        ("term", "lang", "uri", "role", "way"),
        [
            ("Power Transformer", "en", f"{GRID}transformer", "prefLabel", "as written"),
            ("power-transformer", "en", f"{GRID}transformer", "prefLabel", "other spelling"),
            ("power transformers", "en", f"{GRID}transformer", "prefLabel", "other form"),
            ("vermogenstransformatoren", "nl", f"{GRID}transformer", "prefLabel", "other form"),
            ("CIM/XML", "en", f"{GRID}transformer", "altLabel", "other spelling"),
            ("trafoo", "en", f"{GRID}transformer", "hiddenLabel", "as written"),
            ("old thing", "en", f"{GRID}old", "prefLabel", "as written"),
        ],
    )
    def test_the_label_that_a_term_found(self, terms, term, lang, uri, role, way):
        found = read("search", term, "--lang", lang, "--vocabulary", terms)
        (match,) = found["found"]
        assert (match["uri"], match["role"], match["as"]) == (uri, role, way)
        assert found["nearest"] == []

    def test_a_miss_names_the_nearest(self, terms):
        result = run("search", "power", "tranformer", "--vocabulary", terms)
        assert result.exit_code == 0
        assert "'power tranformer' is not in the vocabulary; nearest are:" in result.stdout
        assert f"{GRID}transformer" in result.stdout
        nothing = read("search", "zzzz", "--vocabulary", terms)
        assert (nothing["found"], nothing["nearest"]) == ([], [])
        assert "nothing is near it" in run("search", "zzzz", "--vocabulary", terms).stdout


class TestShow:
    def test_a_tree(self, terms):
        """Definitions word for word, line by line; a relation that leads nowhere is told."""
        result = run("show", "power", "transformer", "--vocabulary", terms)
        assert (
            result.stdout
            == f"""\
power transformer · grid (Grid terms)
{GRID}transformer
├─ prefLabel
│  ├─ en  power transformer
│  └─ nl  vermogenstransformator
├─ altLabel
│  └─ en  CIM-XML
├─ hiddenLabel
│  └─ en  trafoo
├─ definition
│  ├─ en  First line,
│  │        "second" line.
│  └─ nl  Apparaat [bold]dat[/bold] spanning omzet.
├─ scopeNote
│  └─ en  Not the class.
├─ notation: G-1
├─ broader
│  └─ machine  {GRID}machine
└─ related
   └─ {GRID}gone  (no concept here)
"""
        )

    @pytest.mark.parametrize(
        ("term", "said"),
        [
            ("old thing", "old thing · grid (Grid terms) · deprecated"),
            ("old thing", f"└─ isReplacedBy\n   └─ power transformer  {GRID}transformer"),
            ("old thing", "└─ –   It was."),
            ("machine", f"\n\nvirtual machine · it (IT terms)\n{IT}machine"),
            ("machine", "definition: none"),
        ],
    )
    def test_each_meaning_is_shown_with_what_replaces_it(self, terms, term, said):
        assert said in run("show", term, "--vocabulary", terms).stdout

    def test_what_is_not_there(self, terms):
        near = run("show", "power tranformer", "--vocabulary", terms)
        assert near.exit_code == 2
        assert "is not in the vocabulary; nearest are: power transformer" in near.stderr
        assert not near.stdout
        assert "see: elysia-guard vocab list" in run("show", "zzzz", "--vocabulary", terms).stderr


class TestCheck:
    def test_a_report(self, terms):
        result = run("check", terms)
        assert result.exit_code == 0
        head, *rest = result.stdout.splitlines()
        assert head == ("terms.ttl: 4 concepts in 2 schemes · 0 errors · 4 warnings · 1 note")
        found = [line.split()[2:4] for line in rest if line[:1] in "✗!·" and line]
        assert found == [
            ["1", "no-definition:"],
            ["1", "untagged-definition:"],
            ["1", "missing-language:"],
            ["1", "dangling-relation:"],
            ["1", "shared-label:"],
        ]
        assert f"related {GRID}gone: power transformer  {GRID}transformer" in result.stdout
        assert "'machine' (en): machine | virtual machine" in result.stdout

    def test_strict_fails_on_errors_only(self, terms, tmp_path):
        assert run("check", terms, "--strict").exit_code == 0
        bad = tmp_path / "bad.ttl"
        bad.write_text(TURTLE + 'g:x a skos:Concept ; skos:altLabel "a"@en_GB , "b"@en .')
        assert run("check", str(bad)).exit_code == 0
        strict = run("check", str(bad), "--strict")
        assert strict.exit_code == 1
        assert strict.stderr.endswith("elysia-guard: the vocabulary has 2 error(s)\n")
        assert "broken-language-tag" in strict.stdout
        assert "@en_GB" in strict.stdout
        line = TURTLE.count("\n") + 1
        assert f"bad.ttl, line {line}" in strict.stdout

    def test_texts_cannot_act_on_the_terminal(self, tmp_path):
        evil = tmp_path / "evil.ttl"
        evil.write_text(PREFIXES + 'g:a a skos:Concept ; skos:prefLabel "\\u001b[31m\\nx"@en .')
        for args in (["check", str(evil)], ["list", "--vocabulary", str(evil)]):
            shown = run(*args).stdout
            assert "\x1b" not in shown
            assert "[31m x" in shown


class TestOptions:
    @pytest.mark.parametrize(
        "args", [["lst"], ["search"], ["show"], ["list", "--limit", "0"], ["check", "/nowhere"]]
    )
    def test_wrong_use_is_one_line(self, args):
        result = run(*args)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.count("\n") == 1


def defined(path: Path) -> list[tuple[str, str, str]]:
    """URI, prefLabel and definition of every concept, from plain SPARQL."""
    store = pyoxigraph.Store()
    store.load(path=path, base_iri="file:///vocabulary")
    rows = store.query(
        "PREFIX skos: <http://www.w3.org/2004/02/skos/core#> "
        "SELECT ?c ?l ?d { ?c a skos:Concept ; skos:prefLabel ?l ; skos:definition ?d }"
    )
    assert isinstance(rows, pyoxigraph.QuerySolutions)
    return [(row["c"].value, row["l"].value, row["d"].value) for row in rows]


@pytest.mark.skipif(not DUTCH.exists(), reason="the Dutch vocabulary is not on this machine")
async def test_every_dutch_concept_answers_with_its_own_definition(tmp_path):
    """'Wat is een aansluiting?' and its 235 others: in Dutch, word for word, one source."""
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "nothing.md").write_text("# Nothing\n\nA document about nothing.\n")
    wiring = Wiring.load(index=tmp_path / "index.sqlite", vocabulary=DUTCH)
    wiring.embedder = HashEmbedder()
    await wiring.fill_index([documents])
    guard = Guard(wiring=wiring)
    rows = defined(DUTCH)
    assert len({uri for uri, _, _ in rows}) == len(rows) == 236
    assert "aansluiting" in {label for _, label, _ in rows}
    for uri, label, definition in rows:
        response = await guard.aask(f"Wat is een {label}?")
        assert (response.route, response.lang, response.refused) == ("direct", "nl", False)
        assert [source.location for source in response.sources] == [uri], label
        assert f"> {definition} [source:1]" in response.answer, label
