"""What the requirement documents ask for, row by row, and how each row stands after its tests ran.

A row names the tests that prove it, or the decision that has it otherwise, or what is missing. It
works only where each of its tests was run and passed: a test that fails, is skipped or does not
exist makes the row fail.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from elysia_guard.domain.errors import GuardError

Line = Annotated[str, Field(min_length=1, pattern=r"^[^\n|]+$")]
"""A line of text that a table can hold."""

HEADER = ("line", "what is asked", "stands", "by")


_ROW = re.compile(r"^\| \d+ \| [^|]+ \| (\w+) \| ", re.MULTILINE)


class RequirementsError(GuardError):
    """The rows cannot be used; the message names file and value."""


class Standing(StrEnum):
    """How a row stands: it works, is decided otherwise, fails its tests, or is not done yet."""

    WORKS = "works"
    OTHERWISE = "otherwise"
    FAILS = "fails"
    OPEN = "open"


class Row(BaseModel):
    """One requirement, by its line in its document, and what proves it.

    ``tests`` are node ids below ``tests/``, of a function or of one of its cases. ``otherwise``
    says what is done instead, and ``adr`` which decision says why; ``open`` says what is missing,
    and ``awaits`` which part of the program is to bring it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    line: Annotated[int, Field(ge=1)]
    says: Line
    tests: tuple[Annotated[str, Field(pattern=r"^\S+\.py::[^|\n]+$")], ...] = ()
    otherwise: Line | None = None
    adr: Annotated[str, Field(pattern=r"^\d{4}$")] | None = None
    open: Line | None = None
    awaits: Line | None = None

    @model_validator(mode="after")
    def _stands_in_one_way(self) -> Self:
        if self.open and self.otherwise:
            raise ValueError("a row is open or decided otherwise, not both")
        if (self.otherwise is None) is not (self.adr is None):
            raise ValueError(
                "what is done otherwise has an adr that says why, and nothing else has"
            )
        if self.awaits and not self.open:
            raise ValueError("only an open row awaits something")
        if not (self.tests or self.open or self.otherwise):
            raise ValueError("a row needs tests, a decision, or what is missing")
        return self


class Document(BaseModel):
    """A requirement document: its id, what it is called, and its rows in their order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Line
    title: Line
    rows: Annotated[tuple[Row, ...], Field(min_length=1)]


def load(folder: Path) -> list[Document]:
    """Read the documents, one TOML file each, in the order of their file names.

    Raises:
        RequirementsError: there is none, or a file cannot be read or holds something else.
    """
    found = [_document(path) for path in sorted(folder.glob("*.toml"))]
    if not found:
        raise RequirementsError(f"{folder}: holds no requirements (*.toml)")
    return found


def _document(path: Path) -> Document:
    try:
        return Document.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as err:
        raise RequirementsError(f"{path}: {err}") from err


def check_decisions(documents: Iterable[Document], adrs: Collection[str]) -> None:
    """Make sure that each decision that a row names is there.

    Raises:
        RequirementsError: one is not.
    """
    for each in documents:
        for row in each.rows:
            if row.adr and row.adr not in adrs:
                raise RequirementsError(f"{each.id}:{row.line}: adr is {row.adr}: there is none")


def tests_of(documents: Iterable[Document]) -> list[str]:
    """Return every test that a row names, once, in the order of the files."""
    return sorted({test for each in documents for row in each.rows for test in row.tests})


def standing(row: Row, outcomes: Mapping[str, str]) -> Standing:
    """Say how a row stands, by the outcome of each case that was run ('passed', 'failed', ...)."""
    if not all(_held(test, outcomes) for test in row.tests):
        return Standing.FAILS
    if row.open:
        return Standing.OPEN
    return Standing.OTHERWISE if row.otherwise else Standing.WORKS


def _held(test: str, outcomes: Mapping[str, str]) -> bool:
    """Whether a case of the test passed, and none did anything but pass or be left out."""
    cases = {
        outcome for node, outcome in outcomes.items() if node == test or node.startswith(f"{test}[")
    }
    return "passed" in cases and cases <= {"passed", "skipped"}


def standings(documents: Iterable[Document], outcomes: Mapping[str, str]) -> list[Standing]:
    """Say how each row of each document stands, in their order."""
    return [standing(row, outcomes) for each in documents for row in each.rows]


def markdown(
    documents: Sequence[Document], stand: Sequence[Standing], adrs: Mapping[str, str]
) -> str:
    """Write the counts and a table of each document.

    Args:
        documents: the documents.
        stand: how their rows stand, in the order of ``standings``.
        adrs: the file of each decision, by its number.
    """
    left = iter(stand)
    told = [(each, [(row, next(left)) for row in each.rows]) for each in documents]
    lines = [
        _line("document", "rows", *Standing),
        f"|{' --- |' * (2 + len(Standing))}",
        *(_counts(f"[{each.id}](#{each.id.lower()})", [how for _, how in rows])
          for each, rows in told),
        _counts("all", stand),
    ]  # fmt: skip
    for each, rows in told:
        lines += ["", f"## {each.id}", "", f"{each.title}.", "", _line(*HEADER)]
        lines += [f"|{' --- |' * len(HEADER)}"]
        lines += [_line(str(row.line), row.says, how, _by(row, adrs)) for row, how in rows]
    return "\n".join(lines)


def read_standings(text: str) -> list[Standing]:
    """Read how the rows stand from a text that ``markdown`` wrote."""
    return [Standing(found[1]) for found in re.finditer(_ROW, text)]


def _counts(name: str, stand: Iterable[Standing]) -> str:
    counted = Counter(stand)
    return _line(name, str(counted.total()), *(str(counted[how]) for how in Standing))


def _by(row: Row, adrs: Mapping[str, str]) -> str:
    said = [f"`{test}`" for test in row.tests]
    if row.otherwise and row.adr:
        said.insert(0, f"{row.otherwise} ([{row.adr}](adr/{adrs[row.adr]}))")
    if row.open:
        waits = f" (awaits: {row.awaits})" if row.awaits else ""
        said.insert(0, f"{row.open}{waits}")
    return "; ".join(said)


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
