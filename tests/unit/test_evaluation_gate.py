"""IR0003's cases of threshold tuning, through the real scripts over the real documents.

The golden set is a part of the shipped tuning questions; the index is the embedded one.
"""

from __future__ import annotations

import io
import json
import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from tests.shipped import shipped_index

from elysia_guard import config as configuration
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.edge import evaluating
from elysia_guard.edge.cli import main as cli
from elysia_guard.evaluation import golden
from elysia_guard.evaluation.golden import Category, Split
from elysia_guard.ports import Vector
from elysia_guard.wiring import models

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "data" / "evaluation" / "golden_queries.jsonl"
THRESHOLDS = ROOT / "config" / "thresholds.yaml"
EVERY = 4
MANY, FEW = 9, 5
"""Questions of a category, where there are so many."""

pytestmark = pytest.mark.slow


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a script said, and its exit code."""

    returncode: object
    stdout: str
    stderr: str


class Remembering(BundledEmbedder):
    """The bundled model, which embeds a question once for all the runs over it."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self._known: dict[str, Sequence[Vector]] = {}

    def _encode(self, texts: Sequence[str]) -> Sequence[Vector]:
        if len(texts) > 1:
            return super()._encode(texts)
        if texts[0] not in self._known:
            self._known[texts[0]] = super()._encode(texts)
        return self._known[texts[0]]


@cache
def embedder() -> Remembering:
    """Return the one model of this module: it takes a second to load."""
    return Remembering()


@cache
def loaded(name: str) -> Callable[[], int]:
    """Return the main function of a script, or of an experiment."""
    if not (ROOT / "scripts" / f"{name}.py").exists():
        experiment: Callable[[], int] = import_module(f"scripts.lab.{name}").main
        return experiment
    made = spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert made
    assert made.loader
    module = module_from_spec(made)
    made.loader.exec_module(module)
    main: Callable[[], int] = module.main
    return main


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A golden set of some tuning questions, and a place for results."""

    folder: Path

    @property
    def questions(self) -> Path:
        return self.folder / "golden.jsonl"

    @property
    def baseline(self) -> Path:
        return self.folder / "baseline.json"

    def evaluate(self, name: str, *options: str, thresholds: Path = THRESHOLDS) -> Path:
        """Run the evaluation, and return its results."""
        results = self.folder / f"{name}.json"
        said = self.script(
            "eval_rag_quality",
            *("--config", thresholds, "--golden", self.questions, "--split", "tuning"),
            *("--route", "direct", "--output", results, "--quiet"),
            *options,
        )
        assert said.returncode == 0, said.stderr
        return results

    def check(self, current: Path, *options: str) -> Said:
        """Hold results against the baseline."""
        return self.script(
            "check_regression",
            *("--current", current, "--baseline", self.baseline),
            *("--precision-threshold", "0.05", "--recall-threshold", "0.05"),
            *options,
        )

    def script(self, name: str, *options: object) -> Said:
        """Run a script as a person would, but in this process: its imports are slow."""
        return self.program(loaded(name), name, *options)

    def program(self, main: Callable[[], object], name: str, *options: object) -> Said:
        """Run the main function of a program with these options."""
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "argv", [name, *map(str, options)])
            patch.setenv("ELYSIA_GUARD_INDEX__PATH", str(shipped_index()))
            patch.setattr(models, "BundledEmbedder", embedder)
            # What is computed, and not how long a busy machine lets it wait.
            asked = partial(evaluating.asked, clock=time.process_time)
            patch.setattr(evaluating, "asked", asked)
            try:
                code = main()
            except SystemExit as left:
                code = left.code
        return Said(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())

    def thresholds(self, name: str, pattern: str, replacement: str) -> Path:
        """Write thresholds in which every match is replaced."""
        path = self.folder / f"{name}.yaml"
        text = THRESHOLDS.read_text(encoding="utf-8")
        path.write_text(re.sub(pattern, replacement, text), encoding="utf-8")
        return path


def some_questions(most: int) -> list[str]:
    """A part of the tuning questions of each category, as they stand in the file."""
    tuning = golden.load(SHIPPED).select(Split.TUNING)
    kept = {
        case.id
        for category in Category
        for case in [case for case in tuning if case.category is category][::EVERY][:most]
    }
    lines = SHIPPED.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if json.loads(line)["id"] in kept]


def write(bench: Bench, lines: Sequence[str]) -> None:
    text = "\n".join(lines) + "\n"
    bench.questions.write_text(text, encoding="utf-8")
    (bench.folder / golden.VERSION_FILE).write_text("version: v1.0.0\n", encoding="utf-8")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A bench with a baseline, made at the shipped thresholds."""
    made = Bench(folder=tmp_path_factory.mktemp("evaluation"))
    write(made, some_questions(MANY))
    made.evaluate("current", "--save-baseline", str(made.baseline))
    return made


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A bench of very few questions, with a baseline."""
    made = Bench(folder=tmp_path_factory.mktemp("few"))
    write(made, some_questions(FEW))
    made.evaluate("current", "--save-baseline", str(made.baseline))
    return made


def test_thresh_01_the_current_thresholds_give_a_baseline(bench: Bench) -> None:
    """THRESH-01: figures per collection, the 95th percentile, and what they were measured on."""
    kept = json.loads(bench.baseline.read_text(encoding="utf-8"))
    for figures in kept["metrics"]["by_collection"].values():
        assert {"precision", "recall", "f1", "count"} <= set(figures)
    assert len(kept["metrics"]["by_collection"]) == 4
    assert kept["metrics"]["latency"]["p95_ms"] > kept["metrics"]["control"]["p50_ms"] > 0
    assert 0 < kept["metrics"]["added"]["p95_ms"] < kept["metrics"]["latency"]["p95_ms"]
    assert kept["meta"]["golden_set_hash"] == golden.blob_hash(bench.questions.read_bytes())
    assert kept["meta"]["could_not_run_count"] == 0
    said = bench.check(bench.folder / "current.json")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.endswith("regression gate: passed\n")


def test_thresh_02_a_changed_threshold_gives_a_diff_report(few: Bench) -> None:
    """THRESH-02: before and after, in every form of the report, with the limit that changed."""
    changed = few.thresholds("other", r"min_confidence: [\d.]+", "min_confidence: 0.61")
    text = few.folder / "report.md"
    results = few.evaluate(
        "other",
        *("--baseline", str(few.baseline), "--markdown", str(text)),
        thresholds=changed,
    )
    comparison = json.loads(results.read_text(encoding="utf-8"))["baseline"]
    assert comparison["limits"] == [
        {"name": "confidence.min_confidence", "before": 0.6, "after": 0.61}
    ]
    compared = {(item["where"], item["metric"]) for item in comparison["changes"]}
    assert {
        ("ADR_Ollama", "precision"),
        ("Policy_Ollama", "recall"),
        ("overall", "added_p95_ms"),
    } <= (compared)
    written = text.read_text(encoding="utf-8")
    assert "0.61" in written
    assert "regression gate pass" in written.lower()


def test_thresh_03_a_drop_of_precision_fails_the_build(bench: Bench) -> None:
    """THRESH-03: without a limit on confidence it answers what it must not, and exit is 1."""
    careless = bench.thresholds(
        "careless", r"(min_confidence|min_query_coverage): [\d.]+", r"\1: 0.0"
    )
    said = bench.check(bench.evaluate("careless", thresholds=careless))
    assert said.returncode == 1
    assert re.search(r"REGRESSION overall: precision fell from 0\.\d+ to 0\.\d+", said.stdout)
    assert re.search(r"^  GS-\d+: \S", said.stdout, flags=re.MULTILINE)


def test_the_commands_of_ir0003_run_as_it_writes_them(
    few: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evaluate and check, with its flags and its names of files, in a folder that has the files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "thresholds.yaml").write_bytes(THRESHOLDS.read_bytes())
    (tmp_path / "baseline.json").write_bytes(few.baseline.read_bytes())
    less = ("--golden", few.questions, "--split", "tuning", "--route", "direct")
    said = few.script(
        "eval_rag_quality",
        *("--config", "config/thresholds.yaml"),
        *("--output", "results.json"),
        *("--baseline", "baseline.json"),
        *less,
    )
    assert said.returncode == 0, said.stderr
    said = few.script(
        "check_regression",
        *("--current", "results.json"),
        *("--baseline", "baseline.json"),
        *("--precision-threshold", "0.05"),
        *("--recall-threshold", "0.05"),
    )
    assert (said.returncode, said.stderr) == (0, ""), said.stdout


def test_the_command_measures_what_the_script_does(few: Bench) -> None:
    """`elysia-guard eval`: the same figures, and the same codes for what is wrong."""
    asked = ("eval", "--golden", few.questions, "--split", "tuning", "--route", "direct")
    said = few.program(cli.main, "elysia-guard", *asked, "--json", "--max-wrong-answers", 0)
    told, kept = json.loads(said.stdout), json.loads(few.baseline.read_text(encoding="utf-8"))
    assert told["metrics"]["overall"] == kept["metrics"]["overall"]
    assert told["metrics"]["answers"] == kept["metrics"]["answers"]
    assert said.returncode == (1 if kept["metrics"]["answers"]["wrong_answers"] else 0)
    for wrong, code in ((("--split", "third"), 2), (("--thresholds", few.folder / "no"), 2)):
        assert few.program(cli.main, "elysia-guard", "eval", *wrong).returncode == code
    shown = few.program(cli.main, "elysia-guard", "eval", "--help").stdout
    assert {"--golden", "--baseline", "--output"} <= set(re.findall(r"--[a-z]+", shown))


SEARCHED = {"ADR_Ollama", "Principle_Ollama", "Policy_Ollama"}


@pytest.mark.parametrize(
    ("distance", "sign"),
    [("0.05", "recall fell from"), ("2.0", "the distance gate turned .* its limit is no limit")],
)
def test_a_deliberately_bad_distance_fails_the_gate(bench: Bench, distance: str, sign: str) -> None:
    """The report names the collections, the questions and the limit that was changed."""
    bad = bench.thresholds(
        f"bad-{distance}", r"distance_threshold: [\d.]+", f"distance_threshold: {distance}"
    )
    results = bench.evaluate(f"bad-{distance}", thresholds=bad)
    said = bench.check(results)
    assert said.returncode == 1
    assert re.search(rf"  ADR_Ollama\.distance_threshold: [\d.]+ → {distance}\n", said.stdout)
    failing = set(re.findall(rf"REGRESSION (\w+_Ollama): {sign}", said.stdout))
    assert failing == SEARCHED if distance == "0.05" else failing and failing <= SEARCHED
    asked = json.loads(results.read_text(encoding="utf-8"))["questions"]
    named = re.findall(r"^  (GS-\d+): (.+)$", said.stdout, flags=re.MULTILINE)
    assert named
    assert all(asked[name]["query"] == query for name, query in named)
    as_json = bench.check(results, "--json")
    assert json.loads(as_json.stdout)["passed"] is False


def test_wrong_use_and_missing_files_have_codes_of_their_own(bench: Bench) -> None:
    """2 is wrong use, 3 could not run; both say in one line what to do, and --help lists them."""
    assert bench.check(bench.baseline, "--precision-threshold", "5").returncode == 2
    assert bench.check(bench.baseline, "--max-could-not-run", "-1").returncode == 2
    missing = bench.check(bench.folder / "none.json")
    assert missing.returncode == 3
    assert re.fullmatch(r"error: .*none\.json: cannot be read: .*\n", missing.stderr)
    for name in ("check_regression", "eval_rag_quality", "golden_set"):
        shown = bench.script(name, "--help").stdout
        assert re.search(r"exit codes:\n *0  .*\n *1  .*\n(     .*\n)* *2  .*\n *3  ", shown)


@pytest.mark.parametrize("away", ["embedder", "models"])
def test_a8_a_run_without_the_embedder_shows_what_words_alone_answer(
    bench: Bench, away: str
) -> None:
    """Its searches are by words alone, and no baseline with a model is held against it.

    Beside a run with the model it says how much less is shown, and whether each reply tells of it.
    """
    results = bench.folder / f"{away}.json"
    asked = ("--golden", bench.questions, "--split", "tuning", "--route", "direct", "--quiet")
    beside = ("--beside", bench.folder / "current.json", "--output", results)
    lost = bench.script("eval_rag_quality", *asked, f"--without-{away}", *beside)
    assert lost.stdout.startswith("right passage shown: ")
    assert lost.stdout.endswith("every reply says so\n")
    assert lost.returncode == 0, lost.stdout
    found = json.loads(results.read_text(encoding="utf-8"))
    assert found["setting"]["model_id"] == f"none (without {away})"
    bins = found["metrics"]["calibration"]["searched"]["bins"]
    assert bins
    assert max(item["confidence"] for item in bins) <= 0.8
    said = bench.check(results)
    assert said.returncode == 3
    assert "embedding models" in said.stderr
    alone = bench.script("eval_rag_quality", *asked, *beside)
    assert alone.returncode == 2


def test_a8_the_numbers_of_words_alone_are_written_by_the_script(bench: Bench) -> None:
    """It leaves the limits and the other model alone, and says what it was fitted on."""
    path = bench.thresholds("fitted", r" *(words|forms)_alone: .*\n", "")
    before = configuration.read_thresholds(path)
    said = bench.script(
        "fit_calibration",
        *("--config", path, "--golden", bench.questions, "--words-alone", "--write"),
    )
    assert (said.returncode, said.stderr) == (0, "")
    after = configuration.read_thresholds(path)
    fitted = after.fitted
    assert fitted
    assert fitted.words_alone
    assert fitted.words_alone.golden_set_hash == golden.blob_hash(bench.questions.read_bytes())
    assert before.fitted
    assert before.fitted.words_alone is None
    assert fitted.golden_set_hash == before.fitted.golden_set_hash
    assert after.default.words_alone != after.default.forms_alone
    for model in (after.default.words_alone, after.default.forms_alone):
        assert model
        assert min(model.coverage, model.lexical, model.matter) >= 0
        assert max(model.coverage, model.lexical) > 0
    for name, section in after.collections.items():
        own = before.collections[name]
        assert section.distance_threshold == own.distance_threshold
        assert section.calibration == own.calibration
    assert after.default.calibration == before.default.calibration
