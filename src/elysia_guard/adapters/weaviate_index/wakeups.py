"""What gRPC reports as an error of a loop, though nothing is wrong.

One poller of gRPC serves all event loops of a process. For every answer it wakes each loop that
ever opened a channel; the first takes the byte that woke it, the others find none, and report a
BlockingIOError with its traceback (https://github.com/grpc/grpc/issues/25364). Our connections
share one loop. Elysia's own client has another, so that each answer to one of the two is an error
in the log of the other.
"""

from __future__ import annotations

import logging

_CALLBACK = "PollerCompletionQueue._handle_events"


def silence_spurious_wakeups() -> None:
    """Keep this one report out of asyncio's log, in all loops; adding it again changes nothing."""
    logging.getLogger("asyncio").addFilter(is_news)


def is_news(record: logging.LogRecord) -> bool:
    """Tell whether a log record is anything else than a wake-up that was another loop's."""
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, BlockingIOError) and _CALLBACK in record.getMessage())
