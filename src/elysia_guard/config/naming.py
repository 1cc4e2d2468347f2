"""Which collection a section of ``thresholds.yaml`` is about, when collections are renamed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.own_kinds import OwnKinds

VOCABULARY = "vocabulary"
SHIPPED = MappingProxyType(
    {
        "ADR_Ollama": "decision",
        "Principle_Ollama": "principle",
        "Policy_Ollama": "policy",
        "Document_Ollama": "document",
        "Vocabulary_Ollama": VOCABULARY,
    }
)
"""What the collections are called that ship, and which kind each holds."""

Limits = TypeVar("Limits")


def with_own(raw: dict[str, Any], kinds: OwnKinds) -> dict[str, Any]:
    """Return settings in which each kind of a house's own has a collection, named there or here."""
    named = raw.get("collections")
    if not isinstance(named, dict):
        return raw
    own = {item.kind.value: item.collection for item in kinds.further}
    return {**raw, "collections": named | {key: own[key] for key in own if key not in named}}


def by_collection(
    sections: Mapping[str, Limits],
    names: Mapping[str, str],
    path: Path,
    *,
    like: Mapping[str, str] | None = None,
) -> dict[str, Limits]:
    """Return the sections under the names that the collections have in ``guard.yaml``.

    A section is named by a collection, by a kind (``decision``), or by what ships: limits belong
    to a kind of document, whatever its collection is called. The nearest name wins, in this order.

    Args:
        sections: as ``thresholds.yaml`` names them.
        names: the collection of each kind, and of ``vocabulary``.
        path: of the file, for the message.
        like: collections that have, without a section of their own, that of another.

    Raises:
        ConfigError: a section names none of them.
    """
    found: dict[str, Limits] = {}
    for section in sorted(sections, key=lambda name: _nearness(name, names)):
        name = _collection(section, names)
        if name is None:
            kinds = "; ".join(f"{kind}: {name}" for kind, name in names.items())
            raise ConfigError(
                f"{path}: collections.{section} is none of the collections in guard.yaml; name it "
                f"by its kind or as it is called there ({kinds})"
            )
        found.setdefault(name, sections[section])
    return {name: found[other] for name, other in (like or {}).items() if other in found} | found


def _collection(section: str, names: Mapping[str, str]) -> str | None:
    if section in names.values():
        return section
    return names.get(section) or names.get(SHIPPED.get(section, ""))


def _nearness(section: str, names: Mapping[str, str]) -> int:
    return 0 if section in names.values() else 1 if section in names else 2
