"""Folders of strangers: what is a document, of which kind and number, without a setting."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.unit.small_world import DECISION, World, document

from elysia_guard.adapters.documents.content import ParsedDocument, Skipped
from elysia_guard.adapters.documents.reader import read_folder
from elysia_guard.adapters.documents.survey import survey
from elysia_guard.domain.document import Document, DocumentKind, SectionRole
from elysia_guard.edge.cli.main import cli
from elysia_guard.language.dates import in_order
from elysia_guard.language.own_kinds import read_kinds, under
from elysia_guard.language.pack_reader import PackError
from elysia_guard.language.references import find_references

DECIDES = "# {}\n\n## Decision\n\nThe pumps of the station are watched by a sensor.\n"
PROSE = "Whoever writes a record first talks to the people who keep the pumps running. " * 6


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def documents(folder: Path) -> dict[str, Document]:
    found = (item for item in read_folder([folder]) if isinstance(item, ParsedDocument))
    return {item.document.path: item.document for item in found}


def skipped(folder: Path) -> dict[str, str]:
    return {item.path: item.reason for item in read_folder([folder]) if isinstance(item, Skipped)}


def test_a_page_that_stands_for_a_dated_folder_is_its_document(tmp_path: Path) -> None:
    place = "decision-records/2024-03-05-watch-pumps/README.md"
    write(tmp_path, {place: DECIDES.format("Watch the pumps")})
    (found,) = documents(tmp_path).values()
    assert (found.kind, found.title) == (DocumentKind.DECISION, "Watch the pumps")
    assert (found.number, found.date) == (None, "2024-03-05")


def test_a_page_that_stands_for_a_numbered_folder_bears_its_number(tmp_path: Path) -> None:
    write(tmp_path, {"decisions/0007-pumps/README.md": DECIDES.format("Watch the pumps")})
    (found,) = documents(tmp_path).values()
    assert str(found.identity) == "ADR-0007"


@pytest.mark.parametrize("name", ["README.md", "index.md"])
def test_a_list_of_links_is_no_document(tmp_path: Path, name: str) -> None:
    links = (
        "# Decisions\n\nAll of them:\n\n- [Watch the pumps](0007-pumps.md)\n- [Use valves](8.md)\n"
    )
    write(tmp_path, {f"decisions/{name}": links})
    assert skipped(tmp_path) == {f"decisions/{name}": "an index page"}


def test_a_page_with_text_of_its_own_is_a_document_of_no_kind(tmp_path: Path) -> None:
    write(tmp_path, {"decisions/README.md": f"# How we decide\n\n{PROSE}\n"})
    (found,) = documents(tmp_path).values()
    assert (found.kind, found.number) == (DocumentKind.DOCUMENT, None)


@pytest.mark.parametrize(
    ("name", "number", "written"),
    [
        ("HOUSE-ADR-Pumps-0009-watch.md", 9, "HOUSE-ADR-Pumps-0009"),
        ("HOUSE-ADR-0012-use-valves.md", 12, "HOUSE-ADR-0012"),
        ("HOUSE-ADR-VLV-003.md", 3, "HOUSE-ADR-VLV-003"),
        ("house-http-404-page.md", None, ""),
    ],
)
def test_a_number_with_letters_of_the_house(
    tmp_path: Path, name: str, number: int | None, written: str
) -> None:
    write(tmp_path, {f"records/{name}": DECIDES.format("Watch the pumps")})
    (found,) = documents(tmp_path).values()
    assert (found.number, found.identifier) == (number, written)


def test_a_reference_may_name_an_area() -> None:
    (found,) = find_references("What does HOUSE-ADR-Pumps-0009 decide?")
    assert (str(found.identity), found.written) == ("ADR-0009", "HOUSE-ADR-Pumps-0009")


@pytest.mark.parametrize(
    ("front", "status"),
    [("Statut: accepté", "accepté"), ("STATUS: Accepted", "Accepted"), ("status: Open", "Open")],
)
def test_front_matter_in_other_words(tmp_path: Path, front: str, status: str) -> None:
    text = f"---\ntitle: Decision (MADR)\n{front}\n---\n{DECIDES.format('Watch the pumps')}"
    write(tmp_path, {"decisions/2024-02-30-pumps.md": text})
    (found,) = documents(tmp_path).values()
    assert (found.status, found.title) == (status, "Watch the pumps")
    assert found.date == "2024-02-30"


def test_a_date_that_is_to_be_filled_in_is_none(tmp_path: Path) -> None:
    table = (
        "|  |  |\n| --- | --- |\n| Date | insert date |\n| Status | Approved |\n\n## Decision\n\nX."
    )
    write(tmp_path, {"decisions/0001-pumps.md": f"# Pumps\n\n{table}\n"})
    (found,) = documents(tmp_path).values()
    assert (found.date, found.status) == ("", "Approved")


def test_sections_written_as_titles_are_none(tmp_path: Path) -> None:
    write(
        tmp_path, {"decisions/0003-watch-pumps.md": "# Summary\n\nPumps.\n\n# Design\n\nA sensor."}
    )
    (found,) = documents(tmp_path).values()
    assert found.title == "watch pumps"


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2024-03-05", "2024-03-05"),
        ("2024-03", "2024-03"),
        ("2024", "2024"),
        ("2024-03-05 (updated 2025-01-01)", "2024-03-05"),
        ("11-April-2023", "2023-04-11"),
        ("September 22, 2023", "2023-09-22"),
        ("Sep 5th, 2023", "2023-09-05"),
        ("8 Jun 2024", "2024-06-08"),
        ("3. März 2025", "2025-03-03"),
        ("12 mei 2024", "2024-05-12"),
        ("1er février 2024", "2024-02-01"),
        ("12 mei van 2024", "2024-05-12"),
        ("22-10-2024", "2024-10-22"),
        ("10/22/2024", "2024-10-22"),
        ("03.04.2024", "2024-04-03"),
        ("03/04/2024", ""),
        ("May, 2026", "2026-05"),
        ("31/31/2024", ""),
        ("to be decided", ""),
        ("", ""),
    ],
)
def test_dates_in_the_order_of_the_calendar(written: str, day: str) -> None:
    assert in_order(written) == day


def roles(folder: Path) -> list[tuple[str, str]]:
    (found,) = (item for item in read_folder([folder]) if isinstance(item, ParsedDocument))
    return [(each.role, each.text) for each in found.passages]


def test_what_stands_beside_a_status_is_no_text(tmp_path: Path) -> None:
    head = "- Status: Open\n- Authors: Ada\n- Ticket: none\n\nPumps: see below."
    write(tmp_path, {"decisions/0001-a.md": f"# Pumps\n\n{head}\n"})
    assert roles(tmp_path) == [
        ("particulars", "- Status: Open\n- Authors: Ada\n- Ticket: none"),
        ("other", "Pumps: see below."),
    ]


@pytest.mark.parametrize("heading", ["Summary", "What", "How", "1. Detailed design", "Entwurf"])
def test_headings_of_proposals(tmp_path: Path, heading: str) -> None:
    write(tmp_path, {"decisions/0001-a.md": f"# Pumps\n\n## {heading}\n\nA sensor watches them.\n"})
    assert roles(tmp_path) == [("proposal", "A sensor watches them.")]


def test_a_part_of_an_option_proposes_nothing(tmp_path: Path) -> None:
    text = "# Pumps\n\n## Considered options\n\n### How\n\nA guard watches them.\n"
    write(tmp_path, {"decisions/0001-a.md": text})
    assert roles(tmp_path) == [("options", "A guard watches them.")]


def register(folder: Path, names: list[str]) -> Path:
    return write(folder, {f"{name}.md": DECIDES.format(name) for name in names})


def test_a_register_in_a_folder_of_its_own_name_is_proposed(tmp_path: Path) -> None:
    names = ["0004-watch-pumps", "0011-use-valves", "0012-drop-taps"]
    register(tmp_path / "rfcs" / "text", names)
    found = survey([tmp_path / "rfcs"])
    (kind,) = found.proposed
    assert (kind.name, kind.form, kind.documents) == ("rfc", "RFC-{number:04d}", 3)
    assert kind.folders == ("text",)
    assert (found.documents, found.numbered) == (3, 0)


def test_no_kind_is_called_after_whose_folder_it_is(tmp_path: Path) -> None:
    """What lies around what was looked at may be a person or a project."""
    register(tmp_path / "alice" / "text", ["0004-watch-pumps", "0011-use-valves", "0012-drop-taps"])
    (kind,) = survey([tmp_path / "alice" / "text"]).proposed
    assert (kind.name, kind.form, kind.folders) == ("decision", "", ("text",))


def test_registers_of_two_folders_are_each_proposed(tmp_path: Path) -> None:
    """Though their files are called the same."""
    names = ["0004-watch-pumps", "0011-use-valves", "0012-drop-taps"]
    for name in ("rfcs", "keps"):
        register(tmp_path / name, names)
    found = survey([tmp_path / "rfcs", tmp_path / "keps"]).proposed
    assert [(kind.name, kind.documents) for kind in found] == [("rfc", 3), ("kep", 3)]


def test_a_folder_of_a_year_is_no_number(tmp_path: Path) -> None:
    write(tmp_path, {"decisions/2023/README.md": f"# What we decided in 2023\n\n{PROSE}\n"})
    (found,) = documents(tmp_path).values()
    assert (found.kind, found.number) == (DocumentKind.DOCUMENT, None)


def test_a_pattern_is_no_form_to_fill_in(tmp_path: Path) -> None:
    write(tmp_path, {"decisions/0003-entwurfs-muster.md": DECIDES.format("Entwurfsmuster")})
    assert [found.number for found in documents(tmp_path).values()] == [3]


def test_chapters_are_no_register(tmp_path: Path) -> None:
    register(tmp_path / "guides", ["1-start", "2-build", "3-run", "4-stop"])
    assert survey([tmp_path]).proposed == ()


def test_what_names_tell_already_is_not_proposed(tmp_path: Path) -> None:
    register(tmp_path / "decisions", ["0001-a", "0002-b", "0003-c"])
    found = survey([tmp_path])
    assert (found.proposed, found.numbered, dict(found.kinds)) == ((), 3, {"decision": 3})


def test_numbers_that_count_anew_are_told(tmp_path: Path) -> None:
    register(tmp_path / "decisions" / "a", ["0001-a", "0002-b"])
    register(tmp_path / "decisions" / "b", ["0001-c"])
    assert survey([tmp_path]).shared == 2


def test_what_is_proposed_is_written_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(tmp_path / "rfcs", ["0004-watch-pumps", "0011-use-valves", "0012-drop-taps"])
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    done = CliRunner().invoke(cli, ["init", "--documents", "../rfcs"])
    assert done.exit_code == 0, done.output
    assert "3 in rfcs are called rfc" in done.output
    assert "sources: [../rfcs]" in (home / "config" / "guard.yaml").read_text()
    with under(read_kinds(home / "config" / "languages" / "kinds.toml")):
        found = documents(tmp_path / "rfcs")
    assert sorted(str(item.identity) for item in found.values()) == [
        "RFC-0004",
        "RFC-0011",
        "RFC-0012",
    ]


def test_a_folder_is_of_one_kind(tmp_path: Path) -> None:
    file = tmp_path / "kinds.toml"
    file.write_text('[decision]\nfolders = ["text"]\n[policy]\nfolders = ["text"]\n')
    with pytest.raises(PackError, match="'text' is of decision and of policy"):
        read_kinds(file)


def test_what_is_said_of_many_files_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(tmp_path / "text", [f"00{n}-part" for n in range(10, 15)])
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["ingest", "text", "--index", "x.sqlite", "--dry-run"])
    lines = [line for line in done.output.splitlines() if "is not kept" in line]
    assert len(lines) == 1, done.output
    assert "0010-part.md and 4 more" in lines[0]


def proposal(*sections: tuple[str, SectionRole, str]) -> World:
    """A decision of some sections, each with its heading."""
    made = document(DECISION, 7, "Watch the pumps", *((role, text) for _, role, text in sections))
    named = [
        replace(each, section=heading) for each, (heading, _, _) in zip(made, sections, strict=True)
    ]
    return World(passages=named)


WHY = ("Motivation", SectionRole.OTHER, "Pumps fail at night.")
SUMMARY = ("Summary", SectionRole.PROPOSAL, "A sensor watches every pump.")


@pytest.mark.parametrize(
    "asked",
    [
        "What does ADR-0007 propose?",
        "What does ADR-0007 decide?",
        "Wat stelt ADR-0007 voor?",
        "Was schlägt ADR-0007 vor?",
    ],
)
def test_a_proposal_without_a_decision_tells_what_it_proposes(asked: str) -> None:
    reply = proposal(WHY, SUMMARY).ask(asked)
    assert reply.outcome == "asserted"
    assert reply.sources[0].quote == "A sensor watches every pump."


def test_a_decision_within_a_section_does_not_hide_the_summary() -> None:
    within = ("Details > Decision", SectionRole.SUBSTANCE, "The sensor is bought.")
    reply = proposal(SUMMARY, WHY, within).ask("What does ADR-0007 decide?")
    assert "A sensor watches every pump." in reply.answer
    assert "The sensor is bought." in reply.answer


def test_a_summary_beside_a_decision_is_not_the_decision() -> None:
    beside = ("Decision", SectionRole.SUBSTANCE, "The sensor is bought.")
    reply = proposal(SUMMARY, beside).ask("What does ADR-0007 decide?")
    assert reply.sources[0].quote == "The sensor is bought."


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "What is the newest decision?",
            "none states a date that tells; I am unable to tell which fit 'the newest'",
        ),
        (
            "What is the oldest decision?",
            "none states a date that tells; I am unable to tell which fit 'the oldest'",
        ),
    ],
)
def test_which_is_the_newest_without_dates_is_not_known(asked: str, told: str) -> None:
    undated = document(DECISION, 7, "Watch the pumps", (SectionRole.OTHER, "A sensor."), date="")
    assert told in World(passages=undated).ask(asked).answer


def test_a_house_without_kinds_is_offered_its_documents() -> None:
    plain = document(DocumentKind.DOCUMENT, None, "Pumps", (SectionRole.OTHER, "A sensor."))
    reply = World(passages=plain).ask("Which decisions are there?")
    assert [item.question for item in reply.suggestions] == ["List all documents"]
