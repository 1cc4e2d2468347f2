"""The sentence that a judge names, where it holds, comes first."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.document import Hit, Passage
from elysia_guard.domain.evidence import Evidence

Chosen = list[tuple[Passage, str]]


def judged_first(
    chosen: Sequence[tuple[Passage, str]], hits: Sequence[Hit], evidence: Evidence
) -> Chosen:
    """Put what a judge found to answer before the sentences chosen otherwise: the surest first."""
    said = [
        (judged, hit.passage)
        for hit in hits
        if (judged := evidence.judged.get(hit.passage.id)) and judged.answers and judged.sentence
    ]
    said.sort(key=lambda item: -item[0].chance)
    named = [(passage, unit) for judged, passage in said for unit in judged.sentence.splitlines()]
    return [*named, *(item for item in chosen if item not in named)]
