"""What the host tests share: one index, the environment put back, with and without a model."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from tests.host.scripted import (
    HASTE_S,
    KINDS,
    USUAL,
    AnyModel,
    ScriptedLM,
    hang,
    hurry,
    load_as_models,
)

from elysia_guard.config import home
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring

if TYPE_CHECKING:
    from tests.host.test_webapp import Chat, Page

MODELS = ("BASE_MODEL", "BASE_PROVIDER", "COMPLEX_MODEL", "COMPLEX_PROVIDER")


def naming_models() -> Settings:
    """Settings that name models, without a key or a Weaviate."""
    settings = Settings()
    for name in MODELS:
        setattr(settings, name, "scripted")
    return settings


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


@pytest.fixture(autouse=True)
def rested_breakers(request: pytest.FixtureRequest) -> None:
    """Let no test find a breaker open because a model failed in one before."""
    if "wiring" in request.fixturenames:
        vars(request.getfixturevalue("wiring")).pop("models", None)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what needs Elysia, whose annotations, fields and scheduler are older than what it uses.

    A scripted model implements an older interface of DSPy too.
    """
    item.add_marker(pytest.mark.host)
    item.add_marker(pytest.mark.filterwarnings("ignore::DeprecationWarning"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test of the tree without a language model, and with one that is wrong.

    Those that use `every_model` are run with one of each kind. A test that leaves kinds out says
    why: `@pytest.mark.without_models("wrong", reason="...")`; one that names none is run without a
    model alone.
    """
    if "any_model" not in metafunc.fixturenames:
        return
    left_out: set[str] = set()
    for mark in metafunc.definition.iter_markers("without_models"):
        assert mark.kwargs["reason"]
        left_out.update(mark.args or KINDS[1:])
    tried = KINDS if "every_model" in metafunc.fixturenames else USUAL
    kinds = [kind for kind in tried if kind not in left_out]
    params = [pytest.param(kind, id=f"model-{kind}") for kind in kinds]
    metafunc.parametrize("any_model", params, indirect=True)


@pytest.fixture
def any_model(
    request: pytest.FixtureRequest, rested_breakers: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AnyModel]:
    """The language model of the user's settings, of the kind that the test is run with.

    Where there is none, nothing may be loaded; where there is one, `tests.host.runs` looks that
    nothing that it makes up is heard.
    """
    model = AnyModel(request.param)
    for name in ("load_base_lm", "load_complex_lm"):
        monkeypatch.setattr(f"elysia.tree.tree.{name}", model.load)
    if model.there:
        # What a tree has that is given no settings, as those of `TreeAsker`.
        monkeypatch.setattr("elysia.tree.tree.environment_settings", naming_models())
    if model.kind == "slow":
        monkeypatch.setenv("ELYSIA_GUARD_LLM__ANSWER_SECONDS", str(HASTE_S))
        if "wiring" in request.fixturenames:
            hurry(request.getfixturevalue("wiring"))
    yield model
    assert not model.loaded_in_vain


@pytest.fixture
def every_model(any_model: AnyModel) -> AnyModel:
    """Ask for one of each kind."""
    return any_model


@pytest.fixture
def bare_settings() -> Settings:
    """Settings without a model, a key or a Weaviate, at Elysia's own log level, INFO."""
    return Settings()


@pytest.fixture
def model_settings() -> Settings:
    """Settings that name four models."""
    return naming_models()


@pytest.fixture
def user_settings(any_model: AnyModel) -> Settings:
    """Settings as a user has them, without a Weaviate: they name the test's models, if any."""
    return naming_models() if any_model.there else Settings()


@pytest.fixture
def new_tree(wiring: Wiring, user_settings: Settings) -> Callable[..., GuardedTree]:
    """Make a guarded tree over the session's parts; arguments are those of `elysia.Tree`."""

    def make(**kwargs: object) -> GuardedTree:
        return GuardedTree(**{"wiring": wiring, "settings": user_settings, **kwargs})

    return make


@pytest.fixture
def tree(new_tree: Callable[..., GuardedTree]) -> GuardedTree:
    """A guarded tree, with the language model of the user's settings."""
    return new_tree()


@pytest.fixture
def with_model(
    wiring: Wiring, model_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[GuardedTree, ScriptedLM]]:
    """Make a tree whose models are one scripted one."""

    def make(*answers: Any, **kwargs: Any) -> tuple[GuardedTree, ScriptedLM]:
        model = ScriptedLM(*answers)
        if hang in answers:
            hurry(wiring)
        load_as_models(monkeypatch, model)
        return GuardedTree(wiring=wiring, settings=model_settings, **kwargs), model

    return make


@pytest.fixture(scope="module")
def chat(wiring: Wiring) -> Iterator[Chat]:
    """A running web app."""
    from tests.host.test_webapp import Chat, running

    from elysia_guard.edge.elysia.webapp import server

    with running(server._settings(wiring)) as address:
        yield Chat(address)


@pytest.fixture
async def page(chat: Chat) -> AsyncIterator[Page]:
    """An open page of it."""
    from tests.host.test_webapp import opened

    async with opened(chat) as page:
        yield page
