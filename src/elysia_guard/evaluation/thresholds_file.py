"""A proposal as a change of ``thresholds.yaml``, whose comments and order stay; the diff too."""

from __future__ import annotations

import difflib
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, asdict, fields
from pathlib import Path
from typing import Any

import yaml

from elysia_guard.domain.calibration import Calibration, WordsAlone
from elysia_guard.domain.errors import ConfigError
from elysia_guard.evaluation.tuning_judge import DEFAULT, Point

Values = Mapping[str, object]
"""The keys of one section and their new values."""
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
    models = dict(point.models)
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
        values["calibration"] = dict(point.models)[DEFAULT]
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


def updated(text: str, sections: Mapping[tuple[str, ...], Values]) -> str:
    """Return the text with new values, each key changed in place or added to its section.

    A section at the top that is not there is added at the end.

    Args:
        text: the file.
        sections: the values to write, by the path of their section, such as
            ``("collections", "ADR_Ollama")``; ``()`` is the top of the file.

    Raises:
        ConfigError: a section inside another one is not there.
    """
    lines = text.rstrip("\n").split("\n")
    for path, values in sections.items():
        if len(path) == 1 and not any(line.startswith(f"{path[0]}:") for line in lines):
            lines = [*lines, "", f"{path[0]}:"]
        for key, value in values.items():
            lines = _written(lines, path, key, _yaml(value))
    return "\n".join(lines) + "\n"


def _written(lines: Sequence[str], path: tuple[str, ...], key: str, value: str) -> list[str]:
    start, end = _section(lines, path)
    indent = "  " * len(path)
    pattern = re.compile(rf"(?P<key>{indent}{re.escape(key)}:\s*)(?P<old>[^#]*?)(?P<note>\s+#.*)?$")
    for number in range(start, end):
        if found := pattern.match(lines[number]):
            line = f"{found['key'].rstrip()} {value}{found['note'] or ''}"
            return [*lines[:number], line, *lines[number + 1 :]]
    return [*lines[:end], f"{indent}{key}: {value}", *lines[end:]]


def _section(lines: Sequence[str], path: tuple[str, ...]) -> tuple[int, int]:
    """Find the lines of a section, without the blank ones after it."""
    start, end = 0, len(lines)
    for depth, name in enumerate(path):
        heading = re.compile(rf"{'  ' * depth}{re.escape(name)}:\s*(#.*)?$")
        number = next((n for n in range(start, end) if heading.match(lines[n])), None)
        if number is None:
            raise ConfigError(f"thresholds: there is no section {'.'.join(path)} to write to")
        start = number + 1
        inside = "  " * (depth + 1)
        end = next(
            (n for n in range(start, end) if lines[n].strip() and not lines[n].startswith(inside)),
            end,
        )
    while end > start and not lines[end - 1].strip():
        end -= 1
    return start, end


def _yaml(value: object) -> str:
    match value:
        case Calibration() | WordsAlone():
            required = {item.name for item in fields(value) if item.default is MISSING}
            numbers = asdict(value).items()
            return _yaml({name: each for name, each in numbers if each or name in required})
        case Mapping():
            return "{" + ", ".join(f"{name}: {number}" for name, number in value.items()) + "}"
        case float():
            return f"{value:.2f}"
    return str(value)
