"""HTTP to Skosmos: bounded in size and concurrency, never redirected, silent about addresses."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TypeVar, cast

import httpx

from elysia_guard.adapters.skosmos.errors import SKOSMOSError

API = "/rest/v1"
MAX_BODY_BYTES = 1_000_000
# Below the five seconds after which Apache hangs up, so that no request meets a closing connection.
KEEPALIVE_S = 4.0
OK = 200
REDIRECTS = frozenset({301, 302, 303, 307, 308})
NOT_FOUND = 404

Result = TypeVar("Result")

# httpx loads this at its first request, and that would take 20 ms of somebody's deadline.
with suppress(ImportError):
    import_module("anyio._backends._asyncio")


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What came back: the status, the media type without parameters, and the body.

    ``location`` is where a redirect leads; nothing here follows it.
    """

    status: int
    media_type: str
    body: bytes
    location: str = ""

    @property
    def is_redirect(self) -> bool:
        """Whether it names another address."""
        return self.status in REDIRECTS and bool(self.location)

    @property
    def is_json(self) -> bool:
        """Whether it says of itself that it is JSON, and that all went well."""
        return self.status == OK and self.media_type in {"application/json", "application/ld+json"}


class Wire:
    """Requests to one Skosmos. Belongs to the event loop in which it is first used."""

    def __init__(
        self,
        base_url: str,
        *,
        name: str,
        max_concurrency: int,
        max_body_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        """Take the address of a Skosmos, with or without ``/rest/v1``."""
        # httpx logs whole URLs, the terms of users included, at INFO.
        log = logging.getLogger("httpx")
        if log.getEffectiveLevel() < logging.WARNING:
            log.setLevel(logging.WARNING)
        self._name = name
        self._max_body_bytes = max_body_bytes
        self._slots = asyncio.Semaphore(max_concurrency)
        self._http = httpx.AsyncClient(
            base_url=base_url.rstrip("/").removesuffix(API) + API,
            # A body that unpacks to more than it weighs could not be bounded while it is read.
            headers={"Accept": "application/json", "Accept-Encoding": "identity"},
            follow_redirects=False,
            # Reading all certificates takes 25 ms; without redirects, http needs none.
            verify=not base_url.startswith("http://"),
            limits=httpx.Limits(
                max_connections=max_concurrency,
                max_keepalive_connections=max_concurrency,
                keepalive_expiry=KEEPALIVE_S,
            ),
            # The deadline around the whole call bounds every phase.
            timeout=None,  # noqa: S113
        )

    async def get(self, path: str, params: Mapping[str, str]) -> Answer:
        """Ask, when one of the slots is free; what is not a whole answer is an error.

        Raises:
            SKOSMOSError: no answer came, or one that is too long or cut off.
        """
        try:
            async with (
                self._slots,
                self._http.stream("GET", path, params=params or None) as response,
            ):
                media_type = response.headers.get("content-type", "").partition(";")[0]
                # What stands in another answer is for nobody's eyes.
                told = response.status_code in {OK, NOT_FOUND}
                return Answer(
                    status=response.status_code,
                    media_type=media_type.strip().lower(),
                    body=await self._body(response) if told else b"",
                    location=response.headers.get("location", ""),
                )
        except httpx.HTTPError as err:
            kind = type(err).__name__
            raise SKOSMOSError(f"{self._name} cannot be reached ({kind})") from None

    async def _body(self, response: httpx.Response) -> bytes:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise SKOSMOSError(f"{self._name} packed its answer, though it was asked not to")
        announced = response.headers.get("content-length", "0")
        body = bytearray()
        if announced.isdecimal() and int(announced) > self._max_body_bytes:
            raise self._too_long()
        # httpx types it as an iterator; left to the loop to close, it would outlive the call.
        parts = cast("AsyncGenerator[bytes, None]", response.aiter_raw())
        async with aclosing(parts):
            async for part in parts:
                body += part
                if len(body) > self._max_body_bytes:
                    raise self._too_long()
        return bytes(body)

    def _too_long(self) -> SKOSMOSError:
        return SKOSMOSError(f"{self._name} sent more than {self._max_body_bytes:,} bytes")

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()
