"""``init``: a folder to begin in, in which nothing is written over."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from elysia_guard.config import load
from elysia_guard.edge.cli.init import SAMPLE_QUESTION
from elysia_guard.edge.cli.main import cli


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    folder = tmp_path / "mine"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def run(*args):
    return CliRunner().invoke(cli, ["init", *map(str, args)])


def called(*args):
    return CliRunner().invoke(cli, args)


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def register(folder: Path) -> Path:
    """Documents of one's own."""
    folder.mkdir(parents=True)
    (folder / "0001-use-slate.md").write_text(
        "# 1. Use slate\n\n## Decision\n\nRoofs are covered with slate.\n", encoding="utf-8"
    )
    return folder


def test_an_empty_folder_gets_settings_and_a_sample(here):
    """A dry run says so; nothing else is named or written."""
    dry = run("--dry-run")
    assert "would write  config/guard.yaml" in dry.output
    assert files(here) == set()
    said = run()
    assert said.exit_code == 0, said.output
    assert {"config/guard.yaml", "vocabulary/sample.ttl"} < files(here)
    assert all(name in said.output for name in files(here))
    config = load(environ={})
    assert config.index.sources == [here / "documents"]
    assert config.index.path == here / "build" / "index.sqlite"
    assert str(here / "config" / "guard.yaml") in called("doctor").output.replace("\n", "")


def test_from_an_empty_folder_to_answers(here):
    """A question for words, a named decision and a term; the index lies in the folder."""
    run()
    assert called("ingest").exit_code == 0
    assert "kept for two years" in called("ask", SAMPLE_QUESTION).output
    named = called("ask", "What does decision 2 decide?").output
    assert "ADR-0002" in named
    assert "interfaces that are described with OpenAPI" in named
    assert "who may use a data set" in called("ask", "What is a data owner?").output
    assert (here / "build" / "index.sqlite").is_file()


def test_nothing_is_written_over(here):
    """Not even the files that are not there yet: all or none."""
    kept = here / "documents" / "decisions" / "0001-keep-readings-for-two-years.md"
    kept.parent.mkdir(parents=True)
    kept.write_text("mine", encoding="utf-8")
    for args in ((), ("--dry-run",)):
        said = run(*args)
        assert said.exit_code == 3
        assert str(kept.name) in str(said.output)
        assert "--documents" in said.output
    assert files(here) == {str(kept.relative_to(here))}
    assert kept.read_text(encoding="utf-8") == "mine"


def test_documents_of_ones_own_take_the_place_of_the_sample(here):
    register(here / "doc" / "adr")
    said = run("--documents", "doc/adr")
    assert said.exit_code == 0, said.output
    assert files(here) == {"config/guard.yaml", "doc/adr/0001-use-slate.md"}
    config = load(environ={})
    assert config.index.sources == [here / "doc" / "adr"]
    assert config.terminology.files == []
    assert "sources: [doc/adr]" in (here / "config" / "guard.yaml").read_text(encoding="utf-8")


def test_what_lies_elsewhere_is_named_in_full(here, tmp_path):
    """And a folder whose name means something to YAML or a shell is named as it is."""
    odd = register(tmp_path / "roofs: a, b #1")
    terms = tmp_path / "terms.ttl"
    terms.write_text("", encoding="utf-8")
    said = run("new folder", "--documents", odd, "--vocabulary", terms)
    assert said.exit_code == 0, said.output
    assert "cd 'new folder'" in said.output
    config = load(here / "new folder" / "config" / "guard.yaml", environ={})
    assert config.index.sources == [odd]
    assert config.terminology.files == [terms]
    assert config.terminology.name == "terms"


def test_a_register_of_ones_own_has_prefixes(here):
    """They are written where a program that starts here reads them."""
    register(here / "rfcs")
    said = run("--documents", "rfcs", "--prefix", "RFC=decision", "--prefix", "std=policy")
    assert said.exit_code == 0, said.output
    text = (here / "config" / "languages" / "kinds.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == {"decision": {"prefixes": "rfc"}, "policy": {"prefixes": "std"}}


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (("--prefix", "rfc"), 2, "decision, principle, policy"),
        (("--prefix", "rfc=ruling"), 2, "decision, principle, policy"),
        (("--prefix", "r2=decision"), 2, "decision, principle, policy"),
        (("--prefix", "=decision"), 2, "decision, principle, policy"),
        (("--prefix", "a b=policy"), 2, "decision, principle, policy"),
        (("--prefix", "policy=decision"), 3, "'policy' is what a policy is called already"),
        (("--documents", "nowhere"), 2, "nowhere"),
    ],
)
def test_what_cannot_be_is_told_at_once(here, given, code, said):
    """A prefix is letters for a kind, and what is not there is no source."""
    result = run(*given)
    assert result.exit_code == code
    assert said in result.output
    assert files(here) == set()
