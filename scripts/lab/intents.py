"""Measure the reading of questions by their form alone on the labelled set.

    python -m scripts.lab intents                           both splits; misses of tuning alone
    python -m scripts.lab intents --min-accuracy 0.90

Exit codes: 0 done, 1 below the accuracy asked for or a leak between splits, 2 wrong use,
3 could not run.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from rapidfuzz import fuzz
from scripts.lab.corpora import DONE, FAILED, QUESTIONS, options_of, splits, table, write_json

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import IntentKind, Question, Reference
from elysia_guard.domain.reading import Asks, Definition, Listing, Named, Search, kinds_of
from elysia_guard.evaluation.golden import Split, SpokenLang
from elysia_guard.evaluation.retrieval_set import read_lines
from elysia_guard.language.identify import identify
from elysia_guard.language.text import clean, normalise, words
from elysia_guard.reading.by_mention import by_mention
from elysia_guard.reading.forms import read_form

INTENTS = QUESTIONS / "intents.jsonl"
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
class IntentReading:
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


def load(path: Path) -> list[IntentCase]:
    """Read labelled questions; see ``read_lines``."""
    return read_lines(path, IntentCase, lambda case: (case.id, _plain(case.query)))


def read(case: IntentCase) -> IntentReading:
    """Read a question as a list or by its form, without what it mentions."""
    text = clean(case.query)
    question = Question(text=text, lang=identify(text), request_id=case.id)
    mentioned = by_mention(question, ())
    if mentioned and isinstance(mentioned.asks, Listing):
        return IntentReading(case=case, asks=mentioned.asks)
    return IntentReading(case=case, asks=read_form(question).asks)


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


def report(readings: Sequence[IntentReading]) -> Report:
    """Put the figures together; no question stands in them."""
    counts = Counter((item.case.intent, item.asks.kind) for item in readings)
    return {
        **_counted(readings),
        "documents_to_vocabulary": sum(item.misled for item in readings),
        "by_language": _grouped(readings, lambda item: item.case.lang),
        "by_intent": _grouped(readings, lambda item: item.case.intent.value),
        "confusion": {
            labelled.value: {kind.value: counts[labelled, kind] for kind in IntentKind}
            for labelled in IntentKind
        },
    }


def _counted(readings: Sequence[IntentReading]) -> Report:
    right = sum(item.correct for item in readings)
    share = round(right / max(len(readings), 1), 4)
    return {"questions": len(readings), "correct": right, "accuracy": share}


def _grouped(
    readings: Sequence[IntentReading], key: Callable[[IntentReading], str]
) -> dict[str, Report]:
    names = dict.fromkeys(map(key, readings))
    return {name: _counted([item for item in readings if key(item) == name]) for name in names}


def render(split: str, figures: Report) -> str:
    """Write the figures of a half as tables; what is labelled stands in rows."""
    groups = {**figures["by_language"], **figures["by_intent"], "all": figures}
    misled = figures["documents_to_vocabulary"]
    return "\n".join(
        (
            f"intents, {split}: {misled} question(s) for documents sent to the vocabulary",
            table(
                [
                    (name, of["correct"], of["questions"], f"{of['accuracy']:.1%}")
                    for name, of in groups.items()
                ]
            ),
            table(
                [
                    ("labelled, read as", *(name[:8] for name in IntentKind)),
                    *(
                        (name, *(count or "." for count in row.values()))
                        for name, row in figures["confusion"].items()
                    ),
                ]
            ),
        )
    )


def render_failure(reading: IntentReading) -> str:
    """Write one wrong reading on a line: what is right, and what was read."""
    case, asks = reading.case, reading.asks
    right = case.term or ", ".join((*case.refs, *sorted(case.kinds)))
    names = (str(ref.identity or ref.number) for ref in reading.references)
    found = reading.term or ", ".join((*names, *sorted(kinds_of(asks))))
    return (
        f"{case.id} [{case.lang}] {case.query}\n"
        f"    right: {case.intent} {right}\n    read:  {asks.kind} {found}"
    )


def main() -> int:
    """Read the questions, print the figures and what went wrong."""
    parser = options_of(__doc__, INTENTS)
    parser.add_argument("--min-accuracy", type=float, default=0.0, metavar="SHARE")
    options = parser.parse_args()
    cases = load(options.questions)
    readings = {
        half: [read(case) for case in cases if case.split is half] for half in splits(options.split)
    }
    results = {str(half): report(items) for half, items in readings.items()}
    for name, figures in results.items():
        print(render(name, figures))
    for item in readings.get(Split.TUNING, ()) if options.misses else ():
        if not item.correct:
            print(render_failure(item))
    write_json(results, options.json)
    errors = [
        f"{name}: accuracy is {figures['accuracy']:.4f}; at least {options.min_accuracy} is wanted"
        for name, figures in results.items()
        if figures["accuracy"] < options.min_accuracy
    ]
    errors += [
        f"{left} and {right} are {likeness:.0f} % alike, in different splits"
        for left, right, likeness in alike(cases)
    ]
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    return FAILED if errors else DONE
