"""Programs of ours that begin where what they import from others has been read already.

To import what Elysia needs takes a new process five seconds. One process imports it for all, but
neither Elysia nor what is ours, and forks: each program has its own environment, folder and
streams, and is a process like any other.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

PATIENCE_S = 120

_READS_AHEAD = """
import gc, json, os, runpy, signal, socket, sys, warnings

def begun(order, streams):
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = order["words"]

def watched(channel, child):
    # Says how a program has ended; it is no child of who wants to know.
    channel.sendall(f"{child}\\n".encode())
    _, status = os.waitpid(child, 0)
    channel.sendall(f"{os.waitstatus_to_exitcode(status)}\\n".encode())
    os._exit(0)

def order_of(channel):
    text, streams, _, _ = socket.recv_fds(channel, 1 << 20, 3)
    while not text.endswith(b"\\n"):
        text += channel.recv(1 << 20)
    return json.loads(text), streams

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from elysia_guard import hosting
    hosting.prepare()
    import dspy, fastapi, litellm, markdown_it, matplotlib.pyplot, pyoxigraph, rapidfuzz, rich
    import spacy, sqlalchemy, uvicorn, weaviate
gc.collect()
gc.freeze()
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
orders = socket.socket(fileno=int(sys.argv[1]))
ready = b"ready\\n"
while True:
    orders.sendall(ready)
    ready = b""
    told, given, _, _ = socket.recv_fds(orders, 1, 1)
    if not told:
        os._exit(0)
    channel = socket.socket(fileno=given[0])
    if os.fork():
        channel.close()
        continue
    orders.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    order, streams = order_of(channel)
    if child := os.fork():
        for stream in streams:
            os.close(stream)
        watched(channel, child)
    channel.close()
    begun(order, streams)
    break
del begun, watched, order_of
if order["module"]:
    runpy.run_module(order["module"], run_name="__main__", alter_sys=True)
else:
    exec(compile(order["code"], "<string>", "exec"), {"__name__": "__main__"})
"""


class Program:
    """A program that was begun; as ``subprocess.Popen``, as far as it is used."""

    def __init__(self, channel: socket.socket, stdout: IO[str]) -> None:
        self.stdout = stdout
        self.returncode: int | None = None
        self._channel = channel
        self._heard = b""
        self.pid = self._number()

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Return how it has ended, as soon as it has.

        Raises:
            TimeoutError: it goes on.
        """
        if self.returncode is None:
            heard = b"\n" in self._heard
            if not heard and not select.select([self._channel], [], [], timeout)[0]:
                raise TimeoutError(f"process {self.pid} goes on")
            self.returncode = self._number()
            self._channel.close()
        return self.returncode

    def _number(self) -> int:
        """Return the next number that is said of it."""
        while b"\n" not in self._heard:
            part = self._channel.recv(64)
            assert part, "whoever watched it has gone"
            self._heard += part
        line, self._heard = self._heard.split(b"\n", 1)
        return int(line)


class Nursery:
    """The process that has read ahead."""

    def __init__(self) -> None:
        self._orders, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _READS_AHEAD, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                # No files, for a stream is made for the kind of thing that it stands for.
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        assert self._orders.recv(16) == b"ready\n", self._process.communicate()

    def begin(
        self,
        words: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        stderr: IO[str],
        code: str = "",
        module: str = "",
    ) -> Program:
        """Begin a program: code, or a module that is run; ``words`` are those behind its name."""
        ours, theirs = socket.socketpair()
        order = {
            "words": [module or "-c", *words],
            "folder": str(folder),
            "environment": dict(environment),
            "code": code,
            "module": module,
        }
        reading, writing = os.pipe()
        with theirs, open(os.devnull) as nothing:  # noqa: PTH123
            socket.send_fds(self._orders, [b"."], [theirs.fileno()])
            streams = [nothing.fileno(), writing, stderr.fileno()]
            text = json.dumps(order).encode() + b"\n"
            sent = socket.send_fds(ours, [text], streams)
            ours.sendall(text[sent:])
        os.close(writing)
        return Program(ours, os.fdopen(reading, encoding="utf-8"))

    def close(self) -> None:
        """Read ahead for nobody any more; what was begun goes on."""
        self._orders.close()
        with self._process:
            pass


_nursery: list[Nursery] = []


def begin(
    words: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    stderr: IO[str],
    code: str = "",
    module: str = "",
) -> Program:
    """Begin a program; see ``Nursery.begin``. The first one waits until all is read ahead."""
    if not _nursery:
        _nursery.append(Nursery())
    return _nursery[0].begin(
        words, folder=folder, environment=environment, stderr=stderr, code=code, module=module
    )


def run(
    words: Sequence[object],
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    code: str = "",
    module: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, by default here and in this environment."""
    said = [str(word) for word in words]
    with TemporaryFile("w+", encoding="utf-8") as told:
        program = begin(
            said,
            folder=folder or Path.cwd(),
            environment=os.environ if environment is None else environment,
            stderr=told,
            code=code,
            module=module,
        )
        with program.stdout:
            shown = program.stdout.read()
        ended = program.wait(PATIENCE_S)
        told.seek(0)
        return subprocess.CompletedProcess(said, ended, shown, told.read())


def close() -> None:
    """Close what was opened, at the end of the tests."""
    while _nursery:
        _nursery.pop().close()
