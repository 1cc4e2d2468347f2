"""Several workers that share their metrics: real processes, one folder."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from elysia_guard.domain.errors import ConfigError
from elysia_guard.observability import exposition, workers

WORKER = """
import os, sys
from elysia_guard.domain.events import (
    BreakerChanged, EmbeddingEnded, LookupEnded, RequestEnded, RequestStarted,
)
from elysia_guard.observability.workers import metrics_for

questions = int(sys.argv[1])
one, other = metrics_for(["ADR_Ollama"]), metrics_for(["Policy_Ollama"])
for number in range(questions):
    metrics = one if number % 2 else other
    metrics(RequestStarted(route="direct", query="What is CIM?"))
    metrics(LookupEnded(term="CIM", outcome="hit", elapsed_ms=1, backend="skosmos"))
    embedded = EmbeddingEnded(
        collections=("ADR_Ollama", "Policy_Ollama"), outcome="error", elapsed_ms=1
    )
    metrics(embedded)
    metrics(RequestEnded(route="direct", reason="no_results", fallback_flags=(), total_ms=20))
if "open" in sys.argv:
    one(BreakerChanged(service="skosmos", state="open"))
print("counted", flush=True)
sys.stdin.read()
"""


@contextmanager
def worker(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process that counts, says so, and stays until the block ends."""
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, *arguments],
        env={**os.environ, workers.VARIABLE: str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "counted\n"
        yield process


def values(folder: Path) -> dict[str, float]:
    """Everything that has been counted in a folder, and is not zero."""
    shown = json.loads(exposition.as_json(workers.counted_in(folder)))
    return {
        f"{sample['name']}{','.join(sample['labels'].values())}": sample["value"]
        for metric in shown["metrics"]
        for sample in metric["samples"]
        if sample["value"] and not sample["name"].endswith("_bucket")
    }


def test_the_counts_of_all_workers_are_added_up(tmp_path: Path) -> None:
    """Counters and histograms, of those that run and of those that have ended."""
    with worker(tmp_path, "3"):
        pass
    with worker(tmp_path, "5"), worker(tmp_path, "10"):
        assert values(tmp_path) == {
            "rag_request_totaldirect": 18,
            "skosmos_lookup_totalskosmos": 18,
            "skosmos_hit_totalskosmos": 18,
            "embedding_request_totalADR_Ollama": 18,
            "embedding_request_totalPolicy_Ollama": 18,
            "embedding_fail_totalADR_Ollama": 18,
            "embedding_fail_totalPolicy_Ollama": 18,
            "embedding_fallback_totalADR_Ollama": 18,
            "embedding_fallback_totalPolicy_Ollama": 18,
            "rag_abstention_totalno_results": 18,
            "rag_request_latency_ms_countdirect": 18,
            "rag_request_latency_ms_sumdirect": 360,
        }


def test_a_breaker_that_died_open_is_forgotten(tmp_path: Path) -> None:
    """Open while its worker lives, though another's is closed; its trip stays counted."""
    state, trips = "circuit_breaker_stateskosmos", "circuit_breaker_trip_totalskosmos"
    with worker(tmp_path, "1"):
        with worker(tmp_path, "1", "open") as dying:
            assert values(tmp_path)[state] == 2
            dying.kill()
            dying.wait()
        after = values(tmp_path)
        assert state not in after
        assert after[trips] == 1


def test_a_broken_file_is_said_in_one_line(tmp_path: Path) -> None:
    """With the folder and the way out."""
    # It says that it holds 64 bytes, and its first key is longer.
    (tmp_path / "counter_1.db").write_bytes(struct.pack("iii", 64, 0, 99_999) + b" " * 88)
    with pytest.raises(ConfigError, match=r"PROMETHEUS_MULTIPROC_DIR: a file in .* empty it"):
        workers.counted_in(tmp_path)


def test_a_folder_that_cannot_be_written_is_an_error_of_the_settings(tmp_path: Path) -> None:
    """Named, in one line; not at the first question."""
    (tmp_path / "file").touch()
    ran = subprocess.run(
        [sys.executable, "-c", WORKER, "1"],
        env={**os.environ, workers.VARIABLE: str(tmp_path / "file" / "metrics")},
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    last = ran.stderr.strip().splitlines()[-1]
    assert "ConfigError: PROMETHEUS_MULTIPROC_DIR:" in last
    assert "cannot be written" in last


def test_a_file_that_is_just_being_made_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty one, as a worker that starts has it for an instant."""
    with worker(tmp_path, "1"):
        reading = workers.MultiProcessCollector.collect
        failures = iter([struct.error("empty"), FileNotFoundError("gone")])

        def collect(self):
            if problem := next(failures, None):
                raise problem
            return reading(self)

        monkeypatch.setattr(workers.MultiProcessCollector, "collect", collect)
        assert values(tmp_path)["rag_request_totaldirect"] == 1
