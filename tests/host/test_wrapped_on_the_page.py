"""Tools that somebody adds on the page of the web app, with a model that makes everything up."""

from __future__ import annotations

from typing import Any

import pytest
from elysia.api import custom_tools
from tests.host.fabricating import COLLECTION, Fabricator, claims_in
from tests.host.hostile import HOSTILE, Forger
from tests.host.scripted import load_as_models
from tests.host.test_webapp import Chat, Page, opened
from tests.host.test_wrapped_tools import QUESTIONS, SHIPPED, furnish
from tests.host.weaviate_in_memory import InMemoryWeaviate

from elysia_guard.edge.elysia import guard_class
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive:UserWarning"),
]

Added = dict[str, tuple[str, dict[str, Any]]]
"""By the name of its class on the page, a tool's own name and its inputs."""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Fabricator:
    made = Fabricator()
    load_as_models(monkeypatch, made)
    return made


@pytest.fixture
def weaviate() -> InMemoryWeaviate:
    made = InMemoryWeaviate(COLLECTION)
    made.get(COLLECTION).put({"title": "Note", "content": "Soup is served on Mondays."})
    return made


@pytest.fixture
def offered(
    monkeypatch: pytest.MonkeyPatch, wiring: Wiring, weaviate: InMemoryWeaviate
) -> dict[bool, Added]:
    """The tools that the page offers, unwrapped and wrapped, as a program would offer them."""
    monkeypatch.setattr(Forger, "wiring", wiring, raising=False)
    real = next(iter(weaviate.get(COLLECTION).objects))
    monkeypatch.setattr(Forger, "real", real, raising=False)
    given = {**SHIPPED, **{tool: {"query": str} for tool in HOSTILE}}
    tools: dict[bool, Added] = {True: {}, False: {}}
    for kind, inputs in given.items():
        wrapped = guard_class(kind, source_fields=["content", "title"], title_field="title")
        for guarded, one in ((False, kind), (True, wrapped)):
            monkeypatch.setattr(custom_tools, one.__name__, one, raising=False)
            tools[guarded][one.__name__] = (kind(logger=None).name, inputs)
    return tools


async def added(page: Page, tools: Added) -> list[int]:
    """Add tools as the page does."""
    answers = [
        await page.http.post(
            f"/tools/{page.user_id}/add",
            json={"tool_name": name, "branch_id": "base", "from_tool_ids": []},
        )
        for name in tools
    ]
    return [answer.status_code for answer in answers]


@pytest.mark.parametrize("wrapped", [True, False])
async def test_b2_no_tool_that_is_added_shows_what_a_model_makes_up(
    chat: Chat,
    model: Fabricator,
    weaviate: InMemoryWeaviate,
    model_settings: Settings,
    offered: dict[bool, Added],
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
        assert set(await added(page, tools)) == {200}
        furnish(tree)
        received: list[Any] = []
        for name, inputs in tools.values():
            model.tool = name
            model.inputs = {
                key: model.claim if value is str else value for key, value in inputs.items()
            }
            tree.tree_data.collection_names = [COLLECTION]
            received += [await page.ask(question) for question in QUESTIONS]
            steps = [item["payload"].get("decision") for item in received[-1]]
            assert (name in steps) is wrapped, name
        body = {"user_id": page.user_id, "conversation_id": page.conversation_id, "text": "x"}
        received.append((await page.http.post("/util/title", json=body)).text)
        received.append((await page.http.get(f"/db/{page.user_id}/saved_trees")).text)
        received.append((await page.http.get("/tools/available")).text)
        received.append(
            (await page.http.get(f"/db/{page.user_id}/load_tree/{page.conversation_id}")).text
        )
    printed = capfd.readouterr()
    assert claims_in(received, printed.out, printed.err) == set()
    assert len(model.made) >= (400 if wrapped else 0)
