"""A machine on which the chat is started, stopped and started again, with a model on loopback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.host.chat_server import ChatServer
from tests.host.scripted import MARK, SEARCH, choice, meaning

PATIENCE_S = 120
KEY = "sk-made-up-0123456789"


def steps() -> Callable[[str], str]:
    """A model that makes claims, and at times sense, however it is asked to read a question."""
    turns = count()
    said = (
        f"{MARK}: nothing that can be read",
        SEARCH,
        meaning("CIM"),
        choice("no_such_tool", {"text": MARK}),
    )
    return lambda _prompt: said[next(turns) % len(said)]


class House:
    """A machine on which `elysia-guard chat` is started, stopped and started again."""

    def __init__(self, index: Path, folder: Path, model: ChatServer) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "chat.log"
        self._index = index
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("ELYSIA_GUARD_") and not name.endswith("_API_KEY")
        }
        self._environment = kept | {
            "ELYSIA_GUARD_CONVERSATIONS__PATH": str(folder / "kept" / "conversations.sqlite"),
            "ELYSIA_GUARD_LOG_LEVEL": "INFO",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "BASE_MODEL": "made-up",
            "COMPLEX_MODEL": "made-up",
            "BASE_PROVIDER": "openai",
            "COMPLEX_PROVIDER": "openai",
            "MODEL_API_BASE": f"{model.url}/v1",
            "OPENAI_API_KEY": KEY,
        }

    @contextmanager
    def chat(self, *options: str) -> Iterator[subprocess.Popen[str]]:
        """Start it as a person does, and stop it with Ctrl-C."""
        words = ["chat", "--port", str(self.port), "--index", str(self._index), *options]
        with self.log.open("a") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "elysia_guard.edge.cli.main", *words],
                cwd=self.log.parent,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                # A shell that runs the tests in the background lets Ctrl-C be ignored.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
            )
        try:
            assert process.stdout is not None
            assert self.address in process.stdout.readline(), self.log.read_text()
            yield process
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_S) in {0, 130}
        finally:
            process.kill()
            process.wait(PATIENCE_S)
            process.stdout.close()

    def problems(self) -> list[str]:
        """What the log says that went wrong."""
        bad = ("ERROR", '"level": "error"', "Traceback", "CRITICAL", "cannot be kept")
        return [line for item in bad for line in self.lines_with(item)]

    def lines_with(self, text: str) -> list[str]:
        """The lines of the log that say so."""
        return [line for line in self.log.read_text().splitlines() if text in line]
