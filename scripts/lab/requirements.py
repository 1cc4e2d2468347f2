"""Run the tests that prove the requirement documents, and write down how each row stands.

    python -m scripts.lab requirements                  # print what fails, and the counts
    python -m scripts.lab requirements --only TD-080                 # one document
    python -m scripts.lab requirements --into docs/internals/requirements.md   # put in the tables
    python -m scripts.lab requirements --from build/tests.xml --check docs/internals/requirements.md

With --from no test is run: `make test` has, and wrote down how each came out. Figures are those
that `make eval` measured (--measured). With --check the tables of a document have to be those of
the run. The rows are in tests/requirements.

Exit codes: 0 no row fails, 1 one does, or the document says otherwise, 2 wrong use, 3 could not
run.
"""

from __future__ import annotations

import argparse
import operator
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self
from xml.etree import ElementTree as ET

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from scripts.lab.corpora import DONE, FAILED, put

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import regression
from elysia_guard.evaluation.report import Report

_OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_FIGURE = re.compile(r"([a-z_.]+) (<=?|>=?) ([\d.]+)(?: \* ([a-z_.]+))?")
"""'metrics.overall.precision > 0.85', or a share of another figure."""

Line = Annotated[str, Field(min_length=1, pattern=r"^[^\n|]+$")]
"""A line of text that a table can hold."""

HEADER = ("line", "what is asked", "stands", "by")


WORSE = ("skipped", "passed", "failed")
"""How a test may come out: of two, the later counts."""

_ROW = re.compile(r"^\| \d+ \| [^|]+ \| (\w+) \| ", re.MULTILINE)


class RequirementsError(GuardError):
    """The rows cannot be used; the message names file and value."""


class RowStanding(StrEnum):
    """How a row stands: it works, is decided otherwise, fails its tests, or is not done yet."""

    WORKS = "works"
    OTHERWISE = "otherwise"
    FAILS = "fails"
    OPEN = "open"


class RequirementRow(BaseModel):
    """One requirement, by its line in its document, and what proves it.

    ``tests`` are node ids below ``tests/``, of a function or of one of its cases. ``figures`` are
    what an evaluation has to measure: 'metrics.overall.precision > 0.85'. ``otherwise``
    says what is done instead, and ``adr`` which decision says why; ``open`` says what is missing,
    and ``awaits`` which part of the program is to bring it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    line: Annotated[int, Field(ge=1)]
    says: Line
    tests: tuple[Annotated[str, Field(pattern=r"^\S+\.py::[^|\n]+$")], ...] = ()
    figures: tuple[Annotated[str, Field(pattern=f"^{_FIGURE.pattern}$")], ...] = ()
    otherwise: Line | None = None
    adr: Annotated[str, Field(pattern=r"^\d{4}$")] | None = None
    open: Line | None = None
    awaits: Line | None = None

    @model_validator(mode="after")
    def _stands_in_one_way(self) -> Self:
        if self.open and self.otherwise:
            raise ValueError("a row is open or decided otherwise, not both")
        if (self.otherwise is None) is not (self.adr is None):
            raise ValueError(
                "what is done otherwise has an adr that says why, and nothing else has"
            )
        if self.awaits and not self.open:
            raise ValueError("only an open row awaits something")
        if not (self.tests or self.figures or self.open or self.otherwise):
            raise ValueError("a row needs tests, a decision, or what is missing")
        return self


class RequirementDocument(BaseModel):
    """A requirement document: its id, what it is called, and its rows in their order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Line
    title: Line
    rows: Annotated[tuple[RequirementRow, ...], Field(min_length=1)]


def load(folder: Path) -> list[RequirementDocument]:
    """Read the documents, one TOML file each, in the order of their file names.

    Raises:
        RequirementsError: there is none, or a file cannot be read or holds something else.
    """
    found = [_document(path) for path in sorted(folder.glob("*.toml"))]
    if not found:
        raise RequirementsError(f"{folder}: holds no requirements (*.toml)")
    return found


def _document(path: Path) -> RequirementDocument:
    try:
        return RequirementDocument.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as err:
        raise RequirementsError(f"{path}: {err}") from err


def check_decisions(documents: Iterable[RequirementDocument], adrs: Collection[str]) -> None:
    """Make sure that each decision that a row names is there.

    Raises:
        RequirementsError: one is not.
    """
    for each in documents:
        for row in each.rows:
            if row.adr and row.adr not in adrs:
                raise RequirementsError(f"{each.id}:{row.line}: adr is {row.adr}: there is none")


def tests_of(documents: Iterable[RequirementDocument]) -> list[str]:
    """Return every test that a row names, once, in the order of the files."""
    return sorted({test for each in documents for row in each.rows for test in row.tests})


def standing(
    row: RequirementRow, outcomes: Mapping[str, str], measured: Report | None = None
) -> RowStanding:
    """Say how a row stands.

    Args:
        row: what is asked.
        outcomes: how each case came out that was run: 'passed', 'failed', 'skipped'.
        measured: the results of an evaluation; without them no figure holds.
    """
    if not all(_held(test, outcomes) for test in row.tests):
        return RowStanding.FAILS
    if not all(measured and holds(figure, measured) for figure in row.figures):
        return RowStanding.FAILS
    if row.open:
        return RowStanding.OPEN
    return RowStanding.OTHERWISE if row.otherwise else RowStanding.WORKS


def holds(figure: str, measured: Report) -> bool:
    """Tell whether what was measured is as a row wants it; what is not there does not hold.

    >>> holds("metrics.asked.right >= 0.9 * metrics.asked.all", {"metrics": {"asked": {}}})
    False
    """
    left, sign, number, of = _FIGURE.fullmatch(figure).groups()  # type: ignore[union-attr]
    value, whole = _figure_at(left, measured), _figure_at(of, measured) if of else 1.0
    if value is None or whole is None:
        return False
    return bool(_OPERATORS[sign](value, float(number) * whole))


def _figure_at(path: str, measured: Report) -> float | None:
    found: object = measured
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return float(found) if isinstance(found, int | float) else None


def _held(test: str, outcomes: Mapping[str, str]) -> bool:
    """Whether a case of the test passed, and none did anything but pass or be left out."""
    cases = {
        outcome for node, outcome in outcomes.items() if node == test or node.startswith(f"{test}[")
    }
    return "passed" in cases and cases <= {"passed", "skipped"}


def outcomes_of_run(xml: str) -> dict[str, str]:
    """Read how each test of a run came out, from what ``pytest --junit-xml`` wrote of it.

    Returns:
        'passed', 'skipped' or 'failed' by node id below ``tests/``; of a test that is told twice
        (in the call, and in its teardown) the worst.

    Raises:
        RequirementsError: it is no such file.
    """
    try:
        cases = ET.fromstring(xml).iter("testcase")  # noqa: S314  our own run wrote it
        found: dict[str, str] = {}
        for case in cases:
            node = _node(case.attrib["classname"], case.attrib["name"])
            told = {child.tag for child in case}
            outcome = "failed" if told & {"failure", "error"} else "passed"
            outcome = "skipped" if outcome == "passed" and "skipped" in told else outcome
            found[node] = max(outcome, found.get(node, outcome), key=WORSE.index)
    except (ET.ParseError, KeyError) as err:
        raise RequirementsError(f"this is no record of a run of pytest: {err}") from err
    return found


def _node(classname: str, name: str) -> str:
    """Put a node id together again: ``tests.unit.test_x.TestA`` holds a path and a class."""
    *folders, rest = re.split(r"\.(?=test_)", classname.removeprefix("tests"), maxsplit=1)
    module, *classes = rest.split(".")
    path = "/".join([*"/".join(folders).strip(".").split("."), f"{module}.py"]).lstrip("/")
    return "::".join([path, *classes, name])


def standings(
    documents: Iterable[RequirementDocument],
    outcomes: Mapping[str, str],
    measured: Report | None = None,
) -> list[RowStanding]:
    """Say how each row of each document stands, in their order; see ``standing``."""
    return [standing(row, outcomes, measured) for each in documents for row in each.rows]


def markdown(
    documents: Sequence[RequirementDocument], stand: Sequence[RowStanding], adrs: Mapping[str, str]
) -> str:
    """Write the counts and a table of each document.

    Args:
        documents: the documents.
        stand: how their rows stand, in the order of ``standings``.
        adrs: the file of each decision, by its number.
    """
    left = iter(stand)
    told = [(each, [(row, next(left)) for row in each.rows]) for each in documents]
    lines = [
        _line("document", "rows", *RowStanding),
        f"|{' --- |' * (2 + len(RowStanding))}",
        *(_counts(f"[{each.id}](#{each.id.lower()})", [how for _, how in rows])
          for each, rows in told),
        _counts("all", stand),
    ]  # fmt: skip
    for each, rows in told:
        lines += ["", f"## {each.id}", "", f"{each.title}.", "", _line(*HEADER)]
        lines += [f"|{' --- |' * len(HEADER)}"]
        lines += [_line(str(row.line), row.says, how, _by(row, adrs)) for row, how in rows]
    return "\n".join(lines)


def read_standings(text: str) -> list[RowStanding]:
    """Read how the rows stand from a text that ``markdown`` wrote."""
    return [RowStanding(found[1]) for found in re.finditer(_ROW, text)]


def _counts(name: str, stand: Iterable[RowStanding]) -> str:
    counted = Counter(stand)
    return _line(name, str(counted.total()), *(str(counted[how]) for how in RowStanding))


def _by(row: RequirementRow, adrs: Mapping[str, str]) -> str:
    said = [*(f"measured: `{figure}`" for figure in row.figures), *(f"`{it}`" for it in row.tests)]
    if row.otherwise and row.adr:
        said.insert(0, f"{row.otherwise} ([{row.adr}](../adr/{adrs[row.adr]}))")
    if row.open:
        waits = f" (awaits: {row.awaits})" if row.awaits else ""
        said.insert(0, f"{row.open}{waits}")
    return "; ".join(said)


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


ROOT = Path()
"""It is run where the tests are."""
TESTS = ROOT / "tests"


class Selected:
    """Runs the tests that are named, of all that their files hold, and notes how each came out."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = {f"tests/{name}" for name in names}
        self.outcomes: dict[str, str] = {}

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave out what no row names."""
        kept = [
            item
            for item in items
            if not self._names.isdisjoint({item.nodeid, item.nodeid.partition("[")[0]})
        ]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the worst of what a test's steps came to."""
        node = report.nodeid.removeprefix("tests/")
        before = self.outcomes.get(node, report.outcome)
        self.outcomes[node] = max(before, report.outcome, key=WORSE.index)


def main() -> int:
    """Run, print and write."""
    options = _options()
    documents = load(TESTS / "requirements")
    check_decisions(documents, adrs())
    chosen = [each for each in documents if options.only in (None, each.id)]
    if not chosen:
        ids = ", ".join(each.id for each in documents)
        raise RequirementsError(f"--only {options.only}: there is {ids}")
    measured = _measured(options.measured)
    stand = standings(chosen, _outcomes(tests_of(chosen), options.run), measured)
    _show(chosen, stand)
    told = markdown(chosen, stand, adrs())
    if options.into:
        put(told, options.into, "requirements")
    old = options.check and told not in options.check.read_text(encoding="utf-8")
    if old:
        print(f"out of date: {options.check}; run: make requirements")
    return FAILED if old or RowStanding.FAILS in stand else DONE


def adrs() -> dict[str, str]:
    """Return the file of each decision, by its number."""
    return {path.name[:4]: path.name for path in (ROOT / "docs" / "adr").glob("[0-9]*.md")}


def _outcomes(names: Sequence[str], run: Path | None) -> dict[str, str]:
    """Run the tests that are named, or read how they came out in a run that was."""
    if run:
        try:
            return outcomes_of_run(run.read_text(encoding="utf-8"))
        except RequirementsError as err:
            raise RequirementsError(f"{run}: {err}") from err
    selected = Selected(names)
    files = sorted({name.partition("::")[0] for name in names})
    there = [f"tests/{file}" for file in files if (TESTS / file).is_file()]
    if there:
        pytest.main(
            ["-q", "--rootdir", str(ROOT.resolve()), "-p", "no:cacheprovider", *there], [selected]
        )
    return selected.outcomes


def _measured(path: Path) -> Report | None:
    """Read what the evaluation of this very code measured; None where it was not run.

    Raises:
        IncomparableError: it is no such file.
        RequirementsError: the code has changed since.
    """
    if not path.is_file():
        return None
    of_code = max(file.stat().st_mtime for file in (ROOT / "src").rglob("*.py"))
    if path.stat().st_mtime < of_code:
        raise RequirementsError(f"{path}: the code has changed since; run: make eval")
    return regression.read(path)


def _show(documents: Sequence[RequirementDocument], stand: Sequence[RowStanding]) -> None:
    left = iter(stand)
    for each in documents:
        for row in each.rows:
            if next(left) is RowStanding.FAILS:
                proofs = ", ".join((*row.tests, *row.figures))
                print(f"fails: {each.id}:{row.line}: {row.says}: {proofs}")
    counted = Counter(stand)
    print(f"{counted.total()} rows: {', '.join(f'{counted[how]} {how}' for how in RowStanding)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--only", metavar="DOCUMENT", help="run the rows of one document")
    parser.add_argument("--into", type=Path, help="put the tables into a document, at its mark")
    parser.add_argument(
        "--from",
        dest="run",
        type=Path,
        metavar="FILE",
        help="run nothing: read what `make test` wrote (pytest --junit-xml)",
    )
    parser.add_argument(
        "--measured",
        type=Path,
        default=ROOT / "build" / "eval" / "results.json",
        metavar="FILE",
        help="what `make eval` wrote (default build/eval/results.json)",
    )
    parser.add_argument("--check", type=Path, metavar="FILE", help="fail where it is out of date")
    options = parser.parse_args()
    if options.only and (options.into or options.check):
        parser.error("--into and --check take the rows of all documents: leave out --only")
    return options
