"""The health check of the image, run as it stands in the Dockerfile against the real server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.house import House

ROOT = Path(__file__).parents[2]
SECRET = "made-up-secret-0123456789"

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def asked(port: int, secret: str) -> subprocess.CompletedProcess[str]:
    """Run the command of HEALTHCHECK with this Python, at the port of the test's server."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    found = re.search(r"^HEALTHCHECK .*CMD (\[.*\])$", text, re.MULTILINE)
    assert found
    _, script, address = json.loads(found[1])
    kept = {name: value for name, value in os.environ.items() if "ELYSIA_GUARD" not in name}
    return subprocess.run(
        [sys.executable, str(ROOT / "docker" / Path(script).name), f"{address[:-4]}{port}"],
        env=kept | {"ELYSIA_GUARD_SECRET": secret},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_well_while_the_server_answers_and_no_longer(house: House) -> None:
    """With the secret that the server was started with; another one is told as such."""
    house._environment["ELYSIA_GUARD_SECRET"] = SECRET
    with house.chat("--host", "0.0.0.0"):  # noqa: S104  as in the container
        well = asked(house.port, SECRET)
        assert (well.returncode, well.stderr) == (0, "")
        other = asked(house.port, "another-secret-0123")
        assert other.returncode == 1
        assert other.stderr.startswith("401")
    gone = asked(house.port, SECRET)
    assert gone.returncode == 1
    assert "refused" in gone.stderr
