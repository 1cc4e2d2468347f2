"""All the ways to invent, by name, and the making of sentences that are sure to be invented."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from elysia_guard.evaluation.adversaries import invented, joined, swapped, turned
from elysia_guard.evaluation.adversaries.ground import Ground
from elysia_guard.evaluation.adversaries.invented import Maker
from elysia_guard.evaluation.adversaries.told import Kind, Made
from elysia_guard.evaluation.adversaries.words import words_of

MAKERS: Mapping[Kind, Maker] = MappingProxyType(
    {
        Kind.NUMBER: turned.number,
        Kind.INVENTED_NUMBER: invented.number,
        Kind.DATE: turned.date,
        Kind.UNIT: turned.unit,
        Kind.NEGATION: turned.negation,
        Kind.MODALITY: turned.modality,
        Kind.ACTORS: swapped.actors,
        Kind.CONDITION: turned.condition,
        Kind.HALF: turned.half,
        Kind.OUTSIDE: invented.known,
        Kind.WRONG_SOURCE: invented.wrong_source,
        Kind.ELSEWHERE: invented.elsewhere,
        Kind.NAME: invented.name,
        Kind.ROLE: invented.role,
        Kind.IDENTIFIER: invented.identifier,
        Kind.QUOTATION: invented.quotation,
        Kind.STATUS: invented.status,
        Kind.REASON: invented.reason,
        Kind.SCOPE: turned.scope,
        Kind.COMPARATIVE: turned.comparative,
        Kind.PRESUPPOSITION: invented.presupposition,
        Kind.JOINED: joined.joined,
        Kind.OBEYED: invented.obeyed,
    }
)
CUT = frozenset({Kind.CONDITION, Kind.HALF})
"""Their words stand in the source, one after the other; what is left out does not."""


def made(ground: Ground, kinds: Sequence[Kind], *, most: int) -> tuple[Made, ...]:
    """Make up to so many sentences of some kinds, one of each in turn; none twice.

    A kind is passed over where the sources offer nothing to turn.
    """
    left: list[Iterator[Made]] = [_sure(ground, kind) for kind in kinds]
    found: dict[str, Made] = {}
    while left and len(found) < most:
        for making in list(left):
            item = next(making, None)
            if item is None:
                left.remove(making)
            elif len(found) < most:
                found.setdefault(item.text, item)
    return tuple(found.values())


def _sure(ground: Ground, kind: Kind) -> Iterator[Made]:
    """Yield the sentences of a kind that no source says."""
    for item in MAKERS[kind](ground):
        if kind in CUT:
            if not _stands_alone(ground, item):
                yield item
        # An order may hold the words that it wants to hear: as an order, no source says them.
        elif kind is Kind.OBEYED or not (ground.says(item.text) or ground.says(item.mark)):
            yield item


def _stands_alone(ground: Ground, item: Made) -> bool:
    """Tell whether a source says half a sentence elsewhere, without what was left out."""
    half, whole = (" ".join(words_of(text)) for text in (item.text, item.original))
    rest = ground.told.replace(f" {whole} ", " \n ")
    return f" {half} " in rest
