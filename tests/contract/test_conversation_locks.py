"""One contract for all locks on conversations: a file's, and a PostgreSQL's."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import URL, create_engine, text
from tests.contract.locks_contract import TALK, ConversationLocksContract
from tests.contract.postgres_server import LIVE, own_schema, written_out

from elysia_guard.adapters.conversations import AdvisoryLocks, FileLocks, Turnstile
from elysia_guard.ports import ConversationLocks

FILE = """
from pathlib import Path
from elysia_guard.adapters.conversations import FileLocks
locks = FileLocks(Path({file!r}))
"""
SERVER = """
from sqlalchemy import make_url
from elysia_guard.adapters.conversations import AdvisoryLocks
locks = AdvisoryLocks(make_url({url!r}))
"""


class TestFileLocks(ConversationLocksContract):
    """Between processes of one machine."""

    @contextmanager
    def opened(self) -> Iterator[tuple[ConversationLocks, str]]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "talks" / "turns"
            locks = FileLocks(file)
            yield locks, FILE.format(file=str(file))
            locks.close()


@pytest.mark.live
class TestAdvisoryLocks(ConversationLocksContract):
    """Between processes that share nothing but a database."""

    pytestmark = LIVE

    @contextmanager
    def opened(self) -> Iterator[tuple[ConversationLocks, str]]:
        with own_schema() as url:
            locks = AdvisoryLocks(url, deadline_s=30)
            yield locks, SERVER.format(url=written_out(url))
            locks.close()


def cut(url: URL) -> None:
    """End all other connections, as a server does that is started anew."""
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'elysia-guard' AND pid <> pg_backend_pid()"
            )
        )
    engine.dispose()


class TestALineThatIsCut:
    """What becomes of questions whose server goes away for a moment."""

    pytestmark = LIVE

    async def test_one_that_nobody_used_is_opened_again(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Nobody waits and nothing is said."""
        with own_schema() as url:
            locks = AdvisoryLocks(url, deadline_s=30)
            await locks.enter(TALK)
            locks.leave(TALK)
            cut(url)
            await locks.enter(TALK)
            locks.leave(TALK)
            locks.close()
        assert caplog.text == ""

    async def test_one_in_use_lets_others_in_and_the_log_says_so(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        with own_schema() as url:
            one, other = AdvisoryLocks(url, deadline_s=30), AdvisoryLocks(url, deadline_s=30)
            await one.enter(TALK)
            cut(url)
            await other.enter(TALK)
            one.leave(TALK)
            one.close()
            other.leave(TALK)
            other.close()
        assert caplog.text.count("before its question was answered") == 1
        assert url.password is None or url.password not in caplog.text


async def test_without_its_server_nobody_waits_and_the_log_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A refused connection costs nothing, and after two of them nobody tries for a while."""
    pytest.importorskip("psycopg")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    url = URL.create(
        "postgresql+psycopg", "guard", "hunter2-hunter2", "127.0.0.1", port, database="guard"
    )
    locks = AdvisoryLocks(url)
    turnstile = Turnstile(locks)
    async with asyncio.timeout(30):
        for _ in range(4):
            async with turnstile.of(TALK):
                pass
    turnstile.close()
    assert caplog.text.count("questions do not wait for each other") == 1
    assert "hunter2" not in caplog.text
