"""Which side of a matter is asked for or told: what speaks for it, or what speaks against it.

A sentence is seen to tell a side by its label ('Bad: ...'), by the line that introduces its list
('Cons:') or by its heading; one without any is of neither. A word alone is a label ('Pros').
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cache, lru_cache

from elysia_guard.language.pack import either
from elysia_guard.language.pack_sections import Core, SideSection
from elysia_guard.language.phrases import compiled
from elysia_guard.language.sentences import is_item


class Side(StrEnum):
    """For or against."""

    GAIN = "gain"
    LOSS = "loss"


_LABEL = re.compile(r"^\W*(?P<label>[^:]{1,38}(?=:)|\w+(?=\W*\Z))")


@lru_cache(maxsize=1_000)
def side_asked(question: str) -> Side | None:
    """Return the side that a question asks for; None where it asks for none, or for both.

    >>> side_asked("What are the drawbacks of Kafka?")
    <Side.LOSS: 'loss'>
    """
    found = [side for side in Side if _asking()[side].search(question)]
    return found[0] if len(found) == 1 else None


def side_told(text: str, lead: str = "", heading: str = "") -> Side | None:
    """Return the side that a sentence is marked as telling.

    Args:
        text: the sentence; its own label decides before all else.
        lead: the line that introduces the list it stands in.
        heading: the nearest one above it.
    """
    labelled = _LABEL.match(text)
    marks = (labelled["label"] if labelled else "", lead, heading)
    sides = (_marked(mark) for mark in marks)
    return next((side for side in sides if side), None)


def sides_told(units: Iterable[tuple[str, str]]) -> Iterator[Side | None]:
    """Yield the side that each of some units is marked as telling, in reading order.

    Args:
        units: each with the nearest heading above it. An item that is but a label ('- Negative:')
            introduces those below it, as a line above a list does.
    """
    lead = ""
    for text, heading in units:
        below = is_item(text) and not text.rstrip().endswith(":")
        lead = lead if below else text
        yield side_told(text, lead if below else "", heading)


@lru_cache(maxsize=4_000)
def _marked(mark: str) -> Side | None:
    return next((side for side in Side if _labels()[side].match(mark)), None)


@cache
def _asking() -> dict[Side, re.Pattern[str]]:
    return _patterns(lambda section: section.asks, r"\b{}\b")


@cache
def _labels() -> dict[Side, re.Pattern[str]]:
    return _patterns(lambda section: section.labels, r"\W*{}\b")


def _patterns(
    role: Callable[[SideSection], Iterable[str]], frame: str
) -> dict[Side, re.Pattern[str]]:
    def of(side: Side) -> Callable[[Core], Iterable[str]]:
        return lambda core: role(getattr(core.sides, side.value))

    return {side: compiled(frame.format(either(of(side)))) for side in Side}
