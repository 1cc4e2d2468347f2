"""What ``make bench`` fails for, and what it does not."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("share", "noise", "said"),
    [
        (0.050, 0.000, "met"),
        (0.054, 0.005, "in noise"),
        (0.054, 0.003, "not met"),
        (0.300, 0.010, "not met"),
    ],
)
def test_c8_a_benchmark_fails_only_beyond_its_own_noise(
    share: float, noise: float, said: str
) -> None:
    """A ratio that is over its limit by less than the measured noise is told, and no failure."""
    observability = benchmark("observability")
    assert observability.LIMIT == 0.05
    assert observability.verdict({"share": share, "noise": noise}) == said


def test_c8_noise_is_how_far_runs_lie_apart() -> None:
    """Measured in the same run as the ratio, never assumed."""
    assert benchmark("observability").apart([0.048, 0.054, 0.050]) == pytest.approx(0.003)


@pytest.mark.parametrize("failing", ["", "observability", "run"])
def test_c8_make_bench_runs_every_benchmark(tmp_path: Path, failing: str) -> None:
    """One that fails is named at the end, and keeps none of the others from running."""
    ran = tmp_path / "ran"
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$1" >> {ran}\ntest "$1" != benchmarks/{failing}.py\n')
    python.chmod(0o755)
    make = shutil.which("make") or pytest.skip("no make")
    done = subprocess.run(
        [make, "--old-file=setup", "bench", f"BIN={tmp_path}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = "run definitions skosmos vocabulary spotting observability passages many"
    assert ran.read_text().split() == [f"benchmarks/{name}.py" for name in names.split()]
    assert (done.returncode != 0) is bool(failing)
    assert failing in done.stderr
