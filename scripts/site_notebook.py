"""Turn a notebook into a page: its cells are run when the site is built, and show what they give.

Notebooks are kept without outputs, since an output of last month would say what this version does
not. A cell shows what it prints, and then its last value as a notebook does: HTML where the value
has some, text otherwise.
"""

from __future__ import annotations

import ast
import asyncio
import html
import inspect
import json
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

OUTPUT = '<div class="cell" tabindex="0" style="overflow-x: auto">\n{}\n</div>'
"""Material draws it in its own colours; what is wider than the page is scrolled."""


def page_of(path: Path) -> str:
    """Run a notebook in an event loop, as its own would, and return a page of Markdown.

    Raises:
        Exception: what a cell raises; a page that breaks off in the middle is none.
    """
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return asyncio.run(_shown(cells))


async def _shown(cells: list[Mapping[str, Any]]) -> str:
    names: dict[str, Any] = {}
    parts: list[str] = []
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code":
            parts.append(f"```python\n{source}\n```")
            parts += [OUTPUT.format(text) async for text in _outputs(source, names)]
    return "\n\n".join(parts) + "\n"


async def _outputs(source: str, names: dict[str, Any]) -> Any:
    printed = StringIO()
    # A bar that says how far it is belongs to whoever waits, and not to the page.
    with redirect_stdout(printed), redirect_stderr(StringIO()):
        value = await run(source, names)
    if printed.getvalue():
        yield _text(printed.getvalue())
    if value is not None:
        yield _html(value)


async def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell with names that stay; return the value of its last line if it is one."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    await _run(compile(tree, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
    if not isinstance(last, ast.Expr):
        return None
    value = ast.Expression(last.value)
    return await _run(compile(value, "cell", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)


async def _run(code: Any, names: dict[str, Any]) -> Any:
    found = eval(code, names)  # noqa: S307  our own document
    return await found if inspect.isawaitable(found) else found


def _html(value: object) -> str:
    shown = getattr(value, "_repr_html_", None)
    # Markdown ends a block of HTML at an empty line.
    return "\n".join(_lines(shown())) if shown else _text(repr(value))


def _text(text: str) -> str:
    return f"<pre><code>{html.escape(text.rstrip()).replace(chr(10), '&#10;')}</code></pre>"


def _lines(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if line.strip())
