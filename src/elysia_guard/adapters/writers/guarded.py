"""A model that is asked in a form: within a deadline, behind its breaker, and once for the same.

What it wrote to the last prompts is remembered where it was of use: the same question over the same
sources is answered the same, also by a model that varies.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from elysia_guard.adapters.models.chat import Chat, Heard, StreamedChat
from elysia_guard.adapters.models.errors import NothingUsableError
from elysia_guard.adapters.models.guarded import ModelCaller
from elysia_guard.adapters.writers import prompt
from elysia_guard.domain.events import CallPurpose

Form = TypeVar("Form")


class FormChat:
    """Asks for a form, and once more where what was written has another; all that is one call."""

    def __init__(self, chat: Chat, caller: ModelCaller, *, purpose: CallPurpose = "write") -> None:
        """Take a chat, who asks its model, and what for."""
        self._chat = chat
        self._caller = caller
        self._purpose = purpose

    @property
    def model(self) -> str:
        return self._chat.model

    async def asked(
        self,
        messages: Sequence[prompt.Message],
        *,
        schema: Mapping[str, Any],
        lang: str,
        read: Callable[[str], Form | None],
        heard: Heard | None = None,
    ) -> Form:
        """Return what ``read`` makes of what the model writes.

        ``heard`` is told what it writes while it writes, where it can; what it wrote before to the
        same, and what it writes when asked once more, is not told.

        Raises:
            SourceUnavailableError: it could not be asked, was late, or wrote nothing of use.
        """

        async def usable() -> str:
            text = await self._first(messages, schema, heard)
            if read(text) is None:
                text = await self._chat(prompt.again(messages, text, lang), schema=schema)
            if read(text) is None:
                raise _nothing()
            return text

        key = json.dumps(messages)
        found = read(await self._caller.once(key, usable, purpose=self._purpose))
        if found is None:
            raise _nothing()
        return found

    async def _first(
        self, messages: Sequence[prompt.Message], schema: Mapping[str, Any], heard: Heard | None
    ) -> str:
        if heard and isinstance(self._chat, StreamedChat):
            return await self._chat.streamed(messages, schema=schema, heard=heard)
        return await self._chat(messages, schema=schema)


def _nothing() -> NothingUsableError:
    # What it wrote stands in no message.
    return NothingUsableError("the language model wrote nothing of the form asked, twice")
