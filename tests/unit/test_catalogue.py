"""Questions that only the documents at hand let one read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.unit.made_register import Register, decision, kept
from tests.unit.small_world import question

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.question import Aspect
from elysia_guard.domain.reading import Search
from elysia_guard.reading import Reader
from elysia_guard.reading.forms import read_form
from elysia_guard.stages import retrieval
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder
from elysia_guard.testing.terminology import FakeTerminology


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
    files = {
        **kept("approvals"),
        "decisions/0009-use-rafts.md": decision("Use rafts", status="accepted"),
    }
    found = Register(tmp_path, files)
    asked = question("who approved valves and taps")
    asks = Search(topic="valves taps", aspect=Aspect.APPROVAL)
    models = HashEmbedder()
    evidence = await retrieval.search(found.guard.pipeline.index, models, asked, asks, ())
    assert {passage.document.id for passage in evidence.records} >= {"ADR-0004D", "ADR-0006D"}
    assert {document.id for document in evidence.approved} <= set(found.documents)
