"""The page of first steps: each command says what stands below it, and a writer may be put in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from tests.shipped import shipped_config
from tests.writer_server import Asked, Sentence, WriterServer

from elysia_guard import Guard
from elysia_guard.config import AnswerCacheSection, Config, WriterSection, home
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.edge.cli.main import cli
from elysia_guard.wiring import Wiring

PAGE = (home() / "docs" / "first-steps.md").read_text(encoding="utf-8")
ASKED = re.compile(r'^    \$ elysia-guard ask "(.+)"\n((?:    .+\n)+)', re.MULTILINE)
LEFT_OUT = "..."
SENTENCE = "Privileged access is requested per session, lasts 8 hours at most"


@pytest.fixture(scope="module")
def config() -> Config:
    return shipped_config()


@pytest.fixture
def folder(config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the demo's index is taken to have been built."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ELYSIA_GUARD_INDEX__PATH", str(config.index.path))
    return tmp_path


def test_each_kind_of_reply_is_on_the_page() -> None:
    """An answer, a hedge, a refusal, a term, and a question back."""
    marks = [shown.strip()[0] for _, shown in ASKED.findall(PAGE)]
    assert marks == ["\u2713", "\u2248", "\u2717", "\u2713", "?"]


@pytest.mark.slow
@pytest.mark.parametrize(("question", "shown"), ASKED.findall(PAGE))
def test_a_command_says_what_stands_below_it(question: str, shown: str, folder: Path) -> None:
    """Every line, in its order; dots stand for any number of lines, and for none else."""
    done = CliRunner().invoke(cli, ["ask", question])
    assert done.exit_code == 0, done.output
    said: Iterator[str] = (line for line in done.output.splitlines() if line)
    skipped = False
    for line in (each.strip() for each in shown.splitlines()):
        if line == LEFT_OUT:
            skipped = True
            continue
        found = next((each for each in said if not skipped or each == line), None)
        assert found == line
        skipped = False


def copying(asked: Asked) -> Sequence[Sentence]:
    """Write one sentence that stands in a source, and one that stands in none."""
    source = asked.saying(SENTENCE)
    text = next(each["text"] for each in asked.sources if each["id"] == source)
    whole = next(
        each for each in re.split(r"(?<=[.])\s+", " ".join(text.split())) if SENTENCE in each
    )
    return [(whole, [(source, whole)]), ("Sessions were invented in 1842.", [(source, whole)])]


@pytest.mark.slow
def test_the_settings_of_the_writer_let_a_model_write(config: Config) -> None:
    """What it copied is shown as written by it; what it made up is not."""
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    given = WriterSection.model_validate(yaml.safe_load(text)["writer"])
    with WriterServer(copying) as server:
        own = config.model_copy(
            update={
                "writer": given.model_copy(update={"url": server.url}),
                "answer_cache": AnswerCacheSection(enabled=False),
            }
        )
        guard = Guard(wiring=Wiring(own))
        response = guard.ask("How long may a privileged session last?")
        guard.wiring.close()
    assert response.outcome is not ReplyOutcome.REFUSED
    assert response.written_by is not None
    assert given.model in response.written_by
    assert SENTENCE in response.answer
    assert "1842" not in response.answer
