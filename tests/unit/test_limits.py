"""What the page of limits says was measured is what was measured."""

from __future__ import annotations

import re

from elysia_guard.config import home

WITHOUT_A_JUDGE = "| gates alone (option 2) |"


def test_its_figures_are_those_of_the_gates_alone() -> None:
    """The first row of the judges' table, where the judges were measured."""
    judges = (home() / "docs" / "internals" / "judges.md").read_text(encoding="utf-8")
    row = next(line for line in judges.splitlines() if line.startswith(WITHOUT_A_JUDGE))
    cells = [re.findall(r"\d+", cell) for cell in row.split("|")[2:]]
    (_, misses), (hedged,), (asserted,), (right,), _, (hedged_right, shown), *rest = cells
    (refused, answerable), *_ = rest
    page = (home() / "docs" / "limits.md").read_text(encoding="utf-8")
    assert f"Of {int(answerable):,} questions with an answer {refused} are refused" in page
    assert f"Of {shown} hedged replies {hedged_right} are right" in page
    assert f"{hedged} of the {misses} questions that nothing answers" in page
    assert f"{right} of {asserted} are right" in page
