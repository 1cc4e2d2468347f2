"""The guarded tools: each is one step of the pipeline, offered to Elysia's decision tree.

Name, description and inputs stand on the classes, where Elysia's web app reads them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, ClassVar

from elysia_guard.domain.context import within
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.inquiry import Inquiry, Step
from elysia_guard.domain.own_kinds import under
from elysia_guard.edge.elysia.host import Response, Status, Tool
from elysia_guard.edge.elysia.rendering import render
from elysia_guard.language.catalogue import say

if TYPE_CHECKING:
    from elysia_guard.edge.elysia.tree import GuardedTree

logger = logging.getLogger(__name__)


class _StepTool(Tool):
    """A step of the question under way in one tree."""

    guarded_tree: GuardedTree
    _tool_name: str
    _tool_description: str
    _tool_inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    _tool_end = True

    def __init__(self, **_kwargs: Any) -> None:
        """Describe the tool as its class does, and the type of its inputs, which is text."""
        inputs = {
            name: {"description": told["description"], "type": str, **told}
            for name, told in self._tool_inputs.items()
        }
        super().__init__(
            name=self._tool_name, description=self._tool_description, inputs=inputs, end=True
        )

    async def is_tool_available(self, *_args: Any, **_kwargs: Any) -> bool:
        """Available when it is the next step of the question."""
        return self.guarded_tree.offers(Step(self.name))


class _Gathering(_StepTool):
    """Gathers evidence and holds it against the gates.

    What goes direct is then concluded; otherwise the root node takes the next step.
    """

    async def __call__(self, *_args: Any, **_kwargs: Any) -> AsyncIterator[Any]:
        """Gather and judge; nothing is said before the gates have spoken."""
        tree = self.guarded_tree
        inquiry, guidance, tool = tree.inquiry, tree.guidance, tree.inquiry.tool
        work = asyncio.ensure_future(tree.pipeline.gather(inquiry, guidance=guidance))
        if guidance or tree.pipeline.guidance:
            async with aclosing(_heard(inquiry, work)) as heard:
                async for doing in heard:
                    yield Status(say(inquiry.question.lang, f"status.{doing}"))
        await work
        if inquiry.tool != tool:
            return  # the node takes the tool that a plan names
        tree.pipeline.judge(inquiry)
        if tree.inquiry.route == "direct":
            async for payload in _conclude(tree):
                yield payload


class _Concluding(_StepTool):
    """Writes the response that the verdict calls for, and ends the run."""

    async def __call__(self, *_args: Any, **_kwargs: Any) -> AsyncIterator[Any]:
        """Yield the response's payloads; always some text, also when something of ours fails."""
        async for payload in _conclude(self.guarded_tree):
            yield payload


async def _conclude(tree: GuardedTree) -> AsyncIterator[Any]:
    inquiry = tree.inquiry
    try:
        reply = await tree.pipeline.conclude(inquiry)
    except GuardError as err:
        # Its message names files and settings: it is for operators, not for readers.
        with within(inquiry.context):
            logger.error("request %s: %s", inquiry.question.request_id, err)  # noqa: TRY400
        yield Response(say(inquiry.question.lang, "fault.unexpected"))
        return
    if reply.written_by:
        # A tool that is told the conversation may give it back as what it found.
        quoted = "\n".join(source.quote for source in reply.sources)
        tree.completions.wrote(reply.answer, having_read=quoted)
    tree.remember(reply)
    with under(tree.pipeline.kinds):
        payloads = list(render(reply, tree.links))
    for payload in payloads:
        yield payload


async def _heard(inquiry: Inquiry, work: asyncio.Task[None]) -> AsyncGenerator[str, None]:
    """Yield what is being done while evidence is gathered, by its name.

    Whoever stops listening ends the work: a page that goes away, or a stop button, stops the call
    of the model.
    """
    steps: asyncio.Queue[str] = asyncio.Queue()
    for each in inquiry.every:
        each.progress = steps.put_nowait
    work.add_done_callback(lambda _: steps.put_nowait(""))
    try:
        while step := await steps.get():
            yield step
    finally:
        if not work.done():
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work


class SkosmosLookup(_Gathering):
    """Looks a term up in the governed vocabulary."""

    _tool_name = "skosmos_lookup"
    _tool_description = (
        "Look up what a term means in the governed vocabulary. "
        "Use it when the question asks for the meaning of a word, name or abbreviation."
    )
    _tool_inputs: ClassVar = {
        "term": {
            "description": "The term, exactly as the question writes it.",
            "default": "",
            "required": True,
        }
    }


class GuardedSearch(_Gathering):
    """Searches the documents behind the gates."""

    _tool_name = "guarded_search"
    _tool_description = (
        "Search decisions, principles and policies for passages that answer "
        "the question. Use it for every question of substance."
    )
    _tool_inputs: ClassVar = {
        "kinds": {
            "description": "decision, principle or policy, several with commas; or nothing",
            "default": "",
            "required": False,
        }
    }


class ListDocuments(_Gathering):
    """Lists documents in a fixed order."""

    _tool_name = "list_documents"
    _tool_description = (
        "List all documents of a kind, in a fixed order. "
        "Use it when the question asks which documents there are."
    )
    _tool_inputs: ClassVar = {
        "kinds": {
            "description": "decision, principle or policy; several with commas",
            "default": "",
            "required": True,
        }
    }


class GroundedAnswer(_Concluding):
    """Answers from verified sources."""

    _tool_name = "grounded_answer"
    _tool_description = "Answer with quotes from the sources that passed the gates."


class Clarify(_Concluding):
    """Asks back."""

    _tool_name = "clarify"
    _tool_description = "Ask which of several meanings or documents is meant."


class Abstain(_Concluding):
    """Refuses with a reason and a way on."""

    _tool_name = "abstain"
    _tool_description = "Refuse to answer, with the reason and what to try instead."


TOOLS: tuple[type[_StepTool], ...] = (
    SkosmosLookup,
    GuardedSearch,
    ListDocuments,
    GroundedAnswer,
    Clarify,
    Abstain,
)


class GuardedFinalResponse(Tool):
    """Takes the place of Elysia's forced text response, which would write freely."""

    guarded_tree: GuardedTree

    def __init__(self, **_kwargs: Any) -> None:
        """Describe the tool."""
        super().__init__(name="final_text_response", description="", inputs={}, end=True)

    async def __call__(self, *_args: Any, **_kwargs: Any) -> AsyncIterator[Any]:
        """Conclude the question under way by rule: what was not decided is refused."""
        tree = self.guarded_tree
        if tree.inquiry.verdict is None:
            tree.pipeline.judge(tree.inquiry)
        async for payload in _conclude(tree):
            yield payload
