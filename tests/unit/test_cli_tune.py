"""``tune`` at the command line: what it prints, and that it writes only when told."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from tests.guide_server import GuideServer, lazy, pointing
from tests.unit.test_cli_commands import write_config

from elysia_guard.edge.cli import tune
from elysia_guard.edge.cli.main import cli
from elysia_guard.evaluation import tuning, tuning_pointing
from elysia_guard.evaluation.tuning import Proposal

ROOT = Path(__file__).parents[2]
ASKED = (
    ("Which domain language do we use?", "ADR-0012"),
    ("How are connections protected?", "ADR-0027"),
    ("Why do we use CIM?", "ADR-0012"),
    ("What does encryption in transit cost us?", "ADR-0027"),
    ("Which versions of TLS are allowed?", "ADR-0027"),
    ("How long does the moon take?", None),
    ("Who feeds the walrus in the basement?", None),
    ("What does the canteen serve on Fridays?", None),
)


def run(*args: str):
    return CliRunner().invoke(cli, ("tune", *args), prog_name="elysia-guard")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small knowledge base, its index, and questions on it; to be copied."""
    home = tmp_path_factory.mktemp("tune")
    config = write_config(home)
    built = CliRunner().invoke(cli, ("ingest", "--config", str(config)))
    assert built.exit_code == 0, built.stderr
    questions = [
        {
            "id": f"RO-{number:03d}",
            "query": query,
            "kind": "decision" if document else "unanswered",
            "lang": "en",
            "split": "tuning",
            **(
                {"documents": [document], "section": "Decision", "source_lang": "en"}
                if document
                else {}
            ),
        }
        for number, (query, document) in enumerate(ASKED)
    ]
    lines = "".join(f"{json.dumps(item)}\n" for item in questions)
    (home / "questions.jsonl").write_text(lines, encoding="utf-8")
    return home


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    thresholds = (ROOT / "config" / "thresholds.yaml").read_text(encoding="utf-8")
    text = thresholds.replace("min_confidence: 0.60", "min_confidence: 0.95  # strict")
    (tmp_path / "thresholds.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def tuned(home: Path, *args: str):
    config = ("--config", str(home / "config" / "guard.yaml"))
    own = ("--questions", "retrieval", "--retrieval", str(home / "questions.jsonl"))
    return run(*config, *own, "--folds", "2", "--max-wrong", "0.2", *args)


def test_it_shows_the_trade_off_and_writes_nothing(home: Path) -> None:
    before = (home / "thresholds.yaml").read_bytes()
    result = tuned(home, "--rule", "adr-004")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("8 retrieval questions of the tuning half")
    assert "answerable questions are refused" in result.stdout
    assert "more than 10%): lowered one step" in result.stdout
    assert "-  min_confidence: 0.95  # strict" in result.stdout
    assert "+  min_confidence: 0.90  # strict" in result.stdout
    assert "Asking the tuning questions" in result.stderr
    assert "nothing is written; --write writes this" in result.stderr
    assert (home / "thresholds.yaml").read_bytes() == before


def test_it_writes_when_told(home: Path) -> None:
    result = tuned(home, "--rule", "adr-004", "--write", "--json")
    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["written"]
    text = (home / "thresholds.yaml").read_text(encoding="utf-8")
    assert "min_confidence: 0.90  # strict" in text
    assert "measure it on the held-out half" in result.stderr


def test_what_holds_best_already_stays(home: Path, monkeypatch) -> None:
    """With --write it is told that nothing was written; without, there is nothing to tell."""

    def kept(judge, *_args, **_options):
        start = judge.start
        return Proposal(rule="cross-validated", start=start, point=start, best=start, reasons=())

    monkeypatch.setattr(tuning, "cross_validated", kept)
    before = (home / "thresholds.yaml").read_bytes()
    result = tuned(home, "--write")
    assert "leave everything as it is" in result.stdout
    assert "stays as it is" in result.stderr
    assert tuned(home).stderr.splitlines()[-1].startswith("Trying other values")
    assert (home / "thresholds.yaml").read_bytes() == before


def test_a_file_that_changed_meanwhile_is_not_written(home: Path, monkeypatch) -> None:
    asked = tune._asked

    def slow(*args):
        with (home / "thresholds.yaml").open("a", encoding="utf-8") as file:
            file.write("# somebody else\n")
        return asked(*args)

    monkeypatch.setattr(tune, "_asked", slow)
    result = tuned(home, "--rule", "adr-004", "--write")
    assert result.exit_code == 3
    assert "changed while the questions were asked" in result.stderr
    text = (home / "thresholds.yaml").read_text(encoding="utf-8")
    assert "min_confidence: 0.95" in text
    assert text.endswith("# somebody else\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--questions", "golden,silver"), "'silver' is no set of questions"),
        (("--rule", "guess"), "guess"),
        (("--max-wrong", "2"), "2"),
        (("--folds", "1"), "1"),
    ],
)
def test_wrong_use_is_told(args: tuple[str, ...], said: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert said in result.stderr


class TestLanguageModel:
    @pytest.fixture
    def server(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[GuideServer]:
        with GuideServer(lazy) as made:
            monkeypatch.setenv("ELYSIA_GUARD_LLM__URL", made.url)
            monkeypatch.setenv("ELYSIA_GUARD_LLM__MODEL", "m")
            yield made

    def test_what_it_points_at_is_counted_and_written(
        self, home: Path, server: GuideServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By what it says of the units; the file then names the model and its prompts."""
        monkeypatch.setattr(tuning_pointing, "LEAST", 1)
        server.script = pointing("CIM", "TLS")
        result = tuned(home, "--judge", "--write", "--json")
        assert result.exit_code == 0, result.stderr
        report = json.loads(result.stdout)
        right, of = report["right"]["answers"]
        assert 0 < right <= of <= len(ASKED)
        assert report["written"]
        text = (home / "thresholds.yaml").read_text(encoding="utf-8")
        found = yaml.safe_load(text)["pointing"]
        assert found["model"].startswith("m@point+")
        assert found["answers"] == pytest.approx(right / of, abs=0.001)
        assert "# strict" in text

    def test_of_a_few_answers_no_share_is_taken(self, home: Path, server: GuideServer) -> None:
        before = (home / "thresholds.yaml").read_bytes()
        result = tuned(home, "--judge", "--write")
        assert result.exit_code == 0, result.stderr
        assert "fewer than 30" in result.stdout
        assert "stays as it is" in result.stderr
        assert (home / "thresholds.yaml").read_bytes() == before

    def test_without_a_model_it_says_what_to_set(self, home: Path) -> None:
        result = tuned(home, "--judge")
        assert result.exit_code == 2
        assert "set llm.url and llm.model" in result.stderr
