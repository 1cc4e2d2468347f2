"""Servers of the chat for the benchmark of workers: what they stand on, and what they leave."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from sqlalchemy import URL, create_engine, make_url, text

from elysia_guard.observability.workers import VARIABLE
from elysia_guard.wiring import Wiring

STOPPED_S = 30
REQUESTS = "rag_request_total"
LOG = "guard_decisions"


@dataclass(kw_only=True)
class Place:
    """An index, and a folder for what a server over it keeps."""

    index: Path
    folder: Path
    talks: URL
    """Where conversations are kept."""
    shared: bool = True

    @contextmanager
    def serving(
        self, *options: str, port: int | None = None
    ) -> Iterator[tuple[int, subprocess.Popen[str]]]:
        """Start the chat, at a free port if none is named."""
        port = port or _free_port()
        words = [sys.executable, "-m", "elysia_guard.edge.cli.main", "chat", "--port", str(port)]
        with (self.folder / "chat.log").open("a") as log:
            process = subprocess.Popen(  # noqa: S603
                [*words, *options],
                env=self._environment(),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        try:
            if process.stdout is None or str(port) not in process.stdout.readline():
                raise SystemExit((self.folder / "chat.log").read_text())
            yield port, process
        finally:
            process.terminate()
            process.wait(STOPPED_S)

    def _environment(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if "ELYSIA_GUARD_" not in name}
        return own | {
            "ELYSIA_GUARD_INDEX__PATH": str(self.index.absolute()),
            "ELYSIA_GUARD_CONVERSATIONS__URL": self.talks.render_as_string(hide_password=False),
            "ELYSIA_GUARD_CONVERSATIONS__SHARED": str(self.shared).lower(),
            "ELYSIA_GUARD_DECISION_LOG__URL": f"sqlite:///{self.folder / 'decisions.sqlite'}",
            VARIABLE: str(self.folder / "metrics"),
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "OMP_NUM_THREADS": "1",
        }

    def shares(self) -> str:
        """How many questions each process has answered, by what it has counted."""
        files = sorted((self.folder / "metrics").glob("counter_*.db"))
        counted = [MultiProcessCollector.merge([str(file)]) for file in files]
        # Who started them has files too, and answers nothing.
        return ", ".join(str(count) for found in counted if (count := sum(map(_answered, found))))

    def kept(self) -> str:
        """What the store holds afterwards."""
        turns = _count(self.talks, "guard_turns")
        decisions = _count(URL.create("sqlite", database=f"{self.folder}/decisions.sqlite"), LOG)
        return f"{turns} turns, {decisions} entries in the decision log"


@dataclass(kw_only=True)
class Ground:
    """Where the servers of one run stand."""

    wiring: Wiring
    folder: Path
    url: str
    shared: bool = True

    def place(self, name: str = "one") -> Place:
        """Where one of them stands: with a database, on its own with a copy of the index."""
        folder, index = self.folder / name, self.wiring.config.index.path
        if not self.url:
            talks = URL.create("sqlite", database=str(self.folder / "conversations.sqlite"))
            return Place(index=index, folder=self.folder, talks=talks, shared=self.shared)
        folder.mkdir(exist_ok=True)
        own = folder / index.name
        for beside in index.parent.glob(f"{index.name}*"):
            shutil.copy2(beside, folder / beside.name)
        return Place(index=own, folder=folder, talks=make_url(self.url), shared=self.shared)

    def clear(self) -> None:
        """Begin with no conversations."""
        if not self.url:
            return
        engine = create_engine(self.url)
        with engine.begin() as connection:
            if engine.dialect.has_table(connection, "guard_conversations"):
                connection.execute(text("DELETE FROM guard_conversations"))
        engine.dispose()


def database(url: str) -> str:
    """Name the database and its version."""
    if not url:
        return f"SQLite {sqlite3.sqlite_version}"
    engine = create_engine(url)
    with engine.connect():
        version_ = ".".join(str(part) for part in engine.dialect.server_version_info or ())
        name = f"{engine.dialect.name} {version_}"
    engine.dispose()
    return name


def _answered(metric: Metric) -> int:
    counts = (item.value for item in metric.samples if item.name == REQUESTS)
    return int(sum(counts))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def _count(url: URL, table: str) -> int:
    engine = create_engine(url)
    with engine.connect() as connection:
        found: int = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()  # noqa: S608
    engine.dispose()
    return found
