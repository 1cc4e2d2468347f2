"""`elysia-guard conversations`: what is kept of the chat, and its end."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.contract.conversations_contract import turn
from tests.contract.postgres_server import SERVER, own_schema, written_out

from elysia_guard.adapters.conversations import SqlConversations
from elysia_guard.domain.saved import ConversationKey, Standing
from elysia_guard.edge.cli import doctor_checks
from elysia_guard.edge.cli.doctor_surroundings import Check, PartState
from elysia_guard.edge.cli.main import cli
from elysia_guard.wiring import Wiring

MINE = ConversationKey(user_id="mine", conversation_id="one")
YOURS = ConversationKey(user_id="yours", conversation_id="two")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "conversations.sqlite"
    monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__PATH", str(path))
    store = SqlConversations.in_file(path)
    today = datetime.now(UTC)

    async def fill() -> None:
        old = Standing(title="What is\nCIMXML?")
        await store.add_turn(MINE, turn("q1"), old, at=today - timedelta(days=40))
        await store.add_turn(YOURS, turn("q2"), Standing(title="Which principles?"), at=today)

    asyncio.run(fill())
    store.close()
    return path


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["conversations", *words])


def test_c6_kept_conversations_are_listed(file: Path) -> None:
    """An operator sees what is kept: when, whose, how long and under which title."""
    done = run("list")
    assert done.exit_code == 0
    assert "mine" in done.stdout
    assert "What is CIMXML?" in done.stdout.replace("\\n", " ")
    assert f"{file}: 2 conversation(s)" in done.stderr
    (only,) = json.loads(run("list", "--user", "yours", "--json").stdout)["conversations"]
    assert (only["conversation_id"], only["title"]) == ("two", "Which principles?")


def test_c6_old_conversations_are_purged_by_hand(file: Path) -> None:
    """Those past the retention, or a day that is named; a dry run deletes nothing."""
    assert "1 conversation(s)" in run("purge", "--dry-run").stdout
    assert "1 conversation(s)" in run("purge").stdout
    assert "0 conversation(s)" in run("purge").stdout
    assert "1 conversation(s)" in run("purge", "--before", "2999-01-01").stdout
    assert f"{file}: 0" in run("list").stderr


def test_c6_without_a_store_the_commands_say_so(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 3 and one line where nothing is kept; exit 2 where no day can be known."""
    monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__KEEP_DAYS", "null")
    assert run("purge").exit_code == 2
    monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__ENABLED", "false")
    done = run("list")
    assert done.exit_code == 3
    assert "conversations.enabled" in done.stderr
    assert file.exists()


@pytest.mark.live
@pytest.mark.skipif(not SERVER, reason="TEST_DATABASE_URL names no PostgreSQL to test with")
def test_c6_the_commands_work_over_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is named without its password."""
    with own_schema() as url:
        monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__URL", written_out(url))
        store = SqlConversations(url)
        yesterday = datetime.now(UTC) - timedelta(days=1)
        asyncio.run(store.add_turn(MINE, turn("q1"), Standing(title="Old"), at=yesterday))
        store.close()
        done = run("list")
        assert "1 conversation(s)" in done.stderr
        assert url.password is None or url.password not in done.output
        assert "1 conversation(s)" in run("purge", "--before", "2999-01-01").stdout
        assert ": 0 conversation(s)" in run("list").stderr


def looked_at(wiring: Wiring) -> Check:
    """What the doctor says of conversations."""
    found = doctor_checks.conversations(wiring)
    wiring.close()
    return found


def test_c6_the_doctor_names_the_store(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And whether it answers; the guard needs it for no answer."""
    there = looked_at(Wiring.load())
    assert (there.state, there.needed) == (PartState.OK, False)
    assert str(file) in there.text
    assert "for 30 days" in there.text
    file.write_text("not a database " * 100, encoding="utf-8")
    broken = looked_at(Wiring.load())
    assert (broken.state, broken.needed) == (PartState.ERROR, False)
    assert "not a database" in broken.text
    monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__ENABLED", "false")
    assert "not kept" in looked_at(Wiring.load()).text


def test_c6_the_doctor_says_what_no_chat_starts_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the password of the address."""
    monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__URL", "mysql://guard:hunter2@h/guard")
    found = looked_at(Wiring.load())
    assert (found.state, found.needed) == (PartState.ERROR, True)
    assert "PostgreSQL" in found.text
    assert "hunter2" not in found.text
