"""What the host tests share: one index, the machine's environment put back, and no model."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator

import pytest

from elysia_guard.config import home
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring

MODELS = ("BASE_MODEL", "BASE_PROVIDER", "COMPLEX_MODEL", "COMPLEX_PROVIDER")


@pytest.fixture(scope="session")
def wiring(tmp_path_factory: pytest.TempPathFactory) -> Wiring:
    """The shipped vocabulary, and an index of the shipped documents, built once a session."""
    data = home() / "data"
    parts = Wiring.load(
        index=tmp_path_factory.mktemp("index") / "index.sqlite",
        vocabulary=data / "vocabulary" / "vennet.ttl",
    )
    asyncio.run(parts.fill_index([data / "knowledge"]))
    return parts


@pytest.fixture(autouse=True)
def same_environment(clean_environment: None) -> Iterator[None]:
    """Put back `os.environ` itself: Elysia replaces the object, which monkeypatch cannot undo."""
    before = os.environ
    yield
    os.environ = before  # noqa: B003


@pytest.fixture
def no_llm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail when a language model is as much as loaded."""
    loaded: list[str] = []

    def load(settings: Settings) -> None:
        loaded.append(str(settings.BASE_MODEL))
        raise AssertionError("a language model was loaded")

    monkeypatch.setattr("elysia.tree.tree.load_base_lm", load)
    monkeypatch.setattr("elysia.tree.tree.load_complex_lm", load)
    yield
    assert loaded == []


@pytest.fixture
def bare_settings() -> Settings:
    """Settings without a model, a key or a Weaviate, at Elysia's own log level, INFO."""
    return Settings()


@pytest.fixture
def model_settings() -> Settings:
    """Settings that name four models."""
    settings = Settings()
    for name in MODELS:
        setattr(settings, name, "scripted")
    return settings


@pytest.fixture
def new_tree(wiring: Wiring, bare_settings: Settings) -> Callable[..., GuardedTree]:
    """Make a guarded tree over the session's parts; arguments are those of `elysia.Tree`."""

    def make(**kwargs: object) -> GuardedTree:
        return GuardedTree(**{"wiring": wiring, "settings": bare_settings, **kwargs})

    return make


@pytest.fixture
def tree(new_tree: Callable[..., GuardedTree]) -> GuardedTree:
    """A guarded tree without a language model."""
    return new_tree()
