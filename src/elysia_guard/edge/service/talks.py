"""Conversations of programs: taken up before a question, kept before its answer is sent."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.saved import ConversationKey, Standing, Turn
from elysia_guard.edge import kept_talk

if TYPE_CHECKING:
    from elysia_guard.adapters.conversations import Keeper
    from elysia_guard.domain.response import RAGResponse

MOST_HELD = 1_000
"""Conversations in memory, where nobody keeps them; the longest idle one makes room."""
LONGEST_TITLE = 80

Payload = dict[str, Any]
Kept = Literal["kept", "away", "in_memory"]
"""Where conversations are: in the store, nowhere while it is away, or in this process alone."""
Show = Callable[[ConversationKey, str, "RAGResponse"], Awaitable[Sequence[Payload]]]
"""What the web page shows of a question and its reply."""


async def not_shown(
    _key: ConversationKey, _question: str, _reply: RAGResponse
) -> Sequence[Payload]:
    """Show nothing: there is no page."""
    return ()


@dataclass(slots=True)
class Talk:
    """One conversation, taken up for one question."""

    key: ConversationKey
    conversation: Conversation
    title: str = ""
    _turns: list[tuple[str, RAGResponse]] = field(default_factory=list)

    def add(self, question: str, reply: RAGResponse) -> None:
        """Take note of a question that was answered."""
        self.title = self.title or question[:LONGEST_TITLE]
        self._turns.append((question, reply))

    @property
    def answered(self) -> Sequence[tuple[str, RAGResponse]]:
        """The questions that were answered since it was taken up."""
        return self._turns


class Talks:
    """Takes conversations up and puts them away, one question of each at a time.

    With a keeper they are read from the store before each question, and written before its answer
    is given: any process over the same store may take the next one. Without one they are in this
    process's memory, and end with it.
    """

    def __init__(self, keeper: Keeper | None = None, *, show: Show = not_shown) -> None:
        """Take who keeps conversations, and how the page shows a turn of them."""
        self._keeper = keeper
        self._show = show
        self._held: OrderedDict[ConversationKey, Talk] = OrderedDict()
        self._turns: dict[ConversationKey, tuple[asyncio.Lock, int]] = {}

    async def kept(self) -> Kept:
        """Tell whether conversations are kept, or their store is away."""
        if self._keeper is None:
            return "in_memory"
        return "kept" if await self._keeper.is_there() else "away"

    @asynccontextmanager
    async def of(self, key: ConversationKey) -> AsyncIterator[Talk]:
        """Take a conversation up; what was answered in it is kept at the end."""
        async with self._in_turn(key), self._alone(key):
            talk = await self._taken_up(key)
            yield talk
            if talk.answered:
                await self._put_away(talk)

    @asynccontextmanager
    async def _in_turn(self, key: ConversationKey) -> AsyncIterator[None]:
        """Wait until nobody else asks in this conversation."""
        lock, waiting = self._turns.get(key, (asyncio.Lock(), 0))
        self._turns[key] = lock, waiting + 1
        try:
            async with lock:
                yield
        finally:
            _, waiting = self._turns.pop(key)
            if waiting > 1:
                self._turns[key] = lock, waiting - 1

    def _alone(self, key: ConversationKey) -> AbstractAsyncContextManager[None]:
        """Keep the page, and other processes, out of the conversation."""
        return self._keeper.turn(key) if self._keeper else nullcontext()

    async def _taken_up(self, key: ConversationKey) -> Talk:
        if self._keeper is None:
            held = self._held.get(key)
            return Talk(key, held.conversation, held.title) if held else Talk(key, Conversation())
        saved = await self._keeper.load(key)
        if saved is None:
            return Talk(key, Conversation())
        conversation = kept_talk.from_json(saved.standing.state.get("conversation"))
        return Talk(key, conversation, saved.standing.title)

    async def _put_away(self, talk: Talk) -> None:
        if self._keeper is None:
            self._held[talk.key] = Talk(talk.key, talk.conversation, talk.title)
            self._held.move_to_end(talk.key)
            if len(self._held) > MOST_HELD:
                self._held.popitem(last=False)
            return
        state = {"conversation": kept_talk.as_json(talk.conversation)}
        for question, reply in talk.answered:
            payloads = tuple(await self._show(talk.key, question, reply))
            turn = Turn(query_id=reply.request_id, payloads=payloads)
            self._keeper.put(talk.key, turn, Standing(title=talk.title, state=state))
        await self._keeper.written()
