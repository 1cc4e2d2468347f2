"""The terminology contract over Skosmos, bare and as it is wired."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from tests.contract.terminology_contract import TerminologyContract
from tests.golden.skosmos.server import SkosmosServer

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.cached import Cached
from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.skosmos import AsyncSkosmosClient, SkosmosService
from elysia_guard.ports import TerminologySource
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.resilience.calls import Guarded, through
from elysia_guard.testing.terminology import GRID, LAW, TURTLE

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
def service(server: SkosmosServer) -> SkosmosService:
    return SkosmosService(base_url=server.url, vocabularies=TITLES, timeout_ms=5_000)


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
    async def source(self, service: SkosmosService) -> AsyncIterator[AsyncSkosmosClient]:
        async with AsyncSkosmosClient(service) as client:
            yield client


class TestSkosmosWithLabels(TerminologyContract):
    @pytest.fixture
    async def source(
        self, service: SkosmosService, labels: SkosFile
    ) -> AsyncIterator[AsyncSkosmosClient]:
        async with AsyncSkosmosClient(service, labels=labels) as client:
            yield client


class TestSkosmosAsWired(TerminologyContract):
    """Cached, guarded, and in a loop of its own."""

    @pytest.fixture
    def source(self, service: SkosmosService, labels: SkosFile) -> Iterator[TerminologySource]:
        loop = BackgroundLoop()
        client = AsyncSkosmosClient(service, labels=labels)
        guarded = through(client, Guarded(Breaker("skosmos")).call, "lookup", "concepts")
        yield through(Cached(guarded), loop.call, "lookup", "concepts")
        loop.run(client.aclose())
        loop.close()
