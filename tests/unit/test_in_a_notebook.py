"""What a notebook asks of a guard beside questions: what it is, its documents, its terms."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing

import pytest
from selectolax.lexbor import LexborHTMLParser
from tests.shipped import shipped_config

from elysia_guard import Guard
from elysia_guard.config import SkosmosSection
from elysia_guard.domain.errors import ConfigError, ScopeError
from elysia_guard.wiring import Wiring

ASKED = "What does ADR-0012 decide?"


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    with closing(Wiring(shipped_config())) as wiring:
        yield Guard(wiring=wiring)


def test_it_says_what_it_answers_from(guard: Guard) -> None:
    """In a line, and as HTML: how many documents and terms, and which model."""
    documents, terms = len(guard.documents()), len(guard.terms())
    assert repr(guard).startswith(f"<Guard: documents {documents} (")
    assert repr(guard).endswith(f"), terms {terms}, model none>")
    shown = LexborHTMLParser(str(guard._repr_html_())).text(separator=" ")
    assert f"documents {documents} (" in shown
    assert f"terms {terms} " in shown


def test_documents_are_rows_of_a_table(guard: Guard) -> None:
    """Plain values, as JSON and pandas take them; of one kind where one is named."""
    every = guard.documents()
    columns = ("kind", "identifier", "title", "status", "date", "path", "lang")
    assert {tuple(row) for row in every} == {columns}
    assert json.loads(json.dumps(every)) == list(every)
    policies = guard.documents(kind="policy")
    assert list(policies) == [row for row in every if row["kind"] == "policy"]
    assert list(every.to_frame()["path"]) == [row["path"] for row in every]
    shown = LexborHTMLParser(str(every._repr_html_()))
    assert [head.text() for head in shown.css("th")] == list(columns)
    assert len(shown.css("tbody tr")) < len(every)
    with pytest.raises(ScopeError, match="name one of: decision"):
        guard.documents(kind="memo")


def test_each_document_is_found_by_what_the_table_calls_it(guard: Guard) -> None:
    """The path is where the sources of an answer say that they stand."""
    by_identifier = {row["identifier"]: row for row in guard.documents()}
    reply = guard.ask(ASKED)
    assert by_identifier["ADR-0012"]["path"] in {source.location for source in reply.sources}


def test_terms_are_told_in_a_language(guard: Guard) -> None:
    """A row a concept; each is one that can be asked for."""
    english, dutch = guard.terms(lang="en"), guard.terms(lang="nl")
    assert [row["uri"] for row in english] == [row["uri"] for row in dutch]
    assert guard.terms()[0].keys() == {"term", "also", "deprecated", "uri"}
    named = next(row for row in dutch if row["also"] and not row["deprecated"])
    found = guard.ask(f"Wat is {named['also'][0]}?")
    assert named["uri"] in {source.location for source in found.sources}


def test_the_terms_of_a_server_are_told_from_a_file() -> None:
    """The error says where to name it."""
    config = shipped_config()
    served = SkosmosSection(url="http://127.0.0.1:9", vocabularies={"yso": "YSO"})
    section = config.terminology.model_copy(
        update={"kind": "skosmos", "skosmos": served, "files": []}
    )
    wiring = Wiring(config.model_copy(update={"terminology": section}))
    with closing(wiring), pytest.raises(ConfigError, match=r"terminology\.files"):
        Guard(wiring=wiring).terms()


def test_a_reply_has_a_text_and_a_confidence(guard: Guard) -> None:
    """And none of them is one more field of the published form."""
    reply = guard.ask(ASKED)
    assert reply.text == reply.answer
    assert reply.confidence == reply.retrieval_quality.confidence_score
    assert not {"text", "confidence"} & reply.to_dict().keys()


def test_a_table_of_replies_shows_where_each_is_from(guard: Guard) -> None:
    replies = guard.ask_many([ASKED, "What does ADR-0999 decide?", ""], progress=False)
    frame = replies.to_frame()
    first = replies[0].response.sources[0]
    assert list(frame["outcome"]) == ["asserted", "refused", "error"]
    assert list(frame["quote"]) == [first.quote, "", ""]
    assert list(frame["location"]) == [first.location, "", ""]
    assert frame["confidence"][0] == replies[0].response.confidence
