"""Steps take a question under way and return what they found; the pipeline alone writes it down."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import elysia_guard
from elysia_guard.domain.inquiry import Inquiry

SOURCE = Path(elysia_guard.__file__).parent
FIELDS = {item.name for item in fields(Inquiry)}
WRITERS = {"order.py", "parts.py"}


def written_in(file: Path) -> Iterator[str]:
    """Say where a file sets a field of something that is not its own."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Attribute) and target.attr in FIELDS:
                yield f"{file.name}:{target.lineno} {ast.unparse(target)}"


def test_nothing_but_the_pipeline_writes_on_an_inquiry() -> None:
    """No order of the steps is hidden in what one of them leaves for another."""
    files = [*(SOURCE / "stages").rglob("*.py"), *(SOURCE / "pipeline").rglob("*.py")]
    assert not [item for file in files if file.name not in WRITERS for item in written_in(file)]
    assert list(written_in(SOURCE / "pipeline" / "order.py"))
