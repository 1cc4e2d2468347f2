"""A store of conversations in memory, which works and can be told to fail."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import (
    ConversationKey,
    ListedConversation,
    SavedConversation,
    Standing,
    Thumb,
    Turn,
)


@dataclass(kw_only=True, slots=True)
class _Kept:
    standing: Standing
    changed_at: datetime
    order: int
    turns: list[Turn] = field(default_factory=list)
    thumbs: dict[str, Thumb] = field(default_factory=dict)


class MemoryConversations:
    """Keeps conversations as long as it lives; while ``down`` it raises."""

    def __init__(self) -> None:
        """Begin empty."""
        self.down = False
        self._kept: dict[ConversationKey, _Kept] = {}
        self._changes = 0

    async def add_turn(
        self, key: ConversationKey, turn: Turn, standing: Standing, *, at: datetime
    ) -> None:
        """Add a turn to a conversation, which begins with its first."""
        self._asked()
        self._changes += 1
        order = self._kept[key].order if key in self._kept else self._changes
        kept = self._kept.setdefault(key, _Kept(standing=standing, changed_at=at, order=order))
        kept.turns.append(copy.deepcopy(turn))
        kept.standing, kept.changed_at = copy.deepcopy(standing), at

    async def load(self, key: ConversationKey) -> SavedConversation | None:
        """Return a conversation, None where it is not there."""
        self._asked()
        if not (kept := self._kept.get(key)):
            return None
        return SavedConversation(
            standing=copy.deepcopy(kept.standing),
            turns=tuple(copy.deepcopy(kept.turns)),
            thumbs={query_id: thumb.value for query_id, thumb in kept.thumbs.items()},
        )

    async def listed(self, user_id: str | None = None) -> Sequence[ListedConversation]:
        """Return a user's conversations, or everybody's, the last changed first."""
        self._asked()
        newest = sorted(
            self._kept.items(), key=lambda item: (item[1].changed_at, item[1].order), reverse=True
        )
        return [
            ListedConversation(
                key=key,
                title=kept.standing.title,
                turns=len(kept.turns),
                changed_at=kept.changed_at,
            )
            for key, kept in newest
            if user_id in {None, key.user_id}
        ]

    async def rename(self, key: ConversationKey, title: str) -> bool:
        """Give a conversation another title; tell whether it is there."""
        self._asked()
        if kept := self._kept.get(key):
            kept.standing = Standing(title=title, state=kept.standing.state)
        return key in self._kept

    async def delete(self, key: ConversationKey) -> bool:
        """Delete a conversation; tell whether it was there."""
        self._asked()
        return self._kept.pop(key, None) is not None

    async def give_thumb(self, key: ConversationKey, query_id: str, thumb: Thumb) -> bool:
        """Keep what was said last of a reply; tell whether the reply is there."""
        if kept := self._reply(key, query_id):
            kept.thumbs[query_id] = thumb
        return kept is not None

    async def take_thumb(self, key: ConversationKey, query_id: str) -> bool:
        """Forget what was said of a reply; tell whether the reply is there."""
        if kept := self._reply(key, query_id):
            kept.thumbs.pop(query_id, None)
        return kept is not None

    async def thumbs(self, user_id: str) -> Sequence[Thumb]:
        """Return all that a user has said of replies, in the order of time."""
        self._asked()
        given = [
            replace(thumb, conversation_id=key.conversation_id, query_id=query_id)
            for key, kept in self._kept.items()
            if key.user_id == user_id
            for query_id, thumb in kept.thumbs.items()
        ]
        return sorted(given, key=lambda thumb: thumb.given_at)

    async def purge(self, before: datetime, *, dry_run: bool = False) -> int:
        """Delete what has not changed since; return how many conversations that is."""
        self._asked()
        old = [key for key, kept in self._kept.items() if kept.changed_at < before]
        for key in () if dry_run else old:
            del self._kept[key]
        return len(old)

    def close(self) -> None:
        """Nothing is open."""

    def _reply(self, key: ConversationKey, query_id: str) -> _Kept | None:
        self._asked()
        kept = self._kept.get(key)
        there = kept and any(turn.query_id == query_id for turn in kept.turns)
        return kept if there else None

    def _asked(self) -> None:
        if self.down:
            raise ConversationStoreError("the store in memory is down")
