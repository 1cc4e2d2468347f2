"""Measure follow-ups: each turn as it is typed, beside the same turn written out.

    python -m scripts.lab dialogues                     both halves; misses of tuning alone
    python -m scripts.lab dialogues --split tuning --misses

The demo corpus needs nothing; dialogues over ESA are counted, and not run, where ../shared is not.

Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from scripts.lab.corpora import (
    CORPORA,
    QUESTIONS,
    Corpus,
    Measurement,
    asked_each,
    name_of,
)
from scripts.lab.shapes import shape_of

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import Comparison, Definition, Named, Search, SmallTalk, Unclear
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.retrieval_set import read_lines
from elysia_guard.language.text import normalise
from elysia_guard.pipeline import Pipeline

DIALOGUES = QUESTIONS / "dialogues.jsonl"
ASK_BACK, NONE, LIST, SEARCH = "ask_back", "none", "list", "search"


class DialogueTurn(BaseModel):
    """One turn: as it is typed, written out whole, and what a right reply is about.

    ``about`` holds documents (``ADR-0029``), terms (``term:islanding``), or one of ``list``,
    ``search``, ``none`` (nothing is asked) and ``ask_back``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    typed: Annotated[str, Field(min_length=1)]
    whole: Annotated[str, Field(min_length=1)]
    about: Annotated[tuple[str, ...], Field(min_length=1)]


class Dialogue(BaseModel):
    """A few turns of one conversation over one corpus."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^DG-\d{3,}$")]
    corpus: str
    lang: str
    split: Split
    turns: Annotated[tuple[DialogueTurn, ...], Field(min_length=2)]


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowUpOutcome:
    """What became of one follow-up."""

    dialogue: Dialogue
    turn: DialogueTurn
    whole_right: bool
    typed_right: bool
    about_another: bool
    """A document or term was told of that is not the one meant."""
    read_as: str
    shape: str = ""
    """That of the answer to the turn written out (``shapes.shape_of``)."""


def load(path: Path) -> list[Dialogue]:
    """Read dialogues; see ``read_lines``."""
    return read_lines(path, Dialogue)


async def run(pipeline: Pipeline, dialogue: Dialogue) -> list[FollowUpOutcome]:
    """Ask a dialogue as it is typed in one conversation, and each turn written out by itself."""
    talk, outcomes = Conversation(), []
    for place, turn in enumerate(dialogue.turns):
        typed = await _ask(pipeline, turn.typed, talk, dialogue.id)
        if place == 0:
            continue
        whole = await _ask(pipeline, turn.whole, Conversation(), dialogue.id)
        outcomes.append(
            FollowUpOutcome(
                dialogue=dialogue,
                turn=turn,
                whole_right=is_right(turn, *whole),
                typed_right=is_right(turn, *typed),
                about_another=is_about_another(turn, *typed),
                read_as=typed[0].question.text if typed[0] else "",
                shape=shape_of(whole[1]) if whole[1] else "",
            )
        )
    return outcomes


async def _ask(
    pipeline: Pipeline, text: str, talk: Conversation, name: str
) -> tuple[Inquiry | None, RAGResponse | None]:
    try:
        inquiry = await pipeline.begin(
            text, request_id=f"dialogue-{name}", route="direct", conversation=talk
        )
    except QuestionError:
        return None, None
    return inquiry, await pipeline.answer(inquiry)


def subjects(inquiry: Inquiry, reply: RAGResponse) -> frozenset[str]:
    """The documents and terms that a reply is about, records as what they approve.

    Of a search they are those that it is answered from.
    """
    found: set[str] = set()
    for part in inquiry.every:
        asks = part.asks
        if isinstance(asks, Named):
            numbered = [(item.kind, item.number) for item in part.evidence.documents]
            found |= {name_of(kind, number) for kind, number in numbered}
            found |= {name_of(ref.kind, ref.number) for ref in part.evidence.absent}
        elif isinstance(asks, Search):
            hits = part.decided().support
            found |= {
                name_of(hit.passage.document.kind, hit.passage.document.number) for hit in hits
            }
        if isinstance(asks, Definition):
            found.add(f"term:{normalise(asks.term)}")
        elif isinstance(asks, Comparison):
            found |= {f"term:{normalise(term)}" for term in asks.terms}
        for match in part.evidence.matches:
            labels = (*match.concept.preferred, *match.concept.alternative)
            found |= {f"term:{normalise(label.value)}" for label in labels}
    return frozenset(found if not reply.refused or found else ())


def is_right(turn: DialogueTurn, inquiry: Inquiry | None, reply: RAGResponse | None) -> bool:
    """Tell whether a reply is about what the turn is about, and says something of it."""
    if inquiry is None or reply is None:
        return turn.about == (ASK_BACK,)
    asked_back = reply.refusal_reason is not None and not reply.refused
    if turn.about == (ASK_BACK,):
        return asked_back
    if turn.about == (NONE,):
        return isinstance(inquiry.asks, SmallTalk)
    if turn.about == (LIST,):
        return reply.intent == "list"
    if turn.about == (SEARCH,):
        return not asked_back and isinstance(inquiry.asks, Search)
    return not asked_back and bool(_wanted(turn) & subjects(inquiry, reply))


def is_about_another(
    turn: DialogueTurn, inquiry: Inquiry | None, reply: RAGResponse | None
) -> bool:
    """Tell whether a reply tells of a document or term that is named, and is not the one meant."""
    if inquiry is None or reply is None or isinstance(inquiry.asks, SmallTalk | Unclear):
        return False
    if reply.refused or not reply.sources or reply.intent == "list":
        return False
    named = {item for item in turn.about if item not in {LIST, SEARCH}}
    if not named:
        return False
    return not _wanted(turn) & subjects(inquiry, reply)


def _wanted(turn: DialogueTurn) -> set[str]:
    return {
        f"term:{normalise(item.removeprefix('term:'))}"
        if item.startswith("term:")
        else item.replace("DAR-", "ADR-").replace("PCPD-", "PCP-")
        for item in turn.about
    }


def report(outcomes: Sequence[FollowUpOutcome]) -> dict[str, object]:
    """Count what became of follow-ups; shares are 0 to 1."""
    answerable = [item for item in outcomes if item.whole_right]
    kept = sum(item.typed_right for item in answerable)
    return {
        "follow_ups": len(outcomes),
        "right_written_out": len(answerable),
        "of_these_right_as_typed": kept,
        "share": round(kept / len(answerable), 4) if answerable else None,
        "right_as_typed": sum(item.typed_right for item in outcomes),
        "about_another": sum(item.about_another for item in outcomes),
        "by_corpus": _by(answerable, "corpus"),
        "by_language": _by(answerable, "lang"),
    }


def _by(outcomes: Iterable[FollowUpOutcome], key: str) -> dict[str, str]:
    right: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for item in outcomes:
        group = str(getattr(item.dialogue, key))
        every[group] += 1
        right[group] += item.typed_right
    return {group: f"{right[group]} of {count}" for group, count in sorted(every.items())}


def render(name: str, figures: dict[str, object]) -> str:
    """Say the figures in a few lines."""
    return (
        f"dialogues, {name}: {figures['follow_ups']} follow-ups, of {figures['right_written_out']} "
        f"that are right written out {figures['of_these_right_as_typed']} are right as typed; "
        f"{figures['about_another']} told of another document or term\n"
        f"  by corpus: {figures['by_corpus']}\n  by language: {figures['by_language']}"
    )


async def asked(
    dialogues: Sequence[Dialogue], corpora: Mapping[str, Corpus] = CORPORA
) -> list[FollowUpOutcome]:
    """Ask all dialogues, each of its corpus."""
    return [each for told in await asked_each(dialogues, run, corpora) for each in told]


def main() -> int:
    """Ask the dialogues, print the figures and what went wrong."""

    def miss(item: FollowUpOutcome) -> str:
        wrong = item.whole_right and not item.typed_right
        told = f"  {item.dialogue.id} {item.turn.typed!r}: read as {item.read_as!r}"
        return told if wrong else ""

    return Measurement(
        said=__doc__,
        questions=DIALOGUES,
        load=load,
        asked=asked,
        split_of=lambda item: item.dialogue.split,
        report=report,
        render=render,
        miss=miss,
    ).main()
