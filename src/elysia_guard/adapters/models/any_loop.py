"""A chat whose requests run in a loop of its own, for callers in any loop."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Protocol

from elysia_guard.adapters.background import BackgroundLoop


class AsyncChat(Protocol):
    """A chat that is a coroutine function."""

    @property
    def model(self) -> str:
        """Its name."""

    def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> Coroutine[Any, Any, str]:
        """Ask it; see ``chat.Chat``."""


class ChatFromAnyLoop:
    """Asks over there, for whoever asks: Elysia opens a loop for a question."""

    def __init__(self, chat: AsyncChat, loop: BackgroundLoop) -> None:
        """Wrap a chat that no other loop uses."""
        self._chat = chat
        self._loop = loop

    @property
    def model(self) -> str:
        return self._chat.model

    async def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> str:
        """Ask it; see ``chat.Chat``."""
        return await self._loop.arun(self._chat(messages, schema=schema))
