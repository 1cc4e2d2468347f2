"""Responses as a notebook shows them: HTML that reads in light and dark, without scripts.

How a reply is meant is told by a sign and a word, not by colour alone. What stands in documents is
data: raw HTML in them is shown as text, and no picture is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, singledispatch
from html import escape
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from elysia_guard.direct import Guard
from elysia_guard.domain.response import (
    RAGResponse,
    Replies,
    ReplyOutcome,
    Source,
    Sources,
    Trace,
    TraceStep,
)
from elysia_guard.domain.tables import Rows
from elysia_guard.edge import linking, steps
from elysia_guard.edge.linking import as_numbered, emphasised

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LINES = {
    ReplyOutcome.ASSERTED: "4px solid #2e7d32",
    ReplyOutcome.HEDGED: "4px dashed #b26a00",
    ReplyOutcome.CLARIFIED: "4px dotted #1565c0",
    ReplyOutcome.REFUSED: "6px double #c2185b",
    ReplyOutcome.CONVERSED: "1px solid #607d8b",
}
"""Beside a reply. Words have the colour of the notebook: no other reads on white and on black."""
_CELL = "text-align:left;vertical-align:top;padding:.2em .8em .2em 0"
_DIM = "opacity:.75"
_SAFE = ":/?#@!$&'*+,;=%~"
_HELD = {True: "\u2713", False: "\u2717"}
_MARKUP = re.compile(r"[\\`*_\[\]<>#|]")
MOST_ROWS = 20
"""Replies, or rows, that a table of many shows."""


@singledispatch
def html(value: object) -> str:
    """Return a value as HTML."""
    raise TypeError(f"there is no view of a {type(value).__name__}")


@html.register
def response(reply: RAGResponse) -> str:
    """Show a reply: how it is meant, what it says, and its sources; ways on it says itself."""
    head = f'<div style="font-weight:bold">{escape(linking.headline(reply))}</div>'
    parts = [head, _markdown(_linked(reply))]
    if reply.unsaid:
        parts.append(f"<p><em>{escape(reply.unsaid)}</em></p>")
    if reply.verified:
        parts.append(f'<p style="{_DIM}"><em>{escape(reply.verified)}</em></p>')
    rows = "".join(map(_sourced, linking.by_document(reply.sources)))
    parts.append(f'<ul style="{_DIM}">{rows}</ul>' if rows else "")
    style = f"border-left:{_LINES[reply.outcome]};padding:.2em 0 .2em 1em;max-width:60em"
    return f'<div lang="{escape(reply.lang)}" style="{style}">{"".join(parts)}</div>'


@html.register
def sources(found: Sources) -> str:
    """Show sources as a table: number, what it is, where, and the words."""
    rows = [
        (str(item.n), item.title, item.section, _Html(_where(item)), item.quote) for item in found
    ]
    return _table(("", "source", "section", "where", "says"), rows)


@html.register
def trace(way: Trace) -> str:
    """Show the way of a question as a table: stage, time, what it found, in words."""
    rows = [
        (steps.stage(step), steps.took(step), _Html("<br>".join(map(escape, _sentences(step)))))
        for step in way
    ]
    return _table(("", "", steps.TITLE), rows)


def markdown(value: object) -> str:
    """Return a value as Markdown, in words; empty where its own is that already."""
    if not isinstance(value, Trace):
        return ""
    lines: list[str] = []
    for step in value:
        said = f"1. **{steps.stage(step)}** ({steps.took(step)}) "
        lines.append(said + " ".join(map(_plain, _sentences(step))))
    return "\n".join(lines)


def _sentences(step: TraceStep) -> Iterator[str]:
    yield from steps.told(step)
    for reading in step.readings:
        yield f"{_HELD[reading.passed]} {steps.measured(reading)}"


@html.register
def replies(found: Replies) -> str:
    """Show the first of many replies as a table, and say how all of them ended."""
    rows = [
        (
            item.question,
            f"{item.response.outcome.mark}\u00a0{item.outcome}"
            if item.response
            else "!\u00a0error",
            _first_line(item.response.answer if item.response else item.error),
        )
        for item in found[:MOST_ROWS]
    ]
    counts = ", ".join(f"{count} {end}" for end, count in found.outcomes.most_common())
    more = f"; the first {MOST_ROWS} are shown" if len(found) > MOST_ROWS else ""
    told = f'<p style="{_DIM}">{len(found)} questions: {escape(counts)}{more}</p>'
    return told + _table(("question", "outcome", "answer"), rows)


@html.register
def rows(found: Rows) -> str:
    """Show the first of many rows as a table."""
    more = f"; the first {MOST_ROWS} are shown" if len(found) > MOST_ROWS else ""
    lines = [tuple(map(_in_words, row.values())) for row in found[:MOST_ROWS]]
    head = tuple(found[0]) if found else ()
    return f'<p style="{_DIM}">{len(found)} rows{more}</p>{_table(head, lines)}'


@html.register
def guard(shown: Guard) -> str:
    """Show a guard: what it answers from."""
    return f"<div><strong>Guard</strong></div>{_table((), list(shown.parts().items()))}"


def tree(name: str, tools: Sequence[tuple[str, str]], last: RAGResponse | None) -> str:
    """Show a tree: its tools with what each does, and the last response."""
    head = f"<div><strong>{escape(name)}</strong></div>"
    seen = html(last) if last else f'<p style="{_DIM}">Nothing has been asked yet.</p>'
    return head + _table(("tool", "what it does"), tools) + seen


def _sourced(sources: Sequence[Source]) -> str:
    """A document with its marks, its state, and the places in it that are quoted."""
    source = sources[0]
    named = escape(f"{linking.marks(sources)} {source.title}")
    sections = ", ".join(filter(None, dict.fromkeys(item.section for item in sources)))
    about = (named, escape(source.status), escape(source.date), escape(sections), _where(source))
    return "<li>" + " \u00b7 ".join(filter(None, about)) + "</li>"


def _linked(reply: RAGResponse) -> str:
    """The text of a reply, with the concepts beside one as links, where they are on the web."""
    lines = (linking.around(source, reply.lang, to=_on_web) for source in reply.sources)
    linked = dict(chain.from_iterable(lines))
    return "\n".join(linked.get(line, line) for line in emphasised(reply).split("\n"))


def _on_web(uri: str) -> str:
    """A URI as an address in Markdown; empty where it is none on the web."""
    try:
        scheme = urlsplit(uri).scheme
    except ValueError:
        return ""
    return quote(uri, safe=_SAFE) if scheme in {"http", "https"} else ""


def _where(source: Source) -> str:
    """The path or URI of a source, as HTML: an address on the web is a link."""
    where = escape(source.location)
    if _on_web(source.location):
        where = f'<a href="{where}" target="_blank" rel="noopener noreferrer">{where}</a>'
    return where


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    top = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in head)
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"


def _in_words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _cell(text: str) -> str:
    return f'<td style="{_CELL}">{text if isinstance(text, _Html) else escape(text)}</td>'


class _Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def _plain(text: str) -> str:
    """Text that Markdown takes for no markup."""
    return _MARKUP.sub(r"\\\g<0>", text)


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
