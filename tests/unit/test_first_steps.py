"""The page of first steps: each command says what stands below it, and a model may be put in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from tests.guide_server import Asked, GuideServer, Said
from tests.shipped import shipped_config

from elysia_guard import Guard
from elysia_guard.config import AnswerCacheSection, Config, LanguageModelSection, home
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


def pointing(asked: Asked) -> Said:
    """Point at one unit that answers, and at one that there is not."""
    return "answers", [*asked.saying(SENTENCE), len(asked.units) + 1]


@pytest.mark.slow
def test_the_settings_of_the_model_let_it_point(config: Config) -> None:
    """What it points at is quoted as the source has it, and tells who chose it."""
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    given = LanguageModelSection.model_validate(yaml.safe_load(text)["llm"])
    with GuideServer(pointing) as server:
        own = config.model_copy(
            update={
                "llm": given.model_copy(update={"url": server.url}),
                "answer_cache": AnswerCacheSection(enabled=False),
            }
        )
        guard = Guard(wiring=Wiring(own))
        response = guard.ask("How long may a privileged session last?")
        guard.wiring.close()
    assert response.outcome is ReplyOutcome.HEDGED
    assert response.written_by is not None
    assert given.model in response.written_by
    assert [SENTENCE in source.quote for source in response.sources] == [True]
