"""A tool that is asked for by words of the question: ``guard(tool, when=[...])``."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from tests.host.runs import Run, everything_kept, run
from tests.host.scripted import MARK

from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.elysia import GuardedTree, guard
from elysia_guard.edge.elysia.host import Error, Response, Result, Text, Tool, Update

OIL = "The tank of transformer T4 loses oil at the lower valve, and is sealed on Monday."
TICKET = "Which ticket tells of the tank of transformer T4 that loses oil?"
OTHER = "How are grid models exchanged with neighbouring operators?"


class Tickets(Tool):
    """Searches tickets; remembers what it was given."""

    def __init__(self, **_kwargs: Any) -> None:
        inputs = {
            "query": {"description": "What to look for.", "type": str, "default": ""},
            "limit": {"description": "How many.", "type": int, "default": 5},
        }
        super().__init__(name="tickets", description="Search tickets.", inputs=inputs, end=True)
        self.given: list[dict[str, Any]] = []
        self.found = [{"subject": "Oil leak", "body": OIL}]

    async def __call__(
        self, tree_data: Any, inputs: dict[str, Any], *_args: Any, **_kwargs: Any
    ) -> AsyncIterator[Any]:
        self.given.append(inputs)
        yield Result(objects=self.found)


def wrapped(tool: Tool, *words: str, **options: Any) -> Tool:
    return guard(tool, source_fields=["body"], title_field="subject", when=words, **options)


async def test_its_words_ask_for_it(new_tree: Callable[..., GuardedTree]) -> None:
    """Without a model too, with the question as its input; the trace says which word did."""
    tool, tree = Tickets(), new_tree()
    tree.add_tool(wrapped(tool, "incident report", "ticket"))
    done = await run(tree, TICKET)
    assert done.steps[0] == "tickets"
    assert tool.given == [{"query": TICKET, "limit": 5}]
    assert done.reply is not None
    assert OIL in done.reply.answer
    step = next(step for step in done.reply.trace if step.stage == "tools")
    assert step.remarks == ("The tool 'tickets' is asked: the question says 'ticket'.",)


async def test_its_source_is_shown_at_its_address(new_tree: Callable[..., GuardedTree]) -> None:
    """It has no page of ours; the trace says once of which fields nothing came."""
    tool, tree = Tickets(), new_tree()
    tool.found = [
        {"subject": "Oil leak", "body": OIL, "number": "INC-17", "url": "https://t.example/17"},
        {"subject": "Paint", "body": f"{OIL} Then it is painted.", "number": "INC-18"},
    ]
    tree.add_tool(wrapped(tool, "ticket", id_field="number", url_field="url"))
    done = await run(tree, TICKET)
    assert done.reply is not None
    source = done.reply.sources[0]
    assert (source.doc_id, source.location) == ("tickets/INC-17", "https://t.example/17")
    assert source.title == "Oil leak"
    shown = json.dumps(done.payloads, default=repr)
    assert "<https://t.example/17>" in shown
    assert "/documents/" not in shown
    assert [
        said for step in done.reply.trace for said in step.remarks if "Taken without" in said
    ] == ["Taken without 'url', which says nothing: 1."]


@pytest.mark.parametrize("question", [OTHER, "What does ADR-0012 decide?", "What is CIMXML?"])
async def test_no_other_question_does(
    new_tree: Callable[..., GuardedTree], question: str, any_model: Any
) -> None:
    """Nor one that rules decide, whatever words it holds."""
    tool, tree = Tickets(), new_tree()
    tree.add_tool(wrapped(tool, "ticket", "ADR-0012", "CIMXML"))
    done = await run(tree, question)
    assert "tickets" not in done.steps
    assert not tool.given


# What it says, and what it does not find


class Talking(Tickets):
    """Says much of its own around what it finds, and fails where it is told to."""

    def __init__(self, *found: dict[str, str], failing: bool = False) -> None:
        super().__init__()
        self.found, self.failing = list(found), failing

    async def __call__(  # type: ignore[override]
        self, *args: Any, **kwargs: Any
    ) -> AsyncIterator[Any]:
        yield Response(f"{MARK}: let me look.")
        yield Text("response", [{"text": MARK}])
        yield Update("warning", {"text": MARK})
        async for item in super().__call__(*args, **kwargs):
            yield item
        if self.failing:
            raise RuntimeError(f"{MARK}: connection lost")
        yield Error(feedback=f"{MARK}: not connected")


def assert_unheard(tree: GuardedTree, *runs: Run) -> None:
    assert MARK not in everything_kept(tree, *runs)
    assert MARK not in repr(tree.tree_data.environment.to_json())
    assert MARK not in repr([data["tree_data"].tasks_completed for data in tree.history.values()])
    assert MARK not in repr(tree.training_updates)


FOUND = {"subject": "Oil leak", "body": OIL}
SOUP = {
    "subject": "Canteen",
    "body": "The canteen serves soup on Mondays, pancakes on Fridays.",
}


async def test_what_it_says_is_not_shown(new_tree: Callable[..., GuardedTree]) -> None:
    """What it finds and the gates let through is quoted, and nothing else of it kept."""
    tree = new_tree()
    tree.add_tool(wrapped(Talking(SOUP, FOUND), "ticket"))
    done = await run(tree, TICKET)
    assert done.steps == ["tickets", "grounded_answer"]
    assert OIL in done.texts[0]
    assert "pancakes" not in done.texts[0]
    assert_unheard(tree, done)


async def test_what_does_not_answer_is_refused(new_tree: Callable[..., GuardedTree]) -> None:
    tree = new_tree()
    tree.add_tool(wrapped(Talking(SOUP), "ticket"))
    done = await run(tree, TICKET)
    assert done.steps == ["tickets", "abstain"]
    assert "pancakes" not in everything_kept(tree, done)
    assert_unheard(tree, done)


@pytest.mark.parametrize("failing", [True, False])
async def test_where_it_fails_the_search_takes_over(
    new_tree: Callable[..., GuardedTree], *, failing: bool
) -> None:
    """Also where it brings something first, as one that raises; the answer says so."""
    tree, found = new_tree(), [{"note": OIL}] if failing else []
    tree.add_tool(wrapped(Talking(*found, failing=failing), "operators"))
    done = await run(tree, OTHER)
    assert done.steps == ["tickets", "grounded_answer"]
    assert "error" not in done.types
    assert done.reply is not None
    assert "tickets_error" in done.reply.retrieval_quality.fallback_reasons
    assert_unheard(tree, done)


async def test_nothing_runs_after_it(new_tree: Callable[..., GuardedTree]) -> None:
    """What is hung below a wrapped tool is not run."""
    tree = new_tree()
    tree.add_tool(wrapped(Talking(FOUND), "ticket"))

    class After(Talking):
        def __init__(self, **_kwargs: Any) -> None:
            super().__init__(FOUND)
            self.name = "after"

    tree.add_tool(After, from_tool_ids=["tickets"])
    done = await run(tree, TICKET)
    assert done.steps == ["tickets", "grounded_answer"]
    assert_unheard(tree, done)


@pytest.mark.parametrize("torn", [True, False])
async def test_one_that_is_not_available_leaves_the_next(
    new_tree: Callable[..., GuardedTree], *, torn: bool
) -> None:
    """It says that it is not, or cannot say."""

    class Closed(Tickets):
        async def is_tool_available(self, *_args: Any, **_kwargs: Any) -> bool:
            if torn:
                raise RuntimeError(MARK)
            return False

    tree, closed, tool = new_tree(), Closed(), Tickets()
    closed.name = "closed"
    tree.add_tool(wrapped(closed, "ticket"))
    tree.add_tool(wrapped(tool, "ticket"))
    done = await run(tree, TICKET)
    assert done.steps[0] == "tickets"
    assert not closed.given
    assert_unheard(tree, done)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: guard(Tickets, source_field=["body"]), "did you mean 'source_fields'"),
        (lambda: guard(Tickets, titlefield="subject"), "did you mean 'title_field'"),
        (lambda: guard(Tickets, id_fields="number"), "did you mean 'id_field'"),
        (lambda: guard(Tickets, url_field=["url"]), "give the name of one field"),  # type: ignore[arg-type]
        (lambda: guard(print), "takes a tool of Elysia"),  # type: ignore[arg-type]
        (lambda: guard(Tickets, when="ticket"), "give the names in a list"),
    ],
)
def test_what_cannot_be_wrapped_is_told(make: Callable[[], Tool], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        make()
