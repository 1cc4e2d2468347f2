"""Models from a local path: tiny graphs, written here, run by the real runtime."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import yaml
from onnx import NodeProto, TensorProto, ValueInfoProto, helper
from tests.contract.embedder_contract import TEXTS, EmbedderContract
from tests.unit.model_server import LoopbackModels
from tests.unit.served_world import QUESTION, write_world
from tests.unit.small_world import passage
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from elysia_guard import config
from elysia_guard.adapters.onnx import OnnxEmbedder
from elysia_guard.domain.errors import ConfigError, SourceUnavailableError
from elysia_guard.ports import Embedder
from elysia_guard.running import run_anywhere
from elysia_guard.wiring import Wiring

WIDTH = 512
PREFIXES = {"question_prefix": "query: ", "passage_prefix": "passage: "}
DECISION = "---\nidentifier: ADR-0001\n---\n# A\n\nConnections are encrypted with TLS.\n"
WORDS = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "encrypted": 4, "TLS": 5}
PASSAGES = [passage("ADR-0027#1"), passage("POL-0003#0")]


def save(
    folder: Path,
    nodes: Sequence[NodeProto],
    made: ValueInfoProto,
    held: Sequence[TensorProto],
    *,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    length: int | str = "t",
) -> None:
    """Write the graph of a model of batches of tokens."""
    folder.mkdir(exist_ok=True)
    given = [helper.make_tensor_value_info(n, TensorProto.INT64, ["b", length]) for n in inputs]
    graph = helper.make_graph(nodes, "made", given, [made], held)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))


def tokenizer(known: dict[str, int]) -> Tokenizer:
    """A tokenizer of whole words."""
    made = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made


def write_words(folder: Path, *, texts: tuple[str, ...] = TEXTS, pooled: bool = False) -> Path:
    """Write a model that gives each word a direction of its own, and rows of padding a far one."""
    words = sorted({word for text in texts for word in _words(f"{text} query passage : are ?")})
    known = {"[PAD]": 0, "[UNK]": 1} | {word: n for n, word in enumerate(words, start=2)}
    table = np.eye(len(known), WIDTH, dtype=np.float32)
    table[0] = 9.0
    held = [
        helper.make_tensor("table", TensorProto.FLOAT, table.shape, table.ravel()),
        helper.make_tensor("axis", TensorProto.INT64, [1], [1]),
    ]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["rows"])]
    if pooled:
        nodes.append(helper.make_node("ReduceSum", ["rows", "axis"], ["one"], keepdims=0))
    name, shape = ("one", ["b", WIDTH]) if pooled else ("rows", ["b", "t", WIDTH])
    save(folder, nodes, helper.make_tensor_value_info(name, TensorProto.FLOAT, shape), held)
    tokenizer(known).save(str(folder / "tokenizer.json"))
    return folder


def write_count(
    folder: Path,
    *,
    outputs: int = 1,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    length: int | str = "t",
) -> Path:
    """Write a model that counts a word: its score is 4 for each, less 2; or of two outputs both."""
    constants = [
        helper.make_tensor("word", TensorProto.INT64, [], [WORDS["TLS"]]),
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
    used, name = (nodes[:5], "score") if outputs == 1 else (nodes, "both")
    said = helper.make_tensor_value_info(name, TensorProto.FLOAT, ["b", outputs])
    save(folder, used, said, constants, inputs=inputs, length=length)
    made = tokenizer(WORDS)
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    made.save(str(folder / "tokenizer.json"))
    return folder


def _words(text: str) -> list[str]:
    return [word for word, _ in pre_tokenizers.Whitespace().pre_tokenize_str(text)]


def embedded(model: Embedder, *texts: str) -> list[Any]:
    return list(asyncio.run(model.embed(texts)))


class TestContract(EmbedderContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = write_words(tmp_path / "e5")

    def make(self) -> Embedder:
        return OnnxEmbedder.load(self.path)


def test_questions_and_passages_are_marked_as_the_settings_say(tmp_path: Path) -> None:
    """Another mark of passages makes other vectors, and is part of the name."""
    folder = write_words(tmp_path / "m", texts=("ebb",))
    plain, marked = OnnxEmbedder.load(folder), OnnxEmbedder.load(folder, **PREFIXES)
    (passage,) = embedded(marked, "ebb")
    assert np.allclose(passage, embedded(plain, "passage: ebb")[0])
    assert np.allclose(asyncio.run(marked.embed_question("ebb")), embedded(plain, "query: ebb")[0])
    assert plain.model_id != marked.model_id
    assert marked.model_id.startswith("m@onnx-")


def test_a_model_that_makes_one_vector_a_text_is_taken_at_its_word(tmp_path: Path) -> None:
    """Its own pooling counts."""
    model = OnnxEmbedder.load(write_words(tmp_path / "m", texts=("ebb flood",), pooled=True))
    (ebb,), (both,) = embedded(model, "ebb"), embedded(model, "ebb flood")
    assert float(np.dot(ebb, both)) == pytest.approx(1 / np.sqrt(2), abs=1e-6)


def test_long_texts_are_cut(tmp_path: Path) -> None:
    folder = write_words(tmp_path / "m", texts=("ebb flood",))
    cut = OnnxEmbedder.load(folder, max_tokens=16)
    (vector,) = embedded(cut, "ebb " * 16 + "flood " * 90)
    assert np.allclose(vector, embedded(cut, "ebb")[0])
    assert cut.model_id != OnnxEmbedder.load(folder).model_id


def test_a_model_of_no_vectors_is_told(tmp_path: Path) -> None:
    """At the start, without what the runtime says."""
    folder = write_words(tmp_path / "m")
    model = onnx.load(str(folder / "model.onnx"))
    model.graph.output[0].name = "axis"
    del model.graph.output[0].type.tensor_type.shape.dim[:]
    model.graph.output[0].type.tensor_type.elem_type = TensorProto.INT64
    onnx.save(model, str(folder / "model.onnx"))
    with pytest.raises(SourceUnavailableError, match="gave no vector for each text"):
        OnnxEmbedder.load(folder)


def made(tmp_path: Path, **sections: Any) -> Wiring:
    """The world of an index, with other settings; relative folders are beside them."""
    with LoopbackModels() as served:
        file = write_world(tmp_path, served)
    raw = yaml.safe_load(file.read_text(encoding="utf-8"))
    file.write_text(yaml.safe_dump({**raw, **sections}), encoding="utf-8")
    return Wiring(config.load(file, environ={}))


def test_it_is_configured_by_its_folder(tmp_path: Path) -> None:
    """An ingest asks it, and a question too."""
    folder = str(write_words(tmp_path / "m", texts=(*TEXTS, DECISION, QUESTION)))
    section = {"kind": "onnx", "onnx": {"path": folder, **PREFIXES}}
    wiring = made(tmp_path, embedder=section)
    assert wiring.embedder.model_id.startswith("m@onnx-")
    run_anywhere(wiring.fill_index())
    inquiry = run_anywhere(wiring.pipeline.begin(QUESTION, request_id="x", route="direct"))
    assert inquiry.evidence.fallbacks == ()
    assert all(hit.distance is not None for hit in inquiry.evidence.hits)
    wiring.close()


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    """With the section of the settings that names it."""
    (tmp_path / "empty").mkdir()
    section = {"kind": "onnx", "onnx": {"path": str(tmp_path / "empty")}}
    wiring = made(tmp_path, embedder=section)
    with pytest.raises(ConfigError, match=r"embedder\.onnx\.path: .* holds no model\.onnx"):
        _ = wiring.embedder


class TestUnusable:
    @pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
    def test_a_missing_file_is_named(self, tmp_path: Path, name: str) -> None:
        folder = write_count(tmp_path / "m")
        (folder / name).unlink()
        with pytest.raises(ConfigError, match=rf"embedder\.onnx\.path: .* holds no {name}"):
            OnnxEmbedder.load(folder)

    @pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
    def test_a_broken_file_is_no_model(self, tmp_path: Path, name: str) -> None:
        folder = write_count(tmp_path / "m")
        (folder / name).write_bytes(b"no model")
        with pytest.raises(ConfigError, match="no model that loads"):
            OnnxEmbedder.load(folder)

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
            OnnxEmbedder.load(tmp_path)
