"""How values look in a notebook. The edge says how: here nothing knows HTML."""

from __future__ import annotations

from importlib import import_module

_view: str = ""


def shown_by(module: str) -> None:
    """Let values be shown by ``html`` and ``markdown`` of a module.

    It is imported when the first is shown.
    """
    global _view  # noqa: PLW0603  one way of showing a process
    _view = module


def html_of(value: object) -> str | None:
    """Return a value as HTML; None where nobody says how, and Markdown is shown instead."""
    if not _view:
        return None
    found: str = import_module(_view).html(value)
    return found


def markdown_of(value: object) -> str:
    """Return a value as Markdown in its reader's words; empty where nobody says how."""
    return str(import_module(_view).markdown(value)) if _view else ""
