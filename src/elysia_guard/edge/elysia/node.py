"""The root decision node, which takes the steps that the rules say, and the tools there.

A wrapped tool takes a question that no rule decides where words of it or a plan ask for it. Of
tools there are ours, and of others only what was wrapped. No model is asked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from elysia_guard.domain.inquiry import GATHERING, Inquiry, Step
from elysia_guard.domain.pointing import OfferedTool
from elysia_guard.edge import steps
from elysia_guard.edge.elysia.host import Decision, DecisionNode, Status, Tool
from elysia_guard.edge.elysia.tools import TOOLS, GuardedFinalResponse
from elysia_guard.edge.elysia.wrapping import GuardedTool
from elysia_guard.language.catalogue import say
from elysia_guard.pipeline import noting
from elysia_guard.pipeline.recording import Note

if TYPE_CHECKING:
    from elysia_guard.edge.elysia.tree import GuardedTree


class GuardedNode(DecisionNode):
    """A root node that takes the next step of the question under way.

    Elysia looks ``__call__`` up on the type, so an existing root becomes one of these by a change
    of its class; ``guarded_tree`` is set at the same moment.
    """

    guarded_tree: GuardedTree

    async def __call__(  # type: ignore[no-untyped-def]
        self, tree_data, base_lm, complex_lm, available_tools, *args, **kwargs
    ) -> tuple[Decision, list[Any]]:
        """Take the step that the rules say, unless a wrapped tool is asked for."""
        tree = self.guarded_tree
        inquiry = tree.inquiry
        if inquiry.verdict is None and inquiry.tool:
            return self._planned(inquiry, available_tools)
        for tool in asked_by_words(tree, inquiry):
            if tool.name in available_tools:
                word = tool.declared.word_of(inquiry.question.text)
                self._tell(inquiry, noting.asked(tool.name, word))
                taken = self._asked(tool, inquiry)
                self._tell_not_asked(inquiry, available_tools, taken=tool.name)
                return taken
        if inquiry.undecided and tree.plans(inquiry):
            inquiry.tools = tuple(
                OfferedTool(name=each.name, description=each.description)
                for each in wrapped_in(tree)
                if each.name in available_tools
            )
        decision = self._decision(inquiry, inquiry.next_step())
        self._tell_not_asked(inquiry, available_tools)
        return decision

    def _planned(self, inquiry: Inquiry, available: Sequence[str]) -> tuple[Decision, list[Any]]:
        """Take the wrapped tool that a plan names, if it is still there."""
        tool = self.guarded_tree.tools.get(inquiry.tool)
        if not isinstance(tool, GuardedTool) or inquiry.tool not in available:
            self._tell(inquiry, noting.not_asked({inquiry.tool: noting.NotAsked.UNAVAILABLE}))
            return self._decision(inquiry, inquiry.next_step())
        self._tell(inquiry, noting.asked(tool.name))
        return self._asked(tool, inquiry)

    def _asked(self, tool: GuardedTool, inquiry: Inquiry) -> tuple[Decision, list[Any]]:
        """Take a wrapped tool, with the question for its inputs."""
        decision = Decision(
            function_name=tool.name,
            function_inputs=tool.inputs_of(inquiry.question.text),
            reasoning=_reasoning(inquiry),
            impossible=False,
            end_actions=False,
        )
        return decision, [Status(say(inquiry.question.lang, "status.guarded_search"))]

    def _tell(self, inquiry: Inquiry, note: Note) -> None:
        pipeline = self.guarded_tree.pipeline
        pipeline.steps.record.step("tools", inquiry, note, started=pipeline.clock())

    def _tell_not_asked(
        self, inquiry: Inquiry, available: Sequence[str], *, taken: str = ""
    ) -> None:
        """Say why wrapped tools are not asked; of those that a plan is offered, the plan does."""
        if inquiry.verdict:
            return
        offered = {taken, *(each.name for each in inquiry.tools)}
        others = [each for each in wrapped_in(self.guarded_tree) if each.name not in offered]
        if others:
            reasons = {each.name: self._reason(inquiry, each, taken) for each in others}
            self._tell(inquiry, noting.not_asked(reasons))

    def _reason(self, inquiry: Inquiry, tool: GuardedTool, taken: str) -> str:
        tree, why = self.guarded_tree, noting.NotAsked
        if not inquiry.undecided:
            return noting.ruled(inquiry)
        if taken:
            return why.ANOTHER
        asked = tree.plans(inquiry) or tool.declared.word_of(inquiry.question.text)
        return why.UNAVAILABLE if asked else why.NO_WORD

    def _decision(self, inquiry: Inquiry, step: Step) -> tuple[Decision, list[Any]]:
        decision = Decision(
            function_name=step.value,
            function_inputs={},
            reasoning=_reasoning(inquiry),
            impossible=False,
            end_actions=step not in GATHERING or inquiry.route == "direct",
        )
        return decision, [Status(say(inquiry.question.lang, f"status.{step}"))]


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
    """Name the steps that come next, and the wrapped tools that may be asked, where available."""
    names = [
        name for name in root.options if name in Step._value2member_map_ and tree.offers(Step(name))
    ]
    tools = [
        tool.name
        for tool in may_be_asked(tree, tree.inquiry)
        if tool.name in root.options
        and await tool.is_tool_available(
            tree_data=tree.tree_data,
            base_lm=tree.base_lm,
            complex_lm=tree.complex_lm,
            client_manager=client_manager,
        )
    ]
    return [*names, *tools]


def asked_by_words(tree: GuardedTree, inquiry: Inquiry) -> list[GuardedTool]:
    """Return the wrapped tools whose words stand in a question that no rule decides."""
    question = inquiry.question.text
    tools = wrapped_in(tree) if inquiry.undecided else ()
    return [tool for tool in tools if tool.declared.word_of(question)]


def may_be_asked(tree: GuardedTree, inquiry: Inquiry) -> list[GuardedTool]:
    """Return the wrapped tools that may take a question: a plan may name any, words their own."""
    if inquiry.undecided and tree.plans(inquiry):
        return wrapped_in(tree)
    return asked_by_words(tree, inquiry)


def wrapped_in(tree: GuardedTree) -> list[GuardedTool]:
    """Return the tools of somebody else's that were wrapped into a tree."""
    return [tool for tool in tree.tools.values() if isinstance(tool, GuardedTool)]
