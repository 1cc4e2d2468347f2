"""What a judge says of a passage: does it answer the question?"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """A judge's word on one passage. What it is worth is for a calibration to say.

    ``chance`` is what the judge puts it at, 0 to 1, that the passage answers. ``answers`` is its
    yes or no, and None from a judge that gives a mere score. ``sentence`` is the one that answers,
    verbatim, where the judge names one.

    Raises:
        ValueError: the chance is none.
    """

    chance: float
    answers: bool | None = None
    sentence: str = ""
    reasoning: str = ""

    def __post_init__(self) -> None:
        if not 0.0 <= self.chance <= 1.0:
            raise ValueError(f"a chance is from 0 to 1, and not {self.chance}")

    @classmethod
    def no(cls, reasoning: str) -> Judgement:
        """Return a 'no' that stands for a judgement which does not hold, and why."""
        return cls(chance=0.0, answers=False, reasoning=reasoning)
