"""Say whether the chat in this container can answer: exit code 0, or 1 with the reason.

``health.py ADDRESS [SECONDS]``. It asks as a program with the secret would. A server that lets in
only whom a proxy names shows its index to nobody else: that it says so is all that can be told.
"""

from __future__ import annotations

import os
import sys
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

PATIENCE_S = 8.0
VARIABLE = "ELYSIA_GUARD_SECRET"
NOT_FOR_US = (401, 403)


def problem(address: str, seconds: float, secret: str) -> str:
    """Return what is wrong; nothing where it answers."""
    request = Request(f"{address}/guard/ready")  # noqa: S310  an address of this container
    if secret:
        request.add_header("Authorization", f"Bearer {secret}")
    try:
        # No proxy of the environment stands between a container and itself.
        with build_opener(ProxyHandler({})).open(request, timeout=seconds):
            return ""
    except HTTPError as err:
        if err.code in NOT_FOR_US and not secret:
            return ""
        return f"{err.code}: {err.read(500).decode(errors='replace')}"
    except (OSError, HTTPException) as err:
        return f"{type(err).__name__}: {err}"


if __name__ == "__main__":
    address, *rest = sys.argv[1:]
    found = problem(address, float(rest[0]) if rest else PATIENCE_S, os.environ.get(VARIABLE, ""))
    sys.exit(found or None)
