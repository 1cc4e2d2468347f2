"""Kinds of documents of a house's own, as people ask for them: both routes, with a model too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from tests.guide_server import GuideServer, lazy
from tests.tables import table
from tests.unit.house_of_kinds import settle

from elysia_guard import Guard
from elysia_guard.config import AnswerCacheSection, LanguageModelSection
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Filters
from elysia_guard.domain.own_kinds import under
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.edge.elysia.webapp.pages.holdings import Holdings
from elysia_guard.edge.elysia.webapp.pages.questions import candidates
from elysia_guard.edge.elysia.webapp.pages.viewing import View
from elysia_guard.wiring import Wiring

RFCS = ("RFC-0012", "RFC-0013", "RFC-0114")
RUNBOOKS = ("RB 12", "RB 14")


@pytest.fixture(scope="module")
def quoted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wiring]:
    """The house, without a model."""
    with closing(Wiring.load(settle(tmp_path_factory.mktemp("house")))) as made:
        made.ensure_index()
        yield made


@pytest.fixture(scope="module")
def pointed(quoted: Wiring) -> Iterator[Wiring]:
    """The same, with a model that points at the first unit, each time anew."""
    with GuideServer(lazy) as server:
        section = LanguageModelSection(url=server.url, model="m")
        chosen = {"llm": section, "answer_cache": AnswerCacheSection(enabled=False)}
        with closing(Wiring(quoted.config.model_copy(update=chosen))) as made:
            yield made


def on_the_tree(wiring: Wiring, question: str) -> RAGResponse:
    tree = GuardedTree(wiring=wiring, settings=Settings())
    tree(question)
    assert tree.last_response is not None
    return tree.last_response


def cited(reply: RAGResponse) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source.doc_id for source in reply.sources))


@pytest.mark.parametrize("house", ["quoted", "pointed"])
def test_a_person_asks_for_them_as_for_any_other(
    house: str, request: pytest.FixtureRequest
) -> None:
    """Forty questions in three languages; the tree says what the direct route says."""
    wiring: Wiring = request.getfixturevalue(house)
    guard = Guard(wiring=wiring)
    for question, wanted in (row.values() for row in table("house_questions")):
        direct = guard.ask(question)
        assert cited(direct) == tuple(wanted), question
        assert direct.refused is not bool(wanted), question
        tree = on_the_tree(wiring, question)
        assert (tree.answer, tree.sources) == (direct.answer, direct.sources), question
        assert (tree.outcome, tree.suggestions) == (direct.outcome, direct.suggestions), question


def test_replies_call_them_by_their_names(quoted: Wiring) -> None:
    """In the language of the question: lists, refusals, ways on, types of sources."""
    guard = Guard(wiring=quoted)
    assert guard.ask("Which RFCs are there?").answer.startswith("There are 3 RFCs:")
    assert guard.ask("newest runbook").answer.startswith(
        "By date, the newest first: 1 of 2 runbooks"
    )
    assert guard.ask("Welke draaiboeken zijn er?").answer.startswith("Er zijn 2 draaiboeken:")
    german = guard.ask("Welche Betriebsanleitungen gibt es?").answer
    assert german.startswith("Es gibt 2 Betriebsanleitungen:")
    refused = guard.ask("What does RFC 50 decide?")
    assert "RFC-0050 does not exist" in refused.answer
    assert "**Looked at:** RFCs" in refused.answer
    ways_on = {item.question for item in refused.suggestions}
    assert ways_on == {f"What does {name} decide?" for name in RFCS}
    types = [guard.ask(f"What does {name} 12 say?").sources[0].doc_type for name in ("RFC", "RB")]
    assert types == ["RFC", "Runbook"]
    assert "RFCs or runbooks" in guard.ask("hello").answer


def test_a_number_of_several_kinds_is_asked_back(quoted: Wiring) -> None:
    """Each of them is told by its house form, and may be picked by its kind."""
    guard, talk = Guard(wiring=quoted), Conversation()
    asked_back = guard.ask("What does 12 say?", conversation=talk)
    for name in ("ADR-0012", "POL-0012", "RFC-0012", "RB 12"):
        assert f"**{name}**" in asked_back.answer
    assert cited(guard.ask("the runbook", conversation=talk)) == ("RB 12",)


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (["What does RFC 12 decide?", "and 13?"], ("RFC-0013",)),
        (["What does RFC 12 decide?", "and ADR 12?"], ("ADR-0012",)),
        (["Which RFCs are there?", "only the accepted ones"], ("RFC-0012",)),
        (["Which RFCs are there?", "and runbooks?"], RUNBOOKS),
        (["What does runbook 12 say?", "and 14?"], ("RB 14",)),
        (["Wat besluit RFC 12?", "en 13?"], ("RFC-0013",)),
        (["Was sagt Betriebsanleitung 12?", "und 14?"], ("RB 14",)),
        (["Was sagt Betriebsanleitung 12?", "wann wurde sie beschlossen?"], ("RB 12",)),
    ],
)
def test_follow_ups_go_on_with_them(
    quoted: Wiring, turns: Sequence[str], wanted: Sequence[str]
) -> None:
    """On both routes; the tree keeps the conversation as JSON in between."""
    guard, talk = Guard(wiring=quoted), Conversation()
    tree = GuardedTree(wiring=quoted, settings=Settings())
    for turn in turns:
        reply = guard.ask(turn, conversation=talk)
        tree(turn)
    assert cited(reply) == tuple(wanted)
    assert tree.last_response is not None
    assert cited(tree.last_response) == tuple(wanted)


async def test_the_page_lists_them_under_their_names(quoted: Wiring) -> None:
    """Data, and the questions that the start page offers: each kind has its own."""
    held = Holdings(lambda: quoted.pipeline, quoted.config)
    await held.refresh()
    listed = {item["name"]: item["total"] for item in await held.listed()}
    assert listed == {"Decisions": 2, "Policies": 1, "RFCs": 3, "Runbooks": 2}
    shelf = held.named("RFCs")
    assert shelf is not None
    _, rows = await held.viewed(shelf, View(query="lamps"))
    assert [row["title"] for row in rows] == ["Street lamps"]
    assert {row["type"] for row in rows} == {"RFC"}
    documents = await quoted.index.documents(Filters())
    with under(quoted.config.kinds):
        offered = [item.question for item in candidates((), documents, "en")]
    assert {"List all RFCs", "List all runbooks", "What does RFC-0012 decide?"} <= set(offered)
    assert {"What does RB 12 say?", "List all decisions"} <= set(offered)
