"""What a real model wrote, and what of that was shown: nobody knows beforehand what it invents.

A sentence that stands in a source word for word is none of its own. The others that are shown are
listed, for a person to read beside their sources.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from elysia_guard.evaluation.adversaries.ground import Ground
from elysia_guard.evaluation.adversaries.heard import heard
from elysia_guard.evaluation.adversaries.told import Made, Source
from elysia_guard.evaluation.adversaries.words import words_of

_HEAD = (
    "asked", "written on", "in its words", "replies", "of no form", "'no source answers'", "median",
)  # fmt: skip
_CITED = re.compile(r"\[[^\]]*\d[^\]]*\]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A sentence that a model wrote to a question.

    ``told``: a source says it word for word; ``proved``: some words that it names stand in the
    source that it names them of; ``shown``: a reader sees it.
    """

    question: str
    text: str
    told: bool
    proved: bool
    shown: bool


@dataclass(kw_only=True)
class Overheard:
    """The counts: of questions asked, written on and answered in the model's words; of its replies.

    ``formless`` replies were no JSON with sentences, ``denied`` ones said that no source answers.
    """

    asked: int = 0
    reached: int = 0
    written: int = 0
    replies: int = 0
    formless: int = 0
    denied: int = 0
    said: list[Said] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)

    def add(
        self, question: str, replies: Sequence[tuple[Sequence[Source], str]], shown: str
    ) -> None:
        """Count the replies to a question, each with the sources that it was told."""
        self.reached += 1
        for sources, text in replies:
            self.replies += 1
            reply = _object(text)
            if reply is None:
                self.formless += 1
            elif reply.get("can_answer") is False:
                self.denied += 1
            else:
                self.said += _said(question, reply, sources, shown)

    @property
    def own(self) -> list[Said]:
        """The sentences that no source says word for word, each once to a question."""
        return list({(s.question, s.text): s for s in self.said if not s.told}.values())


def markdown(told: Overheard) -> str:
    """Write the counts as two tables: of questions and replies, and of sentences."""
    every = list({(each.question, each.text): each for each in told.said}.values())
    copied, own = [each for each in every if each.told], told.own
    times = sorted(told.times_ms) or [0.0]
    counts = (told.asked, told.reached, told.written, told.replies, told.formless, told.denied)
    lines = [
        f"| {' | '.join(_HEAD)} |",
        f"|{' ---: |' * len(_HEAD)}",
        f"| {' | '.join(map(str, counts))} | {times[len(times) // 2] / 1000:.1f} s |",
        "",
        "| sentences | written | names words that stand in their source | shown |",
        "| --- | ---: | ---: | ---: |",
    ]
    for name, some in (("word for word in a source", copied), ("others", own)):
        proved, shown = (sum(each) for each in ([s.proved for s in some], [s.shown for s in some]))
        lines.append(f"| {name} | {len(some)} | {proved} | {shown} |")
    return "\n".join(lines)


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    rows = found.get("sentences") if isinstance(found, dict) else None
    return found if isinstance(rows, list) else None


def _said(
    question: str, reply: Mapping[str, Any], sources: Sequence[Source], shown: str
) -> Iterator[Said]:
    ground = Ground(question="", sources=sources, chance=random.Random(0))  # noqa: S311
    for row in reply["sentences"]:
        text = _CITED.sub("", str(row.get("text", ""))) if isinstance(row, dict) else ""
        if words_of(text):
            yield Said(
                question=question,
                text=" ".join(text.split()),
                told=ground.says(text),
                proved=any(_stands(each, sources) for each in row.get("evidence") or ()),
                shown=heard(Made(text=text), shown),
            )


def _stands(evidence: Any, sources: Sequence[Source]) -> bool:
    if not isinstance(evidence, dict):
        return False
    words = " ".join(words_of(str(evidence.get("words", ""))))
    named = [each for each in sources if each.id == evidence.get("source")]
    return bool(words) and any(f" {words} " in f" {' '.join(words_of(s.text))} " for s in named)
