"""Migration invariants (IR0003): the type of every document is set, and set rightly."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from elysia_guard.adapters.documents.verification import verify, verify_index
from elysia_guard.adapters.ingest import ingest
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.domain.document import Document, DocumentKind, Filters
from elysia_guard.testing.fake_index import HashEmbedder

ROOT = Path(__file__).parents[2]
KNOWLEDGE = ROOT / "data" / "knowledge"
ESA = ROOT.parent / "shared" / "corpus" / "esa"
CORPORA = [
    KNOWLEDGE,
    pytest.param(ESA, marks=pytest.mark.skipif(not ESA.exists(), reason="absent")),
]
FOLDERS = {"decisions": "ADR", "principles": "Principle", "policies": "Policy"}


@pytest.fixture
def script() -> ModuleType:
    path = ROOT / "scripts" / "verify_doc_identity.py"
    spec = importlib.util.spec_from_file_location("verify_doc_identity", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(folder: Path, name: str, front: str = "", body: str = "# Title\n\nText.") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\n{front}\n---\n{body}" if front else body)
    return file


def problems(folder: Path) -> dict[str, str]:
    return {item.path: item.problem for item in verify([folder]).conflicts}


@pytest.mark.parametrize("corpus", CORPORA)
def test_migration_invariant_doc_type_is_set(corpus: Path) -> None:
    """By folder and file name alone, read here on their own: 'D' is a DAR, whatever it approves."""
    found = verify([corpus])
    assert found.conflicts == ()
    assert all("D says" in item.problem or "headings" in item.problem for item in found.warnings)
    for row in found.documents:
        folder, name = row.document.path.split("/")
        number = name.partition("-")[0]
        approval = number.endswith("D")
        assert row.document.doc_type == ("DAR" if approval else FOLDERS[folder]), row.document.path
        assert row.document.number == int(number.removesuffix("D")), row.document.path
        assert row.document.approval is approval
        assert "front matter" in row.evidence


def test_migration_invariant_doc_type_in_the_index(tmp_path: Path) -> None:
    """What the index says of each document is what its file says."""
    index = tmp_path / "index.sqlite"
    asyncio.run(ingest([KNOWLEDGE], index, HashEmbedder()))
    documents = stored(index)
    assert verify([KNOWLEDGE], indexed=documents).conflicts == ()
    assert verify_index(documents).conflicts == ()
    assert len(verify_index(documents).documents) == 68


def stored(index: Path) -> list[Document]:
    with closing(SqliteIndex.open(index)) as opened:
        return list(asyncio.run(opened.documents(Filters(approval=None))))


def test_a_number_that_differs_from_the_heading(tmp_path: Path) -> None:
    """A copied file with its old heading."""
    write(tmp_path, "decisions/0001-a.md", body="# ADR-0007: Title\n\nText.")
    assert problems(tmp_path) == {
        "decisions/0001-a.md": "it is ADR-0001, and its first heading says ADR-0007"
    }


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("identifier: PCP-0001\ntype: policy", "says type 'policy', and PCP-0001"),
        ("identifier: PCP-0001\ntype: guideline", "type 'guideline' is unknown"),
    ],
)
def test_a_type_that_contradicts(tmp_path: Path, front: str, said: str) -> None:
    """A type that is another, or that nobody knows."""
    write(tmp_path, "principles/0001-a.md", front)
    assert said in problems(tmp_path)["principles/0001-a.md"]


def test_an_unknown_kind(tmp_path: Path) -> None:
    """A document that nothing identifies is a conflict, unless general documents are allowed."""
    write(tmp_path, "notes/minutes.md")
    assert problems(tmp_path)["notes/minutes.md"].startswith("its kind is unknown")
    assert verify([tmp_path], allow_documents=True).conflicts == ()


def test_warnings(tmp_path: Path) -> None:
    """A record without its decision, and a decision without a number, are told."""
    write(tmp_path, "decisions/0001D-a.md")
    write(tmp_path, "decisions/notes.md")
    found = verify([tmp_path])
    assert [(item.path, item.problem) for item in found.warnings] == [
        ("decisions/0001D-a.md", "it approves ADR-0001, which is not here"),
        ("decisions/notes.md", "a decision without a number"),
    ]
    assert found.documents[1].evidence == ("folder",)


def test_an_index_that_disagrees(tmp_path: Path) -> None:
    """Another type, another text, a missing and a superfluous document are told apart."""
    for number in (1, 2, 3):
        write(tmp_path, f"decisions/000{number}-a.md")
    index = tmp_path / "i.sqlite"
    asyncio.run(ingest([tmp_path], index, HashEmbedder()))
    write(tmp_path, "decisions/0001-a.md", body="# Other\n\nText.")
    (tmp_path / "decisions" / "0002-a.md").rename(tmp_path / "decisions" / "0004-a.md")
    documents = [
        item if item.number != 3 else Document(
            id=item.id, kind=DocumentKind.DECISION, title=item.title, path=item.path,
            sha256=item.sha256, number=3, approval=True,
        )
        for item in stored(index)
    ]  # fmt: skip
    found = [item.problem for item in verify([tmp_path], indexed=documents).conflicts]
    assert sorted(found) == [
        "ADR-0002 is in the index, and no file is; ingest again",
        "ADR-0004 is not in the index; ingest again",
        "it is ADR, in the index DAR",
        "the index holds another text of ADR-0001",
    ]
    assert [item.problem for item in verify_index(documents).conflicts] == ["its id is ADR-0003"]


class TestScript:
    def call(self, script: ModuleType, monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
        monkeypatch.setattr(sys, "argv", ["verify_doc_identity.py", *args])
        return script.main()

    def test_the_shipped_knowledge_holds(self, script, monkeypatch, capsys) -> None:
        assert self.call(script, monkeypatch) == 0
        out = capsys.readouterr().out
        assert "68 documents, 0 conflicts, 4 files skipped" in out
        assert "decisions/adr-template.md         a template" in out

    def test_a_conflict_is_exit_1(self, script, monkeypatch, capsys, tmp_path) -> None:
        write(tmp_path, "decisions/0001-a.md", "identifier: ADR-0002")
        assert self.call(script, monkeypatch, str(tmp_path)) == 1
        assert "conflict: decisions/0001-a.md: the front matter" in capsys.readouterr().err

    def test_what_is_not_there_is_exit_3(self, script, monkeypatch, capsys, tmp_path) -> None:
        assert self.call(script, monkeypatch, str(tmp_path / "x")) == 3
        assert self.call(script, monkeypatch, "--index", str(tmp_path / "i.sqlite")) == 3
        assert capsys.readouterr().err.count("error: ") == 2

    def test_json(self, script, monkeypatch, capsys) -> None:
        assert self.call(script, monkeypatch, "--json") == 0
        found = json.loads(capsys.readouterr().out)
        row = next(item for item in found["documents"] if item["id"] == "ADR-0012D")
        assert found["holds"] is True
        assert (row["doc_type"], row["approval_record"]) == ("DAR", "ADR-0012")
        assert row["evidence"] == ["front matter", "file name"]


def test_a_number_that_differs_from_the_file_name(tmp_path: Path) -> None:
    """The front matter is believed, and it is a conflict."""
    write(tmp_path, "decisions/0001-a.md", "identifier: ADR-0002")
    assert (
        "the front matter says ADR-0002, the file name ADR-0001"
        in problems(tmp_path)["decisions/0001-a.md"]
    )
