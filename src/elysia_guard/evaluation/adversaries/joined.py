"""Two right sentences joined to one that is wrong: a pronoun, or a condition, is another's then."""

from __future__ import annotations

from collections.abc import Iterator

from elysia_guard.evaluation.adversaries.ground import Ground, Line
from elysia_guard.evaluation.adversaries.told import Kind, Made
from elysia_guard.evaluation.adversaries.turned import evidence
from elysia_guard.evaluation.adversaries.words import words_of

_AROUND = 3
"""Words on either side of the joint that no source has so."""


def joined(ground: Ground) -> Iterator[Made]:
    """Join what begins with a pronoun to what is about another thing, or put it under an 'if'."""
    lines = ground.lines
    for line in ground.shuffled():
        at = lines.index(line)
        # What stands before a pronoun may be what it is for.
        others = [item for n, item in enumerate(lines) if n not in {at - 1, at}]
        for head, tail in ((other, line) for other in others if _is_turned(other, line)):
            text = f"{head.open} {tail.turning.data['joined']['and']} {_low(tail)}"
            yield Made(
                text=text,
                evidence=(*evidence(head), *evidence(tail)),
                kind=Kind.JOINED,
                original=tail.text,
                mark=_mark(head, tail),
            )


def _is_turned(head: Line, tail: Line) -> bool:
    """Whether the second says joined what it does not say by itself."""
    if head.lang != tail.lang or "," in tail.text:
        return False
    pronouns = head.turning.data["joined"]["pronouns"].split()
    first = words_of(tail.text)[0]
    leading = tuple(f"{word} " for word in head.turning.data["limits"]["leading"])
    is_limited = head.text.lower().startswith(leading) and "," in head.text
    return first in pronouns or (is_limited and first in head.turning.words("determiners"))


def _low(line: Line) -> str:
    return line.text[0].lower() + line.text[1:]


def _mark(head: Line, tail: Line) -> str:
    said = [*words_of(head.text)[-_AROUND:], tail.turning.data["joined"]["and"]]
    return " ".join([*said, *words_of(tail.text)[:_AROUND]])
