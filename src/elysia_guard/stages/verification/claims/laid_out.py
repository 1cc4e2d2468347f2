"""How a source is laid out: what stands before and behind each part that is looked at alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from elysia_guard.domain.question import Lang
from elysia_guard.language.sentences import is_item
from elysia_guard.stages.verification.claims.evidence import is_row, is_rule, parts_of

_FENCE = re.compile(r"\s*(?:```|~~~)")
_QUOTE_MARKS = re.compile('["\u201c\u201d\u201e\u00ab\u00bb]')
_STRUCK = re.compile(r"~~")
_WHOLLY = re.compile(
    '[^\\w"\u201c\u201e\u00ab]*["\u201c\u201e\u00ab][^"\u201c\u201d\u00bb]*["\u201c\u201d\u00bb]\\W*'
)
"""A sentence that stands between quotation marks as a whole."""
_BLOCK_QUOTE = re.compile(r"\s*>")


class Form(StrEnum):
    """What a block of a text is."""

    PROSE = "prose"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, an item or a row, where it stands.

    ``block`` counts paragraphs, items and rows from 0; ``indent`` is how far its block is set in,
    in characters. What is ``cited`` is in words of somebody else, struck out, a comment or code:
    its document does not say it.
    """

    text: str
    block: int
    form: Form
    indent: int
    cited: bool


@lru_cache(maxsize=500)
def laid_out(text: str, lang: Lang) -> tuple[Part, ...]:
    """Return the parts of a source in their order; they are those of ``parts_of``."""
    return tuple(_parts(text, lang))


def _parts(text: str, lang: Lang) -> Iterator[Part]:
    for at, (lines, fenced) in enumerate(_blocks(text)):
        first = lines[0]
        form = Form.ROW if is_row(first) else Form.ITEM if is_item(first) else Form.PROSE
        indent = len(first) - len(first.lstrip())
        quoted = bool(_BLOCK_QUOTE.match(first))
        marks, struck = 0, 0
        for each in parts_of("\n".join(lines), lang):
            own, own_struck = len(_QUOTE_MARKS.findall(each)), len(_STRUCK.findall(each))
            is_open = bool(marks or own % 2 or struck or own_struck % 2)
            cited = fenced or quoted or is_open or bool(_WHOLLY.fullmatch(each))
            yield Part(each, at, form, indent, cited)
            marks, struck = (marks + own) % 2, (struck + own_struck) % 2


def _blocks(text: str) -> Iterator[tuple[list[str], bool]]:
    """Paragraphs, items and rows, each with its lines, and whether it is code or a comment."""
    block: list[str] = []
    fenced = commented = False
    for line in text.splitlines():
        fence = bool(_FENCE.match(line))
        row, item = is_row(line), is_item(line)
        if block and (not line.strip() or fence or row or item or is_row(block[0])):
            yield block, fenced or commented
            block, commented = [], commented and _is_open(block)
        fenced ^= fence
        commented |= "<!--" in line
        if line.strip() and not is_rule(line) and not fence:
            block.append(line)
    if block:
        yield block, fenced or commented


def _is_open(lines: Sequence[str]) -> bool:
    """Whether a comment that runs through some lines goes on behind them."""
    text = "\n".join(lines)
    return text.rfind("<!--") > text.rfind("-->") or "-->" not in text
