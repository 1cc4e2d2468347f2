"""What all sections of the settings have in common."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0.0, le=1.0)]
CosineDistance = Annotated[float, Field(ge=0.0, le=2.0)]
KeyVariable = Annotated[str, Field(pattern=r"^([A-Z][A-Z0-9_]*)?$")]
"""The name of the variable that holds a key; empty where there is none."""


class Section(BaseModel):
    """A section: unknown keys are errors, and nothing changes once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class BreakerSection(Section):
    """When a source is left alone: after how many failures, for how long (IR0003)."""

    failure_threshold: Annotated[int, Field(ge=1)] = 5
    success_threshold: Annotated[int, Field(ge=1)] = 2
    timeout_seconds: Annotated[float, Field(gt=0)] = 30.0
