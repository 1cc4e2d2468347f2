"""A step on the way of a question, told in words: what it says of itself, and what it measured."""

from __future__ import annotations

from typing import NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.domain.refusal import GateReading
from elysia_guard.domain.remark import Remark
from elysia_guard.domain.response import TraceStep
from elysia_guard.language.catalogue import has, say

AT_MOST = frozenset({"distance"})
"""Gates that let through what measures no more than the limit; the others, no less."""


class Measured(NamedTuple):
    """What a gate measured, in words; ``value`` and ``limit`` are empty where it counts nothing."""

    name: str
    value: str
    limit: str


def stage(step: TraceStep, lang: Lang) -> str:
    """Name a stage; one that nobody has named keeps its own name."""
    key = f"page.stage_{step.stage}"
    return say(lang, key) if has(key) else step.stage


def told(step: TraceStep, lang: Lang) -> tuple[str, ...]:
    """Return what a step says of itself, a sentence each; none where it says nothing in words."""
    said = (_said(item, lang) for item in step.remarks if has(f"trace.{item.key}"))
    return tuple(filter(None, said))


def noted(step: TraceStep, lang: Lang) -> str:
    """Return what a step says of itself on one line: in words, or else its note for programs."""
    return " ".join(told(step, lang)) or step.note


def measured(reading: GateReading, lang: Lang) -> Measured:
    """Return what a gate measured, and what would do."""
    key = f"trace.gate_{reading.gate}"
    name = say(lang, key) if has(key) else reading.gate
    if not isinstance(reading.value, int | float) or not isinstance(reading.threshold, int | float):
        return Measured(name, "", "")
    side = "at_most" if reading.gate in AT_MOST else "at_least"
    limit = say(lang, f"trace.{side}", limit=number(reading.threshold))
    return Measured(name, number(reading.value), limit)


def number(value: float) -> str:
    """Write a measure with three decimals at most: with two, 0.598 would look like 0.60.

    >>> number(0.6), number(0.598), number(3.0)
    ('0.60', '0.598', '3')
    """
    if float(value).is_integer():
        return str(int(value))
    short, long = f"{value:.2f}", f"{value:.3f}"
    return short if float(short) == float(long) else long


def _said(item: Remark, lang: Lang) -> str:
    named = {
        name: ", ".join(_named(key, lang) for key in keys) for name, keys in item.named.items()
    }
    values = {
        name: number(value) if isinstance(value, float) else value
        for name, value in item.values.items()
    }
    try:
        return say(lang, f"trace.{item.key}", **values, **named)
    except KeyError:
        # Kept by another version, whose message asked for less.
        return ""


def _named(key: str, lang: Lang) -> str:
    return say(lang, key) if has(key) else key.rpartition(".")[2]
