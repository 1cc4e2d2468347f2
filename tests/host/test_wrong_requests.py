"""What is asked of the server and is not there: no error of the server's."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from tests.host.test_webapp import Page

pytestmark = pytest.mark.slow

BRANCH = {
    "id": "b", "description": "d", "instruction": "i", "from_branch_id": "nowhere",
    "from_tool_ids": [], "status": "s", "root": False,
}  # fmt: skip
NAMED: dict[str, Any] = {"tool_name": "NoSuchTool", "branch_id": "base", "from_tool_ids": []}


@pytest.mark.parametrize(
    ("change", "body", "status"),
    [
        ("add", NAMED, 404),
        ("remove", NAMED, 404),
        ("add", {**NAMED, "tool_name": "Query", "branch_id": "nowhere"}, 422),
        ("remove", {**NAMED, "tool_name": "Query", "branch_id": "nowhere"}, 422),
        ("add", {**NAMED, "tool_name": "Query", "from_tool_ids": ["nothing"]}, 422),
        ("add_branch", BRANCH, 422),
    ],
)
async def test_a_tool_or_branch_that_is_not_there_is_the_askers_mistake(
    page: Page, change: str, body: dict[str, Any], status: int
) -> None:
    """It is said which, with 404 or 422, and the conversation goes on."""
    answer = await page.http.post(f"/tools/{page.user_id}/{change}", json=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]
    assert "CIMXML" in str(await page.ask("What is CIMXML?"))


async def test_without_a_conversation_there_is_no_tool_to_change(page: Page) -> None:
    body = {**NAMED, "tool_name": "Query"}
    for change in ("add", "remove"):
        answer = await page.http.post(f"/tools/somebody-new/{change}", json=body)
        assert answer.status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nowhere/at/all", 404), ("PUT", "/guard/ask", 405), ("GET", "/guard/ask", 405)],
)
async def test_what_is_not_there_is_logged_with_its_address_and_is_no_error(
    page: Page, caplog: pytest.LogCaptureFixture, method: str, path: str, status: int
) -> None:
    """The line says method, path and status; an operator is not woken by it."""
    with caplog.at_level(logging.INFO):
        answer = await page.http.request(method, path)
    assert answer.status_code == status
    ours = [
        item for item in caplog.records if item.getMessage() == f"{method} {path} answered {status}"
    ]
    assert [item.levelno for item in ours] == [logging.INFO]
    assert not [item for item in caplog.records if item.levelno >= logging.WARNING]
