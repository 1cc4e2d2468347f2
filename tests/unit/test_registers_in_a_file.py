"""Registers whose numbers stand in headings: one file of many, and titles that alone tell it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tables import FOLDER

from elysia_guard.adapters.documents import ParsedDocument, read_folder
from elysia_guard.adapters.documents.verification import verify
from elysia_guard.domain.document import Document, DocumentKind

Written = Callable[..., Path]

LETTERED, BARE, CHAPTERS, RELEASE = (
    (FOLDER / "registers" / "in_a_file" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("lettered", "bare", "chapters", "release")
)


@pytest.fixture
def write(tmp_path: Path) -> Written:
    def file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return tmp_path

    return file


def documents(folder: Path) -> dict[str, Document]:
    read = read_folder([folder])
    return {item.document.id: item.document for item in read if isinstance(item, ParsedDocument)}


def told(folder: Path) -> str:
    read = read_folder([folder])
    return "\n".join(
        warning for item in read if isinstance(item, ParsedDocument) for warning in item.warnings
    )


def test_each_lettered_heading_is_a_document(write: Written) -> None:
    """With the status and date that stand below it; what stands under none stays readable."""
    folder = write("memory/log.md", LETTERED)
    found = documents(folder)
    assert [*found] == ["ADR-0001", "ADR-0002", "ADR-0003", "DOC-memory-log"]
    post, shut, _, rest = found.values()
    assert (post.title, post.status, post.date) == ("Sell by post", "Accepted", "2026-01-21")
    assert (shut.status, shut.superseded_by) == ("Superseded by ADR-003", "ADR-003")
    assert {item.path for item in found.values()} == {"memory/log.md"}
    assert (rest.kind, rest.title) == (DocumentKind.DOCUMENT, "Decisions of the shop")
    passages = [
        (item.document.id, passage.section, passage.text)
        for item in read_folder([folder])
        if isinstance(item, ParsedDocument)
        for passage in item.passages
    ]
    assert ("ADR-0002", "Decision", "The shop is shut on Sundays.") in passages
    assert [text for id_, _, text in passages if id_ == "DOC-memory-log"] == [
        "Newest last. Copy the form below."
    ]


@pytest.mark.parametrize("name", ["decisions.md", "docs/internals/decision-log.md", "besluiten.md"])
def test_numbers_alone_are_kept_in_a_file_that_is_named_after_its_kind(
    write: Written, name: str
) -> None:
    """Also the newest first."""
    found = documents(write(name, BARE))
    assert [*found] == ["ADR-0002", "ADR-0001"]
    assert found["ADR-0002"].title == "Use Kafka"


def test_a_folder_tells_it_where_each_has_a_status(write: Written) -> None:
    """Chapters of a policy have none, and stay one document."""
    write("decisions/all.md", BARE)
    found = documents(write("policies/streets.md", CHAPTERS))
    assert [*found] == ["ADR-0002", "ADR-0001", "DOC-policies-streets"]


@pytest.mark.parametrize("name", ["decision.md", "decisions.md"])
def test_the_sections_of_one_document_are_no_register(write: Written, name: str) -> None:
    """'2. Decision' is what a section of a decision is called."""
    text = "# Use Kafka\n\n## 1. Context\n\nWe need events.\n\n## 2. Decision\n\nWe use Kafka.\n"
    assert [*documents(write(name, text))] == [f"DOC-{name.removesuffix('.md')}"]


def test_what_is_not_kept_is_told(write: Written) -> None:
    """Where nothing says the kind, and of letters that name none."""
    warning = told(write("notes.md", BARE))
    assert "its headings bear numbers (2, 1, ...) and a status each, so that they are" in warning
    lettered = told(write("notes.md", BARE.replace("## ", "## D00").replace(". ", ": ")))
    assert "nothing says what kind 'D' is; name it in kinds.toml" in lettered


def test_a_page_that_tells_of_decisions_is_none_of_them(write: Written) -> None:
    """Release notes name decisions, and no status; in a file that is called so they count."""
    folder = write("blog/release-3.md", RELEASE)
    assert [*documents(folder)] == ["DOC-blog-release-3"]
    assert "its headings bear numbers (101, 102, ...) and no status" in told(folder)
    (folder / "blog" / "release-3.md").rename(folder / "decisions.md")
    assert [*documents(folder)] == ["ADR-0101", "ADR-0102"]


def test_a_file_of_its_own_goes_before_a_heading(write: Written) -> None:
    """Whatever is read first: a page that discusses decisions does not push one out."""
    write("adr/0002-close-on-sundays.md", "# Close on Sundays\n\nThe shop is shut.\n")
    folder = write("adr/a-page.md", LETTERED)
    found = documents(folder)
    assert found["ADR-0002"].path == "adr/0002-close-on-sundays.md"
    assert [*found] == ["ADR-0002", "DOC-adr-a-page"]
    assert "ADR-0002 is adr/0002-close-on-sundays.md already; it is read as one document" in told(
        folder
    )


RECORD = "# {}\n\n## Status\n\nAccepted\n\n## Decision\n\nWe do it.\n"


@pytest.mark.parametrize("title", ["12. Use Kafka", "12 - Use Kafka", "012 Use Kafka"])
def test_a_title_tells_the_number_where_no_file_name_does(write: Written, title: str) -> None:
    """In a folder that tells the kind, of a document that has a status."""
    folder = write("decisions/kafka.md", RECORD.format(title))
    (document,) = documents(folder).values()
    assert (document.id, document.title) == ("ADR-0012", "Use Kafka")
    (verified,) = verify([folder]).documents
    assert verified.evidence == ("title's number",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("decisions/factors.md", RECORD.format("12 factors")),
        ("decisions/chapter.md", "# 12. Use Kafka\n\nIt is used.\n"),
        ("notes/kafka.md", RECORD.format("12. Use Kafka")),
    ],
)
def test_other_numbers_before_a_title_are_no_identity(write: Written, name: str, text: str) -> None:
    """No mark behind it, no status, or no kind."""
    (document,) = documents(write(name, text)).values()
    assert document.number is None


def test_two_titles_with_one_number_are_both_kept(write: Written) -> None:
    """The second without a number, since nobody can tell whose it is."""
    write("decisions/a.md", RECORD.format("12. Use Kafka"))
    folder = write("decisions/b.md", RECORD.format("12. Use Rabbit"))
    assert [*documents(folder)] == ["ADR-0012", "DOC-decisions-b"]
    assert "ADR-0012 is decisions/a.md already; its title's number is not kept" in told(folder)


def test_front_matter_tells_the_kind_as_well(write: Written) -> None:
    found = documents(write("log.md", f"---\ntype: policy\n---\n{BARE}"))
    assert [*found] == ["POL-0002", "POL-0001"]


def test_a_number_twice_in_a_file_leaves_it_one_document(write: Written) -> None:
    folder = write("log.md", LETTERED.replace("ADR-003", "ADR-001"))
    assert [*documents(folder)] == ["DOC-log"]
    assert "two of its headings say ADR-0001" in told(folder)


def test_a_numbered_document_keeps_its_headings(write: Written) -> None:
    """What names other decisions in its headings is one of them, and this is told."""
    folder = write("decisions/0007-all-at-once.md", LETTERED)
    assert [*documents(folder)] == ["ADR-0007"]
    assert "they are read as its parts" in told(folder)
