"""Questions through the tree with no language model, no key, no Weaviate and no network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import elysia
import pytest
from scripts.lab.adversaries.tally import shown_in
from tests.host.runs import Run, assert_guarded, assert_well_formed, everything_kept, run

from elysia_guard import Guard
from elysia_guard.config import AnswerCacheSection
from elysia_guard.domain.errors import GuardError, SourceTimeoutError, SourceUnavailableError
from elysia_guard.edge import steps
from elysia_guard.edge.elysia import GuardedTree, TreeAsker, ask_tree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.language.catalogue import say
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.usefixtures("any_model", "socket_disabled")

MakeTree = Callable[..., GuardedTree]

QUESTIONS: dict[str, tuple[str, list[str], str | None]] = {
    "term": ("What is CIMXML?", ["skosmos_lookup"], None),
    "no such term": ("What is a quuxifier?", ["skosmos_lookup"], "terminology_not_found"),
    "ambiguous term": ("What is CIM?", ["skosmos_lookup"], "terminology_ambiguous"),
    "decision": ("Tell me about ADR.12", ["guarded_search"], None),
    "decision, blank": ("ADR 0012", ["guarded_search"], None),
    "decision, run together": ("adr12", ["guarded_search"], None),
    "approval": ("ADR.12D", ["guarded_search"], None),
    "approvers": ("Who approved ADR.12?", ["guarded_search"], None),
    "no such decision": ("ADR.99 says?", ["guarded_search"], "entity_not_found"),
    "list": ("List all principles", ["list_documents"], None),
    "one kind": ("What is decided about TLS?", ["guarded_search"], None),
    "several kinds": (
        "Security decisions and principles",
        ["guarded_search", "grounded_answer"],
        None,
    ),
    "a number of several kinds": (
        "What does 10 say?",
        ["guarded_search", "clarify"],
        "terminology_ambiguous",
    ),
    "small talk": ("hello", ["grounded_answer"], None),
    "thanks": ("Thank you!", ["grounded_answer"], None),
    "empty": ("", ["abstain"], "no_results"),
    "blanks": (" \n\t ", ["abstain"], "no_results"),
    "too long": ("why " * 25_000, ["abstain"], "no_results"),
    "emoji": ("\U0001f642\U0001f642", ["abstain"], "no_results"),
    "control characters only": ("\x00\x07\x1b", ["abstain"], "no_results"),
}
STEP_BY_STEP = ("several kinds", "a number of several kinds")
NEVER_READ = ("empty", "blanks", "too long", "emoji", "control characters only")

OPEN = {
    "off the subject": "Where can I eat the best pizza tonight?",
    "chinese": "\u4ec0\u4e48\u662f\u62ab\u8428\uff1f",
    "arabic": "\u0623\u0641\u0636\u0644 \u0628\u064a\u062a\u0632\u0627\u061f",
    "control characters": "\x1b[31mwhere can I\x00 eat\x07 pizza\u202e tonight",
    "half a surrogate pair": "\ud800 where can I eat pizza tonight",
    "rich markup": "where is [/b] and [bold red]pizza[/] tonight",
    "sql": "'; DROP TABLE passages; -- pizza",
    "full-text syntax": 'pizza AND NEAR("a" OR b*) NOT ^col:{x} "',
    "html": "<script>alert('pizza')</script> <img src=x onerror=y>",
    "template": "{question} {0} %s ${HOME} pizza",
}


def assert_reasoning_is_ours(done: Run) -> None:
    """What the tree view shows as reasoning is an entry of our trace."""
    assert done.reply is not None
    trace = {f"{steps.stage(step)}: {' '.join(steps.told(step))}" for step in done.reply.trace}
    assert set(done.reasonings) <= trace


@pytest.mark.usefixtures("every_model")
@pytest.mark.parametrize("name", QUESTIONS)
async def test_decided_by_rule(tree: GuardedTree, name: str) -> None:
    """A question that rules decide takes its steps, and is answered or refused as it should."""
    question, taken, reason = QUESTIONS[name]
    done = await run(tree, question)
    assert_well_formed(done)
    assert_reasoning_is_ours(done)
    assert done.steps == taken
    assert done.reply is not None
    assert done.reply.refusal_reason == reason
    by_tree = name in (*STEP_BY_STEP, *NEVER_READ)
    assert done.reply.route == ("tree" if by_tree else "direct")
    json.dumps(tree.export_to_json())


@pytest.mark.usefixtures("every_model")
@pytest.mark.parametrize("name", OPEN)
async def test_open_questions_are_searched_and_refused(tree: GuardedTree, name: str) -> None:
    """What nothing answers is refused, in any script and with any syntax in it."""
    done = await run(tree, OPEN[name])
    assert_well_formed(done)
    assert_reasoning_is_ours(done)
    assert done.steps == ["guarded_search", "abstain"]
    assert done.reply is not None
    assert done.reply.refused
    assert done.reply.route == "tree"
    json.dumps(tree.export_to_json())
    await assert_guarded(tree)


async def test_open_question_is_answered_without_a_model(tree: GuardedTree) -> None:
    """An open question that a passage answers is answered with a quote and its source."""
    done = await run(tree, "How are grid models exchanged with neighbouring operators?")
    assert_well_formed(done)
    assert done.steps == ["guarded_search", "grounded_answer"]
    assert done.reply is not None
    assert done.reply.sources
    assert "[source:1]" in done.texts[0]


async def test_the_same_prompt_three_times(tree: GuardedTree) -> None:
    """A repeated question gets the same answer, and each its own entry in the history."""
    runs = [await run(tree, "What is CIMXML?") for _ in range(3)]
    assert len({done.texts[0] for done in runs}) == 1
    for done in runs:
        assert_well_formed(done)
    assert [said["role"] for said in tree.conversation_history] == ["user", "assistant"] * 3
    assert len(tree.history) == 3


def test_called_as_a_function(tree: GuardedTree) -> None:
    """From plain code `tree(...)` returns the text and the cards of the sources."""
    text, sources = tree("What is CIMXML?")
    assert text.startswith("**CIMXML**")
    assert sources[0][0]["title"].startswith("[source:1]")


async def test_called_in_a_running_loop(tree: GuardedTree) -> None:
    """In a notebook, where a loop is running already, `tree(...)` works too."""
    text, _ = tree("What is CIMXML?")
    assert text.startswith("**CIMXML**")


async def test_asked_headlessly(wiring: Wiring) -> None:
    """Without payloads: a response per question, each in a conversation of its own."""
    replies = await asyncio.gather(
        *(ask_tree(question, wiring=wiring) for question in ("What is CIM?", "adr12", "hello"))
    )
    assert [reply.intent for reply in replies] == ["terminology", "entity", "conversational"]
    reply = await TreeAsker(wiring).ask("adr12", request_id="r-1")
    assert reply.request_id == "r-1"


async def test_answers_as_the_direct_route(wiring: Wiring, new_tree: MakeTree) -> None:
    """The tree says what the direct route says."""
    for question, _, _ in QUESTIONS.values():
        if not question.strip() or len(question) > 2_000 or not any(map(str.isalnum, question)):
            continue
        inquiry = await wiring.pipeline.begin(question, request_id="r", route="direct")
        direct = await wiring.pipeline.answer(inquiry)
        done = await run(new_tree(), question)
        assert done.reply is not None
        assert done.reply.answer == direct.answer


async def test_a_settings_object_is_not_changed(tree: GuardedTree, user_settings: Settings) -> None:
    """A run leaves the settings it was given as they were, also for other trees that use them."""
    before = user_settings.to_json()
    await run(tree, "What is CIM?")
    assert tree.settings is user_settings
    assert user_settings.to_json() == before


async def test_nothing_is_printed(
    tree: GuardedTree, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """At INFO Elysia prints questions and answers to the console, whatever `log_queries` says."""
    assert tree.settings.LOGGING_LEVEL == "INFO"
    await run(tree, "What is CIM?")
    printed = capsys.readouterr()
    assert "CIM" not in printed.out + printed.err + caplog.text


async def test_an_outage_is_told_apart_from_an_unknown_term(
    wiring: Wiring, user_settings: Settings
) -> None:
    """When the vocabulary cannot be asked, the tree says so, and shows no error."""
    for failure, reason in (
        (SourceUnavailableError("down", source="skosmos"), "terminology_error"),
        (SourceTimeoutError("slow", source="skosmos"), "terminology_timeout"),
    ):

        class Down:
            name = "the vocabulary"
            error = failure

            async def lookup(self, *_args: Any, **_kwargs: Any) -> None:
                raise self.error

            async def alike(self, *_args: Any, **_kwargs: Any) -> None:
                raise self.error

            async def synonyms(self, *_args: Any, **_kwargs: Any) -> None:
                raise self.error

            async def labels(self) -> None:
                raise self.error

        tree = GuardedTree(
            wiring=_Parts(wiring, replace(wiring.pipeline, terminology=Down())),
            settings=user_settings,
        )
        done = await run(tree, "What is CIM?")
        assert_well_formed(done)
        assert done.reply is not None
        assert done.reply.refusal_reason == reason
        flag = reason.replace("terminology", "skosmos")
        assert done.reply.retrieval_quality.fallback_reasons == (flag,)


async def test_a_failure_of_ours_is_a_text_and_not_the_last_reply(
    new_tree: MakeTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When nothing can be concluded a sentence says so; the last reply is not passed off."""
    tree = new_tree()
    await run(tree, "What is CIM?")

    async def fail(*_args: Any, **_kwargs: Any) -> None:
        raise GuardError("the index is damaged")

    monkeypatch.setattr(type(tree.pipeline), "conclude", fail)
    done = await run(tree, "adr12")
    assert done.texts == [say("en", "fault.unexpected")]
    assert done.types[-1] == "completed"
    assert tree.last_response is None
    assert await tree.get_follow_up_suggestions_async() == []


class _Parts:
    """A wiring of one pipeline."""

    def __init__(self, wiring: Wiring, stages: Any) -> None:
        self.pipeline = stages
        self.models = wiring.models
        self.config = wiring.config


# Two conversations


async def test_a_plain_tree_beside_shares_nothing(
    new_tree: MakeTree, user_settings: Settings
) -> None:
    """Elysia's own trees share one dictionary of state; a guarded tree is not in it."""
    plain, tree = elysia.Tree(settings=user_settings), new_tree()
    shared = plain.tree_data.environment.hidden_environment
    shared["of the plain tree"] = 1
    try:
        await run(tree, "What is CIM?")
        assert "of the plain tree" not in tree.tree_data.environment.hidden_environment
        assert shared == {"of the plain tree": 1}
    finally:
        shared.clear()


@pytest.mark.parametrize(
    "pair",
    [("What is CIM?", "adr12"), ("List all principles", "ADR 9999"), ("hello", "pizza tonight?")],
)
async def test_two_interleaved_conversations(new_tree: MakeTree, pair: tuple[str, str]) -> None:
    """Two runs that take turns, payload by payload, get what each gets alone."""
    alone = [await run(new_tree(), question) for question in pair]
    trees = [new_tree(), new_tree()]
    runs = [tree.async_run(question) for tree, question in zip(trees, pair, strict=True)]
    payloads: list[list[dict[str, Any]]] = [[], []]
    open_runs = [0, 1]
    while open_runs:
        for position in list(open_runs):
            try:
                payloads[position].append(await anext(runs[position]))
            except StopAsyncIteration:
                open_runs.remove(position)
    for position, tree in enumerate(trees):
        done = Run([item for item in payloads[position] if item], [], tree.last_response)
        assert done.texts == alone[position].texts
        assert done.types == alone[position].types
        assert {item["conversation_id"] for item in done.payloads} == {tree.conversation_id}
        assert [said["role"] for said in tree.conversation_history] == ["user", "assistant"]
        assert len(tree.history) == 1
        assert pair[1 - position] not in everything_kept(tree, done)


async def test_a_run_that_is_left_early(tree: GuardedTree) -> None:
    """A reader that goes away, and a question asked before the run noticed, leave no trace."""
    settings = tree.settings
    left = tree.async_run("What is CIM?")
    await anext(left)
    done = await run(tree, "adr12")
    assert_well_formed(done)
    await left.aclose()
    assert tree.settings is settings
    await assert_guarded(tree)
    assert tree.export_to_json()["settings"]["BASE_MODEL"] == settings.BASE_MODEL


async def test_a_run_left_early_is_closed_during_the_next(tree: GuardedTree) -> None:
    """An abandoned run that ends in the middle of the next takes nothing from it."""
    settings = tree.settings
    left = tree.async_run("What is CIM?")
    await anext(left)
    going = tree.async_run("where to eat pizza tonight?")
    await anext(going)
    await left.aclose()
    rest = [item async for item in going if item]
    assert rest[-1]["type"] == "completed"
    assert tree.settings is settings


# Without a network, a key or a Weaviate


CONTACT = "the architecture team, architecture@example.org"


@pytest.mark.parametrize("question", ["What does ADR-0999 decide?", "Wer hat ADR-0999 genehmigt?"])
def test_each_route_names_whom_to_contact(wiring: Wiring, question: str) -> None:
    """The same reply on both, and what the tree sends and keeps holds it too."""
    chosen = {"contact": CONTACT, "answer_cache": AnswerCacheSection(enabled=False)}
    with closing(Wiring(wiring.config.model_copy(update=chosen))) as parts:
        direct = Guard(wiring=parts).ask(question)
        tree = GuardedTree(wiring=parts, settings=Settings())
        returned = tree(question)
        assert direct.answer.endswith(CONTACT)
        assert tree.last_response is not None
        assert tree.last_response.answer == direct.answer
        assert CONTACT in shown_in(returned)
        assert CONTACT in shown_in(tree.conversation_history)


@pytest.mark.parametrize("route", ["text_response", "query/text_response", "nonsense", "abstain"])
async def test_a_training_route_is_no_way_around(tree: GuardedTree, route: str) -> None:
    """A route that a client prescribes is not taken: it would pass the node by."""
    done = await run(tree, "What is CIM?", training_route=route)
    assert_well_formed(done)
    assert done.steps == ["skosmos_lookup"]
    asked = "How are grid models exchanged with neighbouring operators in CIMXML?"
    done = await run(tree, asked, training_route=route)
    assert_well_formed(done)
    assert done.steps == ["guarded_search", "grounded_answer"]
