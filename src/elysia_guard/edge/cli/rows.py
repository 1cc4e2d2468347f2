"""Files of questions and of answers: one JSON object a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from elysia_guard.adapters.bounded import read_bounded
from elysia_guard.edge.cli.screen import json_text

MAX_BYTES = 50_000_000
"""Of a file of questions."""
MAX_ANSWERED = 1_000_000_000
"""Bytes of a file of answers, each of some ten thousand."""
UNASKED = "could_not_run"
"""The code of a row whose question could not be asked; the next run asks it again."""


class RowError(click.ClickException):
    """A line of a file that cannot be used; the message names file and line."""

    exit_code = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A question to ask, under its own id; ``extra`` is what else stood on its line."""

    id: str | int
    query: str
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The id as text: 1 and "1" are the same question."""
        return str(self.id)

    def answered(self, **outcome: object) -> str:
        """Return the line of the answer."""
        given = {"input": dict(self.extra)} if self.extra else {}
        return json_text({"id": self.id, "query": self.query, **outcome, **given})


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """What an answers file already holds.

    ``kept`` are its good lines and ``queries`` the question of each id; ``torn`` says that its
    last line was cut off, ``unasked`` how many of its questions could not be asked.
    """

    kept: tuple[bytes, ...] = ()
    queries: Mapping[str, str] = field(default_factory=dict)
    torn: bool = False
    unasked: int = 0

    @property
    def dirty(self) -> bool:
        """Whether the file holds lines that are to be asked again."""
        return self.torn or self.unasked > 0


def read_questions(name: str) -> list[Row]:
    """Read a file of questions, or standard input (``-``).

    Raises:
        RowError: a line is not JSON, lacks ``id`` or ``query``, or repeats an id.
    """
    shown = "standard input" if name == "-" else name
    with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise RowError(f"{shown}: more than {MAX_BYTES:,} bytes; split it")
    rows: list[Row] = []
    lines: dict[str, int] = {}
    for number, line in _lines(raw):
        row = _row(_object(line, f"{shown}:{number}"), f"{shown}:{number}")
        first = lines.setdefault(row.key, number)
        if first != number:
            raise RowError(f"{shown}:{number}: id {row.id!r} was already used in line {first}")
        rows.append(row)
    if not rows:
        raise RowError(f'{shown}: holds no questions; give lines like {{"id": 1, "query": "..."}}')
    return rows


def read_answers(path: Path) -> Answers:
    """Read what an earlier run has answered; a last line that was cut off is left out.

    Raises:
        RowError: a line is no answer: the file is something else, or was damaged,
            or is too large.
    """
    try:
        raw = read_bounded(path, MAX_ANSWERED) if path.exists() else b""
    except OSError as err:
        raise RowError(f"{path}: {err.strerror}; give another --output") from err
    kept: list[bytes] = []
    queries: dict[str, str] = {}
    unasked = 0
    ended = raw.count(b"\n")
    for number, line in _lines(raw):
        where = f"{path}:{number}"
        if number > ended and not _is_json(line):
            return Answers(kept=tuple(kept), queries=queries, torn=True, unasked=unasked)
        answer = _answer(_object(line, where), where)
        if _code(answer) == UNASKED:
            unasked += 1
            continue
        kept.append(line)
        queries[str(answer["id"])] = str(answer["query"])
    return Answers(
        kept=tuple(kept), queries=queries, unasked=unasked, torn=bool(raw) and raw[-1:] != b"\n"
    )


def still_to_ask(rows: Sequence[Row], answers: Answers, path: Path) -> list[Row]:
    """Return the rows without an answer.

    Raises:
        RowError: an id was answered for another question: the file belongs to other questions.
    """
    for row in rows:
        query = answers.queries.get(row.key, row.query)
        if query != row.query:
            raise RowError(
                f"{path}: id {row.id!r} was answered for {query!r}, now it is {row.query!r}; "
                "give another --output"
            )
    return [row for row in rows if row.key not in answers.queries]


def rewrite(path: Path, lines: Sequence[bytes]) -> None:
    """Put lines in the place of a file's, all or none."""
    beside = path.with_name(f"{path.name}.part")
    beside.write_bytes(b"".join(line + b"\n" for line in lines))
    beside.replace(path)


def _lines(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Number the lines that hold something, from 1; only a newline ends a line."""
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield number, line.rstrip(b"\r")


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as err:
        raise RowError(f"{where}: is not JSON: {err}") from err
    if not isinstance(value, dict):
        raise RowError(f"{where}: must be an object with 'id' and 'query'")
    return value


def _row(value: dict[str, Any], where: str) -> Row:
    for key in ("id", "query"):
        if key not in value:
            raise RowError(f"{where}: '{key}' is missing")
    id_, query = value["id"], value["query"]
    if isinstance(id_, bool) or not isinstance(id_, str | int) or id_ == "":
        raise RowError(f"{where}: 'id' is {id_!r}; give a text or a whole number")
    if not isinstance(query, str):
        raise RowError(f"{where}: 'query' is {query!r}; give a text")
    extra = {key: item for key, item in value.items() if key not in ("id", "query")}
    return Row(id=id_, query=query, extra=extra)


def _answer(value: dict[str, Any], where: str) -> dict[str, Any]:
    if not {"id", "query"} <= value.keys() or not {"response", "error"} & value.keys():
        raise RowError(f"{where}: is not an answer; give another --output")
    return value


def _code(answer: dict[str, Any]) -> object:
    error = answer.get("error")
    return error.get("code") if isinstance(error, dict) else None


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
