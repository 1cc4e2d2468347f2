"""What a judge says of a passage: does it answer the question?"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """A judge's word on one passage. What it is worth is for a calibration to say.

    ``chance`` is what the judge puts it at, 0 to 1, that the passage answers. ``denies`` is its
    plain no; a judge that gives a mere score never says it.

    Raises:
        ValueError: the chance is none.
    """

    chance: float
    denies: bool = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.chance <= 1.0:
            raise ValueError(f"a chance is from 0 to 1, and not {self.chance}")
