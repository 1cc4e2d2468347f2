"""What holds for every test: nothing of the machine's configuration reaches it."""

from __future__ import annotations

import gc
import os
import sys

import pytest
from hypothesis import settings

# litellm reads this when it is imported, which may be before the first test.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

# Weaviate's client resets all warning filters when imported, unless it sees that someone set any.
sys.warnoptions.append("default")

# A first call may load a model; how long an example takes says nothing here.
settings.register_profile("unhurried", settings.default, deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take our own settings and every API key out of the environment."""
    for name in list(os.environ):
        if name.startswith("ELYSIA_GUARD_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")


@pytest.fixture(autouse=True, scope="module")
def short_pauses() -> None:
    """Hide from the garbage collector what stands when a module begins.

    With thousands of tests in one process it would take half a second, which is longer than the
    deadlines that some of them measure.
    """
    gc.collect()
    gc.freeze()
