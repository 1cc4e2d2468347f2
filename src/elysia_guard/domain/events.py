"""What happens to a question, as facts. Observers write them down; stages do not know how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """Something that happened while a question was worked on."""

    request_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestStarted(Event):
    """A question came in."""

    route: str
    query: str


@dataclass(frozen=True, kw_only=True, slots=True)
class StageEnded(Event):
    """A stage did its work, in ``elapsed_ms`` milliseconds."""

    stage: str
    elapsed_ms: float
    note: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestEnded(Event):
    """A response left; ``reason`` is None when the question was answered."""

    route: str
    reason: str | None
    fallback_flags: tuple[str, ...]
    total_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceFailed(Event):
    """A source could not be asked."""

    source: str
    timeout: bool
