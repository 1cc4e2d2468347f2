"""Sentences of a source in which who and whom, or what comes first, have changed places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from elysia_guard.evaluation.adversaries.ground import Ground, Line
from elysia_guard.evaluation.adversaries.told import Kind, Made
from elysia_guard.evaluation.adversaries.turned import evidence, marked
from elysia_guard.evaluation.adversaries.words import words_of

_WORD = re.compile(r"[^\W_][\w'’-]*")
Span = tuple[int, int]


def actors(ground: Ground) -> Iterator[Made]:
    """Swap the two of 'A is kept by B', of 'A tells the B', and of 'from A to B'."""
    for line in ground.shuffled():
        parts = line.open.split()
        for one, other in (*_passive(line, parts), *_active(line, parts), *_pairs(line, parts)):
            made = _swapped(line, parts, one, other)
            if made:
                yield made


def _passive(line: Line, parts: Sequence[str]) -> Iterator[tuple[Span, Span]]:
    swap = line.turning.data["swap"]
    at = next((n for n, part in enumerate(parts[:6]) if part in swap["by"]), 0)
    if not at or not _is_phrase(line, parts[:at]):
        return
    by = next((n for n in range(at + 1, min(at + 4, len(parts))) if parts[n] == swap["agent"]), 0)
    agent = _after(line, parts, by + 1) if by else None
    if agent:
        yield (0, at), agent


def _active(line: Line, parts: Sequence[str]) -> Iterator[tuple[Span, Span]]:
    verb = re.compile(rf"\w{{2,}}{line.turning.data['swap']['verb']}$")
    determiners = line.turning.words("determiners")
    for at in (2, 3):
        if len(parts) <= at + 2 or not _is_phrase(line, parts[:at]):
            continue
        says = parts[at]
        if not verb.match(says) or not says.islower() or says in line.turning.words("no_nouns"):
            continue
        whom = _after(line, parts, at + 1)
        if whom and parts[at + 1].lower() in determiners and parts[0].lower() in determiners:
            yield (0, at), whom


def _pairs(line: Line, parts: Sequence[str]) -> Iterator[tuple[Span, Span]]:
    for opening, joining in line.turning.data["swap"]["pairs"]:
        if not joining:
            continue
        for at in (n for n, part in enumerate(parts) if part == opening):
            one = _after(line, parts, at + 1)
            if one and one[1] < len(parts) and parts[one[1]] == joining:
                other = _after(line, parts, one[1] + 1)
                if other:
                    yield one, other


def _is_phrase(line: Line, parts: Sequence[str]) -> bool:
    """Tell whether words name one thing: an article at most, then nouns and what stands by them."""
    inner = parts[1:] if parts[0].lower() in line.turning.words("determiners") else parts
    dull = line.turning.words("no_nouns") | line.turning.words("determiners")
    return bool(inner) and all(_WORD.fullmatch(part) and part.lower() not in dull for part in inner)


def _after(line: Line, parts: Sequence[str], at: int) -> Span | None:
    """Return where the thing stands that is named from here on: an article and a word, or names."""
    determiners = line.turning.words("determiners")
    first = at + 1 if at < len(parts) and parts[at].lower() in determiners else at
    end = first
    while end < min(first + 3, len(parts)):
        part = parts[end].rstrip(",")
        name = part[:1].isupper()
        if part.lower() in line.turning.words("no_nouns") or not _WORD.fullmatch(part):
            break
        if end > first and not name:
            break
        end += 1
        if part != parts[end - 1]:
            break
    return (at, end) if end > first else None


def _swapped(line: Line, parts: Sequence[str], one: Span, other: Span) -> Made | None:
    first, second = " ".join(parts[slice(*one)]), " ".join(parts[slice(*other)]).rstrip(",")
    bare = [words_of(each)[-1] for each in (first, second)]
    if bare[0] == bare[1]:
        return None
    comma = "," if parts[other[1] - 1].endswith(",") else ""
    if one[0] == 0:
        lower = first[0].lower() + first[1:]
        first = lower if parts[0].lower() in line.turning.words("determiners") else first
        second = second[0].upper() + second[1:]
    said = [*parts[: one[0]], second, *parts[one[1] : other[0]], first + comma, *parts[other[1] :]]
    text = f"{' '.join(said)}."
    made = Made(text=text, evidence=evidence(line), kind=Kind.ACTORS, original=line.text)
    return marked(made)
