"""Settings: every mistake is an error that names file, key and value."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.tables import table

from elysia_guard.config import PREFIX, Config, home, load, load_thresholds, read_thresholds
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import ConfigError

GUARD = """\
terminology:
  files: [data/terms.ttl]
index:
  path: build/index.sqlite
  sources: [data/knowledge, /srv/knowledge]
thresholds: config/thresholds.yaml
collections: {decision: A, principle: B, policy: C, document: D}
"""
LIMITS = """\
default:
  distance_threshold: 0.9
  min_query_coverage: 0.4
  calibration: {intercept: -5.0, similarity: 4.0, coverage: 3.0, lexical: 2.0}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "config"
    made.mkdir()
    return made


def written(folder: Path, text: str, name: str = "guard.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def guard(folder: Path, text: str = GUARD, **environ: str) -> Config:
    return load(written(folder, text), environ=environ)


def installed(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the modules lie in a package, with no checkout around them."""
    monkeypatch.setattr("elysia_guard.config.files.__file__", str(package / "config" / "files.py"))


class TestGuardFile:
    def test_what_ships_is_valid(self) -> None:
        """The defaults name files that exist."""
        config = load(environ={})
        assert all(path.exists() for path in config.terminology.files)
        assert all(path.is_dir() for path in config.index.sources)
        assert load_thresholds(config.thresholds).min_confidence == 0.60
        assert (home() / "config" / "guard.yaml").is_file()

    def test_an_installed_wheel_keeps_what_it_makes_elsewhere(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An index belongs to a person, not to a package; settings of one's own keep it beside."""
        package = tmp_path / "site" / "elysia_guard"
        ships = package / "_data" / "config"
        ships.mkdir(parents=True)
        written(ships, GUARD)
        installed(package, monkeypatch)
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "mine"))
        monkeypatch.chdir(tmp_path)
        assert load(environ={}).index.path == (
            tmp_path / "mine" / "elysia-guard" / "build" / "index.sqlite"
        )
        own = tmp_path / "own" / "config"
        own.mkdir(parents=True)
        assert guard(own).index.path == tmp_path / "own" / "build" / "index.sqlite"

    def test_the_settings_of_the_folder_come_before_those_that_ship(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And those that somebody names before both."""
        written(folder, GUARD + "default_lang: nl\n")
        named = written(folder, GUARD + "default_lang: de\n", "other.yaml")
        monkeypatch.chdir(folder.parent)
        assert load(environ={}).default_lang == "nl"
        assert load(environ={"ELYSIA_GUARD_CONFIG": str(named)}).default_lang == "de"
        assert load(named, environ={}).default_lang == "de"
        monkeypatch.chdir(folder)
        assert load(environ={}).default_lang == "en"

    def test_the_collections_of_ir0003_are_the_default(self) -> None:
        """Names as IR0003 writes them."""
        config = load(environ={})
        assert config.collections[DocumentKind.DECISION] == "ADR_Ollama"
        assert config.collections[DocumentKind.PRINCIPLE] == "Principle_Ollama"
        assert config.collections[DocumentKind.POLICY] == "Policy_Ollama"
        assert config.vocabulary_collection == "Vocabulary_Ollama"

    def test_relative_paths_start_above_the_folder_of_the_file(self, folder: Path) -> None:
        """Wherever the program runs; absolute ones stay."""
        config = guard(folder)
        root = folder.parent
        assert config.terminology.files == [root / "data" / "terms.ttl"]
        assert config.index.path == root / "build" / "index.sqlite"
        assert config.index.sources == [root / "data" / "knowledge", Path("/srv/knowledge")]
        assert config.thresholds == root / "config" / "thresholds.yaml"

    @pytest.mark.parametrize(
        ("change", "named"),
        [
            ("colour: red", ["colour", "red"]),
            ("max_question_chars: 0", ["max_question_chars", "0"]),
            ("max_question_chars: many", ["max_question_chars", "many"]),
            ("default_lang: french", ["default_lang", "french"]),
            ("log_level: LOUD", ["log_level", "LOUD"]),
            ("log_queries: some", ["log_queries", "some"]),
            ("embedder: {kind: magic}", ["embedder.kind", "magic"]),
            ("embedder: {size: 3}", ["embedder.size", "3"]),
        ],
    )
    def test_a_bad_setting_names_file_key_and_value(
        self, folder: Path, change: str, named: list[str]
    ) -> None:
        """Unknown keys and values out of range alike."""
        with pytest.raises(ConfigError) as caught:
            guard(folder, f"{GUARD}{change}\n")
        for part in [str(folder / "guard.yaml"), *named]:
            assert part in str(caught.value)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("terminology: [", "not valid YAML"),
            ("", "holds no settings"),
            ("- a\n- b\n", "holds no settings"),
        ],
    )
    def test_a_file_that_cannot_be_used_says_why(self, folder: Path, text: str, said: str) -> None:
        """And which it is."""
        with pytest.raises(ConfigError, match=said) as caught:
            guard(folder, text)
        assert str(folder / "guard.yaml") in str(caught.value)

    def test_a_missing_file_names_the_way_out(self, folder: Path) -> None:
        """It is not made up."""
        with pytest.raises(ConfigError, match=r"no such file.*--config"):
            load(folder / "none.yaml", environ={})

    def test_what_is_left_out_has_a_default(self, folder: Path) -> None:
        """Test triggers are off unless somebody turns them on."""
        config = guard(folder)
        assert (config.default_lang, config.max_question_chars) == ("en", 2000)
        assert (config.log_queries, config.test_triggers) == ("full", False)

    def test_a_file_that_cannot_be_read_is_an_error(self, folder: Path) -> None:
        """A folder, or bytes that are no text."""
        with pytest.raises(ConfigError, match="cannot be read"):
            load(folder, environ={})
        (folder / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(ConfigError, match="cannot be read"):
            load(folder / "bytes.yaml", environ={})


class TestEnvironment:
    def test_a_variable_overrides_a_key(self, folder: Path) -> None:
        """Two underscores go one level down; values are YAML."""
        config = guard(
            folder,
            ELYSIA_GUARD_INDEX__PATH="/tmp/other.sqlite",  # noqa: S108
            ELYSIA_GUARD_TEST_TRIGGERS="true",
            ELYSIA_GUARD_TERMINOLOGY__FILES="[a.ttl, b.ttl]",
            ELYSIA_GUARD_EMBEDDER__KIND="bundled",
            OTHER_VARIABLE="x",
        )
        assert config.index.path == Path("/tmp/other.sqlite")  # noqa: S108
        assert config.test_triggers
        assert len(config.terminology.files) == 2

    @pytest.mark.parametrize("row", table("bad_settings"), ids=lambda row: row["said"])
    def test_a_bad_variable_is_an_error(self, row: dict[str, Any]) -> None:
        """As a bad key is: each names the key, and what is wrong with its value."""
        with pytest.raises(ConfigError, match=re.escape(row["said"])):
            load(environ={f"{PREFIX}{key}": value for key, value in row["settings"].items()})

    def test_c4_a_model_has_a_few_seconds_unless_somebody_says_otherwise(self) -> None:
        """A tool may take twenty, an answer ten; five failures in a row are enough."""
        made = load(environ={})
        assert made.llm.deadline_seconds == 20
        assert (made.llm.answer_seconds, made.llm.thinking_seconds) == (10, 25)
        breaker = made.circuit_breaker.llm
        assert (breaker.failure_threshold, breaker.success_threshold) == (5, 2)
        assert breaker.timeout_seconds == 30

    @pytest.mark.parametrize(
        ("settings", "elysias"),
        [
            ({}, True),
            ({"LLM__URL": "http://models.example", "LLM__MODEL": "m"}, False),
            ({"LLM__USE": "none"}, False),
        ],
    )
    def test_the_models_of_elysia_point_unless_somebody_says_otherwise(
        self, settings: dict[str, str], *, elysias: bool
    ) -> None:
        """Those of a server that is named do in their place, or none at all."""
        made = load(environ={f"{PREFIX}{key}": value for key, value in settings.items()})
        assert made.points_with_elysia is elysias

    @pytest.mark.parametrize("suffix", ["API_KEY", "TOKEN", "API_BASE"])
    def test_a_secret_is_no_setting(self, folder: Path, suffix: str) -> None:
        """design.md: variables that end so are not ours to read, and never in a message."""
        guard(folder, **{f"ELYSIA_GUARD_LLM_{suffix}": "sk-hush"})


class TestThresholdsFile:
    def read(self, folder: Path, text: str):
        return load_thresholds(written(folder, text, "thresholds.yaml"))

    def test_a_collection_overrides_the_default(self, folder: Path) -> None:
        """Key by key; each limit knows where it was set."""
        limits = self.read(
            folder,
            LIMITS + "collections: {A: {distance_threshold: 0.5}, B: {min_query_coverage: 0.1}}\n",
        )
        one, two = limits.for_collection("A"), limits.for_collection("B")
        assert (one.distance_threshold, one.min_query_coverage) == (0.5, 0.4)
        assert (two.distance_threshold, two.min_query_coverage) == (0.9, 0.1)
        assert (one.source, limits.default.source) == ("collections.A", "default")
        assert one.calibration.coverage == 3.0

    def test_how_often_a_shape_was_right_is_what_was_measured_unless_set(
        self, folder: Path
    ) -> None:
        """Limits alone borrow what ships; a measure of one's own takes its place."""
        shipped = load_thresholds(home() / "config" / "thresholds.yaml")
        limits = self.read(folder, LIMITS + "confidence: {min_confidence: 0.7, list_match: 0.5}\n")
        assert (limits.min_confidence, limits.list_match) == (0.7, 0.5)
        assert (limits.entity_match, limits.skos_match) == (
            shipped.entity_match,
            shipped.skos_match,
        )

    @pytest.mark.parametrize(
        ("text", "named"),
        [
            (LIMITS.replace("0.9", "2.1"), ["default.distance_threshold", "2.1"]),
            (LIMITS.replace("0.9", "-0.1"), ["default.distance_threshold", "-0.1"]),
            (LIMITS.replace("0.9", ".nan"), ["default.distance_threshold", "nan"]),
            (LIMITS.replace("0.4", "1.1"), ["default.min_query_coverage", "1.1"]),
            (LIMITS.replace("0.4", "some"), ["default.min_query_coverage", "some"]),
            (LIMITS + "collections: {A: {distance: 1}}\n", ["collections.A.distance", "1"]),
            (LIMITS + "confidence: {min_confidence: 60}\n", ["confidence.min_confidence", "60"]),
            (LIMITS + "extra: 1\n", ["extra", "1"]),
            (LIMITS.replace("lexical: 2.0", "lexicon: 2.0"), ["lexicon", "lexical"]),
            ("collections: {}\n", ["default"]),
        ],
    )
    def test_a_bad_limit_names_file_key_and_value(
        self, folder: Path, text: str, named: list[str]
    ) -> None:
        """A typing error never loosens a gate in silence."""
        with pytest.raises(ConfigError) as caught:
            self.read(folder, text)
        for part in [str(folder / "thresholds.yaml"), *named]:
            assert part in str(caught.value)

    def test_a_limit_of_zero_is_a_limit(self, folder: Path) -> None:
        """And not the default's."""
        limits = self.read(
            folder, LIMITS + "collections: {A: {distance_threshold: 0, min_query_coverage: 0}}\n"
        ).for_collection("A")
        assert (limits.distance_threshold, limits.min_query_coverage) == (0.0, 0.0)


IR0003_THRESHOLDS = """\
# Per-collection thresholds
collections:
  ADR_Ollama:
    distance_threshold: 0.45
    min_query_coverage: 0.20
  Vocabulary_Ollama:
    distance_threshold: 0.35
    min_query_coverage: 0.30
  Principle_Ollama:
    distance_threshold: 0.50
    min_query_coverage: 0.15
  Policy_Ollama:
    distance_threshold: 0.50
    min_query_coverage: 0.20

# Global fallback
default:
  distance_threshold: 0.50
  min_query_coverage: 0.20
"""


class TestLimitsAlone:
    """The file as IR0003 writes it: limits, and no calibration."""

    def test_c7_the_thresholds_of_ir0003_load_word_for_word(self, folder: Path) -> None:
        """IR0003's own thresholds.yaml is a thresholds.yaml."""
        limits = load_thresholds(written(folder, IR0003_THRESHOLDS, "thresholds.yaml"))
        assert limits.for_collection("ADR_Ollama").distance_threshold == 0.45
        assert limits.for_collection("Principle_Ollama").min_query_coverage == 0.15
        assert limits.for_collection("Another").distance_threshold == 0.50

    def test_c7_without_a_calibration_the_shipped_one_holds(self, folder: Path) -> None:
        """Limits alone keep the calibration that ships, each collection its own."""
        limits = load_thresholds(written(folder, IR0003_THRESHOLDS, "thresholds.yaml"))
        shipped = load_thresholds(home() / "config" / "thresholds.yaml")
        assert limits.default.calibration == shipped.default.calibration
        for name in shipped.collections:
            found = limits.for_collection(name).calibration
            assert found == shipped.for_collection(name).calibration
        read = read_thresholds(folder / "thresholds.yaml")
        assert read.fitted == read_thresholds(home() / "config" / "thresholds.yaml").fitted

    def test_c7_a_calibration_of_ones_own_is_not_mixed_with_the_shipped_one(
        self, folder: Path
    ) -> None:
        """Where the default has coefficients, no collection borrows others."""
        text = LIMITS + "collections: {Policy_Ollama: {distance_threshold: 0.5}}\n"
        limits = load_thresholds(written(folder, text, "thresholds.yaml"))
        assert limits.for_collection("Policy_Ollama").calibration.intercept == -5.0

    @pytest.mark.parametrize("collections", ["[]", "3", "{A: 3}", "{A: null}"])
    def test_c7_what_is_no_section_is_said_to_be_none(self, folder: Path, collections: str) -> None:
        """A mistake beside missing coefficients is an error that names it, not a traceback."""
        text = IR0003_THRESHOLDS.partition("# Global")[2]
        with pytest.raises(ConfigError, match="collections"):
            load_thresholds(
                written(folder, f"#{text}\ncollections: {collections}\n", "thresholds.yaml")
            )
