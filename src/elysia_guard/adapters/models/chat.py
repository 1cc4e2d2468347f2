"""A language model that is told messages, and how what it writes is read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from elysia_guard.adapters.http import ModelServerWire, TextRefusedError
from elysia_guard.adapters.models import of_model

PATH = "/chat/completions"
MAX_BYTES = 400_000
FREAKS = 3
"""So often in a row a server sends nothing to a schema before it is not asked with one any more."""

Message = dict[str, str]
Form = TypeVar("Form")
Used = Callable[[int, int], None]
"""Told how many tokens a prompt had, and what was written to it."""

_FENCED = re.compile(r"```(?:json)?\s*(?P<inner>.*?)\s*```", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)


class Chat(Protocol):
    """A language model that is told messages, and writes."""

    @property
    def model(self) -> str:
        """Its name."""

    async def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> str:
        """Return what it writes; where it can, as the schema wants it.

        Raises:
            SourceUnavailableError: it could not be asked.
        """


def json_in(written: str) -> object:
    r"""Return what the JSON of a text holds, whatever was thought aloud or fenced around it.

    None stands for what is no JSON.

    >>> json_in('<think>Hm.</think>```json\n{"a": 1}\n```')
    {'a': 1}
    """
    text = _THOUGHT.sub("", written).strip()
    if fenced := _FENCED.fullmatch(text):
        text = fenced["inner"]
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


async def asked_in_form(
    chat: Chat,
    messages: Sequence[Message],
    *,
    schema: Mapping[str, Any],
    read: Callable[[str], Form | None],
    repair: Callable[[str], str],
) -> tuple[str, Form] | None:
    """Ask a model, and once more, with what ``repair`` says of it, where it wrote no such form.

    Returns:
        What it wrote, and what ``read`` made of it; None where the form is wrong twice.
    """
    text = await chat(messages, schema=schema)
    found = read(text)
    if found is None:
        wrong = [{"role": "assistant", "content": text}, {"role": "user", "content": repair(text)}]
        text = await chat([*messages, *wrong], schema=schema)
        found = read(text)
    return None if found is None else (text, found)


def unused(_prompt: int, _written: int) -> None:
    """Count no tokens."""


class _NothingSentError(TextRefusedError):
    """The server took what it was asked, and sent no completion."""


class OpenAIChat:
    """Asks a model of any server that speaks OpenAI's chat completions: vLLM, Ollama and others.

    Belongs to the event loop in which it is first used.

    A server that turns a JSON schema down is asked without one from then on. One that only sends
    nothing to a schema once is asked without at that time, and from then on where it does so time
    after time.

    Args:
        url: its address, with or without ``/v1``.
        model: its name there.
        api_key: where the server wants one.
        section: of the settings, in which it is named; messages say so.
        used: is told the tokens of each answer, where the server counts them.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: str = "",
        section: str = "llm",
        used: Used = unused,
    ) -> None:
        self._model = model
        root = url.rstrip("/").removesuffix(PATH)
        root = root if root.rsplit("/", 1)[-1].startswith("v") else f"{root}/v1"
        self._name = f"the {section}'s model server"
        self._wire = ModelServerWire(root, name=self._name, api_key=api_key, section=section)
        self._used = used
        self._untaken = 0

    @property
    def model(self) -> str:
        return self._model

    async def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> str:
        """Return what the model writes; see ``chat.Chat``.

        It is asked in the first form that the server takes, which is remembered.
        """
        body = {"model": self._model, "messages": list(messages), "temperature": 0}
        form = {"name": "answer", "strict": True, "schema": schema}
        typed = {"response_format": {"type": "json_schema", "json_schema": form}}
        with of_model():
            freak = False
            if self._untaken < FREAKS:
                try:
                    text = await self._written(body | typed)
                except TextRefusedError as err:
                    freak = isinstance(err, _NothingSentError)
                else:
                    self._untaken = 0
                    return text
            text = await self._written(body)
            # How often in a row a schema was not taken; one that is turned down is at once.
            self._untaken = min(self._untaken + 1, FREAKS) if freak else FREAKS
            return text

    async def _written(self, body: Mapping[str, object]) -> str:
        return self._text(await self._wire.post(PATH, body, max_bytes=MAX_BYTES))

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
