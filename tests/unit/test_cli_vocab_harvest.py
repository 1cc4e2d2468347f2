"""``elysia-guard vocab harvest`` over a Skosmos on loopback."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.golden.skosmos.emulator import Reply
from tests.golden.skosmos.server import (
    IEC_AND_LEGAL,
    SECRET,
    Fault,
    SkosmosServer,
    nobody_there,
)
from tests.unit.test_config import LIMITS

from elysia_guard.adapters.skos_file import SkosFile
from elysia_guard.adapters.skos_rdf import read_concepts
from elysia_guard.adapters.skosmos import AsyncSkosmosClient, Service
from elysia_guard.adapters.skosmos.catalogue import About
from elysia_guard.adapters.skosmos.harvest import Harvest, Plan
from elysia_guard.domain.concept import Concept, Text
from elysia_guard.edge.cli.main import cli
from elysia_guard.edge.cli.vocab_harvest import MARK, counted, document

IEC = "http://vocab.example/iec/"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elysia_guard.adapters.skosmos.patience.PAUSES_S", (0.0,))


@pytest.fixture
def server() -> Iterator[SkosmosServer]:
    with SkosmosServer() as running:
        running.offer("iec", "/files/iec.ttl")
        running.files["/files/iec.ttl"] = Reply(200, "text/turtle", IEC_AND_LEGAL["iec"])
        yield running


@pytest.fixture
def config(tmp_path: Path, server: SkosmosServer) -> str:
    (tmp_path / "config").mkdir()
    (tmp_path / "config/thresholds.yaml").write_text(LIMITS, encoding="utf-8")
    path = tmp_path / "config/guard.yaml"
    path.write_text(
        f"""\
terminology:
  kind: skosmos
  skosmos: {{url: "{server.url}", vocabularies: {{iec: "Grid modelling"}}, known_term: CIM}}
index: {{path: build/index.sqlite}}
thresholds: config/thresholds.yaml
collections: {{decision: A, principle: B, policy: C, document: D}}
""",
        encoding="utf-8",
    )
    return str(path)


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["vocab", "harvest", *args], prog_name="elysia-guard")


def test_the_configured_server_is_copied_beside_the_index(config: str, tmp_path: Path) -> None:
    """With the configured titles, and the setting that uses it."""
    result = run("--config", config)
    assert result.exit_code == 0, result.stderr
    path = tmp_path / "build/skosmos.ttl"
    assert result.stdout == (
        f"{path} holds 21 concepts\n"
        "  iec  21  download  Grid modelling\n"
        "\n"
        "To use it, beside the server or in its place, in guard.yaml:\n"
        "  terminology:\n"
        "    files: [build/skosmos.ttl]\n"
    )
    assert result.stderr == "Harvesting ...\n"
    concepts = read_concepts([path])
    assert {item.vocabulary_title for item in concepts} == {"Grid modelling"}
    assert len(concepts) == 21
    assert [item.name for item in path.parent.iterdir()] == ["skosmos.ttl"]


def test_the_head_of_the_file_says_where_it_comes_from(
    server: SkosmosServer, tmp_path: Path
) -> None:
    path = tmp_path / "copy.ttl"
    assert run("--url", server.url, "--output", str(path)).exit_code == 0
    head = path.read_text(encoding="utf-8").splitlines()[:5]
    assert head[:4] == [
        f"# {MARK}",
        f"# server: {server.url}",
        "# vocabularies: iec, legal",
        "# concepts: 30",
    ]
    assert re.fullmatch(r"# at: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", head[4])


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://skosmos.example/x", "https://skosmos.example/x"),
        ("https://me:secret@skosmos.example", "not shown, its address has credentials"),
        ("https://skosmos.example?token=secret", "not shown, its address has credentials"),
    ],
)
def test_credentials_stay_out_of_the_file(url: str, shown: str) -> None:
    """As do line breaks that a server puts into an id: they would end the comment."""
    plan = Plan(about=About(id="v\n<urn:evil> a <urn:evil> ."), title="")
    label = (Text(value="a"),)
    concept = Concept(uri="urn:a", vocabulary=plan.vocabulary, preferred=label)
    data = document(
        [Harvest(plan=plan, concepts=(concept,))], url, datetime(2026, 11, 22, 1, 2, 3, tzinfo=UTC)
    ).decode()
    assert f"# server: {shown}\n" in data
    assert "# at: 2026-11-22T01:02:03Z\n" in data
    assert "secret" not in data
    assert "\n<urn:evil>" not in data


async def test_the_copy_serves_beside_the_server_and_in_its_place(
    server: SkosmosServer, tmp_path: Path
) -> None:
    """It finds a deprecated term, suggests, and answers by itself; and an URI with an ampersand."""
    path = tmp_path / "copy.ttl"
    assert run("--url", server.url, "--vocab", "iec", "--output", str(path)).exit_code == 0
    labels = SkosFile.load([path])
    (match,) = await labels.lookup("CIMXML", lang="en")
    assert (match.concept.uri, match.concept.vocabulary) == (IEC + "c002", "iec")
    service = Service(base_url=server.url, vocabularies={"iec": ""}, timeout_ms=5_000)
    awkward = IEC + "term?id=22&v=2"
    async with AsyncSkosmosClient(service) as client:
        assert await client.lookup("CIM dump", lang="en") == ()
        assert await client.suggest("CIMXLM", lang="en") == []
        assert await client.concepts([awkward]) == []
    async with AsyncSkosmosClient(service, labels=labels) as client:
        (match,) = await client.lookup("CIM dump", lang="en")
        assert match.concept.deprecated
        assert [c.uri for c in await client.suggest("CIMXLM", lang="en", limit=1)] == [IEC + "c002"]
        found = await client.concepts([awkward, IEC + "c001"])
        assert [concept.uri for concept in found] == [awkward, IEC + "c001"]
        (known,) = await labels.concepts([awkward])
        assert found[0].definitions == known.definitions
        assert found[0].vocabulary == "iec"


def test_a_dry_run_says_what_would_be_fetched(server: SkosmosServer, tmp_path: Path) -> None:
    """It writes nothing, and downloads nothing."""
    path = tmp_path / "new" / "copy.ttl"
    result = run("--url", server.url, "--output", str(path), "--dry-run")
    assert result.stdout == (
        f"{path} would hold 2 vocabularies\n"
        "  iec    as one download         Grid modelling terms\n"
        "  legal  9 concepts, one by one  Energy law terms\n"
    )
    assert not path.parent.exists()
    assert not any("/files/" in asked for asked in server.requests)
    told = json.loads(run("--url", server.url, "--dry-run", "--json", "--output", str(path)).stdout)
    assert [(v["way"], v["concepts"]) for v in told["vocabularies"]] == [
        ("download", None),
        ("one by one", 9),
    ]


def test_one_by_one_says_what_it_may_lack(server: SkosmosServer, tmp_path: Path) -> None:
    """And that a download is on another host, though not on which."""
    server.offer("iec", f"http://{SECRET}/iec.ttl")
    args = ("--url", server.url, "--vocab", "iec", "--output", str(tmp_path / "copy.ttl"))
    result = run(*args)
    assert "iec  20  one by one" in result.stdout
    assert "its download is on another host (--allow-host)" in result.stdout
    assert f"1 put together from searches, perhaps without all labels and relations: {IEC}term" in (
        result.stdout
    )
    assert "deprecated concepts only as far as others lead to them" in result.stdout
    assert SECRET not in result.output
    told = json.loads(run(*args, "--one-by-one", "--json").stdout)
    (vocabulary,) = told["vocabularies"]
    assert (vocabulary["concepts"], vocabulary["deprecated"], vocabulary["way"]) == (
        20,
        0,
        "one by one",
    )
    dry = run(*args, "--dry-run").stdout
    assert "20 concepts, one by one (its download is on another host: --allow-host)" in dry


class TestNothingIsLost:
    def test_an_error_leaves_the_old_file(self, server: SkosmosServer, tmp_path: Path) -> None:
        """Also one in the last vocabulary, when the others are there."""
        path = tmp_path / "copy.ttl"
        args = ("--url", server.url, "--output", str(path))
        assert run(*args).exit_code == 0
        before = path.read_bytes()
        server.fault, server.faulty = Fault.ERROR, {"data"}
        server.files["/rest/v1/iec/data"] = Reply(200, "text/turtle", IEC_AND_LEGAL["iec"])
        result = run(*args)
        assert result.exit_code == 3
        assert result.stderr.endswith("status 500; nothing was written\n")
        assert SECRET not in result.output
        assert path.read_bytes() == before
        assert list(tmp_path.iterdir()) == [path]

    def test_a_file_of_somebody_else_is_not_written_over(
        self, server: SkosmosServer, tmp_path: Path
    ) -> None:
        """Before anything is asked for; unless told to."""
        path = tmp_path / "mine.ttl"
        path.write_text("# my own work\n")
        args = ("--url", server.url, "--vocab", "iec", "--output", str(path))
        result = run(*args)
        assert result.exit_code == 2
        assert "this command did not write it; name another --output" in result.stderr
        assert server.requests == []
        assert path.read_text() == "# my own work\n"
        assert run(*args, "--force").exit_code == 0
        assert run(*args).exit_code == 0

    def test_far_fewer_concepts_do_not_replace_many(
        self, server: SkosmosServer, tmp_path: Path
    ) -> None:
        """A store that has lost most of them answers as well as ever."""
        path = tmp_path / "copy.ttl"
        args = ("--url", server.url, "--vocab", "iec", "--output", str(path))
        assert run(*args).exit_code == 0
        assert counted(path) == 21
        few = IEC_AND_LEGAL["iec"].replace(b"a skos:Concept ;", b"a skos:Gone ;", 14)
        server.files["/files/iec.ttl"] = Reply(200, "text/turtle", few)
        result = run(*args)
        assert result.exit_code == 3
        assert f"{path} has 21; it is left as it is" in result.stderr
        assert counted(path) == 21
        assert run(*args, "--force").exit_code == 0
        assert counted(path) == 7

    def test_what_is_no_turtle_file_is_not_written(self, server: SkosmosServer) -> None:
        result = run("--url", server.url, "--output", "copy.rdf")
        assert result.exit_code == 2
        assert "name a file that ends in .ttl" in result.stderr


class TestErrors:
    @pytest.mark.parametrize(
        ("args", "code", "message"),
        [
            (["--url", "skosmos.example"], 2, "--url is no address; it begins with https://"),
            (["--url", "ftp://skosmos.example"], 2, "--url is no address"),
            ([], 2, "no Skosmos is configured; name one: elysia-guard vocab harvest --url"),
            (["--url", "{server}", "--vocab", "grid"], 3, "no vocabulary 'grid'; there are: iec"),
            (["--url", "{nobody}"], 3, "cannot be reached (ConnectError); nothing was written"),
            (["--url", "{server}/nowhere"], 3, "answered with"),
        ],
    )
    def test_they_are_one_line_with_a_way_out(
        self, server: SkosmosServer, tmp_path: Path, args: list[str], code: int, message: str
    ) -> None:
        addresses = {"server": server.url, "nobody": nobody_there()}
        given = [arg.format(**addresses) for arg in args]
        result = run(*given, "--output", str(tmp_path / "copy.ttl"))
        assert result.exit_code == code
        line = result.stderr.removeprefix("Harvesting ...\n")
        assert message in line
        assert line.count("\n") == 1
        assert "127.0.0.1" not in line

    def test_a_slow_server_has_its_time(self, server: SkosmosServer, tmp_path: Path) -> None:
        server.fault, server.faulty = Fault.HANGING, {""}
        result = run(
            "--url", server.url, "--timeout", "0.1", "--vocab", "iec",
            "--output", str(tmp_path / "copy.ttl"),
        )  # fmt: skip
        assert result.exit_code == 3
        assert "did not answer in 0.1 s" in result.stderr


def test_help_teaches() -> None:
    text = run("--help").stdout
    for part in ("elysia-guard vocab harvest --dry-run", "--one-by-one", "--json", "skosmos.ttl"):
        assert part in text


def test_a_bar_counts_over_all_vocabularies(
    server: SkosmosServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of a download, and one of each concept of the other."""
    shown: list[tuple[int, int]] = []
    monkeypatch.setattr(
        "elysia_guard.edge.cli.progress.Progress.show",
        lambda self, done, total, detail="": shown.append((done, total)),
    )
    assert run("--url", server.url, "--output", str(tmp_path / "copy.ttl")).exit_code == 0
    assert shown == [(done, 10) for done in range(1, 11)]
