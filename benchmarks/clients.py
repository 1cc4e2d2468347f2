"""Ask ten questions with a client that a generator made of the server's own description.

    python benchmarks/clients.py     # with openapi-python-client==0.29.1 in a venv of its own

Starts the chat over the documents that ship on a free port of this machine. Prints each reply, and
fails where one is not what it should be, or where the client lost something of it. CI asks the same
questions without a generator (tests/e2e/test_clients.py).
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

STOPPED_S, PATIENCE_S = 30, 60
DONE, FAILED = 0, 1
TEN = {
    "What is CIMXML?": "asserted",
    "What does ADR-0012 decide?": "asserted",
    "What does ADR-0050 decide?": "refused",
    "What is CIM?": "clarified",
    "How long may a privileged session last?": "hedged",
    "Which decisions are accepted?": "asserted",
    "Who approved ADR-12?": "asserted",
    "Wat is CIMXML?": "asserted",
    "What is the capital of France?": "refused",
    "When was ADR-16 accepted?": "asserted",
}


def main() -> int:
    """Serve, generate and ask."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=sys.executable, help="a Python that has elysia-guard")
    server: str = parser.parse_args().server
    with tempfile.TemporaryDirectory() as place, serving(server, Path(place)) as address:
        ask = generated(address, Path(place))
        wrong = [question for question in TEN if not ask(question)]
    print(f"{len(TEN) - len(wrong)} of {len(TEN)} as they should be")
    return FAILED if wrong else DONE


@contextmanager
def serving(python: str, place: Path) -> Iterator[str]:
    """Start the chat, and stop it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    own = {name: value for name, value in os.environ.items() if "ELYSIA_GUARD_" not in name}
    own["ELYSIA_GUARD_CONVERSATIONS__PATH"] = str(place / "conversations.sqlite")
    words = [python, "-m", "elysia_guard.edge.cli.main", "chat", "--port", str(port)]
    with (place / "chat.log").open("w") as log:
        process = subprocess.Popen(words, env=own, stdout=subprocess.PIPE, stderr=log, text=True)  # noqa: S603
    try:
        if process.stdout is None or str(port) not in process.stdout.readline():
            raise SystemExit((place / "chat.log").read_text())
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(STOPPED_S)


def generated(address: str, place: Path) -> Any:
    """Make a client, and return what asks a question with it and says whether all is well."""
    told = place / "openapi.json"
    told.write_text(httpx.get(f"{address}/guard/openapi.json").text, encoding="utf-8")
    words = ["--path", str(told), "--output-path", str(place / "made"), "--meta", "none"]
    subprocess.run(  # noqa: S603
        [sys.executable, "-m", "openapi_python_client", "generate", *words], check=True
    )
    sys.path.insert(0, str(place))
    client = importlib.import_module("made").Client(base_url=address, timeout=PATIENCE_S)
    call = importlib.import_module("made.api.guard.ask")
    models = importlib.import_module("made.models")

    def ask(question: str) -> bool:
        reply = call.sync(client=client, body=models.AskedQuestion(question=question))
        raw = httpx.post(f"{address}/guard/ask", json={"question": question}, timeout=PATIENCE_S)
        lost = set(json.loads(raw.text)) - set(reply.to_dict())
        print(f"{reply.outcome.value:10} {question} {lost or ''}")
        return reply.outcome.value == TEN[question] and not lost

    return ask


if __name__ == "__main__":
    sys.exit(main())
