"""The table of the requirement documents: how a row stands, and that it has every row."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from elysia_guard.evaluation import requirements
from elysia_guard.evaluation.requirements import Document, RequirementsError, Row, Standing

ROOT = Path(__file__).parents[2]
ROWS = ROOT / "tests" / "requirements"
SCRIPT = ROOT / "scripts" / "requirements.py"
TOLD = ROOT / "docs" / "requirements.md"
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


def script() -> ModuleType:
    """The script that runs the tests."""
    made = spec_from_file_location("requirements_script", SCRIPT)
    assert made
    assert made.loader
    module = module_from_spec(made)
    made.loader.exec_module(module)
    return module


def loaded(folder: Path, text: str) -> list[Document]:
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

    def test_a_folder_without_rows_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(RequirementsError, match="holds no requirements"):
            requirements.load(tmp_path)

    def test_a_test_is_named_once(self, tmp_path: Path) -> None:
        """However many rows it proves."""
        text = RIGHT.replace('open = "nothing yet"', f'open = "half of it"\ntests = ["{TEST}"]')
        assert requirements.tests_of(loaded(tmp_path, text)) == [TEST]


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
        row = Row(line=1, says="It works", tests=(TEST,))
        assert requirements.standing(row, outcomes) == stands

    def test_every_test_of_a_row_counts(self) -> None:
        row = Row(line=1, says="It works", tests=(TEST, "unit/test_x.py::test_b"))
        assert requirements.standing(row, {TEST: "passed"}) is Standing.FAILS

    @pytest.mark.parametrize(
        ("row", "stands"),
        [
            (Row(line=1, says="s", open="half", tests=(TEST,)), Standing.OPEN),
            (Row(line=1, says="s", otherwise="so", adr="0003", tests=(TEST,)), Standing.OTHERWISE),
        ],
    )
    def test_what_is_said_beside_is_held_to_its_tests(self, row: Row, stands: Standing) -> None:
        assert requirements.standing(row, {TEST: "passed"}) is stands
        assert requirements.standing(row, {}) is Standing.FAILS


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
            "([0003](adr/0003-limits.md)) |"
        ) in lines
        assert "| 5 | It is to come | open | nothing yet (awaits: writing) |" in lines

    def test_it_is_read_again(self, tmp_path: Path) -> None:
        documents = loaded(tmp_path, RIGHT)
        stand = requirements.standings(documents, {TEST: "passed"})
        text = requirements.markdown(documents, stand, ADRS)
        assert requirements.read_standings(text) == stand
        assert stand == [Standing.WORKS, Standing.OTHERWISE, Standing.OPEN]


@dataclass(frozen=True)
class Checkout:
    """The script in a tree of its own, run as a person would."""

    root: Path

    def run(self, *options: str) -> subprocess.CompletedProcess[str]:
        """Run it, and return what it said."""
        command = [sys.executable, "scripts/requirements.py", *options]
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)


class TestScript:
    @pytest.fixture
    def checkout(self, tmp_path: Path) -> Checkout:
        """Rows of which one names a test that does not exist."""
        for folder in ("scripts", "tests/requirements", "tests/unit", "docs/adr"):
            (tmp_path / folder).mkdir(parents=True)
        shutil.copy(SCRIPT, tmp_path / "scripts")
        (tmp_path / "docs" / "adr" / ADRS["0003"]).touch()
        (tmp_path / "pytest.ini").write_text(INI, encoding="utf-8")
        rows = RIGHT + f'[[rows]]\nline = 6\nsays = "It is gone"\ntests = ["{TEST}_gone"]\n'
        (tmp_path / "tests" / "requirements" / "D1.toml").write_text(rows, encoding="utf-8")
        return Checkout(tmp_path)

    @pytest.mark.parametrize(("body", "stands"), [("pass", "works"), ("assert 0", "fails")])
    def test_it_runs_what_is_named_and_writes_how_it_went(
        self, checkout: Checkout, body: str, stands: str
    ) -> None:
        """A test that does not exist fails its row; one that no row names is not run."""
        tests = f"def test_a():\n    {body}\n\ndef test_other():\n    raise OSError\n"
        (checkout.root / "tests" / "unit" / "test_x.py").write_text(tests, encoding="utf-8")
        made, told = script(), checkout.root / "told.md"
        told.write_text(f"Above\n\n{made.BEGIN}\nold\n{made.END}\n\nBelow\n", encoding="utf-8")
        said = checkout.run("--into", "told.md")
        assert said.returncode == made.FAILS, said.stderr
        text = told.read_text(encoding="utf-8")
        assert text.startswith("Above\n")
        assert text.endswith("Below\n")
        assert "old" not in text
        stand = [str(how) for how in requirements.read_standings(text)]
        assert stand == [stands, "otherwise", "open", "fails"]
        assert f"fails: D1:6: It is gone: {TEST}_gone" in said.stdout
        assert "test_other" not in said.stdout

    @pytest.mark.parametrize(
        ("options", "code", "said"),
        [
            (("--only", "D2"), 3, "error: --only D2: there is D1"),
            (("--only", "D1", "--into", "x.md"), 2, "leave out --only"),
        ],
    )
    def test_wrong_use_is_told(
        self, checkout: Checkout, options: tuple[str, ...], code: int, said: str
    ) -> None:
        done = checkout.run(*options)
        assert (done.returncode, done.stdout) == (code, "")
        assert said in done.stderr

    def test_rows_that_cannot_be_used_are_told(self, checkout: Checkout) -> None:
        """Before anything is run."""
        (checkout.root / "docs" / "adr" / ADRS["0003"]).unlink()
        done = checkout.run()
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr == "error: D1:4: adr is 0003: there is none\n"


class TestWhatShips:
    """`docs/requirements.md` is the rows as they are; `make requirements` writes it."""

    @pytest.fixture
    def documents(self) -> list[Document]:
        return requirements.load(ROWS)

    def test_the_document_is_in_step_with_its_rows(self, documents: list[Document]) -> None:
        """Every row stands in it, with what it names; only how it stands needs a run."""
        made = script()
        text = TOLD.read_text(encoding="utf-8")
        stand = requirements.read_standings(text)
        rows = [row for each in documents for row in each.rows]
        assert len(stand) == len(rows), "out of step; run: make requirements"
        table = requirements.markdown(documents, stand, made.adrs())
        assert f"{made.BEGIN}\n\n{table}\n\n{made.END}" in text, "run: make requirements"
        for row, how in zip(rows, stand, strict=True):
            claimed = requirements.standing(row, dict.fromkeys(row.tests, "passed"))
            assert how in {claimed, Standing.FAILS}, row.says

    def test_every_test_that_a_row_names_exists(self, documents: list[Document]) -> None:
        missing = [test for test in requirements.tests_of(documents) if not _exists(test)]
        assert missing == []

    def test_every_decision_that_a_row_names_exists(self, documents: list[Document]) -> None:
        requirements.check_decisions(documents, script().adrs())
        with pytest.raises(RequirementsError, match=r"^IR0001:26: adr is 0053: there is none$"):
            requirements.check_decisions(documents[2:3], ())

    def test_the_rows_of_a_document_stand_in_its_order(self, documents: list[Document]) -> None:
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
