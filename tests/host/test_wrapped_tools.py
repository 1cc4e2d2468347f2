"""Whatever tool is wrapped, installed or added on the page: no word of a model comes out as found.

A model that makes claims up in everything it is asked for plans to ask the tools, and answers
inside them; each claim bears a name of its own, and is looked for wherever anything is kept.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import elysia
import elysia.tools
import pytest
from elysia.api import custom_tools
from elysia.tools.postprocessing.summarise_items import SummariseItems
from elysia.tools.retrieval.aggregate import Aggregate
from elysia.tools.retrieval.query import Query
from elysia.tools.text.text import CitedSummarizer, FakeTextResponse, Summarizer, TextResponse
from elysia.tools.visualisation.linear_regression import BasicLinearRegression
from elysia.tools.visualisation.visualise import Visualise
from tests.host.fabricating import COLLECTION, Fabricator, claims_in
from tests.host.hostile import HOSTILE, Disguised, Echo, Forger, Writer
from tests.host.runs import Run, everything_kept, run
from tests.host.scripted import load_as_models
from tests.host.test_webapp import Chat, opened
from tests.host.weaviate_in_memory import InMemoryWeaviate

from elysia_guard.edge.elysia import GuardedTree, guard, guard_class, install
from elysia_guard.edge.elysia.host import Settings, Tool, Tree
from elysia_guard.wiring import Wiring

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive:UserWarning"),
]


QUESTIONS = (
    "How are grid models exchanged with neighbouring operators in CIMXML?",
    "How often a day do operators exchange grid models in CIMXML with neighbouring operators?",
)
SHIPPED: dict[type[Tool], dict[str, Any]] = {
    Query: {"collection_names": [COLLECTION]},
    Aggregate: {"collection_names": [COLLECTION]},
    Visualise: {"chart_type": "bar"},
    BasicLinearRegression: {
        "environment_key": "query",
        "x_variable_field": "load",
        "y_variable_field": "price",
    },
    CitedSummarizer: {},
    Summarizer: {},
    TextResponse: {},
    FakeTextResponse: {"text": str},
    SummariseItems: {},
    custom_tools.TellAJoke: {"joke": str},
}
"""Every tool that Elysia ships, with the inputs that make it work in plain Elysia.

A claim stands for a text.
"""

FIELDS = ("title", "content", "more", "messages", "uuid", "description", "said", "collections")
DECLARED: dict[str, dict[str, Any]] = {
    "by identity": {},
    "fields declared": {"source_fields": FIELDS, "title_field": "title"},
}


def asked(time: int) -> list[str]:
    """The questions, in other words each time: what a plan said of one would be remembered."""
    again = f", for the {time}th time?" if time else "?"
    return [question.replace("?", again) for question in QUESTIONS]


@dataclass
class Talk:
    """A conversation with a model that makes everything up, and a Weaviate beside it."""

    tree: Tree
    model: Fabricator
    weaviate: InMemoryWeaviate
    runs: list[Run] = field(default_factory=list)

    async def ask(self, tool: str, inputs: dict[str, Any]) -> Talk:
        self.model.tool = tool
        self.model.inputs = {
            name: self.model.claim if value is str else value for name, value in inputs.items()
        }
        self.tree.tree_data.collection_names = [COLLECTION]
        for question in asked(len(self.runs)):
            self.runs.append(await run(self.tree, question, client_manager=self.weaviate))
        return self

    @property
    def steps(self) -> set[str]:
        return {step for done in self.runs for step in done.steps}

    async def shown(self) -> set[str]:
        """The claims in all that was sent, and in all that is kept, saved or shown later."""
        tree, data = self.tree, self.tree.tree_data
        return claims_in(
            everything_kept(tree, *self.runs),
            data.environment.to_json(remove_unserialisable=True),
            data.errors,
            [vars(item["tree_data"]) for item in tree.history.values()],
            [item.to_json() for item in tree.training_updates],
            [done.reply.to_dict() if done.reply else None for done in self.runs],
            await tree.create_conversation_title_async(),
            await tree.get_follow_up_suggestions_async(),
        )


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Fabricator:
    made = Fabricator()
    load_as_models(monkeypatch, made)
    monkeypatch.setattr("matplotlib.pyplot.show", lambda *_, **__: None)
    return made


@pytest.fixture
def weaviate() -> InMemoryWeaviate:
    made = InMemoryWeaviate(COLLECTION)
    made.get(COLLECTION).put(
        {
            "title": "On exchange",
            "content": "Grid models are exchanged with neighbouring operators as CIMXML files, "
            "once every night.",
        }
    )
    return made


Start = Callable[..., Talk]


@pytest.fixture
def start(
    wiring: Wiring, model_settings: Settings, model: Fabricator, weaviate: InMemoryWeaviate
) -> Start:
    """Begin a conversation: guarded from the start, or with plain Elysia."""

    def begin(*tools: Tool, guarded: bool = True, shape: str = "empty") -> Talk:
        given: dict[str, Any] = {"settings": model_settings, "use_elysia_collections": False}
        tree = (
            GuardedTree(shape, wiring=wiring, **given) if guarded else elysia.Tree(shape, **given)
        )
        for tool in tools:
            tree.add_tool(tool)
        furnish(tree)
        return Talk(tree, model, weaviate)

    return begin


def furnish(tree: Tree) -> None:
    """Give the tools that need it something to work on: objects found before, and a schema."""
    rows = [{"load": float(n), "price": float(n * n), "uuid": str(n)} for n in range(4)]
    tree.tree_data.environment.add_objects("query", COLLECTION, rows)
    tree.tree_data.collection_data.collection_names = [COLLECTION]
    tree.tree_data.collection_data.metadata = {
        COLLECTION: {
            "fields": [
                {"name": name, "type": "text", "mean": 10, "range": [0, 20], "groups": None}
                for name in ("title", "content")
            ],
            "mappings": {"document": {"title": "title", "content": "content"}},
            "summary": "A handbook.",
            "name": COLLECTION,
            "vectorizer": None,
            "named_vectors": None,
            "length": 1,
            "index_properties": {},
        }
    }


def made(tool: type[Tool], weaviate: InMemoryWeaviate, wiring: Wiring) -> Tool:
    """Make a tool; one that forges knows a real object."""
    one = tool(logger=None)
    if isinstance(one, Forger):
        one.wiring, one.real = wiring, next(iter(weaviate.get(COLLECTION).objects))
    return one


def test_b2_every_tool_that_elysia_ships_is_tried() -> None:
    """A new version of Elysia that ships another tool says so here."""
    names = [item.name for item in pkgutil.walk_packages(elysia.tools.__path__, "elysia.tools.")]
    modules = [custom_tools, *(importlib.import_module(name) for name in names)]
    found = [item for module in modules for item in vars(module).values()]
    tools = {item for item in found if inspect.isclass(item) and issubclass(item, Tool)}
    assert tools - {Tool} == set(SHIPPED)


async def test_b2_plain_elysia_shows_what_its_model_makes_up(start: Start) -> None:
    """Without the guard the same tools show the same claims: the measure measures."""
    for tool, inputs in ((FakeTextResponse, {"text": str}), (Visualise, SHIPPED[Visualise])):
        talk = start(tool(logger=None), guarded=False)
        name = next(iter(talk.tree.decision_nodes["base"].options))
        await talk.ask(name, inputs)
        assert len(await talk.shown()) > 10, tool


async def test_b2_no_tool_shows_what_a_model_makes_up(
    start: Start,
    model: Fabricator,
    weaviate: InMemoryWeaviate,
    wiring: Wiring,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Of a thousand claims of a model, through every tool that is wrapped, none is shown."""
    shown: dict[str, set[str]] = {}
    claims = 0
    given = {**SHIPPED, **{key: {"query": str} for key in HOSTILE}}
    with caplog.at_level("INFO"):
        for tool, inputs in given.items():
            for declared, options in DECLARED.items():
                one = made(tool, weaviate, wiring)
                talk = await start(guard(one, **options)).ask(one.name, inputs)
                assert one.name in talk.steps, tool
                shown[f"{tool.__name__}, {declared}"] = await talk.shown()
                claims += len(getattr(one, "own", Fabricator()).made)
    printed = capfd.readouterr()
    shown["the log"] = claims_in(printed.out, printed.err, caplog.text)
    assert {where: found for where, found in shown.items() if found} == {}
    assert claims + len(model.made) >= 1_000


async def test_b2_an_object_of_a_store_is_quoted_from_the_store(start: Start) -> None:
    """What Elysia's own search finds in a Weaviate is fetched again, and quoted as it stands."""
    talk = await start(guard(Query, logger=None)).ask("query", SHIPPED[Query])
    reply = talk.runs[0].reply
    assert reply is not None
    (source,) = reply.sources
    assert source.quote.startswith("Grid models are exchanged with neighbouring operators as")
    assert source.title == "On exchange"
    assert source.location.startswith(f"{COLLECTION}/")


@pytest.mark.parametrize("wrapped", [True, False])
async def test_b2_an_installed_tree_shows_nothing_made_up(
    start: Start, model: Fabricator, weaviate: InMemoryWeaviate, wiring: Wiring, *, wrapped: bool
) -> None:
    """A tree with tools and a past of its own, once installed, shows no claim: old or new."""
    given = {**SHIPPED, **{tool: {"query": str} for tool in HOSTILE}}
    tools = {made(tool, weaviate, wiring): inputs for tool, inputs in given.items()}
    talk = start(*([] if wrapped else tools), guarded=False, shape="default")
    await talk.ask("text_response", {"text": str})
    assert len(await talk.shown()) > 10
    talk.runs.clear()
    installed = talk.tree = install(talk.tree, wiring=wiring)
    for tool in tools if wrapped else ():
        installed.add_tool(guard(tool, **DECLARED["fields declared"]))
    assert await talk.shown() == set()
    furnish(installed)
    for tool, inputs in tools.items():
        await talk.ask(tool.name, inputs)
        assert (tool.name in talk.steps) is wrapped
    assert await talk.shown() == set()
    assert len(model.made) >= (400 if wrapped else 20)


async def test_b2_the_trace_says_what_was_rejected(start: Start) -> None:
    """Which tool it was, how many of its results are no sources, and why; in our own words."""
    talk = await start(guard(Echo, logger=None)).ask("echo", {"query": str})
    reply = talk.runs[0].reply
    assert reply is not None
    (told,) = [step.note for step in reply.trace if "from echo" in step.note]
    assert told == "0 source(s) from echo; rejected: 2 not a store's"
    assert "echo_unsourced" in reply.retrieval_quality.fallback_reasons
    declared = guard(Echo, logger=None, source_fields=["content"])
    talk = await start(declared).ask("echo", {"query": str})
    reply = talk.runs[0].reply
    assert reply is not None
    assert any("rejected: 2 written by the model" in step.note for step in reply.trace)


ON_THE_PAGE = (Query, FakeTextResponse, Echo, Forger, Disguised, Writer)
"""Of the tools some; what the page adds is a tree's tool like any other."""


@pytest.fixture
def offered(
    monkeypatch: pytest.MonkeyPatch, wiring: Wiring, weaviate: InMemoryWeaviate
) -> dict[bool, dict[str, tuple[str, dict[str, Any]]]]:
    """Tools as the page offers them, unwrapped and wrapped: by class, their names and inputs."""
    monkeypatch.setattr(Forger, "wiring", wiring, raising=False)
    real = next(iter(weaviate.get(COLLECTION).objects))
    monkeypatch.setattr(Forger, "real", real, raising=False)
    tools: dict[bool, dict[str, tuple[str, dict[str, Any]]]] = {True: {}, False: {}}
    for kind in ON_THE_PAGE:
        wrapped = guard_class(kind, source_fields=["content", "title"], title_field="title")
        for guarded, one in ((False, kind), (True, wrapped)):
            monkeypatch.setattr(custom_tools, one.__name__, one, raising=False)
            inputs = SHIPPED.get(kind, {"query": str})
            tools[guarded][one.__name__] = (kind(logger=None).name, inputs)
    return tools


@pytest.mark.parametrize("wrapped", [True, False])
async def test_b2_no_tool_that_is_added_shows_what_a_model_makes_up(
    chat: Chat,
    model: Fabricator,
    weaviate: InMemoryWeaviate,
    model_settings: Settings,
    offered: dict[bool, dict[str, tuple[str, dict[str, Any]]]],
    capfd: pytest.CaptureFixture[str],
    *,
    wrapped: bool,
) -> None:
    """Nothing that a page receives or is shown again is a model's; unwrapped tools do not run."""
    tools = offered[wrapped]
    async with opened(chat) as page:
        user, tree = chat.users.users[page.user_id], chat.tree(page)
        user["client_manager"] = weaviate
        tree.settings, tree.use_elysia_collections = model_settings, False
        for name in tools:
            body = {"tool_name": name, "branch_id": "base", "from_tool_ids": []}
            answer = await page.http.post(f"/tools/{page.user_id}/add", json=body)
            assert answer.status_code == 200
        furnish(tree)
        received: list[Any] = []
        for time, (name, inputs) in enumerate(tools.values()):
            model.tool = name
            model.inputs = {
                key: model.claim if value is str else value for key, value in inputs.items()
            }
            tree.tree_data.collection_names = [COLLECTION]
            received += [await page.ask(question) for question in asked(time)]
            steps = [item["payload"].get("decision") for item in received[-1]]
            assert (name in steps) is wrapped, name
        known = {"user_id": page.user_id, "conversation_id": page.conversation_id, "text": "x"}
        received.append((await page.http.post("/util/title", json=known)).text)
        received.append((await page.http.get(f"/db/{page.user_id}/saved_trees")).text)
        received.append((await page.http.get("/tools/available")).text)
        received.append(
            (await page.http.get(f"/db/{page.user_id}/load_tree/{page.conversation_id}")).text
        )
    printed = capfd.readouterr()
    assert claims_in(received, printed.out, printed.err) == set()
    assert len(model.made) >= (100 if wrapped else 0)
