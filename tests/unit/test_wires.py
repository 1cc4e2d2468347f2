"""Our HTTP clients at the transport: what leaves, and how every way to fail is told."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
import respx

from elysia_guard.adapters.http import ModelServerWire
from elysia_guard.adapters.skosmos import SkosmosService
from elysia_guard.adapters.skosmos.rest import http_of
from elysia_guard.domain.errors import SourceUnavailableError

HOST = "https://user:hush@vocab.example"
FAULTS = [
    httpx.ConnectError("[Errno -2] Name or service not known: vocab.example"),
    httpx.ConnectError(str(ssl.SSLCertVerificationError("self-signed certificate of vocab"))),
    httpx.ConnectTimeout("vocab.example"),
    httpx.ReadTimeout("vocab.example"),
    httpx.WriteError("vocab.example: broken pipe"),
    httpx.PoolTimeout("vocab.example"),
    httpx.RemoteProtocolError("peer vocab.example closed connection"),
    httpx.UnsupportedProtocol("vocab.example"),
]

Ask = Callable[[], Awaitable[object]]


async def search() -> object:
    wire = http_of(SkosmosService(base_url=HOST, max_concurrency=2))
    try:
        return await wire.ask(
            "GET", "/search", params={"query": "CIM", "lang": "en"}, max_bytes=1_000_000
        )
    finally:
        await wire.aclose()


async def embed(host: str = HOST) -> object:
    wire = ModelServerWire(f"{host}/v1", name="The model", api_key="sk-hush")
    try:
        return await wire.post("/embeddings", {"input": ["one"]}, max_bytes=1_000)
    finally:
        await wire.aclose()


BOTH = pytest.mark.parametrize("ask", [search, embed])


@BOTH
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
async def test_c8_no_fault_of_the_network_tells_an_address(
    ask: Ask, fault: httpx.TransportError, respx_mock: respx.MockRouter
) -> None:
    """Whatever breaks below us, the error names the source and the kind, and nothing of where."""
    respx_mock.route().mock(side_effect=fault)
    with pytest.raises(SourceUnavailableError) as caught:
        await ask()
    shown = f"{caught.value!s} {caught.value!r} {caught.value.__cause__!r}"
    assert type(fault).__name__ in shown
    assert not any(word in shown for word in ("vocab", "hush", "Errno", "certificate"))


@BOTH
async def test_c8_a_redirect_is_not_followed(ask: Ask, respx_mock: respx.MockRouter) -> None:
    """Neither the question nor the key goes to an address that a server names."""
    elsewhere = respx_mock.route(host="elsewhere.example").respond(json={})
    respx_mock.route(host="vocab.example").respond(307, headers={"Location": "//elsewhere.example"})
    try:
        answer: Any = await ask()
    except SourceUnavailableError:
        pass
    else:
        assert (answer.status, answer.body) == (307, b"")
    assert not elsewhere.called


@BOTH
@pytest.mark.parametrize(
    "headers", [{"Content-Encoding": "gzip"}, {"Content-Length": "99999999999"}]
)
async def test_c8_what_could_be_too_long_is_not_read(
    ask: Ask, headers: dict[str, str], respx_mock: respx.MockRouter
) -> None:
    """A packed answer, which may unpack to anything, and one that announces too much."""

    async def endless() -> Any:
        raise AssertionError("the body was read")
        yield b""

    respx_mock.route().mock(return_value=httpx.Response(200, headers=headers, content=endless()))
    with pytest.raises(SourceUnavailableError, match=r"packed its answer|sent more than"):
        await ask()
