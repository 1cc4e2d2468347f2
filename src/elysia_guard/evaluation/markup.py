"""HTML and SVG without a template: what is not markup is escaped, so nothing can slip through."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

VOID = frozenset({"br", "meta", "line", "circle", "rect", "path", "polyline"})
_NUMBER = re.compile(r"[+-]?\d[\d.,]*(?: ?→ ?\d[\d.,]*)?")


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """Return an element; children that are not markup are escaped.

    An attribute that is None is left out; ``class_`` is ``class`` and ``stroke_width`` is
    ``stroke-width``.

    >>> tag("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID and not children:
        return Markup(f"<{name}{written}>" if name in ("br", "meta") else f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{joined(children)}</{name}>")


def joined(children: Iterable[object]) -> Markup:
    """Return children one after another, each escaped unless it is markup."""
    return Markup(
        "".join(child if isinstance(child, Markup) else escape(_text(child)) for child in children)
    )


def _text(value: object) -> str:
    """Write a coordinate without a tail of digits."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def section(title: str, *parts: object) -> Markup:
    """Return a part of a page under its heading."""
    return tag("section", tag("h2", title), *parts)


def table(head: Iterable[object], rows: Iterable[Iterable[object]], *, caption: str) -> Markup:
    """Return a table; the first cell of a row is its heading, and numbers are set to the right."""
    cells = [(first, *map(_cell, rest)) for first, *rest in rows]
    headings = [
        tag("th", item, scope="col", class_="number" if _numeric(cells, place) else None)
        for place, item in enumerate(head)
    ]
    body = [tag("tr", tag("th", first, scope="row"), *rest) for first, *rest in cells]
    inner = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *headings)),
        tag("tbody", *body),
    )
    return tag("div", inner, class_="scroll", tabindex="0", role="region", aria_label=caption)


def _numeric(rows: Sequence[Sequence[object]], place: int) -> bool:
    return place > 0 and all('class="number' in str(row[place]) for row in rows)


def _cell(value: object) -> Markup:
    if isinstance(value, Markup):
        return value if value.startswith("<td") else tag("td", value)
    shown = _text(value)
    return tag("td", shown, class_="number" if _NUMBER.fullmatch(shown) else None)
