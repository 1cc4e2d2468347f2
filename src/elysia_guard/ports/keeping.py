"""Where conversations and answers are kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from elysia_guard.domain.kept import KeptAnswer
from elysia_guard.domain.saved import (
    ConversationKey,
    ListedConversation,
    SavedConversation,
    SavedSettings,
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

    async def settings(self, user_id: str) -> SavedSettings | None:
        """Return what a user has set on the page, None where that is nothing."""

    async def keep_settings(self, user_id: str, values: Mapping[str, Any], *, at: datetime) -> int:
        """Keep what a user has set, in place of what was; return its version."""

    def close(self) -> None:
        """Close what is open; what is under way is still done."""


class ConversationLocks(Protocol):
    """Keeps other processes out of a conversation while a question is answered in it.

    A process asks for a conversation that it is in itself only after it has left it. What one held
    that has ended is let go of by whatever keeps the locks, so that nobody waits for the dead.
    """

    async def enter(self, key: ConversationKey) -> None:
        """Wait until no other process is in a conversation, and keep others out.

        Whoever is cancelled while waiting is not in.

        Raises:
            ConversationStoreError: the locks cannot be had.
        """

    def leave(self, key: ConversationKey) -> None:
        """Let others into a conversation that was entered; waits for nothing and never fails."""

    def close(self) -> None:
        """Let go of everything."""


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
