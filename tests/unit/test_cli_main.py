"""The program itself: its help, its errors, what it lets through to a terminal."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from elysia_guard import __version__
from elysia_guard.domain.errors import ConfigError, QuestionError
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
