"""What a question costs, by its kind and by who answers: calls of a model, and their tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import RECORDED, Aspect
from elysia_guard.domain.reading import Asks, Comparison, Definition, Listing, Named, Search
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse


class Costed(StrEnum):
    """A kind of question, as it was read and answered."""

    TERM = "a term"
    LIST = "a list"
    NO_DOCUMENT = "refused: no such document"
    NO_TERM = "refused: no such term"
    FIELD = "a named document, or a field of it"
    MATTER = "a matter of a named document, or its reasons"
    SEARCH = "a search that is answered"
    REFUSED = "a search that is refused"
    COMPARISON = "a comparison"
    PARTS = "two parts"


FREE = frozenset({Costed.TERM, Costed.LIST, Costed.NO_DOCUMENT, Costed.NO_TERM, Costed.FIELD})
"""What no model is asked about."""

_BY_IDENTITY = {
    RefusalReason.ENTITY_NOT_FOUND: Costed.NO_DOCUMENT,
    RefusalReason.TERMINOLOGY_NOT_FOUND: Costed.NO_TERM,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """What one question took: calls, and the tokens of all prompts and of all that was written."""

    calls: int
    prompt: int
    written: int


def kind_of(inquiry: Inquiry, reply: RAGResponse) -> Costed | None:
    """Say of what kind a question is; None for small talk, and for what is asked back."""
    if inquiry.further:
        return Costed.PARTS
    if reply.refusal_reason in _BY_IDENTITY:
        return _BY_IDENTITY[reply.refusal_reason]
    asks = inquiry.part.asks
    if reply.refusal_reason and not reply.refused:
        return None
    return _of(asks, refused=reply.refused)


def _of(asks: Asks, *, refused: bool) -> Costed | None:
    match asks:
        case Comparison():
            return Costed.COMPARISON
        case Search():
            return Costed.REFUSED if refused else Costed.SEARCH
        case Definition():
            return None if refused else Costed.TERM
        case Listing():
            return Costed.LIST
        case Named() if len(asks.references) > 1:
            return Costed.COMPARISON
        case Named():
            said = bool(asks.matter) or asks.aspect is Aspect.CONTEXT
            return Costed.MATTER if said and asks.aspect not in RECORDED else Costed.FIELD
        case _:
            return None


Table = Sequence[tuple[Costed, Sequence[tuple[str, Sequence[Cost]]]]]
"""For each kind of question, by who answered: what each of them took."""


def markdown(table: Table) -> str:
    """Write the medians, a row for each kind; of calls the mean and the most too."""
    names = [name for name, _ in table[0][1]] if table else []
    head = ["kind", "questions", *(f"{name}: calls | tokens in | out" for name in names)]
    lines = [f"| {' | '.join(head)} |", f"| --- |{' ---: |' * (1 + 3 * len(names))}"]
    for kind, asked in table:
        cells = [cell for _, costs in asked for cell in _cells(costs)]
        lines.append(f"| {kind} | {len(asked[0][1])} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cells(costs: Sequence[Cost]) -> Iterator[str]:
    calls = [each.calls for each in costs]
    most = f" (up to {max(calls)})" if calls and max(calls) > median(calls) else ""
    yield f"{_middle(calls):g}{most}"
    yield f"{_middle([each.prompt for each in costs]):,.0f}"
    yield f"{_middle([each.written for each in costs]):,.0f}"


def _middle(values: Sequence[int]) -> float:
    return float(median(values)) if values else 0.0
