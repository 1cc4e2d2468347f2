"""A proposal as a change of ``thresholds.yaml``: what is written, the diff, and the writing."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from elysia_guard.domain.errors import ConfigError
from elysia_guard.evaluation.thresholds_text import Values, updated
from elysia_guard.evaluation.tuning_points import DEFAULT, Point

Sections = dict[tuple[str, ...], Values]


def read(path: Path) -> str:
    """Return the text of a file of thresholds.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as err:
        raise ConfigError(f"{path}: cannot be read: {err}") from err


def sections(text: str, start: Point, point: Point) -> Sections:
    """Return what has to be written for one point to take the place of another, and no more.

    A collection that sets no value of its own inherits the default one; where that changes, the
    collection's is written beside it if it is to differ.
    """
    file = yaml.safe_load(text)
    written: Sections = {}
    if default := _default(start, point):
        written[DEFAULT,] = default
    wanted = {item.section: item for item in point.limits}
    models = dict(point.models.sections)
    refitted = point.models != start.models
    for name, section in file.get("collections", {}).items():
        values: dict[str, object] = {}
        for key in ("distance_threshold", "min_query_coverage"):
            inherited = default.get(key, file[DEFAULT][key])
            now = inherited if section.get(key) is None else section[key]
            if name in wanted and getattr(wanted[name], key) != now:
                values[key] = getattr(wanted[name], key)
        if refitted and (section.get("calibration") or models[name] != models[DEFAULT]):
            values["calibration"] = models[name]
        if values:
            written["collections", name] = values
    if point.min_confidence != start.min_confidence:
        written["confidence",] = {"min_confidence": point.min_confidence}
    return written


def _default(start: Point, point: Point) -> dict[str, object]:
    """Return the new values of the default section."""
    values: dict[str, object] = {}
    old = {item.section: item for item in start.limits}
    for new in point.limits:
        if new.section == DEFAULT:
            for key in ("distance_threshold", "min_query_coverage"):
                if getattr(new, key) != getattr(old[DEFAULT], key):
                    values[key] = getattr(new, key)
    if point.models != start.models:
        values["calibration"] = dict(point.models.sections)[DEFAULT]
    return values


def changed(
    text: str,
    values: Mapping[tuple[str, ...], Values],
    path: Path,
    *,
    check: Callable[[Any], object],
) -> str:
    """Return the text with new values, its comments and order kept.

    ``check`` gets what the result holds, and raises ValueError where that is not usable.

    Raises:
        ConfigError: the result would not be usable.
    """
    new = updated(text, values) if values else text
    try:
        check(yaml.safe_load(new))
    except (ValueError, yaml.YAMLError) as err:
        raise ConfigError(f"{path}: the new values are not usable: {err}") from err
    return new


def diff(old: str, new: str, name: str) -> str:
    """Return what changes as a unified diff; empty if nothing does."""
    return "".join(
        difflib.unified_diff(
            old.splitlines(keepends=True),
            new.splitlines(keepends=True),
            fromfile=name,
            tofile=f"{name} (proposed)",
        )
    )


def write(path: Path, *, old: str, new: str) -> None:
    """Put a new text in the place of the old one, all or nothing.

    Raises:
        ConfigError: the file no longer holds the old text.
        OSError: it cannot be written.
    """
    target = path.resolve()
    if read(target) != old:
        raise ConfigError(
            f"{path}: changed while the questions were asked, so nothing is written; run it again"
        )
    beside = target.with_name(f"{target.name}.part")
    try:
        beside.write_text(new, encoding="utf-8")
        shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
