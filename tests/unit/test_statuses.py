"""Statuses as registers write them: kept word for word, listed by, and never taken for in force."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tables import cases
from tests.unit.made_register import Register, check, kept

from elysia_guard.adapters.documents import ParsedDocument
from elysia_guard.adapters.documents.reader import parse
from elysia_guard.adapters.documents.verification import verify
from elysia_guard.domain.document import Document
from elysia_guard.language.states import in_force


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Register:
    return Register(tmp_path_factory.mktemp("statuses"), kept("statuses"))


def read(text: str, path: str = "decisions/0012-use-cim.md") -> Document:
    parsed = parse(text.encode(), path=path)
    assert isinstance(parsed, ParsedDocument)
    return parsed.document


@pytest.mark.parametrize("row", cases("registers/statuses"))
def test_a3_whatever_statuses_there_are_are_known(register: Register, row: dict[str, Any]) -> None:
    """Listed by, quoted, warned of first, and refused by name where no document has it."""
    check(register.ask(row["asked"]), row)


@pytest.mark.parametrize("row", cases("read_as", "status"))
def test_a3_a_status_is_kept_as_it_is_written(row: dict[str, str]) -> None:
    """Wherever a register writes its statuses, they are kept word for word."""
    assert read(row["asked"]).status == row["is"]


def test_a3_what_is_no_status_is_warned_of() -> None:
    """A section Status that names none, and a form not filled in, are told at ingest."""
    prose = "Nobody has yet written down what came of this, " + "which is a long story, " * 9
    for text, said in (
        (f"# T\n\n## Status\n\n{prose}\n", "its section Status names none"),
        ('---\nstatus: "{proposed | accepted}"\n---\n# T\n\nText.', "a form to fill in"),
    ):
        parsed = parse(text.encode(), path="decisions/0012-use-cim.md")
        assert isinstance(parsed, ParsedDocument)
        assert parsed.document.status == ""
        assert said in parsed.warnings[0]


@pytest.mark.parametrize(
    "status", ["Pending", "Partly superseded", "On hold", "Conditionally accepted", "aprobado"]
)
def test_a3_an_unknown_status_is_never_in_force(status: str) -> None:
    """What no language knows as accepted does not count as in force."""
    assert not in_force(status)


@pytest.mark.parametrize(
    ("name", "title", "warned"),
    [
        ("0033-ip-ranges.md", "3. Networking", True),
        ("0033-ip-ranges.md", "0003 Networking", True),
        ("0033-ip-ranges.md", "ADR 3: Networking", True),
        ("0033-ip-ranges.md", "33. Networking", False),
        ("0033-ip-ranges.md", "12 factors of networks", False),
        ("0033-ip-ranges.md", "5G in 2026", False),
    ],
)
def test_a3_a_title_with_another_number_is_told(
    tmp_path: Path, name: str, title: str, warned: bool
) -> None:
    """A title numbered as another document is told by ingest and by the identity check."""
    text = f"# {title}\n\n## Status\n\nAccepted\n"
    register = Register(tmp_path, {f"decisions/{name}": text})
    assert list(register.documents) == ["ADR-0033"]
    assert bool(register.report.warnings) is warned
    assert bool(verify([register.folder]).conflicts) is warned


def test_a3_a_bare_number_counts_where_the_register_writes_so(tmp_path: Path) -> None:
    """'29 Audit' in 0030 is told where the neighbours begin with their own numbers."""
    files = {
        f"architecture-decision-records/{number:03d}-x.md": f"# {title}\n\nText.\n"
        for number, title in ((27, "27 Logs"), (28, "28 Scans"), (29, "29 Audit"), (30, "29 Audit"))
    }
    register = Register(tmp_path, files)
    assert list(register.documents) == ["ADR-0027", "ADR-0028", "ADR-0029", "ADR-0030"]
    assert [warning.partition(":")[0].split("/")[-1] for warning in register.report.warnings] == [
        "030-x.md"
    ]


def test_a3_a_number_that_is_not_kept_is_told(tmp_path: Path) -> None:
    """A numbered file whose number does not say who it is is told, with the way out."""
    register = Register(tmp_path, {"notes/0007-swim.md": "# Swim\n\nText.\n"})
    assert "bears the number 0007, which is not kept" in register.report.warnings[0]
