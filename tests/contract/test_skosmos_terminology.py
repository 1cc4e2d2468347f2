"""The terminology contract over Skosmos, bare and as it is wired."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from tests.golden.skosmos.server import SkosmosServer

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.cached import Cached
from elysia_guard.adapters.guarded import Guarded
from elysia_guard.adapters.skos_file import SkosFile
from elysia_guard.adapters.skosmos import AsyncSkosmosClient, Service
from elysia_guard.adapters.skosmos.any_loop import FromAnyLoop
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.testing.terminology import GRID, LAW, TURTLE
from elysia_guard.testing.terminology_contract import TerminologyContract

TITLES = {"grid": "Terms of the grid", "law": "Terms of the law"}


def _turtle(prefix: str) -> bytes:
    """The part of the test vocabulary that is one of Skosmos' vocabularies."""
    head, *statements = TURTLE.strip().split("\n\n")
    schemes, *concepts = statements
    namespace = {GRID: "grid:", LAW: "law:"}[prefix]
    mine = [line for line in schemes.splitlines() if line.startswith(namespace)]
    mine += [statement for statement in concepts if statement.startswith(namespace)]
    return "\n".join([head, *mine]).encode()


@pytest.fixture(scope="module")
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer({"grid": _turtle(GRID), "law": _turtle(LAW)}) as running:
        yield running


@pytest.fixture(scope="module")
def service(server: SkosmosServer) -> Service:
    return Service(base_url=server.url, vocabularies=TITLES, timeout_ms=5_000)


@pytest.fixture
def labels(tmp_path: Path) -> SkosFile:
    path = tmp_path / "test.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return SkosFile.load([path])


class TestSkosmos(TerminologyContract):
    """Alone, it can neither suggest nor tell a deprecated term from one that is not there."""

    finds_deprecated_concepts: ClassVar[bool] = False
    suggests: ClassVar[bool] = False
    knows_synonyms: ClassVar[bool] = False

    @pytest.fixture
    async def source(self, service: Service) -> AsyncIterator[AsyncSkosmosClient]:
        async with AsyncSkosmosClient(service) as client:
            yield client


class TestSkosmosWithLabels(TerminologyContract):
    @pytest.fixture
    async def source(self, service: Service, labels: SkosFile) -> AsyncIterator[AsyncSkosmosClient]:
        async with AsyncSkosmosClient(service, labels=labels) as client:
            yield client


class TestSkosmosAsWired(TerminologyContract):
    """Cached, guarded, and in a loop of its own."""

    @pytest.fixture
    def source(self, service: Service, labels: SkosFile) -> Iterator[FromAnyLoop]:
        loop = BackgroundLoop()
        client = AsyncSkosmosClient(service, labels=labels)
        yield FromAnyLoop(Cached(Guarded(client, Breaker("skosmos"))), loop)
        loop.run(client.aclose())
        loop.close()
