"""What the documents name is there: settings, variables, files of the code, flags and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel
from scripts.observability_catalogue import metrics

from elysia_guard import config
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
