"""Where conversations are kept: a file, or a database that an address names."""

from __future__ import annotations

import sys

import pytest

from elysia_guard import config as configuration
from elysia_guard.config import Config
from elysia_guard.domain.errors import ConfigError
from elysia_guard.wiring.records import keeper_of

SERVER = "postgresql+psycopg://guard:hunter2-hunter2@db.example.org/guard"


def configured(**named: str) -> Config:
    """The configuration that ships, with variables."""
    keys = {f"ELYSIA_GUARD_CONVERSATIONS__{key.upper()}": value for key, value in named.items()}
    return configuration.load(environ=keys)


def test_a_server_is_told_without_its_password() -> None:
    """Also where it stands behind the question mark."""
    pytest.importorskip("psycopg")
    keeper = keeper_of(configured(url=f"{SERVER}?sslpassword=hunter3-hunter3"))
    assert keeper is not None
    assert keeper.place == "postgresql+psycopg://guard:***@db.example.org/guard"
    assert "hunter" not in repr(configured(url=SERVER).conversations)
    keeper.close()


def test_a_path_and_an_address_are_two_places() -> None:
    with pytest.raises(ConfigError, match="two places") as caught:
        configured(url=SERVER, path="build/talks.sqlite")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("url", ["mysql+pymysql://guard:hunter2@h/guard", "oracle://h/x"])
def test_a_database_that_is_not_held_against_the_contract_is_refused(url: str) -> None:
    """By a message that says which are, and no password."""
    with pytest.raises(ConfigError, match=r"SQLite .* or PostgreSQL") as caught:
        keeper_of(configured(url=url))
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("url", ["nonsense", "postgresql://guard:hunter2@h:port/guard"])
def test_what_is_no_address_is_not_repeated(url: str) -> None:
    with pytest.raises(ConfigError, match=r"conversations\.url is no address") as caught:
        keeper_of(configured(url=url))
    assert "hunter2" not in str(caught.value)


def test_a_missing_driver_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody needs to look for the package."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigError, match=r"elysia-guard\[postgres\]") as caught:
        keeper_of(configured(url=SERVER))
    assert "hunter2" not in str(caught.value)
