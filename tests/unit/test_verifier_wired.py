"""A second opinion in the configuration: what comes of it, and what doctor says of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from tests.unit.onnx_models import write_counting
from tests.unit.test_verifiers import NLI, WORDS, Detector, folder_of
from tests.writer_server import Asked, Sentence, WriterServer

from elysia_guard import Guard, RAGResponse
from elysia_guard.config import (
    AnswerCacheSection,
    Config,
    VerifierSection,
    WriterSection,
    home,
    load,
    load_thresholds,
)
from elysia_guard.domain.calibration import VerifierCalibration
from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.cli import verifier_check
from elysia_guard.edge.cli.surroundings import Check, State
from elysia_guard.wiring import Wiring

ASKED = "How often are keys rotated?"
FACT = "Keys are rotated every twelve months by the yes team."
NEAR = "Every key is replaced every twelve months by the yes team."
"""The tiny model finds a 'yes' in either text, and takes it for support."""


def near(asked: Asked) -> Sequence[Sentence]:
    return [(NEAR, [(asked.saying(FACT), FACT)])]


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """A folder of its own with a document, and its index."""
    base = tmp_path_factory.mktemp("keys")
    folder = base / "policies"
    folder.mkdir()
    (folder / "keys.md").write_text(f"# Keys\n\n## Rules\n\n{FACT}\n", encoding="utf-8")
    shipped = load(home() / "config" / "guard.yaml", environ={})
    made = shipped.naming("index", kind="sqlite", path=base / "index.sqlite", sources=[folder])
    made = made.model_copy(
        update={"log_level": "ERROR", "answer_cache": AnswerCacheSection(enabled=False)}
    )
    Wiring(made).ensure_index()
    return made


@pytest.fixture
def server() -> Iterator[WriterServer]:
    with WriterServer(near) as made:
        yield made


def wired(config: Config, server: WriterServer | None, **verifier: object) -> Wiring:
    sections: dict[str, object] = {"verifier": VerifierSection.model_validate(verifier)}
    if server:
        sections["writer"] = WriterSection(kind="language_model", url=server.url, model="m")
    return Wiring(config.model_copy(update=sections))


def asked(wiring: Wiring) -> RAGResponse:
    reply = Guard(wiring=wiring).ask(ASKED)
    wiring.close()
    return reply


@pytest.mark.parametrize(("words", "shown"), [(WORDS, True), (WORDS[::-1], False)])
def test_an_onnx_model_decides_on_what_code_leaves_open(
    config: Config, server: WriterServer, tmp_path: Path, words: Sequence[str], shown: bool
) -> None:
    """A model that takes the 'yes' for the contrary shows nothing; each call is counted."""
    folder = write_counting(tmp_path / "nli", words, NLI)
    wiring = wired(config, server, kind="onnx", path=folder)
    reply = asked(wiring)
    assert (NEAR in reply.answer) is shown
    assert reply.retrieval_quality.fallback_reasons == ()
    counted = wiring.metrics.registry.get_sample_value
    assert counted("llm_request_total", {"purpose": "verify"}) == 1


def test_lettucedetect_does_so_too(
    config: Config, server: WriterServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it knows every token of the sentence; here it does not know 'Every'."""
    for name in ("lettucedetect", "lettucedetect.models", "lettucedetect.models.inference"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    inference = sys.modules["lettucedetect.models.inference"]
    monkeypatch.setattr(inference, "HallucinationDetector", Detector, raising=False)
    folder = folder_of(tmp_path)
    assert NEAR not in asked(wired(config, server, kind="lettucedetect", path=folder)).answer
    other = "Keys are rotated every twelve months by the yes team. Keys are rotated"
    server.script = lambda told: [(other, [(told.saying(FACT), FACT)])]
    assert other in asked(wired(config, server, kind="lettucedetect", path=folder)).answer


def test_a_model_that_fails_shows_nothing_and_is_told(
    config: Config, server: WriterServer, tmp_path: Path
) -> None:
    folder = write_counting(tmp_path / "nli", WORDS, NLI)
    wiring = wired(config, server, kind="onnx", path=folder)
    assert wiring.verifier is not None
    wiring.verifier.close()  # type: ignore[attr-defined]
    reply = asked(wiring)
    assert NEAR not in reply.answer
    assert FACT in reply.answer
    assert reply.retrieval_quality.fallback_reasons == ("verifier_error",)


@pytest.mark.parametrize("kind", ["onnx", "lettucedetect"])
def test_a_folder_is_needed(kind: str) -> None:
    with pytest.raises(ValueError, match=f"kind '{kind}' needs path"):
        VerifierSection.model_validate({"kind": kind})


def test_a_folder_without_a_model_is_told_before_any_question(
    config: Config, server: WriterServer, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=r"verifier\.path"):
        asked(wired(config, server, kind="onnx", path=tmp_path))


def test_a_path_is_relative_to_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "config" / "guard.yaml"
    file.parent.mkdir()
    shipped = (home() / "config" / "guard.yaml").read_text(encoding="utf-8")
    file.write_text(f"{shipped}\nverifier: {{kind: onnx, path: models/nli}}\n", encoding="utf-8")
    assert load(file, environ={}).verifier.path == tmp_path / "models" / "nli"


class TestCalibration:
    def limits(self, config: Config, tmp_path: Path, model: str, limit: str) -> Config:
        """The shipped limits with a calibration of some verifier."""
        told = (
            f"{{model: '{model}', sentences: 800, supported_from: {limit}, kept: 0.9, shown: 0.02}}"
        )
        file = tmp_path / "thresholds.yaml"
        file.write_text(f"{config.thresholds.read_text('utf-8')}\nverifier: {told}\n", "utf-8")
        return config.model_copy(update={"thresholds": file})

    @pytest.mark.parametrize(
        ("own", "limit", "shown"),
        [(True, "0.9", True), (True, "1.0", False), (True, "null", False), (False, "null", True)],
    )
    def test_it_says_from_which_chance_on_a_sentence_is_shown(
        self,
        config: Config,
        server: WriterServer,
        tmp_path: Path,
        own: bool,
        limit: str,
        shown: bool,
    ) -> None:
        """Null is never; that of another model is none, and ``writer.supported_from`` counts."""
        folder = write_counting(tmp_path / "nli", WORDS, NLI)
        verifier = wired(config, server, kind="onnx", path=folder).verifier
        assert verifier is not None
        changed = self.limits(config, tmp_path, verifier.model_id if own else "another", limit)
        reply = asked(wired(changed, server, kind="onnx", path=folder))
        assert (NEAR in reply.answer) is shown

    def test_it_is_read_and_bounded(self, config: Config, tmp_path: Path) -> None:
        changed = self.limits(config, tmp_path, "m", "0.9")
        assert load_thresholds(changed.thresholds).verifier == VerifierCalibration(
            model="m", sentences=800, supported_from=0.9, kept=0.9, shown=0.02
        )
        wrong = self.limits(config, tmp_path, "m", "1.9")
        with pytest.raises(ConfigError, match="supported_from"):
            load_thresholds(wrong.thresholds)


class TestDoctor:
    def look(self, wiring: Wiring, worth: VerifierCalibration | None = None) -> Check:
        pipeline = wiring.pipeline
        object.__setattr__(pipeline, "thresholds", replace(pipeline.thresholds, verifier=worth))
        try:
            return verifier_check.look(wiring)
        finally:
            wiring.close()

    def test_it_tells_that_there_is_none(self, config: Config) -> None:
        check = self.look(wired(config, None))
        assert (check.state, check.data) == (State.OK, {"kind": "none"})
        assert "none is configured" in check.text

    def test_it_asks_about_two_sentences(self, config: Config, tmp_path: Path) -> None:
        """One that the words say, and one that they do not."""
        folder = write_counting(tmp_path / "nli", WORDS, NLI)
        check = self.look(wired(config, None, kind="onnx", path=folder))
        assert check.state is State.ERROR
        assert "does not prefer the one that the words say" in check.text

    @pytest.mark.parametrize(
        ("worth", "told"),
        [
            (None, "not calibrated: shows from 0.8 on, which is writer.supported_from"),
            (VerifierCalibration(model="x", sentences=9), "the calibration is of x: shows from"),
            (
                VerifierCalibration(model="", sentences=9, supported_from=0.7, kept=0.6),
                "shows from 0.70 on; of 9 sentences left out, 0.600 of the supported",
            ),
            (VerifierCalibration(model="", sentences=9), "on 9 sentences, and not asked"),
        ],
    )
    def test_it_says_what_the_limit_rests_on(
        self,
        config: Config,
        server: WriterServer,
        worth: VerifierCalibration | None,
        told: str,
    ) -> None:
        with WriterServer(near) as other:
            other.doubts = lambda sentence: "green" in sentence
            wiring = wired(config, server, kind="language_model", url=other.url, model="other")
            assert wiring.verifier is not None
            if worth and not worth.model:
                worth = replace(worth, model=wiring.verifier.model_id)
            check = self.look(wiring, worth)
        assert check.state is State.OK
        assert told in check.text
        assert check.data["calibrated"] is (worth is not None and worth.model != "x")
        assert "nobody writes" not in check.text

    def test_it_says_that_nobody_writes(self, config: Config) -> None:
        with WriterServer(near) as other:
            other.doubts = lambda sentence: "green" in sentence
            check = self.look(
                wired(config, None, kind="language_model", url=other.url, model="other")
            )
        assert "nobody writes, so it is not asked" in check.text

    def test_it_tells_one_that_is_down(self, config: Config, server: WriterServer) -> None:
        wiring = wired(config, server, kind="language_model", url="http://127.0.0.1:9", model="m")
        check = self.look(wiring)
        assert check.state is State.ERROR
        assert "not shown until it answers" in check.text
