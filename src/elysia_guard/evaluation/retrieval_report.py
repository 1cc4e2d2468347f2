"""The figures of a retrieval evaluation. None of them names a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from elysia_guard.evaluation.metrics import percentile
from elysia_guard.evaluation.retrieval_run import NotRun, Outcome
from elysia_guard.evaluation.retrieval_set import RetrievalCase

DIGITS = 4

Report = dict[str, Any]


def report(outcomes: Sequence[Outcome], not_run: Sequence[NotRun], *, k: int) -> Report:
    """Put the figures of some questions together: all of them, by language pair and by kind."""
    return {
        "k": k,
        "could_not_run": len(not_run),
        "all": figures(outcomes, k=k),
        "by_pair": _grouped(outcomes, lambda case: case.pair, k=k),
        "by_kind": _grouped(outcomes, lambda case: case.kind.value, k=k),
    }


def figures(outcomes: Sequence[Outcome], *, k: int) -> Report:
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
    outcomes: Sequence[Outcome], key: Callable[[RetrievalCase], str], *, k: int
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


def render(corpus: str, results: Mapping[str, Report]) -> str:
    """Write the figures of each half of a corpus as tables."""
    return "\n\n".join(_rendered(corpus, half, found) for half, found in results.items()) + "\n"


def _rendered(corpus: str, half: str, found: Report) -> str:
    total = found["all"]
    head = (
        f"{corpus}, {half}: {total['questions']} questions, "
        f"{total['answerable']} of them answerable; {found['could_not_run']} could not run"
    )
    if total["nothing_found"]:
        head += f"; no document gathered for {total['nothing_found']}"
    titles = (
        "",
        "questions",
        f"recall@{found['k']}",
        f"found@{found['k']}",
        "MRR",
        "right",
        "wrong refusals",
        "wrong answers",
        "p50 ms",
        "p95 ms",
    )
    rows = [titles, *_rows(found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join((head, *("  " + _line(row, widths) for row in rows)))


def _rows(found: Report) -> Iterator[tuple[str, ...]]:
    for group in ("by_pair", "by_kind"):
        for name, item in found[group].items():
            yield _row(name, item)
    yield _row("all", found["all"])


def _row(name: str, item: Report) -> tuple[str, ...]:
    rates = ("-" if item[key] is None else f"{item[key]:.3f}" for key in _RATES)
    counts = (str(item[key]) for key in _COUNTS)
    times = (f"{item['answer_ms'][key]:.0f}" for key in ("p50", "p95"))
    return (name, str(item["questions"]), *rates, *counts, *times)


_RATES = ("recall", "documents_found", "mrr")
_COUNTS = ("right_answers", "wrong_refusals", "wrong_answers")


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        text.ljust(width) if place == 0 else text.rjust(width)
        for place, (text, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join((first, *rest)).rstrip()


def failed(outcomes: Sequence[Outcome], *, k: int) -> list[Outcome]:
    """Return the questions that were not found, wrongly refused or wrongly answered."""
    return [
        item
        for item in outcomes
        if item.wrong_answer or item.wrong_refusal or (item.case.answerable and not item.found(k))
    ]


def render_failure(item: Outcome, *, k: int) -> str:
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
