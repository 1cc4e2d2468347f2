"""The rows of a JSON answer while it is being written: each is read as soon as it is whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import Enum, auto

MOST_ROW = 20_000
"""Characters: what is longer is no row that anybody waits for."""
_BEGIN = re.compile(r"\s*(?:<think>.*?</think>\s*)?(?:```(?:json)?\s*)?\{\s*", re.DOTALL)
_BLANK = re.compile(r"\s*")
_BETWEEN = re.compile(r"[\s,]*")
_NAMED = re.compile(r"\s*:\s*")
_DECODE = json.JSONDecoder()


class _At(Enum):
    """Where in the answer the reader stands."""

    BEGIN = auto()
    FIELD = auto()
    ROW = auto()
    END = auto()


class RowReader:
    """Reads one object of a JSON answer, and of one field of it each row by itself.

    A row is told where ``given`` is among the fields before it, and true: a model that has not said
    yet that the sources answer is not heard before all of it is there. What is no such JSON has no
    rows; whoever reads the whole says what is wrong with it.

    >>> reader = RowReader(rows="sentences", given="can_answer")
    >>> list(reader.take('{"can_answer": true, "sentences": [{"te'))
    []
    >>> list(reader.take('xt": "Keys."}, {'))
    [{'text': 'Keys.'}]
    """

    def __init__(self, *, rows: str, given: str) -> None:
        """Begin before the first piece."""
        self._rows = rows
        self._given = given
        self._text = ""
        self._at = 0
        self._state = _At.BEGIN
        self._is_given = False

    def take(self, piece: str) -> Iterator[object]:
        """Take a further piece, and yield the rows that are whole with it."""
        self._text += piece
        if len(self._text) - self._at > MOST_ROW:
            self._state = _At.END
        if self._state is _At.BEGIN and (found := _BEGIN.match(self._text)):
            self._at, self._state = found.end(), _At.FIELD
        while self._state is _At.FIELD and self._passed_field():
            pass
        while self._state is _At.ROW:
            row = self._decoded(_past(_BETWEEN, self._text, self._at))
            if row is None:
                return
            # A row is an object, and ends where it ends.
            self._at = row[1]
            yield row[0]

    def _passed_field(self) -> bool:
        """Pass a field that is whole; at the rows, stop; False where more has to come first."""
        start = _past(_BETWEEN, self._text, self._at)
        name = self._decoded(start)
        if name is None or not (named := _NAMED.match(self._text, name[1])):
            return False
        if name[0] == self._rows and self._text.startswith("[", named.end()):
            self._at = named.end() + 1
            self._state = _At.ROW if self._is_given else _At.END
            return False
        value = self._value(named.end())
        if value is not None and name[0] == self._given:
            self._is_given = value[0] is True
        return value is not None

    def _value(self, start: int) -> tuple[object] | None:
        """Read what stands at a place, once what follows it is there too: else it may go on."""
        found = self._decoded(start)
        if found is None:
            return None
        after = _past(_BLANK, self._text, found[1])
        if after == len(self._text):
            return None
        self._at = after
        return (found[0],)

    def _decoded(self, start: int) -> tuple[object, int] | None:
        """Decode what stands at a place; None where it is not whole, or the rows are over."""
        if self._text[start : start + 1] in {"", "]", "}"}:
            return None
        try:
            return _DECODE.raw_decode(self._text, start)
        except (ValueError, RecursionError):
            return None


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
