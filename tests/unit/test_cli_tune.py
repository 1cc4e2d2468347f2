"""``tune`` at the command line: what it prints, and that it writes only when told."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from tests.unit.test_cli_commands import write_config

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.search_weights import SearchWeights
from elysia_guard.edge.cli import tune
from elysia_guard.edge.cli.main import cli
from elysia_guard.evaluation import tuning
from elysia_guard.evaluation.alpha_sweep import Sweep
from elysia_guard.evaluation.golden import blob_hash
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


def test_new_models_are_written_with_what_they_were_fitted_on(home: Path, monkeypatch) -> None:
    def refitted(judge, _goal, _thresholds, *, folds):
        assert folds == 2
        start = judge.start
        model = Calibration(intercept=-1.0, similarity=2.0, coverage=3.0, lexical=4.0)
        models = replace(
            start.models, sections=tuple((name, model) for name, _ in start.models.sections)
        )
        point = replace(start, models=models)
        return Proposal(rule="cross-validated", start=start, point=point, best=point, reasons=())

    monkeypatch.setattr(tuning, "cross_validated", refitted)
    result = tuned(home, "--write")
    assert result.exit_code == 0, result.stderr
    file = yaml.safe_load((home / "thresholds.yaml").read_text(encoding="utf-8"))
    assert file["default"]["calibration"]["similarity"] == 2.0
    assert file["fitted"]["cases"] == len(ASKED)
    shown = (home / "questions.jsonl").read_bytes()
    assert file["fitted"]["golden_set_hash"] == blob_hash(shown)


def test_what_holds_best_already_stays(home: Path, monkeypatch) -> None:
    """With --write it is told that nothing was written; without, there is nothing to tell."""

    def kept(judge, *_args, **_options):
        start = judge.start
        return Proposal(rule="cross-validated", start=start, point=start, best=start, reasons=())

    monkeypatch.setattr(tuning, "cross_validated", kept)
    before = (home / "thresholds.yaml").read_bytes()
    result = tuned(home, "--cross-validated", "--write")
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


def test_the_plots_are_a_page_of_their_own(home: Path) -> None:
    page = home / "made" / "page.html"
    result = tuned(home, "--html", str(page))
    assert result.exit_code == 0, result.stderr
    assert f"wrote {page}" in result.stderr
    assert "<svg" in page.read_text(encoding="utf-8")


def weighed(home: Path, *args: str):
    config = ("--config", str(home / "config" / "guard.yaml"))
    own = ("--questions", "retrieval", "--retrieval", str(home / "questions.jsonl"))
    return run("--alpha", *config, *own, "--folds", "2", *args)


def test_weights_that_gain_nothing_are_told_and_left(home: Path) -> None:
    """Of so few questions none can show that another weight is better."""
    before = (home / "thresholds.yaml").read_bytes()
    result = weighed(home, "--seed", "7")
    assert result.exit_code == 0, result.stderr
    assert "recall@1" in result.stdout
    assert "seed 7" in result.stdout
    assert "flat: nothing to gain" in result.stdout
    assert "Proposal: leave everything as it is." in result.stdout
    assert "stays as it is" in weighed(home, "--write").stderr
    assert (home / "thresholds.yaml").read_bytes() == before


def better(monkeypatch) -> None:
    """Make every draw say that other weights of decisions are better."""
    collection = Sweep.collection

    def gains(self, section, kind):
        found = collection(self, section, kind)
        if section != "ADR_Ollama":
            return found
        return replace(found, best=SearchWeights(alpha=0.7, title=2.0), low=0.1)

    monkeypatch.setattr(Sweep, "collection", gains)


def test_weights_that_gain_are_named_and_not_written_unless_told(home: Path, monkeypatch) -> None:
    better(monkeypatch)
    before = (home / "thresholds.yaml").read_bytes()
    result = weighed(home)
    assert "Proposed: alpha 0.50 → 0.70, title_weight 1.00 → 2.00." in result.stdout
    assert "+    alpha: 0.70" in result.stdout
    assert "nothing is written; --write writes this" in result.stderr
    assert (home / "thresholds.yaml").read_bytes() == before


def test_weights_are_written_into_the_section_of_their_collection(home: Path, monkeypatch) -> None:
    better(monkeypatch)
    result = weighed(home, "--write", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["written"]
    file = yaml.safe_load((home / "thresholds.yaml").read_text(encoding="utf-8"))
    assert file["collections"]["ADR_Ollama"]["alpha"] == 0.7
    assert file["collections"]["ADR_Ollama"]["title_weight"] == 2.0
    assert "alpha" not in file["collections"]["Policy_Ollama"]
    again = json.loads(weighed(home, "--json").stdout)
    (decisions,) = [each for each in again["sections"] if each["section"] == "ADR_Ollama"]
    assert decisions["in_force"] == {"alpha": 0.7, "title": 2.0, "section": 1.0}


def test_the_help_says_what_the_weights_are() -> None:
    text = " ".join(run("--help").stdout.split())
    assert "alpha: 0 is words alone, 1 meaning alone" in text
    assert "flat: nothing to gain" in text


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--alpha", "--rule", "adr-004"), "--rule is about limits"),
        (("--alpha", "--cross-validated"), "--cross-validated is about limits"),
        (("--alpha", "--max-wrong", "0.01"), "--max-wrong is about limits"),
        (("--alpha", "--html", "x.html"), "--html is about limits"),
        (("--questions", "golden,silver"), "'silver' is no set of questions"),
        (("--rule", "adr-004", "--cross-validated"), "exclude each other"),
        (("--rule", "guess"), "guess"),
        (("--max-wrong", "2"), "2"),
        (("--folds", "1"), "1"),
    ],
)
def test_wrong_use_is_told(args: tuple[str, ...], said: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_golden_set_that_cannot_be_used_is_named(home: Path) -> None:
    config = str(home / "config" / "guard.yaml")
    result = run("--config", config, "--golden", str(home / "thresholds.yaml"))
    assert result.exit_code == 3
    assert f"{home / 'thresholds.yaml'}:1: is not JSON" in result.stderr


def every_third_of_the_tuning_half(folder: Path) -> Path:
    """Write some of the questions to a file: asking all of them takes too long for a test."""
    path = ROOT / "data" / "evaluation" / "retrieval.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    tuning_half = [line for line in lines if json.loads(line)["split"] == "tuning"]
    some = folder / "some.jsonl"
    some.write_text("".join(f"{line}\n" for line in tuning_half[::3]), encoding="utf-8")
    return some


@pytest.mark.slow
def test_the_real_questions_over_the_real_documents(tmp_path: Path) -> None:
    """Thresholds, index and page in a folder of its own; what ships is only read."""
    settings = yaml.safe_load((ROOT / "config" / "guard.yaml").read_text(encoding="utf-8"))
    settings["terminology"]["files"] = [
        str(ROOT / item) for item in settings["terminology"]["files"]
    ]
    settings["index"] |= {"path": "index.sqlite", "sources": [str(ROOT / "data" / "knowledge")]}
    settings["thresholds"] = "thresholds.yaml"
    shutil.copy(ROOT / "config" / "thresholds.yaml", tmp_path)
    config = tmp_path / "config" / "guard.yaml"
    config.parent.mkdir()
    config.write_text(yaml.safe_dump(settings), encoding="utf-8")
    page = tmp_path / "page.html"
    own = ("--questions", "retrieval", "--retrieval", str(every_third_of_the_tuning_half(tmp_path)))
    options = (*own, "--folds", "2", "--json", "--html", str(page))
    result = run("--config", str(config), *options)
    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["questions"]["retrieval"] >= report["searched"] > 20
    assert [item["section"] for item in report["sections"]] == [
        "ADR_Ollama",
        "Principle_Ollama",
        "Policy_Ollama",
    ]
    assert sum(item["left_out"]["questions"] for item in report["folds"]) == sum(
        report["questions"].values()
    )
    best, now = report["best"], report["in_force"]
    assert best["wrong_share"] <= 0.01 or best["wrong_answers"] <= now["wrong_answers"]
    assert bool(report["diff"]) is report["changed"]
    assert "<svg" in page.read_text(encoding="utf-8")
