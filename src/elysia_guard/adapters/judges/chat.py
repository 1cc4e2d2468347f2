"""Any server that speaks OpenAI's chat completions: vLLM, Ollama, llama.cpp, LiteLLM, OpenAI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elysia_guard.adapters.embedders.errors import TextRefusedError
from elysia_guard.adapters.embedders.wire import Wire
from elysia_guard.adapters.judges.errors import NoJudgementError, of_judge

NAME = "the judge's model server"
PATH = "/chat/completions"
MAX_BYTES = 400_000


class OpenAIChat:
    """Asks one model; belongs to the event loop in which it is first used.

    A server that turns a JSON schema down is asked without one from then on.

    Args:
        url: its address, with or without ``/v1``.
        model: its name there.
        api_key: where the server wants one.
    """

    def __init__(self, url: str, model: str, *, api_key: str = "") -> None:
        self._model = model
        root = url.rstrip("/").removesuffix(PATH)
        root = root if root.rsplit("/", 1)[-1].startswith("v") else f"{root}/v1"
        self._wire = Wire(root, name=NAME, api_key=api_key, section="judge")
        self._takes_schema = True

    @property
    def model(self) -> str:
        return self._model

    async def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> str:
        """Return what the model writes; see ``language_model.Chat``."""
        body: dict[str, object] = {
            "model": self._model,
            "messages": list(messages),
            "temperature": 0,
        }
        form = {"name": "judgement", "strict": True, "schema": schema}
        typed = {"response_format": {"type": "json_schema", "json_schema": form}}
        with of_judge():
            if self._takes_schema:
                try:
                    return _text(await self._post({**body, **typed}))
                except TextRefusedError:
                    pass
            written = _text(await self._post(body))
            self._takes_schema = False
            return written

    async def _post(self, body: Mapping[str, object]) -> object:
        return await self._wire.post(PATH, body, max_bytes=MAX_BYTES)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()


def _text(answer: object) -> str:
    match answer:
        case {"choices": [{"message": {"content": str(text)}}, *_]}:
            return text
        case _:
            raise NoJudgementError(f"{NAME} sent no completion")
