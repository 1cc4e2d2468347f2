"""What the documents show of notebooks is run as it stands there."""

from __future__ import annotations

import re
from typing import Any

from elysia_guard import GuardedTree, RAGResponse
from elysia_guard.config import home
from elysia_guard.domain.response import Replies, Trace

CODE = re.compile(r"```python\n(.*?)```", re.S)


def test_the_cells_run_one_after_the_other(monkeypatch: Any) -> None:
    """In one kernel, as a reader would; the last line of each is a value that shows itself."""
    names: dict[str, Any] = {}
    shown = []
    for cell in CODE.findall((home() / "docs/service.md").read_text(encoding="utf-8")):
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
