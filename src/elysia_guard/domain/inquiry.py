"""A question on its way through the guard, and the steps of that way."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from elysia_guard.domain.context import RequestContext
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Intent, IntentKind, Question, Route
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.response import TraceStep


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
_GATHERING = {
    IntentKind.TERMINOLOGY: Step.SKOSMOS_LOOKUP,
    IntentKind.LIST: Step.LIST_DOCUMENTS,
}


@dataclass(kw_only=True)
class Inquiry:
    """One question under way: what is known of it so far. The pipeline fills it, stage by stage."""

    question: Question
    intent: Intent
    context: RequestContext
    conversation: Conversation = field(default_factory=Conversation)
    """What was settled before; one of its own where nobody keeps any."""
    trace: list[TraceStep] = field(default_factory=list)
    evidence: Evidence = field(default_factory=Evidence)
    verdict: Verdict | None = None
    perhaps_asked: str = ""
    """A term whose meaning may be what is asked, though hardly; a refusal proposes to ask it."""

    unguided: tuple[str, ...] = ()
    """Why no language model chose the step, though one was to: flags such as ``llm_timeout``."""

    @property
    def fallbacks(self) -> tuple[str, ...]:
        """The degradations in force, each once."""
        return tuple(dict.fromkeys((*self.unguided, *self.evidence.fallbacks)))

    @property
    def route(self) -> Route:
        """The way it came in."""
        return self.context.route

    @property
    def undecided(self) -> bool:
        """Whether no rule has decided how to gather: an LLM may choose."""
        return self.verdict is None and self.intent.kind is IntentKind.OPEN and not self.intent.term

    def next_step(self) -> Step:
        """Say which step the question needs next."""
        if self.verdict:
            return _CONCLUSIONS[self.verdict.outcome]
        return _GATHERING.get(self.intent.kind, Step.GUARDED_SEARCH)

    def decided(self) -> Verdict:
        """Return the verdict.

        Raises:
            RuntimeError: the gates have not spoken yet.
        """
        if self.verdict is None:
            raise RuntimeError("the gates have not judged this question yet")
        return self.verdict
