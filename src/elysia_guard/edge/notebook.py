"""Responses as a notebook shows them: HTML that reads in light and dark, without scripts.

How a reply is meant is told by a sign and a word, not by colour alone. What stands in documents is
data: raw HTML in them is shown as text, and no picture is fetched.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, singledispatch
from html import escape
from typing import TYPE_CHECKING

from elysia_guard.domain.replies import Replies
from elysia_guard.domain.response import (
    RAGResponse,
    ReplyOutcome,
    Source,
    Sources,
    Trace,
)
from elysia_guard.edge.hedging import emphasised
from elysia_guard.edge.linking import as_numbered

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_COLOURS = {
    ReplyOutcome.ASSERTED: "#2e7d32",
    ReplyOutcome.HEDGED: "#b26a00",
    ReplyOutcome.CLARIFIED: "#1565c0",
    ReplyOutcome.REFUSED: "#ad1457",
    ReplyOutcome.CONVERSED: "#607d8b",
}
_CELL = "text-align:left;vertical-align:top;padding:.2em .8em .2em 0"
_DIM = "opacity:.75"
MOST_ROWS = 20
"""Replies that a table of many shows."""


@singledispatch
def html(value: object) -> str:
    """Return a value as HTML."""
    raise TypeError(f"there is no view of a {type(value).__name__}")


@html.register
def response(reply: RAGResponse) -> str:
    """Show a reply: how it is meant, what it says, its sources, and what else may be asked."""
    colour = _COLOURS[reply.outcome]
    parts = [_headline(reply), _markdown(emphasised(reply))]
    if reply.unsaid:
        parts.append(f"<p><em>{escape(reply.unsaid)}</em></p>")
    parts += [_card(item) for item in reply.sources]
    if reply.suggestions:
        ways = "".join(f"<li>{escape(item.question)}</li>" for item in reply.suggestions)
        parts.append(f'<div style="{_DIM}">One may also ask:<ul>{ways}</ul></div>')
    style = f"border-left:4px solid {colour};padding:.2em 0 .2em 1em;max-width:60em"
    return f'<div style="{style}">{"".join(parts)}</div>'


@html.register
def sources(found: Sources) -> str:
    """Show sources as a table: number, what it is, where, and the words."""
    rows = [(str(item.n), item.title, _place(item), item.quote) for item in found]
    return _table(("", "source", "where", "says"), rows)


@html.register
def trace(steps: Trace) -> str:
    """Show the way of a question as a table: stage, time, what it found."""
    rows = [(step.stage, f"{step.elapsed_ms:.1f} ms", step.note) for step in steps]
    return _table(("stage", "time", "what it found"), rows)


@html.register
def replies(found: Replies) -> str:
    """Show the first of many replies as a table, and say how all of them ended."""
    rows = [
        (
            item.question,
            f"{item.response.outcome.mark} {item.outcome}" if item.response else "error",
            _first_line(item.response.answer if item.response else item.error),
        )
        for item in found[:MOST_ROWS]
    ]
    counts = ", ".join(f"{count} {end}" for end, count in found.outcomes.most_common())
    more = f"; the first {MOST_ROWS} are shown" if len(found) > MOST_ROWS else ""
    told = f'<p style="{_DIM}">{len(found)} questions: {escape(counts)}{more}</p>'
    return told + _table(("question", "outcome", "answer"), rows)


def tree(name: str, tools: Sequence[tuple[str, str]], last: RAGResponse | None) -> str:
    """Show a tree: its tools with what each does, and the last response."""
    head = f"<div><strong>{escape(name)}</strong></div>"
    seen = html(last) if last else f'<p style="{_DIM}">Nothing has been asked yet.</p>'
    return head + _table(("tool", "what it does"), tools) + seen


def _headline(reply: RAGResponse) -> str:
    outcome = reply.outcome
    told = [f"{outcome.mark} {outcome}"]
    if reply.refusal_reason:
        told.append(str(reply.refusal_reason))
    if reply.sources:
        told.append(f"confidence {reply.retrieval_quality.confidence_score:.2f}")
    said = escape(" \u00b7 ".join(told))
    return f'<div style="color:{_COLOURS[outcome]};font-weight:bold">{said}</div>'


def _card(source: Source) -> str:
    name = f"[source:{source.n}] {source.title}"
    about = " \u00b7 ".join(filter(None, (source.status, _place(source))))
    return (
        f'<details><summary>{escape(name)} <span style="{_DIM}">{escape(about)}</span></summary>'
        f"<blockquote>{_markdown(source.quote)}</blockquote></details>"
    )


def _place(source: Source) -> str:
    return " \u00b7 ".join(filter(None, (source.section, source.location)))


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    top = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in head)
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"


def _cell(text: str) -> str:
    return f'<td style="{_CELL}">{escape(text)}</td>'


def _first_line(text: str) -> str:
    # A cell of the table shows text, and no emphasis.
    return next((line for line in text.splitlines() if line.strip()), "").replace("**", "")


def _markdown(text: str) -> str:
    html: str = _parser().render(as_numbered(text))
    return html


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # Documents are data: their HTML is text, and nothing is fetched for them.
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
