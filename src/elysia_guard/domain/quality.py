"""How far an answer can be relied on, and what a reader is told of it, as IR0003 has it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

HIGH_CONFIDENCE = 0.85
MOST_HEDGED = HIGH_CONFIDENCE - 0.01
"""The most that an answer is held at which is not to be asserted, whatever the limits say."""
MEDIUM_CONFIDENCE = 0.60
FALLBACK_PENALTY = 0.8
UNGUIDED = frozenset({"llm_timeout", "llm_error"})
"""The fallbacks in which a model was asked in vain, and the rules did what they do without it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrievalQuality:
    """How far the evidence can be relied on; ``confidence_score`` is 0 to 1."""

    confidence_score: float
    confidence_level: Literal["high", "medium", "low"]
    fallback_active: bool
    fallback_reasons: tuple[str, ...]
    degraded: bool

    @classmethod
    def from_retrieval(cls, base_score: float, fallback_flags: tuple[str, ...]) -> RetrievalQuality:
        """Reduce the confidence by a fifth, once, when any fallback lessens what was found.

        That a model had nothing of use to say does not: what was found is judged as it is.
        """
        degraded = lessened(fallback_flags)
        score = base_score * FALLBACK_PENALTY if degraded else base_score
        return cls(
            confidence_score=round(score, 3),
            confidence_level=confidence_level(score),
            fallback_active=bool(fallback_flags),
            fallback_reasons=fallback_flags,
            degraded=degraded,
        )


def lessened(fallback_flags: Collection[str]) -> bool:
    """Tell whether any of the fallbacks lessens the evidence."""
    flags = set(fallback_flags)
    others = flags - UNGUIDED
    if others != flags:
        # An open breaker of another source comes with that source's own flag.
        others.discard("circuit_open")
    return bool(others)


def confidence_level(score: float) -> Literal["high", "medium", "low"]:
    """Name a confidence: high from 0.85, medium from 0.60, low below."""
    if score >= HIGH_CONFIDENCE:
        return "high"
    return "medium" if score >= MEDIUM_CONFIDENCE else "low"


@dataclass(frozen=True, kw_only=True, slots=True)
class TransparencyStatement:
    """A note on quality, and whether the reader should see it."""

    statement: str | None
    show_to_user: bool

    @classmethod
    def from_quality(cls, quality: RetrievalQuality) -> TransparencyStatement:
        """Explain degraded, weak and uncertain answers; say nothing about good ones."""
        if quality.degraded:
            reasons = ", ".join(quality.fallback_reasons)
            return cls(
                statement=f"This response uses simplified search ({reasons}). "
                "Results may be less comprehensive.",
                show_to_user=True,
            )
        if quality.fallback_active:
            reasons = ", ".join(quality.fallback_reasons)
            return cls(
                statement=f"A model was asked, and was of no help ({reasons}).",
                show_to_user=True,
            )
        if quality.confidence_level == "low":
            return cls(
                statement="Limited relevant information found. Consider rephrasing your question.",
                show_to_user=True,
            )
        if quality.confidence_level == "medium":
            return cls(
                statement="I cannot be sure that this answers your question; "
                "these are the sources that come nearest.",
                show_to_user=True,
            )
        return cls(statement=None, show_to_user=False)
