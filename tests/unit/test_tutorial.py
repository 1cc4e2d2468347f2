"""The tutorial notebook runs from its first cell to its last, and shows what its text says."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
from typing import Any

import pytest

from elysia_guard import GuardedTree, RAGResponse
from elysia_guard.config import home
from elysia_guard.domain.response import Replies, Sources, Trace

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

NOTEBOOK = home() / "docs/tutorial.ipynb"
# What the text around the cells promises, in their order.
OUTCOMES = """
asserted asserted hedged refused refused clarified asserted asserted asserted
asserted asserted asserted asserted asserted refused asserted asserted
"""


def cells(kind: str) -> list[dict[str, Any]]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return [item for item in notebook["cells"] if item["cell_type"] == kind]


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


async def shown(code: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does, in a running loop; return what it would show."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    await _run(compile(tree, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
    if not isinstance(last, ast.Expr):
        return None
    value = ast.Expression(last.value)
    return await _run(compile(value, "cell", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)


async def _run(code: Any, names: dict[str, Any]) -> Any:
    found = eval(code, names)  # noqa: S307  our own document
    return await found if inspect.isawaitable(found) else found


def test_every_cell_shows_what_the_text_says(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}

    async def run() -> list[Any]:
        return [await shown(source(cell), names) for cell in cells("code")]

    values = asyncio.run(run())
    replies = [item for item in values if isinstance(item, RAGResponse)]
    assert [item.outcome.value for item in replies] == OUTCOMES.split()
    for kind in (Sources, Trace, Replies, GuardedTree):
        (value,) = (item for item in values if isinstance(item, kind))
        assert value._repr_html_()
    assert dict(names["replies"].outcomes) == {
        "asserted": 2,
        "refused": 1,
        "hedged": 1,
        "error": 1,
    }
    said = capsys.readouterr().out
    assert names["reply"].answer in said, "print shows the answer"
    assert names["text"] in said


def test_it_is_kept_as_written_without_what_it_showed() -> None:
    """An output of last month would say what this version does not."""
    code = cells("code")
    assert len(code) >= 20
    assert all(item["outputs"] == [] and item["execution_count"] is None for item in code)
    assert len(cells("markdown")) >= 10
