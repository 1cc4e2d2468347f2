"""``python -m elysia_guard.observability --dump``: the metrics of a running guard."""

from __future__ import annotations

import argparse
import sys

from elysia_guard.domain.errors import GuardError
from elysia_guard.observability.dump import DEFAULT_URL, dump
from elysia_guard.observability.workers import VARIABLE
from elysia_guard.running import into_pipe

COULD_NOT_RUN = 3


def main() -> int:
    """Print the metrics; return 0 (done) or 3 (there are none to be had)."""
    parser = argparse.ArgumentParser(
        prog="python -m elysia_guard.observability",
        description=f"Show the metrics of a running server (--url, or {DEFAULT_URL}), or of the "
        f"folder that its workers share (where {VARIABLE} names one).",
    )
    parser.add_argument("--dump", action="store_true", required=True, help="print the metrics")
    parser.add_argument("--url", help="the address of a server")
    parser.add_argument(
        "--format",
        choices=("table", "json", "prometheus"),
        help="by default a table on a terminal, and Prometheus' text elsewhere",
    )
    given = parser.parse_args()
    try:
        print(dump(given.url, given.format))
    except GuardError as err:
        print(f"elysia-guard: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    return 0


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
