"""The table of the requirement documents: how a row stands, and that it has every row."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest
from scripts.lab import requirements
from scripts.lab.requirements import (
    RequirementDocument,
    RequirementRow,
    RequirementsError,
    RowStanding,
)

ROOT = Path(__file__).parents[2]
ROWS = ROOT / "tests" / "requirements"
BEGIN, END = "<!-- requirements: begin -->", "<!-- requirements: end -->"
HOLDS, FAILS = 0, 1
TOLD = ROOT / "docs" / "internals" / "requirements.md"
TEST = "unit/test_x.py::test_a"
ADRS = {"0003": "0003-limits.md"}
INI = """
[pytest]
addopts = --randomly-dont-reset-seed
asyncio_default_fixture_loop_scope = function
"""
"""As in pyproject.toml: without the option the seeder that thinc registers fails on half of
pytest-randomly's seeds, and the test that is run with it."""
RIGHT = f"""
id = "D1"
title = "A document"
[[rows]]
line = 3
says = "It works"
tests = ["{TEST}"]
[[rows]]
line = 4
says = "It is done in another way"
otherwise = "another way"
adr = "0003"
[[rows]]
line = 5
says = "It is to come"
open = "nothing yet"
awaits = "writing"
"""


def loaded(folder: Path, text: str) -> list[RequirementDocument]:
    (folder / "D1.toml").write_text(text, encoding="utf-8")
    return requirements.load(folder)


class TestRows:
    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (('title = "A document"', "title = 3"), "title"),
            (("[[rows]]", "[rows"), "D1.toml"),
            ((f'tests = ["{TEST}"]', ""), "needs tests, a decision, or what is missing"),
            ((f'["{TEST}"]', '["unit/test_x.py"]'), "tests.0"),
            (('adr = "0003"', ""), "has an adr that says why"),
            (('awaits = "writing"', 'otherwise = "so"\nadr = "0003"'), "not both"),
            (('open = "nothing yet"', f'tests = ["{TEST}"]'), "only an open row awaits"),
            (("It is to come", "It is | to come"), "says"),
            (("line = 5", "line = 0"), "line"),
        ],
    )
    def test_what_is_no_row_is_named(
        self, tmp_path: Path, change: tuple[str, str], said: str
    ) -> None:
        with pytest.raises(RequirementsError, match=said):
            loaded(tmp_path, RIGHT.replace(*change))


class TestStanding:
    @pytest.mark.parametrize(
        ("outcomes", "stands"),
        [
            ({TEST: "passed"}, "works"),
            ({f"{TEST}[1]": "passed", f"{TEST}[2]": "passed"}, "works"),
            ({f"{TEST}[1]": "passed", f"{TEST}[2]": "skipped"}, "works"),
            ({f"{TEST}[1]": "passed", f"{TEST}[2]": "failed"}, "fails"),
            ({TEST: "failed"}, "fails"),
            ({TEST: "skipped"}, "fails"),
            ({f"{TEST}_too": "passed"}, "fails"),
            ({}, "fails"),
        ],
    )
    def test_a_row_works_where_its_tests_were_run_and_passed(
        self, outcomes: dict[str, str], stands: str
    ) -> None:
        """A test that fails, is skipped or does not exist never makes a row work."""
        row = RequirementRow(line=1, says="It works", tests=(TEST,))
        assert requirements.standing(row, outcomes) == stands


class TestFigures:
    """What an evaluation has to have measured."""

    MEASURED: ClassVar = {
        "metrics": {"overall": {"precision": 0.9}, "asked": {"all": 100, "lost": 9}}
    }

    @pytest.mark.parametrize(
        ("figure", "held"),
        [
            ("metrics.overall.precision > 0.85", True),
            ("metrics.overall.precision > 0.90", False),
            ("metrics.overall.precision >= 0.90", True),
            ("metrics.asked.lost < 0.1 * metrics.asked.all", True),
            ("metrics.asked.lost < 0.05 * metrics.asked.all", False),
            ("metrics.asked.none < 1", False),
            ("metrics.asked < 1", False),
            ("metrics.asked.lost < 0.1 * metrics.none.all", False),
        ],
    )
    def test_a_row_works_where_its_figure_holds_in_the_evaluation(
        self, figure: str, held: bool
    ) -> None:
        """What is not measured does not hold, and nothing does without an evaluation."""
        row = RequirementRow(line=1, says="It works", figures=(figure,))
        stands = RowStanding.WORKS if held else RowStanding.FAILS
        assert requirements.standing(row, {}, self.MEASURED) is stands
        assert requirements.standing(row, {}) is RowStanding.FAILS


class TestTable:
    def test_it_counts_and_lists(self, tmp_path: Path) -> None:
        documents = loaded(tmp_path, RIGHT)
        stand = requirements.standings(documents, {})
        lines = requirements.markdown(documents, stand, ADRS).splitlines()
        assert "| [D1](#d1) | 3 | 0 | 1 | 1 | 1 |" in lines
        assert "| all | 3 | 0 | 1 | 1 | 1 |" in lines
        assert f"| 3 | It works | fails | `{TEST}` |" in lines
        assert (
            "| 4 | It is done in another way | otherwise | another way "
            "([0003](../adr/0003-limits.md)) |"
        ) in lines
        assert "| 5 | It is to come | open | nothing yet (awaits: writing) |" in lines


@dataclass(frozen=True)
class Checkout:
    """The script in a tree of its own, run as a person would."""

    root: Path

    def run(self, *options: str) -> subprocess.CompletedProcess[str]:
        """Run it, and return what it said."""
        return subprocess.run(
            [sys.executable, "-m", "scripts.lab", "requirements", *options],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), *sys.path)))},
            capture_output=True,
            text=True,
            check=False,
        )


class TestScript:
    @pytest.fixture
    def checkout(self, tmp_path: Path) -> Checkout:
        """Rows of which one names a test that does not exist."""
        for folder in ("tests/requirements", "tests/unit", "docs/adr"):
            (tmp_path / folder).mkdir(parents=True)
        (tmp_path / "docs" / "adr" / ADRS["0003"]).touch()
        (tmp_path / "pytest.ini").write_text(INI, encoding="utf-8")
        rows = RIGHT + f'[[rows]]\nline = 6\nsays = "It is gone"\ntests = ["{TEST}_gone"]\n'
        (tmp_path / "tests" / "requirements" / "D1.toml").write_text(rows, encoding="utf-8")
        return Checkout(tmp_path)

    def test_a_run_that_was_is_read_and_holds_the_document_to_it(self, checkout: Checkout) -> None:
        """Without running anything again; a document that says otherwise is out of date."""
        tests = (
            "import pytest\n"
            "@pytest.mark.parametrize('sort', ['a.b/c::d', 'e'])\n"
            "def test_a(sort):\n    pass\n\n"
            "class TestIn:\n    def test_a_gone(self):\n        pass\n"
        )
        (checkout.root / "tests" / "unit" / "test_x.py").write_text(tests, encoding="utf-8")
        rows = checkout.root / "tests" / "requirements" / "D1.toml"
        named = rows.read_text(encoding="utf-8").replace("::test_a_gone", "::TestIn::test_a_gone")
        rows.write_text(named, encoding="utf-8")
        told = checkout.root / "told.md"
        told.write_text(f"{BEGIN}\nold\n{END}\n", encoding="utf-8")
        pytest_run = [sys.executable, "-m", "pytest", "-q", "--junit-xml=run.xml", "tests"]
        subprocess.run(pytest_run, cwd=checkout.root, check=True, capture_output=True)
        (checkout.root / "tests" / "unit" / "test_x.py").unlink()
        old = checkout.run("--from", "run.xml", "--check", "told.md")
        assert (old.returncode, old.stdout.splitlines()) == (
            FAILS,
            [
                "4 rows: 2 works, 1 otherwise, 0 fails, 1 open",
                "out of date: told.md; run: make requirements",
            ],
        )
        assert checkout.run("--from", "run.xml", "--into", "told.md").returncode == HOLDS
        held = checkout.run("--from", "run.xml", "--check", "told.md")
        assert (held.returncode, held.stderr) == (HOLDS, "")
        xml = (checkout.root / "run.xml").read_text(encoding="utf-8")
        passed = r'(name="test_a_gone"[^>]*?) ?/>'
        failing = re.sub(passed, r"\1><failure/></testcase>", xml)
        (checkout.root / "run.xml").write_text(failing, encoding="utf-8")
        broken = checkout.run("--from", "run.xml", "--check", "told.md")
        assert broken.returncode == FAILS
        assert f"fails: D1:6: It is gone: {TEST.replace('test_a', 'TestIn::test_a_gone')}" in (
            broken.stdout
        )


class TestWhatShips:
    """`docs/internals/requirements.md` is the rows as they are; `make requirements` writes it."""

    @pytest.fixture
    def documents(self) -> list[RequirementDocument]:
        return requirements.load(ROWS)

    def test_the_document_is_in_step_with_its_rows(
        self, documents: list[RequirementDocument]
    ) -> None:
        """Every row stands in it, with what it names; only how it stands needs a run."""
        text = TOLD.read_text(encoding="utf-8")
        stand = requirements.read_standings(text)
        rows = [row for each in documents for row in each.rows]
        assert len(stand) == len(rows), "out of step; run: make requirements"
        table = requirements.markdown(documents, stand, requirements.adrs())
        assert f"{BEGIN}\n\n{table}\n\n{END}" in text, "run: make requirements"
        for row, how in zip(rows, stand, strict=True):
            unmeasured = row.model_copy(update={"figures": ()})
            claimed = requirements.standing(unmeasured, dict.fromkeys(row.tests, "passed"))
            assert how in {claimed, RowStanding.FAILS}, row.says

    def test_every_test_that_a_row_names_exists(self, documents: list[RequirementDocument]) -> None:
        missing = [test for test in requirements.tests_of(documents) if not _exists(test)]
        assert missing == []

    def test_every_decision_that_a_row_names_exists(
        self, documents: list[RequirementDocument]
    ) -> None:
        requirements.check_decisions(documents, requirements.adrs())
        with pytest.raises(RequirementsError, match=r"^IR0001:26: adr is 0053: there is none$"):
            requirements.check_decisions(documents[2:3], ())

    def test_the_rows_of_a_document_stand_in_its_order(
        self, documents: list[RequirementDocument]
    ) -> None:
        for each in documents:
            lines = [row.line for row in each.rows]
            assert lines == sorted(lines), each.id


@cache
def _named(path: Path) -> frozenset[str]:
    """What a file of tests defines: functions, and methods under their class."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {
        item.name for item in tree.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for made in tree.body:
        if isinstance(made, ast.ClassDef):
            found |= {
                f"{made.name}::{item.name}"
                for item in made.body
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
            }
    return frozenset(found)


def _exists(test: str) -> bool:
    file, _, name = test.partition("[")[0].partition("::")
    path = ROOT / "tests" / file
    return path.is_file() and name in _named(path)
