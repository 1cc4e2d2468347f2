"""Questions as they are read over the shipped vocabulary and documents, told in plain values."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from tests.unit.dialogue_world import CATALOGUE

from elysia_guard.adapters.documents.reader import read_folder
from elysia_guard.adapters.skos import SkosFile
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Passage
from elysia_guard.domain.question import Lang, Question
from elysia_guard.domain.reading import (
    Comparison,
    Definition,
    Listing,
    Named,
    Reading,
    Relation,
    Search,
)
from elysia_guard.reading.read import Reader
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder

ROOT = Path(__file__).parents[2]
READER = Reader()


@cache
def sources() -> tuple[SkosFile, FakeIndex]:
    """The shipped vocabulary, and the shipped documents with three principles beside them."""
    parsed = read_folder([ROOT / "data" / "knowledge"])
    documents = [item.document for item in parsed if hasattr(item, "document")]
    passages = [
        Passage(id=f"{each.id}#0", document=each, section="", text=each.title, position=0)
        for each in (*documents, *CATALOGUE)
    ]
    index = run_anywhere(FakeIndex.build(passages, HashEmbedder()))
    return SkosFile.load([ROOT / "data" / "vocabulary" / "vennet.ttl"]), index


def read(text: str, lang: Lang, talk: Conversation | None = None) -> Reading:
    """Read a message by its words alone: no model has a say."""
    vocabulary, index = sources()
    question = Question(text=text, lang=lang, request_id="r")
    reading = READER.read(
        question, vocabulary=vocabulary, catalogue=index, conversation=talk or Conversation()
    )
    return run_anywhere(reading)


def told(reading: Reading) -> dict[str, Any]:
    """What the first part of a reading asks, and of which parts the question is."""
    asks = reading.first.asks
    found: dict[str, Any] = {
        "kind": type(asks).__name__,
        "parts": [part.text for part in reading.parts],
        "whole": reading.whole,
        "answered_in": reading.lang,
    }
    match asks:
        case Definition():
            kind = "Definition" if asks.relation is Relation.MEANING else "Relation"
            found |= {"kind": kind, "term": asks.term, "relation": str(asks.relation)}
        case Named():
            found |= {"documents": [str(item.identity or item) for item in asks.references]}
            found |= {"aspect": str(asks.aspect), "matter": asks.matter}
            found |= {"beside": asks.beside, "another": asks.another}
        case Listing():
            found |= {"kinds": [str(kind) for kind in asks.kinds], "topic": asks.topic}
            found |= {"order": str(asks.order or ""), "first": asks.first, "counted": asks.counted}
            found |= _filters(asks)
        case Comparison():
            found |= {"terms": list(asks.terms)}
        case Search():
            found |= {"kinds": [str(kind) for kind in asks.kinds], "term": asks.term}
            found |= {"topic": asks.topic, "meaning_of": asks.meaning_of}
        case _:
            found |= {"about": getattr(asks, "about", "")}
            found |= {"candidates": list(getattr(asks, "candidates", ()))}
    return found


def _filters(asks: Listing) -> dict[str, Any]:
    filters = asks.filters
    return {
        "statuses": list(filters.statuses),
        "denied": list(filters.denied),
        "since": filters.since,
        "until": filters.until,
        "owner": filters.owner.written if filters.owner else "",
        "in": filters.lang,
        "records": filters.approval is True,
        "titled": filters.titled,
    }
