"""A step on the way of a question, told in English: its stage, its sentences, what it measured."""

from __future__ import annotations

from typing import NamedTuple

from elysia_guard.domain.refusal import GateReading
from elysia_guard.domain.response import TraceStep

TITLE = "How it came about"
AT_MOST = frozenset({"distance"})
"""Gates that let through what measures no more than the limit; the others, no less."""
STAGES = {
    "spelling": "Mistyped words",
    "router": "What the question asks",
    "tools": "Other tools",
    "terminology": "The vocabulary",
    "retrieval": "The documents",
    "planning": "What a language model would look for",
    "pointing": "What a language model points at",
    "gates": "The gates",
    "answer": "What is shown",
    "verification": "Held against the sources",
    "mentions": "Where it is mentioned",
    "suggestions": "Ways on",
    "cache": "Kept answer",
}
GATES = {
    "no_results": "How many were found",
    "distance": "How far it is in meaning (zero is the same)",
    "term_coverage": "How much of the question it speaks of (one is all)",
    "confidence": "The chance that it answers (one is certain)",
    "terminology": "One concept of the vocabulary tells it",
    "metadata": "The documents state it",
    "entity_existence": "The document exists",
    "restriction": "The documents let it be checked",
    "index": "The documents could be asked",
    "answer_type": "What would be shown tells what is asked for",
    "pointing": "What a language model says of the units",
    "shape": "How often such answers were right",
}


class Measured(NamedTuple):
    """What a gate measured, in words; ``value`` and ``limit`` are empty where it counts nothing."""

    name: str
    value: str
    limit: str

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.name}: {self.value} ({self.limit})" if self.value else self.name


def stage(step: TraceStep) -> str:
    """Name a stage; one that nobody has named keeps its own name."""
    return STAGES.get(step.stage, step.stage)


def took(step: TraceStep) -> str:
    """Say how long a step took, in milliseconds."""
    return f"{step.elapsed_ms:.1f} ms"


def told(step: TraceStep) -> tuple[str, ...]:
    """Return what a step says of itself, a sentence each; its note for programs if nothing else."""
    return step.remarks or (step.note,)


def measured(reading: GateReading) -> Measured:
    """Return what a gate measured, and what would do."""
    name = GATES.get(reading.gate, reading.gate)
    if not isinstance(reading.value, int | float) or not isinstance(reading.threshold, int | float):
        return Measured(name, "", "")
    side = "at most" if reading.gate in AT_MOST else "at least"
    return Measured(name, number(reading.value), f"{side} {number(reading.threshold)}")


def number(value: float) -> str:
    """Write a measure with three decimals at most: with two, 0.598 would look like 0.60.

    >>> number(0.6), number(0.598), number(3.0)
    ('0.60', '0.598', '3')
    """
    if float(value).is_integer():
        return str(int(value))
    short, long = f"{value:.2f}", f"{value:.3f}"
    return short if float(short) == float(long) else long
