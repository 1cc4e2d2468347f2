"""The script that leads keys and screen readers through Elysia's page, as it is served."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import httpx
import pytest
from tests.host.test_webapp import Chat

from elysia_guard.edge.elysia.webapp import front_end

pytestmark = pytest.mark.slow
ADDRESS = "/_next/static/chunks/reach.js"


async def test_d1_the_page_loads_the_script_from_its_own_server(chat: Chat) -> None:
    """Once, in its head, without waiting for it; the policy lets a page's own scripts run."""
    async with httpx.AsyncClient(base_url=chat.address) as http:
        page, script = await http.get("/"), await http.get(ADDRESS)
    head = page.text.split("</head>")[0]
    assert head.count(f'<script src="{ADDRESS}" async="">') == page.text.count(ADDRESS) == 1
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert script.text == front_end.REACH.read_text(encoding="utf-8")
    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["cache-control"] == "no-cache"


def test_d1_what_a_picture_means_is_known_of_pictures_that_the_page_has() -> None:
    """Each drawing that the script names begins one of Elysia's own, and one alone."""
    script = front_end.REACH.read_text(encoding="utf-8")
    table = script.split("PICTURES = {")[1].split("};")[0]
    drawings = re.findall(r'^\s*"([^"]+)":', table, re.MULTILINE)
    shipped = "".join(file.read_text("utf-8") for file in front_end.SCRIPTS.rglob("*.js"))
    assert drawings
    for drawing in drawings:
        assert len(set(re.findall(rf'd:"({re.escape(drawing)}[^"]*)"', shipped))) == 1, drawing


def test_d1_a_page_without_a_head_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is served as it is, and the log says what it lacks."""
    page = tmp_path / "index.html"
    page.write_text("<body>another</body>", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        front_end.router(tmp_path)
    assert front_end.UNREACHED in caplog.text
