"""The recorded answers of a real Skosmos, as values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

FOLDER = Path(__file__).parent / "recordings"
API = "/rest/v1"

_REQUEST = re.compile(r"# ([A-Z]+) http://skosmos\.example(\S*)")


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A request to Skosmos, and what it answered."""

    name: str
    method: str
    path: str
    """Below the API, without the query: ``/iec/search``."""
    query: dict[str, str]
    conditional: bool
    """Whether the request carried headers of its own."""
    server: str
    status: int
    media_type: str
    answer: bytes
    """As it came over the wire: status line, headers, body."""
    body: bytes

    @property
    def call(self) -> str:
        """The last part of the path: search, lookup, data."""
        return self.path.rsplit("/", 1)[-1]

    @property
    def vocabulary(self) -> str:
        """The vocabulary in the path; empty for a global call."""
        return self.path.strip("/").rpartition("/")[0]


@cache
def recordings() -> tuple[Recording, ...]:
    """All recordings, in order."""
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.txt")))


def recording(number: int) -> Recording:
    """One recording by its number."""
    return next(r for r in recordings() if r.name.startswith(f"{number:03}-"))


def _read(path: Path) -> Recording:
    raw = path.read_bytes()
    start = raw.index(b"\nHTTP/") + 1
    said = raw[:start].decode()
    lines = said.strip().splitlines()
    found = _REQUEST.match(lines[0])
    assert found, path
    url = urlsplit(found[2])
    head, _, body = raw[start:].partition(b"\n\n")
    # The recorder ended each file with a line break of its own.
    length = re.search(rb"(?i)^content-length: (\d+)", head, re.M)
    body = body[: int(length[1])] if length else body.removesuffix(b"\n")
    kept = [
        line
        for line in head.split(b"\n")
        if not re.match(rb"(?i)(content-length|transfer-encoding|connection):", line)
    ]
    kept += [b"Content-Length: %d" % len(body), b"Connection: close"]
    media = re.search(rb"(?i)^content-type: ([^;\n]*)", head, re.M)
    return Recording(
        name=path.stem,
        method=found[1],
        path=url.path.removeprefix(API),
        query={key: values[0] for key, values in parse_qs(url.query, True).items()},
        conditional=any(not line.startswith(("# server", "# time")) for line in lines[1:]),
        server=next(line for line in lines if line.startswith("# server")),
        status=int(head.split()[1]),
        media_type=media[1].decode().strip() if media else "",
        answer=b"\r\n".join(kept) + b"\r\n\r\n" + body,
        body=body,
    )
