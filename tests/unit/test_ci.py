"""What CI does with the evaluation, as its own file says it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from tests.unit.evaluation_samples import built, four

from elysia_guard.evaluation import markdown, regression, report

ROOT = Path(__file__).parents[2]


@pytest.fixture
def steps() -> list[dict[str, Any]]:
    """The steps of the workflow that measures answers."""
    text = (ROOT / ".github" / "workflows" / "rag-quality.yml").read_text(encoding="utf-8")
    made: list[dict[str, Any]] = yaml.safe_load(text)["jobs"]["evaluate"]["steps"]
    return made


def recipe(target: str) -> str:
    """What `make` does for a target."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    _, _, after = text.partition(f"\n{target}:")
    return after.partition("\n\n")[0]


def test_the_evaluation_runs_in_ci_against_the_baseline(steps: list[dict[str, Any]]) -> None:
    """Its thresholds are those of the gate, and its failure is one of the build."""
    (run,) = [step for step in steps if step.get("run") == "make eval"]
    assert not run.get("continue-on-error")
    done = recipe("eval")
    assert "scripts/eval_rag_quality.py --config config/thresholds.yaml" in done
    assert "--baseline data/evaluation/baseline.json" in done
    assert "--precision-threshold 0.05 --recall-threshold 0.05" in done


def test_a_pull_request_is_told_the_difference(steps: list[dict[str, Any]], tmp_path: Path) -> None:
    """As a comment with the report, before and after, also where the gate failed.

    The step is run as it stands, with a `gh` that keeps what it is given.
    """
    (step,) = [step for step in steps if "gh pr comment" in step.get("run", "")]
    assert "always()" in step["if"]
    now, before = built(*four()[1:]), report.baseline(built())
    now["baseline"] = regression.compare(now, before, regression.Allowance())
    (tmp_path / "build" / "eval").mkdir(parents=True)
    written = tmp_path / "build" / "eval" / "report.md"
    assert f"--markdown {written.relative_to(tmp_path)}" in recipe("eval")
    written.write_text(markdown.render(now), encoding="utf-8")
    gh = tmp_path / "gh"
    gh.write_text('#!/bin/sh\necho "$@" > told.txt\ncat > comment.md\n', encoding="utf-8")
    gh.chmod(0o755)
    command = step["run"].replace("${{ github.event.pull_request.number }}", "7")
    path = f"{tmp_path}:{os.environ['PATH']}"
    subprocess.run(["/bin/bash", "-ec", command], cwd=tmp_path, env={"PATH": path}, check=True)
    assert (tmp_path / "told.txt").read_text(encoding="utf-8").startswith("pr comment 7 ")
    comment = (tmp_path / "comment.md").read_text(encoding="utf-8")
    assert "regression gate **failed**" in comment
    assert re.search(r"^overall  .* 0\.667 → 0\.500", comment, flags=re.MULTILINE)


def test_who_imports_whom_is_checked() -> None:
    """In CI; the contracts name every room, and an import that points outwards is found."""
    assert "make lint types arch" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "lint-imports" in recipe("arch")
    (layers, *_) = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
    assert layers["exhaustive"]
    order = {name: at for at, row in enumerate(layers["layers"]) for name in row.split(" | ")}
    package = ROOT / "src" / "elysia_guard"
    outwards = {
        (file.relative_to(package).as_posix(), imported)
        for file in package.rglob("*.py")
        for imported in re.findall(
            r"^from elysia_guard\.(\w+)", file.read_text(encoding="utf-8"), flags=re.MULTILINE
        )
        if imported in order
        and order[imported] < order.get(file.relative_to(package).parts[0].removesuffix(".py"), -1)
    }
    assert outwards == set()


def test_the_table_of_requirements_is_held_to_the_run_of_the_tests() -> None:
    """Where CI runs the tests, and without running one of them again."""
    assert "--junit-xml=build/tests.xml" in recipe("test")
    assert "--from '$(FROM)' --check docs/internals/requirements.md" in recipe("requirements")
    ours = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    hosted = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    for text in (ours, hosted):
        _, _, after = text.partition("make test")
        assert "make requirements FROM=build/tests.xml" in after


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
