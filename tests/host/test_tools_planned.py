"""A tool of somebody else that a language model's plan names, and what the trace says of others."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from tests.guide_server import Fault, GuideServer, pointing
from tests.host.runs import Run, everything_kept, run
from tests.host.scripted import MARK, ScriptedLM, awaited, data_in, load_as_models, naming

from elysia_guard.adapters.models.guide import PlanForm, schema, sections, with_tools
from elysia_guard.config import AnswerCacheSection
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.elysia import GuardedTree, guard
from elysia_guard.edge.elysia.host import DecisionNode, Error, Result, Settings, Tool
from elysia_guard.stages import retrieval
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

OIL = "The tank of transformer T4 loses oil at the lower valve, and is sealed on Monday."
ASKED = "What is wrong with the tank of transformer T4?"
GRID = "How is the stability of the grid ensured?"
NOT_NAMED = "Not asked: 'tickets' (a language model does not name it)."


class Tickets(Tool):
    """Searches tickets; remembers what it was given."""

    def __init__(self, *items: Any, name: str = "tickets", description: str = "Search tickets."):
        inputs = {"query": {"description": "What to look for.", "type": str, "default": ""}}
        super().__init__(name=name, description=description, inputs=inputs, end=True)
        self.items = items or (Result(objects=[{"subject": "Oil leak", "body": OIL}]),)
        self.given: list[dict[str, Any]] = []
        self.open = True

    async def is_tool_available(self, *_args: Any, **_kwargs: Any) -> bool:
        return self.open

    async def __call__(
        self, tree_data: Any, inputs: dict[str, Any], *_args: Any, **_kwargs: Any
    ) -> AsyncIterator[Any]:
        self.given.append(inputs)
        for item in self.items:
            yield item


def wrapped(tool: Tool, **options: Any) -> Tool:
    return guard(tool, source_fields=["body"], title_field="subject", **options)


@pytest.fixture
def server() -> Iterator[GuideServer]:
    with GuideServer(pointing("stab")) as made:
        yield made


Start = Callable[..., GuardedTree]


@pytest.fixture
def start(wiring: Wiring, server: GuideServer) -> Iterator[Start]:
    """Begin a conversation with a model of the settings, and with wrapped tools."""
    opened: list[Wiring] = []

    def begin(*tools: Tool, clock: FakeClock | None = None, **section: object) -> GuardedTree:
        llm = wiring.config.llm.model_copy(update={"url": server.url, "model": "m", **section})
        config = wiring.config.model_copy(
            update={"llm": llm, "answer_cache": AnswerCacheSection(enabled=False)}
        )
        opened.append(Wiring(config, clock=clock) if clock else Wiring(config))
        tree = GuardedTree(wiring=opened[-1], settings=Settings())
        for tool in tools:
            tree.add_tool(tool)
        return tree

    yield begin
    for each in opened:
        each.close()


def told(done: Run, stage: str) -> list[str]:
    """What the trace says of a stage."""
    assert done.reply is not None
    return [said for step in done.reply.trace if step.stage == stage for said in step.remarks]


# What it may name


async def test_a_tool_that_a_plan_names_is_asked(server: GuideServer, start: Start) -> None:
    """With the question alone, and in place of the documents; nothing is pointed at."""
    server.tools, server.searches = ["tickets"], [f"{MARK} of a tank"]
    tool = Tickets(description="Search\n   the tickets. " + "x" * 400)
    done = await run(start(wrapped(tool)), ASKED)
    assert done.steps == ["guarded_search", "tickets", "grounded_answer"]
    assert tool.given == [{"query": ASKED}]
    assert done.reply is not None
    assert OIL in done.reply.answer
    (asked,) = server.asked_to("plan")
    (described,) = asked["tools"].values()
    assert described.startswith("Search the tickets. xxx")
    assert len(described) == 302
    assert server.asked_to("point") == []
    assert told(done, "tools") == ["The tool 'tickets' is asked: a language model names it."]


async def test_so_is_one_that_a_trees_own_model_names(
    wiring: Wiring, model_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the same plan: it is asked nothing besides."""
    model, tool = ScriptedLM(awaited(naming("tickets"))), Tickets()
    load_as_models(monkeypatch, model)
    tree = GuardedTree(wiring=wiring, settings=model_settings)
    tree.add_tool(wrapped(tool))
    done = await run(tree, ASKED)
    assert done.steps == ["guarded_search", "tickets", "grounded_answer"]
    assert MARK not in everything_kept(tree, done)
    assert model.calls == 3  # two control questions, and a plan


async def test_what_such_a_tool_has_a_model_write_is_no_source(
    wiring: Wiring, model_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is heard as where words of the question ask for the tool; the documents answer."""

    class Writing(Tickets):
        async def __call__(  # type: ignore[override]
            self, tree_data: Any, inputs: dict[str, Any], base_lm: Any, *_: Any, **__: Any
        ) -> AsyncIterator[Any]:
            (said,) = await base_lm.acall("Say.")
            yield Result(objects=[{"body": said}])

    def answer(prompt: str) -> str:
        return naming("tickets")(prompt) if data_in(prompt) else f"{MARK}: the grid is stable."

    load_as_models(monkeypatch, ScriptedLM(awaited(answer)))
    tree = GuardedTree(wiring=wiring, settings=model_settings)
    tree.add_tool(wrapped(Writing()))
    done = await run(tree, GRID)
    assert done.steps == ["guarded_search", "tickets", "grounded_answer"]
    assert "Not taken as sources: 1 (written by the model)." in told(done, "retrieval")
    assert MARK not in everything_kept(tree, done)


async def test_one_that_is_not_named_is_not_asked(server: GuideServer, start: Start) -> None:
    tool = Tickets()
    done = await run(start(wrapped(tool)), GRID)
    assert done.steps == ["guarded_search", "grounded_answer"]
    assert not tool.given
    assert NOT_NAMED in told(done, "planning")
    assert len(server.asked_to("point")) == 1


@pytest.mark.parametrize("named", [["ledger"], ["Tickets", ""], [MARK, "guarded_search"]])
async def test_one_that_is_not_there_is_dropped(
    server: GuideServer, start: Start, named: list[str]
) -> None:
    """Also one of ours, and a name written otherwise; no word of it is told."""
    server.tools, tool = named, Tickets()
    done = await run(start(wrapped(tool)), GRID)
    assert done.steps == ["guarded_search", "grounded_answer"]
    assert not tool.given
    count = len([name for name in named if name])
    assert told(done, "planning")[-2:] == [
        NOT_NAMED,
        f"Dropped: {count} (there is no such tool).",
    ]


async def test_of_several_the_first_is_asked(server: GuideServer, start: Start) -> None:
    server.tools = ["ledger", "notes", "tickets"]
    tickets, notes, wiki = Tickets(), Tickets(name="notes"), Tickets(name="wiki")
    done = await run(start(*map(wrapped, (tickets, notes, wiki))), ASKED)
    assert done.steps == ["guarded_search", "notes", "grounded_answer"]
    assert told(done, "planning")[-3:] == [
        "Not asked: 'tickets' (another one is).",
        "Not asked: 'wiki' (a language model does not name it).",
        "Dropped: 1 (there is no such tool).",
    ]


@pytest.mark.parametrize(
    "fault", [Fault.ERROR, Fault.PROSE, Fault.EMPTY, Fault.CLOSED, Fault.HANGING]
)
async def test_where_it_fails_the_rules_go_on(
    server: GuideServer, start: Start, fault: Fault
) -> None:
    """Late, down or with nonsense: no tool is asked, and the trace says so."""
    clock, tool = FakeClock(), Tickets()
    server.tools, server.fault = ["tickets"], fault
    server.on_late = lambda: clock.advance(20)
    done = await run(start(wrapped(tool), clock=clock), GRID)
    assert done.steps[0] == "guarded_search"
    assert not tool.given
    assert told(done, "planning")[-1] == (
        "Not asked: 'tickets' (no plan of a language model names it)."
    )
    assert done.reply is not None
    assert done.reply.retrieval_quality.fallback_active


@pytest.mark.parametrize(
    ("item", "flag"),
    [
        (Error(feedback="not connected"), "tickets_error"),
        (Result(objects=[{"note": "no declared field"}]), "tickets_unsourced"),
    ],
)
async def test_where_the_tool_is_no_help_the_documents_are(
    server: GuideServer, start: Start, item: Any, flag: str
) -> None:
    """As the plan wants them searched, which is made once; then a model points."""
    server.tools, tool = ["tickets"], Tickets(item)
    done = await run(start(wrapped(tool)), GRID)
    assert done.steps == ["guarded_search", "tickets", "grounded_answer"]
    assert len(tool.given) == 1
    assert [len(server.asked_to(each)) for each in ("plan", "point")] == [1, 1]
    assert done.reply is not None
    assert flag in done.reply.retrieval_quality.fallback_reasons
    assert done.reply.written_by.startswith("m@point+")


async def test_one_that_closes_meanwhile_is_not_asked(server: GuideServer, start: Start) -> None:
    tool = Tickets()
    server.tools = ["tickets"]

    class Closing(Tickets):
        asked = 0

        async def is_tool_available(self, *_args: Any, **_kwargs: Any) -> bool:
            self.asked += 1
            return self.asked < 2

    tool = Closing()
    done = await run(start(wrapped(tool)), GRID)
    assert done.steps == ["guarded_search", "guarded_search", "grounded_answer"]
    assert not tool.given
    assert told(done, "tools") == ["Not asked: 'tickets' (it is not available)."]


# What it is told


async def test_without_tools_nothing_is_told_of_any(server: GuideServer, start: Start) -> None:
    """The prompt, the form and what is told are those of a house without wrapped tools."""
    await run(start(), GRID)
    (asked,) = server.asked_to("plan")
    assert "tools" not in asked
    plans = [each for each in server.requests if "catalogue" in each["messages"][1]["content"]]
    system = plans[0]["messages"][0]["content"]
    assert system == f"{sections('en')['plan']}\n{json.dumps(schema(PlanForm))}"
    assert "tools" not in system


@pytest.mark.parametrize("lang", ["en", "de", "fr", "nl", "sv"])
def test_it_is_told_in_each_language(lang: str) -> None:
    """One more thing to say, at the end of those of a plan."""
    usual, told = sections(lang)["plan"].split("\n\n"), with_tools(lang).split("\n\n")
    assert [told[0], told[2]] == [usual[0], usual[2]]
    assert told[1].startswith(f'{usual[1]}\n- "tools"')


# Why others are not asked

RULED = {
    "What is CIMXML?": "it asks for a term",
    "What does ADR-0012 decide?": "it names a document",
    "List all principles": "it asks for a list",
    "Compare ADR-0027 and ADR-0028 on how long a session lasts": "it names a document",
    "What do principles say about the tank of a transformer?": (
        "it names a kind of documents, or a term"
    ),
    "What is the difference between CIM and CIMXML?": "it compares",
}


@pytest.mark.parametrize("question", RULED)
async def test_what_a_rule_decides(server: GuideServer, start: Start, question: str) -> None:
    server.tools, tool = ["tickets"], Tickets()
    done = await run(start(wrapped(tool, when=["principles", "decide", "CIMXML"])), question)
    assert not tool.given
    assert told(done, "tools") == [f"Not asked: 'tickets' ({RULED[question]})."]


async def test_several_things_that_are_asked(start: Start) -> None:
    done = await run(start(wrapped(Tickets())), "What is CIM and who approved ADR-0012?")
    assert told(done, "tools") == ["Not asked: 'tickets' (several things are asked)."]


async def test_without_a_model_its_words_alone_ask_for_it(
    new_tree: Start, bare_settings: Settings
) -> None:
    tree = new_tree(settings=bare_settings)
    tree.add_tool(wrapped(Tickets(), when=["tank"]))
    tree.add_tool(wrapped(Tickets(name="notes"), when=["tank"]))
    done = await run(tree, GRID)
    why = "the question says none of its words, and no language model is asked"
    assert told(done, "tools") == [f"Not asked: 'tickets', 'notes' ({why})."]
    done = await run(tree, ASKED)
    assert done.steps[0] == "tickets"
    assert told(done, "tools") == [
        "The tool 'tickets' is asked: the question says 'tank'.",
        "Not asked: 'notes' (another one is).",
    ]


async def test_one_that_is_closed_is_not_offered(server: GuideServer, start: Start) -> None:
    """Whether a plan would name it, or words of the question do."""
    tool = Tickets()
    tool.open = False
    server.tools = ["tickets"]
    done = await run(start(wrapped(tool, when=["grid"]), wrapped(Tickets(name="notes"))), GRID)
    assert not tool.given
    assert list(server.asked_to("plan")[0]["tools"]) == ["notes"]
    assert told(done, "tools") == ["Not asked: 'tickets' (it is not available)."]


async def test_where_the_index_is_down_no_plan_is_made(
    server: GuideServer, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = Tickets()
    tree = start(wrapped(tool))

    async def down(*_args: Any, **_kwargs: Any) -> Any:
        raise SourceUnavailableError("down", source="index")

    monkeypatch.setattr(retrieval, "search", down)
    done = await run(tree, GRID)
    assert not tool.given
    why = "no plan of a language model names it"
    assert told(done, "tools") == [f"Not asked: 'tickets' ({why})."]


@pytest.mark.parametrize(
    ("use", "mode"), [("none", "auto"), ("auto", "instant"), ("none", "thinking"), ("auto", "auto")]
)
async def test_elysias_own_prompt_decides_nothing(
    wiring: Wiring,
    model_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    use: str,
    mode: str,
) -> None:
    """Nor is a tree's own model asked for anything else where the settings or a mode forbid it."""

    async def decide(*_args: Any, **_kwargs: Any) -> Any:
        raise AssertionError("Elysia's decision prompt was run")

    monkeypatch.setattr(DecisionNode, "__call__", decide)
    model, tool = ScriptedLM(awaited(naming(""))), Tickets()
    load_as_models(monkeypatch, model)
    llm = wiring.config.llm.model_copy(update={"use": use, "mode": mode})
    made = Wiring(wiring.config.model_copy(update={"llm": llm}))
    tree = GuardedTree(wiring=made, settings=model_settings)
    tree.add_tool(wrapped(tool))
    done = await run(tree, GRID)
    made.close()
    assert done.steps == ["guarded_search", "grounded_answer"]
    assert not tool.given
    why = "the question says none of its words, and no language model is asked"
    forbidden = (use, mode) != ("auto", "auto")
    assert told(done, "tools") == [f"Not asked: 'tickets' ({why})."] * forbidden
    assert bool(model.calls) is not forbidden


async def test_instant_asks_no_model(server: GuideServer, start: Start) -> None:
    server.tools, tool = ["tickets"], Tickets()
    done = await run(start(wrapped(tool), mode="instant"), ASKED)
    assert not tool.given
    assert not server.requests
    assert "no language model is asked" in told(done, "tools")[0]
