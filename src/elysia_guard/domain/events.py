"""What happens to a question, as facts. Observers write them down; stages do not know how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from elysia_guard.domain.context import current_request_id
from elysia_guard.domain.reading import Part
from elysia_guard.domain.refusal import Verdict
from elysia_guard.domain.response import RAGResponse

LookupOutcome = Literal["hit", "miss", "timeout", "error"]
EmbeddingOutcome = Literal["done", "timeout", "error", "circuit_open"]
CallOutcome = Literal["done", "timeout", "error", "unavailable", "circuit_open"]
RecallOutcome = Literal["hit", "shared", "stale", "miss"]
"""An answer was kept and holds; the same question was under way, and its answer is given to this
one; an answer was kept, and what it rests on has changed; there was none."""
CallPurpose = Literal["plan", "point", "tool"]
"""What a model is asked for: what to search for, which units answer, or by a wrapped tool."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """Something that happened, by default while the request under way was worked on."""

    request_id: str = field(default_factory=current_request_id)


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestStarted(Event):
    """A question came in ``elapsed_ms`` milliseconds ago; it has been read, and takes its route."""

    route: str
    query: str
    elapsed_ms: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class StageEnded(Event):
    """A stage did its work, in ``elapsed_ms`` milliseconds."""

    stage: str
    elapsed_ms: float
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class LookupEnded(Event):
    """A term was looked up; ``cached`` tells that the vocabulary itself was not asked for it.

    ``cause`` says of a timeout or an error what went wrong.
    """

    term: str
    outcome: LookupOutcome
    elapsed_ms: float
    backend: str
    cached: bool = False
    cause: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddingEnded(Event):
    """A question was to be embedded, to search these collections; all but ``done`` is a fallback.

    With ``circuit_open`` the model was not asked.
    """

    collections: tuple[str, ...]
    outcome: EmbeddingOutcome
    elapsed_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCallEnded(Event):
    """A language model was to be asked, and had done, failed, or was left alone.

    ``error`` says that it answered, though with nothing to be used; ``unavailable`` that it could
    not be reached; ``circuit_open`` that it was not asked.
    """

    purpose: CallPurpose
    outcome: CallOutcome
    elapsed_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextsRejected(Event):
    """A gate turned away all that was found: what the best of it came to, and the limit of that."""

    gate: str
    score: float
    limit: float | str | None
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallEnded(Event):
    """An answer given before was looked for, to be made in a mode such as ``auto``."""

    mode: str
    outcome: RecallOutcome
    elapsed_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerKept(Event):
    """An answer, made in a mode such as ``auto``, was kept."""

    mode: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TokensUsed(Event):
    """A model's server told how many tokens a prompt had, and what was written to it."""

    purpose: CallPurpose
    prompt: int
    written: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchEnded(Event):
    """Passages of these collections were searched, or could not be."""

    collections: tuple[str, ...]
    by_words_alone: bool
    elapsed_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class BreakerChanged(Event):
    """A circuit breaker moved to a state: ``closed``, ``half_open`` or ``open``."""

    service: str
    state: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestEnded(Event):
    """A response left; ``reason`` is None when the question was answered."""

    route: str
    reason: str | None
    fallback_flags: tuple[str, ...]
    total_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestAnswered(Event):
    """An HTTP request was answered; ``path`` is that of its route, with names in braces."""

    method: str
    path: str
    status: int
    elapsed_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionMade(Event):
    """A question was decided: as what it was read, what the gates said, and what was answered."""

    question: str
    part: Part
    verdict: Verdict
    response: RAGResponse
    total_ms: float
    conversation_id: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceFailed(Event):
    """A source could not be asked; ``cause`` says what went wrong."""

    source: str
    timeout: bool
    circuit_open: bool = False
    cause: str = ""
