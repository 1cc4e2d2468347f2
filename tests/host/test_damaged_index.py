"""An index file that is damaged inside: which file it is, and what to do, on every way to it."""

from __future__ import annotations

import asyncio
import itertools
import shutil
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result
from tests.host.test_webapp import PATIENCE_S, running

from elysia_guard.config import home
from elysia_guard.edge.cli.main import cli
from elysia_guard.edge.elysia.webapp import server
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

PAGE = 4_096
QUESTIONS = ("What does ADR-0015 decide?", "How long are backups kept?", "List all decisions")
WAY_OUT = "build it again with 'elysia-guard ingest'"


@pytest.fixture(scope="module")
def sources() -> list[Path]:
    """A few documents."""
    decisions = home() / "data" / "knowledge" / "decisions"
    return sorted(file for file in decisions.glob("001*.md"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, sources: list[Path]) -> Path:
    """An index of them."""
    place = tmp_path_factory.mktemp("whole") / "index.sqlite"
    asyncio.run(Wiring.load(index=place).fill_index(sources))
    return place


def spoil(index: Path, page: int, *, filled: bytes = b"\xff") -> None:
    """Write over one page of a file."""
    with index.open("r+b") as file:
        file.seek(page * PAGE)
        file.write(filled * (PAGE // len(filled)))


def asked(question: str, index: Path) -> Result:
    return CliRunner().invoke(cli, ["ask", question, "--index", str(index)])


def test_a_damaged_page_is_told_with_its_file_and_the_way_out(tmp_path: Path, whole: Path) -> None:
    """Whatever page it is, 'ask' answers, or ends with 3 and one line that says what to do."""
    index = tmp_path / "index.sqlite"
    failed = 0
    fillings = itertools.cycle([b"\xff", b"\x00", b"\x0d\x00\x00\x00"])
    for page in range(1, whole.stat().st_size // PAGE, 37):
        filled = next(fillings)
        shutil.copy(whole, index)
        spoil(index, page, filled=filled)
        for question in QUESTIONS:
            done = asked(question, index)
            assert "unexpected" not in done.output
            if done.exit_code:
                failed += 1
                assert done.exit_code == 3
                last = done.stderr.splitlines()[-1]
                assert str(index) in last
                assert "'elysia-guard ingest'" in last
    assert failed


def test_the_way_out_leads_out(tmp_path: Path, whole: Path, sources: list[Path]) -> None:
    """'ingest' says that the file was damaged, builds it again, and it answers as before."""
    index = tmp_path / "index.sqlite"
    shutil.copy(whole, index)
    page = next(
        page
        for page in range(1, whole.stat().st_size // PAGE)
        if not spoil(index, page) and asked(QUESTIONS[0], index).exit_code
    )
    made = CliRunner().invoke(cli, ["ingest", *map(str, sources), "--index", str(index)])
    assert made.exit_code == 0, (page, made.output)
    assert "its file was damaged" in made.output
    for question in QUESTIONS:
        assert asked(question, index).stdout == asked(question, whole).stdout


def test_a_running_server_names_the_file_in_its_log_and_refuses(
    tmp_path: Path, whole: Path, sources: list[Path], caplog: pytest.LogCaptureFixture
) -> None:
    """A person is told that nothing can be searched, an operator what to do; then it goes on."""
    index = tmp_path / "index.sqlite"
    shutil.copy(whole, index)
    parts = Wiring.load(index=index)
    with running(server._settings(parts)) as address:

        def ask(question: str) -> dict[str, object]:
            body = {"question": question}
            answer = httpx.post(f"{address}/guard/ask", json=body, timeout=PATIENCE_S)
            assert answer.status_code == 200
            return dict(answer.json())

        before = ask(QUESTIONS[0])
        assert not before["refused"]
        for page in range(1, whole.stat().st_size // PAGE):
            spoil(index, page)
        for question in QUESTIONS:
            assert ask(question)["refusal_reason"] == "index_error"
        assert httpx.get(f"{address}/guard/ready").status_code == 503
        told = [record.getMessage() for record in caplog.records]
        assert any(str(index) in line and WAY_OUT in line for line in told), told
        asyncio.run(parts.fill_index(sources))
        assert ask(QUESTIONS[0])["answer"] == before["answer"]
    parts.close()
