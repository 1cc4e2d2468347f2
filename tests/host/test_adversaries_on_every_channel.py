"""Models that invent, or fail, and every place where what they write could be read."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from prometheus_client import generate_latest
from scripts.lab.adversaries.server import MARKED, AdversaryServer, Fault
from scripts.lab.adversaries.tally import Tally, shown_in
from scripts.lab.adversaries.told import all_heard
from tests.host.test_webapp import Chat, opened, running

from elysia_guard import Guard
from elysia_guard.config import (
    AnswerCacheSection,
    ConversationsSection,
    DecisionLogSection,
    LanguageModelSection,
    home,
)
from elysia_guard.domain.errors import QuestionError
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.edge.elysia.webapp import server as web
from elysia_guard.evaluation import golden
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

MARKING = "name+identifier+quotation+invented_number"
"""Kinds that put words into a sentence that no source has."""
FABRICATING = f"fabricate:{MARKING}"
POLICIES = (
    FABRICATING,
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
GOLDEN = home() / "data" / "evaluation" / "golden_queries.jsonl"
EVERY = 40
"""One tuning question in so many is asked."""
ROUNDS = ("invented_number+date+outside+wrong_source", "elsewhere+name+identifier+quotation")


@pytest.fixture
def adversary() -> Iterator[AdversaryServer]:
    with AdversaryServer() as made:
        made.playing = FABRICATING
        yield made


@pytest.fixture
def attacked(wiring: Wiring, adversary: AdversaryServer, tmp_path: Path) -> Iterator[Wiring]:
    """The session's parts with an adversary for a model; everything that can be kept is."""
    section = LanguageModelSection(url=adversary.url, model="adversary")
    chosen = {
        "llm": section,
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
    @pytest.mark.parametrize("policy", POLICIES)
    def test_responses_and_their_looks(
        self, attacked: Wiring, adversary: AdversaryServer, policy: str
    ) -> None:
        """As a record, as an object, as text, and as a notebook shows them."""
        adversary.playing = policy
        guard = Guard(wiring=attacked)
        for reply in [guard.ask(question) for question in QUESTIONS]:
            looks = (json.dumps(reply.to_dict(), ensure_ascii=False), reply._repr_markdown_())
            assert_unheard(adversary, reply, reply.to_dict(), looks, repr(reply), str(reply))

    def test_logs_metrics_and_files_that_are_kept(
        self,
        attacked: Wiring,
        adversary: AdversaryServer,
        tmp_path: Path,
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
        files = [file for file in tmp_path.rglob("*") if file.is_file()]
        kept = [file.read_bytes().decode("utf-8", "replace") for file in files]
        assert kept
        assert_unheard(adversary, caplog.text, logged, printed.out, printed.err, measured, kept)

    @pytest.mark.parametrize("unchecked", [False, True])
    def test_a_guard_that_believes_everything_shows_nothing_invented(
        self,
        attacked: Wiring,
        adversary: AdversaryServer,
        monkeypatch: pytest.MonkeyPatch,
        *,
        unchecked: bool,
    ) -> None:
        """What is no unit of a source is no quote, even where quotes are not checked."""
        monkeypatch.setattr("elysia_guard.stages.guiding.is_related", lambda *_: True)
        if unchecked:
            monkeypatch.setattr("elysia_guard.stages.verification._holds", lambda *_: True)
        shown = shown_in([Guard(wiring=attacked).ask(each).to_dict() for each in QUESTIONS])
        assert adversary.made
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


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault is not Fault.NO_SCHEMA])
async def test_an_error_says_nothing_of_its_server(
    wiring: Wiring, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    """The quotes stand, flagged; nothing repeats what a model's server said of itself."""
    caplog.set_level(logging.DEBUG)
    clock = FakeClock()
    with AdversaryServer(late_s=60) as adversary:
        adversary.playing, adversary.fault = "right", fault
        # Longer than all calls of an answer may take.
        adversary.on_late = lambda: clock.advance(11.0)
        section = LanguageModelSection(url=adversary.url, model="adversary")
        config = wiring.config.model_copy(update={"llm": section})
        with closing(Wiring(config, clock=clock)) as parts:
            tree = GuardedTree(wiring=parts, settings=Settings())
            sent = [item async for item in tree.async_run(QUESTIONS[0], query_id="q")]
        assert adversary.requests
    assert MARKED not in shown_in(sent, tree.export_to_json(), caplog.text)
    reply, alone = tree.last_response, await Guard(wiring=wiring).aask(QUESTIONS[0])
    assert reply is not None
    assert reply.sources == alone.sources
    late = fault in {Fault.HANGING, Fault.DRIPPING, Fault.LATE}
    flags = reply.retrieval_quality.fallback_reasons
    assert flags == ("llm_timeout" if late else "llm_error",)


@pytest.mark.parametrize("kinds", ROUNDS)
def test_nothing_put_in_is_shown_on_either_route(wiring: Wiring, kinds: str) -> None:
    """In a sample of the golden set; `python -m scripts.lab adversaries` measures the whole."""
    cases = golden.load(GOLDEN).select(golden.Split.TUNING)[::EVERY]
    tallies = {name: Tally(name=name) for name in ("direct", "tree")}
    with AdversaryServer() as server:
        server.playing = f"mixed:{kinds}"
        section = LanguageModelSection(url=server.url, model="adversary")
        chosen = {"llm": section, "answer_cache": AnswerCacheSection(enabled=False)}
        config = wiring.config.model_copy(update={**chosen, "log_level": "CRITICAL"})
        for name, tally in tallies.items():
            with closing(Wiring(config)) as parts:
                for case in cases:
                    server.taken()
                    try:
                        shown = said(name, parts, case.query)
                    except QuestionError:
                        continue
                    tally.add(case.id, server.taken(), shown, ms=0.0)
    for tally in tallies.values():
        assert not tally.leaks
        assert tally.kept
    assert tallies["direct"].made == tallies["tree"].made
    assert tallies["direct"].made.total() >= 40


def said(route: str, parts: Wiring, question: str) -> str:
    """All that a route says to a question."""
    if route == "direct":
        return shown_in(Guard(wiring=parts).ask(question).to_dict())
    tree = GuardedTree(wiring=parts, settings=Settings())
    returned = tree(question)
    return shown_in(returned, tree.conversation_history)
