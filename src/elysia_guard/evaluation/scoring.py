"""Whether a response is right.

A case is correct when the guard abstained where it should, for the expected reason where one is
given, or when it answered and cited at least one expected document. A question for a list is
correct when the cited documents are exactly the expected ones. A question back counts as
abstaining. The route, and whether a right answer holds the very sentence that answers, are
measured apart and do not decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from elysia_guard.domain.question import IntentKind
from elysia_guard.domain.response import RAGResponse
from elysia_guard.evaluation.golden import Case, ExpectedRoute
from elysia_guard.evaluation.runner import Run
from elysia_guard.language.identify import identify
from elysia_guard.language.sentences import units
from elysia_guard.language.text import clean

SEARCHED = frozenset({IntentKind.SINGLE_COLLECTION, IntentKind.CROSS_COLLECTION, IntentKind.OPEN})
"""The intents whose confidence is computed; the others have a fixed one."""

_ROUTE_OF_TYPE = {
    "Vocabulary": ExpectedRoute.SKOSMOS,
    "ADR": ExpectedRoute.ADR,
    "DAR": ExpectedRoute.ADR,
    "Principle": ExpectedRoute.PRINCIPLE,
    "Policy": ExpectedRoute.POLICY,
}
_OF_DOCUMENTS = frozenset(
    {ExpectedRoute.ADR, ExpectedRoute.PRINCIPLE, ExpectedRoute.POLICY, ExpectedRoute.CROSS}
)

_LINE_START = re.compile(r"^[ \t]*(?:>[ \t]*)*(?:[-*+\u2022][ \t]+)?", re.MULTILINE)
_NUMBERED = re.compile(r"^\d{1,2}[.)]\s+")
_MARKS = re.compile(r"\s*\[source:\d+\]|[*_`]")
_LINK = re.compile(r"\[([^\[\]]{1,300})\]\([^\s()]{1,500}(?:\([^\s()]{0,100}\))?\)")


class Failure(StrEnum):
    """What is wrong with a response."""

    ANSWERED = "answered_instead_of_abstaining"
    ABSTAINED = "abstained_instead_of_answering"
    REASON = "wrong_reason"
    COLLECTION = "wrong_collection"
    DOCUMENT = "wrong_document"
    LIST = "wrong_list"


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """A response held against what was expected; ``routes`` are those that it agrees with."""

    case: Case
    response: RAGResponse
    latency_ms: float
    failure: Failure | None
    routes: frozenset[ExpectedRoute]
    control_ms: float | None = None

    @property
    def added_ms(self) -> float | None:
        """What the guard took beyond the store alone; None where that was not measured."""
        return None if self.control_ms is None else max(self.latency_ms - self.control_ms, 0.0)

    @property
    def correct(self) -> bool:
        """Whether the response is right."""
        return self.failure is None

    @property
    def answered(self) -> bool:
        """Whether there is an answer; a question back is none."""
        return self.response.refusal_reason is None

    @property
    def cited(self) -> frozenset[str]:
        """The documents and concepts that the answer cites."""
        return frozenset(source.doc_id for source in self.response.sources)

    @property
    def right(self) -> frozenset[str]:
        """The cited documents that are among the expected ones."""
        return self.cited & frozenset(self.case.expected.doc_ids)

    @property
    def right_answer(self) -> bool:
        """Whether it answered from a source that answers: what a confidence is the chance of."""
        return self.answered and bool(self.right)

    @property
    def wrong_answer(self) -> bool:
        """Whether it answered though it must abstain, or from wrong documents only."""
        return self.answered and not self.right

    @property
    def near_miss(self) -> bool:
        """Whether it must be refused: no source answers it."""
        return self.case.expected.abstain

    @property
    def shown(self) -> bool:
        """Whether the reply, or a mention in it, shows what answers: the sentence, where named.

        Where no sentence is named, an expected source; of a near miss there is nothing to show.
        """
        expected, response = self.case.expected, self.response
        if expected.quote:
            return holds(response.answer, expected.quote)
        told = {source.doc_id for source in (*response.sources, *response.mentions)}
        return bool(told & set(expected.doc_ids))

    @property
    def wrong_refusal(self) -> bool:
        """Whether it abstained though a document answers."""
        return self.failure is Failure.ABSTAINED

    @property
    def quoted(self) -> bool | None:
        """Whether a right answer holds the sentence that answers; None where none is named."""
        quote = self.case.expected.quote
        return holds(self.response.answer, quote) if quote and self.correct else None

    @property
    def only_terms(self) -> bool:
        """Whether it cites the vocabulary, and nothing else."""
        types = {source.doc_type for source in self.response.sources}
        return types == {"Vocabulary"}

    @property
    def confidence(self) -> float:
        """How sure the reply says that it is, 0 to 1."""
        return self.response.retrieval_quality.confidence_score

    @property
    def route_right(self) -> bool:
        """Whether the question went where it belongs."""
        return self.case.expected.route in self.routes


def score(run: Run, response: RAGResponse) -> Score:
    """Hold a response against what was expected."""
    return Score(
        case=run.case,
        response=response,
        latency_ms=run.latency_ms,
        control_ms=run.control_ms,
        failure=_failure(run.case, response),
        routes=routes(response),
    )


def score_all(runs: Iterable[Run]) -> tuple[list[Score], list[Run]]:
    """Score what ran; what could not run is the second list."""
    scores, not_run = [], []
    for run in runs:
        if run.response is None:
            not_run.append(run)
        else:
            scores.append(score(run, run.response))
    return scores, not_run


def routes(response: RAGResponse) -> frozenset[ExpectedRoute]:
    """Say which expected routes a response agrees with: by its intent, then its sources.

    A refusal names no source, so one of a named document, a list or a single collection fits each
    of the document routes.
    """
    cited = frozenset(
        _ROUTE_OF_TYPE.get(source.doc_type, ExpectedRoute.SEMANTIC) for source in response.sources
    )
    match response.intent:
        case IntentKind.TERMINOLOGY:
            return frozenset({ExpectedRoute.SKOSMOS})
        case IntentKind.CONVERSATIONAL:
            return frozenset({ExpectedRoute.CONVERSATION})
        case IntentKind.CROSS_COLLECTION:
            return frozenset({ExpectedRoute.CROSS})
        case IntentKind.OPEN if cited != {ExpectedRoute.SKOSMOS}:
            return frozenset({ExpectedRoute.SEMANTIC})
        case _ if not cited:
            return _OF_DOCUMENTS
    return cited if len(cited) == 1 else frozenset({ExpectedRoute.CROSS})


def _failure(case: Case, response: RAGResponse) -> Failure | None:
    expected, reason = case.expected, response.refusal_reason
    if expected.abstain:
        if reason is None:
            return Failure.ANSWERED
        return Failure.REASON if expected.reason not in (None, reason) else None
    if reason is not None:
        return Failure.ABSTAINED
    return _wrong_sources(case, response)


def _wrong_sources(case: Case, response: RAGResponse) -> Failure | None:
    cited = {source.doc_id for source in response.sources}
    wanted = set(case.expected.doc_ids)
    if case.complete:
        return None if cited == wanted else Failure.LIST
    if cited & wanted:
        return None
    types = {source.doc_type for source in response.sources}
    return Failure.DOCUMENT if types & set(case.expected.doc_types) else Failure.COLLECTION


def holds(text: str, quote: str) -> bool:
    """Tell whether a text holds any one sentence of a quote, word for word.

    >>> holds("> Keys rotate **yearly**. [source:1]", "Keys rotate yearly.")
    True
    """
    return any(_stands_in(plain(text), unit) for unit in _sentences(quote))


def astray(quote: str, texts: Iterable[str]) -> list[str]:
    """Return the sentences of a quote that stand in none of some texts."""
    searched = [plain(text) for text in texts]
    return [
        unit for unit in _sentences(quote) if not any(_stands_in(text, unit) for text in searched)
    ]


def plain(text: str) -> str:
    """Return a text on one line, without list markers, emphasis, citations and targets of links."""
    return clean(_MARKS.sub("", _LINK.sub(r"\1", _LINE_START.sub("", text))))


def _sentences(quote: str) -> list[str]:
    # A number that opens a sentence is a list marker here; within a text it may be a date.
    return [_NUMBERED.sub("", plain(unit)) for unit in units(quote, identify(quote))]


def _stands_in(text: str, unit: str) -> bool:
    first = r"(?<!\w)" if unit[:1].isalnum() else ""
    last = r"(?!\w)" if unit[-1:].isalnum() else ""
    return re.search(f"{first}{re.escape(unit)}{last}", text) is not None
