"""The setting that makes a file the vocabulary: shown, or written into a guard.yaml."""

from __future__ import annotations

import json
import os
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from elysia_guard import config as configuration
from elysia_guard.adapters.skos_turtle import write_whole
from elysia_guard.domain.errors import ConfigError

_PLAIN = re.compile(r"[A-Za-z0-9_./][\w./+-]*")


def lines(file: Path, config: Path | None) -> list[str]:
    """The lines that a guard.yaml needs."""
    return ["terminology:", f"  files: [{_written(file, config)}]"]


def write(file: Path, config: Path) -> None:
    """Let ``terminology.files`` of a guard.yaml be one file; all else in it stays as it is.

    Raises:
        ConfigError: the configuration cannot be read, or not be changed without touching more.
    """
    configuration.load(config, environ={})
    text = config.read_text(encoding="utf-8")
    changed = _changed(text, f"[{_written(file, config)}]")
    wanted = deepcopy(yaml.safe_load(text))
    wanted["terminology"]["files"] = [_relative(file, config)]
    if _loaded(changed) != wanted:
        raise ConfigError(
            f"{config}: its terminology.files is written in a way that only a person can change; "
            f"set it to [{_written(file, config)}]"
        )
    write_whole(config, changed.encode("utf-8"))


def _loaded(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def _changed(text: str, value: str) -> str:
    _, section = _child(yaml.compose(text), "terminology")
    key, files = _child(section, "files")
    if key and files:
        start, end = files.start_mark.index, files.end_mark.index
        if isinstance(files, yaml.SequenceNode) and not files.flow_style:
            # A list of lines ends, for the parser, only where the next key begins.
            end = files.value[-1].end_mark.index
        colon = text.index(":", key.end_mark.index) + 1
        return f"{text[:colon]} {value}{text[colon:start].rstrip()}{text[end:]}"
    if not isinstance(section, yaml.MappingNode):
        return text
    start, column = section.start_mark.index, section.start_mark.column
    if section.flow_style:
        return f"{text[: start + 1]}files: {value}, {text[start + 1 :]}"
    return f"{text[:start]}files: {value}\n{' ' * column}{text[start:]}"


def _child(node: yaml.Node | None, name: str) -> tuple[yaml.Node | None, yaml.Node | None]:
    """The key and the value of an entry."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next(((key, value) for key, value in pairs if key.value == name), (None, None))


def _relative(file: Path, config: Path | None) -> str:
    """The path as a guard.yaml has it: from the folder above its own, where it lies below that."""
    base = (config or configuration.chosen(os.environ)).resolve().parent.parent
    file = file.resolve()
    return str(file.relative_to(base) if file.is_relative_to(base) else file)


def _written(file: Path, config: Path | None) -> str:
    path = _relative(file, config)
    return path if _PLAIN.fullmatch(path) else json.dumps(path, ensure_ascii=False)
