"""Tables that tests read: one JSON object a line, in ``tests/data``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

FOLDER = Path(__file__).parent / "data"


def table(name: str) -> list[dict[str, Any]]:
    """Return the rows of a table; ``name`` is that of its file without its ending."""
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def cases(name: str, *abouts: str) -> list[ParameterSet]:
    """Return each row as a case of its own; with ``abouts`` those that are about one of these.

    It is called by its ``id``, or by what it is about and what is asked.
    """
    return [
        pytest.param(row, id=row.get("id") or f"{row['about']}: {row['asked']}")
        for row in table(name)
        if not abouts or row["about"] in abouts
    ]
