"""A judge from a local path: a tiny graph, written here, run by the real runtime."""

from __future__ import annotations

import asyncio
import builtins
import json
from pathlib import Path
from typing import Any

import onnx
import pytest
from onnx import TensorProto, helper
from tests.unit.small_world import passage
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from elysia_guard.adapters.judges import JudgeError
from elysia_guard.adapters.onnx import OnnxJudge
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.judgement import Judgement

WORDS = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "encrypted": 4, "TLS": 5}
TELLING = WORDS["TLS"]
PASSAGES = [passage("ADR-0027#1"), passage("POL-0003#0")]


def write(
    folder: Path, *, outputs: int = 1, inputs: tuple[str, ...] = (), length: int | str = "t"
) -> Path:
    """Write a model that counts a word: its score is 4 for each, less 2; or of two outputs both."""
    folder.mkdir(exist_ok=True)
    wanted = inputs or ("input_ids", "attention_mask")
    given = [helper.make_tensor_value_info(n, TensorProto.INT64, ["b", length]) for n in wanted]
    constants = [
        helper.make_tensor("word", TensorProto.INT64, [], [TELLING]),
        helper.make_tensor("axis", TensorProto.INT64, [1], [1]),
        helper.make_tensor("weight", TensorProto.FLOAT, [], [4.0]),
        helper.make_tensor("bias", TensorProto.FLOAT, [], [-2.0]),
    ]
    nodes = [
        helper.make_node("Equal", ["input_ids", "word"], ["is"]),
        helper.make_node("Cast", ["is"], ["one"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["one", "axis"], ["count"], keepdims=1),
        helper.make_node("Mul", ["count", "weight"], ["times"]),
        helper.make_node("Add", ["times", "bias"], ["score"]),
        helper.make_node("Neg", ["score"], ["against"]),
        helper.make_node("Concat", ["against", "score"], ["both"], axis=1),
    ]
    name = "score" if outputs == 1 else "both"
    said = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["b", outputs])]
    graph = helper.make_graph(nodes[: 5 if outputs == 1 else 7], "count", given, said, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    made = Tokenizer(models.WordLevel(WORDS, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    made.save(str(folder / "tokenizer.json"))
    return folder


def judged(judge: OnnxJudge, passages: list[Passage] = PASSAGES) -> list[Judgement]:
    said = asyncio.run(judge("How are connections encrypted?", passages, lang="en"))
    return list(said)


@pytest.mark.parametrize(("label", "answering"), [("1", 0), ("entailment", 0), ("0", 1)])
def test_which_output_means_answers_is_a_setting(
    tmp_path: Path, label: str, answering: int
) -> None:
    """By number, or by the name that the model's own settings give it; another one is a no."""
    folder = write(tmp_path / "nli", outputs=2)
    names = {"id2label": {"0": "not_entailment", "1": "ENTAILMENT"}}
    (folder / "config.json").write_text(json.dumps(names))
    said = judged(OnnxJudge.load(folder, label=label, pair="passage_first"))
    assert said[answering].chance > 0.9
    assert said[answering].answers is None
    assert said[1 - answering].answers is False


def test_the_id_names_model_label_and_pair(tmp_path: Path) -> None:
    """Each of them makes another judge."""
    folder = write(tmp_path / "m", outputs=2)
    ids = {
        OnnxJudge.load(folder, label="0").model_id,
        OnnxJudge.load(folder, label="1").model_id,
        OnnxJudge.load(folder, label="1", pair="passage_first").model_id,
    }
    assert len(ids) == 3
    assert all(item.startswith("m@onnx-") for item in ids)


def test_a_model_for_texts_of_one_length_is_told_so_much(tmp_path: Path) -> None:
    """Shorter ones are padded, longer ones cut, whatever the settings allow."""
    judge = OnnxJudge.load(write(tmp_path / "m", length=24), max_tokens=512)
    long = Passage(
        id="x", document=PASSAGES[0].document, section="", text="a " * 90 + "TLS", position=0
    )
    assert [item.chance > 0.5 for item in judged(judge, [PASSAGES[1], long])] == [False, True]


class TestUnusable:
    @pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
    def test_a_missing_file_is_named(self, tmp_path: Path, name: str) -> None:
        folder = write(tmp_path / "m")
        (folder / name).unlink()
        with pytest.raises(ConfigError, match=f"judge.path: .* holds no {name}"):
            OnnxJudge.load(folder)

    @pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
    def test_a_broken_file_is_no_model(self, tmp_path: Path, name: str) -> None:
        folder = write(tmp_path / "m")
        (folder / name).write_bytes(b"no model")
        with pytest.raises(ConfigError, match="no model that loads"):
            OnnxJudge.load(folder)

    def test_an_unknown_label_names_those_there_are(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "m", outputs=2)
        with pytest.raises(ConfigError, match=r"config\.json names none"):
            OnnxJudge.load(folder, label="entailment")
        (folder / "config.json").write_text(json.dumps({"id2label": {"0": "no", "1": "yes"}}))
        with pytest.raises(ConfigError, match="are: no, yes"):
            OnnxJudge.load(folder, label="entailment")

    @pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
    def test_the_extra_is_named_where_it_is_missing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
    ) -> None:
        imported = builtins.__import__

        def without(name: str, *args: Any, **kwargs: Any) -> Any:
            if name == library:
                raise ImportError(name=library)
            return imported(name, *args, **kwargs)

        monkeypatch.setattr(builtins, "__import__", without)
        with pytest.raises(ConfigError, match=rf"{library}.*elysia-guard\[onnx\]"):
            OnnxJudge.load(tmp_path)

    def test_what_the_model_cannot_run_is_a_failure_of_the_judge(self, tmp_path: Path) -> None:
        """Such as an input that no tokenizer makes, or a label beyond its outputs."""
        strange = write(tmp_path / "a", inputs=("input_ids", "pixel_values"))
        with pytest.raises(JudgeError, match="the ONNX judge failed"):
            judged(OnnxJudge.load(strange))
        beyond = OnnxJudge.load(write(tmp_path / "b", outputs=2), label="7")
        with pytest.raises(JudgeError, match=r"judge\.label is 7"):
            judged(beyond)
