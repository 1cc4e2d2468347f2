"""Questions that only the documents at hand let one read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.unit.made_register import Register, decision
from tests.unit.small_world import index, question
from tests.unit.test_approval_records import FILES

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.question import Aspect
from elysia_guard.domain.reading import Named, Part, ReadBy, Search
from elysia_guard.reading import Reader
from elysia_guard.reading.forms import read_form
from elysia_guard.stages import retrieval
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder
from elysia_guard.testing.terminology import FakeTerminology


async def read(text: str) -> Part:
    reading = await Reader().read(
        question(text),
        vocabulary=FakeTerminology(()),
        catalogue=index(),
        conversation=Conversation(),
    )
    (part,) = reading.parts
    return part


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Who signed off on the courier decision?", "ADR-0003"),
        ("When was the decision on the domain language accepted?", "ADR-0012"),
        ("Who approved 'Use TLS to protect connections'?", "ADR-0027"),
    ],
)
async def test_a1_a_document_is_named_by_its_title(text: str, written: str) -> None:
    """Where one document bears all that is named, it is that document that is asked for."""
    part = await read(text)
    assert isinstance(part.asks, Named)
    assert [ref.written for ref in part.asks.references] == [written]
    assert part.read_by is ReadBy.SPAN


@pytest.mark.parametrize(
    "text",
    [
        "Who approved the decision?",
        "Who approved CIM?",
        "Who approved the decision on hydrants?",
        "How quickly must a broken connection be replaced?",
    ],
)
async def test_a1_nothing_is_taken_for_a_title_that_names_none(text: str) -> None:
    """No title, part of one without a word for a kind, or one that nobody has: it is searched."""
    assert not isinstance((await read(text)).asks, Named)


async def test_an_index_that_is_down_leaves_the_question_as_it_is() -> None:
    """The outage is told by the retrieval, not here."""

    class Down(FakeIndex):
        async def documents(self, filters: Filters) -> Sequence[Document]:
            raise SourceUnavailableError("the index is down", source="index")

    asked = question("What is decided about valves?")
    reading = await Reader().read(
        asked,
        vocabulary=FakeTerminology(()),
        catalogue=Down([]),
        conversation=Conversation(),
    )
    assert reading.parts == (read_form(asked),)


async def test_a1_a_search_brings_the_records_of_what_it_finds(tmp_path: Path) -> None:
    """Who approved something is told from the record of the document that a search finds."""
    files = {**FILES, "decisions/0009-use-rafts.md": decision("Use rafts", status="accepted")}
    found = Register(tmp_path, files)
    asked = question("who approved valves and taps")
    asks = Search(topic="valves taps", aspect=Aspect.APPROVAL)
    models = retrieval.Models(first=HashEmbedder())
    evidence = await retrieval.search(found.guard.pipeline.index, models, asked, asks, ())
    assert {passage.document.id for passage in evidence.records} >= {"ADR-0004D", "ADR-0006D"}
    assert {document.id for document in evidence.approved} <= set(found.documents)
