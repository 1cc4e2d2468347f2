"""Any server that speaks OpenAI's chat completions: vLLM, Ollama, llama.cpp, LiteLLM, OpenAI."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from elysia_guard.adapters.embedders.errors import ModelServerError, TextRefusedError
from elysia_guard.adapters.embedders.wire import Wire
from elysia_guard.adapters.models.chat import Heard
from elysia_guard.adapters.models.errors import of_model
from elysia_guard.adapters.models.events import Completion

PATH = "/chat/completions"
MAX_BYTES = 400_000
MAX_BYTES_STREAMED = 8 * MAX_BYTES
"""A stream says little with every word: of its bytes so many are its own."""

FREAKS = 3
"""So often in a row a server sends nothing to a schema before it is not asked with one any more."""

Used = Callable[[int, int], None]
"""Told how many tokens a prompt had, and what was written to it."""


def unused(_prompt: int, _written: int) -> None:
    """Count no tokens."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Form:
    """What a server is asked for: to keep to a schema, and to send what it writes as it comes."""

    typed: bool
    streamed: bool


class _NothingSentError(TextRefusedError):
    """The server took what it was asked, and sent no completion."""


class OpenAIChat:
    """Asks one model; belongs to the event loop in which it is first used.

    A server that turns a JSON schema down is asked without one from then on, and one that turns
    a stream down is asked for the whole. One that only sends nothing to a schema once is asked
    without at that time, and from then on where it does so time after time.

    Args:
        url: its address, with or without ``/v1``.
        model: its name there.
        api_key: where the server wants one.
        section: of the settings, in which it is named; messages say so.
        errors: turns errors of the wire into those of whoever asks.
        used: is told the tokens of each answer, where the server counts them.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: str = "",
        section: str = "llm",
        errors: Callable[[], AbstractContextManager[None]] = of_model,
        used: Used = unused,
    ) -> None:
        self._model = model
        root = url.rstrip("/").removesuffix(PATH)
        root = root if root.rsplit("/", 1)[-1].startswith("v") else f"{root}/v1"
        self._name = f"the {section}'s model server"
        self._wire = Wire(root, name=self._name, api_key=api_key, section=section)
        self._errors = errors
        self._used = used
        self._untaken = 0
        self._streams = True

    @property
    def model(self) -> str:
        return self._model

    async def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> str:
        """Return what the model writes; see ``chat.Chat``."""
        return await self._asked(messages, schema, None)

    async def streamed(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any], heard: Heard
    ) -> str:
        """Return what the model writes, and tell it as it comes; see ``chat.StreamedChat``."""
        return await self._asked(messages, schema, heard)

    async def _asked(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, Any],
        heard: Heard | None,
    ) -> str:
        """Ask in the first form that the server takes, and remember which that was."""
        body = {"model": self._model, "messages": list(messages), "temperature": 0}
        form = {"name": "answer", "strict": True, "schema": schema}
        typed = {"response_format": {"type": "json_schema", "json_schema": form}}
        *others, last = self._forms(stream=heard is not None)
        freak = False
        with self._errors():
            for way in others:
                try:
                    text = await self._written(body | typed if way.typed else body, way, heard)
                except TextRefusedError as err:
                    freak = isinstance(err, _NothingSentError)
                    continue
                self._remember(way, freak=freak)
                return text
            text = await self._written(body | typed if last.typed else body, last, heard)
            self._remember(last, freak=freak)
            return text

    def _remember(self, form: _Form, *, freak: bool) -> None:
        """Count how often in a row a schema was not taken; one that is turned down is at once."""
        if form.typed:
            self._untaken = 0
        else:
            self._untaken = min(self._untaken + 1, FREAKS) if freak else FREAKS

    def _forms(self, *, stream: bool) -> list[_Form]:
        typed = (True, False) if self._untaken < FREAKS else (False,)
        streamed = (True, False) if stream and self._streams else (False,)
        return [_Form(typed=schema, streamed=way) for way in streamed for schema in typed]

    async def _written(self, body: Mapping[str, object], form: _Form, heard: Heard | None) -> str:
        if form.streamed and heard:
            text = await self._heard(body, heard)
        else:
            text = self._text(await self._wire.post(PATH, body, max_bytes=MAX_BYTES))
            self._streams = self._streams and heard is None
        return text

    async def _heard(self, body: Mapping[str, object], heard: Heard) -> str:
        """Ask for a stream; a server that knows of none answers whole, and nothing is told."""
        made = Completion()

        def told(part: bytes) -> None:
            if piece := made.take(part):
                heard(piece)

        asked = {**body, "stream": True, "stream_options": {"include_usage": True}}
        whole = await self._wire.post_heard(PATH, asked, max_bytes=MAX_BYTES_STREAMED, heard=told)
        if whole is not None:
            return self._text(whole)
        if made.failed or not made.begun:
            raise ModelServerError(f"{self._name} did not write to the end")
        if made.tokens:
            self._used(*made.tokens)
        return made.text

    def _text(self, answer: object) -> str:
        match answer:
            case {"usage": {"prompt_tokens": int(prompt), "completion_tokens": int(written)}}:
                self._used(prompt, written)
        match answer:
            case {"choices": [{"message": {"content": str(text)}}, *_]}:
                return text
            case _:
                raise _NothingSentError(f"{self._name} sent no completion")

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()
