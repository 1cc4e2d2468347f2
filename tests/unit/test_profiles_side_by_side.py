"""The profiles beside each other: one golden set, one table, and what each of them leaves out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.evaluation_samples import built, four, response, scored
from tests.unit.test_evaluation_gate import FEW, Bench, some_questions, write

from elysia_guard import config as configuration
from elysia_guard.domain.profiles import PROFILES, ProfileName
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.evaluation import side_by_side
from elysia_guard.evaluation.report import Report

THRESHOLDS = Path(__file__).parents[2] / "config" / "thresholds.yaml"


def under(name: ProfileName, report: Report, *, label: str = "") -> Report:
    report["setting"]["profile"] = label or str(name)
    return report


def refusing() -> Report:
    """The four questions, all refused."""
    refused = response(reason=RefusalReason.NOT_RELEVANT)
    return built(*(scored(item.case, refused) for item in four()))


@pytest.fixture
def found() -> Report:
    return side_by_side.build(
        {
            ProfileName.DEFAULT: under(ProfileName.DEFAULT, built()),
            ProfileName.AINSTEIN: under(ProfileName.AINSTEIN, refusing()),
        }
    )


def test_figures_stand_beside_each_other(found: Report) -> None:
    """Of the same questions: right, wrong both ways, and every reason to abstain."""
    default, ainstein = (found["profiles"][name] for name in ("default", "ainstein"))
    assert found["meta"]["total_queries"] == 4
    assert (default["right"], default["wrong_answers"], default["wrong_refusals"]) == (2, 1, 1)
    assert (ainstein["right"], ainstein["wrong_answers"], ainstein["wrong_refusals"]) == (1, 0, 3)
    assert default["abstentions"] == {"low_confidence": 1}
    assert ainstein["abstentions"] == {"not_relevant": 4}
    assert ainstein["without"] == list(PROFILES[ProfileName.AINSTEIN].without)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A few of the tuning questions that ship."""
    made = Bench(folder=tmp_path_factory.mktemp("profiles"))
    write(made, some_questions(FEW))
    return made


@pytest.mark.slow
class TestScript:
    def evaluated(self, bench: Bench, *options: object) -> tuple[str, ...]:
        given = ("--golden", bench.questions, "--split", "tuning", "--route", "direct")
        return ("eval_rag_quality", *map(str, (*given, *options)))

    def test_all_profiles_run_on_one_golden_set(self, bench: Bench) -> None:
        """In the table, as JSON and as Markdown; no document's policy answers what is not there."""
        results, text = bench.folder / "profiles.json", bench.folder / "profiles.md"
        said = bench.script(
            *self.evaluated(bench, "--profiles", "all", "--output", results, "--markdown", text)
        )
        assert said.returncode == 0, said.stderr
        found = json.loads(results.read_text(encoding="utf-8"))["profiles"]
        assert list(found) == list(ProfileName)
        for name, item in found.items():
            assert f"\n{name} " in said.stdout
            assert f"\n{name} " in text.read_text(encoding="utf-8")
            for reason in ("entity_not_found", "terminology_not_found", "terminology_timeout"):
                assert item["abstentions"][reason] == found["default"]["abstentions"][reason] > 0
        assert found["verified-synthesis"]["wrong_answers"] > found["default"]["wrong_answers"]
        assert found["multi-gate"]["wrong_refusals"] > found["default"]["wrong_refusals"]
        assert found["verified-synthesis"]["limits"].keys() == {
            "confidence.entity_match",
            "confidence.skos_match",
        }

    def test_some_profiles_with_measured_limits(self, bench: Bench) -> None:
        """Only those that were named, in that order."""
        options = ("--profiles", "multi-gate, default", "--profile-limits", "measured", "--json")
        said = bench.script(*self.evaluated(bench, *options))
        found = json.loads(said.stdout)
        assert list(found["profiles"]) == ["multi-gate", "default"]
        measured = configuration.load_thresholds(THRESHOLDS).default
        limits = found["profiles"]["multi-gate"]["limits"]
        assert limits["default.distance_threshold"] == measured.distance_threshold
        assert "measured for" in found["note"]

    def test_one_profile_is_recorded_and_not_compared_with_another(self, bench: Bench) -> None:
        """The regression gate refuses, and says why."""
        bench.evaluate("default", "--save-baseline", str(bench.baseline))
        results = bench.evaluate("ainstein", "--profile", "ainstein")
        found = json.loads(results.read_text(encoding="utf-8"))
        assert found["setting"]["profile"] == "ainstein"
        assert found["setting"]["limits"]["default.distance_threshold"] == 0.5
        said = bench.check(results)
        assert (said.returncode, said.stdout) == (3, "")
        assert "the policy profiles differ (default in the baseline, ainstein now)" in said.stderr

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            (
                ("--profiles", "strict"),
                "there is no profile 'strict'; there are: default, ainstein",
            ),
            (("--profile", "strict"), "'strict' is not one of 'default', 'ainstein'"),
            (("--profiles", "all", "--baseline", "x"), "--profiles goes without --baseline"),
        ],
    )
    def test_wrong_use_lists_the_way_out(
        self, bench: Bench, options: tuple[str, ...], said: str
    ) -> None:
        """Exit 2, and nothing is asked."""
        result = bench.script(*self.evaluated(bench, *options))
        assert result.returncode == 2
        assert said in result.stderr
