"""What the documents show of nginx, as nginx itself reads it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```nginx\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = [
    (path.name, text)
    for path in sorted((ROOT / "docs").rglob("*.md"))
    for text in BLOCK.findall(path.read_text(encoding="utf-8"))
]
NEEDED = {
    "Host": "$host",
    "X-Forwarded-Proto": "$scheme",
    "X-Forwarded-For": "$remote_addr",
    "Upgrade": "$http_upgrade",
    "Connection": '"upgrade"',
}
"""Without the first the server knows no name, without the last two there is no websocket."""


def test_both_ways_are_shown() -> None:
    """One server whose people the proxy knows, and two servers."""
    assert [name for name, _ in SHOWN] == ["security.md", "service.md"]


@pytest.mark.parametrize("text", [text for _, text in SHOWN], ids=[name for name, _ in SHOWN])
def test_the_headers_that_the_server_reads_are_set(text: str) -> None:
    """HTTP/1.1 too: what comes in by 1.0 is taken as sent on by a proxy that says nothing."""
    given = dict(re.findall(r"proxy_set_header (\S+) (\S+);", text))
    assert {name: given.get(name) for name in NEEDED} == NEEDED
    assert "proxy_http_version 1.1;" in text
