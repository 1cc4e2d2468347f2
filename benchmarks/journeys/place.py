"""The chat as a person starts it, with an index and conversations of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

STOPPED_S = 60


class Place:
    """A machine on which the chat is started, stopped and started again, at the same address."""

    def __init__(self, folder: Path, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        """Take where its files go, and what is set in its environment beside."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "chat.log"
        self._running: subprocess.Popen[str] | None = None
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("ELYSIA_GUARD_") and not name.endswith("_API_KEY")
        }
        self.environment = kept | {
            "ELYSIA_GUARD_INDEX__PATH": str(folder / "index.sqlite"),
            "ELYSIA_GUARD_CONVERSATIONS__PATH": str(folder / "conversations.sqlite"),
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            **settings,
        }

    def start(self, *options: str) -> None:
        """Start it, and wait until it says where it is."""
        words = ["-m", "elysia_guard.edge.cli.main", "chat", "--port", str(self.port), *options]
        with self.log.open("a") as log:
            self._running = subprocess.Popen(
                [sys.executable, *words],
                cwd=self.log.parent,
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        said = self._running.stdout.readline() if self._running.stdout else ""
        if self.address not in said:
            raise SystemExit(f"error: no chat: {self.log.read_text()[-2000:]}")

    def stop(self) -> None:
        """Stop it, where it runs."""
        if self._running is None:
            return
        self._running.terminate()
        self._running.wait(STOPPED_S)
        if self._running.stdout:
            self._running.stdout.close()
        self._running = None
