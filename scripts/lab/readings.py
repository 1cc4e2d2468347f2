"""Measure how questions of people who know neither rules nor labels are read.

    python -m scripts.lab readings                      both halves; misses of tuning alone
    python -m scripts.lab readings --split tuning --misses
    python -m scripts.lab readings --corpus govuk=FOLDER,VOCABULARY.ttl

The demo corpus needs nothing. Questions over a corpus that is not there are counted, and not read.

Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from scripts.lab.corpora import (
    QUESTIONS,
    Measurement,
    asked_each,
    name_of,
    table,
)

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Filters
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import (
    Asks,
    Comparison,
    Definition,
    Listing,
    Named,
    Order,
    Part,
    ReadKind,
    Search,
    SmallTalk,
    Unclear,
)
from elysia_guard.domain.scope import EVERYTHING
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.retrieval_set import read_lines
from elysia_guard.language.text import normalise
from elysia_guard.pipeline import Pipeline
from elysia_guard.scoping import sources_in
from elysia_guard.stages.terminology import look_up

READINGS = QUESTIONS / "readings.jsonl"
Words = Annotated[str, Field(min_length=1)]
Asked = Literal[
    "meaning", "broader", "narrower", "related", "synonyms",
    "whole", "field", "matter", "list", "count",
]  # fmt: skip
OF_TERM = "term:"


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LabelledMention(_Record):
    """A term or a document as it was typed, and which: ``term:islanding`` or ``ADR-0012``.

    ``means`` is None where the corpus has no such term or document.
    """

    text: Words
    means: Words | None

    @property
    def is_term(self) -> bool:
        """Whether it names a term that there is."""
        return self.means is not None and self.means.startswith(OF_TERM)


class AskedPart(_Record):
    """One thing that a question asks; what does not belong to its kind is left out."""

    kind: ReadKind
    asked: Asked | None = None
    field: Literal["status", "date", "owner", "approval"] | None = None
    kinds: tuple[Literal["decision", "principle", "policy"], ...] = ()
    topic: Words | None = None
    filters: dict[Literal["status", "owner", "date"], Words] = {}
    order: Order | None = None
    spans: tuple[LabelledMention, ...] = ()


class ReadingCase(_Record):
    """One question and its right reading.

    ``sources`` are the documents or terms any one of which a right answer comes from; empty where
    refusing or asking back is right.
    """

    id: Annotated[str, Field(pattern=r"^RD-\d{4,}$")]
    corpus: Words
    lang: Lang
    split: Split
    style: tuple[Words, ...]
    group: Words | None = None
    question: Words
    parts: Annotated[tuple[AskedPart, ...], Field(min_length=1)]
    sources: tuple[Words, ...]

    @model_validator(mode="after")
    def _mentions_what_is_there(self) -> Self:
        for part in self.parts:
            for span in part.spans:
                if span.text not in self.question:
                    raise ValueError(f"span {span.text!r} does not stand in the question")
        return self


def load(path: Path) -> list[ReadingCase]:
    """Read labelled questions; see ``read_lines``."""
    return read_lines(path, ReadingCase, lambda case: (case.id, f"{case.corpus}: {case.question}"))


OF_ASKS: Final[dict[type[Asks], ReadKind]] = {
    Definition: ReadKind.DEFINITION,
    Named: ReadKind.NAMED,
    Listing: ReadKind.LISTING,
    Comparison: ReadKind.COMPARISON,
    Search: ReadKind.SEARCH,
    SmallTalk: ReadKind.SMALL_TALK,
    Unclear: ReadKind.UNCLEAR,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadCase:
    """A question, and what was read: kinds and identities, each in the order of the parts.

    ``means`` are the documents and terms that there are among those read of.
    """

    case: ReadingCase
    kinds: tuple[ReadKind, ...]
    means: frozenset[str]
    parts: tuple[Part, ...]

    @property
    def kind_right(self) -> bool:
        """Whether all parts are read, each as what it is.

        Documents that are compared are read as named: each is told, one after the other.
        """
        return sorted(self.kinds) == sorted(map(_kind_expected, self.case.parts))

    @property
    def spans_right(self) -> bool:
        """Whether it is about the very terms and documents that it mentions, and no others."""
        spans = (span for part in self.case.parts for span in part.spans)
        return self.means == {_plain(span.means) for span in spans if span.means}

    @property
    def right(self) -> bool:
        """Whether both are right."""
        return self.kind_right and self.spans_right


def kind_of(asks: Asks) -> ReadKind:
    """Return the kind of a reading."""
    return OF_ASKS[type(asks)]


async def read(pipeline: Pipeline, case: ReadingCase) -> ReadCase:
    """Read a question as the pipeline does, with nothing said before it."""
    try:
        inquiry = await pipeline.begin(
            case.question, request_id=case.id, route="direct", conversation=Conversation()
        )
    except QuestionError:
        return ReadCase(case=case, kinds=(ReadKind.UNCLEAR,), means=frozenset(), parts=())
    parts = tuple(each.part for each in inquiry.every)
    means: set[str] = set()
    for part in parts:
        means |= await _means(pipeline, part.asks, case)
    kinds = tuple(kind_of(part.asks) for part in parts)
    return ReadCase(case=case, kinds=kinds, means=frozenset(means), parts=parts)


async def _means(pipeline: Pipeline, asks: Asks, case: ReadingCase) -> set[str]:
    match asks:
        case Named(references=references):
            documents = await pipeline.index.documents(Filters(approval=None))
            known = {name_of(item.kind, item.number) for item in documents}
            return {name_of(ref.kind, ref.number) for ref in references} & known
        case Definition(term=term):
            terms: tuple[str, ...] = (term,)
        case Comparison(terms=terms):
            pass
        case _:
            return set()
    wanted = {span.means for part in case.parts for span in part.spans if span.is_term}
    return {
        found for term in terms if (found := await _concept(pipeline, term, case, wanted=wanted))
    }


async def _concept(
    pipeline: Pipeline, term: str, case: ReadingCase, *, wanted: set[str | None]
) -> str:
    """Name the concept that a term means: as the label does, where it bears that name too."""
    vocabulary = sources_in(EVERYTHING, pipeline.terminology, pipeline.index).terminology
    found = await look_up(vocabulary, Definition(term=term), case.lang)
    names = [
        f"{OF_TERM}{normalise(text.value)}"
        for match in found.matches
        for text in (*match.concept.preferred, *match.concept.alternative)
    ]
    expected = [name for name in names if name in {_plain(item) for item in wanted if item}]
    return next(iter(expected or names), "")


def _kind_expected(part: AskedPart) -> ReadKind:
    compared = part.kind is ReadKind.COMPARISON
    return ReadKind.NAMED if compared and not any(map(_is_term, part.spans)) else part.kind


def _is_term(span: LabelledMention) -> bool:
    return span.is_term


def _plain(means: str) -> str:
    """A term in its normal form; an approval record as what it approves."""
    if means.startswith(OF_TERM):
        return f"{OF_TERM}{normalise(means.removeprefix(OF_TERM))}"
    return means.replace("DAR-", "ADR-").replace("PCPD-", "PCP-")


def report(found: Sequence[ReadCase]) -> dict[str, Any]:
    """Count what is read right; by kind (of the first part), language, corpus and style too."""
    groups: dict[str, Callable[[ReadingCase], Iterable[str]]] = {
        "by_kind": lambda case: (case.parts[0].kind.value,),
        "by_language": lambda case: (case.lang,),
        "by_corpus": lambda case: (case.corpus,),
        "by_style": lambda case: case.style,
        "by_group": lambda case: (case.group,) if case.group else (),
    }
    return {
        **_counted(found),
        **{
            name: {
                value: _counted([item for item in found if value in of(item.case)])
                for value in sorted({value for item in found for value in of(item.case)})
            }
            for name, of in groups.items()
        },
    }


def _counted(found: Sequence[ReadCase]) -> dict[str, int]:
    return {
        "questions": len(found),
        "kind_right": sum(item.kind_right for item in found),
        "spans_right": sum(item.spans_right for item in found),
        "both_right": sum(item.right for item in found),
    }


def render(name: str, figures: dict[str, Any]) -> str:
    """Write the figures as a table."""
    named = [("all", figures)]
    for group in ("by_kind", "by_language", "by_corpus", "by_style", "by_group"):
        named += [(f"{group[3:]} {value}", counted) for value, counted in figures[group].items()]
    head = (f"readings, {name}", "questions", "kind", "spans", "both")
    keys = ("questions", "kind_right", "spans_right", "both_right")
    return table([head, *((said, *(counted[key] for key in keys)) for said, counted in named)])


def render_miss(item: ReadCase) -> str:
    """Write a wrong reading on lines of its own: what is right, and what was read, and why."""
    case = item.case
    spans = [span for part in case.parts for span in part.spans]
    right = " + ".join(part.kind for part in case.parts)
    mentioned = ", ".join(str(span.means or f"'{span.text}' is not there") for span in spans)
    why = "; ".join(part.reason for part in item.parts)
    return (
        f"{case.id} [{case.corpus} {case.lang}] {case.question}\n"
        f"    right: {right} ({mentioned})\n"
        f"    read:  {' + '.join(item.kinds)} ({', '.join(sorted(item.means))}): {why}"
    )


def main() -> int:
    """Read the questions, print the figures and what went wrong."""
    return Measurement(
        said=__doc__,
        questions=READINGS,
        load=load,
        asked=lambda cases, corpora: asked_each(cases, read, corpora),
        split_of=lambda item: item.case.split,
        report=report,
        render=render,
        miss=lambda item: "" if item.right else render_miss(item),
    ).main()
