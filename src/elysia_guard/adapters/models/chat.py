"""A language model that is told messages: what judges and writers ask, and how they read it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

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


Heard = Callable[[str], None]
"""Told each further piece of what a model writes."""


@runtime_checkable
class StreamedChat(Chat, Protocol):
    """A chat that tells what the model writes while it writes."""

    async def streamed(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any], heard: Heard
    ) -> str:
        """Return what it writes, as when it is called; ``heard`` is told each piece as it comes.

        All pieces together are what is returned, or nothing is told: not every server can.

        Raises:
            SourceUnavailableError: it could not be asked, or not to the end.
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
