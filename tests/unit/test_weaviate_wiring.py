"""A configuration with a Weaviate: what is refused, what takes its place, what doctor says."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from elysia_guard import config as configuration
from elysia_guard.adapters.index_store import Damage
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.adapters.weaviate_index import WeaviateIndex
from elysia_guard.config import Config
from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.cli import doctor_checks
from elysia_guard.edge.cli.doctor_surroundings import PartState
from elysia_guard.wiring import Wiring

KIND = {"ELYSIA_GUARD_INDEX__KIND": "weaviate"}
URL = "ELYSIA_GUARD_INDEX__WEAVIATE__URL"


def load(**changes: str) -> Config:
    values = {f"ELYSIA_GUARD_{name}": value for name, value in changes.items()}
    return configuration.load(environ=KIND | {URL: "http://weaviate.example:8080"} | values)


@pytest.fixture
def away() -> Config:
    """A configuration whose Weaviate is not there."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return load(INDEX__WEAVIATE__URL=f"http://127.0.0.1:{port}")


def test_a_key_that_is_not_there() -> None:
    """A variable that is named must hold a key."""
    wiring = Wiring(load(INDEX__WEAVIATE__API_KEY_ENV="OUR_KEY"))
    with pytest.raises(ConfigError, match="the variable OUR_KEY holds no key"):
        _ = wiring.index


def test_the_index_is_the_weaviate() -> None:
    """Nothing is asked before the first question, and nothing is filled unasked."""
    wiring = Wiring(load())
    assert isinstance(wiring.index, WeaviateIndex)
    assert wiring.index_place == "Weaviate at http://weaviate.example:8080"
    assert wiring.ensure_index() is None
    wiring.close()


def test_a_file_on_the_command_line_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--index FILE`` means that file, whatever the configuration says."""
    for name, value in (KIND | {URL: "http://weaviate.example:8080"}).items():
        monkeypatch.setenv(name, value)
    wiring = Wiring.load(index=tmp_path / "index.sqlite")
    asyncio.run(wiring.fill_index([configuration.home() / "data" / "knowledge" / "policies"]))
    assert isinstance(wiring.index, SqliteIndex)
    wiring.close()


def test_doctor_says_that_it_is_away(away: Config) -> None:
    """The operator is told which one it is."""
    wiring = Wiring(away)
    found = doctor_checks.index(wiring)
    wiring.close()
    assert found.state is PartState.ERROR
    assert found.text.endswith(": Weaviate cannot be reached")
    assert "Weaviate at http://127.0.0.1" in found.text


async def _torn() -> Damage:
    return Damage(findings=("the collection ADR_Ollama is not there",))


def test_c5_doctor_says_what_is_missing() -> None:
    """Doctor names what of an index in a Weaviate is missing, and that ingest mends it."""
    wiring = SimpleNamespace(
        config=load(), index_place="Weaviate at http://w.example", index_damage=_torn
    )
    found = doctor_checks.index(cast(Wiring, wiring))
    assert (found.state, found.needed) == (PartState.ERROR, True)
    assert "the collection ADR_Ollama is not there; mend it: elysia-guard ingest" in found.text


async def _whole() -> Damage:
    return Damage()


def test_doctor_says_what_it_holds() -> None:
    """One that answers a search is well."""
    from tests.contract.index_contract import sample_passages

    from elysia_guard.testing.fake_index import FakeIndex

    config = load()
    wiring = SimpleNamespace(
        config=config.model_copy(update={"index": config.index.model_copy(update={"sources": []})}),
        index=FakeIndex(sample_passages()),
        index_place="Weaviate at http://weaviate.example",
        index_damage=_whole,
    )
    found = doctor_checks.index(cast(Wiring, wiring))
    assert found.state is PartState.OK
    assert "7 documents (ADR 3, DAR 1, Document 1, Policy 1, Principle 1), 8 passages" in found.text
