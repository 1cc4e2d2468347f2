"""Statuses as registers write them: kept word for word, listed by, and never taken for in force."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tables import cases
from tests.unit.made_register import Register, decision, listed, nygard

from elysia_guard.adapters.documents import ParsedDocument
from elysia_guard.adapters.documents.reader import parse
from elysia_guard.adapters.documents.verification import verify
from elysia_guard.domain.document import Document
from elysia_guard.language.states import in_force

FILES = {
    "decisions/0001-dig.md": nygard(1, "Dig canals", "Accepted"),
    "decisions/0002-sail.md": nygard(2, "Sail on canals", "Pending"),
    "decisions/0003-lock.md": nygard(3, "Lock canals", "Partly superseded by ADR-0004"),
    "decisions/0004-drain.md": nygard(4, "Drain canals", "On hold (see issue 7)"),
    "decisions/0005-tow.md": nygard(5, "Tow boats", "✅ Accepted, implemented in 2025"),
    "decisions/0006-row.md": decision("Row boats", status="In der Schwebe"),
    "decisions/0007-swim.md": "# 7. Swim\n\nIt is allowed to swim in canals.\n",
    "decisions/0008-fish.md": nygard(8, "Fish", "Superseded by [Sail on canals](0002-sail.md)"),
}


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Register:
    return Register(tmp_path_factory.mktemp("statuses"), FILES)


def read(text: str, path: str = "decisions/0012-use-cim.md") -> Document:
    parsed = parse(text.encode(), path=path)
    assert isinstance(parsed, ParsedDocument)
    return parsed.document


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
    ("asked", "ids"),
    [
        ("Which decisions are pending?", ["ADR-0002"]),
        ("Which decisions are partly superseded?", ["ADR-0003"]),
        ("List all decisions that are on hold", ["ADR-0004"]),
        ("Welke besluiten zijn on hold?", ["ADR-0004"]),
        ("Welche Entscheidungen sind in der Schwebe?", ["ADR-0006"]),
        ("Which decisions are implemented?", ["ADR-0005"]),
        ("Which decisions are pending or on hold?", ["ADR-0002", "ADR-0004"]),
        ("Which decisions are accepted or pending?", ["ADR-0001", "ADR-0002", "ADR-0005"]),
        ("Which decisions are superseded?", ["ADR-0008"]),
        ("Which decisions are accepted?", ["ADR-0001", "ADR-0005"]),
        ("Which decisions are accepted but not implemented?", ["ADR-0001"]),
        ("List the decisions with the status 'Pending'", ["ADR-0002"]),
    ],
)
def test_a3_lists_work_for_whatever_statuses_there_are(
    register: Register, asked: str, ids: list[str]
) -> None:
    """A list by status knows the statuses of the register at hand, whatever they are called."""
    reply = register.ask(asked)
    assert (reply.refused, sorted(set(listed(reply)))) == (False, ids)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Which decisions are rejected?", "There are no decisions with the status rejected."),
        ("List decisions with status Shelved", "There are no decisions with the status Shelved."),
        ("Welke besluiten hebben de status vergeten?", "Er zijn geen besluiten met de status"),
        ("Zeige alle Entscheidungen mit dem Status offen", "Es gibt keine Entscheidungen mit"),
    ],
)
def test_a3_a_status_that_no_document_has_is_refused(
    register: Register, asked: str, said: str
) -> None:
    """The refusal says that no document has that status, and names the statuses there are."""
    reply = register.ask(asked)
    assert reply.refusal_reason == "no_results"
    assert said in reply.answer
    assert "Partly superseded by ADR-0004" in reply.answer


@pytest.mark.parametrize(
    ("asked", "quote"),
    [
        ("What is the status of ADR-3?", "Partly superseded by ADR-0004"),
        ("Wat is de status van ADR-4?", "On hold (see issue 7)"),
        ("Is ADR-2 accepted?", "Pending"),
        ("Gilt ADR-6 noch?", "In der Schwebe"),
    ],
)
def test_a3_the_status_of_a_document_is_quoted(register: Register, asked: str, quote: str) -> None:
    """Asked for a status, the answer is what the document says, word for word."""
    assert f"{quote} [source:1]" in register.ask(asked).answer


@pytest.mark.parametrize(
    "asked", ["What is the status of ADR-7?", "Wanneer is ADR-7 besloten?", "Gilt ADR-7 noch?"]
)
def test_a3_what_is_not_stated_is_refused(register: Register, asked: str) -> None:
    """A document that gives no status or date is not answered for with something else."""
    assert register.ask(asked).refusal_reason == "low_coverage"


@pytest.mark.parametrize(
    "status", ["Pending", "Partly superseded", "On hold", "Conditionally accepted", "aprobado"]
)
def test_a3_an_unknown_status_is_never_in_force(status: str) -> None:
    """What no language knows as accepted does not count as in force."""
    assert not in_force(status)


@pytest.mark.parametrize("number", [2, 3, 4, 6, 8])
def test_a3_the_warning_comes_before_the_text(register: Register, number: int) -> None:
    """What a document decides that is not in force comes after the warning, not before it."""
    reply = register.ask(f"What does ADR-{number} decide?")
    assert reply.warnings
    assert reply.answer.startswith(f"⚠ {reply.warnings[0].message}")


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
    other = {"decisions/ACME-ADR-Pools-0008-dive.md": "# Dive\n\nText.\n"}
    register = Register(tmp_path, {"notes/0007-swim.md": "# Swim\n\nText.\n", **other})
    assert "bears the number 0008, which is not kept" in register.report.warnings[0]
    assert "bears the number 0007, which is not kept" in register.report.warnings[1]


def test_a3_what_is_denied_leaves_every_other_status(register: Register) -> None:
    """Not accepted is whatever has another status, known or not; what has none is not listed."""
    found = ["ADR-0002", "ADR-0003", "ADR-0004", "ADR-0006", "ADR-0008"]
    assert listed(register.ask("Which decisions are not accepted?")) == found
    reply = register.ask("Welche Entscheidungen sind nicht pending?")
    assert "ADR-0002" not in listed(reply)
    assert "ohne den Status pending" in reply.answer
