"""The pictures of README: there, small, and told to whoever does not see them."""

from __future__ import annotations

import re
from pathlib import Path

import pictures

ROOT = Path(__file__).parents[2]
PNG = b"\x89PNG\r\n\x1a\n"
LARGEST = 200_000
"""Bytes; a README is read over slow lines too."""


def test_each_picture_is_there_and_small() -> None:
    """What the script takes lies in docs, and nothing else does but the drawn diagrams."""
    every = sorted((ROOT / "docs" / "pictures").iterdir())
    files = [path for path in every if not path.match("diagram-*.svg")]
    assert {path.stem for path in files} == set(pictures.PICTURES)
    assert all(path.read_bytes().startswith(PNG) for path in files)
    assert all(path.stat().st_size < LARGEST for path in files)


def test_readme_shows_each_with_words_for_it() -> None:
    """On its first screen, each with an alternative text of some length."""
    first = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:20])
    shown = dict(re.findall(r"!\[([^]]+)\]\(docs/pictures/(\w+)\.png\)", first))
    assert set(shown.values()) == set(pictures.PICTURES)
    assert all(len(words.split()) > 8 for words in shown)
