"""How asking Skosmos goes wrong; the names are IR0003's.

No message tells an address, a URL or what a server sent: a person may read it. For the same
reason these errors have no cause, whose text would tell them.
"""

from __future__ import annotations

from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError

SOURCE = "skosmos"


class SKOSMOSTimeout(SourceTimeoutError):  # noqa: N818 - IR0003's name
    """Skosmos did not answer within the deadline."""

    def __init__(self, message: str) -> None:
        super().__init__(message, source=SOURCE)


class SKOSMOSError(SourceUnavailableError):
    """Skosmos could not be asked, or its answer cannot be trusted."""

    def __init__(self, message: str) -> None:
        super().__init__(message, source=SOURCE)
