"""Tiny ONNX models, written here and run by the real runtime."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import onnx
from onnx import TensorProto, helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

VOCABULARY = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "yes": 4, "no": 5, "perhaps": 6}
STEP = 8.0
LESS = 4.0
"""An output is its word's count times the first, less the second; of 'perhaps', less nothing."""


def write_counting(
    folder: Path, words: Sequence[str], names: Sequence[str] = (), *, length: int | str = "t"
) -> Path:
    """Write a model with an output for each word: how often it stands in the two texts.

    ``names`` are what its settings call the outputs; none are none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    inputs = ("input_ids", "attention_mask")
    given = [helper.make_tensor_value_info(n, TensorProto.INT64, ["b", length]) for n in inputs]
    constants = [
        helper.make_tensor("axis", TensorProto.INT64, [1], [1]),
        helper.make_tensor("step", TensorProto.FLOAT, [], [STEP]),
    ]
    nodes = []
    for n, word in enumerate(words):
        constants.append(helper.make_tensor(f"w{n}", TensorProto.INT64, [], [VOCABULARY[word]]))
        less = 0.0 if word == "perhaps" else LESS
        constants.append(helper.make_tensor(f"less{n}", TensorProto.FLOAT, [], [less]))
        nodes += [
            helper.make_node("Equal", ["input_ids", f"w{n}"], [f"is{n}"]),
            helper.make_node("Cast", [f"is{n}"], [f"one{n}"], to=TensorProto.FLOAT),
            helper.make_node("ReduceSum", [f"one{n}", "axis"], [f"count{n}"], keepdims=1),
            helper.make_node("Mul", [f"count{n}", "step"], [f"times{n}"]),
            helper.make_node("Sub", [f"times{n}", f"less{n}"], [f"out{n}"]),
        ]
    outs = [f"out{n}" for n in range(len(words))]
    nodes.append(helper.make_node("Concat", outs, ["logits"], axis=1))
    said = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", len(words)])]
    graph = helper.make_graph(nodes, "counting", given, said, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer = Tokenizer(models.WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    if names:
        told = {"id2label": {str(n): name for n, name in enumerate(names)}}
        (folder / "config.json").write_text(json.dumps(told), encoding="utf-8")
    return folder
