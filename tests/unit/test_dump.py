"""``--dump`` and ``elysia-guard metrics``: what a running guard has counted, or why nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.unit.test_workers import worker

from elysia_guard.domain.events import RequestStarted
from elysia_guard.edge.cli.main import cli
from elysia_guard.observability import dump as dumping
from elysia_guard.observability.dump import MetricsUnavailableError, dump
from elysia_guard.observability.metrics import Metrics
from elysia_guard.observability.workers import VARIABLE

Answer = Callable[[BaseHTTPRequestHandler], None]


class Page:
    """A server on loopback that answers as a test wants it."""

    def __init__(self) -> None:
        page = self
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.done = threading.Event()
        self.answer: Answer = said(200, Metrics(collections=["ADR_Ollama"]).text().encode())

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page.asked.append((self.path, dict(self.headers)))
                page.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    @contextmanager
    def serving(self) -> Iterator[Page]:
        thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        thread.start()
        yield self
        self.done.set()
        self.server.shutdown()
        self.server.server_close()
        thread.join()


def said(status: int, body: bytes) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        handler.send_header("Location", "http://127.0.0.1:9/elsewhere")
        handler.end_headers()
        handler.wfile.write(body)

    return answer


@pytest.fixture
def page() -> Iterator[Page]:
    with Page().serving() as made:
        yield made


@pytest.fixture(autouse=True)
def no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def test_the_metrics_of_a_running_server(page: Page) -> None:
    """As Prometheus' text, as JSON and as a table."""
    metrics = Metrics()
    metrics(RequestStarted(route="tree", query="What is CIM?"))
    page.answer = said(200, metrics.text().encode())
    assert 'rag_request_total{route="tree"} 1.0' in dump(page.url).splitlines()
    names = {item["name"] for item in json.loads(dump(page.url, "json"))["metrics"]}
    assert "circuit_breaker_state" in names
    assert "rag_request_total{route=tree}" in dump(page.url, "table")


def test_no_key_and_no_proxy_of_the_environment_is_used(
    page: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A server of ours is asked, and told nothing."""
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password hunter22\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    dump(page.url)
    assert "Authorization" not in page.asked[0][1]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (said(500, b"oh"), "answered with status 500"),
        (said(302, b""), "answered with status 302"),
        (said(200, b"<html>Sign in</html>"), "something else than metrics; check --url"),
        (said(200, b"\xff\xfe"), "something else than metrics"),
        (said(200, b""), "something else than metrics"),
        (said(200, b"a 1\n" * 2_000_000), "more than 5 MB"),
        (lambda handler: handler.connection.close(), "cannot be reached"),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(page: Page, answer: Answer, message: str) -> None:
    """With the address and the way out, whatever answers there."""
    page.answer = answer
    with pytest.raises(MetricsUnavailableError, match=message) as caught:
        dump(page.url)
    assert page.url in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_server_that_hangs_is_not_waited_for(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """One deadline for all of it, also where it drips."""
    monkeypatch.setattr(dumping, "DEADLINE_S", 0.2)

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not page.done.wait(0.02):
            handler.wfile.write(b"#\n")

    page.answer = drip
    with pytest.raises(MetricsUnavailableError, match=r"did not answer within 0.2 s"):
        dump(page.url)
    page.done.set()


def test_nobody_there() -> None:
    """The password of an address is not shown."""
    with pytest.raises(MetricsUnavailableError, match=r"http://127.0.0.1:9/metrics cannot") as err:
        dump("http://me:hunter22@127.0.0.1:9")
    assert "hunter22" not in str(err.value)


@pytest.mark.parametrize("url", ["somewhere", "file:///etc/passwd", "http://[", "http://"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(MetricsUnavailableError):
        dump(url)


def test_the_module_as_a_program(tmp_path: Path) -> None:
    """``python -m elysia_guard.observability --dump``, as IR0003 has it."""
    with worker(tmp_path, "3"):
        pass
    program = [sys.executable, "-m", "elysia_guard.observability"]
    shared = {**os.environ, VARIABLE: str(tmp_path)}
    ran = subprocess.run(
        [*program, "--dump", "--format", "json"],
        env=shared,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout)["metrics"]
    assert not list(tmp_path.glob("gauge_*"))
    ran = subprocess.run(
        [*program, "--dump", "--url", "http://127.0.0.1:9"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.startswith("elysia-guard: http://127.0.0.1:9/metrics cannot be reached")
    assert subprocess.run(program, capture_output=True, check=False).returncode == 2


def test_the_command(page: Page) -> None:
    """``elysia-guard metrics``: JSON when asked for, an error in one line."""
    ran = CliRunner().invoke(cli, ["metrics", "--url", page.url, "--json"])
    assert ran.exit_code == 0
    assert json.loads(ran.stdout)["metrics"]
    ran = CliRunner().invoke(cli, ["metrics", "--url", page.url, "--format", "table"])
    assert "circuit_breaker_state" in ran.stdout
    ran = CliRunner().invoke(cli, ["metrics", "--url", "http://127.0.0.1:9"])
    assert ran.exit_code == 3
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("end", ["", "/", "/metrics", "/metrics.json"])
def test_the_address_may_name_the_server_or_the_page(page: Page, end: str) -> None:
    dump(page.url + end)
    assert [path for path, _ in page.asked] == ["/metrics"]
