"""A question on its way through the guard, and the steps of that way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from elysia_guard.domain.context import RequestContext
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.pointing import OfferedTool
from elysia_guard.domain.question import Question, Route
from elysia_guard.domain.reading import Asks, Definition, Listing, Named, Part, ReadBy
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.response import TraceStep
from elysia_guard.domain.saved import AnswerPlace

Progress = Callable[[str], None]


def unheard(_doing: str, /) -> None:
    """Tell nobody what is under way."""


class Step(StrEnum):
    """A step of the way; each is a tool of the guarded tree."""

    SKOSMOS_LOOKUP = "skosmos_lookup"
    GUARDED_SEARCH = "guarded_search"
    LIST_DOCUMENTS = "list_documents"
    GROUNDED_ANSWER = "grounded_answer"
    CLARIFY = "clarify"
    ABSTAIN = "abstain"


GATHERING = frozenset({Step.SKOSMOS_LOOKUP, Step.GUARDED_SEARCH, Step.LIST_DOCUMENTS})
"""The steps that gather evidence; the others conclude."""

_CONCLUSIONS = {
    Outcome.ANSWER: Step.GROUNDED_ANSWER,
    Outcome.CONVERSE: Step.GROUNDED_ANSWER,
    Outcome.CLARIFY: Step.CLARIFY,
    Outcome.REFUSE: Step.ABSTAIN,
}


@dataclass(kw_only=True)
class Inquiry:
    """A question under way, or one part of it: what it asks, and what is known of it so far.

    The steps take one and return what they found; the pipeline keeps that with ``becomes``.
    """

    question: Question
    part: Part
    """What it asks; a question that asks several things has ``further`` ones."""
    context: RequestContext
    conversation: Conversation = field(default_factory=Conversation)
    """What was settled before; one of its own where nobody keeps any."""
    about: str = ""
    """What a follow-up was taken to be about, for the reader, where it did not say so itself."""
    further: tuple[Inquiry, ...] = ()
    """What else the question asks, each part with evidence and verdict of its own."""
    mode: Mode | None = None
    """How the answer is to be made, where whoever asks says so."""
    progress: Progress = unheard
    """Told what is under way that takes its time: ``planning``, ``searching``, ``pointing``."""

    trace: list[TraceStep] = field(default_factory=list)
    evidence: Evidence = field(default_factory=Evidence)
    unguided: tuple[str, ...] = ()
    """Why a language model that was asked said nothing of use: flags such as ``llm_timeout``."""
    tools: tuple[OfferedTool, ...] = ()
    """Tools of somebody else that a plan may name."""
    tool: str = ""
    """The one of them that a plan names: it is asked in place of the documents."""
    verdict: Verdict | None = None
    meant: Evidence = field(default_factory=Evidence)
    """What the vocabulary says of the term that a refused question may have asked for."""
    place: AnswerPlace | None = None
    """Where its answer is kept, or may be once there is one; None where it is not."""

    def becomes(self, found: Inquiry) -> None:
        """Take over what a step found out, which returned it as a copy of this."""
        self.question, self.part, self.about = found.question, found.part, found.about
        self.evidence, self.unguided = found.evidence, found.unguided
        self.verdict, self.tool = found.verdict, found.tool

    @property
    def asks(self) -> Asks:
        """What its part of the question asks."""
        return self.part.asks

    @property
    def every(self) -> tuple[Inquiry, ...]:
        """Each part of the question, this one first."""
        return (self, *self.further)

    @property
    def fallbacks(self) -> tuple[str, ...]:
        """The degradations in force, each once."""
        return tuple(dict.fromkeys((*self.unguided, *self.evidence.fallbacks)))

    @property
    def route(self) -> Route:
        """The way it takes: ``direct`` in one step, or ``tree``, step by step."""
        return self.context.route

    @property
    def matter_is_sought(self) -> bool:
        """Whether a matter is asked of documents that its words name, not their numbers.

        The words that name them may be those of the matter: the passages are weighed as a search
        does.
        """
        asks = self.asks
        by_words = self.part.read_by is ReadBy.SPAN
        return isinstance(asks, Named) and by_words and bool(asks.matter)

    @property
    def undecided(self) -> bool:
        """Whether no rule has decided how to gather: a wrapped tool may be asked."""
        return self.verdict is None and not self.further and self.part.is_open

    def next_step(self) -> Step:
        """Say which step the question needs next."""
        if self.verdict:
            outcomes = {part.decided().outcome for part in self.every}
            answered = outcomes & {Outcome.ANSWER, Outcome.CONVERSE}
            return _CONCLUSIONS[Outcome.ANSWER if answered else self.verdict.outcome]
        match self.asks:
            case Definition():
                return Step.SKOSMOS_LOOKUP
            case Listing():
                return Step.LIST_DOCUMENTS
            case _:
                return Step.GUARDED_SEARCH

    def decided(self) -> Verdict:
        """Return the verdict.

        Raises:
            RuntimeError: the gates have not spoken yet.
        """
        if self.verdict is None:
            raise RuntimeError("the gates have not judged this question yet")
        return self.verdict
