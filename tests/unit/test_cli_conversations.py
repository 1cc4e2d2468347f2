"""`elysia-guard conversations`: what is kept of the chat, and its end."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from elysia_guard.adapters.conversations import SqlConversations
from elysia_guard.domain.saved import ConversationKey, Standing
from elysia_guard.edge.cli.main import cli
from elysia_guard.testing.conversations_contract import turn

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
