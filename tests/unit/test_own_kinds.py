"""What a house calls its kinds of documents: data beside its settings, in every language."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests import prepared

from elysia_guard.config import load
from elysia_guard.domain.errors import ConfigError
from elysia_guard.language import own_kinds
from elysia_guard.language.pack_reader import PackError

RFC = """\
- Start Date: 2024-03-11

## Summary

Roofs are covered with slate, since it lasts a hundred years.
"""
GUIDELINE = """\
# 7. Naming streets

## 1. Scope

All streets of the town.

## 2. Rule

Streets are named after trees.
"""
KINDS = '[decision]\nprefixes = "RFC"\n[policy]\none = ["guideline"]\nmany = ["guidelines"]\n'


@pytest.fixture
def house(tmp_path):
    """A folder with two registers of its own habits, as `init` and a person leave it."""
    for path, text in {
        "rfcs/0012-slate-roofs.md": RFC,
        "notes/RFC-0014-copper.md": RFC.replace("slate", "copper"),
        "guidelines/0007-naming-streets.md": GUIDELINE,
        "config/languages/kinds.toml": KINDS,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / "config" / "guard.yaml").write_text(
        "index: {path: build/index.sqlite, sources: [rfcs, notes, guidelines]}\n"
        "collections: {decision: D, principle: P, policy: G, document: O}\n",
        encoding="utf-8",
    )
    return tmp_path


def program(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Languages are read when a program starts, so each of these is one."""
    environ = {key: value for key, value in os.environ.items() if "ELYSIA_GUARD" not in key}
    return prepared.run(
        args, module="elysia_guard.edge.cli.main", folder=folder, environment=environ
    )


def asked(folder: Path, question: str) -> dict:
    done = program(folder, "ask", "--json", question)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_folders_file_names_and_questions_know_them(house):
    """The number is kept, and a question finds it, whichever of the names it uses."""
    done = program(house, "ingest", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["added"] == ["ADR-0012", "ADR-0014", "POL-0007"]
    assert report["warnings"] == []
    named = asked(house, "What does RFC 12 say?")
    assert named["sources"][0]["doc_id"] == "ADR-0012"
    assert "a hundred years" in named["answer"]
    assert "slate roofs" in named["answer"].splitlines()[0]
    rule = asked(house, "What does guideline 7 say?")
    assert rule["sources"][0]["doc_id"] == "POL-0007"
    assert "after trees" in rule["answer"]
    listed = asked(house, "Welche RFCs gibt es?")["answer"]
    assert "ADR-0012" in listed
    assert "ADR-0014" in listed
    assert "POL-0007" not in listed


@pytest.mark.parametrize("taken", ["policy", "Entscheidung"])
def test_a_name_that_a_language_has_for_another_kind_is_an_error(house, taken):
    """In one line, before anything is read by it."""
    kind = "principle" if taken == "Entscheidung" else "decision"
    file = house / "config" / "languages" / "kinds.toml"
    file.write_text(f'[{kind}]\none = ["{taken}"]\n', encoding="utf-8")
    done = program(house, "ingest", "--dry-run")
    assert done.returncode == 3
    told = done.stderr.strip().splitlines()[-1]
    assert told.startswith(f"elysia-guard: kinds.toml: '{taken.lower()}' is what a")
    assert "Traceback" not in done.stderr


def test_without_the_file_the_warning_names_it(house):
    """The number is not kept, and it is said what to do."""
    (house / "config" / "languages" / "kinds.toml").unlink()
    done = program(house, "ingest", "--dry-run", "--json")
    report = json.loads(done.stdout)
    assert any("0012" in text and "kinds.toml" in text for text in report["warnings"])


def test_settings_that_are_named_later_do_not_lose_their_languages(house, tmp_path_factory):
    """They are read at the start: an error says how, instead of leaving them out in silence."""
    settings = house / "config" / "guard.yaml"
    (settings.parent / "languages" / "qtk").mkdir()
    with pytest.raises(ConfigError, match=r"ELYSIA_GUARD_LANGUAGES=.*config/languages"):
        load(settings, environ={})
    beside = {"ELYSIA_GUARD_LANGUAGES": str(settings.parent / "languages")}
    assert load(settings, environ=beside).index.path == house / "build" / "index.sqlite"
    assert load(environ={"ELYSIA_GUARD_CONFIG": str(settings)}).index.path.name == "index.sqlite"
    done = program(tmp_path_factory.mktemp("other"), "ask", "--config", str(settings), "Hi")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[decision]\nprefixes = 'r2'", "the prefix|must be letters"),
        ("[decision]\nprefixes = ['design note']", "the prefix 'design note'"),
        ("[decision]\none = ['a(b']", "must be letters"),
        ("[decision]\nprefixes = 'rfc'\n[policy]\nprefixes = 'RFC'", "two kinds: decision, policy"),
        ("[ruling]\none = ['ruling']", "'ruling' is not a key"),
        ("[decision]\nletters = 'rfc'", "'letters' is not a key"),
        ("[decision]\nprefixes = 3", "prefixes"),
        ("decision = 3", "must be a section"),
        ("[decision", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path, monkeypatch, text, said):
    (tmp_path / "kinds.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(own_kinds, "own_folder", lambda: tmp_path)
    own_kinds.of_process.cache_clear()
    with pytest.raises(PackError, match=said) as caught:
        own_kinds.own_kinds()
    assert str(tmp_path / "kinds.toml") in str(caught.value)
    own_kinds.of_process.cache_clear()
