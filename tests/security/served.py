"""The real server in a process of its own, with keys around it that must never come out."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from tests import prepared
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

SECRET = "letmein-7f3c9a51d2e84b06"
ADMIN_SECRET = "admin-0b9d27c6e1f84a35"
PROXY = "127.0.0.2"
"""Where the proxy's connections come from: another address of this machine."""
CANARIES = {
    "OPENAI_API_KEY": "canary-openai-41c7d9e2",
    "WCD_API_KEY": "canary-wcd-93ab60ff",
    "ANTHROPIC_API_KEY": 'canary-"quoted"-ä-5d21',
    "SOME_TOKEN": "canary-token-77e0c418",
    "AWS_SECRET_ACCESS_KEY": "canary/aws+slash=0c99",
    "DATABASE_PASSWORD": "canary-password-1f2e3d",
}
PATIENCE_S = 60

SERVE = """
import json, sys
from elysia_guard.edge.elysia.webapp import serve
from elysia_guard.edge.elysia.webapp.protection.requests import table
from elysia_guard.wiring import Wiring

def ready(address):
    from elysia.api.app import app
    routes = [[route.path, sorted(route.methods)] for route in table(app)]
    print(json.dumps({"address": address, "routes": routes, "openapi": app.openapi()["paths"]}),
          file=out, flush=True)

sys.stdout, out = sys.stderr, sys.stdout
serve(Wiring.load(), port=0, ready=ready)
"""


@dataclass(frozen=True, kw_only=True)
class Route:
    """A route of the running server; the method of a websocket is empty."""

    method: str
    path: str

    def at(self, **named: str) -> str:
        """Its path, with something in the place of each name."""
        return re.sub(
            r"{(\w+)}", lambda found: quote(named.get(found[1], "x1"), safe=""), self.path
        )


@dataclass
class Served:
    """A server, all that was received from it, and all that it has logged."""

    process: prepared.Program
    log: Path
    address: str = ""
    routes: list[Route] = field(default_factory=list)
    documented: set[tuple[str, str]] = field(default_factory=set)
    received: bytearray = field(default_factory=bytearray)

    def wait(self) -> Served:
        """Wait until it answers."""
        line = self.process.stdout.readline()
        assert line.startswith("{"), self.log.read_text()
        said = json.loads(line)
        self.address = said["address"]
        self.routes = [
            Route(method=method, path=path)
            for path, methods in said["routes"]
            for method in methods or [""]
        ]
        self.documented = {
            (method.upper(), path) for path, item in said["openapi"].items() for method in item
        }
        return self

    @property
    def over_http(self) -> list[Route]:
        return [route for route in self.routes if route.method]

    @property
    def websockets(self) -> list[Route]:
        return [route for route in self.routes if not route.method]

    def client(self, token: str = "", **options: Any) -> httpx.Client:
        """An HTTP client whose answers are remembered."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= options.pop("headers", {})
        return httpx.Client(
            base_url=self.address,
            headers=headers,
            timeout=PATIENCE_S,
            event_hooks={"response": [self._remember]},
            **options,
        )

    def behind_the_proxy(self, person: str = "", **options: Any) -> httpx.Client:
        """A client whose requests the proxy passes on, for a person if one is named."""
        headers = {"X-Remote-User": person} if person else {}
        transport = httpx.HTTPTransport(local_address=PROXY)
        return self.client(headers=headers, transport=transport, **options)

    def _remember(self, answer: httpx.Response) -> None:
        answer.read()
        self.received += str(answer.headers).encode() + answer.content

    @contextlib.contextmanager
    def socket(self, path: str = "/ws/query", **options: Any) -> Iterator[ClientConnection]:
        """A websocket."""
        where = self.address.replace("http", "ws", 1) + path
        with connect(where, open_timeout=PATIENCE_S, **options) as socket:
            yield socket

    def ask(self, socket: ClientConnection, question: str, **named: Any) -> list[dict[str, Any]]:
        """Ask, and return what arrives up to `completed`."""
        socket.send(json.dumps(question_of(question, **named)))
        payloads: list[dict[str, Any]] = []
        while not payloads or payloads[-1]["type"] != "completed":
            text = socket.recv(PATIENCE_S)
            self.received += str(text).encode()
            payloads.append(json.loads(text))
        return payloads


def question_of(question: str, **named: Any) -> dict[str, Any]:
    """A message as the page sends it."""
    return {
        "user_id": "x1",
        "conversation_id": "x1",
        "query_id": "x1",
        "query": question,
        "collection_names": [],
        "route": "",
        "mimick": False,  # codespell:ignore mimick
        **named,
    }


def answers(payloads: list[dict[str, Any]]) -> dict[str, Any]:
    """The whole answer among the payloads of a question."""
    (found,) = [item["payload"] for item in payloads if item["type"] == "rag_response"]
    return dict(found)


def refused(served: Served, path: str, **options: Any) -> bool:
    """Tell whether a websocket is turned away before it opens."""
    try:
        with served.socket(path, **options):
            return False
    except (WebSocketException, OSError):
        return True


def start(index: Path, folder: Path, **settings: str) -> Served:
    """Start a server; it is there once `wait` returns."""
    folder.mkdir()
    log = folder / "server.log"
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ELYSIA_GUARD_") and not re.search("KEY|TOKEN|SECRET|PASSWORD", name)
    }
    # A model that is asked after all is asked where nobody listens.
    nowhere = {"OPENAI_API_BASE": "http://127.0.0.1:9", "MODEL_API_BASE": "http://127.0.0.1:9"}
    environ = {"ELYSIA_GUARD_INDEX__PATH": str(index), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    with log.open("w") as written:
        process = prepared.begin(
            [],
            code=SERVE,
            folder=folder,
            environment=kept | CANARIES | nowhere | environ | settings,
            stderr=written,
        )
    return Served(process=process, log=log)


def stop(served: Served) -> None:
    """Stop it, and wait until it is gone."""
    served.process.terminate()
    served.process.wait(PATIENCE_S)
    served.process.stdout.close()


def leaked(found: bytes | str, secrets: Mapping[str, str]) -> list[str]:
    """The names of the secrets in a text, be they as they are or as JSON or an address has them."""
    text = found if isinstance(found, str) else found.decode("utf-8", "replace")
    return [
        name
        for name, value in secrets.items()
        if any(
            form in text
            for form in (
                value,
                json.dumps(value)[1:-1],
                json.dumps(value, ensure_ascii=False)[1:-1],
                quote(value, safe=""),
            )
        )
    ]
