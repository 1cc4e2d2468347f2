"""One question of a program's, alone or in a conversation: the same for HTTP and for agents."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.domain.shown import Shown
from elysia_guard.edge.service.question import AskedQuestion
from elysia_guard.edge.service.talks import Kept, Talks
from elysia_guard.guard import Guard


class Service:
    """Answers programs on the direct route."""

    def __init__(self, guard: Guard, talks: Talks) -> None:
        """Take who answers, and who keeps conversations."""
        self.guard = guard
        self._talks = talks

    async def conversations(self) -> Kept:
        """Tell whether conversations are kept, or their store is away."""
        return await self._talks.kept()

    async def ask(
        self, asked: AskedQuestion, *, user_id: str = "", request_id: str | None = None
    ) -> RAGResponse:
        """Answer one question; with a conversation's id, it may follow up.

        Args:
            asked: the question, and how it is to be answered.
            user_id: whose conversation it is.
            request_id: the id under which it appears in logs; made up when absent.

        Raises:
            QuestionError, ScopeError: it cannot be asked; the message says why.
            GuardError: a part cannot be had.
        """
        request_id = request_id or f"req-{uuid.uuid4().hex[:12]}"
        if asked.conversation_id is None:
            return await self.guard.aask(
                asked.question,
                collections=asked.collections,
                mode=asked.mode,
                request_id=request_id,
            )
        key = ConversationKey(user_id=user_id, conversation_id=asked.conversation_id)
        async with self._talks.of(key) as talk:
            talk.conversation.id = asked.conversation_id
            reply = await self.guard.aask(
                asked.question,
                collections=asked.collections,
                mode=asked.mode,
                conversation=talk.conversation,
                request_id=request_id,
            )
            talk.add(asked.question, reply)
        return reply

    async def stream(
        self, asked: AskedQuestion, *, user_id: str = "", request_id: str
    ) -> AsyncGenerator[Shown | RAGResponse, None]:
        """Answer as ``ask`` does, and yield first what the answer begins with, as it is proved.

        Raises:
            QuestionError, ScopeError: it cannot be asked; the message says why.
            GuardError: a part cannot be had.
        """
        if asked.conversation_id is None:
            async with aclosing(self._told(asked, None, request_id)) as told:
                async for each in told:
                    yield each
            return
        key = ConversationKey(user_id=user_id, conversation_id=asked.conversation_id)
        last: RAGResponse | None = None
        async with self._talks.of(key) as talk:
            talk.conversation.id = asked.conversation_id
            async with aclosing(self._told(asked, talk.conversation, request_id)) as told:
                async for each in told:
                    if isinstance(each, Shown):
                        yield each
                    else:
                        last = each
                        talk.add(asked.question, last)
        # It is kept before it is told.
        if last:
            yield last

    def _told(
        self, asked: AskedQuestion, conversation: Conversation | None, request_id: str
    ) -> AsyncGenerator[Shown | RAGResponse, None]:
        return self.guard.astream(
            asked.question,
            collections=asked.collections,
            mode=asked.mode,
            conversation=conversation,
            request_id=request_id,
        )
