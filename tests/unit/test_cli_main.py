"""The program itself: its help, its errors, what it lets through to a terminal."""

from __future__ import annotations

import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from elysia_guard import __version__
from elysia_guard.config import load
from elysia_guard.domain.errors import ConfigError, QuestionError
from elysia_guard.edge.cli.init import SAMPLE_QUESTION
from elysia_guard.edge.cli.main import COMMANDS, cli
from elysia_guard.edge.cli.screen import Screen, one_line, visible


def run(*args: str):
    return CliRunner().invoke(cli, args, prog_name="elysia-guard")


@pytest.fixture
def failing(monkeypatch):
    """A command that raises what it is given."""

    def install(error: BaseException) -> None:
        @click.command("fail")
        def command() -> None:
            raise error

        monkeypatch.setitem(cli.commands, "fail", command)

    return install


def test_help_lists_every_command():
    result = run("--help")
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_teaches_with_examples(name):
    """And takes the options that all of them share; `init` writes what they name."""
    text = run(name, "--help").stdout
    assert f"  elysia-guard {name}" in text
    if name == "init":
        return
    for option in ("--config", "--index", "--vocabulary", "--debug"):
        assert option in text


def test_without_a_command_the_help_goes_to_standard_error():
    assert __version__ in run("--version").stdout
    result = run()
    assert result.exit_code == 2
    assert not result.stdout
    assert "Usage: elysia-guard" in result.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["aks"], "did you mean 'ask'?"),
        (["zzz"], "there are: ask, chat"),
        (["--foo"], "--foo"),
        (["ask", "--foo"], "elysia-guard ask --help"),
        (["ask"], "Give a QUESTION"),
        (["ask", "x", "--kind", "polcy"], "'polcy' is not one of 'decision'"),
        (["ask", "x", "--config", "/nowhere/guard.yaml"], "/nowhere/guard.yaml"),
        (["ingest", "/nowhere"], "/nowhere"),
        (["ingest", "--dry-run", "--report"], "leave out --dry-run"),
        (["chat", "--port", "99999"], "99999"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(args, said):
    result = run(*args)
    assert result.exit_code == 2
    assert not result.stdout
    assert result.stderr.startswith("elysia-guard: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (QuestionError("empty"), 2, "the question is empty"),
        (ConfigError("guard.yaml:\n  index is missing"), 3, "guard.yaml: index is missing"),
        (OSError(28, "No space left on device", "/x/index"), 3, "/x/index: No space left"),
        (TypeError("a bug"), 3, "unexpected TypeError: a bug (--debug shows where)"),
        (KeyboardInterrupt(), 130, "stopped"),
    ],
)
def test_what_goes_wrong_is_one_line_with_its_own_exit_code(failing, error, code, said):
    """Exit 1 says that a gate failed: nothing else may say it."""
    failing(error)
    result = run("fail")
    assert result.exit_code == code
    assert said in result.stderr
    assert result.stderr.strip().count("\n") == 0
    assert "Traceback" not in result.stderr


def test_debug_shows_where_an_error_came_from(tmp_path):
    result = run("ask", "x", "--index", str(tmp_path / "none.sqlite"), "--debug")
    assert result.exit_code == 3
    assert "Traceback" in result.stderr
    assert "none.sqlite" in result.stderr.splitlines()[-1]


def test_a_document_cannot_act_on_the_terminal():
    """Escape sequences, in seven or eight bits, and reversed text lose what makes them act."""
    assert visible("a\x1b[31mb\x9b2Jc\u202ed\r\ne") == "a[31mb2Jcd\ne"
    assert one_line("a\n\x1b]0;b") == "a ]0;b"


def test_what_looks_like_html_or_a_link_is_shown(monkeypatch, capsys):
    """Rich would drop '<mRID>' and show a link without where it leads; without colours as it is."""
    monkeypatch.setattr("elysia_guard.edge.cli.screen.is_terminal", lambda stream: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    Screen().markdown("**x** `<b>` List<mRID> [here](http://evil.example) [bold]y[/bold]")
    shown = capsys.readouterr().out
    for piece in ("List<mRID>", "[here](http://evil.example)", "[bold]y[/bold]"):
        assert piece in shown
    assert "**" not in shown
    monkeypatch.setenv("NO_COLOR", "1")
    Screen().markdown("**x**\n\n> y", indent=2)
    assert capsys.readouterr().out == "  **x**\n\n  > y\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    folder = tmp_path / "mine"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def init(*args):
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
    dry = init("--dry-run")
    assert "would write  config/guard.yaml" in dry.output
    assert files(here) == set()
    said = init()
    assert said.exit_code == 0, said.output
    assert {"config/guard.yaml", "vocabulary/sample.ttl"} < files(here)
    assert all(name in said.output for name in files(here))
    config = load(environ={})
    assert config.index.sources == [here / "documents"]
    assert config.index.path == here / "build" / "index.sqlite"
    assert str(here / "config" / "guard.yaml") in called("doctor").output.replace("\n", "")


def test_from_an_empty_folder_to_answers(here):
    """A question for words, a named decision and a term; the index lies in the folder."""
    init()
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
        said = init(*args)
        assert said.exit_code == 3
        assert str(kept.name) in str(said.output)
        assert "--documents" in said.output
    assert files(here) == {str(kept.relative_to(here))}
    assert kept.read_text(encoding="utf-8") == "mine"


def test_documents_of_ones_own_take_the_place_of_the_sample(here):
    register(here / "doc" / "adr")
    said = init("--documents", "doc/adr")
    assert said.exit_code == 0, said.output
    assert files(here) == {"config/guard.yaml", "doc/adr/0001-use-slate.md"}
    config = load(environ={})
    assert config.index.sources == [here / "doc" / "adr"]
    assert config.terminology.files == []
    assert "sources: [doc/adr]" in (here / "config" / "guard.yaml").read_text(encoding="utf-8")


def test_what_lies_elsewhere_is_named_so_that_it_is_found(here, tmp_path):
    """And a folder whose name means something to YAML or a shell is named as it is."""
    odd = register(tmp_path / "roofs: a, b #1")
    terms = tmp_path / "terms.ttl"
    terms.write_text("", encoding="utf-8")
    said = init("new folder", "--documents", odd, "--vocabulary", terms)
    assert said.exit_code == 0, said.output
    assert "cd 'new folder'" in said.output
    config = load(here / "new folder" / "config" / "guard.yaml", environ={})
    assert [path.resolve() for path in config.index.sources] == [odd]
    assert [path.resolve() for path in config.terminology.files] == [terms]
    assert config.terminology.name == "terms"


def test_a_register_of_ones_own_has_prefixes(here):
    """They are written where a program that starts here reads them."""
    register(here / "rfcs")
    said = init("--documents", "rfcs", "--prefix", "RFC=decision", "--prefix", "std=policy")
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
    result = init(*given)
    assert result.exit_code == code
    assert said in result.output
    assert files(here) == set()
