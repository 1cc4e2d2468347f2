"""A language model's server on loopback, which speaks OpenAI's chat completions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from tests.loopback import LoopbackServer

from elysia_guard.edge.elysia.host import Settings

TOKENS = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
SECRET = "internal-host.example: out of memory"
"""Stands in every failure, and must not reach anyone."""


class ChatServer(LoopbackServer[dict[str, Any]]):
    """Answers with a text, a failure, nonsense, or not at all.

    Attributes:
        answer: what the model writes; called with the prompt, where it can be called.
        status: what the server answers with; from 400 on there is no text.
        usage: what it says of the tokens.
        keys: what came with each request.
        hanging: never answers.
        hanging_up: ends each connection without an answer.
    """

    def __init__(self, answer: str | Callable[[str], str] = "") -> None:
        super().__init__()
        self.answer = answer
        self.keys: list[str] = []
        self.status = 200
        self.usage: object = TOKENS
        self.hanging = False
        self.hanging_up = False

    def settings(self) -> Settings:
        """Settings of a user who has this model."""
        settings = Settings()
        settings.BASE_MODEL = settings.COMPLEX_MODEL = "made-up"
        settings.BASE_PROVIDER = settings.COMPLEX_PROVIDER = "openai"
        settings.MODEL_API_BASE = f"{self.url}/v1"
        settings.API_KEYS = {"openai_api_key": "sk-made-up"}
        return settings

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        named = {name.lower(): value for name, value in headers.items()}
        self.keys.append(named.get("authorization", ""))
        request = json.loads(await reader.readexactly(int(named["content-length"])))
        self._take(request)
        if self.hanging:
            self.on_late()
            await reader.read()  # until whoever asked goes away
        if self.hanging or self.hanging_up:
            return False
        body = json.dumps(self._said(request)).encode()
        writer.write(
            b"HTTP/1.1 %d X\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
            % (self.status, len(body), body)
        )
        await writer.drain()
        return True

    def _said(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.status >= 400:
            return {"error": {"message": SECRET, "type": "made_up", "code": None}}
        prompt = json.dumps(request["messages"])
        text = self.answer(prompt) if callable(self.answer) else self.answer
        message = {"role": "assistant", "content": text}
        return {
            "id": "chat-1",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": self.usage,
        }
