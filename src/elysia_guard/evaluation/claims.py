"""Sentences beside sources, labelled by people: what code tells of each, and how often rightly.

The sentences were written in pairs: the same sentence is supported by one source and contradicted
by its twin, or says nothing of it, so that the sentence alone does not tell.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from zlib import crc32

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elysia_guard.domain.claim import Claim, Proof, Proved, Support, Told
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.question import Lang
from elysia_guard.evaluation.golden import Split
from elysia_guard.ports import WordChances, WordLikeness
from elysia_guard.stages.verification.claims import prove

RIGHT_IN_HUNDRED = 95
"""How often the scripted second opinion is right."""
_TWIN = "b"


class ClaimSetError(GuardError):
    """The sentences cannot be used; the message names file, line and value."""


class Label(StrEnum):
    """What a source does to a sentence."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    PARTLY = "partly"
    """Some of it is supported, and the rest is not."""


class ClaimCase(BaseModel):
    """A sentence, a source, and what the one does to the other."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^[a-z]{2}-\d{3,}$")]
    source_id: Annotated[str, Field(min_length=1)]
    lang_source: Lang
    lang_sentence: Lang
    source: Annotated[str, Field(min_length=1)]
    sentence: Annotated[str, Field(min_length=1)]
    label: Label
    kind: Annotated[str, Field(min_length=1)]

    @property
    def group(self) -> str:
        """The source and its twin, which are left out of a fit together."""
        return self.source_id.removesuffix(_TWIN)

    @property
    def supported(self) -> bool:
        """Whether it may be shown."""
        return self.label is Label.SUPPORTED

    @property
    def told(self) -> Told:
        """The source as a model would be told it."""
        return Told(text=self.source, lang=self.lang_source)

    def claim(self, number: int = 1) -> Claim:
        """Return the sentence, resting on all of the source of some number."""
        return Claim(text=self.sentence, supports=(Support(source=number, words=self.source),))


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimOutcome:
    """What code told of a sentence."""

    case: ClaimCase
    proved: Proved

    @property
    def shown(self) -> bool:
        """Whether it is shown by code alone."""
        return self.proved.proof is Proof.HOLDS

    @property
    def shown_with_opinion(self) -> bool:
        """Whether it is shown where a second opinion, right in 95 of 100, decides what is open."""
        if self.proved.proof is not Proof.OPEN:
            return self.shown
        is_right = crc32(self.case.id.encode()) % 100 < RIGHT_IN_HUNDRED
        return self.case.supported is is_right


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """Of how many sentences which share holds, stays open, fails, and is shown in the end."""

    count: int
    holds: float
    open: float
    fails: float
    with_opinion: float


def load(folder: Path, splits: Iterable[Split]) -> list[ClaimCase]:
    """Read the sentences of some halves (one file of JSON lines each); ids are unique.

    Raises:
        ClaimSetError: a file cannot be read, or a line is no such sentence.
    """
    cases = [case for split in splits for case in _read(folder / f"{split.value}.jsonl")]
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise ClaimSetError(f"{folder}: the id {case.id} is used twice")
        seen.add(case.id)
    return cases


def _read(path: Path) -> list[ClaimCase]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise ClaimSetError(f"{path}: cannot be read: {err}") from err
    cases = []
    for number, line in enumerate(lines, start=1):
        try:
            cases.append(ClaimCase.model_validate(json.loads(line)))
        except (json.JSONDecodeError, ValidationError) as err:
            raise ClaimSetError(f"{path}:{number}: {err}") from err
    return cases


async def judge(case: ClaimCase, *, alike: WordLikeness, chances: WordChances) -> ClaimOutcome:
    """Let code tell of a sentence, as it would of one that a model wrote."""
    proved = await prove(
        case.claim(),
        [case.told],
        question="",
        lang=case.lang_sentence,
        alike=alike,
        chances=chances,
    )
    return ClaimOutcome(case=case, proved=proved)


def rates(outcomes: Sequence[ClaimOutcome]) -> Rates:
    """Count what became of some sentences."""
    count = max(len(outcomes), 1)

    def share(which: Callable[[ClaimOutcome], bool]) -> float:
        return sum(map(which, outcomes)) / count

    return Rates(
        count=len(outcomes),
        holds=share(lambda each: each.proved.proof is Proof.HOLDS),
        open=share(lambda each: each.proved.proof is Proof.OPEN),
        fails=share(lambda each: each.proved.proof is Proof.FAILS),
        with_opinion=share(lambda each: each.shown_with_opinion),
    )


def rates_by(
    outcomes: Sequence[ClaimOutcome], key: Callable[[ClaimCase], str]
) -> dict[str, tuple[Rates, Rates]]:
    """Return, by something of a sentence, the rates of the supported and of all others."""
    names = sorted({key(each.case) for each in outcomes})
    return {
        name: (
            rates([e for e in outcomes if key(e.case) == name and e.case.supported]),
            rates([e for e in outcomes if key(e.case) == name and not e.case.supported]),
        )
        for name in names
    }


def told_apart(outcomes: Sequence[ClaimOutcome]) -> float:
    """Return the AUC: how often a supported sentence is put above another one, a tie half."""
    order = {Proof.FAILS: 0, Proof.OPEN: 1, Proof.HOLDS: 2}
    good = [order[each.proved.proof] for each in outcomes if each.case.supported]
    bad = [order[each.proved.proof] for each in outcomes if not each.case.supported]
    return auc(good, bad)


def auc(good: Sequence[float], bad: Sequence[float]) -> float:
    """Return how often one of the first is above one of the others, a tie half; 0.5 of none."""
    if not good or not bad:
        return 0.5
    above = sum((one > other) + 0.5 * (one == other) for one in good for other in bad)
    return above / (len(good) * len(bad))


def limit_of(good: Sequence[float], *, kept: float) -> float:
    """Return the highest limit that leaves some share of the good, 0 to 1, at or above it."""
    return sorted(good)[int(len(good) * (1 - kept))] if good else 0.0


def caught(good: Sequence[float], bad: Sequence[float], *, kept: float) -> float:
    """Return which share of the others falls below the limit that keeps some share of the good."""
    if not good or not bad:
        return 0.0
    limit = limit_of(good, kept=kept)
    return sum(each < limit for each in bad) / len(bad)
