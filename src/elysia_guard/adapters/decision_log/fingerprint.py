"""A hash of what decides: the limits, and the configuration without its secrets."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping

LENGTH = 12

# What is written down, and how loudly, decides no question.
_SILENT = frozenset(
    {
        "conversations",
        "decision_log",
        "log_level",
        "log_queries",
        "server",
        "shadow_thresholds",
        "thresholds",
    }
)
_SECRET = re.compile(r"key|token|secret|password", re.IGNORECASE)
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")


def fingerprint(*settings: Mapping[str, object]) -> str:
    """Return a short hash of settings; the order of their keys and their secrets do not matter."""
    plain = [_without_secrets(item) for item in settings]
    text = json.dumps(plain, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


def deciding(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings that can change a decision; the limits are hashed by what they say."""
    return {name: value for name, value in settings.items() if name not in _SILENT}


def _without_secrets(value: object) -> object:
    if isinstance(value, Mapping):
        return {
            str(name): _without_secrets(item)
            for name, item in value.items()
            if not _SECRET.search(str(name))
        }
    if isinstance(value, list | tuple):
        return [_without_secrets(item) for item in value]
    return _CREDENTIALS.sub("", value) if isinstance(value, str) else value
