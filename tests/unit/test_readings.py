"""What sentences are read as, each a row of a file: over the shipped vocabulary and documents."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import table
from tests.unit import dialogue_world
from tests.unit.shipped_reading import read, told

ROWS = table("readings")
"""``of`` says what a row shows, ``after`` what was said before; all else is what must be read.

``not`` is a kind that it must not be; a ``matter`` holds these words, and not those ``aside``.
"""


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['of']}: {row['asked']}" for row in ROWS])
def test_a_question_is_read_as_its_row_says(row: dict[str, Any]) -> None:
    wanted = dict(row)
    lang, asked, after = wanted.pop("lang"), wanted.pop("asked"), wanted.pop("after", "")
    del wanted["of"]
    talk = getattr(dialogue_world, after)(lang) if after else None
    found = told(read(asked, lang, talk))
    assert found["kind"] != wanted.pop("not", "")
    if aside := wanted.pop("aside", ""):
        assert aside not in found["matter"]
    if wanted.get("matter"):
        assert wanted.pop("matter").casefold() in found["matter"].casefold()
    assert {key: found.get(key, []) for key in wanted} == wanted
