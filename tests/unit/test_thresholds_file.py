"""A proposal reaches the file: what changes, no more, with its comments, all or nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from elysia_guard.config import ThresholdsFile
from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.errors import ConfigError
from elysia_guard.evaluation import thresholds_file, tuning
from elysia_guard.evaluation.tuning_judge import DEFAULT, Point, in_force

TEXT = """\
# Limits.

collections:
  ADR_Ollama:
    distance_threshold: 0.95      # cosine
    calibration: {intercept: -4.0, similarity: 3.0, coverage: 4.0, lexical: 2.0}
  Policy_Ollama: {}
  Memo_Ollama:
    min_query_coverage: 0.30

default:
  distance_threshold: 0.90
  min_query_coverage: 0.45
  calibration: {intercept: -4.1, similarity: 4.0, coverage: 3.8, lexical: 2.6}

confidence:
  min_confidence: 0.60            # below it: refuse
"""
SECTIONS = frozenset({DEFAULT, "ADR_Ollama", "Memo_Ollama"})
NEW = Calibration(intercept=-1.0, similarity=2.0, coverage=3.0, lexical=4.0)


def point_of(text: str) -> Point:
    return in_force(ThresholdsFile.model_validate(yaml.safe_load(text)).thresholds(), SECTIONS)


START = point_of(TEXT)


def applied(point: Point) -> str:
    sections = thresholds_file.sections(TEXT, START, point)
    return thresholds_file.changed(
        TEXT, sections, Path("t.yaml"), check=ThresholdsFile.model_validate
    )


def moved(section: str, **values: float) -> Point:
    limits = next(item for item in START.limits if item.section == section)
    return tuning.with_limits(START, replace(limits, **values))  # type: ignore[arg-type]


def refit(**own: Calibration) -> Point:
    sections = tuple((name, own.get(name, NEW)) for name, _ in START.models)
    return replace(START, models=sections)


@pytest.mark.parametrize(
    "point",
    [
        replace(START, min_confidence=0.7),
        moved("ADR_Ollama", distance_threshold=0.8),
        moved("ADR_Ollama", min_query_coverage=0.2),
        moved("Memo_Ollama", min_query_coverage=0.5),
        moved(DEFAULT, distance_threshold=0.7, min_query_coverage=0.4),
        refit(),
        refit(ADR_Ollama=replace(NEW, intercept=-9.0)),
        refit(Memo_Ollama=replace(NEW, intercept=-9.0)),
        replace(refit(), min_confidence=0.8, limits=moved(DEFAULT, distance_threshold=1.0).limits),
    ],
)
def test_what_is_written_reads_as_the_point(point: Point) -> None:
    """Also where a collection inherits the default value that changes."""
    text = applied(point)
    assert point_of(text) == point
    assert text.startswith("# Limits.\n")
    assert text.count("#") == TEXT.count("#")


def test_values_that_cannot_be_used_are_not_written() -> None:
    point = replace(START, min_confidence=7.0)
    with pytest.raises(ConfigError, match=r"t\.yaml: the new values are not usable"):
        applied(point)


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    """Through a link too; the file behind it keeps its mode, and nothing is left beside it."""
    file, link = tmp_path / "thresholds.yaml", tmp_path / "link.yaml"
    file.write_text(TEXT, encoding="utf-8")
    file.chmod(0o640)
    link.symlink_to(file)
    thresholds_file.write(link, old=thresholds_file.read(link), new="new\n")
    assert file.read_text(encoding="utf-8") == "new\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert {item.name for item in tmp_path.iterdir()} == {"thresholds.yaml", "link.yaml"}


def test_what_cannot_be_read_or_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.yaml: cannot be read"):
        thresholds_file.read(tmp_path / "gone.yaml")
    with pytest.raises(ConfigError, match=r"no section collections\.Memo"):
        thresholds_file.updated(TEXT, {("collections", "Memo"): {"a": 2}})
