"""Style sheets, read in one pass: the rules that hold on every screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMENT_BEGINS, _COMMENT_ENDS = "/*", "*/"
_MARK = re.compile(r"[@{};]")


def sheet_rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield selector and body of each rule outside of others (``@media``, ``@font-face``)."""
    for piece in _outside(_without_comments(css)).split("}"):
        head, brace, body = piece.rpartition("{")
        selector = head.rpartition("{")[2].rpartition(";")[2].strip()
        if brace and selector:
            yield selector, body


def _without_comments(css: str) -> str:
    kept: list[str] = []
    at = 0
    while (begin := css.find(_COMMENT_BEGINS, at)) >= 0:
        kept.append(css[at:begin])
        end = css.find(_COMMENT_ENDS, begin + 2)
        at = end + 2 if end >= 0 else len(css)
    kept.append(css[at:])
    return "".join(kept)


def _outside(css: str) -> str:
    """Leave out at-rules, up to their semicolon or with the block that they open."""
    kept: list[str] = []
    start, depth, inside = 0, 0, False
    for mark in _MARK.finditer(css):
        sign = mark[0]
        if not inside and sign == "@" and depth == 0:
            kept.append(css[start : mark.start()])
            inside = True
        elif sign in "{}":
            depth = depth + 1 if sign == "{" else max(depth - 1, 0)
        if inside and depth == 0 and sign in ";}":
            start, inside = mark.end(), False
    kept.append("" if inside else css[start:])
    return "".join(kept)
