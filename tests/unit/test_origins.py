"""An answer is held against its sources as they are at the moment of the answer."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
from tests.unit.small_world import World, cited

from elysia_guard import config as configuration
from elysia_guard.adapters import origins as files_module
from elysia_guard.adapters.ingest import ingest
from elysia_guard.adapters.origins import (
    MOST_READ,
    DocumentFiles,
    IndexOrigins,
    LiveVocabulary,
    VocabularyFiles,
    devices,
)
from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.direct import Guard
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.origin import Against, OriginState
from elysia_guard.domain.response import RAGResponse
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring

DECIDED = "Connections are encrypted with TLS 1.3."
KEPT = "Certificates are renewed every ninety days."
TLS = f"""\
---
status: accepted
date: 2026-01-05
owner: The board
---
# ADR-0027: Encrypt connections

## Decision outcome

{DECIDED}

{KEPT}
"""
CIM = """\
---
status: accepted
date: 2026-02-05
owner: The board
---
# ADR-0012: Use CIM

## Decision outcome

Models are exchanged in CIM. Profiles are versioned.
"""
STALE = {"STALE_INDEX"}


class Library:
    """A folder of documents, an index of it, and a pipeline that answers from the index."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "handbook" / "decisions"
        self.folder.mkdir(parents=True)
        self.tls = self.folder / "0027-encrypt.md"
        self.cim = self.folder / "0012-cim.md"
        self.tls.write_text(TLS, encoding="utf-8")
        self.cim.write_text(CIM, encoding="utf-8")
        self.path = tmp_path / "index.sqlite"
        self.opened: list[SqliteIndex] = []
        self.ingest()

    def ingest(self) -> None:
        run_anywhere(ingest([self.folder.parent], self.path, HashEmbedder()))

    def world(
        self, *, trusted: Sequence[Path] = (), within_s: float = 5.0, **files: object
    ) -> World:
        index = SqliteIndex.open(self.path)
        origins = DocumentFiles(trusted, within_s=within_s, **files)  # type: ignore[arg-type]
        self.opened.append(index)
        world = World(made_index=index)
        world.pipeline = replace(world.pipeline, origins=IndexOrigins(origins, LiveVocabulary()))
        return world

    def ask(self, text: str) -> RAGResponse:
        return self.world().ask(text)

    def document(self, number: int) -> Document:
        filters = Filters(number=number)
        return run_anywhere(self.world().index.documents(filters))[0]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path)
    yield made
    for each in made.opened:
        each.close()


def types(reply: RAGResponse) -> set[str]:
    return {warning.type for warning in reply.warnings}


def against(reply: RAGResponse) -> tuple[str, ...]:
    return reply.validation.against if reply.validation else ()


def test_a6_a_touched_file_has_not_changed(library: Library) -> None:
    """A file with another date and the same bytes is the same file."""
    os.utime(library.tls, (1, 1))
    reply = library.ask("What does ADR-0027 decide?")
    assert against(reply) == ("file",)
    assert reply.warnings == ()


@pytest.mark.parametrize(
    ("question", "behind"),
    [
        ("What does ADR-0027 decide?", "The index is behind"),
        ("Wat besluit ADR-0027?", "De index loopt achter"),
        ("Was entscheidet ADR-0027?", "Der Index ist veraltet"),
    ],
)
def test_a6_a_changed_file_is_told_before_the_answer(
    library: Library, question: str, behind: str
) -> None:
    """A file that changed after it was read gives STALE_INDEX, in front and in each language."""
    library.tls.write_text(TLS + "\n## Notes\n\nA note.\n", encoding="utf-8")
    reply = library.ask(question)
    assert types(reply) == STALE
    assert reply.warnings[0].details["documents"] == [
        {"doc_id": "ADR-0027", "path": "decisions/0027-encrypt.md", "state": "changed"}
    ]
    first, *_ = reply.answer.split("\n\n")
    assert behind in first
    assert reply.answer.index(behind) < reply.answer.index(DECIDED)


def test_a6_what_no_longer_stands_in_the_file_is_left_out(library: Library) -> None:
    """A sentence that was taken out of the file is withheld; the others are still quoted."""
    library.tls.write_text(TLS.replace(KEPT, "They expire."), encoding="utf-8")
    reply = library.ask("What does ADR-0027 decide?")
    assert DECIDED in reply.answer
    assert KEPT not in reply.answer
    assert KEPT not in str(reply.to_dict())
    assert types(reply) == {"STALE_INDEX", "SNIPPET_MISMATCH"}
    mismatch = next(item for item in reply.warnings if item.type == "SNIPPET_MISMATCH")
    assert mismatch.details["withheld"] == {"ADR-0027": 1}
    assert reply.validation
    assert reply.validation.confidence == 1.0


@pytest.mark.parametrize(
    "text",
    [TLS.replace(DECIDED, "We trust the network.").replace(KEPT, "No keys."), "", "# Nothing\n"],
    ids=["rewritten", "emptied", "without a text"],
)
def test_a6_where_nothing_holds_there_is_no_answer(library: Library, text: str) -> None:
    """A file of which nothing stands any more is refused, with ingest as the way on."""
    library.tls.write_text(text, encoding="utf-8")
    reply = library.ask("What does ADR-0027 decide?")
    assert (reply.refused, reply.refusal_reason) == (True, "unverified_answer")
    assert "STALE_INDEX" in types(reply)
    assert "elysia-guard ingest" in reply.answer
    assert DECIDED not in reply.answer


def test_a6_a_vanished_file_is_quoted_no_more(library: Library) -> None:
    """Of a file that is gone nothing is shown: PHANTOM_FILE and STALE_INDEX say why."""
    library.tls.unlink()
    reply = library.ask("What does ADR-0027 decide?")
    assert (reply.refused, reply.refusal_reason) == (True, "unverified_answer")
    assert types(reply) == {"STALE_INDEX", "PHANTOM_FILE"}
    assert DECIDED not in reply.answer
    assert reply.suggestions
    assert not any("ADR-0027" in item.question for item in reply.suggestions)


@pytest.mark.parametrize("becomes", ["a link", "a folder"])
def test_a6_what_took_the_place_of_a_file_is_not_read(
    library: Library, tmp_path: Path, becomes: str
) -> None:
    """A link out of the folder, or a folder, is not the file that was ingested."""
    library.tls.unlink()
    if becomes == "a link":
        (tmp_path / "other.md").write_text(TLS, encoding="utf-8")
        library.tls.symlink_to(tmp_path / "other.md")
    else:
        library.tls.mkdir()
    reply = library.ask("What does ADR-0027 decide?")
    assert (reply.refusal_reason, DECIDED in reply.answer) == ("unverified_answer", False)


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("What is the status of ADR-0027?", "status: accepted", "status: proposed"),
        ("When was ADR-0027 decided?", "date: 2026-01-05", "date: 2026-03-09"),
        ("Who owns ADR-0027?", "owner: The board", "owner: The forum"),
    ],
)
def test_a6_what_a_document_says_of_itself_is_answered_as_it_is_now(
    library: Library, question: str, old: str, new: str
) -> None:
    """Status, date and owner are those of the file at the moment of the answer."""
    library.tls.write_text(TLS.replace(old, new), encoding="utf-8")
    reply = library.ask(question)
    assert types(reply) >= STALE
    assert new.partition(": ")[2] in reply.answer
    assert old.partition(": ")[2] not in reply.answer


def test_a6_a_list_leaves_out_what_it_can_no_longer_say(library: Library) -> None:
    """A list counts and names only documents that are there and are still what it asks for."""
    question = "List all accepted decisions"
    assert cited(library.ask(question)) == ["ADR-0012", "ADR-0027"]
    library.tls.write_text(TLS.replace("accepted", "rejected"), encoding="utf-8")
    changed = library.ask(question)
    assert (cited(changed), "1 decision" in changed.answer) == (["ADR-0012"], True)
    assert "STALE_INDEX" in types(changed)
    library.tls.unlink()
    gone = library.ask(question)
    assert (cited(gone), types(gone)) == (["ADR-0012"], {"STALE_INDEX", "PHANTOM_FILE"})


def test_a6_an_index_that_came_alone_says_so(library: Library, tmp_path: Path) -> None:
    """Where the files are not there the answer claims to be checked against the index alone."""
    (tmp_path / "handbook").rename(tmp_path / "elsewhere")
    reply = library.ask("What does ADR-0027 decide?")
    assert DECIDED in reply.answer
    assert against(reply) == ("index",)
    assert types(reply) == {"SOURCE_UNREACHABLE"}
    assert "the index alone" in reply.answer


def test_a6_a_folder_that_was_moved_is_found_by_the_configuration(
    library: Library, tmp_path: Path
) -> None:
    """The configured folder of the same name takes the place of one that is not there."""
    moved = tmp_path / "new" / "handbook"
    moved.parent.mkdir()
    (tmp_path / "handbook").rename(moved)
    reply = library.world(trusted=[moved]).ask("What does ADR-0027 decide?")
    assert (against(reply), types(reply)) == (("file",), set())


def test_a6_moving_a_folder_embeds_nothing_again(library: Library, tmp_path: Path) -> None:
    """An ingest of the same documents from elsewhere only notes where they now lie."""
    (tmp_path / "handbook").rename(tmp_path / "moved")
    report = run_anywhere(ingest([tmp_path / "moved"], library.path, HashEmbedder()))
    assert (report.updated, report.added, len(report.unchanged)) == ((), (), 2)
    reply = library.ask("What does ADR-0027 decide?")
    assert against(reply) == ("file",)


def tamper(library: Library) -> None:
    """Change a passage in the index file itself."""
    with closing(sqlite3.connect(library.path)) as connection, connection:
        connection.execute(
            "UPDATE passages SET text = replace(text, 'TLS 1.3', 'nothing') WHERE text LIKE '%TLS%'"
        )


def test_a6_a_text_that_was_changed_in_the_index_is_no_source(library: Library) -> None:
    """What somebody writes into the index file itself is not quoted: the file does not say it."""
    tamper(library)
    reply = library.ask("What does ADR-0027 decide?")
    assert "encrypted with nothing" not in str(reply.to_dict())
    assert KEPT in reply.answer
    assert "STALE_INDEX" in types(reply)


def test_a6_an_index_that_was_written_to_is_no_source_of_its_own(
    library: Library, tmp_path: Path
) -> None:
    """Where the files cannot be reached, a text that was changed in the index is not quoted."""
    tamper(library)
    (tmp_path / "handbook").rename(tmp_path / "elsewhere")
    reply = library.ask("What does ADR-0027 decide?")
    assert (reply.refused, reply.refusal_reason) == (True, "unverified_answer")
    assert "encrypted with nothing" not in str(reply.to_dict())


def test_a6_an_object_that_was_changed_in_a_store_is_told(library: Library) -> None:
    """The object of a store is its own source: it is quoted as it is, and said to have changed."""
    tamper(library)
    world = library.world(only_trusted=True, otherwise=Against.STORE)
    reply = world.ask("What does ADR-0027 decide?")
    assert "encrypted with nothing" in reply.answer
    assert types(reply) == STALE


@pytest.mark.parametrize(
    "path", ["../secret.md", "decisions/../../secret.md", "/etc/hostname.md", "link/secret.md"]
)
def test_a6_no_path_leads_out_of_the_folder(library: Library, tmp_path: Path, path: str) -> None:
    """A path of the index, or a link in the folder, reads nothing beside the ingested folder."""
    outside = tmp_path / "outside"
    outside.mkdir()
    for place in (tmp_path / "secret.md", outside / "secret.md"):
        place.write_text("# Secret\n\nThe password.\n", encoding="utf-8")
    (library.folder.parent / "link").symlink_to(outside)
    files = DocumentFiles()
    document = replace(library.document(27), path=path, stamp="")
    origin = run_anywhere(files.documents([document], read=[document.id]))[document.id]
    assert origin.state in {OriginState.UNREACHABLE, OriginState.GONE}
    assert (origin.text, origin.document) == ("", None)


def test_a6_what_has_no_source_is_not_spoken_of(library: Library) -> None:
    """A document that was read from nowhere is not said to be there, changed or gone."""
    nowhere = replace(library.document(27), sha256="", root="", stamp="")
    origins = IndexOrigins(DocumentFiles(), LiveVocabulary())
    assert run_anywhere(origins.documents([nowhere])) == {}


def test_a6_a_file_system_that_hangs_holds_up_no_answer(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that cannot be looked at in time are said to be unreachable; the answer still comes."""
    release = threading.Event()

    def hangs(*_: object) -> bool:
        return release.wait(30)

    monkeypatch.setattr(files_module, "_file_at", hangs)
    world = library.world(within_s=0.01)
    try:
        for _ in range(6):
            reply = world.ask("What does ADR-0027 decide?")
            assert types(reply) == {"SOURCE_UNREACHABLE"}
            assert DECIDED in reply.answer
    finally:
        release.set()


def test_a6_a_store_is_its_own_source(library: Library) -> None:
    """Documents that a server holds are checked against it, unless their folder is configured."""
    files = {"only_trusted": True, "otherwise": Against.STORE}
    library.tls.write_text(TLS + "\nMore.\n", encoding="utf-8")
    question = "What does ADR-0027 decide?"
    served = library.world(**files).ask(question)
    assert served.validation
    assert (served.validation.against, types(served)) == (("store",), set())
    beside = library.world(trusted=[library.folder.parent], **files).ask(question)
    assert types(beside) == STALE


TURTLE = dedent("""\
    @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    <http://example.org/relay> a skos:Concept ; skos:prefLabel "relay"@en ;
        skos:definition "A switch that a current operates."@en .
""")


@pytest.mark.parametrize(
    ("text", "refused", "warned"),
    [
        (TURTLE, False, set()),
        (TURTLE.replace('"relay"@en ;', '"relay"@en ; skos:altLabel "switch"@en ;'), False, STALE),
        (TURTLE.replace("current operates", "voltage holds"), True, STALE),
        ("not turtle", True, STALE),
        ("", True, STALE),
        (None, True, STALE),
    ],
    ids=["touched", "another label", "another definition", "broken", "emptied", "gone"],
)
@pytest.mark.parametrize("near", [True, False])
def test_a6_a_definition_is_held_against_the_vocabulary_as_it_is_now(
    tmp_path: Path, text: str | None, refused: bool, warned: set[str], near: bool
) -> None:
    """A definition that the vocabulary's file no longer gives is not shown."""
    file = tmp_path / "terms.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    vocabulary = VocabularyFiles([file], near=devices([file]) if near else (), within_s=5)
    documents = DocumentFiles()
    world = World(terminology=SkosFile.load([file], name="Test"))
    world.pipeline = replace(world.pipeline, origins=IndexOrigins(documents, vocabulary))
    assert world.ask("What is a relay?").warnings == ()
    if text is None:
        file.unlink()
    else:
        file.write_text(text, encoding="utf-8")
        os.utime(file, (1, 1))
    reply = world.ask("What is a relay?")
    assert (reply.refused, types(reply)) == (refused, warned)
    assert ("A switch that a current operates." in reply.answer) is not refused


def test_a6_more_changed_files_than_can_be_read_in_time_are_told(library: Library) -> None:
    """Where the time is up before a changed file is read again, nothing of it is quoted."""
    for number in range(100, 100 + MOST_READ):
        (library.folder / f"{number:04d}-rule.md").write_text(TLS.replace("0027", f"{number:04d}"))
    library.ingest()
    for file in library.folder.glob("*.md"):
        file.write_text(file.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    reply = library.ask("List all decisions")
    assert len(cited(reply)) == MOST_READ
    assert types(reply) == {"STALE_INDEX", "SNIPPET_MISMATCH"}


def test_a6_the_whole_program_notices(tmp_path: Path) -> None:
    """From the configuration to the answer: what is asked is held against the file."""
    made = Library(tmp_path)
    vocabulary = configuration.home() / "data" / "vocabulary" / "vennet.ttl"
    parts = Wiring.load(index=tmp_path / "own.sqlite", vocabulary=vocabulary)
    run_anywhere(parts.fill_index([made.folder.parent]))
    guard = Guard(wiring=parts)
    before = guard.ask("What does ADR-0027 decide?")
    assert before.validation
    assert (before.validation.against, before.warnings) == (("file",), ())
    made.tls.write_text(TLS.replace(DECIDED, "We trust the network."), encoding="utf-8")
    after = guard.ask("What does ADR-0027 decide?")
    assert DECIDED not in str(after.to_dict())
    assert types(after) == {"STALE_INDEX", "SNIPPET_MISMATCH"}
    term = guard.ask("What is CIMXML?")
    assert term.validation
    assert term.validation.against == ("file",)
    parts.close()


def test_a6_a_vocabulary_that_cannot_be_looked_at_in_time_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The definition is shown, and said to have been checked against what was read of it alone."""
    file = tmp_path / "terms.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    vocabulary = VocabularyFiles([file], within_s=0.01)
    world = World(terminology=SkosFile.load([file], name="Test"))
    world.pipeline = replace(world.pipeline, origins=IndexOrigins(DocumentFiles(), vocabulary))
    release = threading.Event()
    monkeypatch.setattr(vocabulary, "_stamped", lambda: release.wait(30) and {})
    reply = world.ask("What is a relay?")
    release.set()
    assert (against(reply), types(reply)) == (("index",), {"SOURCE_UNREACHABLE"})
