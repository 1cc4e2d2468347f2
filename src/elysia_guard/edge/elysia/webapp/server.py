"""Serving the web app."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable

import uvicorn

from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.elysia.webapp.app import create_app
from elysia_guard.edge.elysia.webapp.leaving import Pinging
from elysia_guard.wiring import Wiring

Ready = Callable[[str], None]

MAX_MESSAGE_BYTES = 1_000_000
GRACE_S = 2


def announce(address: str) -> None:
    """Say on standard error where the chat is."""
    sys.stderr.write(f"The chat is at {address} (Ctrl+C stops it)\n")
    sys.stderr.flush()


def serve(
    wiring: Wiring, *, host: str = "127.0.0.1", port: int = 8000, ready: Ready = announce
) -> None:
    """Serve the web chat until it is stopped.

    Args:
        wiring: the parts that all conversations use.
        host: the address to listen on; by default this machine alone can reach it.
        port: the port; 0 takes a free one.
        ready: called with the address once it answers.

    Raises:
        ConfigError: the address cannot be had.
        GuardError: vocabulary, index or configuration cannot be had.
    """
    with _listen(host, port) as listener:
        server = _Server(_settings(wiring), lambda: ready(_address(host, listener)))
        # uvicorn closes the connections in order, then raises what stopped it.
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """Tells when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        self.config.setup_event_loop()
        # A synchronous `tree()` earlier has made `asyncio.run` need a loop to be there.
        with asyncio.Runner() as runner:
            runner.run(self.serve(sockets=sockets))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def _settings(wiring: Wiring) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(wiring),
        # Its own would write lines of another form; at INFO it names what was asked for.
        log_config=None,
        log_level="warning",
        access_log=False,
        loop="asyncio",
        ws=Pinging,
        ws_max_size=MAX_MESSAGE_BYTES,
        timeout_graceful_shutdown=GRACE_S,
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as err:
        reason = getattr(err, "strerror", None) or err
        raise ConfigError(f"cannot listen on {host}:{port}: {reason}; give another --port") from err


def _address(host: str, listener: socket.socket) -> str:
    port = listener.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"
