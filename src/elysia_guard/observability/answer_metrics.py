"""What operators want to know of the answers that are kept: how often one is given again."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter

from elysia_guard.domain.events import AnswerKept, RecallEnded
from elysia_guard.observability.labels import MODES, Labelled

_OUTCOMES = {
    "hit": ("rag_answer_cache_hit", "Questions answered with an answer that was kept"),
    "shared": ("rag_answer_cache_shared", "Questions that waited for the answer to the same one"),
    "stale": ("rag_answer_cache_stale", "Answers that were kept, and whose sources have changed"),
    "miss": ("rag_answer_cache_miss", "Questions for which no answer was kept"),
}


class AnswerMetrics:
    """Counts by mode: each question for which an answer is looked for, under one outcome."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Count in a registry."""
        self._outcomes = {
            outcome: Labelled(Counter(name, text, ["mode"], registry=registry), MODES)
            for outcome, (name, text) in _OUTCOMES.items()
        }
        self._kept = Labelled(
            Counter("rag_answer_cache_kept", "Answers that were kept", ["mode"], registry=registry),
            MODES,
        )

    def recalled(self, event: RecallEnded) -> None:
        """Count what came of looking for an answer."""
        self._outcomes[event.outcome][event.mode].inc()

    def kept(self, event: AnswerKept) -> None:
        """Count an answer that is kept."""
        self._kept[event.mode].inc()
