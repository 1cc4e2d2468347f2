"""The root decision node: decides by rule and gate, and asks an LLM only what no rule decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elysia_guard.adapters.models import flags_of
from elysia_guard.domain.context import within
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.inquiry import GATHERING, Inquiry, Step
from elysia_guard.edge.elysia.host import Decision, DecisionNode, Status
from elysia_guard.edge.elysia.models import translated
from elysia_guard.language.catalogue import say

if TYPE_CHECKING:
    from elysia_guard.edge.elysia.tree import GuardedTree


class GuardedNode(DecisionNode):
    """A root node that takes the next step of the question under way.

    Elysia looks ``__call__`` up on the type, so an existing root becomes one of these by a change
    of its class; ``guarded_tree`` is set at the same moment.
    """

    guarded_tree: GuardedTree

    async def __call__(self, *args: Any, **kwargs: Any) -> tuple[Decision, list[Any]]:
        """Decide the next step; what a model writes on the way is heard, so that it is known."""
        with self.guarded_tree.completions.listening():
            return await self._decide(*args, **kwargs)

    async def _decide(  # type: ignore[no-untyped-def]
        self, tree_data, base_lm, complex_lm, available_tools, *args, **kwargs
    ) -> tuple[Decision, list[Any]]:
        """Decide the next step; what an LLM writes on the way goes no further than here."""
        tree = self.guarded_tree
        inquiry = tree.inquiry
        if not (inquiry.undecided and tree.may_ask_llm):
            return self._decision(inquiry, inquiry.next_step())
        # Elysia would name every tool of the tree here, also those that are not offered.
        kwargs["successive_actions"] = "{}"
        ask, started = super().__call__, tree.pipeline.clock()
        try:
            with within(inquiry.context):
                chosen, _ = await tree.caller.call(
                    lambda: translated(
                        lambda: ask(
                            tree_data, base_lm, complex_lm, available_tools, *args, **kwargs
                        )
                    ),
                    purpose="choice",
                )
        # Any failure of model, network or parser leaves the choice to the router.
        except SourceUnavailableError as err:
            tree.pipeline.unguided(inquiry, flags_of(err), started=started)
            return self._decision(inquiry, inquiry.next_step())
        return self._follow(inquiry, chosen)

    def _follow(self, inquiry: Inquiry, chosen: Decision) -> tuple[Decision, list[Any]]:
        """Take over the LLM's choice of tool; of its inputs, only what the question itself says."""
        inputs = chosen.function_inputs if isinstance(chosen.function_inputs, dict) else {}
        if chosen.function_name in GATHERING:
            return self._decision(inquiry, inquiry.next_step())
        decision = Decision(chosen.function_name, inputs, "", impossible=False, end_actions=False)
        return decision, [Status(say(inquiry.question.lang, "status.guarded_search"))]

    def _decision(self, inquiry: Inquiry, step: Step) -> tuple[Decision, list[Any]]:
        decision = Decision(
            function_name=step.value,
            function_inputs={},
            reasoning=_reasoning(inquiry),
            impossible=False,
            end_actions=step not in GATHERING,
        )
        return decision, [Status(say(inquiry.question.lang, f"status.{step}"))]


def _reasoning(inquiry: Inquiry) -> str:
    """Why this step, in our own words: the last entry of the trace."""
    last = inquiry.trace[-1]
    return f"{last.stage}: {last.note}"
