"""Reading documents: who they are, what their sections say, how they are cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tables import cases
from tests.unit import reading

from elysia_guard.adapters.documents import ParsedDocument, Skipped, read_folder
from elysia_guard.adapters.documents.chunks import LIMIT, role_of
from elysia_guard.adapters.documents.formats import MAX_TEXT_BYTES
from elysia_guard.domain.errors import DocumentError

PATH = "decisions/0012-use-cim.md"


def read(text: str, path: str = PATH) -> ParsedDocument:
    return reading.read(text, path)


@pytest.mark.parametrize("row", cases("read_as", "identity"))
def test_identity(row: dict[str, str]) -> None:
    """Front matter, then file name and folder say who a document is; a UUID never does."""
    parsed = read(f"---\n{row['front']}\n---\n# Title\n\nText.", row["path"])
    assert parsed.document.id == row["is"]


def test_particulars() -> None:
    """What the front matter says arrives as it is written, whatever YAML makes of such words."""
    document = read(
        "---\nidentifier: ADR-0012\ntitle: Use CIM\nstatus: superseded by [ADR-0031](x.md)\n"
        "date: 2025-02-31\nowner: No\nlang: nl-NL\nsupersedes: [ADR-0001, ADR-0002]\n---\nText."
    ).document
    assert (document.title, document.date, document.owner, document.lang) == (
        "Use CIM", "2025-02-31", "No", "nl",
    )  # fmt: skip
    assert document.superseded_by == "ADR-0031"
    assert document.supersedes == "ADR-0001, ADR-0002"


def test_what_a_text_without_front_matter_says_of_itself() -> None:
    """Nygard's form: date and deciders under the title, and a section for the status."""
    document = read(
        "# 5. Use CIM\n\nDate: 2016-02-12\n\n* Deciders: Ada, Bob\n\n## Status\n\nAccepted\n\n"
        "Superseded by [ADR-0031](x.md)\n\n## Context\n\nDate: 1999-01-01\n\nStatus: rejected\n",
        "decisions/0005-use-cim.md",
    ).document
    assert (document.id, document.title, document.date) == ("ADR-0005", "Use CIM", "2016-02-12")
    assert (document.status, document.superseded_by) == ("Superseded by ADR-0031", "ADR-0031")
    assert document.owner == "Ada, Bob"


def test_broken_front_matter() -> None:
    """The error names file and line."""
    with pytest.raises(DocumentError, match=r"^decisions/0012-use-cim\.md:3: .*cannot be read"):
        read("---\ntitle: x\nstatus: [accepted\n---\nText.")


@pytest.mark.parametrize("text", ["---\n\nText.\n\n---\n", "---\n---\nText.", "--- \nText.\n"])
def test_a_rule_is_no_front_matter(text: str) -> None:
    """A file that merely begins with a rule is read whole."""
    assert read(text).passages[0].text == "Text."


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ("# T\n\nText.", "decisions/adr-template.md", "a template"),
        ("# T\n\nText.", "decisions/ADRXXX-decision-record-template.md", "a template"),
        ("# T\n\nText.", "decisions/template_long.md", "a template"),
        ("---\nnav_order: ADR.NN\n---\nText.", "decisions/x.md", "a template"),
        ('---\nidentifier: "PCP-[NNNN]"\n---\nText.', "decisions/x.md", "a template"),
        ("---\nidentifier: ADR-XXXX\n---\nText.", "decisions/x.md", "a template"),
        ("# {short title}\n\nText.", "decisions/x.md", "a template"),
        ('---\ntitle: "[Short title]"\n---\nText.', "decisions/x.md", "a template"),
        ("", "decisions/x.md", "empty"),
        ("# Title\n\n<!-- to do -->\n", "decisions/x.md", "empty"),
    ],
)
def test_what_is_no_document(text: str, path: str, reason: str) -> None:
    """Templates and empty files are left out, and it is said why."""
    assert reading.reason(text, path) == reason


def test_a_key_that_is_a_kind_gives_the_number() -> None:
    """'adr: 0016', whatever file and folder are called."""
    text = '---\nadr: "0016"\nstatus: accepted\n---\n# 0016 - Views\n\nText.'
    found = reading.read(text, "notes/0016-views.md").document
    assert (found.kind, found.number, found.name) == ("decision", 16, "ADR-0016")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("# Function templates\n\nText.", "docs/function-templates.md"),
        ("# `<ios>`\n\nText.", "docs/ios.md"),
        ("# Template classes\n\nText.", "docs/template-classes-for-lists.md"),
    ],
)
def test_what_speaks_of_templates_is_none(text: str, path: str) -> None:
    assert len(read(text, path=path).passages) == 1


def test_comments_are_no_evidence() -> None:
    """HTML comments vanish, also over blank lines and unclosed; code that shows one stays."""
    code = "`<!-- shown -->`\n\n```\n<!-- code -->\n```"
    text = f"A <!-- x\n\nSECRET --> b.\n\n{code}\n\nC <!-- SECRET"
    shown = "<!-- shown -->\n\n```\n<!-- code -->\n```"
    assert [p.text for p in read(text).passages] == [f"A b.\n\n{shown}\n\nC"]


def test_plain_text_of_markdown() -> None:
    """Marks, links, tags and invisible characters go; words, numbers and list marks stay."""
    text = (
        "A **bold** [link](http://x) and `code`.\u200b\nNext<br>line.\n\n"
        "3. three\n4. four\n   - deep\n\n> [!NOTE]\n> Noted.\n\n<script>alert(1)</script>\n"
    )
    assert read(text).passages[0].text == (
        "A bold link and code. Next\nline.\n\n3. three\n4. four\n  - deep\n\nNoted."
    )


def test_tables_are_sentences() -> None:
    """A row says its headers; a table of properties says name and value; empty cells are silent."""
    text = (
        "| Name | Value |\n|--|--|\n| Decision | Accepted |\n| Remarks | |\n\n**Approvers**\n"
        "| Name | Role | Mail |\n|--|--|--|\n| Ada | Lead | |\n| | | |\n"
    )
    assert read(text).passages[0].text == (
        "- Decision: Accepted.\n\nApprovers\n\n- Name: Ada; Role: Lead."
    )


def test_sections_and_roles() -> None:
    """A passage knows its headings, and a sub-section plays its parent's part unless it has one."""
    text = (
        "# Title\n\nIntro.\n\n## Decision Outcome\n\nWe do.\n\n### Scope\n\nAll.\n\n"
        "### Consequences\n\nGood.\n\n## 2. Overwogen opties\n\nTwo.\n"
    )
    assert [(p.section, p.role, p.position) for p in read(text).passages] == [
        ("", "other", 0),
        ("Decision Outcome", "substance", 1),
        ("Decision Outcome > Scope", "substance", 2),
        ("Decision Outcome > Consequences", "consequences", 3),
        ("2. Overwogen opties", "options", 4),
    ]


@pytest.mark.parametrize("row", cases("read_as", "role"))
def test_roles(row: dict[str, str]) -> None:
    """Headings in three languages tell the role; a heading that only begins alike does not."""
    assert role_of(["Anything", row["asked"]]) == row["is"]


def test_every_passage_of_an_approval_record_is_approval() -> None:
    """Even under 'Decision' an approval record does not say what was decided."""
    passages = read("## Decision\n\nAccepted.", "decisions/0012D-x.md").passages
    assert {passage.role for passage in passages} == {"approval"}


def test_long_sections_are_cut_between_sentences() -> None:
    """No passage is over the limit, and none ends in mid-sentence; nothing is lost.

    What introduces a list stands above each part of it.
    """
    sentences = [
        f"Sentence {n} says e.g. Something about No. Seven and v1.2 of it." for n in range(90)
    ]
    items = [f"- Item {n} holds." for n in range(200)]
    text = "## S\n\n" + " ".join(sentences) + "\n\nThe list:\n\n" + "\n".join(items)
    texts = [passage.text for passage in read(text).passages]
    assert max(map(len, texts)) <= LIMIT
    assert all(piece.endswith(".") for piece in texts)
    assert any("The list:\n\n- Item 0 holds." in piece for piece in texts)
    assert all(
        piece.startswith("The list:") for piece in texts if piece.endswith("Item 199 holds.")
    )
    once = "\n".join(texts).replace("\nThe list:\n", "\n").replace("Item 0", "The list:\n- Item 0")
    once = once.replace("- The list:", "The list:")
    assert " ".join(once.split()) == " ".join(text.removeprefix("## S").split())


def test_what_is_no_sentence_is_bounded() -> None:
    """A dump without sentences does not become one huge passage."""
    assert max(len(passage.text) for passage in read("word " * 5_000).passages) <= 4 * LIMIT


def test_folder(tmp_path: Path) -> None:
    """Files come in a stable order; what is left out is named with its reason."""
    for name, raw in {
        "decisions/0002-b.md": b"Text.",
        "decisions/0001-a.md": "\ufeffTekst\r\n".encode(),
        "decisions/0001-again.txt": b"Text again.",
        "decisions/index.md": b"Text.",
        "README.md": b"Text.",
        "bad.md": b"caf\xe9",
        "big.md": b"x" * (MAX_TEXT_BYTES + 1),
        "broken.md": b"---\na: [\n---\nText.",
        "picture.png": b"x",
        ".git/notes.md": b"Text.",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(raw)
    (tmp_path / "link.txt").symlink_to("/etc/hostname")
    found = list(read_folder([tmp_path, tmp_path / "decisions"]))
    assert [x.document.id for x in found if isinstance(x, ParsedDocument)] == [
        "ADR-0001-decisions-0001-a",
        "ADR-0001-decisions-0001-again",
        "ADR-0002",
    ]
    reasons = {x.path: x.reason for x in found if isinstance(x, Skipped)}
    assert reasons.pop("broken.md").startswith("broken.md:")
    assert reasons == {
        "README.md": "an index page",
        "bad.md": "not UTF-8 (byte 3)",
        "big.md": "2,000,001 bytes; the limit is 2,000,000",
        "decisions/index.md": "an index page",
        "link.txt": "a link out of the folder",
    }


def test_the_folder_itself_may_tell_the_kind(tmp_path: Path) -> None:
    """Reading 'principles' alone, or one file of it, gives the same identity."""
    file = tmp_path / "principles" / "0010-x.md"
    file.parent.mkdir()
    file.write_text("Text.")
    for path in (tmp_path, file.parent, file):
        (parsed,) = read_folder([path])
        assert isinstance(parsed, ParsedDocument)
        assert parsed.document.id == "PCP-0010"
