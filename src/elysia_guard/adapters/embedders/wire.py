"""HTTP to a model server: bounded in size, never redirected, silent about address and key."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from http import HTTPStatus
from importlib import import_module
from typing import cast

import httpx

from elysia_guard.adapters.embedders.errors import (
    LastingError,
    ModelServerError,
    TextRefusedError,
)
from elysia_guard.domain.errors import ConfigError

# Below the five seconds after which uvicorn hangs up: no request meets a closing connection.
KEEPALIVE_S = 4.0
MAX_CONNECTIONS = 32

EVENTS = "text/event-stream"

_KEY_REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_TEXT_REFUSED = {
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
}

# httpx loads this at its first request, and that would take 20 ms of somebody's deadline.
with suppress(ImportError):
    import_module("anyio._backends._asyncio")


class Wire:
    """Requests to one model server. Belongs to the event loop in which it is first used."""

    def __init__(
        self, base_url: str, *, name: str, api_key: str = "", section: str = "embedder.server"
    ) -> None:
        """Take an address and, where the server wants one, a key.

        ``section`` of the settings is where both stand: messages name it.
        """
        # httpx logs whole URLs at INFO.
        log = logging.getLogger("httpx")
        if log.getEffectiveLevel() < logging.WARNING:
            log.setLevel(logging.WARNING)
        # A body that unpacks to more than it weighs could not be bounded while it is read.
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
        }
        if api_key:
            headers["Authorization"] = f"Bearer {api_key}"
        self._name = name
        self._section = section
        try:
            self._http = httpx.AsyncClient(
                base_url=base_url,
                headers=headers,
                follow_redirects=False,
                # Reading all certificates takes 25 ms; without redirects, http needs none.
                verify=not base_url.startswith("http://"),
                limits=httpx.Limits(
                    max_connections=MAX_CONNECTIONS,
                    max_keepalive_connections=MAX_CONNECTIONS,
                    keepalive_expiry=KEEPALIVE_S,
                ),
                # The deadline around the whole call bounds every phase.
                timeout=None,  # noqa: S113
            )
        except httpx.InvalidURL:
            raise ConfigError(f"{section}.url is no address; give http://host:port") from None

    async def post(self, path: str, body: Mapping[str, object], *, max_bytes: int) -> object:
        """Send JSON and return what the JSON of the answer holds.

        Raises:
            TextRefusedError: the server turned down what was sent.
            LastingError: the key, the model or the path is not the server's.
            ModelServerError: no answer came, or one that is too long, cut off or not JSON.
        """
        return self._read(await self._sent(path, body, max_bytes, _unheard))

    async def post_heard(
        self,
        path: str,
        body: Mapping[str, object],
        *,
        max_bytes: int,
        heard: Callable[[bytes], None],
    ) -> object:
        """Send JSON; tell what comes of a stream of events as it comes, and return None then.

        Where the server answers with no such stream, nothing is told, and what it answers is
        returned as by ``post``; the errors are the same.
        """
        streamed = False

        def told(part: bytes) -> None:
            nonlocal streamed
            streamed = True
            heard(part)

        answer = await self._sent(path, body, max_bytes, told)
        return None if streamed else self._read(answer)

    async def _sent(
        self,
        path: str,
        body: Mapping[str, object],
        max_bytes: int,
        heard: Callable[[bytes], None],
    ) -> bytes:
        try:
            async with self._http.stream("POST", path, content=_json(body)) as response:
                if response.status_code != HTTPStatus.OK:
                    raise self._refusal(response.status_code)
                events = response.headers.get("content-type", "").startswith(EVENTS)
                return await self._body(response, max_bytes, heard if events else _unheard)
        except httpx.HTTPError as err:
            kind = type(err).__name__
            raise ModelServerError(f"{self._name} cannot be reached ({kind})") from None

    def _read(self, answer: bytes) -> object:
        try:
            return cast("object", json.loads(answer))
        except (ValueError, RecursionError):
            raise ModelServerError(f"{self._name} sent what is not JSON") from None

    def _refusal(self, status: int) -> ModelServerError:
        if status in _KEY_REFUSED:
            return LastingError(
                f"{self._name} refuses the key (status {status}); check the variable that "
                f"{self._section}.api_key_env names"
            )
        if status == HTTPStatus.NOT_FOUND:
            return LastingError(
                f"{self._name} knows no such model or path (status {status}); check "
                f"{self._section}.model and {self._section}.url"
            )
        if status in _TEXT_REFUSED:
            return TextRefusedError(
                f"{self._name} turned a text down (status {status}); if it is too long for the "
                f"model, set {self._section}.max_chars"
            )
        return ModelServerError(f"{self._name} answered with status {status}")

    async def _body(
        self, response: httpx.Response, max_bytes: int, heard: Callable[[bytes], None]
    ) -> bytes:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise ModelServerError(f"{self._name} packed its answer, though it was asked not to")
        announced = response.headers.get("content-length", "0")
        body = bytearray()
        if announced.isdecimal() and int(announced) > max_bytes:
            raise self._too_long(max_bytes)
        # httpx types it as an iterator; left to the loop to close, it would outlive the call.
        parts = cast("AsyncGenerator[bytes, None]", response.aiter_raw())
        async with aclosing(parts):
            async for part in parts:
                body += part
                if len(body) > max_bytes:
                    raise self._too_long(max_bytes)
                heard(part)
        return bytes(body)

    def _too_long(self, max_bytes: int) -> ModelServerError:
        return ModelServerError(f"{self._name} sent more than {max_bytes:,} bytes")

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def _json(body: Mapping[str, object]) -> bytes:
    # Half a surrogate pair, which a model may write and be told again, cannot be sent.
    written = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return written.encode("utf-8", "replace")


def _unheard(_part: bytes, /) -> None:
    """Tell nobody what has come so far."""
