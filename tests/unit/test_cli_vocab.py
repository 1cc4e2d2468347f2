"""``elysia-guard vocab``, and what a whole vocabulary answers through the guard."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph
import pytest
import yaml
from click.testing import CliRunner, Result
from tests.unit.test_config import LIMITS

from elysia_guard import Guard
from elysia_guard.adapters.skos.rdf import read_concepts
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

    def test_a_term_with_two_meanings(self, terms):
        result = run("search", "machine", "--vocabulary", terms)
        assert "2 concepts: a question is asked back" in result.stdout
        assert f"prefLabel 'machine' (en), as written    {GRID}machine" in result.stdout
        assert "altLabel 'machine' (en), as written" in result.stdout


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

    def test_json_is_word_for_word(self, terms):
        (concept,) = read("show", f"{GRID}transformer", "--vocabulary", terms)["concepts"]
        assert concept["definitions"][0] == {
            "value": 'First line,\n  "second" line.',
            "lang": "en",
        }
        assert concept["broader"] == [{"uri": f"{GRID}machine", "label": "machine"}]
        assert concept["related"] == [{"uri": f"{GRID}gone", "label": None}]

    def test_lines_are_broken_on_a_terminal_only(self, terms, monkeypatch):
        monkeypatch.setattr("elysia_guard.edge.cli.screen.is_terminal", lambda stream: True)
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("COLUMNS", "40")
        text = run("show", "power transformer", "--vocabulary", terms).stdout
        assert "│  └─ nl  Apparaat [bold]dat[/bold]" in text
        assert "\n│         spanning omzet." in text


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


TWO_PREFIXES = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix g: <https://v.example/grid/> .
"""
SOUND = f"""{TWO_PREFIXES}
g:scheme a skos:ConceptScheme ; skos:prefLabel "Grid terms"@en .
g:flux a skos:Concept ; skos:inScheme g:scheme ; skos:prefLabel "flux gate"@en ;
  skos:definition "A gate that measures a field."@en .
"""
BROKEN = """
g:coil a skos:Concept ; skos:inScheme g:scheme ; skos:prefLabel "coil"@en_GB ;
  skos:definition "A wire that is wound."@en ; skos:altLabel "open .
g:core a skos:Concept ; skos:inScheme g:scheme ; skos:prefLabel "core"@en .
g:nameless a skos:Concept ; skos:inScheme g:scheme .
"""

GUARD = """\
# Our own settings.
terminology:
  kind: skos_file                   # or skosmos
  name: Ours
  files: [data/terms.ttl]           # the vocabulary
index:
  path: build/index.sqlite
  sources: [data]
thresholds: config/thresholds.yaml
collections: {decision: A, principle: B, policy: C, document: D}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("config", "data"):
        (tmp_path / folder).mkdir()
    (tmp_path / "config/thresholds.yaml").write_text(LIMITS, encoding="utf-8")
    (tmp_path / "config/guard.yaml").write_text(GUARD, encoding="utf-8")
    (tmp_path / "data/terms.ttl").write_text(
        f'{TWO_PREFIXES}g:old a skos:Concept ; skos:prefLabel "x" .'
    )
    (tmp_path / "data/0001-a.md").write_text("# A decision\n\nWe use copper.\n", encoding="utf-8")
    (tmp_path / "new.ttl").write_text(SOUND, encoding="utf-8")
    return tmp_path


def load(root: Path, *args: str) -> Result:
    given = ["vocab", "load", *args, "--config", str(root / "config/guard.yaml")]
    return CliRunner().invoke(cli, given, prog_name="elysia-guard")


def test_a_question_is_answered_from_what_was_loaded(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the setting that is shown stands in guard.yaml."""
    result = load(root, str(root / "new.ttl"))
    assert result.exit_code == 0, result.stderr
    config = root / "config/guard.yaml"
    settings = yaml.safe_load(config.read_text(encoding="utf-8"))
    settings["terminology"]["files"] = ["build/vocabulary.ttl"]
    config.write_text(yaml.safe_dump(settings), encoding="utf-8")
    monkeypatch.setattr("elysia_guard.wiring.models.BundledEmbedder", HashEmbedder)
    response = Guard(config=config).ask("What is a flux gate?")
    assert "A gate that measures a field." in response.answer
    assert not response.refused


def test_the_configuration_is_left_alone(root: Path) -> None:
    """What to write into it is said."""
    result = load(root, str(root / "new.ttl"))
    path = root / "build/vocabulary.ttl"
    assert result.stdout.endswith(
        f"{path} holds 1 concept\n"
        "To answer from it, in guard.yaml:\n"
        "  terminology:\n"
        "    files: [build/vocabulary.ttl]\n"
        f'Or: elysia-guard ask "What is ...?" --vocabulary {path}\n'
    )
    assert (root / "config/guard.yaml").read_text(encoding="utf-8") == GUARD


def test_what_is_broken_costs_itself(root: Path) -> None:
    """It is told with its line; the broken tag is mended, a concept without label left out."""
    (root / "new.ttl").write_text(SOUND + BROKEN, encoding="utf-8")
    (root / "worse.rdf").write_text("<rdf:RDF")
    result = load(root, str(root / "new.ttl"), str(root / "worse.rdf"))
    assert result.exit_code == 0
    assert "broken-statement: does not parse" in result.stdout
    assert "new.ttl, line 9" in result.stdout
    assert "worse.rdf" in result.stdout
    assert "holds 3 concepts\n1 without any label are left out\n" in result.stdout
    concepts = {item.label("en"): item for item in read_concepts([root / "build/vocabulary.ttl"])}
    assert list(concepts) == ["flux gate", "coil", "core"]
    assert concepts["coil"].definitions[0].value == "A wire that is wound."
    assert concepts["coil"].preferred[0].lang == "en-gb"
    told = json.loads(load(root, str(root / "new.ttl"), "--json").stdout)
    assert (told["written"], told["loaded"], told["left_out"]) == (True, 3, 1)
    assert told["output"] == str(root / "build/vocabulary.ttl")
    assert "broken-statement" in {problem["id"] for problem in told["problems"]}


def test_strict_loads_nothing_that_has_errors(root: Path) -> None:
    """It leaves with 1, as the check does; what is sound is loaded."""
    assert load(root, str(root / "new.ttl"), "--strict").exit_code == 0
    before = (root / "build/vocabulary.ttl").read_bytes()
    (root / "new.ttl").write_text(SOUND + BROKEN, encoding="utf-8")
    result = load(root, str(root / "new.ttl"), "--strict")
    assert result.exit_code == 1
    assert result.stderr.endswith("error(s); nothing was loaded\n")
    assert "would hold 3 concepts" in result.stdout
    assert (root / "build/vocabulary.ttl").read_bytes() == before
    assert (root / "config/guard.yaml").read_text(encoding="utf-8") == GUARD


def test_a_dry_run_writes_nothing(root: Path) -> None:
    result = load(root, str(root / "new.ttl"), "--dry-run")
    assert result.exit_code == 0
    assert "vocabulary.ttl would hold 1 concept" in result.stdout
    assert not (root / "build").exists()
    assert (root / "config/guard.yaml").read_text(encoding="utf-8") == GUARD


def test_the_same_files_give_the_same_bytes(root: Path) -> None:
    """And the copy of last time, in a folder with its sources, is none of them."""
    copy = root / "new" / "copy.ttl"
    copy.parent.mkdir()
    (copy.parent / "a.ttl").write_text(SOUND)
    args = (str(copy.parent), "--output", str(copy))
    assert load(root, *args).exit_code == 0
    first = copy.read_bytes()
    assert load(root, *args).exit_code == 0
    assert copy.read_bytes() == first
    assert b"# from: a.ttl\n" in first
    (copy.parent / "a.ttl").unlink()
    gone = load(root, *args)
    assert gone.exit_code == 3
    assert "no vocabulary file is named" in gone.stderr
    assert copy.read_bytes() == first


def test_a_file_of_somebody_else_is_not_written_over(root: Path) -> None:
    mine = root / "data/terms.ttl"
    args = (str(root / "new.ttl"), "--output", str(mine))
    result = load(root, *args)
    assert result.exit_code == 2
    assert "did not write it; name another --output, or write over it with --force" in result.stderr
    assert "old" in mine.read_text()
    assert load(root, *args, "--force").exit_code == 0
    assert "flux gate" in mine.read_text()


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["{root}/nowhere.ttl"], 2, "does not exist"),
        (["{root}/config"], 3, "no SKOS file in this folder"),
        (["{root}/config/guard.yaml"], 3, "not a SKOS file by its name"),
        (["{root}/empty.ttl"], 3, "no skos:Concept in this file"),
        (["{root}/nameless.ttl"], 3, "nameless.ttl: no concept has a label"),
        (["{root}/new.ttl", "--output", "x.rdf"], 2, "name a file that ends in .ttl"),
        (["{root}/new.ttl", "--output", "{root}/new.ttl/x.ttl"], 3, "cannot be written"),
    ],
)
def test_errors_are_one_line_with_a_way_out(
    root: Path, args: list[str], code: int, message: str
) -> None:
    (root / "empty.ttl").write_text("")
    (root / "nameless.ttl").write_text(f"{TWO_PREFIXES}g:a a skos:Concept .")
    result = load(root, *(arg.format(root=root) for arg in args))
    assert result.exit_code == code
    line = result.stderr.removeprefix("Checking the vocabulary ...\n")
    assert message in line
    assert line.count("\n") == 1
