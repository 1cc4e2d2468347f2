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
        assert found[south].reason == f"the same file as {north}"


def test_c5_documents_of_one_number_have_ids_of_their_own(registers: list[Path]) -> None:
    """Each has its path in its id, whichever folder is read first, and what else there is."""
    found = ids(registers)
    assert "ADR-0002-south-decisions-0002-rule" in found
    assert len(found) == len(set(found)) == 8
    numbered = {each for each in found if each.startswith("ADR")}
    assert numbered == {each for each in ids(registers[::-1]) if each.startswith("ADR")}
    write(registers[0] / "decisions" / "0002-other.md", "# 2. Other\n\n## Decision\n\nIt is.\n")
    assert numbered < set(ids(registers))
    assert not skipped(registers)


def test_c5_an_ingest_leaves_none_of_them_out(registers: list[Path], tmp_path: Path) -> None:
    """All are in the index, and the next ingest finds nothing to do."""
    done = ingest(registers, tmp_path / "index.sqlite")
    assert (done.exit_code, "conflicts" in done.stdout) == (0, False)
    assert done.stderr == ""  # progress is for a terminal
    report = json.loads(ingest(registers, tmp_path / "index.sqlite", "--json").stdout)
    assert len(report["unchanged"]) == report["documents"] == 8
