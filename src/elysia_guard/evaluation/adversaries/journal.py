"""A long run in parts: what was asked so far, one JSON object a line, to go on from there.

The first line holds the settings of the run; another run does not go on with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation.adversaries.tally import Counted

_COUNTED = TypeAdapter(Counted)


class JournalError(GuardError):
    """A journal cannot be gone on with; the message names its file and the way out."""


class Journal:
    """What came of each question of a run, by way, round and question.

    Without a file it remembers until its end alone.
    """

    def __init__(self, path: Path | None, settings: Mapping[str, Any]) -> None:
        """Go on with a file, or begin one.

        Args:
            path: the file.
            settings: whatever decides what is asked and how; plain values, as JSON has them.

        Raises:
            JournalError: the file is of a run with other settings, or is none of ours.
        """
        self._path = path
        self._noted: dict[str, Counted | None] = {}
        if path is None:
            return
        head = json.dumps({"settings": settings}, sort_keys=True)
        lines = _whole_lines(path)
        if lines and lines[0] != head:
            raise JournalError(f"{path}: is of a run with other settings; name another file")
        for number, line in enumerate(lines[1:], start=2):
            key, found = _read(line, f"{path}:{number}")
            self._noted[key] = found
        # A line that was cut off when the run ended is written anew.
        path.write_text("".join(f"{line}\n" for line in lines or [head]), encoding="utf-8")

    def __contains__(self, key: tuple[str, ...]) -> bool:
        return _name(key) in self._noted

    def __getitem__(self, key: tuple[str, ...]) -> Counted | None:
        """What came of a question; None where no model was asked."""
        return self._noted[_name(key)]

    def note(self, key: tuple[str, ...], found: Counted | None) -> None:
        """Write down what came of a question, at once."""
        self._noted[_name(key)] = found
        if self._path is None:
            return
        line = {"key": _name(key), "found": found and _COUNTED.dump_python(found, mode="json")}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(line, ensure_ascii=False)}\n")


def _name(key: tuple[str, ...]) -> str:
    return " ".join(key)


def _whole_lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as err:
        raise JournalError(f"{path}: cannot be read: {err}") from err
    return text.split("\n")[:-1]


def _read(line: str, where: str) -> tuple[str, Counted | None]:
    try:
        row = json.loads(line)
        found = row["found"]
        return str(row["key"]), None if found is None else _COUNTED.validate_python(found)
    except (ValueError, KeyError, TypeError, ValidationError) as err:
        raise JournalError(f"{where}: is no line of a journal; name another file") from err
