"""A model server in the configuration: what it needs, where its key comes from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.unit.model_server import KEY, LoopbackModels
from tests.unit.served_world import QUESTION, write_world

from elysia_guard import config
from elysia_guard.config import Config
from elysia_guard.direct import Guard
from elysia_guard.domain.errors import ConfigError
from elysia_guard.running import run_anywhere
from elysia_guard.wiring import Wiring

KEY_VARIABLE = "ELYSIA_GUARD_EMBEDDER_API_KEY"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    with LoopbackModels() as models:
        return write_world(tmp_path, models)


def load(file: Path, **environ: str) -> Config:
    return config.load(file, environ={f"ELYSIA_GUARD_{key}": val for key, val in environ.items()})


def test_defaults_are_those_of_ir0003(file: Path) -> None:
    """5, 2 and 30; two seconds for a question."""
    made = load(file)
    breaker = made.circuit_breaker.embeddings
    assert (breaker.failure_threshold, breaker.success_threshold) == (5, 2)
    assert breaker.timeout_seconds == 30
    assert made.embedder.server is not None
    assert (made.embedder.server.timeout_ms, made.embedder.server.batch_size) == (2_000, 32)


def test_the_breaker_is_configurable(file: Path) -> None:
    """By IR0003's keys."""
    made = load(file, CIRCUIT_BREAKER__EMBEDDINGS__FAILURE_THRESHOLD="3")
    assert made.circuit_breaker.embeddings.failure_threshold == 3
    with pytest.raises(ConfigError, match=r"circuit_breaker\.embeddings\.success_threshold is 0"):
        load(file, CIRCUIT_BREAKER__EMBEDDINGS__SUCCESS_THRESHOLD="0")


@pytest.mark.parametrize("key", ["api_key", "api_key_env"])
@pytest.mark.parametrize("without_model", [False, True])
def test_a_key_in_the_file_is_refused_and_not_repeated(
    file: Path, key: str, without_model: bool
) -> None:
    """Neither by the line on the key, nor by one on its section."""
    text = file.read_text(encoding="utf-8").replace("    model:", f"    {key}: {KEY}\n    model:")
    if without_model:
        text = text.replace("    model: hash\n", "")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"embedder\.server\.{key} is not shown") as caught:
        load(file)
    assert KEY not in str(caught.value)


class TestKey:
    def served(self, root: Path, models: LoopbackModels, variable: str) -> Config:
        made = config.load(write_world(root, models), environ={})
        assert made.embedder.server is not None
        server: dict[str, Any] = {
            "url": models.address("openai"),
            "api_key_env": variable,
        }
        return made.model_copy(
            update={
                "embedder": made.embedder.model_copy(
                    update={
                        "kind": "openai",
                        "server": made.embedder.server.model_copy(update=server),
                    }
                )
            }
        )

    def test_it_is_read_at_the_start(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Elysia swaps the environment later; the end of a line is no part of a key."""
        with LoopbackModels() as models:
            monkeypatch.setenv(KEY_VARIABLE, f"{KEY}\n")
            wiring = Wiring(self.served(tmp_path, models, KEY_VARIABLE))
            monkeypatch.delenv(KEY_VARIABLE)
            run_anywhere(wiring.fill_index())
            assert not Guard(wiring=wiring).ask(QUESTION).retrieval_quality.degraded
            wiring.close()
            sent = {request.headers["Authorization"] for request in models.requests}
        assert sent == {f"Bearer {KEY}"}
        assert KEY not in repr(wiring.config) + str(wiring.config.model_dump())

    @pytest.mark.parametrize("held", ["", "ключ", "two\nlines"])
    def test_a_variable_without_a_usable_key_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: str
    ) -> None:
        """When the model is needed, and not before: a vocabulary needs none."""
        monkeypatch.setitem(os.environ, KEY_VARIABLE, held)
        with LoopbackModels() as models:
            wiring = Wiring(self.served(tmp_path, models, KEY_VARIABLE))
            assert wiring.vocabulary
            with pytest.raises(ConfigError, match=rf"the variable {KEY_VARIABLE} holds no key"):
                _ = wiring.embedder
            with pytest.raises(ConfigError, match="holds no key"):
                run_anywhere(wiring.fill_index())
