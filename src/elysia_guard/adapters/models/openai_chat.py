"""Any server that speaks OpenAI's chat completions: vLLM, Ollama, llama.cpp, LiteLLM, OpenAI."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from elysia_guard.adapters.embedders.errors import TextRefusedError
from elysia_guard.adapters.embedders.wire import Wire
from elysia_guard.adapters.models.errors import of_model

PATH = "/chat/completions"
MAX_BYTES = 400_000

Used = Callable[[int, int], None]
"""Told how many tokens a prompt had, and what was written to it."""


def unused(_prompt: int, _written: int) -> None:
    """Count no tokens."""


class OpenAIChat:
    """Asks one model; belongs to the event loop in which it is first used.

    A server that turns a JSON schema down is asked without one from then on.

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
        self._takes_schema = True

    @property
    def model(self) -> str:
        return self._model

    async def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> str:
        """Return what the model writes; see ``chat.Chat``."""
        body: dict[str, object] = {
            "model": self._model,
            "messages": list(messages),
            "temperature": 0,
        }
        form = {"name": "answer", "strict": True, "schema": schema}
        typed = {"response_format": {"type": "json_schema", "json_schema": form}}
        with self._errors():
            if self._takes_schema:
                try:
                    return self._text(await self._post({**body, **typed}))
                except TextRefusedError:
                    pass
            written = self._text(await self._post(body))
            self._takes_schema = False
            return written

    async def _post(self, body: Mapping[str, object]) -> object:
        return await self._wire.post(PATH, body, max_bytes=MAX_BYTES)

    def _text(self, answer: object) -> str:
        match answer:
            case {"usage": {"prompt_tokens": int(prompt), "completion_tokens": int(written)}}:
                self._used(prompt, written)
        match answer:
            case {"choices": [{"message": {"content": str(text)}}, *_]}:
                return text
            case _:
                raise TextRefusedError(f"{self._name} sent no completion")

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()
