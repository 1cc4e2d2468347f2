"""Metrics of several workers: each writes files into one folder, and whoever is asked adds them up.

Prometheus' client decides when it is imported: with ``PROMETHEUS_MULTIPROC_DIR`` in the environment
every value is kept in that folder. Counters of a worker that is gone stay, or the sums would fall;
its gauges go, or a breaker that died open would stay open for ever.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from prometheus_client.values import MutexValue, ValueClass

from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.events import BreakerChanged, RequestEnded
from elysia_guard.observability.exposition import Families
from elysia_guard.observability.metrics import Metrics

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
_NAMED = os.environ.get(VARIABLE, "")
_LIVE = re.compile(r"gauge_live[a-z]+_(\d+)\.db")
_TRIES = 3


def folder() -> Path | None:
    """The folder that this process shares with others; None where its metrics are its own."""
    return Path(_NAMED) if _NAMED and ValueClass is not MutexValue else None


def metrics_for(collections: Iterable[str]) -> Metrics:
    """Return metrics to count in: new ones, or those of the process where workers share a folder.

    Two sets in one process would each write what it knows into the same files.

    Raises:
        ConfigError: the folder cannot be written.
    """
    shared = folder()
    if shared is None:
        return Metrics(collections=collections)
    metrics = _of_this_process(shared)
    metrics.begin(collections)
    return metrics


@cache
def _of_this_process(shared: Path) -> Metrics:
    try:
        shared.mkdir(parents=True, exist_ok=True)
        # Another worker that is asked sees what is in the folder, and nothing that waits here.
        return Metrics(pressing=(RequestEnded, BreakerChanged))
    except OSError as err:
        raise ConfigError(
            f"{VARIABLE}: {shared} cannot be written: {err.strerror}; name a folder of this "
            "server's own, or take the variable away"
        ) from err


def counted(metrics: Metrics) -> Collector:
    """Return what there is to show: of all workers where they share a folder.

    Raises:
        ConfigError: the folder cannot be read.
    """
    shared = folder()
    return counted_in(shared) if shared else metrics.registry


def counted_in(shared: Path) -> Collector:
    """Return what the workers of a folder have counted.

    Raises:
        ConfigError: the folder is not there, or holds a file that is none of theirs.
    """
    if not shared.is_dir():
        raise ConfigError(f"{VARIABLE}: {shared} is not a folder; start a worker with it first")
    _forget_the_dead(shared)
    problem: Exception | None = None
    for _ in range(_TRIES):
        try:
            return Families(MultiProcessCollector(None, str(shared)).collect())  # type: ignore[no-untyped-call]
        # A worker that starts at this moment has made its file, and not yet filled it.
        except (OSError, RuntimeError, ValueError, struct.error) as err:
            problem = err
    raise ConfigError(
        f"{VARIABLE}: a file in {shared} cannot be read ({problem}); stop the workers and empty it"
    )


def _forget_the_dead(shared: Path) -> None:
    """Drop the gauges of workers that are gone."""
    for file in shared.glob("gauge_live*.db"):
        if (found := _LIVE.fullmatch(file.name)) and not _alive(int(found[1])):
            mark_process_dead(int(found[1]), str(shared))  # type: ignore[no-untyped-call]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
