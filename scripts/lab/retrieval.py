"""Measure what retrieval finds, and what the direct route makes of it, on questions of our own.

    python -m scripts.lab retrieval                       our own data, and the ESA corpus if here
    python -m scripts.lab retrieval --corpus own --split tuning --misses

Exit codes: 0 done, 1 less found than --min-recall, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from scripts.lab.corpora import (
    COULD_NOT_RUN,
    DONE,
    FAILED,
    QUESTIONS,
    ROOT,
    splits,
    table,
    write_json,
)

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError, SourceUnavailableError
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.evaluating import DirectRoute
from elysia_guard.evaluation import retrieval_set
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.metrics import percentile
from elysia_guard.evaluation.retrieval_set import RetrievalCase
from elysia_guard.evaluation.runner import WARM_UP, Asker
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Clock
from elysia_guard.wiring import Wiring

SHARED = ROOT.parent / "shared"
DIGITS = 4
Report = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrievalOutcome:
    """What a question brought: the documents found, best first, and the response.

    ``search_ms`` is the time until the evidence was there, ``answer_ms`` the whole direct route.
    """

    case: RetrievalCase
    ranking: tuple[str, ...]
    response: RAGResponse
    search_ms: float
    answer_ms: float

    @property
    def rank(self) -> int | None:
        """The place, from 1, of the first document that answers; None when none was found."""
        for place, document in enumerate(self.ranking, start=1):
            if document in self.case.documents:
                return place
        return None

    def found(self, k: int) -> bool:
        """Whether a document that answers is among the first ``k``."""
        return self.rank is not None and self.rank <= k

    def share_found(self, k: int) -> float:
        """The share of the documents that answer which is among the first ``k``."""
        return len({*self.ranking[:k]} & {*self.case.documents}) / len(self.case.documents)

    @property
    def answered(self) -> bool:
        """Whether there is an answer; a question back is none."""
        return self.response.refusal_reason is None

    @property
    def right(self) -> bool:
        """Whether it is answered from a document that answers."""
        cited = {source.doc_id for source in self.response.sources}
        return self.answered and bool(cited & {*self.case.documents})

    @property
    def wrong_answer(self) -> bool:
        """Whether it is answered though no document does, or from other documents only."""
        return self.answered and not self.right

    @property
    def wrong_refusal(self) -> bool:
        """Whether it is refused, or asked back, though a document answers."""
        return self.case.answerable and not self.answered


async def run(
    cases: Sequence[RetrievalCase],
    pipeline: Pipeline,
    asker: Asker,
    *,
    clock: Clock = time.perf_counter,
) -> tuple[list[RetrievalOutcome], list[RetrievalCase]]:
    """Ask every question, one after the other; return also those that could not be asked.

    Args:
        cases: the questions.
        pipeline: whose retrieval is measured, as it gathers evidence for the direct route.
        asker: the direct route over the same pipeline.
        clock: measures the latencies.
    """
    outcomes: list[RetrievalOutcome] = []
    not_run: list[RetrievalCase] = []
    for case in cases:
        try:
            outcomes.append(await _ask(case, pipeline, asker, clock))
        except GuardError as err:
            print(f"{case.id}: {err}", file=sys.stderr)
            not_run.append(case)
    return outcomes, not_run


async def _ask(
    case: RetrievalCase, pipeline: Pipeline, asker: Asker, clock: Clock
) -> RetrievalOutcome:
    request_id = f"eval-{case.id}"
    started = clock()
    response = await asker.ask(case.query, request_id=request_id)
    answered = clock()
    ranking = await rank(pipeline, case.query, request_id=request_id)
    return RetrievalOutcome(
        case=case,
        ranking=ranking,
        response=response,
        search_ms=(clock() - answered) * 1000,
        answer_ms=(answered - started) * 1000,
    )


async def rank(pipeline: Pipeline, query: str, *, request_id: str) -> tuple[str, ...]:
    """Return the ids of the documents that the pipeline finds for a question, best first.

    Nothing is found for a question that the router sends to the vocabulary alone: it counts as the
    miss that it is for whoever asked.

    Raises:
        GuardError: it could not be asked, or a source was down.
    """
    inquiry = await pipeline.begin(query, request_id=request_id, route="direct")
    if inquiry.verdict is None:
        await pipeline.gather(inquiry)
        pipeline.judge(inquiry)
    found: list[str] = []
    for part in inquiry.every:
        evidence = part.evidence
        if evidence.missing:
            names = ", ".join(failure.source for failure in evidence.missing)
            raise SourceUnavailableError(f"{names} could not be asked", source=names)
        hits = part.decided().ranking or evidence.hits
        found += [hit.passage.document.id for hit in hits]
        found += [document.id for document in evidence.documents]
    return tuple(dict.fromkeys(found))


def report(outcomes: Sequence[RetrievalOutcome], not_run: int, *, k: int) -> Report:
    """Put the figures of some questions together: all of them, by language pair and by kind."""
    return {
        "k": k,
        "could_not_run": not_run,
        "all": figures(outcomes, k=k),
        "by_pair": _grouped(outcomes, lambda case: case.pair, k=k),
        "by_kind": _grouped(outcomes, lambda case: case.kind.value, k=k),
    }


def figures(outcomes: Sequence[RetrievalOutcome], *, k: int) -> Report:
    """Measure some questions; a rate of no question is None.

    ``recall``: the share of answerable questions with a document that answers among the first k.
    ``documents_found``: the mean share of a question's answering documents among the first k.
    ``mrr``: the mean of 1 / place of the first document that answers, 0 when none was found.
    ``nothing_found``: answerable questions for which no document at all was gathered.
    ``wrong_refusals``: answerable questions refused or asked back. ``wrong_answers``: answers to
    what no document answers (``answered_unanswerable``), or from other documents only.
    """
    answerable = [item for item in outcomes if item.case.answerable]
    unanswerable = [item for item in outcomes if not item.case.answerable]
    return {
        "questions": len(outcomes),
        "answerable": len(answerable),
        "recall": _mean([float(item.found(k)) for item in answerable]),
        "documents_found": _mean([item.share_found(k) for item in answerable]),
        "mrr": _mean([1 / item.rank if item.rank else 0.0 for item in answerable]),
        "nothing_found": sum(not item.ranking for item in answerable),
        "right_answers": sum(item.right for item in answerable),
        "wrong_refusals": sum(item.wrong_refusal for item in answerable),
        "wrong_answers": sum(item.wrong_answer for item in outcomes),
        "answered_unanswerable": sum(item.wrong_answer for item in unanswerable),
        "search_ms": _latency([item.search_ms for item in outcomes]),
        "answer_ms": _latency([item.answer_ms for item in outcomes]),
    }


def _grouped(
    outcomes: Sequence[RetrievalOutcome], key: Callable[[RetrievalCase], str], *, k: int
) -> dict[str, Report]:
    names = sorted({key(item.case) for item in outcomes})
    return {
        name: figures([item for item in outcomes if key(item.case) == name], k=k) for name in names
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), DIGITS) if values else None


def _latency(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times) or [0.0]
    return {
        "p50": round(percentile(ordered, 0.50), 1),
        "p95": round(percentile(ordered, 0.95), 1),
    }


def render(name: str, found: Report) -> str:
    """Write the figures of some questions as a table."""
    k, rates = found["k"], ("recall", "documents_found", "mrr")
    counts = ("right_answers", "wrong_refusals", "wrong_answers")
    rows: list[tuple[object, ...]] = [
        (name, "questions", f"recall@{k}", f"found@{k}", "MRR", *counts, "p50 ms", "p95 ms")
    ]
    for group, item in {**found["by_pair"], **found["by_kind"], "all": found["all"]}.items():
        shares = ("-" if item[key] is None else f"{item[key]:.3f}" for key in rates)
        times = (f"{item['answer_ms'][key]:.0f}" for key in ("p50", "p95"))
        rows.append((group, item["questions"], *shares, *(item[key] for key in counts), *times))
    return f"{table(rows)}\n{found['could_not_run']} could not run"


def failed(outcomes: Sequence[RetrievalOutcome], *, k: int) -> list[RetrievalOutcome]:
    """Return the questions that were not found, wrongly refused or wrongly answered."""
    return [
        item
        for item in outcomes
        if item.wrong_answer or item.wrong_refusal or (item.case.answerable and not item.found(k))
    ]


def render_failure(item: RetrievalOutcome, *, k: int) -> str:
    """Say what was asked, what answers it, and what was found and answered."""
    case, response = item.case, item.response
    cited = ", ".join(dict.fromkeys(source.doc_id for source in response.sources))
    said = f"answered from {cited or 'no document'}" if item.answered else response.refusal_reason
    return (
        f"{case.id} [{case.pair}, {case.kind}] {case.query}\n"
        f"    answers: {', '.join(case.documents) or 'nothing'}"
        f"{f' ({case.section})' if case.section else ''}\n"
        f"    found:   {', '.join(item.ranking[:k]) or 'nothing'}\n"
        f"    reply:   {said}"
    )


def main() -> int:
    """Measure each corpus, print and write its figures."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        results = {
            name: asyncio.run(_measured(name, documents, Path(folder), options))
            for name, documents in {"own": ROOT / "data" / "knowledge", "esa": options.esa}.items()
            if options.corpus in {name, "all"} and _is_there(name, documents)
        }
    write_json({"version": __version__, "corpora": results}, options.json)
    return _judged(results, options.min_recall)


def _is_there(name: str, documents: Path) -> bool:
    if not documents.is_dir():
        print(f"{name} is skipped: no folder {documents}", file=sys.stderr)
    return documents.is_dir()


async def _measured(
    name: str, documents: Path, folder: Path, options: argparse.Namespace
) -> Report:
    file = "retrieval.jsonl" if name == "own" else f"retrieval_{name}.jsonl"
    questions = retrieval_set.load(QUESTIONS / file)
    halves = splits(options.split)
    cases = [case for case in questions.cases if case.split in halves]
    beside = options.esa_vocabulary if name == "esa" and options.esa_vocabulary.exists() else None
    with closing(Wiring.load(index=folder / f"{name}.sqlite", vocabulary=beside)) as wiring:
        await wiring.fill_index([documents])
        asker = DirectRoute(wiring)
        # The first question loads the models; that is not its latency.
        await asker.ask(WARM_UP, request_id="eval-warm-up")
        outcomes, not_run = await run(cases, wiring.pipeline, asker)
        info = await wiring.index.info()
    named = {str(half): [half] for half in halves}
    if len(halves) > 1:
        named["both"] = halves
    found = {
        half: report(
            [item for item in outcomes if item.case.split in inside],
            sum(case.split in inside for case in not_run),
            k=options.k,
        )
        for half, inside in named.items()
    }
    for half, told in found.items():
        print(render(f"{name}, {half}", told))
    for item in failed(outcomes, k=options.k) if options.misses else ():
        if item.case.split is Split.TUNING:
            print(render_failure(item, k=options.k))
    return {
        "questions_hash": questions.blob_hash,
        "model_id": info.model_id,
        "documents": info.documents,
        "passages": info.passages,
        "halves": found,
    }


def _judged(results: dict[str, Report], minimum: float) -> int:
    if not results:
        raise GuardError("there is no corpus to measure")
    status = DONE
    for corpus, result in results.items():
        for half, found in result["halves"].items():
            recall = found["all"]["recall"] or 0.0
            if found["could_not_run"]:
                status = COULD_NOT_RUN
            elif recall < minimum:
                told = f"recall@{found['k']} is {recall:.4f}; at least {minimum} is wanted"
                print(f"error: {corpus}, {half}: {told}", file=sys.stderr)
                status = status or FAILED
    return status


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add: Callable[..., object] = parser.add_argument
    add("--corpus", choices=("own", "esa", "all"), default="all")
    add("--split", choices=("tuning", "held_out", "all"), default="all")
    add("--k", type=int, default=5, metavar="N", help="how many documents count as found")
    add("--min-recall", type=float, default=0.0, metavar="SHARE", help="less is a failure")
    add("--misses", action="store_true", help="list what went wrong in the tuning half")
    add("--json", type=Path, metavar="FILE", help="where to write the figures as JSON")
    add("--esa", type=Path, default=SHARED / "corpus" / "esa", metavar="PATH")
    add("--esa-vocabulary", type=Path, default=SHARED / "vocabulary", metavar="PATH")
    return parser.parse_args()
