"""Models that invent, and every place where a person or a program could read what they wrote."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from prometheus_client import generate_latest
from scripts.lab.adversaries.server import MARKED, AdversaryServer, Fault
from scripts.lab.adversaries.tally import shown_in
from scripts.lab.adversaries.told import all_heard
from tests.host.test_webapp import Chat, opened, running

from elysia_guard import Guard
from elysia_guard.config import ConversationsSection, DecisionLogSection, WriterSection
from elysia_guard.domain.document import Passage
from elysia_guard.domain.manuscript import Pointer
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.edge.elysia.webapp import server as web
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

MARKING = "name+identifier+quotation+invented_number"
"""Kinds that put words into a sentence that no source has."""
POLICIES = (
    f"fabricate:{MARKING}",
    f"mixed:{MARKING}",
    f"broken:{MARKING}",
    f"always_claims:{MARKING}",
    "fabricate:status+outside",
)
QUESTIONS = (
    "How is the stability of the grid ensured?",
    "What does ADR-0012 say about mapping?",
    "Hoe wordt de stabiliteit van het net bewaakt?",
    "Wie werden Netzmodelle mit den Nachbarn ausgetauscht?",
)


@pytest.fixture(params=POLICIES)
def adversary(request: pytest.FixtureRequest) -> Iterator[AdversaryServer]:
    with AdversaryServer() as made:
        made.playing = request.param
        yield made


@pytest.fixture
def attacked(wiring: Wiring, adversary: AdversaryServer, tmp_path: Path) -> Iterator[Wiring]:
    """The session's parts with an adversary for a writer; everything that can be kept is."""
    section = WriterSection(kind="language_model", url=adversary.url, model="adversary")
    chosen = {
        "writer": section,
        "log_level": "DEBUG",
        "conversations": ConversationsSection(path=tmp_path / "conversations.sqlite"),
        "decision_log": DecisionLogSection(url=f"sqlite:///{tmp_path / 'decisions.sqlite'}"),
    }
    with closing(Wiring(wiring.config.model_copy(update=chosen))) as made:
        yield made


def assert_unheard(adversary: AdversaryServer, *channels: object) -> None:
    """Nothing made up so far stands in these; and something was made up."""
    assert adversary.requests
    invented = [item for item in adversary.made if item.invented]
    assert invented
    assert not all_heard(invented, shown_in(*channels))


class TestDirect:
    def test_responses_and_their_looks(self, attacked: Wiring, adversary: AdversaryServer) -> None:
        """As a record, as an object, as text, and as a notebook shows them."""
        guard = Guard(wiring=attacked)
        replies = [guard.ask(question) for question in QUESTIONS]
        for reply in replies:
            looks = (json.dumps(reply.to_dict(), ensure_ascii=False), reply._repr_markdown_())
            assert_unheard(adversary, reply, reply.to_dict(), looks, repr(reply), str(reply))

    def test_logs_metrics_and_the_decision_log(
        self,
        attacked: Wiring,
        adversary: AdversaryServer,
        caplog: pytest.LogCaptureFixture,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        """At level DEBUG, of all libraries."""
        caplog.set_level(logging.DEBUG)
        for question in QUESTIONS:
            Guard(wiring=attacked).ask(question)
        attacked.close()
        logged = [f"{record.getMessage()} {record.__dict__}" for record in caplog.records]
        printed = capfd.readouterr()
        measured = generate_latest(attacked.metrics.registry).decode()
        assert_unheard(adversary, caplog.text, logged, printed.out, printed.err, measured)

    def test_files_that_are_kept(
        self, attacked: Wiring, adversary: AdversaryServer, tmp_path: Path
    ) -> None:
        for question in QUESTIONS:
            Guard(wiring=attacked).ask(question)
        attacked.close()
        kept = [
            file.read_bytes().decode("utf-8", "replace")
            for file in tmp_path.rglob("*")
            if file.is_file()
        ]
        assert_unheard(adversary, kept)

    @pytest.mark.parametrize("unchecked", [False, True])
    def test_a_finder_that_believes_everything_shows_nothing_invented(
        self,
        attacked: Wiring,
        adversary: AdversaryServer,
        monkeypatch: pytest.MonkeyPatch,
        *,
        unchecked: bool,
    ) -> None:
        """What is no unit of a source is no quote, even where quotes are not checked."""

        def believing(pointer: Pointer, told: Sequence[Passage]) -> list[tuple[Passage, str]]:
            return [(told[0], pointer.text)]

        if "broken" in str(adversary.playing):
            pytest.skip("what it writes has no form that anybody could believe")
        monkeypatch.setattr("elysia_guard.stages.writing.generator.located", believing)
        if unchecked:
            quotes = "elysia_guard.stages.verification.quotes"
            monkeypatch.setattr(f"{quotes}._holds", lambda *_: True)
        shown = shown_in([Guard(wiring=attacked).ask(each).to_dict() for each in QUESTIONS])
        assert not all_heard(adversary.made, shown)


class TestTree:
    async def test_payloads_and_what_a_conversation_keeps(
        self, attacked: Wiring, adversary: AdversaryServer
    ) -> None:
        """Status lines, texts, titles, suggestions, errors, the export, and the next prompts."""
        tree = GuardedTree(wiring=attacked, settings=Settings())
        sent = [
            item
            for n, question in enumerate(QUESTIONS)
            async for item in tree.async_run(question, query_id=f"q-{n}")
        ]
        title = await tree.create_conversation_title_async()
        suggested = await tree.get_follow_up_suggestions_async()
        kept = (
            tree.conversation_history,
            tree.tree_data.tasks_completed,
            tree.tree_data.errors,
            tree.returner.store,
            tree.actions_called,
            tree.export_to_json(),
            json.dumps(tree.export_to_json(), default=repr, ensure_ascii=False),
        )
        assert_unheard(adversary, sent, title, suggested, kept)

    async def test_the_web_page(
        self, attacked: Wiring, adversary: AdversaryServer, caplog: pytest.LogCaptureFixture
    ) -> None:
        """What arrives, what is saved, what a page that comes back is shown, and the console."""
        caplog.set_level(logging.DEBUG)
        with running(web._settings(attacked)) as address:
            chat = Chat(address)
            async with opened(chat) as page:
                arrived = [await page.ask(question) for question in QUESTIONS]
                named = {"user_id": page.user_id, "conversation_id": page.conversation_id}
                suggested = await page.http.post("/util/follow_up_suggestions", json=named)
                saved = await page.http.get(f"/db/{page.user_id}/saved_trees")
                path = f"/db/{page.user_id}/load_tree/{page.conversation_id}"
                loaded = await page.http.get(path)
        texts = [suggested.text, saved.text, loaded.text, saved.json(), loaded.json()]
        assert_unheard(adversary, arrived, texts, caplog.text)


@pytest.mark.parametrize("fault", [Fault.NO_QUOTA, Fault.RATE_LIMITED, Fault.ERROR, Fault.NO_JSON])
async def test_an_error_says_nothing_of_its_server(
    fault: Fault, attacked: Wiring, adversary: AdversaryServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither what is shown nor what is logged repeats what a model's server said of itself."""
    caplog.set_level(logging.DEBUG)
    adversary.fault = fault
    tree = GuardedTree(wiring=attacked, settings=Settings())
    sent = [item async for item in tree.async_run(QUESTIONS[0], query_id="q")]
    assert adversary.requests
    assert MARKED not in shown_in(sent, tree.export_to_json(), caplog.text)
    assert tree.last_response is not None
    assert not tree.last_response.refused
