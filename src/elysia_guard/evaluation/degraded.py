"""The embedder's absence: how much less is shown by words alone, and whether each reply says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation.regression import IncomparableError
from elysia_guard.evaluation.scoring import SEARCHED
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Embedder, by_form_alone

NOISE = 1e-9
MOST_LOST = 1 / 3
"""The share shown falls by less than this part of what it is with the embedder."""

Report = dict[str, Any]


class SwitchedOff:
    """An embedder that is away, whatever is asked of it."""

    def __init__(self, embedder: Embedder) -> None:
        self.model_id = embedder.model_id
        self.dimension = embedder.dimension

    async def embed(self, texts: Sequence[str]) -> NoReturn:
        """Refuse, as a model server does that is down."""
        raise SourceUnavailableError("the embedder is switched off", source="embeddings")

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> NoReturn:
        """Refuse, as a model server does that is down."""
        await self.embed([text])


def without_embedder(pipeline: Pipeline) -> Pipeline:
    """Return the same pipeline while its embedder is away."""
    return replace(pipeline, embedder=SwitchedOff(pipeline.embedder))


def without_models(pipeline: Pipeline) -> Pipeline:
    """Return the same pipeline where the model that knows words of like meaning is away too."""
    return replace(without_embedder(pipeline), alike=by_form_alone)


def says_so(response: RAGResponse) -> bool:
    """Tell whether a person who reads a reply is told that lesser means found it."""
    statement = response.transparency.statement or ""
    told = bool(statement) and (statement in response.answer or bool(response.unsaid))
    return response.fallback_mode and told


def count_silent(responses: Iterable[RAGResponse]) -> int:
    """Count the replies that searched without the embedder, and do not say so.

    What is known by identity, as a term or a listed document, needs no vector and has nothing to
    tell.
    """
    return sum(_searched(item) and not says_so(item) for item in responses)


def _searched(response: RAGResponse) -> bool:
    terms = [source.doc_type == "Vocabulary" for source in response.sources]
    looked = any(step.stage == "retrieval" for step in response.trace)
    return response.intent in SEARCHED and looked and not (terms and all(terms))


def beside(shown_with: float, shown_without: float, silent_replies: int) -> Report:
    """Hold a run without the embedder against one with it.

    Args:
        shown_with: the share of answerable questions that are shown the right passage, 0 to 1.
        shown_without: the same while the embedder is away.
        silent_replies: how many replies do not say that they were found by words alone.

    Returns:
        ``fall``, the part of the share that is lost; ``passed`` where it is less than a third and
        no reply is silent.
    """
    fall = (shown_with - shown_without) / shown_with if shown_with else 0.0
    return {
        "shown_with": shown_with,
        "shown_without": shown_without,
        "fall": round(fall, 4),
        "silent": silent_replies,
        "passed": fall < MOST_LOST - NOISE and not silent_replies,
    }


def runs_beside(without: Report, with_it: Report) -> Report:
    """Hold the results of a run without the embedder against those of one with it.

    Raises:
        IncomparableError: they asked other questions.
    """
    for group, name in (
        ("meta", "golden_set_hash"),
        ("setting", "split"),
        ("setting", "index_hash"),
    ):
        if without[group][name] != with_it[group][name]:
            called = name.replace("_", " ")
            raise IncomparableError(f"the {called}s of the two runs differ; measure both anew")
    before, after = (found["metrics"]["certainty"] for found in (with_it, without))
    silent_replies = without["metrics"]["silent_replies"]
    return beside(before["shown_share"], after["shown_share"], silent_replies)


def told(found: Report) -> str:
    """Say what the embedder's absence costs, in a line."""
    count = found["silent"]
    said = f"{count} replies do not say so" if count else "every reply says so"
    return (
        f"right passage shown: {found['shown_with']:.3f} with the embedder,"
        f" {found['shown_without']:.3f} without: {found['fall']:.1%} less"
        f" (a third is too much); {said}"
    )
