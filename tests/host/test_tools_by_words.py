"""A tool that is asked for by words of the question: ``guard(tool, when=[...])``."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from tests.host.runs import run

from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.elysia import GuardedTree, guard
from elysia_guard.edge.elysia.host import Result, Tool

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
    step = next(step for step in done.reply.trace if step.stage == "choice")
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
