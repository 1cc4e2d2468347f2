"""What the documents name is there: settings, variables, files of the code, flags and commands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pictures
import pytest
from pydantic import BaseModel
from scripts.observability_catalogue import metrics

from elysia_guard import GuardedTree, RAGResponse, config
from elysia_guard.config import home
from elysia_guard.domain.response import Replies, Trace
from elysia_guard.edge.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted([*ROOT.glob("docs/*.md"), *ROOT.glob("docs/internals/*.md")]),
    ROOT / "deploy" / "README.md",
]
SETTING = re.compile(r"`([a-z_]+(?:\.[a-z_]+)+)`")
VARIABLE = re.compile(r"\bELYSIA_GUARD_[A-Z][A-Z_]*")
CODE = re.compile(r"`((?:src|tests|scripts|benchmarks|deploy|docker)/[\w./-]+)`")
NO_SETTINGS = {"CONFIG", "LANGUAGES", "SECRET", "ADMIN_SECRET"}
"""Variables that are read by themselves."""
OTHERS = {"index.sqlite.readings", "index.sqlite.words", "server.fault"}
"""Names of files beside an index, and of what a test calls, that begin as a setting does."""


def keys(model: type[BaseModel], before: str = "") -> Iterator[str]:
    """Every key of a file of settings, with those above it."""
    for name, field in model.model_fields.items():
        yield f"{before}{name}"
        for part in (field.annotation, *get_args(field.annotation)):
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield from keys(part, f"{before}{name}.")


KNOWN = {*keys(config.Config), *keys(config.ThresholdsFile)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_setting_that_is_named_is_one(page: Path) -> None:
    """As a key, and as a variable of the environment."""
    text = page.read_text(encoding="utf-8")
    sections = {key.split(".")[0] for key in KNOWN}
    named = {name for name in SETTING.findall(text) if name.split(".")[0] in sections} - OTHERS
    files = {name for name in named if name.endswith((".md", ".py", ".toml", ".yaml", ".sqlite"))}
    assert named - files - KNOWN == set()
    variables = {found.removeprefix(config.PREFIX) for found in VARIABLE.findall(text)}
    lowered = {name.strip("_").lower().replace("__", ".") for name in variables - NO_SETTINGS}
    assert {name for name in lowered if not any(key.startswith(name) for key in KNOWN)} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_of_the_code_that_is_named_is_there(page: Path) -> None:
    named = CODE.findall(page.read_text(encoding="utf-8"))
    assert [name for name in named if not list(ROOT.glob(name.rstrip("/")))] == []


def test_every_fallback_says_what_happened() -> None:
    """Each flag that a response may hold stands in the table of fallbacks."""
    (row,) = (item for item in metrics("A") if item.name == "rag_fallback_total")
    text = (ROOT / "docs" / "observability.md").read_text(encoding="utf-8")
    table = text.partition("## Fallbacks")[2].partition("\n## ")[0]
    assert [flag for flag in row.values if f"`{flag}`" not in table] == []


def test_readme_names_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (line,) = (each for each in text.splitlines() if each.startswith("    elysia-guard     "))
    assert set(COMMANDS) == set(re.findall(r"\w+", line.partition(";")[0])) - {"elysia", "guard"}


def test_the_limits_have_the_figures_of_the_baseline() -> None:
    """What later evaluations are held against: the golden set, asked without a model."""
    baseline = home() / "data" / "evaluation" / "baseline.json"
    metrics = json.loads(baseline.read_text(encoding="utf-8"))["metrics"]
    found, refused = metrics["certainty"], metrics["answers"]["wrong_refusals"]
    asked, misses = found["answerable"], found["near_misses"]
    page = (home() / "docs" / "limits.md").read_text(encoding="utf-8")
    assert f"({asked + misses:,} questions, {misses} of which no document answers)" in page
    assert f"Of {asked:,} questions with an answer {refused} are refused" in page
    assert f"and {found['hedged_right']} of those that are shown are right and hedged" in page
    assert f"Of {found['hedged']} hedged replies {found['hedged_right']} are right" in page
    assert f"{found['near_misses_hedged']} of the {misses} questions that nothing answers" in page
    assert f"{found['asserted_right']} of {found['asserted']} are right" in page


BLOCK = re.compile(r"^```nginx\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = [
    (path.name, text)
    for path in sorted((ROOT / "docs").rglob("*.md"))
    for text in BLOCK.findall(path.read_text(encoding="utf-8"))
]
NEEDED = {
    "Host": "$host",
    "X-Forwarded-Proto": "$scheme",
    "X-Forwarded-For": "$remote_addr",
    "Upgrade": "$http_upgrade",
    "Connection": '"upgrade"',
}
"""Without the first the server knows no name, without the last two there is no websocket."""


def test_both_ways_are_shown() -> None:
    """One server whose people the proxy knows, and two servers."""
    assert [name for name, _ in SHOWN] == ["security.md", "service.md"]


@pytest.mark.parametrize("text", [text for _, text in SHOWN], ids=[name for name, _ in SHOWN])
def test_the_headers_that_the_server_reads_are_set(text: str) -> None:
    """HTTP/1.1 too: what comes in by 1.0 is taken as sent on by a proxy that says nothing."""
    given = dict(re.findall(r"proxy_set_header (\S+) (\S+);", text))
    assert {name: given.get(name) for name in NEEDED} == NEEDED
    assert "proxy_http_version 1.1;" in text


PNG = b"\x89PNG\r\n\x1a\n"
LARGEST = 200_000
"""Bytes; a README is read over slow lines too."""


def test_each_picture_is_there_and_small() -> None:
    """What the script takes lies in docs, and nothing else does but the drawn diagrams."""
    every = sorted((ROOT / "docs" / "pictures").iterdir())
    files = [path for path in every if not path.match("diagram-*.svg")]
    assert {path.stem for path in files} == set(pictures.PICTURES)
    assert all(path.read_bytes().startswith(PNG) for path in files)
    assert all(path.stat().st_size < LARGEST for path in files)


def test_readme_shows_each_with_words_for_it() -> None:
    """On its first screen, each with an alternative text of some length."""
    first = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:20])
    shown = dict(re.findall(r"!\[([^]]+)\]\(docs/pictures/(\w+)\.png\)", first))
    assert set(shown.values()) == set(pictures.PICTURES)
    assert all(len(words.split()) > 8 for words in shown)


SHOWN_CODE = re.compile(r"```python\n(.*?)```", re.S)


def test_the_cells_run_one_after_the_other(monkeypatch: Any) -> None:
    """In one kernel, as a reader would; the last line of each is a value that shows itself."""
    names: dict[str, Any] = {}
    shown = []
    for cell in SHOWN_CODE.findall((home() / "docs/service.md").read_text(encoding="utf-8")):
        *lines, last = cell.strip().splitlines()
        exec("\n".join(lines), names)  # noqa: S102  our own document
        value = last.split("  #")[0]
        try:
            shown.append(eval(value, names))  # noqa: S307
        except SyntaxError:
            exec(value, names)  # noqa: S102
    assert isinstance(shown[0], RAGResponse)
    assert isinstance(shown[1], Trace)
    assert isinstance(shown[2], GuardedTree)
    assert isinstance(names["replies"], Replies)
    assert dict(names["replies"].outcomes) == {"asserted": 1, "refused": 1, "error": 1}
    assert all(item._repr_html_() for item in (*shown, names["replies"]))
