"""Elysia's `collection_names`: what a tree, and the page of the web app, may be answered from."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable

import pytest
from elysia.tools.text.text import FakeTextResponse
from tests.guide_server import lazy
from tests.host.runs import assert_well_formed, run
from tests.host.scripted import awaited, guiding
from tests.host.test_webapp import Chat, Page, Payload, opened, text_of

from elysia_guard.edge.elysia import GuardedTree, TreeAsker, guard
from elysia_guard.wiring import Wiring

PRINCIPLES, VOCABULARY = "Principle_Ollama", "Vocabulary_Ollama"


async def test_a9_a_tree_keeps_to_the_collections_that_it_is_given(tree: GuardedTree) -> None:
    """With `collection_names` a tree answers from these collections, and refuses the others."""
    refused = await run(tree, "What does ADR-0012 decide?", collection_names=[PRINCIPLES])
    assert_well_formed(refused)
    assert refused.reply is not None
    assert refused.reply.refusal_reason == "entity_not_found"
    assert "not among the collections asked" in refused.texts[0]
    answered = await run(tree, "What does PCP-0010 say?", collection_names=[PRINCIPLES])
    assert answered.reply is not None
    assert not answered.reply.refused


@pytest.mark.parametrize("names", [["Ecommerce"], "Ecommerce", [None], [["ADR_Ollama"]], {"a": 1}])
async def test_a9_names_that_are_none_of_ours_open_nothing(
    tree: GuardedTree, names: object
) -> None:
    """Other people's collections, and what is no list of names, leave nothing to answer from."""
    done = await run(tree, "What does ADR-0012 decide?", collection_names=names)
    assert_well_formed(done)
    assert done.reply is not None
    assert done.reply.refused
    assert done.reply.suggestions == ()


async def test_a9_a_language_model_reaches_no_further(
    with_model: Callable[..., tuple[GuardedTree, object]],
) -> None:
    """A language model that names a document of others does not widen the collections asked."""
    tree, _ = with_model(awaited(guiding(lazy, ["ADR-0012"])))
    tree.add_tool(guard(FakeTextResponse))
    asked = "How are grid models exchanged with neighbouring operators in CIMXML?"
    done = await run(tree, asked, collection_names=[PRINCIPLES])
    assert_well_formed(done)
    assert done.reply is not None
    assert {item.doc_type for item in done.reply.sources} <= {"Principle"}
    assert "ADR-" not in done.texts[0]


async def test_a9_both_routes_agree_on_a_restricted_question(wiring: Wiring) -> None:
    """The tree and the direct route give one answer to a question of some collections."""
    from elysia_guard import Guard

    guard, asker = Guard(wiring=wiring), TreeAsker(wiring)
    for asked in ("12", "List all decisions", "ADR-0012", "What is CIM?", "help", "PCP-0012"):
        direct = await guard.aask(asked, collections=[PRINCIPLES])
        through = await asker.ask(asked, collections=[PRINCIPLES])
        assert direct.answer == through.answer, asked


async def said(page: Page, question: str, names: object) -> list[Payload]:
    """Ask over the websocket, with the collections that a page has selected."""
    query_id = str(uuid.uuid4())
    message = {**page.message(question, query_id), "collection_names": names}
    await page.socket.send(json.dumps(message))
    payloads: list[Payload] = []
    while not payloads or payloads[-1]["type"] != "completed":
        payloads.append(json.loads(await page.socket.recv()))
    return payloads


async def test_a9_the_web_app_keeps_to_the_collections_selected(chat: Chat) -> None:
    """`collection_names` in a query over the websocket restrict the answer."""
    async with opened(chat) as page:
        refused = await said(page, "What does ADR-0012 decide?", [PRINCIPLES])
        assert "not among the collections asked" in text_of(refused)
        assert "canonical data model" not in json.dumps(refused)
        defined = await said(page, "What is CIMXML?", [VOCABULARY])
        assert "IEC 61970-552" in text_of(defined)
        answered = await said(page, "What does ADR-0012 decide?", [])
        assert "canonical data model" in json.dumps(answered)
