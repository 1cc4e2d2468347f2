"""What the documents show of nginx, as nginx itself reads it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```nginx\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = [
    (path.name, text)
    for path in sorted((ROOT / "docs").rglob("*.md"))
    for text in BLOCK.findall(path.read_text(encoding="utf-8"))
]
NGINX = shutil.which("nginx")
OPENSSL = shutil.which("openssl")
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


@pytest.mark.skipif(not (NGINX and OPENSSL), reason="needs nginx and openssl on the path")
@pytest.mark.parametrize("text", [text for _, text in SHOWN], ids=[name for name, _ in SHOWN])
def test_nginx_takes_it(text: str, tmp_path: Path) -> None:
    """With a certificate in the place of the one that the documents name."""
    subprocess.run(
        [
            *(OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=chat"),
            *("-keyout", str(tmp_path / "chat.key"), "-out", str(tmp_path / "chat.pem")),
        ],
        capture_output=True,
        check=True,
    )
    own = text.replace("/etc/nginx/", f"{tmp_path}/")
    file = tmp_path / "nginx.conf"
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "access_log off;\n" + "\n".join(
        f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds
    )
    file.write_text(
        f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{places}\n{own}\n}}\n", encoding="utf-8"
    )
    done = subprocess.run(
        [NGINX, "-t", "-e", "stderr", "-p", str(tmp_path), "-c", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
