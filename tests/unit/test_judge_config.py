"""A judge in the configuration: what it needs, what is made of it, and what doctor says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.judge_server import Decide, Fault, JudgeServer
from tests.unit.model_server import LoopbackModels
from tests.unit.served_world import write_world
from tests.unit.test_onnx import write_count

from elysia_guard import config
from elysia_guard.config import Config, JudgeSection
from elysia_guard.domain.calibration import JudgeCalibration
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.events import Event
from elysia_guard.edge.cli import doctor_checks
from elysia_guard.edge.cli.doctor_surroundings import Check, PartState
from elysia_guard.running import run_anywhere
from elysia_guard.wiring import Wiring

KEY_VARIABLE = "ELYSIA_GUARD_JUDGE_API_KEY"
WORTH = JudgeCalibration(
    model="m@rerank+probability",
    intercept=0.0,
    confidence=1.0,
    judged=1.0,
    asserted_from=0.9,
    ceiling=0.98,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    with LoopbackModels() as models:
        return write_world(tmp_path, models)


def reads(_question: str, texts: Sequence[str]) -> list[float]:
    """Prefer what tells how often."""
    return [0.95 if "Keys are rotated every year." in text else 0.05 for text in texts]


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer(reads) as made:
        yield made


def load(file: Path, **environ: str) -> Config:
    return config.load(file, environ={f"ELYSIA_GUARD_{key}": val for key, val in environ.items()})


def chosen(**values: object) -> Config:
    section = JudgeSection.model_validate(values)
    return config.load().model_copy(update={"judge": section})


@pytest.fixture
def wired() -> Iterator[Callable[..., Wiring]]:
    made: list[Wiring] = []

    def make(*, observe: Callable[[Event], None] | None = None, **values: object) -> Wiring:
        made.append(Wiring(chosen(**values), observe=observe))
        return made[-1]

    yield make
    for item in made:
        item.close()


def test_the_calibration_is_a_section_of_the_thresholds(tmp_path: Path) -> None:
    text = (config.home() / "config" / "thresholds.yaml").read_text()
    file = tmp_path / "thresholds.yaml"
    file.write_text(
        f"{text}\njudge: {{model: m@rerank+probability, intercept: 0.0, confidence: 1.0, "
        "judged: 1.0, asserted_from: 0.9, ceiling: 0.98}\n"
    )
    assert config.load_thresholds(file).judge == WORTH
    assert config.load_thresholds(config.home() / "config" / "thresholds.yaml").judge is None


def ask(wiring: Wiring) -> Sequence[object]:
    assert wiring.relevance_judge is not None
    passages = [doctor_checks.ANSWERING] * 2
    return list(run_anywhere(wiring.relevance_judge.judge("How often?", passages, lang="en")))


class TestMade:
    def test_each_kind_answers(
        self, wired: Callable[..., Wiring], server: JudgeServer, tmp_path: Path
    ) -> None:
        """From any loop, and once about the same."""
        write_count(tmp_path / "m")
        for values in (
            {"kind": "rerank", "url": server.url},
            {"kind": "onnx", "path": tmp_path / "m"},
        ):
            wiring = wired(**values)
            assert ask(wiring) == ask(wiring)
        assert len(server.requests) == 1

    def test_the_key_comes_from_the_environment(
        self, wired: Callable[..., Wiring], server: JudgeServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is a secret; without it nothing starts."""
        values = {"kind": "rerank", "url": server.url, "api_key_env": KEY_VARIABLE}
        monkeypatch.delenv(KEY_VARIABLE, raising=False)
        with pytest.raises(ConfigError, match=rf"judge\.api_key_env: .*{KEY_VARIABLE}"):
            _ = wired(**values).relevance_judge
        monkeypatch.setitem(os.environ, KEY_VARIABLE, "sk-made-up")
        wiring = wired(**values)
        ask(wiring)
        assert server.keys == ["Bearer sk-made-up"]
        assert "sk-made-up" in wiring.secrets


class TestDoctor:
    def look(
        self, wired: Callable[..., Wiring], server: JudgeServer, worth: JudgeCalibration | None
    ) -> Check:
        wiring = wired(kind="rerank", url=server.url, model="m")
        wiring.ensure_index()
        limits = replace(wiring.pipeline.thresholds, judge=worth)
        wiring.pipeline = replace(wiring.pipeline, thresholds=limits)
        return doctor_checks.judge(wiring)

    @pytest.mark.parametrize(
        ("worth", "said"),
        [
            (
                None,
                "not calibrated, so it may order and lower, and raise nothing: python -m",
            ),
            (replace(WORTH, model="other"), "the calibration is of other"),
            (replace(WORTH, asserted_from=None), "nothing is asserted for it"),
            (WORTH, "asserts from 0.90 on, where 0.980"),
        ],
    )
    def test_it_tells_who_judges_and_what_that_is_worth(
        self,
        wired: Callable[..., Wiring],
        server: JudgeServer,
        worth: JudgeCalibration | None,
        said: str,
    ) -> None:
        found = self.look(wired, server, worth)
        assert (found.state, found.needed) == (PartState.OK, False)
        assert found.text.startswith("m@rerank+probability, 8 passages a question; answers in ")
        assert said in found.text
        assert found.data["calibrated"] is bool(worth and worth.model == "m@rerank+probability")

    @pytest.mark.parametrize("decide", [lambda *_: [0.95, 0.95], lambda *_: [0.95, 0.05]])
    def test_one_that_does_not_read_is_told(
        self, wired: Callable[..., Wiring], server: JudgeServer, decide: Decide
    ) -> None:
        """Whatever a calibration under its name says."""
        server.decide = decide
        found = self.look(wired, server, WORTH)
        assert (found.state, found.needed) == (PartState.ERROR, False)
        assert "does not prefer the one that answers" in found.text

    def test_one_that_fails_is_not_needed(
        self, wired: Callable[..., Wiring], server: JudgeServer
    ) -> None:
        """The guard answers without it."""
        server.fault = Fault.ERROR
        found = self.look(wired, server, None)
        assert (found.state, found.needed) == (PartState.ERROR, False)
        assert "status 500; the gates judge alone until it answers" in found.text
