"""``elysia-guard ask --batch``: a file of questions, from one start-up, and to be gone on with."""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elysia_guard.domain.errors import QuestionError
from elysia_guard.edge.cli.asking import Ask, asker
from elysia_guard.edge.cli.options import CouldNotRunError, Setup, debugging
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.cli.replies import Ending, ending
from elysia_guard.edge.cli.rows import (
    UNASKED,
    Answers,
    Row,
    read_answers,
    read_questions,
    rewrite,
    still_to_ask,
)
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.domain.document import DocumentKind
    from elysia_guard.domain.mode import Mode

BAD_QUESTION, FAILED = "not a question", "could not run"
ORDER = (*(end.value for end in Ending), BAD_QUESTION, FAILED)

Write = Callable[[str], None]


def run(
    setup: Setup,
    *,
    questions: str,
    answers: str,
    route: str,
    kind: DocumentKind | None,
    mode: Mode | None,
) -> None:
    """Ask every question that has no answer yet; each answer is on disk as soon as it is there."""
    rows = read_questions(questions)
    output = None if answers == "-" else Path(answers)
    open_rows = _left(rows, output) if output else rows
    if not open_rows:
        click.echo(f"All {len(rows)} questions have their answers in {answers}.", err=True)
        return
    counts: Counter[str] = Counter()
    with _written(output) as write:
        ask = asker(setup.ready(), route=route, kind=kind, mode=mode)
        try:
            run_anywhere(_ask_all(ask, open_rows, write, counts))
        finally:
            click.echo(_summary(counts, len(open_rows), resumable=output is not None), err=True)
    if counts[FAILED]:
        raise CouldNotRunError(
            f"{counts[FAILED]} question(s) could not be asked; see their 'error'"
        )


def _left(rows: Sequence[Row], output: Path) -> list[Row]:
    """Say what an earlier run has left, and make its file fit to go on with."""
    before = read_answers(output)
    left = still_to_ask(rows, before, output)
    _tell(before, len(rows) - len(left), output)
    if before.dirty:
        rewrite(output, before.kept)
    return left


def _tell(before: Answers, done: int, output: Path) -> None:
    if before.torn:
        click.echo(f"{output}: the last line was cut off and is repaired.", err=True)
    if before.unasked:
        click.echo(f"{output}: {before.unasked} that could not run are asked again.", err=True)
    if done:
        click.echo(f"{output}: {done} already answered, skipped.", err=True)


@contextmanager
def _written(output: Path | None) -> Iterator[Write]:
    """Give what writes a line and lets go of it at once."""
    if output is None:
        # Taken now: on the tree route standard output is lent to Elysia's logs.
        stream = sys.stdout
        yield lambda line: click.echo(line, file=stream)
        return
    with output.open("ab", buffering=0) as file:
        yield lambda line: _append(file.write, line)


def _append(write: Callable[[bytes], int | None], line: str) -> None:
    # One write a line: what is cut off can only be the last one.
    write(f"{line}\n".encode())


async def _ask_all(ask: Ask, rows: Sequence[Row], write: Write, counts: Counter[str]) -> None:
    with Progress(f"Asking {len(rows)} questions", total=len(rows)) as bar:
        for done, row in enumerate(rows, start=1):
            write(await _ask_one(ask, row, counts))
            bar.show(done, len(rows), row.query)


async def _ask_one(ask: Ask, row: Row, counts: Counter[str]) -> str:
    try:
        response = await ask(row.query)
    except QuestionError as err:
        counts[BAD_QUESTION] += 1
        return row.answered(error={"code": err.code, "message": str(err)})
    except Exception as err:  # noqa: BLE001  one question must not cost the others their answers
        counts[FAILED] += 1
        if debugging():
            traceback.print_exc()
        message = f"{type(err).__name__}: {err}"
        return row.answered(error={"code": UNASKED, "message": message})
    counts[ending(response)] += 1
    return row.answered(response=response.to_dict())


def _summary(counts: Counter[str], total: int, *, resumable: bool) -> str:
    done = counts.total()
    parts = [f"{counts[name]} {name}" for name in ORDER if counts[name]]
    if done < total:
        way = "; the same command goes on from here" if resumable else ""
        parts.append(f"stopped before {total - done} more{way}")
    return " · ".join([f"{done} asked", *parts])
