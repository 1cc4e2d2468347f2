"""An oracle for a reply: each line is a quote, or a template of the catalogue that is true.

A quote stands in a file or in the vocabulary. Anything else is one template of the catalogue, in
the language of the reply, whose claim ``own_claims`` recomputes from the files. What is neither is
an unknown sentence, and a failure like a false one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from pathlib import Path
from typing import Any

from scripts.lab.oracle.claims import claim
from scripts.lab.oracle.library import Library, instances, one_line, unmarked
from scripts.lab.oracle.seen import MARK, Seen, is_choice, is_heading, is_listed

from elysia_guard.adapters.skos.rdf import files_of
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.scoring import Score
from elysia_guard.wiring import Wiring

__all__ = ["Library", "Sentence", "Truth", "figures", "held_against_files", "sentences"]

_CONCEPT = re.compile(r".+, (\S+:\S+)")
_PREFIX = re.compile(r"(?:\u26a0|-|\d+\.) ")


class Truth(StrEnum):
    """What came of a line."""

    QUOTE = "quote"
    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """A line of a reply: the keys of its templates, and whether what they claim is so."""

    text: str
    truth: Truth
    keys: tuple[str, ...] = ()


def sentences(reply: RAGResponse, asked: str, library: Library) -> list[Sentence]:
    """Judge every line that a person reads of a reply; what is said again alike counts once.

    Args:
        reply: what came of the last question.
        asked: what was typed, the messages before it first.
        library: the files that the reply is about.
    """
    seen = Seen(reply=reply, asked=asked, library=library)
    warned = [item.message for item in reply.warnings]
    lines = [each for line in _lines(reply.answer) for each in _apart(line, warned)]
    lines += warned
    lines += [text for item in reply.suggestions for text in (item.label, item.question)]
    lines += [reply.verified, reply.unsaid]
    places = (
        replace(seen, rest=tuple(lines[place:]), above=tuple(lines[:place][::-1]))
        for place, line in enumerate(lines)
        if line.strip()
    )
    return list(dict.fromkeys(_judged(here.rest[0], here) for here in places))


def figures(found: Sequence[tuple[str, Sentence]]) -> dict[str, Any]:
    """Count own sentences, those that are false and those that are unknown.

    Args:
        found: each with the question that it answers; without one it is no example.
    """
    own = [(asked, item) for asked, item in found if item.truth is not Truth.QUOTE]
    wrong = [(asked, item) for asked, item in own if item.truth is not Truth.TRUE]
    return {
        "sentences": len(own),
        "false": sum(item.truth is Truth.FALSE for _, item in wrong),
        "unknown": sum(item.truth is Truth.UNKNOWN for _, item in wrong),
        "examples": [f"{asked}: {item.truth}: {item.text}" for asked, item in wrong if asked],
    }


def held_against_files(wiring: Wiring, scores: Sequence[Score]) -> dict[str, Any]:
    """Count the own sentences of scored replies; of held-out questions none is an example."""
    config = wiring.config
    library = Library(map(Path, config.index.sources), files_of(config.terminology.files))
    judged = (
        (item.case.query if item.case.split is Split.TUNING else "", sentence)
        for item in scores
        for sentence in sentences(item.response, item.case.query, library)
    )
    return figures(list(judged))


def _lines(answer: str) -> Iterator[str]:
    """Yield the lines of an answer, of a quote all of its lines as one."""
    quote: list[str] = []
    for line in [*answer.splitlines(), ""]:
        if line.startswith("> "):
            quote.append(line[2:])
            continue
        if quote:
            yield "> " + " ".join(quote)
            quote = []
        if line.strip() not in ("", ">"):
            yield line


def _apart(line: str, warned: Sequence[str]) -> list[str]:
    """Several warnings that stand in one line, each by itself."""
    told = [each for each in warned if each in line]
    return told if line.removeprefix("\u26a0 ") == " ".join(told) else [line]


def _judged(line: str, seen: Seen) -> Sentence:
    # Of quotes of one source in a row the last bears its mark.
    row = takewhile(lambda each: each[:1] in {"-", ">"}, seen.rest)
    marks = [int(number) for each in [line, *row] for number in MARK.findall(each)]
    seen = replace(seen, cited=marks[0] if marks else 0, concept=_concept(seen))
    text = one_line(MARK.sub("", line))
    if text.startswith("> "):
        quote = unmarked(text[2:])
        found_it = seen.stands(quote) or seen.stands(quote.removeprefix("- "))
        truth = Truth.QUOTE if found_it else Truth.UNKNOWN
        return Sentence(text=text, truth=truth)
    bare = _PREFIX.sub("", text, count=1) if _PREFIX.match(text) else text
    if marks and seen.stands(bare):
        return Sentence(text=text, truth=Truth.QUOTE)
    judges = (is_listed,) if marks else (is_heading, is_choice)
    own = next((held for judge in judges if (held := judge(bare, seen)) is not None), None)
    if own is not None:
        return Sentence(text=text, truth=Truth.TRUE if own else Truth.FALSE)
    found = instances(bare, seen.reply.lang)
    claims = [claim(item, seen) for item in found]
    truth = Truth.UNKNOWN if not found or None in claims else Truth.FALSE
    return Sentence(
        text=text,
        truth=Truth.TRUE if found and all(claims) else truth,
        keys=tuple(item.key for item in found),
    )


def _concept(seen: Seen) -> str:
    """The concept that a block is about: its address stands at its end, or in its source."""
    found = (_CONCEPT.fullmatch(one_line(line)) for line in seen.rest)
    if told := next((match[1] for match in found if match), ""):
        return told
    numbers = [int(number) for line in seen.above for number in MARK.findall(line)]
    places = {item.n: item.location for item in seen.reply.sources if "://" in item.location}
    return next((places[n] for n in numbers if n in places), next(iter(places.values()), ""))
