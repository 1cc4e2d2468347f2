"""What all sections of the settings have in common, and how paths in them are taken."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo

_SQLITE_FILE = re.compile(r"(sqlite(?:\+\w+)?:///)(?![/:]|file:|$)(.+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Folders:
    """What relative paths are taken from: those of what is read, and of what the program keeps."""

    read: Path
    kept: Path


def _read(path: Path, info: ValidationInfo) -> Path:
    return info.context.read / path if info.context else path


def _kept(path: Path, info: ValidationInfo) -> Path:
    return info.context.kept / path if info.context else path


def _kept_url(url: str, info: ValidationInfo) -> str:
    found = _SQLITE_FILE.fullmatch(url)
    return f"{found[1]}{info.context.kept / found[2]}" if found and info.context else url


ReadPath = Annotated[Path, AfterValidator(_read)]
KeptPath = Annotated[Path, AfterValidator(_kept)]
KeptUrl = Annotated[str, Field(repr=False), AfterValidator(_kept_url)]
"""The address of a database; a relative SQLite file is taken from where things are kept."""
Share = Annotated[float, Field(ge=0.0, le=1.0)]
CosineDistance = Annotated[float, Field(ge=0.0, le=2.0)]
KeyVariable = Annotated[str, Field(pattern=r"^([A-Z][A-Z0-9_]*)?$")]
"""The name of the variable that holds a key; empty where there is none."""


class SettingsSection(BaseModel):
    """A section: unknown keys are errors, and nothing changes once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class BreakerSection(SettingsSection):
    """When a source is left alone: after how many failures, for how long (IR0003)."""

    failure_threshold: Annotated[int, Field(ge=1)] = 5
    success_threshold: Annotated[int, Field(ge=1)] = 2
    timeout_seconds: Annotated[float, Field(gt=0)] = 30.0
