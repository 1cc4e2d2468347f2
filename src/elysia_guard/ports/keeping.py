"""Where conversations and answers are kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from elysia_guard.domain.kept import KeptAnswer
from elysia_guard.domain.saved import (
    ConversationKey,
    ListedConversation,
    SavedConversation,
    Standing,
    Thumb,
    Turn,
)


class ConversationStore(Protocol):
    """Keeps conversations, each under its user and its id.

    Every method raises ``ConversationStoreError`` where the store cannot be had in time.
    """

    async def add_turn(
        self, key: ConversationKey, turn: Turn, standing: Standing, *, at: datetime
    ) -> None:
        """Add a turn to a conversation, which begins with its first; the standing is the new one.

        ``at`` is when: a conversation is as old as its last turn.
        """

    async def load(self, key: ConversationKey) -> SavedConversation | None:
        """Return a conversation as it was added, None where it is not there."""

    async def listed(self, user_id: str | None = None) -> Sequence[ListedConversation]:
        """Return a user's conversations, or everybody's, the last changed first."""

    async def rename(self, key: ConversationKey, title: str) -> bool:
        """Give a conversation another title; tell whether it is there."""

    async def delete(self, key: ConversationKey) -> bool:
        """Delete a conversation with all that was said of it; tell whether it was there."""

    async def give_thumb(self, key: ConversationKey, query_id: str, thumb: Thumb) -> bool:
        """Keep what was said last of a reply; tell whether the reply is there."""

    async def take_thumb(self, key: ConversationKey, query_id: str) -> bool:
        """Forget what was said of a reply; tell whether the reply is there."""

    async def thumbs(self, user_id: str) -> Sequence[Thumb]:
        """Return all that a user has said of replies, each with its ids, in the order of time."""

    async def purge(self, before: datetime, *, dry_run: bool = False) -> int:
        """Delete what has not changed since; return how many conversations that is."""

    def close(self) -> None:
        """Close what is open; what is under way is still done."""


class AnswerStore(Protocol):
    """Where answers are kept for a while, each under all that it depends on.

    One that cannot be reached keeps nothing, silently. Callers may be in any loop.
    """

    async def get(self, key: str) -> KeptAnswer | None:
        """Return the answer kept under a key; None if there is none, or no longer."""

    async def put(
        self, key: str, answer: KeptAnswer, *, ttl_s: float, scopes: Collection[str] = ()
    ) -> None:
        """Keep an answer for so many seconds, or until one of its scopes is forgotten."""

    async def forget(self, scope: str) -> None:
        """Forget all answers of a scope: of an index, or of a vocabulary, that is no more."""
