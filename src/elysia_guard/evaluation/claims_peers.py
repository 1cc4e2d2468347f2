"""What others tell of the same labelled sentences: cosines, models, and programs that install.

Each gives a sentence beside its source a score, the higher the likelier supported. All are held to
one measure: at the limit that keeps 85 of 100 supported sentences, how many others fall below it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from elysia_guard.domain.claim import Proof
from elysia_guard.evaluation.claims import ClaimCase, ClaimOutcome, Label, auc, caught, limit_of
from elysia_guard.ports import Verifier

KEPT = 0.85
REFORMATTED = "date_format"
HEADER = (
    "who tells", "AUC", "AUC, contradicted", "supported kept", "others caught",
    "contradicted caught", "reformatted dates flagged", "ms a sentence",
)  # fmt: skip
ABSENT = "not installed"
_ORDER = {Proof.FAILS: 0.0, Proof.OPEN: 1.0, Proof.HOLDS: 2.0}


@dataclass(frozen=True, kw_only=True, slots=True)
class Peer:
    """Who tells, and its score of each sentence; without scores it is not installed.

    ``flagged`` is its own yes or no to each, where it says one: whether it finds a fault. ``ms`` is
    what a sentence took it, in milliseconds of the processor; None where that says nothing.
    """

    name: str
    scores: Sequence[float] = ()
    flagged: Sequence[bool] | None = None
    ms: float | None = None


def by_code(outcomes: Sequence[ClaimOutcome]) -> Peer:
    """Put what fails below what is open, and that below what holds."""
    return Peer(
        name="code alone: what fails is caught",
        scores=[_ORDER[each.proved.proof] for each in outcomes],
        flagged=[each.proved.proof is Proof.FAILS for each in outcomes],
    )


def by_code_then(outcomes: Sequence[ClaimOutcome], peer: Peer) -> Peer:
    """Order what code leaves open by what somebody else tells of it; what fails stays below."""
    low, high = min(peer.scores), max(peer.scores)
    width = (high - low) or 1.0
    return Peer(
        name=f"code, and of what is open {peer.name}",
        scores=[
            _ORDER[each.proved.proof] + 0.5 * (score - low) / width
            for each, score in zip(outcomes, peer.scores, strict=True)
        ],
    )


async def by_opinion(name: str, verifier: Verifier, cases: Sequence[ClaimCase]) -> Peer:
    """Ask a second opinion about every sentence, one by one."""
    scores: list[float] = []
    begun = time.process_time()
    for case in cases:
        scores += await verifier([(case.sentence, case.source)], lang=case.lang_sentence)
    return Peer(name=name, scores=scores, ms=_ms(begun, len(cases)))


def by_grounded_check(cases: Sequence[ClaimCase]) -> Peer:
    """Ask ``grounded-check``: the share of exact details that are found, then of shared words."""
    try:
        import grounded
    except ImportError:
        return Peer(name="grounded-check")
    exact = {
        grounded.Kind.QUOTE,
        grounded.Kind.NUMBER,
        grounded.Kind.CITATION,
        grounded.Kind.ENTITY,
    }
    scores, flagged = [], []
    begun = time.process_time()
    for case in cases:
        told = [grounded.Source(path=Path("source"), raw=case.source)]
        found = grounded.verify(
            grounded.extract(case.sentence, kinds={*exact, grounded.Kind.SENTENCE}), told
        )
        words = [each.score or 0.0 for each in found.heuristic]
        scores.append(found.rate + sum(words) / max(len(words), 1))
        flagged.append(not found.passed)
    return Peer(
        name=f"grounded-check {grounded.__version__}",
        scores=scores,
        flagged=flagged,
        ms=_ms(begun, len(cases)),
    )


def _ms(begun: float, count: int) -> float:
    return (time.process_time() - begun) * 1000 / max(count, 1)


def rows(cases: Sequence[ClaimCase], peers: Sequence[Peer]) -> list[tuple[str, ...]]:
    """Write a row for each, as ``HEADER`` names its cells."""
    return [_row(cases, peer) for peer in peers]


def _row(cases: Sequence[ClaimCase], peer: Peer) -> tuple[str, ...]:
    if not peer.scores:
        return (peer.name, ABSENT, *[""] * (len(HEADER) - 2))
    scored = list(zip(cases, peer.scores, strict=True))

    def of(which: Callable[[ClaimCase], bool]) -> list[float]:
        return [score for case, score in scored if which(case)]

    good, bad = of(lambda case: case.supported), of(lambda case: not case.supported)
    turned = of(lambda case: case.label is Label.CONTRADICTED)
    limit = limit_of(good, kept=KEPT)
    kept = sum(each >= limit for each in good) / max(len(good), 1)
    ms = "" if peer.ms is None else f"{peer.ms:.1f}"
    return (
        peer.name,
        f"{auc(good, bad):.2f}",
        f"{auc(good, turned):.2f}",
        f"{kept:.3f}",
        f"{caught(good, bad, kept=KEPT):.3f}",
        f"{caught(good, turned, kept=KEPT):.3f}",
        _dates(cases, peer, limit),
        ms,
    )


def _dates(cases: Sequence[ClaimCase], peer: Peer, limit: float) -> str:
    """Say of how many supported sentences with a date in another form it is held a fault."""
    flagged = peer.flagged or [score < limit for score in peer.scores]
    found = [
        flag
        for case, flag in zip(cases, flagged, strict=True)
        if case.kind == REFORMATTED and case.supported
    ]
    return f"{sum(found)} of {len(found)}"
