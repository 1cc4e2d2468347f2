"""Two folders in one ingest whose files agree in path or number: both kept, or told apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from elysia_guard.adapters.documents import ParsedDocument, Skipped, read_folder
from elysia_guard.edge.cli.main import cli


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@pytest.fixture
def registers(tmp_path: Path) -> list[Path]:
    """Two registers of three decisions and a handbook each, with the same paths and numbers."""
    roots = [tmp_path / name for name in ("north", "south")]
    for root in roots:
        for number in range(1, 4):
            file = root / "decisions" / f"{number:04d}-rule.md"
            write(file, f"# {number}. Rule\n\n## Decision\n\nIn the {root.name}: {number}.\n")
        write(root / "notes" / "handbook.md", f"# Handbook\n\nHow the {root.name} works.\n")
    return roots


def ids(roots: list[Path]) -> list[str]:
    return [item.document.id for item in read_folder(roots) if isinstance(item, ParsedDocument)]


def skipped(roots: list[Path]) -> dict[str, Skipped]:
    return {item.path: item for item in read_folder(roots) if isinstance(item, Skipped)}


def ingest(roots: list[Path], index: Path, *options: str) -> Result:
    arguments = ["ingest", *map(str, roots), "--index", str(index), *options]
    return CliRunner().invoke(cli, arguments)


def test_c5_documents_without_a_number_are_all_kept(registers: list[Path]) -> None:
    """Documents of two folders that have the same relative path are both in the index."""
    handbooks = [
        item
        for item in read_folder(registers)
        if isinstance(item, ParsedDocument) and item.document.title == "Handbook"
    ]
    assert [item.document.id for item in handbooks] == [
        "DOC-notes-handbook",
        "DOC-notes-handbook-2",
    ]
    for item in handbooks:
        assert all(passage.id.startswith(f"{item.document.id}#") for passage in item.passages)
        assert all(passage.document == item.document for passage in item.passages)


def test_c5_documents_whose_names_come_to_the_same_are_kept(tmp_path: Path) -> None:
    """So are files of one folder that differ in their format or in a sign of their name alone."""
    write(tmp_path / "site visits.md", "# One\n\nText of one.\n")
    write(tmp_path / "site-visits.md", "# Two\n\nText of two.\n")
    write(tmp_path / "site-visits.html", "<h1>Three</h1><p>Text of three.</p>")
    write(tmp_path / "site-visits-2.md", "# Four\n\nText of four.\n")
    found = ids([tmp_path])
    assert len(found) == len(set(found)) == 4
    assert not skipped([tmp_path])


def test_c5_the_same_file_twice_is_one_document(registers: list[Path]) -> None:
    """A file that lies in both folders, byte for byte, is read once, and is no conflict."""
    for root in registers:
        write(root / "notes" / "terms.md", "# Terms\n\nAs agreed.\n")
        write(root / "decisions" / "0009-both.md", "# 9. Both\n\n## Decision\n\nBoth.\n")
    found = skipped(registers)
    for path in ("notes/terms.md", "decisions/0009-both.md"):
        north, south = (f"{root}/{path}" for root in registers)
        assert (found[south].reason, found[south].conflict) == (f"the same file as {north}", False)


def test_c5_equal_numbers_are_conflicts_that_name_both_files(registers: list[Path]) -> None:
    """Where two documents claim one identity, both files are named, not one path for the two."""
    north, south = registers
    found = skipped(registers)
    assert len(found) == 3
    assert all(item.conflict for item in found.values())
    assert found[f"{south}/decisions/0002-rule.md"].reason == (
        f"it claims ADR-0002, as {north}/decisions/0002-rule.md does, which is kept"
    )


def test_c5_an_ingest_that_leaves_documents_out_says_so(
    registers: list[Path], tmp_path: Path
) -> None:
    """An ingest that could not keep every document ends with 1, and counts them as conflicts."""
    done = ingest(registers, tmp_path / "index.sqlite")
    assert done.exit_code == 1
    assert "3 documents are not in the index" in done.stderr
    assert "ingest them into another index" in " ".join(done.stderr.split())
    assert "conflicts  3" in done.stdout
    again = ingest(registers, tmp_path / "index.sqlite", "--dry-run", "--json")
    assert again.exit_code == 1
    report = json.loads(again.stdout)
    assert [item["conflict"] for item in report["skipped"]] == [True] * 3
    assert len(report["unchanged"]) == report["documents"] == 5
