"""What an approval record decides about its document, and what is told where the two disagree."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.made_register import Register, decision, listed

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
DUTCH = """# Goedkeuringsverslag

| Versie | Besluit | Datum | Trekker |
|---|---|---|---|
| 0.9 | Afgewezen | 2024-01-10 | Raad Netten |
| 1.0 | Vastgesteld | 2024-02-20 | Raad Netten |

## Goedkeurders

| Naam | Rol |
|---|---|
| Jan de Wit | Voorzitter |
"""
FILES = {
    "decisions/0004-use-valves.md": decision("Use valves", status="proposed", date="2024-12-24"),
    "decisions/0004D-use-valves.md": f"# Decision Approval Record List\n{REVISED}{CREATED}",
    "decisions/0005-use-pipes.md": decision("Use pipes", status="accepted", date="2024-02-20"),
    "decisions/0005D-use-pipes.md": DUTCH,
    "decisions/0006-use-taps.md": decision(
        "Use taps", status="superseded by ADR-0004", date="2023-01-01"
    ),
    "decisions/0006D-use-taps.md": "# List\n"
    + approval("Creation of ADR.6", "Accepted", "2023-01-02", "Ada Byron"),
    "decisions/0007-use-buckets.md": decision("Use buckets", status="proposed"),
    "decisions/0007D-use-buckets.md": "# List\n"
    + approval("Creation of ADR.7", "Proposed", "", ""),
    "decisions/0008-use-hoses.md": decision("Use hoses", status="accepted", date="2022-05-05"),
}


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Register:
    return Register(tmp_path_factory.mktemp("approvals"), FILES)


@pytest.mark.parametrize(
    "asked",
    [
        "When was ADR-0004 accepted?",
        "Wanneer werd ADR.4 vastgesteld?",
        "Wann wurde ADR 4 angenommen?",
        "What is the date of ADR.4?",
        "When was the valves decision accepted?",
    ],
)
def test_a1_the_record_says_when(register: Register, asked: str) -> None:
    """Asked when a decision was accepted, its approval record answers, not its front matter."""
    reply = register.ask(asked)
    assert set(listed(reply)) == {"ADR-0004D"}
    assert reply.sources[0].quote == "2026-02-02"
    assert reply.validation
    assert reply.validation.sources_verified == reply.validation.sources_total


def test_a1_a_difference_is_told(register: Register) -> None:
    """Where a document and its record disagree, the answer names which says what."""
    reply = register.ask("What is the status of ADR-0004?")
    assert [warning.type for warning in reply.warnings] == ["SOURCES_DISAGREE"]
    assert reply.warnings[0].message in reply.answer
    for said in ("ADR-0004 itself", "'proposed'", "2024-12-24", "ADR-0004D", "'Accepted'"):
        assert said in reply.warnings[0].message


def test_a1_agreement_needs_no_word(register: Register) -> None:
    """Nothing is told where document and record say the same of what was asked."""
    reply = register.ask("When was ADR-0008 accepted?")
    assert (listed(reply), reply.warnings) == (["ADR-0008"], ())


@pytest.mark.parametrize(
    "asked",
    [
        "Who approved ADR.4?",
        "Show the approval record of ADR-0004",
        "Toon het goedkeuringsverslag van ADR.4",
        "Zeige den Genehmigungsvermerk von ADR 4",
        "Who signed off on the valves decision?",
        "Wie heeft het besluit Use valves goedgekeurd?",
        "Wer hat die Entscheidung Use valves genehmigt?",
        "Who signed off on 'Use valves'?",
    ],
)
def test_a1_every_approval_of_a_record_is_shown(register: Register, asked: str) -> None:
    """A document with two approvals shows both, by number and by title, in three languages."""
    reply = register.ask(asked)
    assert set(listed(reply)) == {"ADR-0004D"}
    for said in ("2026-02-02", "Grace Murray", "2025-03-01", "Ada Byron"):
        assert said in reply.answer


@pytest.mark.parametrize("asked", ["Who approved ADR-0005?", "Wie keurde ADR-0005 goed?"])
def test_a1_a_table_with_a_row_an_approval_is_read(register: Register, asked: str) -> None:
    """One table with a row for each approval says as much as a section for each."""
    assert "Jan de Wit" in register.ask("Who approved ADR-0005?").answer
    first, second = register.documents["ADR-0005"].approvals
    assert (first.decision, first.date, first.version) == ("Vastgesteld", "2024-02-20", "1.0")
    assert (second.decision, second.date) == ("Afgewezen", "2024-01-10")
    assert first.approvers == ("Naam: Jan de Wit; Rol: Voorzitter",)


@pytest.mark.parametrize(
    ("asked", "quote"),
    [
        ("Which version of ADR.4 was accepted?", "v1.1"),
        ("Welke versie heeft ADR.4?", "v1.1"),
        ("Who owns ADR.4?", "Grid Board"),
        ("Who is the driver of ADR-0004?", "Grid Board"),
    ],
)
def test_a1_the_record_says_which_version_and_who_drove_it(
    register: Register, asked: str, quote: str
) -> None:
    """Version and driver stand in the record, and are answered from it."""
    reply = register.ask(asked)
    assert (set(listed(reply)), reply.sources[0].quote) == ({"ADR-0004D"}, quote)


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
        "decisions/0004-use-valves.md": FILES["decisions/0004-use-valves.md"],
        "decisions/0004D-use-valves.md": f"# List\n{tables}",
        "decisions/0005-use-pipes.md": FILES["decisions/0005-use-pipes.md"],
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


def test_a1_who_signed_what_has_no_record_is_refused(register: Register) -> None:
    """Without a record the refusal says that there is none, whatever name the document went by."""
    for asked in ("Who approved ADR-0008?", "Who signed off on the hoses decision?"):
        reply = register.ask(asked)
        assert reply.refusal_reason == "entity_not_found"
        assert "no approval record" in reply.answer


def test_a1_what_came_after_approval_outlives_the_record(register: Register) -> None:
    """A record of its acceptance does not bring a superseded decision back into force."""
    assert register.documents["ADR-0006"].status == "superseded by ADR-0004"
    reply = register.ask("What does ADR-0006 decide?")
    assert [item.type for item in reply.warnings] == ["SUPERSEDED", "SOURCES_DISAGREE"]


def test_a1_a_record_without_a_date_says_so(register: Register) -> None:
    """Where the record names no date of its decision, none is taken from elsewhere."""
    reply = register.ask("When was ADR-0007 accepted?")
    assert "The record names no date of this decision." in reply.answer
    assert [source.quote for source in reply.sources] == ["Proposed"]


def test_a1_lists_go_by_the_record(register: Register) -> None:
    """A list by status or date goes by the record, and shows where the document says another."""
    accepted = register.ask("Which decisions are accepted?")
    assert listed(accepted) == ["ADR-0004", "ADR-0005", "ADR-0008"]
    assert "(ADR-0004D: Accepted; ADR-0004: proposed)" in accepted.answer
    in_march = register.ask("Which decisions were taken in March 2025?")
    assert listed(in_march) == ["ADR-0004"]
    told = "(ADR-0004D: Accepted 2026-02-02, Accepted 2025-03-01; ADR-0004: proposed)"
    assert told in in_march.answer, "the date for which it is listed stands beside it"
    february = register.ask("Which decisions were taken in February 2024?")
    assert "(ADR-0005D: Vastgesteld 2024-02-20" in february.answer
    assert register.ask("Which decisions were taken in January 2024?").refused, "then it was not"


def test_a1_a_list_that_the_records_empty_says_so(tmp_path: Path) -> None:
    """Where records overrule every document with the status asked for, the refusal names them."""
    files = {name: text for name, text in FILES.items() if "0004" in name}
    reply = Register(tmp_path, files).ask("Which decisions are proposed?")
    assert reply.refusal_reason == "no_results"
    assert "their approval records decide otherwise: ADR-0004" in reply.answer


def test_a1_another_bodys_support_takes_nothing_back(tmp_path: Path) -> None:
    """A newer entry whose decision is no known status does not undo an acceptance."""
    newer = approval("2. Use elsewhere", "Supported", "2026-03-03", "Alan T.")
    files = {
        "decisions/0004-use-valves.md": FILES["decisions/0004-use-valves.md"],
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
        "decisions/0004-use-valves.md": FILES["decisions/0004-use-valves.md"],
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
