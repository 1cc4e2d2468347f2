"""The collections in a Weaviate, and how passages and documents become objects and come back.

Passages stand in one collection for each kind of document, with what a person or Elysia's own
tools want to read. What makes an index of them stands in three collections beside, whose names
begin with ``ELYSIA_``, so that Elysia does not offer them.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from elysia_guard.adapters.index_store import digest
from elysia_guard.adapters.weaviate_index.statistics import passage_stems
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.own_kinds import STANDING, OwnKinds

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient
    from weaviate.classes.config import Property

SCHEMA_VERSION = 5
DEFAULT_PREFIX = "ELYSIA_GUARD"
VECTOR = "default"
_NAMESPACE = uuid.UUID("7b1f5a5e-35a8-4d0c-9f39-8f3f6a1f1c11")

STATE_ID = uuid.uuid5(_NAMESPACE, "state")
LEASE_ID = uuid.uuid5(_NAMESPACE, "lease")

HOUSE = "kinds of the house"
"""Beside the names of the collections: under which kinds of documents an index was built."""

Properties = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Names:
    """What the collections are called."""

    passages: Mapping[DocumentKind, str]
    prefix: str = DEFAULT_PREFIX
    kinds: OwnKinds = STANDING
    """The kinds of documents of the house."""

    @property
    def documents(self) -> str:
        """The collection of documents: which are there, in which generation."""
        return f"{self.prefix}_Documents"

    @property
    def index(self) -> str:
        """The collection of one object that says what the index is."""
        return f"{self.prefix}_Index"

    @property
    def sentences(self) -> str:
        """The collection of the vectors of each passage's sentences."""
        return f"{self.prefix}_Sentences"

    @property
    def beside(self) -> tuple[str, ...]:
        """The collections that only the guard reads."""
        return (self.index, self.documents, self.sentences)

    @property
    def mark(self) -> str:
        """How the description of our collections ends: another index leaves them alone."""
        return f"kept by elysia-guard as {self.prefix}"

    def written(self) -> str:
        """The passages' collections as one text, to be compared."""
        names = {kind.value: name for kind, name in sorted(self.passages.items())}
        return json.dumps(names | ({HOUSE: self.kinds.digest} if self.kinds.digest else {}))


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildState:
    """What built an index, and which generation of its documents is the one to be read.

    Zero is none: a first ingest that has not come to its end.
    """

    schema_version: int
    model_id: str
    dimension: int
    collections: str
    generation: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A version of a document: the generation that brought it, and the one that removed it.

    The newest version counts; ``removed`` is 0 while it stands. ``passages`` and ``sentences``
    say how many objects were written of it in each of the two collections: so many must be there.
    """

    document: Document
    fingerprint: str
    generation: int
    removed: int = 0
    passages: int = 0
    sentences: int = 0


STATE_FIELDS = ["schema_version", "model_id", "dimension", "collections", "generation"]
PASSAGE_FIELDS = [
    "passage_id", "document_id", "generation", "section", "content", "position", "role", "stems",
    "digest",
]  # fmt: skip


def passage_uuid(passage_id: str, generation: int) -> uuid.UUID:
    """The id of a passage's object: one for each generation, so that old and new stand together."""
    return uuid.uuid5(_NAMESPACE, f"passage {passage_id} {generation}")


def record_uuid(document_id: str, generation: int) -> uuid.UUID:
    """The id of a document's record."""
    return uuid.uuid5(_NAMESPACE, f"document {document_id} {generation}")


def properties_of(passage: Passage, generation: int) -> dict[str, Any]:
    """Write a passage as an object; what says nothing is left out."""
    document = passage.document
    values = {
        "title": document.title,
        "section": passage.section,
        "content": passage.text,
        "doc_type": document.doc_type,
        "identifier": document.identifier,
        "number": document.number,
        "approval": document.approval,
        "status": document.status,
        "date": document.date,
        "owner": document.owner,
        "lang": document.lang,
        "superseded_by": document.superseded_by,
        "supersedes": document.supersedes,
        "path": document.path,
        "document_id": document.id,
        "passage_id": passage.id,
        "position": passage.position,
        "role": passage.role,
        "generation": generation,
        "stems": passage_stems(passage),
        "digest": digest(passage.text).hex(),
    }
    return {key: value for key, value in values.items() if value not in {None, ""}}


def passage_of(values: Properties, document: Document) -> Passage:
    """Read a passage back."""
    return Passage(
        id=values["passage_id"],
        document=document,
        section=values["section"] or "",
        text=values["content"] or "",
        position=values["position"],
        role=values["role"] or "",
        altered=digest(values["content"] or "").hex() != values.get("digest"),
    )


def record_properties(record: Record) -> dict[str, Any]:
    """Write a record as an object."""
    values = asdict(record)
    return values | {"document": json.dumps(values["document"], ensure_ascii=False)}


def record_of(values: Properties, kinds: OwnKinds = STANDING) -> Record:
    """Read a record back, in the house that it is of."""
    held = {field.name: values[field.name] for field in fields(Record)}
    return Record(**held | {"document": Document.of(json.loads(held["document"]), kinds)})


async def create_register(client: WeaviateAsyncClient, names: Names) -> None:
    """Make the collections beside, where they are missing."""
    from weaviate.classes.config import Configure

    for name, properties in register_properties(names).items():
        if not await client.collections.exists(name):
            await client.collections.create(
                name,
                description="Kept by elysia-guard beside its passages; not to be changed by hand",
                properties=properties,
                vector_config=Configure.Vectors.self_provided(),
            )


def register_properties(names: Names) -> dict[str, list[Property]]:
    """The properties of each collection beside."""
    from weaviate.classes.config import DataType, Property, Tokenization

    unsearched: dict[str, Any] = {"index_filterable": False, "index_searchable": False}
    text: dict[str, Any] = {"data_type": DataType.TEXT, **unsearched}
    number: dict[str, Any] = {"data_type": DataType.INT, "index_filterable": False}
    state = [
        *(Property(name=name, **text) for name in ("model_id", "collections", "statistics")),
        *(Property(name=name, **number) for name in ("schema_version", "dimension", "generation")),
        Property(name="held_until", **text),
    ]
    counts = ("generation", "removed", "passages", "sentences")
    records = [
        *(Property(name=name, **text) for name in ("document", "fingerprint")),
        *(Property(name=name, **number) for name in counts),
    ]
    # A binary property is not among those that are fetched unasked.
    sentences = [
        Property(name="packed", data_type=DataType.BLOB),
        Property(
            name="document_id",
            data_type=DataType.TEXT,
            tokenization=Tokenization.FIELD,
            index_searchable=False,
        ),
        Property(name="generation", data_type=DataType.INT),
    ]
    return dict(zip(names.beside, (state, records, sentences), strict=True))


async def create_passages(client: WeaviateAsyncClient, names: Names, kind: DocumentKind) -> None:
    """Make the collection of a kind of document.

    Its vectors are compared as they are, not shortened to fewer bits: a gate measures by them.
    """
    from weaviate.classes.config import Configure, StopwordsPreset, VectorDistances

    index = Configure.VectorIndex
    await client.collections.create(
        names.passages[kind],
        description=f"Passages of every {kind.value} of the knowledge base; {names.mark}",
        properties=passage_properties(),
        inverted_index_config=Configure.inverted_index(stopwords_preset=StopwordsPreset.NONE),
        vector_config=Configure.Vectors.self_provided(
            name=VECTOR,
            vector_index_config=index.hnsw(
                distance_metric=VectorDistances.COSINE, quantizer=index.Quantizer.none()
            ),
        ),
    )


def passage_properties() -> list[Property]:
    """The properties of a collection of passages."""
    from weaviate.classes.config import DataType, Property, Tokenization

    words: dict[str, Any] = {"data_type": DataType.TEXT, "tokenization": Tokenization.WORD}
    whole: dict[str, Any] = {
        "data_type": DataType.TEXT,
        "tokenization": Tokenization.FIELD,
        "index_searchable": False,
    }
    number: dict[str, Any] = {"data_type": DataType.INT, "index_range_filters": True}
    return [
        Property(name="title", description="Title of the document", **words),
        Property(name="section", description="Headings that the passage stands under", **words),
        Property(name="content", description="Text of the passage", **words),
        Property(name="doc_type", description="ADR, DAR, Principle, Policy or Document", **whole),
        Property(name="identifier", description="As the document itself writes it", **whole),
        Property(name="number", description="Number of the document", **number),
        Property(
            name="approval", description="Whether it is an approval record", data_type=DataType.BOOL
        ),
        Property(name="status", description="State of the document", **words),
        Property(name="date", description="Date of the document, as it writes it", **whole),
        Property(name="owner", description="Who answers for the document", **words),
        Property(name="lang", description="Language, as its BCP 47 tag begins", **whole),
        Property(name="superseded_by", description="What took its place", **whole),
        Property(name="supersedes", description="What it took the place of", **whole),
        Property(name="path", description="File of the document", **whole),
        Property(name="document_id", description="Which document, for example ADR-0012", **whole),
        Property(name="passage_id", description="Which passage of it", **whole),
        Property(name="position", description="Place of the passage, counted from 0", **number),
        Property(name="role", description="Part that the section plays", **whole),
        Property(name="generation", description="Kept by elysia-guard", **number),
        Property(name="digest", description="Of the text, as elysia-guard wrote it", **whole),
        # Split at blanks alone: what stands here has been split and stemmed already.
        Property(
            name="stems",
            description="Stems of the words, for elysia-guard's search; not for reading",
            data_type=DataType.TEXT,
            tokenization=Tokenization.WHITESPACE,
        ),
    ]
