"""What a document decides is told whole: each point once, nothing weighed and not chosen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.tables import cases
from tests.unit.made_register import Register, kept

_CITED = re.compile(r" ?\[source:\d+\]")


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Register:
    return Register(tmp_path_factory.mktemp("outcomes"), kept("outcomes"))


def lines(register: Register, asked: str) -> list[str]:
    """The lines of an answer, without numbers of sources and empty lines."""
    said = _CITED.sub("", register.ask(asked).answer).split("\n")
    return [line.rstrip() for line in said if line.strip(" >")]


@pytest.mark.parametrize("row", cases("registers/outcomes"))
def test_a_part_is_told_whole_and_alone(register: Register, row: dict[str, Any]) -> None:
    """Lists with what stands in their items, code and diagrams as code, rows of tables.

    Particulars, options that were weighed, and the sections of others are no part of an outcome.
    """
    assert lines(register, row["asked"]) == row["reads"]


def test_what_introduces_a_long_list_is_told_once(register: Register) -> None:
    """The list goes on in another passage, at whose head stands what introduces it again."""
    said = lines(register, "What does ADR-0004 decide?")
    assert len([line for line in said if "counted here:" in line]) == 1
    assert [line for line in said if "at gate" in line] == [
        f"> - at gate {n}, which the shepherd of that gate opens after sunrise and closes at dusk"
        for n in range(1, 25)
    ]


def test_code_is_one_unit(tmp_path: Path) -> None:
    """However long it is, and where it is all that an item holds."""
    code = [f"step {n}: carry the bucket from the well to the roof" for n in range(60)]
    item = "\n  ".join(["- ```", *code, "```"])
    text = f"# Carry water\n\n## Decision\n\nSo:\n\n{item}\n"
    register = Register(tmp_path, {"decisions/0001-carry-water.md": text})
    said = lines(register, "What does ADR-0001 decide?")
    assert said[1:] == ["> So:", "> ```", *(f"> {line}" for line in code), "> ```"]
