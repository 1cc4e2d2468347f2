"""The labelled questions that say what the reader's reading of a question is worth."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from rapidfuzz import fuzz

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.question import IntentKind, Question, Reference
from elysia_guard.domain.reading import Asks, Definition, Listing, Named, Search, kinds_of
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.spoken import SpokenLang
from elysia_guard.language.identify import identify
from elysia_guard.language.text import clean, normalise, words
from elysia_guard.reading.by_mention import by_mention
from elysia_guard.reading.forms import read_form

ALIKE = 90.0
"""Questions at least this alike (0 to 100) are the same question, and belong to one split."""
OF_DOCUMENTS = frozenset(
    {
        IntentKind.ENTITY,
        IntentKind.LIST,
        IntentKind.SINGLE_COLLECTION,
        IntentKind.CROSS_COLLECTION,
        IntentKind.OPEN,
    }
)
"""What is answered from documents: none of these may be sent to the vocabulary."""

Report = dict[str, Any]
Words = Annotated[str, Field(min_length=1)]


class IntentSetError(GuardError):
    """The labelled questions cannot be used; the message names file, line and value."""


class IntentCase(BaseModel):
    """One question and its right reading; ``term``, ``refs`` and ``kinds`` count where given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^IQ-\d{3,}$")]
    query: Words
    lang: SpokenLang
    split: Split
    intent: IntentKind
    term: Words | None = None
    refs: tuple[Words, ...] = ()
    kinds: frozenset[DocumentKind] = frozenset()

    @model_validator(mode="after")
    def _says_what_is_asked_for(self) -> Self:
        if self.term is not None and self.term != normalise(self.term):
            raise ValueError(f"term is {self.term!r}; write it as {normalise(self.term)!r}")
        if self.intent is IntentKind.TERMINOLOGY and self.term is None:
            raise ValueError("intent is terminology, so term must be given")
        if (self.intent is IntentKind.ENTITY) != bool(self.refs):
            raise ValueError("refs belong to intent entity, and to no other")
        return self


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What the reader made of a question."""

    case: IntentCase
    asks: Asks

    @property
    def correct(self) -> bool:
        """Whether intent and, where labelled, term, references and kinds are right."""
        case, asks = self.case, self.asks
        found = {str(ref.identity or ref.number) for ref in self.references}
        return (
            asks.kind is case.intent
            and (case.term is None or normalise(self.term) == case.term)
            and (not case.refs or found == set(case.refs))
            and (not case.kinds or set(kinds_of(asks)) == case.kinds)
        )

    @property
    def term(self) -> str:
        """The term that is looked up, if any."""
        return self.asks.term if isinstance(self.asks, Definition | Search) else ""

    @property
    def references(self) -> tuple[Reference, ...]:
        """The documents that are named."""
        return self.asks.references if isinstance(self.asks, Named) else ()

    @property
    def misled(self) -> bool:
        """Whether a question for documents was sent to the vocabulary: the worst mistake."""
        return self.asks.kind is IntentKind.TERMINOLOGY and self.case.intent in OF_DOCUMENTS


def load(path: Path) -> tuple[IntentCase, ...]:
    """Read labelled questions (JSON lines).

    Raises:
        IntentSetError: the file cannot be read, a line is no labelled question, or an id or a
            question occurs twice.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as err:
        raise IntentSetError(f"{path}: cannot be read: {err}") from err
    return tuple(_cases(lines, path))


def _cases(lines: Iterable[str], path: Path) -> Iterator[IntentCase]:
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        where = f"{path}:{number}"
        try:
            case = IntentCase.model_validate(json.loads(line))
        except json.JSONDecodeError as err:
            raise IntentSetError(f"{where}: is not JSON: {err.msg} at column {err.colno}") from err
        except ValidationError as err:
            first = err.errors()[0]
            key = ".".join(str(part) for part in first["loc"]) or "question"
            raise IntentSetError(f"{where}: {key}: {first['msg']}") from err
        for value in (case.id, _plain(case.query)):
            if value in seen:
                raise IntentSetError(f"{where}: {value!r} stands in line {seen[value]} already")
            seen[value] = number
        yield case


def read(case: IntentCase) -> Reading:
    """Read a question as a list or by its form, without what it mentions."""
    text = clean(case.query)
    question = Question(text=text, lang=identify(text), request_id=case.id)
    mentioned = by_mention(question, ())
    if mentioned and isinstance(mentioned.asks, Listing):
        return Reading(case=case, asks=mentioned.asks)
    return Reading(case=case, asks=read_form(question).asks)


def alike(
    cases: Sequence[IntentCase], *, at_least: float = ALIKE
) -> tuple[tuple[str, str, float], ...]:
    """The ids of questions in different splits that are all but the same, with their likeness."""
    halves = [[case for case in cases if case.split is split] for split in Split]
    pairs = (
        (left.id, right.id, fuzz.ratio(_plain(left.query), _plain(right.query)))
        for left, right in product(*halves)
    )
    return tuple(pair for pair in pairs if pair[2] >= at_least)


def _plain(query: str) -> str:
    return " ".join(words(query))


def report(readings: Sequence[Reading]) -> Report:
    """Put the figures together; no question stands in them."""
    return {
        "questions": len(readings),
        "correct": sum(item.correct for item in readings),
        "accuracy": _accuracy(readings),
        "documents_to_vocabulary": sum(item.misled for item in readings),
        "by_language": _grouped((item.case.lang, item) for item in readings),
        "by_intent": _grouped((item.case.intent.value, item) for item in readings),
        "confusion": _confusion(readings),
    }


def _accuracy(readings: Sequence[Reading]) -> float:
    return round(sum(item.correct for item in readings) / max(len(readings), 1), 4)


def _grouped(pairs: Iterable[tuple[str, Reading]]) -> dict[str, dict[str, float]]:
    groups: dict[str, list[Reading]] = {}
    for name, item in pairs:
        groups.setdefault(name, []).append(item)
    return {
        name: {
            "questions": len(items),
            "correct": sum(item.correct for item in items),
            "accuracy": _accuracy(items),
        }
        for name, items in groups.items()
    }


def _confusion(readings: Iterable[Reading]) -> dict[str, dict[str, int]]:
    """How often each labelled intent (rows) was read as which (columns)."""
    counts = Counter((item.case.intent, item.asks.kind) for item in readings)
    return {
        labelled.value: {read_as.value: counts[labelled, read_as] for read_as in IntentKind}
        for labelled in IntentKind
    }


def render(results: Mapping[Split, Report]) -> str:
    """Write the figures of each split as tables."""
    return "\n\n".join(_rendered(split, figures) for split, figures in results.items()) + "\n"


def _rendered(split: Split, figures: Report) -> str:
    misled = (
        f"{figures['documents_to_vocabulary']} question(s) for documents sent to the vocabulary"
    )
    lines = [
        f"intents, {split}: {figures['correct']} of {figures['questions']} right, {misled}",
    ]
    for group in ("by_language", "by_intent"):
        lines += [
            f"  {name:18} {of['correct']:4} of {of['questions']:4}  {of['accuracy']:7.1%}"
            for name, of in figures[group].items()
        ]
    lines.append("  labelled \\ read as " + "".join(f"{name[:8]:>9}" for name in IntentKind))
    lines += [
        f"  {labelled:18}" + "".join(f"{count or '.':>9}" for count in row.values())
        for labelled, row in figures["confusion"].items()
    ]
    return "\n".join(lines)


def render_failure(reading: Reading) -> str:
    """Write one wrong reading on a line: what is right, and what was read."""
    case, asks = reading.case, reading.asks
    right = case.term or ", ".join((*case.refs, *sorted(case.kinds)))
    names = (str(ref.identity or ref.number) for ref in reading.references)
    found = reading.term or ", ".join((*names, *sorted(kinds_of(asks))))
    return (
        f"{case.id} [{case.lang}] {case.query}\n"
        f"    right: {case.intent} {right}\n    read:  {asks.kind} {found}"
    )
