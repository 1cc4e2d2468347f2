"""A tree's model that does not plan may choose a wrapped tool; no word of it goes further."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from tests.host.runs import Run, assert_well_formed, everything_kept, run
from tests.host.scripted import (
    MARK,
    ScriptedLM,
    choice,
    fields,
    hang,
    in_json,
    unplanned,
)

from elysia_guard.edge.elysia import GuardedTree, guard
from elysia_guard.edge.elysia.host import Error, Response, Result, Settings, Text, Tool, Update
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.usefixtures("socket_disabled")

OPEN = "How are grid models exchanged with neighbouring operators in CIMXML?"
UNKNOWN = "Where can I eat the best pizza tonight?"

Model = Callable[..., tuple[GuardedTree, ScriptedLM]]


@pytest.fixture(scope="module")
def wiring(wiring: Wiring) -> Iterator[Wiring]:
    """Where no model plans, that of a tree chooses, and fills in what a tool is given."""
    made = unplanned(wiring)
    yield made
    made.close()


def assert_unheard(tree: GuardedTree, *runs: Run) -> None:
    assert MARK not in everything_kept(tree, *runs)
    assert MARK not in repr(tree.tree_data.environment.to_json())
    assert MARK not in repr([data["tree_data"].tasks_completed for data in tree.history.values()])
    assert MARK not in repr(tree.training_updates)


# What it may choose


async def test_chooses_none_of_our_steps(with_model: Model) -> None:
    """Without a tool that was wrapped the rules take every step, and no model is asked."""
    tree, model = with_model(choice("list_documents", {"kinds": "principle"}))
    done = await run(tree, OPEN)
    assert_well_formed(done)
    assert done.steps == ["guarded_search", "grounded_answer"]
    assert not model.calls


async def test_may_choose_a_wrapped_tool(with_model: Model) -> None:
    """For an open question a model may choose a tool that was wrapped, by its description."""
    for answer in (choice("bookshelf"), in_json(fields("bookshelf"))):
        tree, _ = with_model(answer)
        tree.add_tool(guard(Library(_found(RELEVANT)), source_fields=["content"]))
        done = await run(tree, OPEN)
        assert_well_formed_with(done, "bookshelf")
        assert done.steps == ["bookshelf", "grounded_answer"]
        assert done.reply is not None
        assert done.reply.route == "tree"
        assert_unheard(tree, done)


@pytest.mark.parametrize(
    "question",
    ["What is CIMXML?", "What is CIM?", "adr12", "List all principles", "hello", "", "x" * 100_000],
)
async def test_is_not_asked_what_a_rule_decides(with_model: Model, question: str) -> None:
    """A question that its form decides takes the same way with a model as without."""
    tree, model = with_model(choice("bookshelf"))
    tree.add_tool(guard(Library()))
    done = await run(tree, question)
    assert_well_formed(done)
    assert model.calls == 0
    assert_unheard(tree, done)


# What it makes up

FULL = {
    "term": f"{MARK} term",
    "kinds": f"decision {MARK}",
    "text": f"{MARK} text",
    MARK: MARK,
}

ADVERSARIAL: dict[str, Any] = {
    "a term of its own": choice("skosmos_lookup", {"term": f"{MARK} term"}),
    "inputs of its own": choice("guarded_search", FULL),
    "kinds of its own": choice("list_documents", {"kinds": [MARK, "policy"]}),
    "nested inputs": choice("skosmos_lookup", {"term": {"value": MARK, "x": [MARK]}}),
    "inputs that are none": choice("skosmos_lookup", [MARK]),
    "inputs as text": choice("guarded_search", MARK),
    "ends at once": choice("guarded_search", FULL, impossible=True, end_actions=True),
    "answers itself": choice("text_response", {"text": MARK}, end_actions=True),
    "summarises": choice("cited_summarize", FULL, end_actions=True),
    "queries": choice("query", FULL),
    "branches off": choice("search", FULL),
    "jumps to the end": choice("grounded_answer", FULL, end_actions=True),
    "gives up": choice("abstain", FULL, impossible=True),
    "the final response": choice("forced_text_response", FULL, impossible=True),
    "no such tool": choice(f"{MARK}_tool", FULL),
    "quoted name": choice("'guarded_search'", FULL),
    "name with blanks": choice(f" guarded_search {MARK}", FULL),
    "no name": choice(""),
    "in JSON": in_json(fields("skosmos_lookup", FULL, impossible=True, end_actions=True)),
    "fields too many": choice("guarded_search", FULL, answer=MARK, sources=MARK),
    "fields too few": f"[[ ## message_update ## ]]\n{MARK}\n\n[[ ## completed ## ]]",
    "wrong types": choice("guarded_search", FULL, impossible=MARK, end_actions=MARK),
    "unparseable": f"{MARK}! I need no tools to know this.",
    "half a JSON": f'{{"reasoning": "{MARK}", "function_name": "guarded',
    "empty": "",
    "an error": RuntimeError(f"{MARK}: model not found"),
    "a timeout": TimeoutError(MARK),
    "hangs": hang,
}


@pytest.mark.parametrize("question", [OPEN, UNKNOWN])
@pytest.mark.parametrize("name", ADVERSARIAL)
async def test_nothing_it_makes_up_is_heard(
    with_model: Model,
    name: str,
    question: str,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Whatever a model writes, no payload, history, task list, export or log holds a word of it."""
    tree, model = with_model(ADVERSARIAL[name], branch_initialisation="multi_branch")
    tree.add_tool(guard(Library()))
    with caplog.at_level("INFO"):
        done = await run(tree, question)
        again = await run(tree, question)
    assert model.calls > 1 or name == "hangs"
    assert_well_formed(done)
    assert_well_formed(again)
    assert_unheard(tree, done, again)
    printed = capsys.readouterr()
    assert MARK not in printed.out + printed.err + caplog.text
    assert MARK not in await tree.create_conversation_title_async()
    assert MARK not in repr(await tree.get_follow_up_suggestions_async())


FALLING_BACK = (
    "unparseable",
    "empty",
    "an error",
    "a timeout",
    "hangs",
    "no such tool",
    "answers itself",
    "a term of its own",
    "jumps to the end",
)


@pytest.mark.parametrize("name", FALLING_BACK)
async def test_the_search_takes_over(with_model: Model, name: str) -> None:
    """Where a model fails, hangs or oversteps, the question is searched as without one."""
    tree, _ = with_model(ADVERSARIAL[name])
    tree.add_tool(guard(Library()))
    done = await run(tree, OPEN)
    assert done.steps == ["guarded_search", "grounded_answer"]
    inquiry = await tree.pipeline.begin(OPEN, request_id="r", route="direct")
    direct = await tree.pipeline.answer(inquiry)
    assert done.reply is not None
    assert done.reply.answer == direct.answer


async def test_a_model_that_cannot_be_loaded(
    wiring: Wiring, model_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model whose loading fails is as good as none."""

    def fail(_: Settings) -> None:
        raise ValueError(f"{MARK}: no such provider")

    monkeypatch.setattr("elysia.tree.tree.load_base_lm", fail)
    monkeypatch.setattr("elysia.tree.tree.load_complex_lm", fail)
    tree = GuardedTree(wiring=wiring, settings=model_settings)
    tree.add_tool(guard(Library()))
    done = await run(tree, OPEN)
    assert_well_formed(done)
    assert done.steps == ["guarded_search", "grounded_answer"]
    assert done.reply is not None
    assert done.reply.retrieval_quality.fallback_reasons == ("llm_error",)
    assert_unheard(tree, done)
    with pytest.raises(ValueError, match="no such provider"):
        _ = tree.base_lm


async def test_cancelled_while_a_model_thinks(with_model: Model) -> None:
    """A run cancelled while the model thinks leaves the next question as it should be."""
    asked = asyncio.Event()

    async def think(_prompt: str) -> None:
        asked.set()
        await hang()

    tree, _ = with_model(think)
    tree.add_tool(guard(Library()))
    settings = tree.settings
    asking = asyncio.create_task(run(tree, OPEN))
    await asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert tree.settings is settings
    done = await run(tree, "What is CIMXML?")
    assert_well_formed(done)


@pytest.mark.parametrize("route", ["text_response", "query/text_response", "nonsense", "abstain"])
async def test_a_training_route_is_no_way_around(with_model: Model, route: str) -> None:
    """A route that a client prescribes is not taken: it would pass the node by."""
    for question, steps in (
        ("What is CIM?", ["skosmos_lookup"]),
        (OPEN, ["guarded_search", "grounded_answer"]),
    ):
        tree, _ = with_model(choice("guarded_search"))
        done = await run(tree, question, training_route=route)
        assert_well_formed(done)
        assert done.steps == steps
        assert_unheard(tree, done)


# Wrapped tools

RELEVANT = (
    "Grid models are exchanged with neighbouring operators as CIMXML files, once every night. "
    "Each grid model is exchanged with the neighbouring operators by a secured file transfer."
)
IRRELEVANT = "The canteen serves soup on Mondays and pancakes on Fridays."


class Library(Tool):
    """A tool of somebody's: results, and texts of its own around them."""

    def __init__(self, *items: Any, failing: bool = False, **_kwargs: Any) -> None:
        super().__init__(
            name="bookshelf",
            description="Search the bookshelf.",
            inputs={"query": {"description": "What for.", "type": str, "default": ""}},
            end=True,
        )
        self.items = items
        self.failing = failing
        self.asked: list[Any] = []

    async def __call__(
        self, tree_data: Any, inputs: Any, *_args: Any, **_kwargs: Any
    ) -> AsyncIterator[Any]:
        self.asked.append(inputs)
        yield Response(f"{MARK}: let me look.")
        yield Text("response", [{"text": MARK}])
        yield Update("warning", {"text": MARK})
        for item in self.items:
            yield item
        if self.failing:
            raise RuntimeError(f"{MARK}: connection lost")


def _found(text: str) -> Result:
    return Result(objects=[{"title": "Handbook", "content": text, "uuid": MARK}])


async def test_results_of_a_wrapped_tool_are_quoted(with_model: Model) -> None:
    """What a wrapped tool finds and the gates let through is quoted; what it says is not shown."""
    library = Library(_found(IRRELEVANT), _found(RELEVANT))
    tree, model = with_model(choice("bookshelf", {"query": MARK}))
    tree.add_tool(guard(library, source_fields=["content"], title_field="title"))
    done = await run(tree, OPEN)
    assert_well_formed_with(done, "bookshelf")
    assert done.steps == ["bookshelf", "grounded_answer"]
    assert "bookshelf" in model.prompts[0]
    assert RELEVANT.split(". ", maxsplit=1)[0] in done.texts[0]
    assert "pancakes" not in done.texts[0]
    assert library.asked == [{"query": MARK}]
    assert_unheard(tree, done)


@pytest.mark.parametrize(
    "library", [Library(failing=True), Library(Error(feedback=f"{MARK}: not connected"))]
)
async def test_a_wrapped_tool_that_fails(with_model: Model, library: Library) -> None:
    """Where a wrapped tool fails, the search takes over, and the answer says that it had to."""
    tree, _ = with_model(choice("bookshelf"))
    tree.add_tool(guard(library))
    done = await run(tree, OPEN)
    assert done.steps == ["bookshelf", "grounded_answer"]
    assert "error" not in done.types
    assert done.reply is not None
    assert "bookshelf_error" in done.reply.retrieval_quality.fallback_reasons
    assert_unheard(tree, done)


def assert_well_formed_with(done: Run, tool: str) -> None:
    """A run is well formed but for one step that is a wrapped tool."""
    steps = [step for step in done.steps if step != tool]
    assert_well_formed(Run(done.payloads, steps, done.reply))


async def test_results_of_a_wrapped_tool_are_refused(with_model: Model) -> None:
    """What it finds that does not answer the question is refused."""
    tree, _ = with_model(choice("bookshelf", {"query": MARK}))
    tree.add_tool(guard(Library(_found(IRRELEVANT)), source_fields=["content"]))
    done = await run(tree, OPEN)
    assert done.steps == ["bookshelf", "abstain"]
    assert "pancakes" not in everything_kept(tree, done)
    assert_unheard(tree, done)


async def test_nothing_runs_after_a_wrapped_tool(with_model: Model) -> None:
    """What is hung below a wrapped tool is not run."""
    tree, _ = with_model(choice("bookshelf"))
    tree.add_tool(guard(Library(_found(RELEVANT))))

    class After(Library):
        def __init__(self, **_kwargs: Any) -> None:
            super().__init__()
            self.name = "after"

    tree.add_tool(After, from_tool_ids=["bookshelf"])
    done = await run(tree, OPEN)
    assert done.steps == ["bookshelf", "grounded_answer"]
    assert_unheard(tree, done)


async def test_a_wrapped_tool_that_is_not_available(with_model: Model) -> None:
    """A tool that says it is not available, or cannot say, is not offered."""

    class Closed(Library):
        async def is_tool_available(self, *_args: Any, **_kwargs: Any) -> bool:
            return False

    class Torn(Library):
        async def is_tool_available(self, *_args: Any, **_kwargs: Any) -> bool:
            raise RuntimeError(MARK)

    for kind in (Closed, Torn):
        tree, model = with_model(choice("bookshelf"))
        tree.add_tool(guard(kind(_found(RELEVANT))))
        done = await run(tree, OPEN)
        assert not model.calls
        assert done.steps == ["guarded_search", "grounded_answer"]
        assert_unheard(tree, done)
