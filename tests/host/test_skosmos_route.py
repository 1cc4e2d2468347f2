"""A Skosmos server as the vocabulary, on both routes: real HTTP on loopback, the real tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.golden.skosmos.server import Fault, SkosmosServer

from elysia_guard.config import SkosmosSection, TerminologySection
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.edge.elysia import TreeAsker
from elysia_guard.guard import Guard
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.host


@pytest.fixture
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        yield running


@pytest.fixture
def over(wiring: Wiring, server: SkosmosServer) -> Iterator[Wiring]:
    """The parts of the other tests, with the server in place of the vocabulary's file."""
    section = TerminologySection(
        kind="skosmos",
        name="Skosmos",
        skosmos=SkosmosSection(
            url=server.url, vocabularies={"iec": "", "legal": ""}, known_term="CIMXML"
        ),
    )
    parts = Wiring(wiring.config.model_copy(update={"terminology": section}))
    yield parts
    parts.close()


async def test_a_definition_comes_from_skosmos_on_both_routes(over: Wiring) -> None:
    """SKOS-01: word for word, and its source is named."""
    for reply in (
        await Guard(wiring=over).aask("What is CIMXML?"),
        await TreeAsker(over).ask("What is CIMXML?"),
    ):
        (source,) = reply.sources
        assert source.doc_id == "http://vocab.example/iec/c002"
        assert source.quote.startswith("Way of writing a grid model to a file as RDF/XML")
        assert source.quote in reply.answer


async def test_an_unknown_term_is_refused(over: Wiring) -> None:
    """SKOS-02: nothing is made up."""
    reply = await TreeAsker(over).ask("What is FooBarBaz?")
    assert reply.refusal_reason is RefusalReason.TERMINOLOGY_NOT_FOUND


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault.HANGING, RefusalReason.TERMINOLOGY_TIMEOUT),
        (Fault.ERROR, RefusalReason.TERMINOLOGY_ERROR),
    ],
)
async def test_an_outage_is_no_miss(
    over: Wiring, server: SkosmosServer, fault: Fault, reason: RefusalReason
) -> None:
    """SKOS-03: unable to verify, on both routes; the next question after it is answered."""
    server.fault = fault
    for reply in (
        await Guard(wiring=over).aask("What is CIMXML?"),
        await TreeAsker(over).ask("What is CIMXML?"),
    ):
        assert reply.refusal_reason is reason
        assert "Skosmos" in reply.answer
        assert server.url not in reply.answer
    server.fault = None
    assert not (await Guard(wiring=over).aask("What is CIMXML?")).refused


def test_from_synchronous_code(over: Wiring) -> None:
    """A notebook cell, twice: each call has a loop of its own."""
    guard = Guard(wiring=over)
    assert not guard.ask("What is CIMXML?").refused
    assert not guard.ask("What is CIMXML?").refused


def test_skosmos_needs_its_address(tmp_path: Path) -> None:
    """Said with file and key."""
    file = tmp_path / "guard.yaml"
    file.write_text(
        "terminology: {kind: skosmos}\nindex: {path: i.sqlite}\nthresholds: t.yaml\n"
        "collections: {}\n",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError, match=r"terminology.*kind 'skosmos' needs a section"):
        Wiring.load(file)
