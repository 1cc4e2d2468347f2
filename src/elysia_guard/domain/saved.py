"""A conversation as it is kept, so that it outlives a pause and a restart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

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


@dataclass(frozen=True, kw_only=True, slots=True)
class SavedSettings:
    """What a user has set on the page, without keys."""

    values: Mapping[str, Any]
    """JSON, as whoever applies them understands it."""
    version: int
    """Counts the changes, from 1: another number tells that there is something new."""
