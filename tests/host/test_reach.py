"""The script that leads keys and screen readers through Elysia's page, as it is served."""

from __future__ import annotations

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
