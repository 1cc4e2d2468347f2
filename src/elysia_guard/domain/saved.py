"""A conversation as it is kept, so that it outlives a pause and a restart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document
from elysia_guard.domain.origin import Against
from elysia_guard.domain.refusal import Verdict
from elysia_guard.domain.response import RAGResponse

Payload = Mapping[str, Any]
"""What the page was sent: JSON."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ConversationKey:
    """Whose conversation, and which of theirs: another user's of the same id is another one."""

    user_id: str
    conversation_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """A question with all that was shown in answer to it, in that order."""

    query_id: str
    payloads: tuple[Payload, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """How a conversation stands after a turn: its title, and what it has settled."""

    title: str
    state: Mapping[str, Any] = field(default_factory=dict)
    """JSON, as whoever leads the conversation understands it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SavedConversation:
    """A conversation that can go on."""

    standing: Standing
    turns: tuple[Turn, ...]
    thumbs: Mapping[str, int] = field(default_factory=dict)
    """What was said of replies, by the id of their query; see ``Thumb.value``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedConversation:
    """A conversation in a list."""

    key: ConversationKey
    title: str
    turns: int
    changed_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Thumb:
    """What a person said of a reply: below 1 it was bad, 1 good, 2 very good.

    The reply is named where a store lists thumbs; two that say the same are equal, of whatever.
    """

    value: int
    given_at: datetime
    conversation_id: str = field(default="", compare=False)
    query_id: str = field(default="", compare=False)


LEAST_CONFIDENCE = 0.3
"""Below this confidence no answer is kept (ADR-0031)."""
TELLING = frozenset(
    {
        "PHANTOM_FILE",
        "PIPELINE_ERROR",
        "SNIPPET_MISMATCH",
        "SOURCE_UNREACHABLE",
        "STALE_INDEX",
    }
)
"""The warnings that tell of something missing, which may be there the next time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptSource:
    """A source that a kept answer cites, as it was then.

    ``id`` is a document's, or the URI of a concept; ``digest`` is of all that index or vocabulary
    gave for it.
    """

    id: str
    digest: str
    document: Document | None = None
    """None for a concept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptAnswer:
    """A reply, the verdicts it rests on (without their passages), and what it leaves behind."""

    response: RAGResponse
    verdicts: tuple[Verdict, ...]
    """One for each part of the question."""
    given_at: datetime
    """When its question came in, in UTC."""
    aftermath: Conversation = field(default_factory=Conversation)
    """What it leaves in its conversation, for the next message to refer to."""
    sources: tuple[KeptSource, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerPlace:
    """Where the answer to a question under way may be kept, or is ``kept`` since it was asked last.

    ``key`` is made of all that the answer depends on, ``scopes`` name those parts of it by which
    answers are forgotten together. ``done`` tells whoever waits for this answer what it is, or
    with None that there is none; only the first time counts.
    """

    key: str
    scopes: tuple[str, ...]
    done: Callable[[KeptAnswer | None], None]
    waited_s: float = 0.0
    """How long it was waited for somebody else to answer it: so much less time a model has."""
    kept: KeptAnswer | None = None
    """The answer that was given to the same question before, where it still holds."""


def may_be_kept(response: RAGResponse) -> bool:
    """Tell whether a reply is an answer that is verified, whole, and made by all that there is."""
    validation, quality = response.validation, response.retrieval_quality
    return (
        bool(response.sources)
        and response.complete
        and not response.refused
        and response.refusal_reason is None
        and not quality.fallback_active
        and quality.confidence_score >= LEAST_CONFIDENCE
        and validation is not None
        and validation.confidence >= 1.0
        # What somebody's tool returned cannot be looked at again.
        and Against.RESULT not in validation.against
        and not any(warning.type in TELLING for warning in response.warnings)
    )
