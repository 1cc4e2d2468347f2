"""How long code takes to prove sentences, read for the first time, and what of it is pauses.

The time is that of the processor: what else a machine does is no part of it. The words are known,
as those of an index are; of the texts nothing is remembered. Python's search for garbage goes on as
it would in a service, over all that this program holds, and its pauses are told apart.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from elysia_guard.evaluation.claims import ClaimCase
from elysia_guard.language.dates import dates
from elysia_guard.language.quantities import quantities
from elysia_guard.language.sentences import units
from elysia_guard.ports import WordChances, WordLikeness
from elysia_guard.stages.verification.claims import evidence, prove, said, spoken, tokens, traced

AT_ONCE = 5
_TEXTS = (
    said.read, tokens.tokens, spoken.spoken, evidence.parts_of, evidence.found_of, traced.begun,
    units, quantities, dates,
)  # fmt: skip
"""What remembers texts; to be forgotten before each measurement."""

Now = Callable[[], float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Timing:
    """Milliseconds of a processor for five sentences against five sources.

    ``p50`` and ``p95`` are over ``groups`` of five, with the pauses in which Python looks for
    garbage; ``p95_without`` is without them, and ``longest`` the longest one.
    """

    groups: int
    p50: float
    p95: float
    p95_without: float
    longest: float

    @property
    def told(self) -> str:
        """The figures in words."""
        return (
            f"five against five in {self.p50:.1f} ms, p95 {self.p95:.1f} ms over {self.groups} "
            f"groups ({self.p95_without:.1f} ms without the pauses in which Python looks for "
            f"garbage, the longest of {self.longest:.1f} ms)"
        )


async def timed(
    cases: Sequence[ClaimCase],
    *,
    alike: WordLikeness,
    chances: WordChances,
    now: Now = time.process_time,
) -> Timing:
    """Prove five sentences at a time, each resting on one of five different sources."""
    took, paused = [], []
    with _pauses(now) as pauses:
        for group in groups(cases):
            for remembered in _TEXTS:
                remembered.cache_clear()
            told = [case.told for case in group]
            pauses.clear()
            begun = now()
            for number, case in enumerate(group, start=1):
                await prove(
                    case.claim(number), told, question=case.sentence, lang=case.lang_sentence,
                    alike=alike, chances=chances,
                )  # fmt: skip
            took.append((now() - begun) * 1000)
            paused.append(sum(pauses) * 1000)
    without = [time_ - pause for time_, pause in zip(took, paused, strict=True)]
    return Timing(
        groups=len(took),
        p50=_at(took, 0.5),
        p95=_at(took, 0.95),
        p95_without=_at(without, 0.95),
        longest=max(paused, default=0.0),
    )


def groups(cases: Sequence[ClaimCase]) -> list[tuple[ClaimCase, ...]]:
    """Put sentences together in fives, in their order, no two of one source."""
    open_: list[list[ClaimCase]] = []
    for case in cases:
        fits = (
            group
            for group in open_
            if len(group) < AT_ONCE and all(case.source_id != each.source_id for each in group)
        )
        group = next(fits, None)
        if group is None:
            open_.append([case])
        else:
            group.append(case)
    return [tuple(group) for group in open_ if len(group) == AT_ONCE]


@contextmanager
def _pauses(now: Now) -> Iterator[list[float]]:
    """Note how long each search for garbage takes, in seconds."""
    found: list[float] = []
    begun = 0.0

    def note(phase: str, _info: Mapping[str, int]) -> None:
        nonlocal begun
        if phase == "start":
            begun = now()
        else:
            found.append(now() - begun)

    gc.callbacks.append(note)
    try:
        yield found
    finally:
        gc.callbacks.remove(note)


def _at(values: Sequence[float], share: float) -> float:
    """Return the value that some share of all, 0 to 1, is not above; 0 of none."""
    return sorted(values)[int(len(values) * share)] if values else 0.0
