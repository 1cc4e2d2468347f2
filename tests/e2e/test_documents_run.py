"""What README and docs show is run: programs, commands, settings; offline, as a new user would."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from click.testing import CliRunner
from tests import prepared
from tests.e2e.house import own_environment
from tests.unit.test_evaluation_gate import Bench, some_questions, write

from elysia_guard import config as configuration
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.own_kinds import under
from elysia_guard.edge.cli.main import cli
from elysia_guard.language.kinds import prefixes
from elysia_guard.language.own_kinds import read_kinds

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("docs/internals/*.md")),
    ROOT / "deploy" / "README.md",
]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COG = re.compile(r"<!-- ?\[\[\[cog.*?\]\]\] ?-->", re.DOTALL)
LINE = re.compile(r"^(?:    )?(?:\$ )?((?:elysia-guard|make|python|\.venv/bin/python) .+)$")

OFFLINE = """
import socket, sys, warnings
warnings.simplefilter("ignore")
def refuse(*_args, **_options):
    raise OSError("these examples need no network")
socket.socket.connect = socket.getaddrinfo = refuse
"""
EACH_PAGE = """
import json, os
import elysia_guard, elysia
for page, code in json.loads(sys.argv[1]).items():
    if child := os.fork():
        print(page, os.waitpid(child, 0)[1], flush=True)
        continue
    exec(compile(code, page, "exec"), {"__name__": "__main__"})
    break
"""

ONLY_READ = {
    "chat": "serves until it is stopped",
    "--watch": "watches until it is stopped",
    "metrics": "asks a running server",
    "init": "writes over no settings; tests/unit/test_cli_init.py runs it",
    "explain": "names a request of somebody's decision log",
    "feedback": "names a request of somebody's decision log",
    "log": "names requests of somebody's decision log",
    "tune": "takes minutes; tests/unit/test_cli_tune.py runs it",
    "--write": "changes the settings",
}
"""Commands that are held against the program's options and not carried out, and why."""

FLAT = {"text", "", "diff", "mermaid", "nginx", "caddy", "http", "json", "html"}
"""Blocks that are no program: pictures, other programs' settings, what travels."""


@dataclass(frozen=True)
class Shown:
    """Something a page shows, and where."""

    page: Path
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.text.splitlines()[0][:60]}"


def blocks(*languages: str) -> Iterator[Shown]:
    for page in PAGES:
        for language, text in FENCED.findall(COG.sub("", page.read_text(encoding="utf-8"))):
            if language in languages:
                yield Shown(page, text)


def commands() -> Iterator[Shown]:
    """Every line that starts one of our programs; one that goes on behind a backslash is whole."""
    for page in PAGES:
        joined = COG.sub("", page.read_text(encoding="utf-8")).replace("\\\n", " ")
        for line in joined.splitlines():
            if (found := LINE.match(line)) and not found[1].startswith("elysia-guard     "):
                # Behind two blanks stands what it is for.
                yield Shown(page, found[1].split("  ")[0].split(" # ")[0].split(" | ")[0].strip())


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, index: Path) -> Path:
    """A folder as the pages imagine it: the checkout's data, and documents of one's own."""
    place = tmp_path_factory.mktemp("desk")
    shutil.copy(index, place / "index.sqlite")
    for name in ("data", "config"):
        shutil.copytree(ROOT / name, place / name)
    knowledge = ROOT / "data" / "knowledge"
    shutil.copytree(knowledge / "decisions", place / "docs" / "decisions")
    shutil.copytree(knowledge / "principles", place / "docs" / "principles")
    shutil.copytree(knowledge / "decisions", place / "handbook" / "decisions")
    shutil.copytree(knowledge / "policies", place / "rfcs")
    vocabulary = ROOT / "data" / "vocabulary" / "vennet.ttl"
    (place / "my" / "vocabularies").mkdir(parents=True)
    for name in ("terms.ttl", "my/terms.ttl", "my/vocabularies/terms.ttl"):
        shutil.copy(vocabulary, place / name)
    (place / "my" / "more.rdf").write_text(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>', encoding="utf-8"
    )
    return place


def test_c2_no_block_is_of_an_unknown_kind() -> None:
    """Every code block of README and docs is of a kind that is run, or is no program."""
    found = {
        language
        for page in PAGES
        for language, _ in FENCED.findall(COG.sub("", page.read_text(encoding="utf-8")))
    }
    assert found <= FLAT | {"python", "yaml", "toml", "console", "sh"}


@pytest.mark.slow
def test_c2_python_of_the_documents_runs(desk: Path) -> None:
    """The Python of README and docs runs without a network, block after block.

    Each page in a process of its own, with Elysia imported already, which takes seconds.
    """
    pages: dict[str, str] = {}
    for item in blocks("python"):
        name = str(item.page.relative_to(ROOT))
        pages[name] = pages.get(name, "") + item.text
    log = desk / "pages.log"
    with log.open("w", encoding="utf-8") as told:
        program = prepared.begin(
            [json.dumps(pages)],
            code=OFFLINE + EACH_PAGE,
            folder=desk,
            environment=own_environment(
                HOME=str(desk), ELYSIA_GUARD_INDEX__PATH=str(desk / "index.sqlite")
            ),
            stderr=told,
        )
    with program.stdout:
        said = program.stdout.read()
    assert program.wait() == 0, log.read_text("utf-8")[-3000:]
    ended = [line for line in said.splitlines() if line.split(" ")[0] in pages]
    assert ended == [f"{page} 0" for page in pages], log.read_text("utf-8")[-3000:]


def overlay(settings: dict[str, Any], shown: dict[str, Any]) -> None:
    for key, value in shown.items():
        if isinstance(value, dict) and isinstance(settings.get(key), dict):
            overlay(settings[key], value)
        else:
            settings[key] = value


@pytest.mark.parametrize("shown", [*blocks("toml")], ids=str)
def test_toml_is_a_part_of_a_language_pack(shown: Shown, tmp_path: Path) -> None:
    """Every TOML block of README and docs says what the French pack says, or names kinds."""
    given = tomllib.loads(shown.text)
    if all(name in set(STANDING_KINDS) or "like" in said for name, said in given.items()):
        (tmp_path / "kinds.toml").write_text(shown.text, encoding="utf-8")
        with under(read_kinds(tmp_path / "kinds.toml")):
            assert prefixes()
        return
    french = ROOT / "src" / "elysia_guard" / "language" / "packs" / "fr"
    files = [french / "core.toml", french / "forms.toml"]
    known = {
        name: table
        for file in files
        for name, table in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }

    def stands(part: object, whole: object) -> bool:
        if isinstance(part, dict):
            return isinstance(whole, dict) and all(
                key in whole and stands(value, whole[key]) for key, value in part.items()
            )
        if isinstance(part, list):
            return isinstance(whole, list) and all(item in whole for item in part)
        return part == whole

    assert given
    assert stands(given, known)


@pytest.mark.parametrize("shown", [*blocks("yaml")], ids=str)
def test_c2_settings_of_the_documents_are_accepted(shown: Shown, desk: Path) -> None:
    """Every YAML block of README and docs is a part of a guard.yaml or thresholds.yaml."""
    given = yaml.safe_load(shown.text)
    # Both name collections.
    known = configuration.ThresholdsFile.model_fields.keys() - {"collections"}
    name = "thresholds.yaml" if given.keys() <= known else "guard.yaml"
    settings = yaml.safe_load((ROOT / "config" / name).read_text(encoding="utf-8"))
    overlay(settings, given)
    path = desk / "config" / f"shown-{name}"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    read = configuration.load if name == "guard.yaml" else configuration.load_thresholds
    read(path)


def parse(args: list[str]) -> None:
    """Hold a command against the program: it is there, and takes these options and arguments."""
    context: click.Context = click.Context(cli, info_name="elysia-guard")
    command: click.Command = cli
    while isinstance(command, click.Group):
        name, found, args = command.resolve_command(context, args)
        assert found is not None
        command = found
        if isinstance(command, click.Group):
            context = click.Context(command, info_name=name, parent=context)
    if args != ["--help"]:
        command.make_context(command.name, args, parent=context)


@pytest.mark.parametrize("shown", [*commands()], ids=str)
def test_c2_commands_of_the_documents_are_what_the_program_takes(
    shown: Shown, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command of README and docs names a command, a target or a script that there is."""
    monkeypatch.chdir(desk)
    monkeypatch.setenv("HOME", str(desk))
    program, *args = [str(Path(word).expanduser()) for word in shlex.split(shown.text)]
    if program == "make":
        rules = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert all(re.search(rf"^{word}:", rules, re.MULTILINE) for word in args if "=" not in word)
    elif program == "elysia-guard":
        parse(args)
    elif args[0] == "-m":
        assert args[1] in {"elysia_guard.observability", "scripts.lab", "benchmarks.journeys"}
    elif args[0] == "scripts/eval_rag_quality.py":
        from elysia_guard.edge.cli.eval import eval_command as measured

        names = {name for option in measured.params for name in option.opts} | {"--config"}
        assert {word for word in args[1:] if word.startswith("--")} <= names
    else:
        text = (ROOT / args[0]).read_text(encoding="utf-8")
        named = [word for word in args[1:] if word.startswith("--") and word != "--help"]
        assert [word for word in named if f'"{word}"' not in text] == []


def carried_out() -> list[Shown]:
    ours = [item for item in commands() if item.text.startswith("elysia-guard ")]
    return [item for item in ours if not ONLY_READ.keys() & set(shlex.split(item.text))]


@pytest.mark.slow
def test_c2_commands_of_the_documents_do_what_they_say(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands of README and docs that need no server are carried out, in their order."""
    monkeypatch.chdir(desk)
    monkeypatch.setenv("HOME", str(desk))
    monkeypatch.setenv("ELYSIA_GUARD_CONFIG", str(desk / "config" / "guard.yaml"))
    monkeypatch.setenv("ELYSIA_GUARD_INDEX__PATH", str(desk / "index.sqlite"))
    ours = carried_out()
    assert len({shlex.split(item.text)[1] for item in ours}) >= 4
    write(Bench(folder=desk), some_questions(6))
    for item in ours:
        args = [str(Path(word).expanduser()) for word in shlex.split(item.text)[1:]]
        if args[0] == "eval" and "--help" not in args:
            # The whole golden set takes minutes.
            args += ["--golden", "golden.jsonl"]
        done = CliRunner().invoke(cli, args)
        assert done.exit_code == 0, f"{item}\n{done.output[-2000:]}"
