"""Writing fitted numbers into ``thresholds.yaml`` without touching its comments or its order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, fields

from elysia_guard.domain.calibration import Calibration, WordsAlone
from elysia_guard.domain.errors import ConfigError

Values = Mapping[str, object]
"""The keys of one section and their new values."""


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
