"""A wheel works alone: it carries limits, a demo and a sample, and an empty folder is enough."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from elysia_guard.edge.cli.init import SAMPLE_QUESTION

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout as `make wheel` builds it, unpacked as an installer does it."""
    place = tmp_path_factory.mktemp("wheel")
    make = shutil.which("make") or pytest.skip("no make")
    bin_of = Path(sys.executable).parent
    done = subprocess.run(
        [make, "--old-file=setup", "wheel", f"BIN={bin_of}", f"INTO={place}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = place.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / "site")
    return place / "site"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def run(site: Path, here: Path, *args: str) -> str:
    """Run the program of the wheel, as somebody without a checkout."""
    environ = {key: value for key, value in os.environ.items() if "ELYSIA_GUARD" not in key}
    places = {"PYTHONPATH": str(site), "XDG_DATA_HOME": str(here.parent / "kept")}
    done = subprocess.run(
        [sys.executable, "-m", "elysia_guard.edge.cli.main", *args],
        cwd=here,
        env=environ | places,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_documents_name_the_target_that_builds_it() -> None:
    """Where one learns to install it; `make help` stays short enough to be read."""
    for name in ("README.md", "CONTRIBUTING.md", "docs/first-steps.md"):
        assert "make wheel" in (ROOT / name).read_text(encoding="utf-8"), name
    targets = re.findall(r"^[a-z0-9-]+:.*## ", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert len(targets) <= 18


def test_from_an_empty_folder_to_an_answer(site: Path, here: Path) -> None:
    """Limits and sample are those that the wheel brought; what is made lies in the folder."""
    before = run(site, here, "doctor")
    assert "elysia-guard init --documents" in before.splitlines()[-1]
    assert "The guard can answer, from the demo that ships" in before
    assert "wrote  config/guard.yaml" in run(site, here, "init")
    run(site, here, "ingest")
    assert "kept for two years" in run(site, here, "ask", SAMPLE_QUESTION)
    told = run(site, here, "doctor").replace("\n", "")
    assert str(site / "elysia_guard" / "_data" / "config" / "thresholds.yaml") in told
    assert str(here / "config" / "guard.yaml") in told
    assert not (here.parent / "kept").exists()


def test_documents_of_ones_own_with_numbers(site: Path, here: Path) -> None:
    """A folder of one kind of records: asked by number, and doctor finds nothing wrong."""
    for number in range(1, 4):
        file = here.parent / "memos" / "text" / f"{number:04d}-plan-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Plan {number}\n\n## Summary\n\nWe buy {number} boats.\n", "utf-8")
    told = run(site, here, "init", "--documents", "../memos", "--kind", "memo")
    assert "wrote  config/languages/kinds.toml" in told
    run(site, here, "ingest")
    assert "We buy 2 boats." in run(site, here, "ask", "What does memo 2 say?")
    assert run(site, here, "doctor").splitlines()[-1] == "The guard can answer."


def test_the_demo_keeps_its_index_with_the_user(site: Path, here: Path) -> None:
    """Nothing is written into the package, or into the folder in which it is asked."""
    before = {path for path in site.rglob("*") if "__pycache__" not in path.parts}
    assert "CIMXML" in run(site, here, "ask", "What is CIMXML?")
    assert {path for path in site.rglob("*") if "__pycache__" not in path.parts} == before
    assert list(here.iterdir()) == []
    assert (here.parent / "kept" / "elysia-guard" / "build" / "index.sqlite").is_file()
