"""What an approval record decides about its document, and what is told where the two disagree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tables import cases
from tests.unit.made_register import Register, check, decision, kept, listed

from elysia_guard.adapters.documents.verification import verify

APPROVAL = """
## {heading}

| Name                    | Value      |
|-------------------------|------------|
| Version of ADR          | {version}  |
| Decision                | {decision} |
| Decision date           | {date}     |
| Driver (Decision owner) | Grid Board |
| Remarks                 | none       |

**Approvers**

| Name | Role |
|------|------|
| {who} | Architect |
"""


def approval(heading: str, decided: str, date: str, who: str, version: str = "v1.0") -> str:
    return APPROVAL.format(heading=heading, decision=decided, date=date, who=who, version=version)


CREATED = approval("1. Creation of ADR.4", "Accepted", "2025-03-01", "Ada Byron")
REVISED = approval("2. Revision of ADR.4", "Accepted", "2026-02-02", "Grace Murray", "v1.1")
VALVES = decision("Use valves", status="proposed", date="2024-12-24")
PIPES = decision("Use pipes", status="accepted", date="2024-02-20")


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Register:
    return Register(tmp_path_factory.mktemp("approvals"), kept("approvals"))


@pytest.mark.parametrize("row", cases("registers/approvals"))
def test_a1_the_record_answers(register: Register, row: dict[str, Any]) -> None:
    """When, by whom and in which version; a difference from its document is told, in lists too."""
    check(register.ask(row["asked"]), row)


def test_a1_a_table_with_a_row_an_approval_is_read(register: Register) -> None:
    """One table with a row for each approval says as much as a section for each."""
    first, second = register.documents["ADR-0005"].approvals
    assert (first.decision, first.date, first.version) == ("Vastgesteld", "2024-02-20", "1.0")
    assert (second.decision, second.date) == ("Afgewezen", "2024-01-10")
    assert first.approvers == ("Naam: Jan de Wit; Rol: Voorzitter",)


def test_a1_a_record_that_tells_nothing_is_one_all_the_same(tmp_path: Path) -> None:
    """Its decision does not lack one, and is told as one whose driver is not known."""
    files = {
        "decisions/0004-use-valves.md": VALVES,
        "decisions/0004D-use-valves.md": f"# List\n{CREATED}",
        "decisions/0009-use-codes.md": decision("Use codes", status="accepted"),
        "decisions/0009D-use-codes.md": "# Record\n\nThe board met and said yes.\n",
    }
    register = Register(tmp_path, files)
    assert register.ask("Which decisions have no approval record?").refused
    reply = register.ask("Which decisions are driven by the Grid Board?")
    assert listed(reply) == ["ADR-0004"]
    assert "1 of 2 decisions" in reply.answer


def test_a1_what_else_is_asked_of_a_document_is_not_its_status(tmp_path: Path) -> None:
    """A question with a subject of its own is answered from the text, not from the record."""
    body = "A repeated key with a different body gets the HTTP status 422."
    files = {
        "decisions/0009-use-codes.md": decision("Use codes", status="accepted", body=body),
        "decisions/0009D-use-codes.md": "# List\n" + CREATED.replace("ADR.4", "ADR.9"),
    }
    asked = "Which HTTP status does ADR-0009 give a repeated key with a different body?"
    assert [source.quote for source in Register(tmp_path, files).ask(asked).sources] == [body]


def test_a1_lists_of_approvals_under_one_heading_are_kept_apart(tmp_path: Path) -> None:
    """Two approvals under one heading, in tables or in lists, are two, each with its approvers."""
    tables = (REVISED + CREATED).replace("## 2. Revision of ADR.4", "## Approvals")
    tables = tables.replace("## 1. Creation of ADR.4", "")
    items = (
        "# Record\n\n- Version: 1.0\n- Decision: Accepted\n- Decision date: 2025-01-01\n\n"
        "Then it was revised.\n\n- Version: 1.1\n- Decision: Rejected\n"
    )
    files = {
        "decisions/0004-use-valves.md": VALVES,
        "decisions/0004D-use-valves.md": f"# List\n{tables}",
        "decisions/0005-use-pipes.md": PIPES,
        "decisions/0005D-use-pipes.md": items,
    }
    register = Register(tmp_path, files)
    found = register.documents["ADR-0004"].approvals
    assert [(item.version, item.approvers) for item in found] == [
        ("v1.1", ("Name: Grace Murray; Role: Architect",)),
        ("v1.0", ("Name: Ada Byron; Role: Architect",)),
    ]
    reply = register.ask("Who approved ADR-0004?")
    assert "Grace Murray" in reply.answer
    assert "Ada Byron" in reply.answer
    listed_so = register.documents["ADR-0005"].approvals
    assert [(item.version, item.decision, item.date) for item in listed_so] == [
        ("1.0", "Accepted", "2025-01-01"),
        ("1.1", "Rejected", ""),
    ]


def test_a1_what_came_after_approval_outlives_the_record(register: Register) -> None:
    """A record of its acceptance does not bring a superseded decision back into force."""
    assert register.documents["ADR-0006"].status == "superseded by ADR-0004"


def test_a1_a_list_that_the_records_empty_says_so(tmp_path: Path) -> None:
    """Where records overrule every document with the status asked for, the refusal names them."""
    files = {"decisions/0004-use-valves.md": VALVES}
    files["decisions/0004D-use-valves.md"] = f"# List\n{REVISED}{CREATED}"
    reply = Register(tmp_path, files).ask("Which decisions are proposed?")
    assert reply.refusal_reason == "no_results"
    assert "their approval records decide otherwise: ADR-0004" in reply.answer


def test_a1_another_bodys_support_takes_nothing_back(tmp_path: Path) -> None:
    """A newer entry whose decision is no known status does not undo an acceptance."""
    newer = approval("2. Use elsewhere", "Supported", "2026-03-03", "Alan T.")
    files = {
        "decisions/0004-use-valves.md": VALVES,
        "decisions/0004D-use-valves.md": f"# List\n{newer}{CREATED}",
    }
    register = Register(tmp_path, files)
    assert register.documents["ADR-0004"].status == "Accepted"
    reply = register.ask("What is the status of ADR-0004?")
    assert [source.quote for source in reply.sources] == ["Accepted", "Supported"]


def test_a1_a_record_that_heads_another_document_is_warned_of(tmp_path: Path) -> None:
    """Ingest and verify tell where a record's headings carry another document's number."""
    wrong = approval("Creation of ADR.9", "Accepted", "2025-03-01", "Ada Byron")
    files = {
        "decisions/0004-use-valves.md": VALVES,
        "decisions/0004D-use-valves.md": f"# List\n{wrong}",
    }
    register = Register(tmp_path, files)
    said = "it approves ADR-0004, and its headings say ADR-0009"
    assert register.report.warnings == (f"decisions/0004D-use-valves.md: {said}",)
    assert said in [item.problem for item in verify([register.folder]).warnings]


def test_a1_verify_names_every_difference(register: Register) -> None:
    """The identity check tells where document and record disagree, and who says what."""
    problems = [item.problem for item in verify([register.folder]).warnings]
    assert "its status is 'proposed', and ADR-0004D says 'Accepted'" in problems
    assert "its date is '2024-12-24', and ADR-0004D says '2026-02-02'" in problems
