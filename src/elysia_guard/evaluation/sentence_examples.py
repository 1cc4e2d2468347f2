"""Questions whose answering sentence is known, with every sentence that a reply may choose from."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.document import Document
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import aspect_of, topic_of
from elysia_guard.evaluation import quotes
from elysia_guard.evaluation.golden import Case
from elysia_guard.evaluation.logistic import Array
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.answering.measures import measured
from elysia_guard.stages.answering.wanted import Wanted


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question, which documents answer it, and the sentences that do, one a line."""

    id: str
    corpus: str
    text: str
    quote: str
    answers: Callable[[Document], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """The sentences found for a question: a row of measures each, whether it answers, its document.

    ``compared`` tells whether they were compared by meaning. ``right`` marks the sentences of
    documents that answer.
    """

    id: str
    corpus: str
    group: str
    compared: bool
    rows: Array
    answers: NDArray[np.bool_]
    right: NDArray[np.bool_]


def of_golden(cases: Iterable[Case], corpus: str) -> list[Asked]:
    """Take the answerable questions of a golden set that name the sentence."""
    return [
        Asked(
            id=case.id,
            corpus=corpus,
            text=case.query,
            quote=case.expected.quote,
            answers=_by_id(case.expected.doc_ids),
        )
        for case in cases
        if case.expected.quote and not case.expected.abstain
    ]


def of_file(path: Path) -> list[Asked]:
    """Read questions over another corpus, a JSON object a line.

    Each has ``id``, ``corpus``, ``query``, ``documents`` (paths, or ends of them) and ``answer``
    (sentences, word for word); one without an answer is left out.

    Raises:
        GuardError: a line is none.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            item = json.loads(line)
            if item["answer"]:
                found.append(
                    Asked(
                        id=item["id"],
                        corpus=item["corpus"],
                        text=item["query"],
                        quote="\n".join(item["answer"]),
                        answers=_by_path(tuple(item["documents"])),
                    )
                )
        except (ValueError, KeyError, TypeError) as err:
            raise GuardError(f"{path}:{number}: not a question with its answer: {err!r}") from err
    return found


async def examples(pipeline: Pipeline, asked: Iterable[Asked]) -> AsyncIterator[Example]:
    """Ask each question, and measure the sentences of what is found; nothing where none answers.

    A question of several parts is left out: which part the sentence answers is not known.
    """
    for item in asked:
        inquiry = await pipeline.begin(item.text, request_id=item.id, route="direct")
        await pipeline.gather(inquiry)
        if not inquiry.further and (example := _example(item, inquiry)):
            yield example


def _example(item: Asked, inquiry: Inquiry) -> Example | None:
    asks, evidence = inquiry.asks, inquiry.evidence
    topic = topic_of(asks) or inquiry.question.text
    wanted = Wanted.of(topic, inquiry.question, evidence, aspect_of(asks))
    if evidence.matches or not wanted.terms.words:
        return None
    found = [each for hit in evidence.hits for each in measured(hit, wanted.sought)]
    right = np.array([item.answers(each.hit.passage.document) for each in found], dtype=bool)
    told = np.array([quotes.holds(each.text, item.quote) for each in found], dtype=bool)
    if not (right & told).any() or (right & told).all():
        return None
    first = found[int((right & told).argmax())].hit.passage.document
    return Example(
        id=item.id,
        corpus=item.corpus,
        group=first.id,
        compared=wanted.sought.spread is not None,
        rows=np.array([each.values for each in found], dtype=float),
        answers=right & told,
        right=right,
    )


def _by_id(ids: Sequence[str]) -> Callable[[Document], bool]:
    return lambda document: document.id in ids or document.name in ids


def _by_path(ends: Sequence[str]) -> Callable[[Document], bool]:
    return lambda document: any(
        document.path.endswith(end) or end.endswith(document.path) for end in ends
    )
