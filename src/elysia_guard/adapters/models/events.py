"""A stream of server-sent events, as servers of OpenAI's chat completions send what they write."""

from __future__ import annotations

import json
from collections.abc import Iterator

_END = "[DONE]"


class Completion:
    r"""What a model writes, put together from the events in which it comes.

    >>> made = Completion()
    >>> made.take(b'data: {"choices": [{"delta": {"content": "Ke')
    ''
    >>> made.take(b'ys."}}]}\n\ndata: [DONE]\n\n')
    'Keys.'
    >>> made.text, made.failed
    ('Keys.', False)
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._rest = b""
        self._pieces: list[str] = []
        self.begun = False
        """Whether any event was one of a completion."""
        self.failed = False
        """Whether the server told of a failure, or sent what is no event of a completion."""
        self.tokens: tuple[int, int] | None = None
        """The tokens of the prompt and of what was written, where the server says them."""

    @property
    def text(self) -> str:
        """What has been written so far."""
        return "".join(self._pieces)

    def take(self, part: bytes) -> str:
        """Take what has come of the stream, and return what it adds to the text."""
        *lines, self._rest = (self._rest + part).split(b"\n")
        new = "".join(piece for line in lines for piece in self._said(line))
        self._pieces.append(new)
        return new

    def _said(self, line: bytes) -> Iterator[str]:
        name, _, value = line.strip().partition(b":")
        data = value.strip()
        if name != b"data" or data == _END.encode():
            return
        try:
            event: object = json.loads(data)
        except (ValueError, RecursionError):
            self.failed = True
            return
        yield from self._told(event)

    def _told(self, event: object) -> Iterator[str]:
        match event:
            case {"usage": {"prompt_tokens": int(prompt), "completion_tokens": int(written)}}:
                self.tokens = (prompt, written)
        match event:
            case {"choices": [{"delta": {"content": str(text)}}, *_]}:
                self.begun = True
                yield text
            case {"choices": list()}:
                self.begun = True
            case _:
                self.failed = True
