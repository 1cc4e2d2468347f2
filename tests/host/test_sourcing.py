"""Which results of a wrapped tool are sources: what a store gives again, and what is declared."""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
import uuid
from typing import Any

import dspy
import pytest
from tests.host.fabricating import Fabricator
from tests.host.hostile import written
from tests.host.weaviate_in_memory import InMemoryWeaviate

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.elysia.authorship import Author
from elysia_guard.edge.elysia.completions import Completions
from elysia_guard.edge.elysia.host import Result
from elysia_guard.edge.elysia.sourcing import MAX_ROWS, Declared, Sourcing, ToolSources
from elysia_guard.edge.elysia.tool_rows import rows_of
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.usefixtures("socket_disabled")

TEXT = "Every substation is inspected twice a year, and the report is kept for twelve years."
OTHER = "The mayor of Utrecht earns nine hundred euros an hour since the flood of last May."
HERE = {"collection_name": "Docs"}


@pytest.fixture
def weaviate() -> InMemoryWeaviate:
    return InMemoryWeaviate("Docs", "Notes", "ELYSIA_FEEDBACK__")


class Finding:
    """A tool's results, looked through for sources."""

    def __init__(self, wiring: Wiring, weaviate: Any) -> None:
        self.pipeline, self.weaviate = wiring.pipeline, weaviate
        self.completions = Completions()
        self.terminology: Any = wiring.pipeline.terminology

    async def sources(
        self, *objects: Any, metadata: dict[str, Any] | None = None, **declared: Any
    ) -> ToolSources:
        options = {"source_fields": (), "title_field": "", "collections": None, **declared}
        made = Declared.of(**options)
        sourcing = Sourcing(
            tool="shelf",
            declared=made,
            completions=self.completions,
            index=self.pipeline.index,
            terminology=self.terminology,
            client_manager=self.weaviate,
            lang="en",
        )
        return await sourcing.sources(
            list(rows_of(Result(objects=list(objects), metadata=metadata or {}), made.id_field))
        )


@pytest.fixture
def finding(wiring: Wiring, weaviate: InMemoryWeaviate) -> Finding:
    return Finding(wiring, weaviate)


def said(found: ToolSources) -> list[tuple[str, str, str]]:
    return [(item.document.title, item.text, item.document.path) for item in found.passages]


async def test_b2_an_object_is_quoted_as_its_store_has_it(
    finding: Finding, weaviate: InMemoryWeaviate
) -> None:
    """Whatever a tool says of an object, its text and its title come from the store."""
    key = weaviate.get("Docs").put({"title": "Inspection", "content": TEXT, "pages": 4})
    forged = {"uuid": key.upper(), "title": "Wages", "content": OTHER, "ELYSIA_SUMMARY": OTHER}
    found = await finding.sources(forged, forged, metadata=HERE)
    assert said(found) == [("Inspection", f"Inspection\n\n{TEXT}", f"Docs/{key}")]


async def test_b2_declared_fields_narrow_an_object_down(
    finding: Finding, weaviate: InMemoryWeaviate
) -> None:
    """Of an object of a store, only the fields that are named are quoted."""
    key = weaviate.get("Docs").put({"body": TEXT, "summary": OTHER, "head": "Inspection"})
    row = {"uuid": key, "collection_name": "Docs"}
    found = await finding.sources(row, source_fields=["body"], title_field="head")
    assert said(found) == [("Inspection", TEXT, f"Docs/{key}")]
    found = await finding.sources(row, source_fields=["text"])
    assert found.note("shelf") == (
        "0 source(s) from shelf; rejected: 1 without text in the fields that are sources"
    )


@pytest.mark.parametrize("row", [{"uuid": "no uuid"}, {"uuid": str(uuid.uuid4())}, {}, {"uuid": 3}])
async def test_b2_what_no_store_has_is_no_source(finding: Finding, row: dict[str, Any]) -> None:
    """A text without an identity, or with one that no store knows, is rejected."""
    found = await finding.sources({**row, "content": TEXT}, metadata=HERE)
    assert found.note("shelf") == "0 source(s) from shelf; rejected: 1 not a store's"


async def test_b2_what_elysia_keeps_for_itself_is_no_source(
    finding: Finding, weaviate: InMemoryWeaviate
) -> None:
    """Elysia's own collections hold what models wrote; objects of them are rejected."""
    key = weaviate.get("ELYSIA_FEEDBACK__").put({"content": OTHER})
    found = await finding.sources({"uuid": key, "collection_name": "ELYSIA_FEEDBACK__"})
    assert found.passages == []


async def test_b2_collections_may_be_named(finding: Finding, weaviate: InMemoryWeaviate) -> None:
    """Where the caller names the collections that are sources, those of others are rejected."""
    keys = {name: weaviate.get(name).put({"content": TEXT}) for name in ("Docs", "Notes")}
    rows = [{"uuid": key, "collection_name": name} for name, key in keys.items()]
    found = await finding.sources(*rows, collections=["Docs"])
    assert [item.document.path for item in found.passages] == [f"Docs/{keys['Docs']}"]
    assert found.rejected.total() == 1


async def test_b2_an_object_written_in_the_conversation_is_compared(
    finding: Finding, weaviate: InMemoryWeaviate
) -> None:
    """What a model wrote is no source when a tool stores it; what was there before is one."""
    finding.completions.wrote(OTHER)
    now = dt.datetime.now(dt.UTC)
    new = weaviate.get("Docs").put({"content": OTHER, "title": "Wages"}, written=now)
    assert (await finding.sources({"uuid": new}, metadata=HERE)).passages == []
    old = weaviate.get("Docs").put({"content": OTHER, "title": "Wages"})
    assert len((await finding.sources({"uuid": old}, metadata=HERE)).passages) == 1
    other = weaviate.get("Docs").put({"content": TEXT, "title": "Wages"}, written=now)
    assert len((await finding.sources({"uuid": other}, metadata=HERE)).passages) == 1


async def test_b2_a_store_that_is_down_is_told_apart(
    finding: Finding, weaviate: InMemoryWeaviate
) -> None:
    """Could not be asked is another reason than not there."""
    weaviate.get("Docs").down = True
    found = await finding.sources({"uuid": str(uuid.uuid4())}, metadata=HERE)
    assert found.note("shelf").endswith("1 of a store that could not be asked")


async def test_b2_documents_and_concepts_are_known_by_their_ids(finding: Finding) -> None:
    """A document of the index and a concept of the vocabulary are quoted as they stand there."""
    documents = await finding.pipeline.index.documents(_every())
    matches = await finding.pipeline.terminology.lookup("CIMXML", lang="en")
    concept = matches[0].concept
    passages = await finding.pipeline.index.passages(documents[0].id)
    found = await finding.sources(
        {"document_id": documents[0].id, "passage_id": passages[0].id, "content": OTHER},
        {"uri": concept.uri, "content": OTHER, "title": OTHER},
        {"document_id": OTHER},
        {"uri": OTHER},
    )
    assert found.passages[0] == passages[0]
    definition = concept.definition("en")
    assert definition is not None
    assert said(found)[1] == ("CIMXML", definition.value, concept.uri)
    assert found.rejected.total() == 2


def _every() -> Any:
    from elysia_guard.domain.document import Filters

    return Filters()


async def test_b2_a_declared_field_is_a_source(finding: Finding) -> None:
    """What the caller vouches for is quoted, under the title that is named, or the tool's name."""
    row = {"body": TEXT, "head": "Handbook", "title": "Wages", "more": OTHER}
    found = await finding.sources(row, source_fields=["body"], title_field="head")
    assert said(found) == [("Handbook", TEXT, "shelf")]
    found = await finding.sources(row, source_fields=["body"])
    assert said(found) == [("shelf", TEXT, "shelf")]


async def test_b2_a_source_stays_one_when_a_model_repeats_it(finding: Finding) -> None:
    """A text that was a source before in the conversation is one again, whatever was said since."""
    assert (await finding.sources({"body": TEXT}, source_fields=["body"])).passages
    finding.completions.wrote(TEXT)
    assert (await finding.sources({"body": TEXT}, source_fields=["body"])).passages


async def test_b2_results_are_bounded(finding: Finding) -> None:
    """Of very many results the first are looked at, and the trace tells of the others."""
    rows = [{"body": f"{TEXT} {n}"} for n in range(MAX_ROWS + 5)]
    found = await finding.sources(*rows, source_fields=["body"])
    assert len(found.passages) == MAX_ROWS
    assert found.note("shelf").endswith(f"5 beyond the first {MAX_ROWS}")


@pytest.mark.parametrize("objects", [[None, 3, "x", ["y"]], [{}], []])
async def test_b2_shapes_that_nobody_expects(finding: Finding, objects: list[Any]) -> None:
    """What is no object is left out."""
    assert (await finding.sources(*objects, source_fields=["body"])).passages == []


async def test_b2_objects_within_an_object_are_fetched(
    finding: Finding, weaviate: InMemoryWeaviate
) -> None:
    """Messages that Elysia gathers into a conversation are each fetched by their own identity."""
    keys = [weaviate.get("Docs").put({"content": f"{n}: {TEXT}"}) for n in range(2)]
    messages = [{"uuid": key, "content": OTHER} for key in keys]
    found = await finding.sources({"messages": messages, "conversation_id": OTHER}, metadata=HERE)
    assert [item.text for item in found.passages] == [f"0: {TEXT}", f"1: {TEXT}"]


def heard(listener: Completions, text: str) -> bool:
    return listener.authorship.sift(text).author is Author.MODEL


async def test_b2_each_conversation_hears_its_own_models() -> None:
    """Of two conversations at once, neither takes the other's sources for a model's words."""
    one, other = Completions(), Completions()
    both = asyncio.Barrier(2)

    async def talk(listener: Completions, lm: Fabricator) -> str:
        with listener.listening():
            await both.wait()
            said = await written(lm, "anything")
            await both.wait()
        return said

    first, second = await asyncio.gather(
        talk(one, Fabricator("one")), talk(other, Fabricator("other"))
    )
    assert [heard(one, first), heard(one, second)] == [True, False]
    assert [heard(other, first), heard(other, second)] == [False, True]


async def test_b2_a_thread_that_nobody_is_known_of_is_heard_by_all() -> None:
    """A model that is called where nothing tells whose it is counts for every conversation."""
    one, other, said = Completions(), Completions(), []
    with one.listening(), other.listening():
        lm = Fabricator()
        thread = threading.Thread(target=lambda: said.append(asyncio.run(written(lm, "anything"))))
        thread.start()
        await asyncio.to_thread(thread.join)
    assert heard(one, said[0])
    assert heard(other, said[0])


async def test_b2_nothing_stays_behind_in_dspy() -> None:
    """When nobody listens any more, DSPy is as it was; a program's own callbacks stay."""
    before = list(dspy.settings.callbacks)
    listener = Completions()
    with listener.listening(), listener.listening():
        assert len(dspy.settings.callbacks) == len(before) + 1
    assert dspy.settings.callbacks == before
    assert not heard(listener, await written(Fabricator(), "anything"))


async def test_b2_pieces_of_documents_are_quoted_from_the_documents(
    finding: Finding, weaviate: InMemoryWeaviate
) -> None:
    """Where Elysia searched pieces that it cut itself, the documents are the sources."""
    key = weaviate.get("Docs").put({"content": TEXT})
    result = Result(objects=[{"uuid": str(uuid.uuid4()), "content": OTHER}], metadata=HERE)
    result.full_documents = [{"uuid": key, "collection_name": "Docs"}]
    assert [row.key for row in rows_of(result)] == [("Docs", key)]


async def test_b2_a_vocabulary_that_is_down_is_told_apart(finding: Finding) -> None:
    """A concept that nobody can be asked for is no source, and its tool is not the reason."""

    class Down:
        async def concepts(self, _uris: object) -> None:
            raise SourceUnavailableError("down", source="skosmos")

    finding.terminology = Down()
    found = await finding.sources({"uri": "https://x/1", "content": TEXT})
    assert found.note("shelf").endswith("1 of a store that could not be asked")


# Identity and address

NUMBERED = {"source_fields": ["body"], "title_field": "subject", "id_field": "number"}
LINKED = {**NUMBERED, "url_field": "url"}
URL = "https://tickets.example/INC-17"


async def test_results_of_one_identity_are_one_document(finding: Finding) -> None:
    """The title is that of the first; the same text is one passage."""
    rows: list[dict[str, Any]] = [
        {"number": "INC-17", "subject": "Inspection", "body": TEXT},
        {"number": "INC-17", "subject": "Wages", "body": OTHER},
        {"number": "INC-17", "subject": "Again", "body": TEXT},
        {"number": 18, "subject": "Wages", "body": OTHER},
    ]
    found = await finding.sources(*rows, **NUMBERED)
    assert said(found) == [
        ("Inspection", TEXT, "shelf/INC-17"),
        ("Inspection", OTHER, "shelf/INC-17"),
        ("Wages", OTHER, "shelf/18"),
    ]
    ids = ["shelf/INC-17#0", "shelf/INC-17#1", "shelf/18#0"]
    assert [item.id for item in found.passages] == ids
    assert not found.lacking


async def test_results_without_an_identity_are_told_apart(finding: Finding) -> None:
    """Each is cited as a source of its own, under its own title."""
    rows = [{"subject": "Inspection", "body": TEXT}, {"subject": "Wages", "body": OTHER}]
    found = await finding.sources(*rows, source_fields=["body"], title_field="subject")
    assert said(found) == [("Inspection", TEXT, "shelf"), ("Wages", OTHER, "shelf")]
    assert [item.id for item in found.passages] == ["shelf#0", "shelf#1"]


@pytest.mark.parametrize(
    "number", [None, "", True, ["INC-17"], "x" * 201, "`INC`", "[INC](x)", 1.5]
)
async def test_without_an_identity_of_use_it_is_taken_as_without_the_field(
    finding: Finding, number: object
) -> None:
    """And so without an address; how many there are is told, once a field."""
    rows = [{"number": number, "body": TEXT, "url": "javascript:alert(1)"}, {"body": OTHER}]
    found = await finding.sources(*rows, **LINKED)
    assert [item.document.path for item in found.passages] == ["shelf", "shelf"]
    assert found.lacking == {"number": 2, "url": 2}


async def test_the_address_is_where_a_source_is_shown(finding: Finding) -> None:
    """With an identity or without; an address may be the identity too."""
    row = {"number": "INC-17", "body": TEXT, "url": URL}
    (item,) = (await finding.sources(row, **LINKED)).passages
    assert (item.document.id, item.document.path) == ("shelf/INC-17", URL)
    options = {"source_fields": ["body"], "url_field": "url"}
    (item,) = (await finding.sources(row, **options)).passages
    assert (item.document.id, item.document.path) == ("shelf", URL)
    found = await finding.sources(row, source_fields=["body"], id_field="url", url_field="url")
    assert [(item.document.id, item.document.path) for item in found.passages] == [(URL, URL)]
    assert not found.lacking


@pytest.mark.parametrize("url", ["ftp://x/y", "https://x/<b>", "https://x y", "//x", "http://", 7])
async def test_what_is_no_address_on_the_web_is_none(finding: Finding, url: object) -> None:
    row = {"number": "INC-17", "body": TEXT, "url": url}
    found = await finding.sources(row, **LINKED)
    assert said(found) == [("shelf", TEXT, "shelf/INC-17")]
    assert found.lacking == {"url": 1}


async def test_b2_an_identity_or_address_that_a_model_worded_is_none(finding: Finding) -> None:
    """One that a person asked for by its name is one."""
    finding.completions.authorship.asked("What of INC-17?")
    worded, place = "Seven geese over the moon", "https://geese.example/seven/moon"
    finding.completions.wrote({"it": worded, "at": place})
    row = {"number": worded, "body": TEXT, "url": place}
    found = await finding.sources(row, {"number": "INC-17", "body": OTHER, "url": URL}, **LINKED)
    assert [(item.document.id, item.document.path) for item in found.passages] == [
        ("shelf", "shelf"),
        ("shelf/INC-17", URL),
    ]


async def test_a_store_is_asked_again_by_the_identity_that_is_declared(
    finding: Finding, weaviate: InMemoryWeaviate
) -> None:
    """Its text and its address are the store's; an object in a list of a result is found too."""
    key = weaviate.get("Docs").put({"title": "Inspection", "content": TEXT, "url": URL})
    for row in ({"ref": key, "content": OTHER}, {"hits": [{"ref": key, "content": OTHER}]}):
        found = await finding.sources(row, metadata=HERE, id_field="ref", url_field="url")
        (item,) = found.passages
        assert (item.document.id, item.document.path) == (f"Docs/{key}", URL)
        assert TEXT in item.text
        assert not found.lacking
    assert not (await finding.sources({"id": key, "content": OTHER}, metadata=HERE)).passages


async def test_objects_of_a_store_of_one_identity_are_one_document(
    finding: Finding, weaviate: InMemoryWeaviate
) -> None:
    """Pieces of one ticket, say: the store tells of which, whatever the tool says."""
    docs = weaviate.get("Docs")
    keys = [docs.put({"body": text, "number": 17}) for text in (TEXT, OTHER)]
    keys.append(docs.put({"body": f"{TEXT} {OTHER}"}))
    rows = [{"uuid": key, "number": 18} for key in keys]
    found = await finding.sources(*rows, metadata=HERE, **NUMBERED)
    assert [item.id for item in found.passages] == [
        "Docs/17#0",
        "Docs/17#1",
        f"Docs/{keys[2]}#0",
    ]
    assert found.lacking == {"number": 1}
