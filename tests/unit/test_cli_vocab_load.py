"""``elysia-guard vocab load``: files become the vocabulary that questions are answered from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from tests.unit.test_config import LIMITS

from elysia_guard.adapters.skos.rdf import read_concepts
from elysia_guard.direct import Guard
from elysia_guard.edge.cli.main import cli
from elysia_guard.testing.fake_index import HashEmbedder

PREFIXES = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix g: <https://v.example/grid/> .
"""
SOUND = f"""{PREFIXES}
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
        f'{PREFIXES}g:old a skos:Concept ; skos:prefLabel "x" .'
    )
    (tmp_path / "data/0001-a.md").write_text("# A decision\n\nWe use copper.\n", encoding="utf-8")
    (tmp_path / "new.ttl").write_text(SOUND, encoding="utf-8")
    return tmp_path


def run(root: Path, *args: str) -> Result:
    given = ["vocab", "load", *args, "--config", str(root / "config/guard.yaml")]
    return CliRunner().invoke(cli, given, prog_name="elysia-guard")


def test_a_question_is_answered_from_what_was_loaded(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the setting that is shown stands in guard.yaml."""
    result = run(root, str(root / "new.ttl"))
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
    result = run(root, str(root / "new.ttl"))
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
    result = run(root, str(root / "new.ttl"), str(root / "worse.rdf"))
    assert result.exit_code == 0
    assert "broken-statement: does not parse" in result.stdout
    assert "new.ttl, line 9" in result.stdout
    assert "worse.rdf" in result.stdout
    assert "holds 3 concepts\n1 without any label are left out\n" in result.stdout
    concepts = {item.label("en"): item for item in read_concepts([root / "build/vocabulary.ttl"])}
    assert list(concepts) == ["flux gate", "coil", "core"]
    assert concepts["coil"].definitions[0].value == "A wire that is wound."
    assert concepts["coil"].preferred[0].lang == "en-gb"
    told = json.loads(run(root, str(root / "new.ttl"), "--json").stdout)
    assert (told["written"], told["loaded"], told["left_out"]) == (True, 3, 1)
    assert told["output"] == str(root / "build/vocabulary.ttl")
    assert "broken-statement" in {problem["id"] for problem in told["problems"]}


def test_strict_loads_nothing_that_has_errors(root: Path) -> None:
    """It leaves with 1, as the check does; what is sound is loaded."""
    assert run(root, str(root / "new.ttl"), "--strict").exit_code == 0
    before = (root / "build/vocabulary.ttl").read_bytes()
    (root / "new.ttl").write_text(SOUND + BROKEN, encoding="utf-8")
    result = run(root, str(root / "new.ttl"), "--strict")
    assert result.exit_code == 1
    assert result.stderr.endswith("error(s); nothing was loaded\n")
    assert "would hold 3 concepts" in result.stdout
    assert (root / "build/vocabulary.ttl").read_bytes() == before
    assert (root / "config/guard.yaml").read_text(encoding="utf-8") == GUARD


def test_a_dry_run_writes_nothing(root: Path) -> None:
    result = run(root, str(root / "new.ttl"), "--dry-run")
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
    assert run(root, *args).exit_code == 0
    first = copy.read_bytes()
    assert run(root, *args).exit_code == 0
    assert copy.read_bytes() == first
    assert b"# from: a.ttl\n" in first
    (copy.parent / "a.ttl").unlink()
    gone = run(root, *args)
    assert gone.exit_code == 3
    assert "no vocabulary file is named" in gone.stderr
    assert copy.read_bytes() == first


def test_a_file_of_somebody_else_is_not_written_over(root: Path) -> None:
    mine = root / "data/terms.ttl"
    args = (str(root / "new.ttl"), "--output", str(mine))
    result = run(root, *args)
    assert result.exit_code == 2
    assert "did not write it; name another --output, or write over it with --force" in result.stderr
    assert "old" in mine.read_text()
    assert run(root, *args, "--force").exit_code == 0
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
    (root / "nameless.ttl").write_text(f"{PREFIXES}g:a a skos:Concept .")
    result = run(root, *(arg.format(root=root) for arg in args))
    assert result.exit_code == code
    line = result.stderr.removeprefix("Checking the vocabulary ...\n")
    assert message in line
    assert line.count("\n") == 1
