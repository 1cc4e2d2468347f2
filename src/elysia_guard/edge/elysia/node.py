"""The root decision node, which takes the steps that the rules say, and the tools there.

A wrapped tool takes a question that no rule decides where words of it or a plan ask for it; where
no model plans, one is asked here. Of tools there are ours, and of others only what was wrapped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from elysia_guard.adapters.models import flags_of
from elysia_guard.domain.context import within
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.inquiry import GATHERING, Inquiry, Step
from elysia_guard.domain.pointing import OfferedTool
from elysia_guard.edge import steps
from elysia_guard.edge.elysia.host import Decision, DecisionNode, Status, Tool
from elysia_guard.edge.elysia.models import translated
from elysia_guard.edge.elysia.tools import TOOLS, GuardedFinalResponse
from elysia_guard.edge.elysia.wrapping import GuardedTool
from elysia_guard.language.catalogue import say
from elysia_guard.pipeline import choosing
from elysia_guard.pipeline.recording import Note

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
        if inquiry.verdict is None and inquiry.tool:
            return self._planned(inquiry, available_tools)
        if (tool := asked_by_words(tree, inquiry)) and tool.name in available_tools:
            word = tool.declared.word_of(inquiry.question.text)
            self._tell(inquiry, choosing.asked_by_word(tool.name, word))
            taken = self._asked(tool, inquiry)
            self._tell_not_asked(inquiry, available_tools, taken=tool.name)
            return taken
        if inquiry.undecided and tree.plans(inquiry):
            inquiry.tools = tuple(
                OfferedTool(name=each.name, description=each.description)
                for each in wrapped_in(tree)
                if each.name in available_tools
            )
        elif tree.may_ask_llm and inquiry.undecided and any(map(_is_wrapped, available_tools)):
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
                    self._tell_not_asked(inquiry, available_tools, taken=chosen.function_name)
                    return self._wrapped(inquiry, chosen)
        decision = self._decision(inquiry, inquiry.next_step())
        self._tell_not_asked(inquiry, available_tools)
        return decision

    def _planned(self, inquiry: Inquiry, available: Sequence[str]) -> tuple[Decision, list[Any]]:
        """Take the wrapped tool that a plan names, if it is still there."""
        tool = self.guarded_tree.tools.get(inquiry.tool)
        if not isinstance(tool, GuardedTool) or inquiry.tool not in available:
            self._tell(inquiry, choosing.not_asked({inquiry.tool: choosing.NotAsked.UNAVAILABLE}))
            return self._decision(inquiry, inquiry.next_step())
        self._tell(inquiry, choosing.asked_by_plan(tool.name))
        return self._asked(tool, inquiry)

    def _asked(self, tool: GuardedTool, inquiry: Inquiry) -> tuple[Decision, list[Any]]:
        """Take a wrapped tool, with the question for its inputs."""
        inputs = tool.inputs_of(inquiry.question.text)
        return self._taken(inquiry, tool.name, inputs, _reasoning(inquiry))

    def _tell(self, inquiry: Inquiry, note: Note) -> None:
        pipeline = self.guarded_tree.pipeline
        pipeline.steps.record.step("choice", inquiry, note, started=pipeline.clock())

    def _tell_not_asked(
        self, inquiry: Inquiry, available: Sequence[str], *, taken: str = ""
    ) -> None:
        """Say why wrapped tools are not asked; of those that a plan is offered, the plan does."""
        if inquiry.verdict:
            return
        offered = {taken, *(each.name for each in inquiry.tools)}
        others = [each for each in wrapped_in(self.guarded_tree) if each.name not in offered]
        if others:
            reasons = {each.name: self._reason(inquiry, each, available, taken) for each in others}
            self._tell(inquiry, choosing.not_asked(reasons))

    def _reason(
        self, inquiry: Inquiry, tool: GuardedTool, available: Sequence[str], taken: str
    ) -> str:
        tree, why = self.guarded_tree, choosing.NotAsked
        if not inquiry.undecided:
            return choosing.ruled(inquiry)
        if taken:
            return why.ANOTHER
        if not (by_model(tree, inquiry) or tool.declared.word_of(inquiry.question.text)):
            return why.NO_WORD
        return why.NOT_CHOSEN if tool.name in available else why.UNAVAILABLE

    def _wrapped(self, inquiry: Inquiry, chosen: Decision) -> tuple[Decision, list[Any]]:
        """Take over the choice of a wrapped tool; what the model writes beside it is dropped."""
        inputs = chosen.function_inputs if isinstance(chosen.function_inputs, dict) else {}
        return self._taken(inquiry, chosen.function_name, inputs)

    def _taken(
        self, inquiry: Inquiry, tool: str, inputs: dict[str, Any], reasoning: str = ""
    ) -> tuple[Decision, list[Any]]:
        decision = Decision(tool, inputs, reasoning, impossible=False, end_actions=False)
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
    last = inquiry.trace[-1]
    return f"{steps.stage(last)}: {' '.join(steps.told(last))}"


def seat_all(tree: GuardedTree) -> None:
    """Make the root ours, and put our tools there, beside those that were wrapped."""
    root = tree.decision_nodes[tree.root]
    if not isinstance(root, GuardedNode):
        root.__class__ = GuardedNode
    root.guarded_tree = tree
    seated = {name: option["action"] for name, option in root.options.items()}
    for tool_class in TOOLS:
        tool = tool_class()
        present = seated.get(tool.name)
        if type(present) is tool_class and present.guarded_tree is tree:
            tool = present
        _seat(tree, root, tool)
    for tool in seated.values():
        if isinstance(tool, GuardedTool):
            _seat(tree, root, tool.in_tree(tree))
    final = GuardedFinalResponse()
    final.guarded_tree = tree
    tree.tools["forced_text_response"] = final


def _seat(tree: GuardedTree, root: GuardedNode, tool: Tool) -> None:
    """Put a guarded tool at the root: its name is its own, and nothing hangs below it.

    What hung below would run without the gates.
    """
    tool.guarded_tree = tree
    tree.tools[tool.name] = tool
    root.add_option(
        id=tool.name,
        description=tool.description,
        inputs=tool.inputs,
        action=tool,
        end=tool.end,
        status=tool.status,
    )
    if tool.name not in tree.tracker.trackers:
        tree.tracker.add_tracker(tool.name)


async def offered(tree: GuardedTree, root: GuardedNode, client_manager: Any) -> list[str]:
    """Name the steps that come next, and the wrapped tools where a model may choose one."""
    names = [
        name for name in root.options if name in Step._value2member_map_ and tree.offers(Step(name))
    ]
    inquiry = tree.inquiry
    by_words, asks = asked_by_words(tree, inquiry), by_model(tree, inquiry)
    if inquiry.undecided and (asks or by_words):
        names += [
            name
            for name, option in root.options.items()
            if isinstance(option["action"], GuardedTool)
            and (asks or option["action"] is by_words)
            and await option["action"].is_tool_available(
                tree_data=tree.tree_data,
                base_lm=tree.base_lm,
                complex_lm=tree.complex_lm,
                client_manager=client_manager,
            )
        ]
    return names


def asked_by_words(tree: GuardedTree, inquiry: Inquiry) -> GuardedTool | None:
    """Return the wrapped tool whose words stand in a question that no rule decides, if one's do."""
    if not inquiry.undecided:
        return None
    question = inquiry.question.text
    return next((tool for tool in wrapped_in(tree) if tool.declared.word_of(question)), None)


def by_model(tree: GuardedTree, inquiry: Inquiry) -> bool:
    """Tell whether a language model is asked about wrapped tools: one that plans, or chooses."""
    return tree.may_ask_llm or tree.plans(inquiry)


def wrapped_in(tree: GuardedTree) -> list[GuardedTool]:
    """Return the tools of somebody else's that were wrapped into a tree."""
    return [tool for tool in tree.tools.values() if isinstance(tool, GuardedTool)]
