"""No key in anything that leaves: each response and each message is looked through."""

from __future__ import annotations

import json
import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elysia_guard.edge.elysia.webapp.protection.vault import Vault, masked
from elysia_guard.edge.service.events import EVENTS
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import langs

WENT_WRONG = "Something went wrong here; the server's log says what."
OURS = frozenset(
    say(lang, f"conversation.{key}") for lang in langs() for key in ("not_deleted", "not_renamed")
)
"""What people are told of a store that is away: it says nothing of the inside."""
_MAY_HOLD_KEYS = re.compile(r"api_?key|secret|password|passwd|token|_jwt|access_key", re.I)
_FILES = ("/_next/", "/static/")
_ERROR = 500
_END = b"\n\n"
"""Ends an event."""


class KeysStay:
    """Shows that a key is set, and hides it wherever else it would be shown."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, without its keys."""
        if scope["type"] == "websocket":
            send = _Messages(scope["app"].state.vault, send).send
        elif scope["type"] == "http" and not scope["path"].startswith(_FILES):
            send = _Response(scope["app"].state.vault, send).send
        await self._app(scope, receive, send)


class _Messages:
    def __init__(self, vault: Vault, send: Send) -> None:
        self._vault, self._send = vault, send

    async def send(self, message: Message) -> None:
        if isinstance(text := message.get("text"), str):
            message = {**message, "text": without_keys(text, self._vault)}
        await self._send(message)


class _Response:
    """Holds a response of text back until it is whole; of events, each until that is."""

    def __init__(self, vault: Vault, send: Send) -> None:
        self._vault, self._send = vault, send
        self._start: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        begins = message["type"] == "http.response.start"
        if begins and _kind(message).startswith(EVENTS):
            self._send = _Events(self._vault, self._send).send
            await self._send(message)
        elif begins and _is_text(message):
            self._start = message
        elif self._start is None or message["type"] != "http.response.body":
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._finish(self._start)

    async def _finish(self, start: Message) -> None:
        text = bytes(self._body).decode("utf-8", "replace")
        is_json = "json" in _kind(start)
        if is_json and start["status"] >= _ERROR:
            text = _plainly(text)
        shown = without_keys(text, self._vault) if text else text
        body = shown.encode() if shown != text or start["status"] >= _ERROR else bytes(self._body)
        if len(body) != len(self._body):
            start = {**start, "headers": list(start["headers"])}
            MutableHeaders(scope=start)["content-length"] = str(len(body))
        self._start = None
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


class _Events:
    """Passes each event on as soon as it is whole: somebody waits for it."""

    def __init__(self, vault: Vault, send: Send) -> None:
        self._vault, self._send = vault, send
        self._rest = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.body":
            *whole, self._rest = (self._rest + message.get("body", b"")).split(_END)
            body = b"".join(self._shown(event) + _END for event in whole)
            if not message.get("more_body", False):
                body += self._shown(self._rest)
            message = {**message, "body": body}
        await self._send(message)

    def _shown(self, event: bytes) -> bytes:
        lines = event.decode("utf-8", "replace").split("\n")
        return "\n".join(map(self._line, lines)).encode()

    def _line(self, line: str) -> str:
        name, mark, value = line.partition(": ")
        return (
            f"{name}{mark}{without_keys(value, self._vault)}" if mark else self._vault.redact(line)
        )


def without_keys(text: str, vault: Vault) -> str:
    """Return a text, or a JSON value written as one, without its keys."""
    if _MAY_HOLD_KEYS.search(text) and text[:1] in {"{", "["}:
        try:
            found = json.loads(text)
        except ValueError:
            return vault.redact(text)
        shown = masked(found, vault.handle)
        if shown != found:
            text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    return vault.redact(text)


def _is_text(start: Message) -> bool:
    kind = _kind(start)
    return kind.startswith("text/") or "json" in kind


def _kind(start: Message) -> str:
    return Headers(raw=start["headers"]).get("content-type", "")


def _plainly(text: str) -> str:
    """Say that something went wrong, in the form that was to be sent, and nothing of what."""
    try:
        found = json.loads(text)
    except ValueError:
        found = {}
    said = found if isinstance(found, dict) else {}
    field = "detail" if "detail" in said else "error"
    if said.get(field) in OURS:
        return text
    return json.dumps({**said, field: WENT_WRONG})
