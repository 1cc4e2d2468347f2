"""Dialogues: is a follow-up as it is typed understood as well as when it is written out?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import GuardError, QuestionError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import Comparison, Definition, Named, Search, SmallTalk, Unclear
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation.golden import Split
from elysia_guard.language.text import normalise
from elysia_guard.pipeline import Pipeline

ASK_BACK, NONE, LIST, SEARCH = "ask_back", "none", "list", "search"
_OF_KIND = {
    DocumentKind.DECISION: "ADR",
    DocumentKind.PRINCIPLE: "PCP",
    DocumentKind.POLICY: "POL",
}


class DialogueSetError(GuardError):
    """The dialogues cannot be used; the message names file, line and value."""


class Turn(BaseModel):
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
    turns: Annotated[tuple[Turn, ...], Field(min_length=2)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What became of one follow-up."""

    dialogue: Dialogue
    turn: Turn
    whole_right: bool
    typed_right: bool
    about_another: bool
    """A document or term was told of that is not the one meant."""
    read_as: str


def load(path: Path) -> tuple[Dialogue, ...]:
    """Read dialogues (JSON lines).

    Raises:
        DialogueSetError: the file cannot be read, or a line is no dialogue.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise DialogueSetError(f"{path}: cannot be read: {err}") from err
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(Dialogue.model_validate(json.loads(line)))
        except json.JSONDecodeError as err:
            raise DialogueSetError(f"{path}:{number}: is not JSON: {err.msg}") from err
        except ValidationError as err:
            first = err.errors()[0]
            key = ".".join(map(str, first["loc"]))
            raise DialogueSetError(f"{path}:{number}: {key}: {first['msg']}") from err
    return tuple(found)


async def run(pipeline: Pipeline, dialogue: Dialogue) -> list[Outcome]:
    """Ask a dialogue as it is typed in one conversation, and each turn written out by itself."""
    talk, outcomes = Conversation(), []
    for place, turn in enumerate(dialogue.turns):
        typed = await _ask(pipeline, turn.typed, talk, dialogue.id)
        if place == 0:
            continue
        whole = await _ask(pipeline, turn.whole, Conversation(), dialogue.id)
        outcomes.append(
            Outcome(
                dialogue=dialogue,
                turn=turn,
                whole_right=is_right(turn, *whole),
                typed_right=is_right(turn, *typed),
                about_another=is_about_another(turn, *typed),
                read_as=typed[0].question.text if typed[0] else "",
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
            found |= {_name(kind, number) for kind, number in numbered}
            found |= {_name(ref.kind, ref.number) for ref in part.evidence.absent}
        elif isinstance(asks, Search):
            hits = part.decided().support
            found |= {_name(hit.passage.document.kind, hit.passage.document.number) for hit in hits}
        if isinstance(asks, Definition):
            found.add(f"term:{normalise(asks.term)}")
        elif isinstance(asks, Comparison):
            found |= {f"term:{normalise(term)}" for term in asks.terms}
        for match in part.evidence.matches:
            labels = (*match.concept.preferred, *match.concept.alternative)
            found |= {f"term:{normalise(label.value)}" for label in labels}
    return frozenset(found if not reply.refused or found else ())


def is_right(turn: Turn, inquiry: Inquiry | None, reply: RAGResponse | None) -> bool:
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


def is_about_another(turn: Turn, inquiry: Inquiry | None, reply: RAGResponse | None) -> bool:
    """Tell whether a reply tells of a document or term that is named, and is not the one meant."""
    if inquiry is None or reply is None or isinstance(inquiry.asks, SmallTalk | Unclear):
        return False
    if reply.refused or not reply.sources or reply.intent == "list":
        return False
    named = {item for item in turn.about if item not in {LIST, SEARCH}}
    if not named:
        return False
    return not _wanted(turn) & subjects(inquiry, reply)


def _wanted(turn: Turn) -> set[str]:
    return {
        f"term:{normalise(item.removeprefix('term:'))}"
        if item.startswith("term:")
        else item.replace("DAR-", "ADR-").replace("PCPD-", "PCP-")
        for item in turn.about
    }


def _name(kind: DocumentKind | None, number: int | None) -> str:
    return f"{_OF_KIND.get(kind, '?') if kind else '?'}-{number or 0:04}"


def report(outcomes: Sequence[Outcome]) -> dict[str, object]:
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


def _by(outcomes: Iterable[Outcome], key: str) -> dict[str, str]:
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
