"""Measure the three outcomes over documents of your own, on questions of your own.

    python -m scripts.lab corpus --documents FOLDER --questions questions.jsonl
    python -m scripts.lab corpus --documents FOLDER --questions questions.jsonl --misses
    python -m scripts.lab corpus --documents FOLDER --questions questions.jsonl --without-embedder

A question is a JSON object on a line of its own:

    {"query": "How long are readings kept?", "documents": ["policies/retention.md"],
     "answer": ["Readings are kept for two years."], "category": "plain"}
    {"query": "Who may delete readings?", "near_miss": true}

Without arguments it asks the questions over the demo documents (data/evaluation/own_demo.jsonl).

exit codes:
  0  done
  1  with --without-embedder: a third or more of what was shown is lost, or a reply does not say
     that it was found by words alone
  2  wrong use
  3  could not run
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, model_validator
from scripts.lab.corpora import DONE, FAILED, QUESTIONS, ROOT, VOCABULARY, table, write_json

from elysia_guard import __version__
from elysia_guard import config as configuration
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.evaluation import degraded, scoring
from elysia_guard.evaluation.metrics import percentile
from elysia_guard.evaluation.retrieval_set import SetError, read_lines
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Clock
from elysia_guard.wiring import Wiring

Words = Annotated[str, Field(min_length=1)]


class OwnQuestion(BaseModel):
    """One question over a folder of documents.

    ``documents`` are the paths of those that answer it, each by itself, as they end:
    'adr/0012.md'. ``answer`` holds the sentences that do, word for word, any one of which is
    enough. A ``near_miss`` is to be refused, and so is what has no ``answer``; ``documents`` may
    then name the one that seems to answer. Other keys are left alone.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    query: Words
    documents: tuple[Words, ...] = ()
    answer: tuple[Words, ...] = ()
    near_miss: bool = False
    category: Words = "question"
    id: str = ""

    @model_validator(mode="before")
    @classmethod
    def _has_its_line_for_id(cls, told: Any, info: ValidationInfo) -> Any:
        return {"id": str(info.context), **told} if isinstance(told, dict) else told

    @model_validator(mode="after")
    def _names_what_answers(self) -> Self:
        if self.answerable and not self.documents:
            raise ValueError("documents: name those that answer, as the paths end")
        return self

    @property
    def answerable(self) -> bool:
        """Whether a document answers it."""
        return not self.near_miss and bool(self.answer)

    def is_answered_by(self, path: str) -> bool:
        """Tell whether a document, by its path, is one that answers."""
        return any(f"/{path}".endswith(f"/{name.lstrip('/')}") for name in self.documents)


def load(path: Path) -> list[OwnQuestion]:
    """Read questions; the line of one without an ``id`` is its id.

    Raises:
        SetError: the file cannot be read, holds none, or a line is no question.
    """
    found = read_lines(path, OwnQuestion)
    if not found:
        raise SetError(f"{path}: holds no question; give one JSON object a line")
    return found


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedReply:
    """A question with its reply.

    ``found`` are the paths of the documents found, best first; ``lessened`` tells whether a part of
    it was looked for by lesser means, as where no vector could be had.
    """

    question: OwnQuestion
    response: RAGResponse
    found: tuple[str, ...]
    lessened: bool
    elapsed_ms: float

    @property
    def outcome(self) -> ReplyOutcome:
        """What the reply is."""
        return self.response.outcome

    def among(self, k: int) -> bool:
        """Whether a document that answers is among the first ``k`` found."""
        return any(map(self.question.is_answered_by, self.found[:k]))

    @property
    def shown(self) -> bool:
        """Whether a sentence that answers stands in the reply, a refusal's mentions too."""
        held = scoring.holds(self.response.answer, "\n".join(self.question.answer))
        return self.question.answerable and held

    @property
    def right(self) -> bool:
        """Whether it is answered, surely or not, from a document that answers."""
        paths = (source.location for source in self.response.sources)
        return self.question.answerable and any(map(self.question.is_answered_by, paths))

    @property
    def silent(self) -> bool:
        """Whether it was looked for by lesser means, and the reply does not say so."""
        return self.lessened and not degraded.says_so(self.response)


async def ask_all(
    pipeline: Pipeline, questions: Sequence[OwnQuestion], *, clock: Clock = time.perf_counter
) -> tuple[list[AskedReply], list[OwnQuestion]]:
    """Ask every question, each of a conversation of its own, through the direct route.

    Returns:
        What was asked, and the questions that cannot be asked at all.
    """
    asked: list[AskedReply] = []
    refused: list[OwnQuestion] = []
    for question in questions:
        try:
            asked.append(await _ask(pipeline, question, clock))
        except QuestionError:
            refused.append(question)
    return asked, refused


async def _ask(pipeline: Pipeline, question: OwnQuestion, clock: Clock) -> AskedReply:
    started = clock()
    inquiry = await pipeline.begin(question.query, request_id=f"own-{question.id}", route="direct")
    response = await pipeline.answer(inquiry)
    return AskedReply(
        question=question,
        response=response,
        found=tuple(dict.fromkeys(path for part in inquiry.every for path in _paths(part))),
        lessened=any(part.evidence.fallbacks for part in inquiry.every),
        elapsed_ms=(clock() - started) * 1000,
    )


def _paths(part: Inquiry) -> list[str]:
    """The documents of a part, in the order in which the gates had them where they judged."""
    hits = (part.verdict.ranking if part.verdict else ()) or part.evidence.hits
    return [
        *(hit.passage.document.path for hit in hits),
        *(document.path for document in part.evidence.documents),
    ]


ALL = "all"
Report = dict[str, Any]


def report(asked: Sequence[AskedReply], *, not_asked: int = 0) -> Report:
    """Put the figures together: of all questions, and of each category.

    ``recall@1`` and ``recall@5`` are shares of the answerable questions with a right document among
    the first found; ``shown`` of those whose reply holds a sentence that answers. ``asserted`` and
    ``hedged`` are counts of replies, near misses too; ``right`` of those from a right document, and
    of these ``asserted_shown`` and ``hedged_shown`` hold a sentence that answers too.
    A share of nothing is None.
    """
    categories = sorted({item.question.category for item in asked})
    return {
        "not_asked": not_asked,
        "by_category": {
            name: figures([item for item in asked if item.question.category == name])
            for name in categories
        },
        ALL: figures(asked),
    }


def figures(asked: Sequence[AskedReply]) -> Report:
    """Count some questions together."""
    answerable = [item for item in asked if item.question.answerable]
    near = [item for item in asked if not item.question.answerable]
    asserted = _of(asked, ReplyOutcome.ASSERTED)
    hedged = _of(asked, ReplyOutcome.HEDGED)
    shown = sum(item.shown for item in answerable)
    times = sorted(item.elapsed_ms for item in asked) or [0.0]
    return {
        "answerable": len(answerable),
        "near_misses": len(near),
        "recall@1": _share(sum(item.among(1) for item in answerable), len(answerable)),
        "recall@5": _share(sum(item.among(5) for item in answerable), len(answerable)),
        "shown": shown,
        "shown_share": _share(shown, len(answerable)),
        "asserted": len(asserted),
        "asserted_right": sum(item.right for item in asserted),
        "asserted_precision": _share(sum(item.right for item in asserted), len(asserted)),
        "asserted_shown": sum(item.shown for item in asserted),
        "hedged": len(hedged),
        "hedged_right": sum(item.right for item in hedged),
        "hedged_shown": sum(item.shown for item in hedged),
        "near_misses_asserted": len(_of(near, ReplyOutcome.ASSERTED)),
        "near_misses_hedged": len(_of(near, ReplyOutcome.HEDGED)),
        "silent": sum(item.silent for item in asked),
        "p50_ms": round(percentile(times, 0.5), 1),
    }


def _of(asked: Sequence[AskedReply], outcome: ReplyOutcome) -> list[AskedReply]:
    return [item for item in asked if item.outcome is outcome]


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


COLUMNS = (
    ("answerable", "answerable"),
    ("recall@1", "recall@1"),
    ("recall@5", "recall@5"),
    ("shown", "shown_share"),
    ("asserted", "asserted"),
    ("precision", "asserted_precision"),
    ("with sentence", "asserted_shown"),
    ("hedged", "hedged"),
    ("right", "hedged_right"),
    ("with sentence", "hedged_shown"),
    ("near misses", "near_misses"),
    ("asserted", "near_misses_asserted"),
    ("hedged", "near_misses_hedged"),
)


def render(found: Report) -> str:
    """Write the figures as a table, a row for each category."""
    named = {**found["by_category"], ALL: found[ALL]}
    rows = [("", *(name for name, _ in COLUMNS))]
    rows += [(name, *(_cell(item[key]) for _, key in COLUMNS)) for name, item in named.items()]
    lost = f"; {found['not_asked']} could not be asked" if found["not_asked"] else ""
    return f"{table(rows)}\nhalf of them within {found[ALL]['p50_ms']:.0f} ms{lost}"


def _cell(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def misses(asked: Sequence[AskedReply]) -> Iterator[str]:
    """Tell every answerable question that was not shown its sentence, and every wrong assertion."""
    for item in asked:
        question, response = item.question, item.response
        wrong = item.outcome is ReplyOutcome.ASSERTED and not item.right
        if not wrong and (item.shown or not question.answerable):
            continue
        places = (at for at, path in enumerate(item.found, 1) if question.is_answered_by(path))
        place = next(places, None)
        reason = f" ({response.refusal_reason})" if response.refusal_reason else ""
        yield (
            f"{question.id} [{question.category}] {item.outcome}{reason}: {question.query}\n"
            f"    answers: {', '.join(question.documents) or 'nothing'};"
            f" found as {place or 'none'}\n"
            f"    cited:   {', '.join(source.location for source in response.sources) or 'nothing'}"
        )


WARM_UP = OwnQuestion(query="How do we warm up?", id="warm-up")


def main() -> int:
    """Ask, print and write the figures."""
    options = _options()
    results = asyncio.run(_measured(options))
    write_json({"version": __version__, **results}, options.json)
    compared = results.get("without_embedder")
    return FAILED if compared and not compared["passed"] else DONE


async def _measured(options: argparse.Namespace) -> dict[str, Report]:
    questions = load(options.questions)
    if not options.documents.is_dir():
        raise OSError(f"{options.documents} is no folder")
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(_wiring(Path(folder) / "own.sqlite", options.vocabulary)) as wiring,
    ):
        await wiring.fill_index([options.documents])
        found = {"figures": await _asked(wiring.pipeline, questions, options)}
        if options.without_embedder:
            print("without the embedder")
            away = degraded.without_embedder(wiring.pipeline)
            without = await _asked(away, questions, options)
            before, after = (each[ALL] for each in (found["figures"], without))
            compared = degraded.beside(
                before["shown_share"] or 0.0, after["shown_share"] or 0.0, after["silent"]
            )
            print(degraded.told(compared))
            found |= {"figures_without": without, "without_embedder": compared}
    return found


def _wiring(index: Path, vocabulary: Path) -> Wiring:
    config = configuration.load().naming("index", kind="sqlite", path=index, sources=[])
    named = config.naming(
        "terminology",
        kind="skos_file",
        files=[vocabulary],
        name=vocabulary.stem,
        skosmos=None,
    )
    # An embedder that is switched off is no news.
    return Wiring(named.model_copy(update={"log_level": "ERROR"}))


async def _asked(
    pipeline: Pipeline, questions: Sequence[OwnQuestion], options: argparse.Namespace
) -> Report:
    # The first question loads the models; that is not its latency.
    await ask_all(pipeline, [WARM_UP])
    asked, not_asked = await ask_all(pipeline, questions)
    found = report(asked, not_asked=len(not_asked))
    print(render(found))
    for line in misses(asked) if options.misses else ():
        print(line)
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    demo, asked = ROOT / "data" / "knowledge", QUESTIONS / "own_demo.jsonl"
    add("--documents", type=Path, default=demo, metavar="FOLDER", help="what is asked about")
    add("--questions", type=Path, default=asked, metavar="FILE", help="JSON lines, as above")
    add("--vocabulary", type=Path, default=VOCABULARY, metavar="FILE", help="the terms, in SKOS")
    add(
        "--without-embedder",
        action="store_true",
        help="ask once more as while the embedding model is away, and compare what is shown",
    )
    add("--misses", action="store_true", help="list what was not shown, or wrongly asserted")
    add("--json", type=Path, metavar="FILE", help="where to write the figures as JSON")
    return parser.parse_args()
