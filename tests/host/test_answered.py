"""What the server logs of each request: its route, its status, and nothing that somebody wrote."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from elysia_guard.domain.events import Event
from elysia_guard.edge.elysia.webapp.app import create_app
from elysia_guard.observability.logs import line_of
from elysia_guard.wiring import Wiring

SOMEBODYS_PATH = "/zaphodium/of/somebody"
OF_ONE = "/guard/documents/{collection_name}/{document_id}"
Logged = Callable[[], list[dict[str, object]]]


@pytest.fixture
def logged(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> Logged:
    """The lines since it was last asked, but for details."""
    told: list[Event] = []
    monkeypatch.setattr(wiring, "observers", [told.append])

    def lines() -> list[dict[str, object]]:
        read = [line_of(event) for event in told]
        told.clear()
        return [
            line
            for severity, line in read
            if line["event"] == "http_answered" and severity != "DEBUG"
        ]

    return lines


@pytest.fixture
async def http(wiring: Wiring) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(wiring), client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


@pytest.mark.parametrize(
    ("path", "told", "status"),
    [
        ("/guard/documents?kind=policy", "/guard/documents", 200),
        ("/guard/documents/ADR_Ollama/ADR-0012", OF_ONE, 200),
        ("/guard/documents?kind=memo", "/guard/documents", 422),
        ("/guard/openapi.json", "/guard/openapi.json", 200),
        (SOMEBODYS_PATH, "unknown", 404),
    ],
)
async def test_a_line_says_route_and_status(
    http: httpx.AsyncClient, logged: Logged, path: str, told: str, status: int
) -> None:
    """A route with names is told with the names, not with what stands in their place."""
    assert (await http.get(path)).status_code == status
    (line,) = logged()
    assert (line["method"], line["path"], line["status"]) == ("GET", told, status)
    assert line["component"] == "server"


async def test_the_line_of_a_question_has_its_id(http: httpx.AsyncClient, logged: Logged) -> None:
    answer = await http.post("/guard/ask", json={"question": "What does ADR-0012 decide?"})
    (line,) = logged()
    assert (line["path"], line["request_id"]) == ("/guard/ask", answer.json()["request_id"])


async def test_what_machines_ask_all_day_is_a_detail_while_it_is_well(
    http: httpx.AsyncClient, logged: Logged
) -> None:
    """A probe that is turned away is not."""
    for path in ("/healthz", "/guard/ready"):
        assert (await http.get(path)).status_code == 200
    assert logged() == []
    await http.get("/healthz", headers={"Host": "evil.example"})
    assert [line["status"] for line in logged()] == [400]
