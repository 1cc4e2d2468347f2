"""Collections that are called otherwise in guard.yaml than in thresholds.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from elysia_guard import config as configuration
from elysia_guard.config.thresholds import by_collection
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.edge.cli import doctor_settings
from elysia_guard.wiring import Wiring

FILE = Path("thresholds.yaml")
NAMES = {"decision": "Ours", "principle": "Principle_Ollama", "vocabulary": "Words"}


def wiring(**renamed: str) -> Wiring:
    values = {f"ELYSIA_GUARD_COLLECTIONS__{kind.upper()}": name for kind, name in renamed.items()}
    return Wiring(configuration.load(environ=values))


def limits(made: Wiring) -> Thresholds:
    return made._limits(made.config.thresholds)


def test_c5_renamed_collections_keep_their_limits() -> None:
    """Who renames a collection in guard.yaml keeps the limits that ship for its kind."""
    shipped = configuration.load_thresholds(wiring().config.thresholds)
    renamed = limits(wiring(decision="Besluiten", policy="Beleid"))
    for new, old in (("Besluiten", "ADR_Ollama"), ("Beleid", "Policy_Ollama")):
        assert renamed.for_collection(new) == shipped.for_collection(old)
    assert renamed.for_collection("Policy_Ollama") == shipped.default


def test_c5_doctor_names_the_key_of_a_renamed_collection() -> None:
    """Doctor shows the limits in force under the new name, with the key that sets them."""
    found = doctor_settings.thresholds(wiring(policy="Beleid"))
    row = next(row for row in found.rows if row[0] == "Beleid")
    assert row[-1].startswith("collections.Policy_Ollama")


def test_c5_the_nearest_name_wins() -> None:
    """A collection's own name comes before its kind, and its kind before what ships."""
    sections = {"ADR_Ollama": 3, "decision": 2, "Ours": 1}
    assert by_collection(sections, NAMES, FILE) == {"Ours": 1}
    assert by_collection({"ADR_Ollama": 3, "decision": 2}, NAMES, FILE) == {"Ours": 2}


def test_c5_an_unknown_collection_is_told_with_the_way_out() -> None:
    """A section that names no collection is an error that names the key and all that would do."""
    with pytest.raises(ConfigError) as raised:
        by_collection({"ADR_Olama": 1}, NAMES, FILE)
    for part in (
        "thresholds.yaml",
        "collections.ADR_Olama",
        "decision: Ours",
        "name it by its kind",
    ):
        assert part in str(raised.value)
