"""A chat whose requests run in a loop of its own, for callers in any loop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.models.chat import Heard


class AsyncChat(Protocol):
    """A chat that is a coroutine function."""

    @property
    def model(self) -> str:
        """Its name."""

    def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> Coroutine[Any, Any, str]:
        """Ask it; see ``chat.Chat``."""

    def streamed(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any], heard: Heard
    ) -> Coroutine[Any, Any, str]:
        """Ask it; see ``chat.StreamedChat``."""


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

    async def streamed(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any], heard: Heard
    ) -> str:
        """Ask it, and tell the pieces over here; see ``chat.StreamedChat``."""
        here = asyncio.get_running_loop()

        def told(piece: str) -> None:
            # Whoever asked may be gone, and its loop with it.
            with suppress(RuntimeError):
                here.call_soon_threadsafe(heard, piece)

        return await self._loop.arun(self._chat.streamed(messages, schema=schema, heard=told))
