"""Watching folders: changes are told when they have come to rest; time is the test's own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from elysia_guard.adapters.documents.folders import Changes, look, watch
from elysia_guard.edge.cli import ingest as command
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring

Step = Callable[[], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "decisions"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"000{number}-rule.md").write_text(f"# Rule {number}\n\nIt holds.")
    return folder


class Time:
    """A sleep in which things happen, one a look; then somebody interrupts."""

    def __init__(self, *steps: Step | None) -> None:
        self._steps = iter(steps)

    def __call__(self, _seconds: float) -> None:
        try:
            step = next(self._steps)
        except StopIteration:
            raise KeyboardInterrupt from None
        if step:
            step()


def seen(folder: Path, *steps: Step | None) -> list[Changes]:
    """The changes that are told, one for each look."""
    told = []
    try:
        told.extend(_until_stopped(folder, Time(*steps)))
    except KeyboardInterrupt:
        pytest.fail("the generator swallowed the end")
    return told


def _until_stopped(folder: Path, time: Time) -> Iterator[Changes]:
    changes = watch([folder], time, since=look([folder]))
    while True:
        try:
            yield next(changes)
        except KeyboardInterrupt:
            return


def test_a_change_is_told_at_rest(folder: Path) -> None:
    """A file that is still being written waits until two looks agree."""
    file = folder / "0001-rule.md"
    told = seen(
        folder,
        None,
        lambda: file.write_text("# Rule 1\n\nA"),
        lambda: file.write_text("# Rule 1\n\nAll of it."),
        None,
        None,
    )
    assert told == [Changes(), Changes(), Changes(), Changes(changed=(str(file),)), Changes()]


@pytest.fixture
def run(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> command._Run:
    monkeypatch.setattr(Wiring, "embedder", HashEmbedder())
    wiring = Wiring.load(index=tmp_path / "index.sqlite")
    return command._Run(
        wiring=wiring, paths=[folder], dry_run=False, as_json=False, lines=True, sizes=False
    )


def watched(
    run: command._Run, capsys: pytest.CaptureFixture[str], *steps: Step | None
) -> tuple[list[str], str]:
    """What the command says on standard error and output until it is interrupted."""
    with pytest.raises(KeyboardInterrupt):
        command._watch(run, Time(*steps))
    captured = capsys.readouterr()
    lines = [line for line in captured.err.splitlines() if not line.startswith("Filling")]
    return lines, captured.out


def test_the_index_follows_the_folder(
    run: command._Run, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every change is told in a line, and ingested."""
    new = folder / "0003-rule.md"
    lines, out = watched(run, capsys, lambda: new.write_text("# Rule 3\n\nNew."), None, None)
    assert lines == [f"watching {folder}; Ctrl-C ends it", f"added {new}"]
    assert out.count("holds 2 documents") == 1
    assert out.count("holds 3 documents") == 1


def test_a_folder_that_disappears_does_not_empty_the_index(
    run: command._Run, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is told once, and nothing is ingested until it is back."""
    away = folder.with_name("away")
    waits: list[Step | None] = [None] * 25
    lines, out = watched(
        run, capsys, lambda: folder.rename(away), *waits, lambda: away.rename(folder), None, None
    )
    assert lines[1:] == [
        f"{folder} is gone; the index stays as it is until it is back",
        f"{folder} is back",
    ]
    assert out.count("holds 2 documents") == 2


def test_what_cannot_be_ingested_now_is_tried_again(
    run: command._Run, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that cannot be written is told in a line, and does not end the watch."""
    index, new = tmp_path / "index.sqlite", folder / "0003-rule.md"

    def happen() -> None:
        index.chmod(0o444)
        new.write_text("# Rule 3\n\nNew.")

    waits: list[Step | None] = [None] * 12
    lines, out = watched(run, capsys, happen, None, lambda: index.chmod(0o644), *waits)
    assert [line for line in lines if "read-only" in line and line.startswith("not ingested: ")]
    assert out.count("holds 3 documents") == 1


def test_an_emptied_folder_does_not_empty_the_index(
    run: command._Run, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unmounted disk leaves an empty folder behind."""

    def happen() -> None:
        for file in folder.iterdir():
            file.unlink()

    lines, out = watched(run, capsys, happen, None)
    assert any("no document to read" in line for line in lines)
    assert out.count("holds") == 1


HEEDING_CTRL_C = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("elysia_guard.edge.cli.main", run_name="__main__")
"""
"""The program, also where the tests run in the background and so inherit that it is ignored."""


@pytest.mark.slow
def test_ctrl_c_ends_it_well(folder: Path, tmp_path: Path) -> None:
    """Exit 0, one line, no traceback; each report is a line of JSON."""
    program = [sys.executable, "-c", HEEDING_CTRL_C, "ingest", "--watch", "--json"]
    with subprocess.Popen(
        [*program, str(folder), "--index", str(tmp_path / "i.sqlite")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stderr
        assert child.stdout
        for line in child.stderr:
            if line.startswith("watching"):
                break
        os.kill(child.pid, signal.SIGINT)
        assert child.wait(timeout=30) == 0
        assert "Traceback" not in child.stderr.read()
        assert child.stdout.read().count("\n") == 1
