"""What the second embedder brings: documents found and sentences shown, without it and with it.

    python benchmarks/second_shown.py guard.yaml data/evaluation/golden_queries.jsonl
    python benchmarks/second_shown.py guard.yaml questions.jsonl   # of another corpus

Prints a row of a table for each setting, over one index that was filled with both models. Of the
golden set the tuning half alone is asked; questions over another corpus are as
``sentence_examples.of_file`` reads them, and those with ``near_miss`` have no answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.evaluation import golden, quotes
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.sentence_examples import Asked, of_file, of_golden
from elysia_guard.pipeline import Pipeline
from elysia_guard.wiring import Wiring

FIRST, AMONG = 1, 5
HEADER = (
    "| questions | second model | right document first | among five | right sentence shown "
    "| near misses hedged | asserted |\n| --- | --- | --- | --- | --- | --- | --- |"
)


class Questions(NamedTuple):
    """Questions whose answering sentence is known, and texts that nothing answers."""

    answered: Sequence[Asked]
    near_misses: Sequence[str]


def of(path: Path) -> Questions:
    """Read the tuning half of a golden set, or questions over another corpus."""
    lines = list(map(json.loads, path.read_text("utf-8").splitlines()))
    if "expected" in lines[0]:
        cases = golden.load(path).select(Split.TUNING)
        near = [case.query for case in cases if case.expected.abstain]
        return Questions(of_golden(cases, path.stem), near)
    near_ids = {line["id"] for line in lines if line.get("near_miss")}
    answered = [item for item in of_file(path) if item.id not in near_ids]
    return Questions(answered, [line["query"] for line in lines if line["id"] in near_ids])


async def counted(pipeline: Pipeline, questions: Questions) -> Counter[str]:
    """Ask them all; count documents found, sentences shown, and near misses by outcome."""
    found: Counter[str] = Counter()
    for item in questions.answered:
        inquiry = await pipeline.begin(item.text, request_id=item.id, route="direct")
        reply = await pipeline.answer(inquiry)
        place = _place(inquiry, item)
        found["first"] += 0 < place <= FIRST
        found["among"] += 0 < place <= AMONG
        found["shown"] += quotes.holds(reply.answer, item.quote)
    for text in questions.near_misses:
        inquiry = await pipeline.begin(text, request_id="near", route="direct")
        found[(await pipeline.answer(inquiry)).outcome] += 1
    return found


def _place(inquiry: Inquiry, item: Asked) -> int:
    """The place, from 1, of the first document found that answers; 0 where none does."""
    found = (hit.passage.document for each in inquiry.every for hit in each.evidence.hits)
    named = (document for each in inquiry.every for document in each.evidence.documents)
    documents = {document.id: document for document in (*found, *named)}
    places = (at for at, each in enumerate(documents.values(), start=1) if item.answers(each))
    return next(places, 0)


def row(name: str, setting: str, questions: Questions, found: Counter[str]) -> str:
    """One row of the table."""
    shares = " | ".join(
        f"{found[key]} of {len(questions.answered)}" for key in ("first", "among", "shown")
    )
    near = len(questions.near_misses)
    outcomes = (ReplyOutcome.HEDGED, ReplyOutcome.ASSERTED)
    told = " | ".join(f"{found[outcome]} of {near}" for outcome in outcomes)
    return f"| {name} | {setting} | {shares} | {told} |"


def main() -> None:
    """Ask without the second model and with it, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", type=Path, help="of a guard with 'second_embedder'")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--name", default="", help="how the row calls the questions")
    given = parser.parse_args()
    wiring, questions = Wiring.load(given.config), of(given.questions)
    if wiring.second_embedder is None:
        parser.error(f"{given.config} configures no 'second_embedder'")
    print(HEADER)
    for setting in ("off", "on"):
        second = wiring.second_embedder if setting == "on" else None
        pipeline = replace(wiring.pipeline, second_embedder=second)
        found = asyncio.run(counted(pipeline, questions))
        print(row(given.name or given.questions.stem, setting, questions, found), flush=True)
    wiring.close()


if __name__ == "__main__":
    main()
