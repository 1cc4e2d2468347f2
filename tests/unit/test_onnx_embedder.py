"""An embedder from a local path: a tiny graph, written here, run by the real runtime."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import yaml
from onnx import TensorProto, helper
from tests.contract.embedder_contract import TEXTS, EmbedderContract
from tests.unit.model_server import LoopbackModels
from tests.unit.served_world import QUESTION, write_world
from tokenizers import Tokenizer, models, pre_tokenizers

from elysia_guard import config
from elysia_guard.adapters.onnx import OnnxEmbedder
from elysia_guard.domain.errors import ConfigError, SourceUnavailableError
from elysia_guard.ports import Embedder
from elysia_guard.running import run_anywhere
from elysia_guard.wiring import Wiring

WIDTH = 512
PREFIXES = {"question_prefix": "query: ", "passage_prefix": "passage: "}
DECISION = "---\nidentifier: ADR-0001\n---\n# A\n\nConnections are encrypted with TLS.\n"


def write(folder: Path, *, texts: tuple[str, ...] = TEXTS, pooled: bool = False) -> Path:
    """Write a model that gives each word a direction of its own, and rows of padding a far one."""
    folder.mkdir(exist_ok=True)
    words = sorted({word for text in texts for word in _words(f"{text} query passage : are ?")})
    known = {"[PAD]": 0, "[UNK]": 1} | {word: n for n, word in enumerate(words, start=2)}
    table = np.eye(len(known), WIDTH, dtype=np.float32)
    table[0] = 9.0
    names = ("input_ids", "attention_mask")
    given = [helper.make_tensor_value_info(n, TensorProto.INT64, ["b", "t"]) for n in names]
    held = [
        helper.make_tensor("table", TensorProto.FLOAT, table.shape, table.ravel()),
        helper.make_tensor("axis", TensorProto.INT64, [1], [1]),
    ]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["rows"])]
    if pooled:
        nodes.append(helper.make_node("ReduceSum", ["rows", "axis"], ["one"], keepdims=0))
    name, shape = ("one", ["b", WIDTH]) if pooled else ("rows", ["b", "t", WIDTH])
    made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)]
    graph = helper.make_graph(nodes, "words", given, made, held)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def _words(text: str) -> list[str]:
    return [word for word, _ in pre_tokenizers.Whitespace().pre_tokenize_str(text)]


def embedded(model: Embedder, *texts: str) -> list[Any]:
    return list(asyncio.run(model.embed(texts)))


class TestContract(EmbedderContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = write(tmp_path / "e5")

    def make(self) -> Embedder:
        return OnnxEmbedder.load(self.path)


def test_questions_and_passages_are_marked_as_the_settings_say(tmp_path: Path) -> None:
    """Another mark of passages makes other vectors, and is part of the name."""
    folder = write(tmp_path / "m", texts=("ebb",))
    plain, marked = OnnxEmbedder.load(folder), OnnxEmbedder.load(folder, **PREFIXES)
    (passage,) = embedded(marked, "ebb")
    assert np.allclose(passage, embedded(plain, "passage: ebb")[0])
    assert np.allclose(asyncio.run(marked.embed_question("ebb")), embedded(plain, "query: ebb")[0])
    assert plain.model_id != marked.model_id
    assert marked.model_id.startswith("m@onnx-")


def test_a_model_that_makes_one_vector_a_text_is_taken_at_its_word(tmp_path: Path) -> None:
    """Its own pooling counts."""
    model = OnnxEmbedder.load(write(tmp_path / "m", texts=("ebb flood",), pooled=True))
    (ebb,), (both,) = embedded(model, "ebb"), embedded(model, "ebb flood")
    assert float(np.dot(ebb, both)) == pytest.approx(1 / np.sqrt(2), abs=1e-6)


def test_long_texts_are_cut(tmp_path: Path) -> None:
    folder = write(tmp_path / "m", texts=("ebb flood",))
    cut = OnnxEmbedder.load(folder, max_tokens=16)
    (vector,) = embedded(cut, "ebb " * 16 + "flood " * 90)
    assert np.allclose(vector, embedded(cut, "ebb")[0])
    assert cut.model_id != OnnxEmbedder.load(folder).model_id


def test_a_model_of_no_vectors_is_told(tmp_path: Path) -> None:
    """At the start, without what the runtime says."""
    folder = write(tmp_path / "m")
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
    folder = str(write(tmp_path / "m", texts=(*TEXTS, DECISION, QUESTION)))
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
