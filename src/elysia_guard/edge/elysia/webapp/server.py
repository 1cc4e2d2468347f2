"""Serving the web app."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable

import uvicorn

from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.access_policy import Policy
from elysia_guard.edge.elysia.webapp.app import create_app
from elysia_guard.edge.elysia.webapp.arriving import InTime
from elysia_guard.edge.elysia.webapp.leaving import Pinging
from elysia_guard.running import settle
from elysia_guard.wiring import Wiring

Ready = Callable[[str], None]

MAX_MESSAGE_BYTES = 1_000_000
MAX_CONNECTIONS = 2_000
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
        ConfigError: the address cannot be had, or others could use the chat unasked.
        GuardError: vocabulary, index or configuration cannot be had.
    """
    Policy.of(wiring.config.server, host)  # before anything listens
    with listening(host, port) as listener:
        serve_at(listener, wiring, host=host, ready=lambda: ready(address_of(host, listener)))


def serve_at(
    listener: socket.socket, wiring: Wiring, *, host: str, ready: Callable[[], None]
) -> None:
    """Serve what comes in at a socket until stopped; ``ready`` is called once it answers."""
    server = _Server(_settings(wiring, host), ready)
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
            settle()
            self._ready()


def _settings(wiring: Wiring, host: str = "127.0.0.1") -> uvicorn.Config:
    return uvicorn.Config(
        create_app(wiring, host=host),
        # Its own would write lines of another form; at INFO it names what was asked for.
        log_config=None,
        log_level="warning",
        access_log=False,
        # Who asks is read from the connection itself, and headers are believed from known proxies.
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        http=InTime.within(wiring.config.server),
        loop="asyncio",
        ws=Pinging,
        ws_max_size=MAX_MESSAGE_BYTES,
        timeout_graceful_shutdown=GRACE_S,
    )


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        ConfigError: the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as err:
        reason = getattr(err, "strerror", None) or err
        raise ConfigError(f"cannot listen on {host}:{port}: {reason}; give another --port") from err
    # asyncio sets it for sockets that name their protocol alone; without it each answer that
    # comes in two parts waits 40 ms for the other side.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def address_of(host: str, listener: socket.socket) -> str:
    """Return the address of a socket, as a browser takes it."""
    port = listener.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"
