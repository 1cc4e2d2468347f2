"""Reading ``thresholds.yaml``: limits alone borrow the calibrations that ship."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from elysia_guard.config.files import read_yaml, validate
from elysia_guard.config.places import shipped_thresholds
from elysia_guard.config.thresholds import ThresholdsFile
from elysia_guard.domain.thresholds import Thresholds


def read_thresholds(path: Path) -> ThresholdsFile:
    """Read ``thresholds.yaml``, with what it says of its calibration.

    A file may hold limits alone, as IR0003 writes it: the calibrations are then those that ship.
    Those of words alone, which depend on no embedder, are borrowed by themselves too.

    Raises:
        ConfigError: it is missing, or a key or value of it cannot be used.
    """
    raw = read_yaml(path)
    default = raw.get("default")
    for key in ("calibration", "words_alone", "forms_alone"):
        if isinstance(default, dict) and key not in default:
            _borrow(key, raw, read_yaml(shipped_thresholds()))
    return validate(ThresholdsFile, raw, path)


def _borrow(key: str, raw: dict[str, Any], shipped: Mapping[str, Any]) -> None:
    """Give limits without a calibration the one that ships, collection by collection."""
    if key not in shipped["default"]:
        return
    raw["default"][key] = shipped["default"][key]
    if key == "calibration" and "fitted" in shipped:
        raw.setdefault("fitted", shipped["fitted"])
    sections = raw.get("collections")
    for name, section in (sections if isinstance(sections, dict) else {}).items():
        own = shipped["collections"].get(name, {}).get(key)
        if own and isinstance(section, dict):
            section.setdefault(key, own)


def load_thresholds(path: Path) -> Thresholds:
    """Read ``thresholds.yaml`` as the gates use it.

    Raises:
        ConfigError: it is missing, or a key or value of it cannot be used.
    """
    return read_thresholds(path).thresholds()
