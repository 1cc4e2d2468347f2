"""Whole vocabularies from a Skosmos on loopback: their downloads, and concept by concept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.golden.skosmos import expected
from tests.golden.skosmos.emulator import Reply
from tests.golden.skosmos.server import (
    IEC_AND_LEGAL,
    LATE,
    SECRET,
    Fault,
    SkosmosServer,
    nobody_there,
)

from elysia_guard.adapters.skos_rdf import read_concepts
from elysia_guard.adapters.skosmos import Service, SKOSMOSError, SKOSMOSTimeout
from elysia_guard.adapters.skosmos.harvest import Harvest, Harvester
from elysia_guard.domain.concept import Concept
from elysia_guard.testing.clock import FakeClock

IEC, LEGAL = "http://vocab.example/iec/", "http://vocab.example/legal/"
AMPERSAND = IEC + "term?id=22&v=2"
GOLDEN = Path(expected.__file__).parent
TURTLE = Reply(200, "text/turtle", IEC_AND_LEGAL["iec"])


@pytest.fixture
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        running.faulty = {"", "*", "data", "iec.ttl", "vocabularies"}
        yield running


@pytest.fixture
def pauses() -> list[float]:
    """How long was waited before a further try."""
    return []


Make = Callable[..., Harvester]


@pytest.fixture
async def harvester(server: SkosmosServer, pauses: list[float]) -> AsyncIterator[Make]:
    made: list[Harvester] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await asyncio.sleep(0)

    clock = FakeClock()
    server.on_late = lambda: clock.advance(3_600)

    def make(*ids: str, url: str = "", **options: object) -> Harvester:
        service = Service(
            base_url=url or server.url,
            vocabularies=dict.fromkeys(ids, ""),
            timeout_ms=5_000,
            max_concurrency=4,
        )
        options.setdefault("clock", clock)
        made.append(Harvester(service, sleep=sleep, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for one in made:
        async with one:
            pass
    for _ in range(5):  # turns in which the sockets of cancelled requests are closed
        await asyncio.sleep(0)


async def fetch(harvester: Harvester) -> list[Harvest]:
    return [await harvester.fetch(plan) for plan in await harvester.plans()]


def in_file(name: str) -> dict[str, Concept]:
    return {concept.uri: concept for concept in read_concepts([GOLDEN / f"{name}.ttl"])}


def alike(one: Concept, other: Concept) -> bool:
    """Whether two concepts say the same, in whatever order."""
    return all(
        sorted(map(str, getattr(one, name))) == sorted(map(str, getattr(other, name)))
        for name in Concept.__slots__
        if name not in {"vocabulary_title", "deprecated"}
    )


class TestDownload:
    async def test_it_is_the_vocabulary_whole(self, server: SkosmosServer, harvester: Make) -> None:
        """Deprecated concepts and awkward URIs too, in three requests."""
        server.offer("iec", "/files/iec.ttl")
        server.files["/files/iec.ttl"] = TURTLE
        (found,) = await fetch(harvester("iec"))
        assert {c.uri: c for c in found.concepts} == {
            uri: replace(concept, vocabulary_title="Grid modelling terms")
            for uri, concept in in_file("iec").items()
        }
        assert AMPERSAND in in_file("iec")
        assert any(concept.deprecated for concept in found.concepts)
        assert found.scheme == IEC + "scheme"
        assert len(server.requests) == 3

    async def test_rdf_xml_will_do(self, server: SkosmosServer, harvester: Make) -> None:
        rdf = (
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
            ' xmlns:skos="http://www.w3.org/2004/02/skos/core#">'
            '<skos:Concept rdf:about="urn:a"><skos:prefLabel>a</skos:prefLabel></skos:Concept>'
            "</rdf:RDF>"
        )
        server.offer("iec", "/files/iec.rdf", "application/rdf+xml")
        server.files["/files/iec.rdf"] = Reply(200, "application/rdf+xml", rdf.encode())
        (found,) = await fetch(harvester("iec"))
        assert [(c.uri, c.vocabulary) for c in found.concepts] == [("urn:a", "iec")]

    async def test_it_may_come_at_once(self, server: SkosmosServer, harvester: Make) -> None:
        """A proxy may follow the redirect by itself."""
        server.files["/rest/v1/iec/data"] = TURTLE
        (found,) = await fetch(harvester("iec"))
        assert len(found.concepts) == len(in_file("iec"))

    @pytest.mark.parametrize(
        "location",
        [
            f"http://{SECRET}/iec.ttl",
            "http://localhost:1/iec.ttl",
            "ftp://127.0.0.1/iec.ttl",
            "file:///etc/passwd",
            "http://[",
        ],
    )
    async def test_another_host_is_not_asked(
        self, server: SkosmosServer, harvester: Make, location: str
    ) -> None:
        """The concepts are asked for one by one, and the plan says why."""
        server.offer("iec", location)
        (plan,) = await harvester("iec").plans()
        assert (plan.whole, plan.elsewhere) == (False, True)
        assert SECRET not in repr(plan)

    async def test_a_host_may_be_allowed(self, server: SkosmosServer, harvester: Make) -> None:
        with SkosmosServer() as other:
            other.files["/iec.ttl"] = TURTLE
            server.offer("iec", f"http://localhost:{other.port}/iec.ttl")
            (plan,) = await harvester("iec", hosts=["LOCALHOST"]).plans()
            assert plan.download.startswith("http://localhost:")

    async def test_security_is_not_given_up(self, harvester: Make) -> None:
        """From https to http there is no way."""
        made = harvester("iec", url="https://skosmos.example")
        assert made._allowed("http://skosmos.example/iec.ttl") == ""
        assert made._allowed("https://skosmos.example/iec.ttl")
        assert made._allowed("https://other.example/iec.ttl") == ""

    async def test_it_need_not_be_used(self, server: SkosmosServer, harvester: Make) -> None:
        server.offer("iec", "/files/iec.ttl")
        (plan,) = await harvester("iec", downloads=False).plans()
        assert not plan.whole
        assert server.asked("data") == []

    @pytest.mark.parametrize(
        ("reply", "message"),
        [
            (Reply(200, "text/turtle", IEC_AND_LEGAL["iec"][:2000]), r"is damaged \(line 33\)"),
            (Reply(200, "text/turtle", b"<urn:a> <urn:b> <urn:c> ."), "holds no skos:Concept"),
            (Reply(200, "text/html", f"<a href='{SECRET}'>".encode()), "is a web page"),
            (Reply(404, "text/html", SECRET.encode()), r"cannot be had \(status 404\)"),
            (Reply(302, "text/html", b"", f"http://{SECRET}/"), r"cannot be had \(status 302\)"),
            (Reply(500, "text/html", SECRET.encode()), r"cannot be had \(status 500\)"),
        ],
    )
    async def test_a_damaged_one_is_an_error_with_a_way_out(
        self, server: SkosmosServer, harvester: Make, reply: Reply, message: str
    ) -> None:
        """Never half a vocabulary, and nothing of what the file says."""
        server.offer("iec", "/files/iec.ttl")
        server.files["/files/iec.ttl"] = reply
        with pytest.raises(SKOSMOSError, match=message) as told:
            await fetch(harvester("iec"))
        assert "--one-by-one" in str(told.value)
        assert SECRET not in str(told.value)

    async def test_its_size_is_bounded(
        self, server: SkosmosServer, harvester: Make, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("elysia_guard.adapters.skosmos.harvest.MAX_DOWNLOAD_BYTES", 1_000)
        server.offer("iec", "/files/iec.ttl")
        server.files["/files/iec.ttl"] = TURTLE
        with pytest.raises(SKOSMOSError, match="more than 1,000 bytes"):
            await fetch(harvester("iec"))

    @pytest.mark.parametrize(
        "label", [f"<skos:prefLabel>{'a' * 5_000}</skos:prefLabel>", "<skos:note>&a;</skos:note>"]
    )
    async def test_b4_a_download_unfolds_no_further_than_a_file(
        self, server: SkosmosServer, harvester: Make, label: str
    ) -> None:
        """A download that unfolds without end is refused, with a way out."""
        rdf = (
            f'<!DOCTYPE x [<!ENTITY s "{SECRET}"><!ENTITY a "&s;&s;">]>' if "&a;" in label else ""
        ) + (
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
            ' xmlns:skos="http://www.w3.org/2004/02/skos/core#">'
            f'<skos:Concept rdf:about="urn:a">{label}</skos:Concept></rdf:RDF>'
        )
        server.offer("iec", "/files/iec.rdf", "application/rdf+xml")
        server.files["/files/iec.rdf"] = Reply(200, "application/rdf+xml", rdf.encode())
        with pytest.raises(SKOSMOSError, match="beyond what a vocabulary may hold") as told:
            await fetch(harvester("iec"))
        assert "--one-by-one" in str(told.value)
        assert SECRET not in str(told.value)


class TestOneByOne:
    async def test_every_concept_of_the_index_is_asked_for(
        self, server: SkosmosServer, harvester: Make
    ) -> None:
        """Whole: all languages, notes, relations."""
        (found,) = await fetch(harvester("legal"))
        known = in_file("legal")
        assert {c.uri for c in found.concepts} == {u for u, c in known.items() if not c.deprecated}
        assert all(alike(concept, known[concept.uri]) for concept in found.concepts)
        assert {concept.vocabulary_title for concept in found.concepts} == {"Energy law terms"}

    async def test_all_vocabularies_are_taken_where_none_is_named(self, harvester: Make) -> None:
        found = await fetch(harvester())
        assert [item.plan.vocabulary for item in found] == ["iec", "legal"]
        assert [item.plan.title for item in found] == list(expected.TITLES.values())

    async def test_an_uri_with_an_ampersand_is_put_together(self, harvester: Make) -> None:
        """Skosmos lists it, but does not find it: its searches tell what it means."""
        (found,) = await fetch(harvester("iec"))
        assert (found.pieced, found.missing) == ((AMPERSAND,), ())
        (concept,) = [item for item in found.concepts if item.uri == AMPERSAND]
        known = in_file("iec")[AMPERSAND]
        assert set(concept.definitions) == set(known.definitions)
        assert concept.preferred

    async def test_what_the_index_does_not_list_is_reached_through_others(
        self, pauses: list[float]
    ) -> None:
        """Here a deprecated concept that a living one leads to; another vocabulary's is not."""
        turtle = b"""@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
        @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix v: <http://v.example/> .
        v:a a skos:Concept ; skos:prefLabel "a"@en ; skos:related v:old, <http://w.example/b> .
        v:old a skos:Concept ; skos:prefLabel "old"@en ; owl:deprecated true ; skos:broader v:no .
        """
        steps: list[tuple[int, int]] = []
        with SkosmosServer({"v": turtle}) as server:
            service = Service(base_url=server.url, vocabularies={"v": ""}, timeout_ms=5_000)
            async with Harvester(service) as harvester:
                (plan,) = await harvester.plans()
                found = await harvester.fetch(plan, lambda done, of, _: steps.append((done, of)))
            asked = server.asked("data")
        assert [(c.uri[-3:], c.deprecated) for c in found.concepts] == [
            ("e/a", False),
            ("old", True),
        ]
        assert found.missing == ()
        assert steps[-1] == (3, 3)
        assert not any("w.example" in path for path in asked)

    async def test_no_more_requests_at_a_time_than_allowed(
        self, server: SkosmosServer, harvester: Make
    ) -> None:
        await fetch(harvester("iec"))
        assert server.most_busy <= 4

    async def test_a_store_that_is_away_is_no_empty_vocabulary(
        self, server: SkosmosServer, harvester: Make
    ) -> None:
        """It lists nothing, and says so with 200."""
        server.files["/rest/v1/iec/index/*"] = Reply(
            200, "application/json", b'{"indexConcepts": []}'
        )
        with pytest.raises(SKOSMOSError, match="lists no concept of 'iec'; is its store away"):
            await fetch(harvester("iec"))

    async def test_what_is_listed_and_not_there_is_told(
        self, server: SkosmosServer, harvester: Make
    ) -> None:
        server.files["/rest/v1/iec/index/*"] = Reply(
            200,
            "application/json",
            b'{"indexConcepts": [{"uri": "http://vocab.example/iec/gone", "prefLabel": "gone"},'
            b'{"uri": "http://vocab.example/iec/c002", "prefLabel": "CIMXML"},'
            b'{"uri": "no uri", "prefLabel": ""}]}',
        )
        (found,) = await fetch(harvester("iec"))
        assert found.missing == (IEC + "gone", "no uri")

    async def test_how_many_there_may_be_is_bounded(
        self, harvester: Make, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("elysia_guard.adapters.skosmos.harvest.MAX_CONCEPTS", 3)
        made = harvester("iec")
        (plan,) = await made.plans()
        with pytest.raises(SKOSMOSError, match="more than 3 concepts"):
            await made.fetch(replace(plan, concepts={IEC + "c001": "CIM"}))


class TestFaults:
    async def test_an_unknown_vocabulary_names_the_known(self, harvester: Make) -> None:
        with pytest.raises(SKOSMOSError, match="no vocabulary 'grid'; there are: iec, legal"):
            await fetch(harvester("grid"))

    @pytest.mark.parametrize("call", ["", "*", "data", "iec.ttl"])
    @pytest.mark.parametrize("fault", [f for f in Fault if f is not Fault.SLOW])
    async def test_c9_each_fault_is_an_error_with_the_deadline(
        self, server: SkosmosServer, harvester: Make, fault: Fault, call: str
    ) -> None:
        """Whichever call of a harvest fails, it ends at its deadline at the latest.

        Nobody learns an address, and there is no half of a vocabulary.
        """
        if call == "iec.ttl":
            server.offer("iec", "/files/iec.ttl")
            server.files["/files/iec.ttl"] = TURTLE
            if fault in {Fault.WRONG_TYPE, Fault.WRONG_SHAPE}:
                pytest.skip("nobody looks at the type of a file")
        server.fault, server.faulty = fault, {call}
        with pytest.raises(SKOSMOSError if fault not in LATE else SKOSMOSTimeout) as told:
            await fetch(harvester("iec"))
        for inside in (SECRET, "127.0.0.1", "http:", "<html", "sparql"):
            assert inside not in f"{told.value!s} {told.value!r} {told.value.__cause__!r}"

    async def test_nobody_is_there(self, harvester: Make, pauses: list[float]) -> None:
        """It is tried three times."""
        with pytest.raises(SKOSMOSError, match="cannot be reached"):
            await fetch(harvester("iec", url=nobody_there()))
        assert pauses == [0.5, 2.0]

    async def test_a_request_that_fails_once_is_made_again(
        self, server: SkosmosServer, harvester: Make, pauses: list[float]
    ) -> None:
        made = harvester("legal")
        (plan,) = await made.plans()
        server.fault, server.faulty = Fault.ERROR, {"data"}

        def well_again(*_: object) -> None:
            server.fault = None

        task = asyncio.create_task(made.fetch(plan))
        await asyncio.to_thread(server.wait_until_asked, len(server.requests) + 1)
        well_again()
        assert len((await task).concepts) == len(plan.concepts)
        assert pauses
        assert set(pauses) <= {0.5, 2.0}

    async def test_a_login_is_named(self, server: SkosmosServer, harvester: Make) -> None:
        for fault in (Fault.LOGIN, Fault.REDIRECT):
            server.fault = fault
            with pytest.raises(SKOSMOSError, match="login"):
                await fetch(harvester("iec"))
