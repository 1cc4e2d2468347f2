"""YAML front matter: the lines between two ``---`` at the top of a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from elysia_guard.domain.errors import DocumentError

MAX_CHARS = 50_000
"""Of front matter: it is read at the pace of a person."""

FrontMatter = Mapping[str, Any]

_FRONT = re.compile(
    r"\A---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)


def split(text: str, *, name: str) -> tuple[FrontMatter, str]:
    """Separate front matter and body; without front matter the mapping is empty.

    Raises:
        DocumentError: the front matter is not well-formed YAML; names file and line.
    """
    match = _FRONT.match(text)
    if match is None:
        return {}, text
    if len(match["yaml"]) > MAX_CHARS:
        raise DocumentError(
            f"{name}:2: the front matter has {len(match['yaml']):,} characters; the limit is "
            f"{MAX_CHARS:,}; move text below the second '---'"
        )
    try:
        # Every value stays the text that was written: no dates, no booleans out of 'no'.
        front = yaml.load(match["yaml"], Loader=yaml.BaseLoader)  # noqa: S506
    except yaml.YAMLError as err:
        raise DocumentError(_describe(err, name)) from err
    except RecursionError as err:
        raise DocumentError(f"{name}:2: the front matter is nested too deeply") from err
    if front is None:
        return {}, text[match.end() :]
    if isinstance(front, str):  # text between two rules, not front matter
        return {}, text
    if not isinstance(front, dict):
        raise DocumentError(f"{name}:2: the front matter is a list; write 'key: value' lines")
    return front, text[match.end() :]


def value(front: FrontMatter, *keys: str) -> str:
    """Return the value of the first key that is set; 'dct.title' looks one level down."""
    for key in keys:
        found: Any = front
        for part in key.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        if isinstance(found, list):
            found = ", ".join(item for item in found if isinstance(item, str))
        if isinstance(found, str) and found.strip() not in ("", "~", "null"):
            return " ".join(found.split())
    return ""


def _describe(err: yaml.YAMLError, name: str) -> str:
    problem = getattr(err, "problem", None) or "not well-formed YAML"
    # What is never closed is noticed at the end, but wants mending where it was opened.
    unclosed = "stream" in problem
    mark = getattr(err, "context_mark" if unclosed else "problem_mark", None)
    line = mark.line + 2 if mark else 2  # the mark counts from 0 and from below the first '---'
    return f"{name}:{line}: the front matter cannot be read: {problem}"
