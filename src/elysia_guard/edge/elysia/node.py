"""The root decision node: takes the steps that the rules say.

A language model is asked in two cases: which meaning a question in doubt may ask for, which changes
what a refusal proposes, and whether a wrapped tool takes a question that no rule decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from elysia_guard.adapters.models import flags_of
from elysia_guard.domain.context import within
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.inquiry import GATHERING, Inquiry, Step
from elysia_guard.edge.elysia.host import Decision, DecisionNode, Status
from elysia_guard.edge.elysia.models import PromptedModel, translated
from elysia_guard.language import noted
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
        """Take the step that the rules say, unless a wrapped tool may take the question."""
        tree = self.guarded_tree
        inquiry = tree.inquiry
        if tree.may_ask_llm and inquiry.in_doubt:
            model = PromptedModel(base_lm, tree.caller)
            with _left_to_rules(tree, "reading"):
                await tree.pipeline.consult(inquiry, model)
        if tree.may_ask_llm and inquiry.undecided and any(map(_is_wrapped, available_tools)):
            # Elysia would name every tool of the tree here, also those that are not offered.
            kwargs["successive_actions"] = "{}"
            ask = super().__call__
            with _left_to_rules(tree, "choice"), within(inquiry.context):
                chosen, _ = await tree.caller.call(
                    lambda: translated(
                        lambda: ask(
                            tree_data, base_lm, complex_lm, available_tools, *args, **kwargs
                        )
                    ),
                    purpose="choice",
                )
                if _is_wrapped(chosen.function_name):
                    return self._wrapped(inquiry, chosen)
        return self._decision(inquiry, inquiry.next_step())

    def _wrapped(self, inquiry: Inquiry, chosen: Decision) -> tuple[Decision, list[Any]]:
        """Take over the choice of a wrapped tool; what the model writes beside it is dropped."""
        inputs = chosen.function_inputs if isinstance(chosen.function_inputs, dict) else {}
        decision = Decision(chosen.function_name, inputs, "", impossible=False, end_actions=False)
        return decision, [Status(say(inquiry.question.lang, "status.guarded_search"))]

    def _decision(self, inquiry: Inquiry, step: Step) -> tuple[Decision, list[Any]]:
        decision = Decision(
            function_name=step.value,
            function_inputs={},
            reasoning=_reasoning(inquiry),
            impossible=False,
            end_actions=step not in GATHERING or inquiry.route == "direct",
        )
        return decision, [Status(say(inquiry.question.lang, f"status.{step}"))]


@contextmanager
def _left_to_rules(tree: GuardedTree, stage: str) -> Iterator[None]:
    """Ask a language model; any failure of model, network or parser leaves it to the rules."""
    started = tree.pipeline.clock()
    try:
        yield
    except SourceUnavailableError as err:
        tree.pipeline.unguided(tree.inquiry, flags_of(err), stage=stage, started=started)


def _is_wrapped(tool: str) -> bool:
    """Whether a tool that is offered is somebody else's."""
    return tool not in Step._value2member_map_


def _reasoning(inquiry: Inquiry) -> str:
    """Why this step, in our own words: the last entry of the trace."""
    last, lang = inquiry.trace[-1], inquiry.question.lang
    return f"{noted.stage(last, lang)}: {noted.noted(last, lang)}"
