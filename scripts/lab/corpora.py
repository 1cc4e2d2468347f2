"""What the experiments share: corpora, sets of questions a JSON object a line, and tables."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from elysia_guard import __version__
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation.golden import Split
from elysia_guard.pipeline import Pipeline
from elysia_guard.running import into_pipe
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = ROOT / "data" / "evaluation"
GOLDEN = QUESTIONS / "golden_queries.jsonl"
VOCABULARY = ROOT / "data" / "vocabulary" / "vennet.ttl"
"""Of both: without it, terms would not be known over another corpus."""
DONE, FAILED, COULD_NOT_RUN = 0, 1, 3
Asked = TypeVar("Asked")
Outcome = TypeVar("Outcome")
_SHORT = {
    DocumentKind.DECISION: "ADR",
    DocumentKind.PRINCIPLE: "PCP",
    DocumentKind.POLICY: "POL",
}


class Corpus(NamedTuple):
    """Documents, and the vocabulary that is asked beside them."""

    documents: Path
    vocabulary: Path


CORPORA: Mapping[str, Corpus] = {
    "demo": Corpus(ROOT / "data" / "knowledge", VOCABULARY),
    "esa": Corpus(ROOT.parent / "shared" / "corpus" / "esa", VOCABULARY),
}


def name_of(kind: DocumentKind | None, number: int | None) -> str:
    """Name a document as the sets of questions do: ``ADR-0012``."""
    return f"{_SHORT.get(kind, '?') if kind else '?'}-{number or 0:04}"


def corpus_option(text: str) -> tuple[str, Corpus]:
    """Read ``NAME=FOLDER,VOCABULARY`` from the command line.

    Raises:
        ArgumentTypeError: it is not of that form.
    """
    name, _, places = text.partition("=")
    documents, _, vocabulary = places.partition(",")
    if not (name and documents and vocabulary):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FOLDER,VOCABULARY")
    return name, Corpus(Path(documents), Path(vocabulary))


async def over_each(
    asked: Collection[Asked], corpus_of: Callable[[Asked], str], corpora: Mapping[str, Corpus]
) -> AsyncIterator[tuple[Pipeline, Sequence[Asked]]]:
    """Yield a pipeline over each corpus, with what is asked of it; say what has no documents."""
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted({corpus_of(item) for item in asked}):
            own = [item for item in asked if corpus_of(item) == name]
            corpus = corpora.get(name)
            if corpus is None or not corpus.documents.is_dir():
                print(f"{name}: {len(own)} not asked, no documents", file=sys.stderr)
                continue
            wiring = Wiring.load(
                index=Path(folder) / f"{name}.sqlite", vocabulary=corpus.vocabulary
            )
            try:
                await wiring.fill_index([corpus.documents])
                yield wiring.pipeline, own
            finally:
                wiring.close()


async def asked_each(
    cases: Collection[Asked],
    ask: Callable[[Pipeline, Asked], Awaitable[Outcome]],
    corpora: Mapping[str, Corpus],
) -> list[Outcome]:
    """Ask what each line of a set asks, each of its ``corpus``."""
    corpus_of = attrgetter("corpus")
    return [
        await ask(pipeline, case)
        async for pipeline, own in over_each(cases, corpus_of, corpora)
        for case in own
    ]


@dataclass(frozen=True, kw_only=True)
class Measurement(Generic[Outcome]):
    """A set of questions that are asked, and how its halves are told.

    ``miss`` writes what went wrong with one question; nothing where it is right.
    """

    said: str | None
    questions: Path
    load: Callable[[Path], Sequence[Any]]
    asked: Callable[[Sequence[Any], Mapping[str, Corpus]], Coroutine[Any, Any, Sequence[Outcome]]]
    split_of: Callable[[Outcome], Split]
    report: Callable[[Sequence[Outcome]], Any]
    render: Callable[[str, Any], str]
    miss: Callable[[Outcome], str]

    def main(self) -> int:
        """Ask, print the figures of each half, and what went wrong in the tuning half."""
        options = options_of(self.said, self.questions).parse_args()
        halves = splits(options.split)
        cases = [case for case in self.load(options.questions) if case.split in halves]
        outcomes = asyncio.run(self.asked(cases, {**CORPORA, **dict(options.corpus)}))
        figures = {
            str(half): self.report([item for item in outcomes if self.split_of(item) is half])
            for half in halves
        }
        for name, counted in figures.items():
            print(self.render(name, counted))
        for item in outcomes if options.misses else ():
            if self.split_of(item) is Split.TUNING and (told := self.miss(item)):
                print(told)
        write_json({"version": __version__, "halves": figures}, options.json)
        return DONE


def options_of(said: str | None, questions: Path) -> argparse.ArgumentParser:
    """Return a parser with what every measurement of a set of questions is told."""
    parser = argparse.ArgumentParser(
        description=said, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--questions", type=Path, default=questions, metavar="FILE", help="JSON lines")
    add("--split", choices=("all", *map(str, Split)), default="all")
    add(
        "--corpus",
        type=corpus_option,
        action="append",
        default=[],
        metavar="NAME=FOLDER,VOCABULARY",
        help="where another corpus lies; may be given several times",
    )
    add("--misses", action="store_true", help="list what went wrong in the tuning half")
    add("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser


def splits(named: str) -> list[Split]:
    """Return the halves that an option names."""
    return list(Split) if named == "all" else [Split(named)]


def write_json(content: object, path: Path | None) -> None:
    """Write figures, where a file is named."""
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(content, indent=2, ensure_ascii=False)
        path.write_text(f"{text}\n", encoding="utf-8")


def table(rows: Sequence[Sequence[object]]) -> str:
    """Write rows in columns, the first aligned left."""
    told = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*told, strict=True)]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in told
    )


def put(text: str, path: Path, name: str) -> None:
    """Replace what stands between the marks of a document that bear a name."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    path.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def run_main(main: Callable[[], int]) -> None:
    """Run an experiment, and leave with its exit code; what stops it is told on one line."""

    def told() -> int:
        try:
            return main()
        except BrokenPipeError:
            raise  # who reads has seen enough
        except (GuardError, OSError) as err:
            print(f"error: {err}", file=sys.stderr)
            return COULD_NOT_RUN

    sys.exit(into_pipe(told, unread=0))
