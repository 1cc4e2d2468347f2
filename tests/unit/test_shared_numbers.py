"""Documents that share a number, or have none: each has an id, a name, and is spoken of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from elysia_guard.adapters.documents import ParsedDocument, linked, read_folder
from elysia_guard.direct import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Question
from elysia_guard.domain.reading import Named
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.elysia.webapp.pages.rows import of_document
from elysia_guard.reading.catalogue import told_apart
from elysia_guard.reading.forms import read_form
from elysia_guard.reading.spans import Spotter

SETTINGS = """\
terminology: {kind: skos_file, files: []}
index: {path: build/index.sqlite, sources: [docs]}
collections: {decision: ADRs, principle: Principles, policy: Policies, document: Others}
conversations: {enabled: false}
"""
DECISION = """\
# {title}

Status: {status}

## Context

{context}

## Decision

{decision}
"""
RECORD = """\
# Approval record

| Name | Value |
| --- | --- |
| Decision | Accepted |
| Date | 2025-03-09 |
| Driver | Head of billing |
"""
INVOICE, INTERVAL = (
    "Invoices are sent as UBL documents.",
    "Meters are read every quarter of an hour.",
)
STORE, YEARS = "Readings lie in a time series store.", "Readings are thrown away after two years."
MODULES = "The system is cut into modules."

Talk = Callable[..., RAGResponse]


def decision(file: Path, title: str, text: str, *, status: str = "Accepted") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    why = f"Why {title.lower()}: somebody asked."
    made = DECISION.format(title=title, status=status, context=why, decision=text)
    file.write_text(made, encoding="utf-8")


def fill(docs: Path) -> None:
    """Two departments, each of which counts from one, and one of which counts 2 twice."""
    billing, metering = docs / "billing" / "decisions", docs / "metering" / "decisions"
    decision(billing / "0001-invoices.md", "Invoice format", INVOICE)
    decision(metering / "0001-interval.md", "Reading interval", INTERVAL, status="Proposed")
    decision(metering / "0002-storage.md", "Storage of readings", STORE)
    decision(metering / "0002-retention.md", "Retention of readings", YEARS, status="Rejected")
    decision(billing / "modular.md", "Modular architecture", MODULES)
    (billing / "0001D-invoices.md").write_text(RECORD, encoding="utf-8")
    for name in ("billing", "metering"):
        file = docs / name / "notes" / "introduction.md"
        file.parent.mkdir()
        file.write_text(f"# Introduction\n\nHow {name} works is told here.\n", encoding="utf-8")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    fill(tmp_path / "docs")
    return tmp_path / "docs"


def settle(folder: Path) -> Path:
    fill(folder / "docs")
    (folder / "config").mkdir()
    settings = folder / "config" / "guard.yaml"
    settings.write_text(SETTINGS, encoding="utf-8")
    return settings


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    guard = Guard(config=settle(tmp_path_factory.mktemp("house")))
    yield guard
    guard.wiring.close()


@pytest.fixture
def talk(guard: Guard) -> Talk:
    """One conversation."""
    conversation = Conversation()
    return lambda asked: guard.ask(asked, conversation=conversation)


def read(docs: Path) -> dict[str, Document]:
    """The documents of a folder, as an ingest makes them, by their files."""
    parsed = [item for item in read_folder([docs]) if isinstance(item, ParsedDocument)]
    joined = linked({item.document.id: item for item in parsed})
    assert len(joined) == len(parsed)
    return {item.document.path: item.document for item in joined.values()}


class TestIdentity:
    def test_each_has_an_id_that_does_not_depend_on_the_others(self, docs: Path) -> None:
        """A third of one number changes neither the ids of the two nor that of any other."""
        before = read(docs)
        decision(docs / "metering" / "decisions" / "0002-a.md", "Another", "It is.")
        after = read(docs)
        assert {path: after[path].id for path in before} == {
            path: item.id for path, item in before.items()
        }

    def test_registers_in_a_file_count_in_their_folders(self, tmp_path: Path) -> None:
        """The entries of two files are all documents of their own."""
        for team in ("north", "south"):
            file = tmp_path / team / "decisions.md"
            file.parent.mkdir()
            entry = "## {n}. " + team + " {n}\n\nStatus: Accepted\n\nIt is so.\n\n"
            file.write_text("# Log\n\n" + entry.format(n=1) + entry.format(n=2), encoding="utf-8")
        parsed = [item for item in read_folder([tmp_path]) if isinstance(item, ParsedDocument)]
        assert sorted(item.document.id for item in parsed) == [
            f"ADR-000{number}-{team}-decisions" for number in (1, 2) for team in ("north", "south")
        ]

    def test_a_name_tells_one_from_all_others(self, docs: Path) -> None:
        """By the folder, else by the title; what is alone is called as ever."""
        names = {path: item.name for path, item in read(docs).items()}
        assert names["billing/decisions/0001-invoices.md"] == "ADR-0001 (billing)"
        assert names["metering/decisions/0002-storage.md"] == "ADR-0002 (Storage of readings)"
        assert names["billing/notes/introduction.md"] == "Introduction (billing)"
        assert names["billing/decisions/modular.md"] == "Modular architecture"
        assert len(set(names.values())) == len(names)

    def test_a_page_of_documents_tells_each_apart(self, docs: Path) -> None:
        rows = [of_document(item, "en") for item in read(docs).values()]
        assert len({(row["reference"], row["title"]) for row in rows}) == len(rows)

    def test_a_record_belongs_to_the_document_beside_it(self, docs: Path) -> None:
        """Of two beside it to that of its file's name; else nothing tells, and it is warned of."""
        found = read(docs)
        record = found["billing/decisions/0001D-invoices.md"]
        assert found["billing/decisions/0001-invoices.md"].record == record.id
        assert not found["metering/decisions/0001-interval.md"].record
        file = docs / "metering" / "decisions" / "0002D-x.md"
        file.write_text(RECORD, encoding="utf-8")
        assert not read(docs)["metering/decisions/0002-storage.md"].record
        parsed = [item for item in read_folder([docs]) if isinstance(item, ParsedDocument)]
        joined = linked({item.document.id: item for item in parsed})
        (warned,) = (
            item.warnings for item in joined.values() if item.document.path.endswith("x.md")
        )
        assert "nothing tells which" in warned[0]
        file.rename(file.with_name("0002D-storage.md"))
        assert read(docs)["metering/decisions/0002-storage.md"].record == "ADR-0002D"


class TestAskedBack:
    @pytest.mark.parametrize(
        ("picked", "told"),
        [("the second", INTERVAL), ("metering", INTERVAL), ("the invoice one", INVOICE)],
    )
    def test_a_number_of_two_is_asked_back_and_picked(
        self, talk: Talk, picked: str, told: str
    ) -> None:
        """By its place, its folder or its title."""
        asked = talk("What does ADR-0001 decide?")
        assert asked.outcome == "clarified"
        assert "**ADR-0001 (billing)**: Invoice format" in asked.answer
        assert "**ADR-0001 (metering)**: Reading interval" in asked.answer
        assert told in talk(picked).answer

    def test_follow_ups_stay_with_the_one_that_was_picked(self, talk: Talk) -> None:
        asked = talk("What does ADR 2 decide?")
        assert "**ADR-0002**: Storage of readings" in asked.answer
        assert YEARS in talk("retention").answer
        assert "Status: Rejected" in talk("and its status?").answer
        assert "retention of readings: somebody asked" in talk("why?").answer
        assert INTERVAL in talk("What does ADR-0001 (metering) decide?").answer
        assert "Status: Proposed" in talk("is it accepted?").answer

    def test_what_is_asked_is_asked_of_the_one_that_is_picked(self, talk: Talk) -> None:
        """Who approved it, and of two compared each."""
        assert talk("Who approved ADR-0001?").outcome == "clarified"
        assert "Head of billing" in talk("billing").answer
        assert talk("Compare ADR-0001 and ADR-0002").outcome == "clarified"
        assert talk("the first").outcome == "clarified"
        both = talk("storage").answer
        assert (INVOICE in both, STORE in both) == (True, True)

    @pytest.mark.parametrize(
        ("asked", "told"),
        [
            ("What does ADR-0001 of metering decide?", INTERVAL),
            ("What does billing ADR 1 decide?", INVOICE),
            ("What does ADR-0002 on retention decide?", YEARS),
            ("ADR-0002 about storage", STORE),
            ("What does metering ADR 2 on the retention of readings decide?", YEARS),
            ("What is the status of metering ADR-1?", "Status: Proposed"),
            ("Was entscheidet ADR-0001 (billing)?", INVOICE),
            ("Wat besluit ADR-0002 (Storage of readings)?", STORE),
        ],
    )
    def test_words_beside_the_number_tell_which(self, talk: Talk, asked: str, told: str) -> None:
        assert told in talk(asked).answer

    def test_words_that_tell_two_are_asked_back(self, talk: Talk) -> None:
        """And are no matter of the one that is picked."""
        assert talk("What does metering ADR-0002 decide?").outcome == "clarified"
        assert STORE in talk("storage").answer

    def test_a_list_names_and_counts_each(self, talk: Talk) -> None:
        answer = talk("Which decisions are there?").answer
        assert answer.startswith("There are 5 decisions")
        assert "**ADR-0001 (billing)** Invoice format" in answer
        assert "**ADR-0001 (metering)** Reading interval" in answer
        assert "**metering** Introduction" in talk("Which documents are there?").answer


def test_a_file_that_has_changed_since_is_found_again(tmp_path: Path) -> None:
    """It is read under the id that it has among the others, and called as it was."""
    guard = Guard(config=settle(tmp_path))
    file = tmp_path / "docs" / "metering" / "decisions" / "0002-retention.md"
    file.write_text(f"{file.read_text()}\n## Notes\n\nIt was told to all.\n", encoding="utf-8")
    told = guard.ask("What does ADR-0002 on retention decide?")
    assert "ADR-0002 (Retention of readings) changed after the index was filled" in told.answer
    assert "**ADR-0002: Retention of readings**" in told.answer
    assert YEARS in told.answer
    guard.wiring.close()


class TestWithoutANumber:
    @pytest.mark.parametrize(
        "asked",
        [
            'What does "Modular architecture" decide?',
            "What does Modular architecture decide?",
            "What is the system cut into?",
        ],
    )
    def test_it_is_spoken_of_by_its_title(self, talk: Talk, asked: str) -> None:
        """Named, or found by a search: what follows stays with it."""
        assert MODULES in talk(asked).answer
        assert "no approval record" in talk("who approved it?").answer
        assert "modular architecture: somebody asked" in talk("why?").answer
        assert "Status: Accepted" in talk("and its status?").answer

    def test_two_of_one_title_are_asked_back(self, talk: Talk) -> None:
        assert "**Introduction (billing)**" in talk('What does "Introduction" say?').answer
        assert "How metering works" in talk("metering").answer
        assert "gives no status" in talk("and its status?").answer

    def test_a_number_in_its_title_is_none_of_a_document(self, docs: Path) -> None:
        """'On ADR-0007, once more' is not 'ADR-0007', where its title is quoted."""
        title = "On ADR-0007, once more"
        known = Document(
            id="DOC-x", kind=DocumentKind.DOCUMENT, title=title, path="x.md", sha256=""
        )
        spans = Spotter.of((), [known]).spot(f'What does "{title}" say?', "en")
        asked = Question(text=f'What does "{title}" say?', lang="en", request_id="r")
        asks = told_apart(asked, read_form(asked, spans), spans, [known]).asks
        assert isinstance(asks, Named)
        assert [item.id for item in asks.references] == ["DOC-x"]

    def test_one_word_names_it_only_between_quotation_marks(self, talk: Talk) -> None:
        """Every text may speak of an introduction."""
        assert talk("What does Introduction say?").outcome != "clarified"

    def test_a_title_in_a_question_of_substance_is_a_matter(self, talk: Talk) -> None:
        """Every document is searched: 'modular architecture' need not be that one alone."""
        asked = talk("Which modules does a modular architecture need for invoices?")
        assert asked.intent != "entity"
