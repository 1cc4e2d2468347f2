"""Run the tests that prove the requirement documents, and write down how each row stands.

    python scripts/requirements.py                               # print what fails, and the counts
    python scripts/requirements.py --only TD-080                 # one document
    python scripts/requirements.py --into docs/requirements.md   # put the tables into a document

The rows are in tests/requirements. Exit codes: 0 no row fails, 1 one does, 2 wrong use, 3 could not
run.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import requirements
from elysia_guard.evaluation.requirements import Document, Standing

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
HOLDS, FAILS, COULD_NOT_RUN = 0, 1, 3
BEGIN, END = "<!-- requirements: begin -->", "<!-- requirements: end -->"
WORSE = ("skipped", "passed", "failed")
"""The outcomes of a step of a test: the last that occurs is the outcome of the test."""


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
        before = self.outcomes.get(node, WORSE[0])
        self.outcomes[node] = max(before, report.outcome, key=WORSE.index)


def main() -> int:
    """Run, print and write."""
    options = _options()
    try:
        documents = requirements.load(TESTS / "requirements")
        requirements.check_decisions(documents, adrs())
    except GuardError as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    chosen = [each for each in documents if options.only in (None, each.id)]
    if not chosen:
        ids = ", ".join(each.id for each in documents)
        print(f"error: --only {options.only}: there is {ids}", file=sys.stderr)
        return COULD_NOT_RUN
    outcomes = _outcomes(requirements.tests_of(chosen))
    stand = requirements.standings(chosen, outcomes)
    _show(chosen, stand)
    if options.into:
        _put(requirements.markdown(chosen, stand, adrs()), options.into)
    return FAILS if Standing.FAILS in stand else HOLDS


def adrs() -> dict[str, str]:
    """Return the file of each decision, by its number."""
    return {path.name[:4]: path.name for path in (ROOT / "docs" / "adr").glob("[0-9]*.md")}


def _outcomes(names: Sequence[str]) -> dict[str, str]:
    selected = Selected(names)
    files = sorted({name.partition("::")[0] for name in names})
    there = [f"tests/{file}" for file in files if (TESTS / file).is_file()]
    if there:
        pytest.main(["-q", "--rootdir", str(ROOT), "-p", "no:cacheprovider", *there], [selected])
    return selected.outcomes


def _show(documents: Sequence[Document], stand: Sequence[Standing]) -> None:
    left = iter(stand)
    for each in documents:
        for row in each.rows:
            if next(left) is Standing.FAILS:
                print(f"fails: {each.id}:{row.line}: {row.says}: {', '.join(row.tests)}")
    counted = Counter(stand)
    print(f"{counted.total()} rows: {', '.join(f'{counted[how]} {how}' for how in Standing)}")


def _put(text: str, path: Path) -> None:
    """Replace what stands between the marks of a document."""
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--only", metavar="DOCUMENT", help="run the rows of one document")
    parser.add_argument("--into", type=Path, help="put the tables into a document, at its mark")
    options = parser.parse_args()
    if options.only and options.into:
        parser.error("--into takes the rows of all documents: leave out --only")
    return options


if __name__ == "__main__":
    sys.exit(main())
