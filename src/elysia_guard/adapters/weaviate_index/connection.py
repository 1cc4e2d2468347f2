"""Asking a Weaviate: in a loop of its own, within a deadline, with errors that we have named.

No message tells an address or what the server sent: a person may read it. For the same reason
these errors have no cause, whose text would tell them.
"""

from __future__ import annotations

import asyncio
import atexit
import importlib
import logging
import re
import weakref
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.domain.errors import (
    GuardError,
    PassageIndexError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.resilience.calls import Guarded

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient

SOURCE = "index"
NAME = "Weaviate"
GRPC_OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # A server that is away is found again at its new address too.
    ("grpc.dns_min_time_between_resolutions_ms", 1_000),
)
_POLLING = "PollerCompletionQueue._handle_events"
_NO_CLASS = re.compile(r"could not find class (\w+)|class (\w+) not found|collection.*(not found)")

Result = TypeVar("Result")
Work = Callable[["WeaviateAsyncClient"], Awaitable[Result]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """Where a Weaviate is, and how long one call of it may take, whatever happens."""

    url: str
    grpc_port: int = 50051
    grpc_host: str = ""
    deadline_s: float = 2.0
    api_key: str = field(default="", repr=False)

    def client(self) -> WeaviateAsyncClient:
        """Make a client, not yet connected, that checks nothing and asks no package registry."""
        import weaviate
        from weaviate.config import AdditionalConfig, GrpcConfig, Timeout

        address = urlsplit(self.url)
        secure, host = address.scheme == "https", address.hostname or ""
        # The client's own limits are only there for when ours is not.
        limit = self.deadline_s + 60
        return weaviate.use_async_with_custom(
            http_host=host,
            http_port=address.port or (443 if secure else 80),
            http_secure=secure,
            grpc_host=self.grpc_host or host,
            grpc_port=self.grpc_port,
            grpc_secure=secure,
            auth_credentials=self.api_key or None,
            additional_config=AdditionalConfig(
                timeout=Timeout(init=limit, query=limit, insert=limit),
                grpc_config=GrpcConfig(channel_options=GRPC_OPTIONS),
            ),
            skip_init_checks=True,
        )


class Connection:
    """A client that is connected when it is first needed, for callers in any loop."""

    def __init__(self, server: Server, *, breaker: Breaker | None = None) -> None:
        """Take a server; nothing is opened yet. With a breaker, a failing one is left alone."""
        self._server = server
        self._guarded = Guarded(breaker, late=_late)
        self._held: BackgroundLoop | None = None
        self._client: WeaviateAsyncClient | None = None
        self._connecting = asyncio.Lock()

    async def ask(self, work: Work[Result], *, seconds: float | None = None) -> Result:
        """Give a client to some work, and await it: no longer than the server's deadline.

        Raises:
            SourceTimeoutError: it did not end in time.
            SourceUnavailableError: Weaviate could not be asked, or has failed too often of late.
            PassageIndexError: a collection is missing.
        """
        return await self._loop.arun(self._asked(work, seconds or self._server.deadline_s))

    @property
    def _loop(self) -> BackgroundLoop:
        """The one loop of all connections: gRPC wakes every loop that it knows for every answer."""
        if self._held is None:
            self._held = BackgroundLoop.shared("elysia-guard-weaviate")
        return self._held

    def close(self) -> None:
        """Close the connections; asking again opens new ones."""
        self._loop.run(self._closed())
        self._held = None
        self._connecting = asyncio.Lock()

    async def _asked(self, work: Work[Result], seconds: float) -> Result:
        # Importing the client takes a second, which is not the server's.
        importlib.import_module("weaviate.classes.query")
        return await self._guarded.call(lambda: self._done(work), seconds=seconds)

    async def _done(self, work: Work[Result]) -> Result:
        with _named():
            return await work(await self._connected())

    async def _connected(self) -> WeaviateAsyncClient:
        async with self._connecting:
            if self._client is None:
                silence_spurious_wakeups()
                client = self._server.client()
                try:
                    await client.connect()
                except (KeyError, TypeError, ValueError):
                    await client.close()
                    raise _no_weaviate() from None
                except BaseException:
                    await asyncio.shield(client.close())
                    raise
                self._client = client
                # A program that ends without closing us; before the loop, which began earlier.
                atexit.register(_close, weakref.ref(self))
            return self._client

    async def _closed(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()


def _close(connection: weakref.ref[Connection]) -> None:
    if held := connection():
        held.close()


def _late(seconds: float) -> SourceTimeoutError:
    return SourceTimeoutError(f"{NAME} did not answer in {seconds:g} s", source=SOURCE)


def _no_weaviate() -> SourceUnavailableError:
    return SourceUnavailableError(
        f"what answers in place of {NAME} is none; check index.weaviate.url", source=SOURCE
    )


@contextmanager
def _named() -> Iterator[None]:
    """Give what the client raises a name of ours."""
    import httpx
    from weaviate.exceptions import WeaviateBaseError, WeaviateTimeoutError

    try:
        yield
    except GuardError:
        raise
    except (WeaviateTimeoutError, httpx.TimeoutException):
        raise SourceTimeoutError(f"{NAME} did not answer in time", source=SOURCE) from None
    except (WeaviateBaseError, httpx.HTTPError, OSError) as err:
        raise _error(err) from None


def _error(err: Exception) -> GuardError:
    from weaviate.exceptions import WeaviateConnectionError, WeaviateStartUpError

    status: int | None = getattr(err, "status_code", None)
    if found := _NO_CLASS.search(str(err)):
        name = found[1] or found[2]
        which = f"the collection {name} is" if name else "a collection is"
        return PassageIndexError(f"{which} not in {NAME}; fill it with 'elysia-guard ingest'")
    if status in {401, 403} or "unauthenticated" in str(err).lower():
        return SourceUnavailableError(
            f"{NAME} does not let us in; check index.weaviate.api_key_env", source=SOURCE
        )
    if status and status < 400:  # noqa: PLR2004  a page, say, where there should be JSON
        return _no_weaviate()
    if status:
        return SourceUnavailableError(f"{NAME} answered with status {status}", source=SOURCE)
    if "not supported" in str(err):
        return SourceUnavailableError(f"this {NAME} is older than 1.27", source=SOURCE)
    if isinstance(err, WeaviateConnectionError | WeaviateStartUpError | OSError):
        return SourceUnavailableError(f"{NAME} cannot be reached", source=SOURCE)
    return SourceUnavailableError(
        f"{NAME} could not be asked ({type(err).__name__})", source=SOURCE
    )


def silence_spurious_wakeups() -> None:
    """Keep what gRPC reports though nothing is wrong out of asyncio's log, in all loops.

    One poller of gRPC serves all event loops of a process. For every answer it wakes each loop that
    ever opened a channel; the first takes the byte that woke it, the others find none, and report a
    BlockingIOError with its traceback (https://github.com/grpc/grpc/issues/25364). Our connections
    share one loop. Elysia's own client has another, so that each answer to one of the two is an
    error in the log of the other. Adding the filter again changes nothing.
    """
    logging.getLogger("asyncio").addFilter(is_news)


def is_news(record: logging.LogRecord) -> bool:
    """Tell whether a log record is anything else than a wake-up that was another loop's."""
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, BlockingIOError) and _POLLING in record.getMessage())
