"""The emulated Skosmos answers as the real one did when it was recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, parse
from tests.golden.skosmos.emulator import Emulator
from tests.golden.skosmos.recordings import Recording, recordings

GOLDEN = Path(__file__).parents[1] / "golden" / "skosmos"
COVERED = {"query", "lang", "labellang", "fields", "vocab", "uri", "format"}


@pytest.fixture(scope="module")
def emulator() -> Emulator:
    return Emulator.over({v: (GOLDEN / f"{v}.ttl").read_bytes() for v in ("iec", "legal")})


def covered(recorded: Recording) -> bool:
    plain = recorded.server == "# server: dialect Generic" and recorded.method == "GET"
    fields = recorded.query.get("fields", "definition").split() == ["definition"]
    return plain and set(recorded.query) <= COVERED and fields and not recorded.conditional


def named(recorded: Recording) -> str:
    return recorded.name


SEARCHES = [r for r in recordings() if covered(r) and r.call == "search" and r.status == 200]
DATA = [
    r
    for r in recordings()
    if covered(r) and r.call == "data" and r.query.get("format", "").endswith("json")
    if r.status in {200, 404} and "uri" in r.query
]


def test_much_is_covered() -> None:
    """The comparison below is not an empty one."""
    assert len(SEARCHES) >= 60
    assert len(DATA) >= 15


@pytest.mark.parametrize("recorded", SEARCHES, ids=named)
def test_searches_find_the_recorded_rows(emulator: Emulator, recorded: Recording) -> None:
    """Rows are the same but for their order, and a name that only some answers carry."""
    reply = emulator.answer(recorded.path, recorded.query)
    assert reply.status == recorded.status
    assert _rows(reply.body) == _rows(recorded.body)


@pytest.mark.parametrize("recorded", DATA, ids=named)
def test_data_tells_the_recorded_facts(emulator: Emulator, recorded: Recording) -> None:
    """The graphs are equal, triple by triple."""
    reply = emulator.answer(recorded.path, recorded.query)
    assert (reply.status, reply.media_type) == (
        recorded.status,
        recorded.media_type.replace("ld+", ""),
    )
    if recorded.status == 200:
        assert _triples(reply.body) == _triples(recorded.body)


def _rows(body: bytes) -> list[str]:
    rows = json.loads(body)["results"]
    for row in rows:
        row.pop("localname", None)
        row.get("definition", []).sort(key=str)
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def _triples(body: bytes) -> set[str]:
    return {str(quad) for quad in parse(body, RdfFormat.JSON_LD, base_iri="about:blank")}
