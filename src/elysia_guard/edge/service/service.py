"""Questions of programs, alone or in a conversation: the same for HTTP and for agents."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal
from weakref import WeakValueDictionary

from cachetools import LRUCache
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from elysia_guard.direct import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.mode import ASKABLE, Mode
from elysia_guard.domain.response import RAGResponse, ResponseWarning
from elysia_guard.domain.saved import ConversationKey, Standing, Turn
from elysia_guard.edge import kept_talk
from elysia_guard.language.catalogue import say

if TYPE_CHECKING:
    from elysia_guard.adapters.conversations import Keeper
    from elysia_guard.domain.response import RAGResponse

MOST_COLLECTIONS = 1_000


def _askable(mode: Mode) -> Mode:
    if mode not in ASKABLE:
        raise ValueError(f"choose one of {', '.join(ASKABLE)}")
    return mode


AskableMode = Annotated[
    Mode,
    AfterValidator(_askable),
    WithJsonSchema({"type": "string", "enum": [str(mode) for mode in ASKABLE]}),
]
Id = Annotated[str, Field(min_length=1, max_length=255)]


class AskedQuestion(BaseModel):
    """A question, and how it is to be answered."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"question": "What is CIMXML?"}]}
    )

    question: Annotated[
        str, Field(description="What a person asks, in any language that has a pack.")
    ]
    collections: Annotated[
        list[str] | None,
        Field(
            max_length=MOST_COLLECTIONS,
            description="Kinds or names of the collections that may be asked; null is all.",
        ),
    ] = None
    mode: Annotated[
        AskableMode | None,
        Field(description="How the answer is made, where not as the settings say."),
    ] = None
    conversation_id: Annotated[
        Id | None,
        Field(description="Made up by the caller. Questions with the same one may follow up."),
    ] = None
    user_id: Annotated[
        str | None,
        Field(
            max_length=255,
            description="Whose conversation it is, where a program asks for several people.",
        ),
    ] = None


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
class ServedConversation:
    """One conversation, taken up for one question."""

    key: ConversationKey
    conversation: Conversation
    title: str = ""
    kept: bool = True
    """Whether what was answered in it could be kept, once it was put away."""
    answered: list[tuple[str, RAGResponse]] = field(default_factory=list)
    """The questions that were answered since it was taken up."""

    def add(self, question: str, reply: RAGResponse) -> None:
        """Take note of a question that was answered."""
        self.title = self.title or question[:LONGEST_TITLE]
        self.answered.append((question, reply))


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
        self._held: LRUCache[ConversationKey, ServedConversation] = LRUCache(MOST_HELD)
        self._turns: WeakValueDictionary[ConversationKey, asyncio.Lock] = WeakValueDictionary()

    async def kept(self) -> Kept:
        """Tell whether conversations are kept, or their store is away."""
        if self._keeper is None:
            return "in_memory"
        return "kept" if await self._keeper.is_there() else "away"

    @asynccontextmanager
    async def of(self, key: ConversationKey) -> AsyncIterator[ServedConversation]:
        """Take a conversation up; what was answered in it is kept at the end."""
        # Whoever waits for their turn holds the lock; it goes with the last of them.
        turn = self._turns.setdefault(key, asyncio.Lock())
        async with turn, self._alone(key):
            talk = await self._taken_up(key)
            yield talk
            if talk.answered:
                await self._put_away(talk)

    def _alone(self, key: ConversationKey) -> AbstractAsyncContextManager[None]:
        """Keep the page, and other processes, out of the conversation."""
        return self._keeper.turn(key) if self._keeper else nullcontext()

    async def _taken_up(self, key: ConversationKey) -> ServedConversation:
        if self._keeper is None:
            held = self._held.get(key)
            return (
                ServedConversation(key, held.conversation, held.title)
                if held
                else ServedConversation(key, Conversation())
            )
        saved = await self._keeper.load(key)
        if saved is None:
            return ServedConversation(key, Conversation())
        conversation = kept_talk.from_json(saved.standing.state.get("conversation"))
        return ServedConversation(key, conversation, saved.standing.title)

    async def _put_away(self, talk: ServedConversation) -> None:
        if self._keeper is None:
            self._held[talk.key] = ServedConversation(talk.key, talk.conversation, talk.title)
            return
        state = {"conversation": kept_talk.as_json(talk.conversation)}
        for question, reply in talk.answered:
            payloads = tuple(await self._show(talk.key, question, reply))
            turn = Turn(query_id=reply.request_id, payloads=payloads)
            written = self._keeper.put(talk.key, turn, Standing(title=talk.title, state=state))
            talk.kept = await written and talk.kept


class GuardService:
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
        return reply if talk.kept else _not_kept(reply)


def _not_kept(reply: RAGResponse) -> RAGResponse:
    """Tell with a reply that its conversation is not kept: the next question follows up nothing."""
    message = say(reply.lang, "conversation.not_kept")
    warning = ResponseWarning(type="NOT_KEPT", message=message)
    return replace(reply, warnings=(*reply.warnings, warning))
