"""Writing a calculation as ONNX: the few messages of its protocol buffers that are needed.

https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 numbers the fields.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

IR_VERSION = 10
OPSET = 20
EXTENSIONS = "com.microsoft"
"""ONNX Runtime's own operators, such as products with weights of four bits."""
_FLOAT, _INT, _INTS = 1, 2, 7
_MORE = 1 << 7
"""Marks a byte of a number after which another comes."""
_TYPES = {"float32": 1, "uint8": 2, "int64": 7}

Attribute = float | int | Sequence[int]


class Graph:
    """A calculation that grows step by step; each step is named after what it makes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def constant(self, name: str, values: npt.NDArray[Any]) -> str:
        """Add numbers that do not change."""
        dims = b"".join(_number(1, size) for size in values.shape)
        kind = _number(2, _TYPES[values.dtype.name])
        data = _field(9, np.ascontiguousarray(values).tobytes())
        self._parts.append(_field(5, dims + kind + _text(8, name) + data))
        return name

    def step(
        self, op: str, inputs: Sequence[str], name: str, *, domain: str = "", **given: Attribute
    ) -> str:
        """Add an operation; ``given`` are its attributes."""
        ends = [_text(1, each) for each in inputs] + [_text(2, name)]
        attributes = [_field(5, _attribute(key, value)) for key, value in given.items()]
        node = b"".join([*ends, _text(4, op), *attributes, _text(7, domain)])
        self._parts.append(_field(1, node))
        return name

    def model(self, asked: str, made: str, *, width: int) -> bytes:
        """The model that makes a row of numbers of any number of rows."""
        rows = _field(1, _text(2, "rows"))
        columns = _field(1, _number(1, width))
        ends = _value(11, asked, rows + columns) + _value(12, made, columns)
        graph = b"".join(self._parts) + _text(2, "encoder") + ends
        used = _field(8, _text(1, "") + _number(2, OPSET))
        extensions = _field(8, _text(1, EXTENSIONS) + _number(2, 1))
        return _number(1, IR_VERSION) + _field(7, graph) + used + extensions


def _value(field: int, name: str, dims: bytes) -> bytes:
    """What goes in or comes out: its name, its type, its size."""
    tensor = _number(1, _TYPES["float32"]) + _field(2, dims)
    return _field(field, _text(1, name) + _field(2, _field(1, tensor)))


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        held = bytes([2 << 3 | 5]) + struct.pack("<f", value) + _number(20, _FLOAT)
    elif isinstance(value, int):
        held = _number(3, value) + _number(20, _INT)
    else:
        held = b"".join(_number(8, each) for each in value) + _number(20, _INTS)
    return _text(1, name) + held


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value % 2**64)


def _text(field: int, value: str) -> bytes:
    return _field(field, value.encode())


def _field(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    made = bytearray()
    while value >= _MORE:
        made.append(value % _MORE | _MORE)
        value //= _MORE
    return bytes([*made, value])
