"""Cutting the text of a passage into units that can be quoted alone."""

from __future__ import annotations

import re

_BULLET = re.compile(r"^\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+")
_BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]*]*\s+(?=[\"'(\[*]*[A-Z\u00c0-\u00de0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|cf|vs|approx|no|nr|fig|sec|bijv|d\.w\.z|o\.a|m\.b\.t|z\.B|bzw|usw|u\.a|ca|art)|\b[A-Z])\.$"
)


def units(text: str) -> list[str]:
    """Return the quotable units of a passage: sentences, list items and table rows, in order."""
    found: list[str] = []
    for block in _blocks(text):
        if _BULLET.match(block):
            found.append(_squeeze(block))
        else:
            found.extend(_sentences(_squeeze(block)))
    return [unit for unit in found if any(char.isalnum() for char in unit)]


def _blocks(text: str) -> list[str]:
    """Join wrapped lines; a blank line or a list marker starts a new block."""
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if not line.strip():
            blocks.append([])
        elif _BULLET.match(line) or not blocks:
            blocks.append([line])
        else:
            blocks[-1].append(line)
    return ["\n".join(block) for block in blocks if block]


def _sentences(paragraph: str) -> list[str]:
    sentences: list[str] = []
    start = 0
    for match in _BOUNDARY.finditer(paragraph):
        if _ABBREVIATION.search(paragraph[start : match.start()]):
            continue
        sentences.append(paragraph[start : match.end()].strip())
        start = match.end()
    sentences.append(paragraph[start:].strip())
    return sentences


def _squeeze(text: str) -> str:
    return " ".join(text.split())
