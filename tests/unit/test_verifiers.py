"""Second opinions from a local path: what they make of sentences, and how they fail."""

from __future__ import annotations

import asyncio
import builtins
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest
from tests.unit.onnx_models import write_counting

from elysia_guard.adapters.models import ModelCaller, ModelFailedError
from elysia_guard.adapters.verifiers.lettuce import LettuceVerifier
from elysia_guard.adapters.verifiers.local import LocalVerifier
from elysia_guard.adapters.verifiers.onnx import OnnxVerifier
from elysia_guard.domain.errors import CircuitOpenError, ConfigError, SourceTimeoutError
from elysia_guard.domain.events import Event
from elysia_guard.resilience.breaker import Breaker
from elysia_guard.testing.clock import FakeClock

NLI = ("ENTAILMENT", "neutral", "contradiction")
WORDS = ("yes", "perhaps", "no")


class TestOnnx:
    @pytest.mark.parametrize(
        ("names", "words"),
        [
            (NLI, WORDS),
            (NLI[::-1], WORDS[::-1]),
            (("refuted", "supported"), ("no", "yes")),
            ((), ("yes",)),
        ],
    )
    def test_the_output_that_means_support_is_found_by_its_name(
        self, tmp_path: Path, names: Sequence[str], words: Sequence[str]
    ) -> None:
        """Wherever it stands; of one output there is nothing to find."""
        model = OnnxVerifier.load(write_counting(tmp_path / "m", words, names))
        said, denied, other = model.chances([("a", "yes"), ("a", "no"), ("a", "b c d")])
        assert said > 0.9
        assert denied < 0.1
        assert denied <= other < 0.6

    @pytest.mark.parametrize("label", ["2", "contradiction"])
    def test_another_output_may_be_named(self, tmp_path: Path, label: str) -> None:
        model = OnnxVerifier.load(write_counting(tmp_path / "m", WORDS, NLI), label=label)
        assert model.chances([("a", "no")])[0] > 0.9

    def test_long_words_are_read_to_their_end(self, tmp_path: Path) -> None:
        """In windows; a model for texts of one length too."""
        for length in ("t", 24):
            folder = write_counting(tmp_path / f"m{length}", WORDS, NLI, length=length)
            model = OnnxVerifier.load(folder, max_tokens=24)
            long = f"{'b ' * 400} yes {'b ' * 400}"
            assert model.chances([("a", long), ("a", "b " * 800)])[0] > 0.9

    def test_what_speaks_against_a_sentence_counts_wherever_it_stands(self, tmp_path: Path) -> None:
        model = OnnxVerifier.load(write_counting(tmp_path / "m", WORDS, NLI), max_tokens=24)
        assert model.chances([("a", f"yes {'b ' * 200} no")])[0] < 0.1

    def test_a_sentence_without_room_for_words_has_no_chance(self, tmp_path: Path) -> None:
        """And takes nothing from the others."""
        model = OnnxVerifier.load(write_counting(tmp_path / "m", WORDS, NLI), max_tokens=24)
        assert model.chances([("yes " * 60, "yes"), ("a", "yes")])[0] == 0.0
        assert model.chances([("yes " * 60, "yes"), ("a", "yes")])[1] > 0.9
        assert model.chances([]) == []

    def test_the_order_of_the_texts_is_a_setting(self, tmp_path: Path) -> None:
        """Only the words of the source are cut into windows."""
        folder = write_counting(tmp_path / "m", WORDS, NLI)
        model = OnnxVerifier.load(folder, order="sentence_first", max_tokens=24)
        assert model.chances([("a", "b " * 100 + "yes")])[0] > 0.9
        assert model.chances([("b " * 100 + "yes", "a")])[0] == 0.0

    def test_the_id_names_model_and_manner(self, tmp_path: Path) -> None:
        folder = write_counting(tmp_path / "m", WORDS, NLI)
        ids = {
            OnnxVerifier.load(folder).model_id,
            OnnxVerifier.load(folder, label="1").model_id,
            OnnxVerifier.load(folder, order="sentence_first").model_id,
            OnnxVerifier.load(folder, max_tokens=24).model_id,
            OnnxVerifier.load(write_counting(tmp_path / "o" / "m", WORDS[::-1], NLI)).model_id,
        }
        assert len(ids) == 5
        assert all(each.startswith("m@onnx-") for each in ids)

    @pytest.mark.parametrize(
        ("names", "label", "told"),
        [
            ((), "", r"name the output.*3 output\(s\), named: none"),
            (("LABEL_0", "LABEL_1", "LABEL_2"), "", "named: label_0, label_1, label_2"),
            (NLI, "grounded", "is 'grounded'"),
            (NLI, "3", "is '3'"),
        ],
    )
    def test_an_output_that_nothing_names_is_asked_for(
        self, tmp_path: Path, names: Sequence[str], label: str, told: str
    ) -> None:
        folder = write_counting(tmp_path / "m", WORDS, names)
        with pytest.raises(ConfigError, match=rf"verifier\.label.*{told}"):
            OnnxVerifier.load(folder, label=label)

    def test_a_model_that_reads_no_pairs_is_told_at_the_start(self, tmp_path: Path) -> None:
        folder = write_counting(tmp_path / "m", WORDS, NLI, length=2)
        with pytest.raises(ConfigError, match="cannot read a pair"):
            OnnxVerifier.load(folder)
        (folder / "model.onnx").write_bytes(b"no model")
        with pytest.raises(ConfigError, match=r"verifier\.path: .* no model that loads"):
            OnnxVerifier.load(folder)
        (folder / "model.onnx").unlink()
        with pytest.raises(ConfigError, match=r"verifier\.path: .* holds no model\.onnx"):
            OnnxVerifier.load(folder)


class Detector:
    """What LettuceDetect documents of its detector: a row for each token of the answer.

    A token is unsupported where the context has it not. The last row is of the token that closes
    an answer, which is marked as it may be.
    """

    made: ClassVar[list[dict[str, Any]]] = []

    def __init__(self, method: str = "transformer", **kwargs: Any) -> None:
        if "broken" in kwargs["model_path"]:
            raise OSError("no such weights")
        self.made.append({"method": method, **kwargs})

    def predict(
        self,
        context: list[str],
        answer: str,
        question: str | None = None,
        output_format: str = "tokens",
        min_confidence: float = 0.0,
    ) -> list[dict[str, Any]]:
        assert output_format == "tokens"
        told = " ".join(context).split()
        rows = [
            {
                "token": f" {word}",
                "pred": int(word not in told),
                "prob": 0.05 + 0.9 * (word not in told),
            }
            for word in answer.split()
        ]
        return [*rows, {"token": "[SEP]", "pred": 1, "prob": 0.99}] if rows else []


@pytest.fixture
def lettuce(monkeypatch: pytest.MonkeyPatch) -> type[Detector]:
    """The package as it is imported, with a detector that needs no weights."""
    for name in ("lettucedetect", "lettucedetect.models", "lettucedetect.models.inference"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    inference = sys.modules["lettucedetect.models.inference"]
    monkeypatch.setattr(inference, "HallucinationDetector", Detector, raising=False)
    Detector.made.clear()
    return Detector


def folder_of(tmp_path: Path, name: str = "lettuce-base") -> Path:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


class TestLettuceDetect:
    def test_one_unsupported_token_makes_a_sentence_unsupported(
        self, tmp_path: Path, lettuce: type[Detector]
    ) -> None:
        """However many others are supported; what closes the answer is none of it."""
        model = LettuceVerifier.load(folder_of(tmp_path))
        words = "keys are rotated every year"
        said, wrong, nothing = model.chances(
            [(words, words), (f"{words} twice", words), ("", words)]
        )
        assert said == pytest.approx(0.95)
        assert wrong == pytest.approx(0.05)
        assert nothing == 0.0

    def test_the_model_is_that_of_the_folder_and_of_no_hub(
        self, tmp_path: Path, lettuce: type[Detector]
    ) -> None:
        folder = folder_of(tmp_path)
        first = LettuceVerifier.load(folder, lang="de").model_id
        assert lettuce.made == [
            {
                "method": "transformer",
                "model_path": str(folder),
                "lang": "de",
                "local_files_only": True,
            }
        ]
        (folder / "model.safetensors").write_bytes(b"other weights")
        second = LettuceVerifier.load(folder, lang="de").model_id
        assert first.startswith("lettuce-base@lettuce-")
        assert first.endswith("+de")
        assert first != second

    def test_what_is_missing_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lettuce: type[Detector]
    ) -> None:
        with pytest.raises(ConfigError, match=r"holds no config\.json"):
            LettuceVerifier.load(tmp_path)
        with pytest.raises(ConfigError, match="no model that loads: no such weights"):
            LettuceVerifier.load(folder_of(tmp_path, "broken"))
        imported = builtins.__import__

        def without(name: str, *args: Any, **kwargs: Any) -> Any:
            if name.startswith("lettucedetect"):
                raise ImportError(name="lettucedetect")
            return imported(name, *args, **kwargs)

        monkeypatch.setattr(builtins, "__import__", without)
        with pytest.raises(ConfigError, match=r"elysia-guard\[lettucedetect\]"):
            LettuceVerifier.load(folder_of(tmp_path))


class Model:
    """A model that says what a test has it say, and notes what it was asked."""

    model_id = "m"

    def __init__(self, says: Callable[[Sequence[tuple[str, str]]], Sequence[float]]) -> None:
        self.says = says
        self.asked: list[list[str]] = []

    def chances(self, pairs: Sequence[tuple[str, str]], /) -> Sequence[float]:
        self.asked.append([sentence for sentence, _ in pairs])
        return self.says(pairs)


class World:
    """A verifier of a model, with its clock and its breaker."""

    def __init__(self, says: Callable[[Sequence[tuple[str, str]]], Sequence[float]]) -> None:
        self.clock = FakeClock()
        self.events: list[Event] = []
        self.model = Model(says)
        breaker = Breaker("llm", failure_threshold=2, clock=self.clock)
        caller = ModelCaller(
            breaker, self.events.append, deadlines_s={"verify": 4.0}, at_once=4, clock=self.clock
        )
        self.verifier = LocalVerifier(self.model, caller, batch=2, at_most=4)

    def ask(self, *sentences: str) -> Sequence[float]:
        pairs = [(sentence, "words") for sentence in sentences]
        return asyncio.run(self.verifier(pairs, lang="en"))

    @property
    def told(self) -> list[str]:
        return [event.outcome for event in self.events]  # type: ignore[attr-defined]


def yes(pairs: Sequence[tuple[str, str]]) -> list[float]:
    return [len(sentence) / 10 for sentence, _ in pairs]


class TestLocal:
    def test_pairs_are_read_in_batches_and_once(self) -> None:
        """In the order asked for; what was said is remembered, the last used pairs."""
        world = World(yes)
        assert world.ask("a", "bb", "ccc", "a") == (0.1, 0.2, 0.3, 0.1)
        assert world.model.asked == [["a", "bb"], ["ccc"]]
        assert world.ask("ccc", "a") == (0.3, 0.1)
        assert len(world.model.asked) == 2
        world.ask("dddd", "eeeee")
        world.ask("bb")
        assert world.model.asked[-1] == ["bb"]
        assert world.ask() == ()
        assert world.told == ["done"] * 3

    @pytest.mark.parametrize(
        "says",
        [
            lambda pairs: [1.5 for _ in pairs],
            lambda pairs: [float("nan") for _ in pairs],
            lambda _pairs: [],
            lambda pairs: [{}[sentence] for sentence, _ in pairs],
        ],
    )
    def test_nonsense_is_a_failure_that_tells_no_text(
        self, says: Callable[[Any], Sequence[float]]
    ) -> None:
        """And is not remembered; twice, and the model is left alone."""
        world = World(says)
        for _ in range(2):
            with pytest.raises(ModelFailedError) as failed:
                world.ask("secret")
            assert "secret" not in str(failed.value)
        with pytest.raises(CircuitOpenError):
            world.ask("secret")
        assert world.told == ["error", "error", "circuit_open"]

    def test_a_late_model_is_not_waited_for(self) -> None:
        """The reader's loop ends though its thread does not; later batches are not begun."""
        release = threading.Event()

        def hanging(pairs: Sequence[tuple[str, str]]) -> list[float]:
            world.clock.advance(5.0)
            release.wait(60)
            return yes(pairs)

        world = World(hanging)
        with pytest.raises(SourceTimeoutError):
            world.ask("a", "b", "c")
        release.set()
        world.verifier.close()
        assert world.model.asked == [["a", "b"]]
        assert world.told == ["timeout"]
