"""The layers of the model, run by ONNX Runtime on the weights as they are kept, in four bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from elysia_guard.adapters.embedders.e5.graph import EXTENSIONS, Graph
from elysia_guard.adapters.embedders.e5.weights import FloatArray, WeightsFile, numbers_of

BLOCK = 32
EIGHT_BITS = 4
"""How exact products are: what is multiplied by the weights is brought to eight bits."""


class Encoder:
    """Turns the pieces of a text into one vector: the mean of what the last layer makes.

    Of the 250,000 pieces only the rows that a text has are read.
    """

    def __init__(self, file: WeightsFile) -> None:
        """Write the layers as a graph and hand it over."""
        width = file.shape.width
        self._pieces = file.blocks("emb.word", width)
        kind = file.vector("emb.type").reshape(-1, width)[0]
        self._places = file.vector("emb.pos").reshape(-1, width) + kind
        self._session = _session(_Layers(file).model())

    def mean(self, numbers: Sequence[int]) -> FloatArray:
        """The mean vector of a text's pieces, at most as many as the model has places."""
        rows = numbers_of(self._pieces[np.asarray(numbers)]) + self._places[: len(numbers)]
        (made,) = self._session.run(None, {"rows": rows})
        vector: FloatArray = made
        return vector


class _Layers:
    """The layers as steps of a graph."""

    def __init__(self, file: WeightsFile) -> None:
        self._file = file
        self._graph = graph = Graph()
        shape = file.shape
        self._heads = graph.constant("heads", np.array([0, shape.heads, -1]))
        self._together = graph.constant("together", np.array([0, -1]))
        scale = 1.0 / math.sqrt(shape.width / shape.heads)
        self._scale = graph.constant("scale", np.array(scale, dtype=np.float32))

    def model(self) -> bytes:
        shape = self._file.shape
        made = self._norm("rows", "emb.ln")
        for number in range(shape.layers):
            made = self._layer(made, f"l{number}")
        first = self._graph.constant("first", np.array([0]))
        mean = self._graph.step("ReduceMean", [made, first], "mean", keepdims=0)
        return self._graph.model("rows", mean, width=shape.width)

    def _layer(self, rows: str, name: str) -> str:
        step, shape = self._graph.step, self._file.shape
        seen = self._linear(self._seen(rows, name), f"{name}.ao", shape.width)
        rows = self._norm(step("Add", [seen, rows], f"{name}.with"), f"{name}.aln")
        wide = step("Gelu", [self._linear(rows, f"{name}.fi", shape.width)], f"{name}.wide")
        narrow = self._linear(wide, f"{name}.fo", shape.inner)
        return self._norm(step("Add", [narrow, rows], f"{name}.then"), f"{name}.oln")

    def _seen(self, rows: str, name: str) -> str:
        """What each piece takes from the others, head by head."""
        step = self._graph.step
        asked = self._by_head(rows, f"{name}.q", (1, 0, 2))
        keys = self._by_head(rows, f"{name}.k", (1, 2, 0))
        values = self._by_head(rows, f"{name}.v", (1, 0, 2))
        likeness = step("MatMul", [asked, keys], f"{name}.likeness")
        scaled = step("Mul", [likeness, self._scale], f"{name}.scaled")
        shares = step("Softmax", [scaled], f"{name}.shares", axis=-1)
        taken = step("MatMul", [shares, values], f"{name}.taken")
        turned = step("Transpose", [taken], f"{name}.turned", perm=(1, 0, 2))
        return step("Reshape", [turned, self._together], f"{name}.seen")

    def _by_head(self, rows: str, name: str, order: Sequence[int]) -> str:
        made = self._linear(rows, name, self._file.shape.width)
        parted = self._graph.step("Reshape", [made, self._heads], f"{name}.parted")
        return self._graph.step("Transpose", [parted], f"{name}.heads", perm=order)

    def _linear(self, rows: str, name: str, columns: int) -> str:
        graph, blocks = self._graph, self._file.blocks(f"{name}.w", columns)
        packed = blocks["numbers"]
        # The file has the first sixteen in the low halves; here two neighbours share a byte.
        numbers = np.concatenate([packed & 15, packed >> 4], axis=-1)
        weights = graph.constant(f"{name}.w", numbers[..., ::2] | numbers[..., 1::2] << 4)
        scales = graph.constant(f"{name}.s", blocks["scale"].astype(np.float32).ravel())
        made = graph.step(
            "MatMulNBits",
            [rows, weights, scales],
            f"{name}.product",
            domain=EXTENSIONS,
            K=columns,
            N=len(blocks),
            bits=4,
            block_size=BLOCK,
            accuracy_level=EIGHT_BITS,
        )
        shift = graph.constant(f"{name}.b", self._file.vector(f"{name}.b"))
        return graph.step("Add", [made, shift], f"{name}.made")

    def _norm(self, rows: str, name: str) -> str:
        graph = self._graph
        scale = graph.constant(f"{name}.w", self._file.vector(f"{name}.w"))
        shift = graph.constant(f"{name}.b", self._file.vector(f"{name}.b"))
        eps = self._file.shape.eps
        given = [rows, scale, shift]
        return graph.step("LayerNormalization", given, f"{name}.made", axis=-1, epsilon=eps)


def _session(model: bytes) -> Any:
    from onnxruntime import InferenceSession, SessionOptions  # 60 MB: not before the first text

    options = SessionOptions()
    # A question is too small to share, and on a busy machine two threads wait for each other.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return InferenceSession(model, options, providers=["CPUExecutionProvider"])
