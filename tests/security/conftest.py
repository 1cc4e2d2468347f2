"""What the security tests share: two running servers, started at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from tests.security.served import ADMIN_SECRET, PROXY, SECRET, Served, start, stop

from elysia_guard import config as configuration
from elysia_guard.wiring import Wiring

KNOWN = ("0012-", "0015-")


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Served]]:
    """One for its owner on loopback; one for others, with secrets and a proxy that names people."""
    folder = tmp_path_factory.mktemp("security")
    shipped = configuration.load(environ={})
    index = folder / "index.sqlite"
    documents = [
        file
        for file in (configuration.home() / "data/knowledge/decisions").glob("*.md")
        if file.name.startswith(KNOWN)
    ]
    section = shipped.index.model_copy(update={"path": index, "sources": documents})
    asyncio.run(Wiring(shipped.model_copy(update={"index": section})).fill_index())
    started = {
        "owners": start(index, folder / "owners"),
        "public": start(
            index,
            folder / "public",
            ELYSIA_GUARD_SECRET=SECRET,
            ELYSIA_GUARD_ADMIN_SECRET=ADMIN_SECRET,
            ELYSIA_GUARD_SERVER__PUBLIC="true",
            ELYSIA_GUARD_SERVER__ALLOWED_HOSTS="[chat.example.org]",
            ELYSIA_GUARD_SERVER__ALLOWED_ADDRESSES="['weaviate.example.org', '127.0.0.1:9']",
            ELYSIA_GUARD_SERVER__PROXIES=f"[{PROXY}]",
            ELYSIA_GUARD_SERVER__USER_HEADER="X-Remote-User",
        ),
    }
    try:
        yield {name: server.wait() for name, server in started.items()}
    finally:
        for server in started.values():
            stop(server)


@pytest.fixture
def owners(servers: dict[str, Served]) -> Served:
    return servers["owners"]


@pytest.fixture
def public(servers: dict[str, Served]) -> Served:
    return servers["public"]


@pytest.fixture(params=["owners", "public"])
def any_server(request: pytest.FixtureRequest, servers: dict[str, Served]) -> Served:
    return servers[request.param]
