"""The metrics of a running server, or of the folder that workers share, for a terminal."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from prometheus_client.registry import Collector

from elysia_guard.domain.errors import GuardError
from elysia_guard.observability import exposition
from elysia_guard.observability.workers import VARIABLE, counted_in
from elysia_guard.running import run_anywhere

Format = Literal["table", "json", "prometheus"]

DEFAULT_URL = "http://127.0.0.1:8000"
PATH = "/metrics"
DEADLINE_S = 5.0
MAX_BYTES = 5_000_000
_OK = 200

_WRITERS: dict[Format, Callable[[Collector], str]] = {
    "table": exposition.as_table,
    "json": exposition.as_json,
    "prometheus": exposition.as_text,
}


class MetricsUnavailableError(GuardError):
    """There are no metrics to show; the message names the place and the way out."""


def dump(url: str | None = None, form: Format | None = None) -> str:
    """Return the metrics as a text.

    Args:
        url: the address of a server; by default the folder that ``PROMETHEUS_MULTIPROC_DIR``
            names, and without one the server that ``elysia-guard chat`` starts.
        form: a table by default on a terminal, and Prometheus' text elsewhere.

    Raises:
        MetricsUnavailableError: the server does not answer, or with something else.
        ConfigError: the folder cannot be read.
    """
    shared = os.environ.get(VARIABLE)
    if shared and not url:
        found = counted_in(Path(shared))
    else:
        found = run_anywhere(_asked(_address(url or DEFAULT_URL)))
    chosen: Format = form or ("table" if sys.stdout.isatty() else "prometheus")
    return _WRITERS[chosen](found).rstrip("\n")


def _address(url: str) -> str:
    """Return where the metrics of a server are."""
    if not url.startswith(("http://", "https://")):
        raise MetricsUnavailableError(f"{url} is no address; give one like {DEFAULT_URL}")
    base = url.rstrip("/")
    return base if base.endswith(PATH) else base.removesuffix(f"{PATH}.json") + PATH


async def _asked(address: str) -> Collector:
    import httpx

    try:
        async with asyncio.timeout(DEADLINE_S):
            status, body = await _read(address)
    except (TimeoutError, httpx.TimeoutException) as err:
        raise MetricsUnavailableError(
            f"{_shown(address)} did not answer within {DEADLINE_S:g} s; is the server well?"
        ) from err
    except (httpx.HTTPError, httpx.InvalidURL) as err:
        raise MetricsUnavailableError(
            f"{_shown(address)} cannot be reached ({type(err).__name__}); start `elysia-guard "
            "chat`, or name a server with --url"
        ) from err
    if status != _OK:
        raise MetricsUnavailableError(f"{_shown(address)} answered with status {status}")
    try:
        return exposition.parse(body.decode())
    except ValueError as err:
        raise MetricsUnavailableError(
            f"{_shown(address)} answered with something else than metrics; check --url"
        ) from err


async def _read(address: str) -> tuple[int, bytes]:
    import httpx

    body = bytearray()
    # No proxy and no key of the environment: it is a server of ours that is asked. Its phases may
    # take as long as all of them.
    async with (
        httpx.AsyncClient(trust_env=False, timeout=DEADLINE_S) as client,
        client.stream("GET", address, headers={"Accept-Encoding": "identity"}) as answer,
    ):
        async for part in answer.aiter_raw():
            body += part
            if len(body) > MAX_BYTES:
                raise MetricsUnavailableError(
                    f"{_shown(address)} answered with more than {MAX_BYTES // 1_000_000} MB; "
                    "check --url"
                )
        return answer.status_code, bytes(body)


def _shown(address: str) -> str:
    """Show an address without the password that may stand in it."""
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"
