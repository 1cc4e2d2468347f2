"""How a response is shown to a person at a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from elysia_guard.edge import steps
from elysia_guard.edge.cli.screen import Screen
from elysia_guard.edge.linking import by_document, emphasised, headline

if TYPE_CHECKING:
    from elysia_guard.domain.refusal import GateReading
    from elysia_guard.domain.response import RAGResponse, Source, TraceStep


class Ending(StrEnum):
    """How a question ended, in a word for the reader."""

    ANSWERED = "answered"
    HEDGED = "hedged"
    ASKED_BACK = "asked back"
    REFUSED = "refused"
    SMALL_TALK = "small talk"


STYLES = {
    Ending.ANSWERED: "bold green",
    Ending.HEDGED: "bold yellow",
    Ending.ASKED_BACK: "bold blue",
    Ending.REFUSED: "bold magenta",
    Ending.SMALL_TALK: "bold cyan",
}
ENDINGS = {
    "asserted": Ending.ANSWERED,
    "hedged": Ending.HEDGED,
    "clarified": Ending.ASKED_BACK,
    "refused": Ending.REFUSED,
    "conversed": Ending.SMALL_TALK,
}


def ending(response: RAGResponse) -> Ending:
    """Say how a question ended."""
    return ENDINGS[response.outcome]


def show(screen: Screen, response: RAGResponse, *, trace: bool = False) -> None:
    """Print how the reply is meant, the answer, its sources, and on request the way it took."""
    with screen.under(headline(response), STYLES[ending(response)]):
        screen.markdown(emphasised(response))
        for said in filter(None, (response.unsaid, response.verified)):
            screen.line()
            screen.line(said, "italic")
        if response.sources:
            screen.line()
            show_sources(screen, response.sources)
        if trace:
            show_trace(screen, response)


def show_sources(screen: Screen, sources: Sequence[Source], *, indent: int = 0) -> None:
    """Print each document: its numbers, identifier and title, sections, path or URI."""
    rows = []
    for found in by_document(sources):
        sections = dict.fromkeys(item.section for item in found)
        about = (_name(found[0]), ", ".join(filter(None, sections)), found[0].location)
        numbers = " ".join(f"[{item.n}]" for item in found)
        rows.append((numbers, " · ".join(filter(None, about))))
    screen.table(rows, styles=("dim", "dim"), indent=indent)


def _name(source: Source) -> str:
    """Name a source by identifier and title; a concept's identifier is its URI, shown elsewhere."""
    if source.is_elsewhere or source.title.startswith(source.doc_id):
        return source.title
    return f"{source.name} {source.title}"


def show_trace(screen: Screen, response: RAGResponse) -> None:
    """Print each stage with its time, and each gate with what it measured against what."""
    total = sum(step.elapsed_ms for step in response.trace)
    sure = f"confidence {response.retrieval_quality.confidence_score:.2f}"
    kind = (response.refusal_reason, response.intent, response.lang, response.route, sure)
    about = ", ".join(filter(None, (response.request_id, *kind, f"{total:.1f} ms")))
    screen.title(f"The way of the question ({about})")
    for step in response.trace:
        show_step(screen, step)
        show_readings(screen, step.readings)


def show_step(screen: Screen, step: TraceStep) -> None:
    """Print a stage with its time and its note."""
    row = (step.stage.ljust(12), f"{step.elapsed_ms:8.1f} ms", step.note)
    screen.table([row], styles=("cyan", "dim", ""), indent=2)


def show_readings(screen: Screen, readings: Sequence[GateReading]) -> None:
    """Print what each gate measured, against which limit, and what sets it."""
    if readings:
        rows = [("", "gate", "measured", "limit", "set by"), *map(_reading, readings)]
        screen.table(rows, styles=("bold", "", "bold", "", "dim"), indent=4)


def show_way(screen: Screen, response: RAGResponse) -> None:
    """Tell the way of a question in words."""
    screen.title(steps.TITLE)
    for step in response.trace:
        screen.line()
        screen.line(f"{steps.stage(step)} ({steps.took(step)})", "cyan")
        screen.table([(" ".join(steps.told(step)),)], styles=("",), indent=2)
        for reading in step.readings:
            row = (_mark(reading), str(steps.measured(reading)))
            screen.table([row], styles=("bold", ""), indent=2)


def _mark(reading: GateReading) -> str:
    return "✓" if reading.passed else "✗"


def _reading(reading: GateReading) -> tuple[str, str, str, str, str]:
    where = f"{reading.source}: {reading.reason}" if reading.reason else reading.source
    return _mark(reading), reading.gate, measure(reading.value), measure(reading.threshold), where


def measure(value: float | str | None) -> str:
    """Write a measure with three decimals: with two, 0.598 would look like a limit of 0.60."""
    if value is None:
        return "none"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
