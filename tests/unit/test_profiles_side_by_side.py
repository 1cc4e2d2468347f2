"""The profiles beside each other: one golden set, one table, and what each of them leaves out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.unit.evaluation_samples import built, four, response, scored
from tests.unit.test_config import GUARD, LIMITS, guard
from tests.unit.test_evaluation_gate import FEW, Bench, some_questions, write
from tests.unit.test_wiring import DECISION

from elysia_guard import Guard
from elysia_guard import config as configuration
from elysia_guard.config import Config, load
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.profiles import DEFAULT, PROFILES, ProfileName
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.edge.cli.main import cli
from elysia_guard.evaluation import regression, side_by_side
from elysia_guard.evaluation.regression import Allowance, IncomparableError
from elysia_guard.evaluation.report import Report
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.terminology import TURTLE
from elysia_guard.wiring import Wiring
from elysia_guard.wiring.records import config_hash

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


ASKED = "Which words does the grid use?"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration with one document; a toy of a model stands in for the real one."""
    monkeypatch.setattr("elysia_guard.wiring.models.BundledEmbedder", HashEmbedder)
    for name, text in (
        ("config/guard.yaml", GUARD.replace(", /srv/knowledge", "")),
        ("config/thresholds.yaml", LIMITS),
        ("data/terms.ttl", TURTLE),
        ("data/knowledge/decisions/0012-use-cim.md", DECISION),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "config" / "guard.yaml"


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, [str(item) for item in args], prog_name="elysia-guard")


def configured(home: Path, **environ: str) -> Config:
    return load(home, environ=environ)


class TestSettings:
    def test_the_default_combines_them_all(self) -> None:
        """As shipped, and where nothing is said."""
        assert load(environ={}).policy is DEFAULT
        assert load(environ={}).profile is ProfileName.DEFAULT

    def test_a_file_or_a_variable_chooses(self, tmp_path: Path) -> None:
        """`profile` in guard.yaml, `ELYSIA_GUARD_PROFILE` over it."""
        folder = tmp_path / "config"
        folder.mkdir()
        text = f"{GUARD}profile: ainstein\n"
        assert guard(folder, text).policy is PROFILES[ProfileName.AINSTEIN]
        other = guard(folder, text, ELYSIA_GUARD_PROFILE="multi-gate")
        assert other.policy is PROFILES[ProfileName.MULTI_GATE]

    def test_an_unknown_name_is_an_error_that_lists_the_names(self, tmp_path: Path) -> None:
        """With the file and the value."""
        with pytest.raises(ConfigError) as caught:
            guard(tmp_path, ELYSIA_GUARD_PROFILE="strict")
        said = str(caught.value)
        assert "profile is 'strict'" in said
        assert all(f"'{name}'" in said for name in ProfileName)

    def test_the_rules_can_have_measured_limits(self, home: Path) -> None:
        """A document's limits belong to the model it was written for."""
        environ = {
            "ELYSIA_GUARD_PROFILE": "ainstein",
            "ELYSIA_GUARD_PROFILE_LIMITS": "measured",
        }
        made = Wiring(configured(home, **environ))
        made.ensure_index()
        assert made.pipeline.thresholds.default.distance_threshold == 0.9
        assert made.pipeline.thresholds.profile.label == "ainstein with measured limits"

    def test_the_pipeline_has_the_profiles_limits(self, home: Path) -> None:
        """In every collection; given in code, a name takes the place of the configured one."""
        made = Wiring.load(home, profile=ProfileName.AINSTEIN)
        made.ensure_index()
        thresholds = made.pipeline.thresholds
        assert thresholds.for_collection("A").distance_threshold == 0.5
        assert thresholds.profile is PROFILES[ProfileName.AINSTEIN]


class TestDecisionLog:
    def test_another_profile_is_another_configuration(self, home: Path) -> None:
        """So are its rules with other limits: each is a hash of its own."""
        chosen = [{"ELYSIA_GUARD_PROFILE": str(name)} for name in ProfileName]
        chosen.append(chosen[1] | {"ELYSIA_GUARD_PROFILE_LIMITS": "measured"})
        assert len({config_hash(configured(home, **item)) for item in chosen}) == len(chosen)


class TestCommandLine:
    def test_a_question_is_answered_under_a_profile(self, home: Path) -> None:
        """The trace names the profile beside the limit."""
        Wiring.load(home).ensure_index()
        result = run("ask", ASKED, "--config", home, "--profile", "ainstein", "--trace")
        assert result.exit_code == 0, result.stderr
        assert "profiles.ainstein.distance_threshold" in result.stdout
        assert "profiles." not in run("ask", ASKED, "--config", home, "--trace").stdout

    @pytest.mark.parametrize("name", ProfileName)
    def test_doctor_names_the_profile_and_its_rules(self, home: Path, name: ProfileName) -> None:
        """With what it leaves out, and the limits that are in force."""
        Wiring.load(home).ensure_index()
        found = json.loads(run("doctor", "--json", "--config", home, "--profile", name).stdout)
        parts = {check["part"]: check for check in found["checks"]}
        profile = PROFILES[name]
        assert parts["profile"]["data"]["name"] == name
        assert parts["profile"]["data"]["without"] == list(profile.without)
        assert parts["profile"]["data"]["gates"] == profile.described
        in_force = parts["thresholds"]["data"]["in_force"]
        if profile is DEFAULT:
            assert "refuses below 0.60" in parts["thresholds"]["text"]
        else:
            assert f"not in force under profile {name}" in parts["thresholds"]["text"]
            assert {item["source"]: item["value"] for item in in_force} == {
                f"profiles.{name}.{key}": limit for key, limit in profile.limits.items()
            }
        shown = run("doctor", "--config", home, "--profile", name).stdout
        assert profile.document in shown


class TestRegression:
    def test_results_of_another_profile_are_not_compared(self) -> None:
        """Nor those of the same rules with other limits."""
        baseline = built()
        for other in ("ainstein", "ainstein with measured limits"):
            current = built()
            current["setting"]["profile"] = other
            with pytest.raises(IncomparableError, match=f"policy profiles differ.*{other[:30]}"):
                regression.compare(current, baseline, Allowance())


def test_a_program_is_told_which_profiles_there_are(home: Path) -> None:
    """A name that is none is an error, not the default."""
    with pytest.raises(ConfigError, match="no profile 'multigate'; choose one of default, ain"):
        Guard(config=home, profile="multigate")


def test_a_terminal_shows_one_table(found: Report) -> None:
    """A row a profile, the reasons below, then what is left out."""
    lines = side_by_side.render(found).splitlines()
    heading = next(line for line in lines if line.startswith("profile "))
    assert heading.split() == (
        "profile right precision recall wrong answers wrong refusals could not run".split()
    )
    row = next(line for line in lines if line.startswith("ainstein "))
    assert row.split()[1] == "1"
    assert row.split()[-3:] == ["0", "3", "0"]
    reasons = next(line for line in lines if line.startswith("not_relevant "))
    assert reasons.split() == ["not_relevant", "0", "4"]
    assert any(line.startswith("  without: a confidence gate") for line in lines)
