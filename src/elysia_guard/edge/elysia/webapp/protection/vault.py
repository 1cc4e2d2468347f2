"""The keys that are known here: shown as handles, taken back by them, and kept out of all else.

A handle says that a key is set, and nothing of it. The settings page posts what it was shown; what
it was shown for a key stands for that key, also when it copies it into another field. Each response
and each message is looked through: no key is in anything that leaves.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import langs
from elysia_guard.observability.logs import HIDDEN

SHORTEST = 8
"""A shorter key, such as 'ollama', would turn up in ordinary text; its name alone hides it."""
MARK = "set:"
MOST = 10_000
_SECRET_NAME = re.compile(
    r"(api_?key|secret|password|passwd|_token|_jwt|_access_key|_access_key_id|fernet_key)$", re.I
)
_IN_ADDRESS = re.compile(r"://[^/@\s:]*:([^/@\s]+)@")
_SECRET_VARIABLE = re.compile(r"(key|secret|password|passwd|token|jwt)$", re.I)


def is_secret(name: str) -> bool:
    """Tell whether a field of this name holds a key."""
    return bool(_SECRET_NAME.search(name))


class Vault:
    """All keys that a response, a log or an error might hold by mistake."""

    def __init__(self) -> None:
        """Begin with none."""
        self._pepper = secrets.token_bytes(32)
        self._values: dict[str, str] = {}
        self._lock = threading.Lock()
        self._pattern: re.Pattern[str] | None = None

    def learn(self, values: Iterable[str]) -> None:
        """Keep these out of everything from now on."""
        with self._lock:
            new = {self._handle(item): item for item in values if item and not is_handle(item)}
            if new.keys() <= self._values.keys() or len(self._values) > MOST:
                return
            self._values |= new
            self._pattern = _pattern(self._values.values())

    def learn_environment(self, environ: Mapping[str, str] | None = None) -> None:
        """Keep out what the environment holds under a name that says it is a key."""
        env = os.environ if environ is None else environ
        self.learn(value for name, value in env.items() if _SECRET_VARIABLE.search(name))
        self.learn(passwords(env.values()))

    def handle(self, key: str) -> str:
        """Return what is shown instead of a key."""
        self.learn([key])
        return self._handle(key)

    def key(self, handle: str) -> str | None:
        """Return the key that a handle stands for; None if it is of another run, or made up."""
        return self._values.get(handle)

    def redact(self, text: str) -> str:
        """Take all keys out of a text."""
        pattern = self._pattern
        return pattern.sub(HIDDEN, text) if pattern else text

    def __iter__(self) -> Iterator[str]:
        """The keys themselves."""
        return iter(list(self._values.values()))

    def _handle(self, key: str) -> str:
        digest = hmac.new(self._pepper, key.encode("utf-8", "replace"), hashlib.sha256)
        return f"{MARK}{digest.hexdigest()[:32]}"


def is_handle(value: object) -> bool:
    """Tell whether a value has the form of a handle."""
    return isinstance(value, str) and bool(re.fullmatch(rf"{MARK}[0-9a-f]{{32}}", value))


def passwords(values: Iterable[object]) -> Iterator[str]:
    """The passwords that stand in addresses, as in 'https://me:password@models.example.org'."""
    for value in values:
        if isinstance(value, str):
            yield from _IN_ADDRESS.findall(value)


def masked(found: Any, show: Callable[[str], str], *, within: bool = False) -> Any:
    """Return a JSON value with handles in place of its keys."""
    if isinstance(found, Mapping):
        return {
            name: _entry(str(name), value, show, within=within) for name, value in found.items()
        }
    if isinstance(found, list):
        return [masked(item, show, within=within) for item in found]
    return found


def _entry(name: str, value: Any, show: Callable[[str], str], *, within: bool) -> Any:
    holds_keys = name.lower() == "api_keys"
    if isinstance(value, str):
        kept = not value or is_handle(value) or name == "null"
        return value if kept or not (within or is_secret(name)) else show(value)
    return masked(value, show, within=holds_keys and isinstance(value, Mapping))


def _pattern(values: Iterable[str]) -> re.Pattern[str] | None:
    forms = {form for item in values if len(item) >= SHORTEST for form in _forms(item)}
    longest_first = sorted(forms, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None


def _forms(key: str) -> set[str]:
    """A key as it stands in a text, in JSON and in an address."""
    return {
        key,
        json.dumps(key)[1:-1],
        json.dumps(key, ensure_ascii=False)[1:-1],
        quote(key.encode("utf-8", "replace"), safe=""),
    }


WENT_WRONG = "Something went wrong here; the server's log says what."
OURS = frozenset(
    say(lang, f"conversation.{key}") for lang in langs() for key in ("not_deleted", "not_renamed")
)
"""What people are told of a store that is away: it says nothing of the inside."""
_MAY_HOLD_KEYS = re.compile(r"api_?key|secret|password|passwd|token|_jwt|access_key", re.I)
_FILES = ("/_next/", "/static/")
_ERROR = 500


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
    """Holds a response of text back until it is whole."""

    def __init__(self, vault: Vault, send: Send) -> None:
        self._vault, self._send = vault, send
        self._start: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        begins = message["type"] == "http.response.start"
        if begins and _is_text(message):
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
