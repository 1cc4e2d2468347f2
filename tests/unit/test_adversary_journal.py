"""A long run over adversaries, done in parts: it goes on where it stopped, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from elysia_guard.evaluation.adversaries.journal import Journal, JournalError
from elysia_guard.evaluation.adversaries.tally import Counted, Tally, counted
from elysia_guard.evaluation.adversaries.told import Evidence, Kind, Made

SETTINGS = {"golden": "abc", "kinds": ["number"]}
INVENTED = Made(
    text="It is kept for 37 days.",
    evidence=(Evidence(source=1, words="It is kept for 24 days."),),
    original="It is kept for 24 days.",
    kind=Kind.NUMBER,
)
KEY = ("direct", "number", "GS-001")


def found() -> Counted:
    return counted(
        "GS-001", (INVENTED, Made(text="So it is.")), INVENTED.text, ms=5.0, answered=True
    )


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """What was asked is known, with every count of it; what was not reached is known too."""
    path = tmp_path / "journal.jsonl"
    journal = Journal(path, SETTINGS)
    journal.note(KEY, found())
    journal.note(("direct", "number", "GS-002"), None)
    again = Journal(path, SETTINGS)
    assert again[KEY] == found()
    assert again[("direct", "number", "GS-002")] is None
    assert ("tree", "number", "GS-001") not in again
    tally = Tally(name="direct")
    tally.take(found())
    assert (tally.made[Kind.NUMBER], len(tally.leaks), tally.right, tally.kept) == (1, 1, 1, 0)
    assert (tally.answered, tally.written) == (1, 0)


def test_a_line_that_was_cut_off_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    Journal(path, SETTINGS).note(KEY, found())
    whole = path.read_text(encoding="utf-8")
    path.write_text(f'{whole}{{"key": "direct num', encoding="utf-8")
    again = Journal(path, SETTINGS)
    assert KEY in again
    again.note(("direct", "number", "GS-003"), None)
    assert ("direct", "number", "GS-003") in Journal(path, SETTINGS)


def test_another_run_does_not_go_on_with_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    Journal(path, SETTINGS).note(KEY, None)
    with pytest.raises(JournalError, match="other settings; name another file"):
        Journal(path, {**SETTINGS, "golden": "def"})


@pytest.mark.parametrize(
    "line", ["no JSON", '{"key": "a b c"}', '{"key": "a b c", "found": {"question": 1}}', "[]"]
)
def test_what_is_no_journal_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "journal.jsonl"
    Journal(path, SETTINGS).note(KEY, None)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    with pytest.raises(JournalError, match=r"journal.jsonl:3"):
        Journal(path, SETTINGS)


def test_without_a_file_it_remembers_to_its_end() -> None:
    journal = Journal(None, SETTINGS)
    journal.note(KEY, None)
    assert KEY in journal
    assert KEY not in Journal(None, SETTINGS)


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be read"):
        Journal(tmp_path, SETTINGS)
