"""HTTP to one server: bounded in size and number, never redirected, silent about addresses.

Any server, and one with a model, which is told JSON and tells JSON.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from importlib import import_module
from typing import TYPE_CHECKING, cast

from elysia_guard.domain.errors import ConfigError, SourceUnavailableError
from elysia_guard.resilience.breaker import SourceIsWell

if TYPE_CHECKING:
    import httpx

# Below the five seconds after which Apache and uvicorn hang up: no request meets a closing
# connection.
KEEPALIVE_S = 4.0
SOURCE = "embeddings"
MAX_CONNECTIONS = 32

_KEY_REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_TEXT_REFUSED = {
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What came back: the status, the media type without parameters, and the body."""

    status: int
    media_type: str
    body: bytes

    @property
    def is_json(self) -> bool:
        """Whether it says of itself that it is JSON, and that all went well."""
        json = {"application/json", "application/ld+json"}
        return self.status == HTTPStatus.OK and self.media_type in json


class Http:
    """Requests to one server; belongs to the event loop in which it is first used.

    Args:
        base_url: its address; never shown.
        name: how it is called before a reader.
        error: makes the error for an answer that did not come, or not whole.
        section: of the settings, which names the address.
        at_once: so many requests at a time; others wait.
        headers: sent with each request.

    Raises:
        ConfigError: this is no address.
    """

    def __init__(
        self,
        base_url: str,
        *,
        name: str,
        error: Callable[[str], SourceUnavailableError],
        section: str,
        at_once: int,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        import httpx

        # httpx loads this at its first request, and that would take 20 ms of somebody's deadline.
        with suppress(ImportError):
            import_module("anyio._backends._asyncio")
        # httpx logs whole URLs, the terms of users included, at INFO.
        log = logging.getLogger("httpx")
        if log.getEffectiveLevel() < logging.WARNING:
            log.setLevel(logging.WARNING)
        self._name = name
        self._error = error
        self._slots = asyncio.Semaphore(at_once)
        # A body that unpacks to more than it weighs could not be bounded while it is read.
        always = {"Accept": "application/json", "Accept-Encoding": "identity"}
        try:
            self._client = httpx.AsyncClient(
                base_url=base_url,
                headers={**always, **(headers or {})},
                follow_redirects=False,
                # Reading all certificates takes 25 ms; without redirects, http needs none.
                verify=not base_url.startswith("http://"),
                limits=httpx.Limits(
                    max_connections=at_once,
                    max_keepalive_connections=at_once,
                    keepalive_expiry=KEEPALIVE_S,
                ),
                # The deadline around the whole call bounds every phase.
                timeout=None,  # noqa: S113
            )
        except httpx.InvalidURL:
            raise ConfigError(f"{section}.url is no address; give http://host:port") from None

    async def ask(
        self,
        method: str,
        path: str,
        *,
        max_bytes: int,
        params: Mapping[str, str] | None = None,
        content: bytes | None = None,
        told: Collection[int] = (HTTPStatus.OK,),
    ) -> Answer:
        """Ask, when one of the slots is free; what is not a whole answer is an error.

        Args:
            method: of HTTP.
            path: below the address.
            max_bytes: more of an answer is an error.
            params: of the query.
            content: the body of the request.
            told: answers of these statuses are read; what stands in others is for nobody's eyes.

        Raises:
            SourceUnavailableError: no answer came, or one that is too long or cut off.
        """
        import httpx

        try:
            async with (
                self._slots,
                self._client.stream(
                    method, path, params=params or None, content=content
                ) as response,
            ):
                media_type = response.headers.get("content-type", "").partition(";")[0]
                return Answer(
                    status=response.status_code,
                    media_type=media_type.strip().lower(),
                    body=await self._body(response, max_bytes)
                    if response.status_code in told
                    else b"",
                )
        except httpx.HTTPError as err:
            kind = type(err).__name__
            raise self._error(f"{self._name} cannot be reached ({kind})") from None

    async def _body(self, response: httpx.Response, max_bytes: int) -> bytes:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise self._error(f"{self._name} packed its answer, though it was asked not to")
        announced = response.headers.get("content-length", "0")
        body = bytearray()
        too_long = self._error(f"{self._name} sent more than {max_bytes:,} bytes")
        if announced.isdecimal() and int(announced) > max_bytes:
            raise too_long
        # httpx types it as an iterator; left to the loop to close, it would outlive the call.
        parts = cast("AsyncGenerator[bytes, None]", response.aiter_raw())
        async with aclosing(parts):
            async for part in parts:
                body += part
                if len(body) > max_bytes:
                    raise too_long
        return bytes(body)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


class ModelServerError(SourceUnavailableError):
    """A model server could not be asked, or answered with what is of no use."""

    def __init__(self, message: str) -> None:
        """Say what went wrong, without address, key or anything that the server wrote."""
        super().__init__(message, source=SOURCE)


class LastingError(ModelServerError):
    """What does not pass by itself: a wrong key, model, address or dimension."""


class TextRefusedError(LastingError, SourceIsWell):
    """The server is well, and turned these texts down.

    Nobody opens the breaker for all by asking what is too long for the model.
    """


@contextmanager
def renamed(
    refused: Callable[[str], Exception], failed: Callable[[str], Exception]
) -> Iterator[None]:
    """Turn errors of the wire into those of whoever asks: a text turned down, and any other."""
    try:
        yield
    except TextRefusedError as err:
        raise refused(str(err)) from None
    except ModelServerError as err:
        raise failed(str(err)) from None


class ModelServerWire:
    """Requests to one model server. Belongs to the event loop in which it is first used.

    Args:
        base_url: its address.
        name: how it is called before a reader.
        api_key: where it wants one.
        section: of the settings, in which both stand: messages name it.

    Raises:
        ConfigError: this is no address.
    """

    def __init__(
        self, base_url: str, *, name: str, api_key: str = "", section: str = "embedder.server"
    ) -> None:
        self._name = name
        self._section = section
        key = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._http = Http(
            base_url,
            name=name,
            error=ModelServerError,
            section=section,
            at_once=MAX_CONNECTIONS,
            headers={"Content-Type": "application/json", **key},
        )

    async def post(self, path: str, body: Mapping[str, object], *, max_bytes: int) -> object:
        """Send JSON and return what the JSON of the answer holds.

        Raises:
            TextRefusedError: the server turned down what was sent.
            LastingError: the key, the model or the path is not the server's.
            ModelServerError: no answer came, or one that is too long, cut off or not JSON.
        """
        answer = await self._http.ask("POST", path, content=_json(body), max_bytes=max_bytes)
        if answer.status != HTTPStatus.OK:
            raise self._refusal(answer.status)
        try:
            return cast("object", json.loads(answer.body))
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

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def _json(body: Mapping[str, object]) -> bytes:
    # Half a surrogate pair, which a model may write and be told again, cannot be sent.
    written = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return written.encode("utf-8", "replace")
