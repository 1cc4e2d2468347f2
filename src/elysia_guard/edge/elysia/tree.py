"""The guarded tree: Elysia's decision tree with our node at its root and our steps as its tools."""

from __future__ import annotations

import inspect
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import cache
from typing import Any, ClassVar, Self

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.errors import QuestionError
from elysia_guard.domain.inquiry import Inquiry, Step
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.reading import Unclear
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.edge import kept_talk, notebook
from elysia_guard.edge.elysia import conversation_import, node
from elysia_guard.edge.elysia.completions import Completions
from elysia_guard.edge.elysia.conversation_import import own_settings, with_keys, without_keys
from elysia_guard.edge.elysia.host import ClientManager, Environment, Tree
from elysia_guard.edge.elysia.modelled import ModelledTree
from elysia_guard.edge.elysia.node import GuardedNode
from elysia_guard.edge.elysia.offline import NoWeaviate, kept_environment
from elysia_guard.edge.linking import Links
from elysia_guard.running import run_anywhere
from elysia_guard.wiring import Wiring

STATE_KEY = conversation_import.STATE_KEY


@cache
def default_wiring() -> Wiring:
    """The parts of the default configuration, put together once a process."""
    wiring = Wiring.load()
    wiring.ensure_index()
    return wiring


class GuardedTree(ModelledTree):
    """A decision tree that answers only from governed terms and gated documents.

    Takes the arguments of ``elysia.Tree``, and ``wiring`` for parts of one's own. Works without a
    language model, a key or a Weaviate. Words of a question, or a model's plan, may ask for a tool
    that was wrapped, where no rule decides; which steps of ours are taken, the rules say alone.

    Examples:
        >>> from elysia_guard import GuardedTree
        >>> tree = GuardedTree()
        >>> text, sources = tree("What is CIMXML?")
    """

    wiring: ClassVar[Wiring | None] = None
    """Set by ``bound_to``, so that trees made by the class (imports from JSON) find their parts."""

    def __init__(self, *args: Any, wiring: Wiring | None = None, **kwargs: Any) -> None:
        """Build the tree.

        Raises:
            GuardError: vocabulary, index or configuration cannot be had.
        """
        self._adopt(wiring or type(self).wiring or default_wiring())
        super().__init__(*args, **kwargs)
        self.tree_data.environment.hidden_environment = {}

    @classmethod
    def bound_to(cls, wiring: Wiring) -> type[GuardedTree]:
        """Return a class of trees that all use the given parts."""
        return type(cls.__name__, (cls,), {"wiring": wiring})

    def _adopt(self, parts: Wiring) -> None:
        """Take the parts and start with no question under way."""
        self.pipeline = parts.pipeline
        self._ask_with(parts.models, parts.config)
        self._inquiries: dict[str, Inquiry] = {}
        self.completions = Completions()
        self.last_response: RAGResponse | None = None

    # What the node and the tools ask of their tree

    @property
    def inquiry(self) -> Inquiry:
        """The question under way."""
        return self._inquiries[self.prompt_to_query_id[self.user_prompt]]

    def offers(self, step: Step) -> bool:
        """Whether a step is what the question needs next."""
        return bool(self._inquiries) and step is self.inquiry.next_step()

    def plans(self, inquiry: Inquiry) -> bool:
        """Tell whether a language model plans what is searched for a question."""
        if guidance := self.pipeline.guidance:
            return guidance.asks(inquiry)
        return self._asks_model(inquiry)

    @property
    def links(self) -> Links | None:
        """The pages that answers link to; None where none are served."""
        return None

    def remember(self, reply: RAGResponse) -> None:
        """Keep the response, and a JSON-safe note of its verdict in the conversation's state."""
        self.last_response = reply
        self.suggestions = [item.question for item in reply.suggestions]
        self.tree_data.environment.hidden_environment[STATE_KEY] = {
            "request_id": reply.request_id,
            "route": reply.route,
            "intent": str(reply.intent),
            "refusal_reason": str(reply.refusal_reason) if reply.refusal_reason else None,
            "fallback_flags": list(reply.retrieval_quality.fallback_reasons),
            "conversation": kept_talk.as_json(self.inquiry.conversation),
        }

    def _settled(self) -> Conversation:
        """What the conversation has settled so far, also after it was saved and loaded again."""
        state = self.tree_data.environment.hidden_environment.get(STATE_KEY) or {}
        return kept_talk.from_json(state.get("conversation"), self.pipeline.kinds)

    def _repr_html_(self) -> str:
        """Show a notebook the tools of this tree, and its last response."""
        root = self.decision_nodes[self.root]
        tools = [(name, str(option["description"])) for name, option in root.options.items()]
        return notebook.tree(type(self).__name__, tools, self.last_response)

    def _repr_markdown_(self) -> str:
        last = self.last_response.to_markdown() if self.last_response else ""
        return f"**{type(self).__name__}**\n\n{last}".strip()

    # The hook: every change of the tree passes here

    def _get_root(self) -> None:
        super()._get_root()
        node.seat_all(self)

    async def _check_rules(self, *_args: Any, **_kwargs: Any) -> tuple[list[str], dict[str, Any]]:
        """Run no tool by a rule of its own (``run_if_true``): it would pass the gates by."""
        return [], {}

    async def _get_available_tools(
        self, current_decision_node: Any, client_manager: Any
    ) -> tuple[list[str], list[tuple[str, str]]]:
        """Offer guarded tools alone at the root; unguarded ones and their branches stay hidden."""
        if not isinstance(current_decision_node, GuardedNode):
            return await super()._get_available_tools(current_decision_node, client_manager)  # type: ignore[no-any-return]
        return await node.offered(self, current_decision_node, client_manager), []

    # Running

    def run(
        self,
        user_prompt: str,
        collection_names: list[str] = [],  # noqa: B006  (Elysia's own signature)
        client_manager: ClientManager | None = None,
        training_route: str = "",
        query_id: str | None = None,
        close_clients_after_completion: bool = True,  # noqa: FBT001, FBT002
    ) -> tuple[str, list[Any]]:
        """Run one question to its end; return the last text and the objects it showed.

        Works in a running loop too (a notebook), and leaves asyncio as it was: Elysia's own opens a
        loop for good, and in a running one replaces parts of asyncio for the whole process.
        """
        self.store_retrieved_objects = True

        async def exhaust() -> None:
            async for _ in self.async_run(
                user_prompt,
                collection_names,
                client_manager,
                training_route,
                query_id,
                close_clients_after_completion,
            ):
                pass

        run_anywhere(exhaust())
        return self.conversation_history[-1]["content"], self.retrieved_objects

    async def async_run(
        self,
        user_prompt: str,
        collection_names: list[str] = [],  # noqa: B006  (Elysia's own signature)
        client_manager: ClientManager | None = None,
        training_route: str = "",
        query_id: str | None = None,
        close_clients_after_completion: bool = True,  # noqa: FBT001, FBT002
        _first_run: bool = True,  # noqa: FBT001, FBT002
        **kwargs: Any,
    ) -> AsyncIterator[dict[str, Any] | None]:
        """Run one question; a training route, which would bypass the node, is ignored.

        ``collection_names`` are the collections that it may reach: none named is all of them.
        """
        if not _first_run:
            async for payload in super().async_run(
                user_prompt,
                collection_names,
                client_manager,
                query_id=query_id,
                close_clients_after_completion=close_clients_after_completion,
                _first_run=False,
                **kwargs,
            ):
                yield payload
            return
        conversation_import.forget_older(self)
        query_id = query_id or str(uuid.uuid4())
        prompt = self._distinct(user_prompt)
        inquiry = await self._begin(
            user_prompt, query_id, self._scope(collection_names, client_manager)
        )
        tools = node.may_be_asked(self, inquiry)
        run = self._started(decided=not (tools or self._asks_model(inquiry)))
        try:
            payloads = super().async_run(
                prompt,
                collection_names,
                self._client_manager(client_manager, inquiry),
                query_id=query_id,
                close_clients_after_completion=close_clients_after_completion,
                **kwargs,
            )
            # Closed first where it is left: what it swapped is back before the keys are.
            with kept_environment.during(lambda: self.settings):
                async with aclosing(payloads):
                    async for payload in payloads:
                        yield payload
        finally:
            self._ended(run)
            self._inquiries.pop(query_id, None)
            self.pipeline.leave(inquiry)
            if not run.llm_free:
                await self._close_connections()

    def _scope(self, names: object, _clients: ClientManager | None) -> CollectionScope:
        """Return the scope to the collections of these names; what is no list of names opens none.

        Those of other people's collections open nothing of ours either.
        """
        listed = names if isinstance(names, list | tuple) else [names] if names else []
        return self.pipeline.scope([str(name) for name in listed])

    async def _begin(self, user_prompt: str, query_id: str, scope: CollectionScope) -> Inquiry:
        self.last_response = None
        self.suggestions = []
        self.completions.authorship.asked(user_prompt)
        try:
            inquiry = await self.pipeline.begin(
                user_prompt,
                request_id=query_id,
                route="tree",
                scope=scope,
                conversation=self._settled(),
                mode=self.mode,
            )
        except QuestionError as err:
            inquiry = self.pipeline.turn_away(user_prompt, err, request_id=query_id, route="tree")
        inquiry.conversation.id = self.conversation_id
        if isinstance(inquiry.asks, Unclear) and not (inquiry.verdict or self._has_model):
            self.pipeline.judge(inquiry)
        if not node.may_be_asked(self, inquiry):
            await self.pipeline.recall(
                inquiry, models=self._named_models(inquiry), mode=Mode(self._config.llm.mode)
            )
        self._inquiries[query_id] = inquiry
        return inquiry

    def _client_manager(
        self, given: ClientManager | None, inquiry: Inquiry
    ) -> ClientManager | None:
        """Ask no Weaviate, unless a wrapped tool may be taken that works with one."""
        return given if node.may_be_asked(self, inquiry) else NoWeaviate()

    def _distinct(self, prompt: str) -> str:
        """Tell repeated prompts apart by trailing blanks: Elysia keys its records by the prompt."""
        prompt = prompt or " "
        asked = {task["prompt"] for task in self.tree_data.tasks_completed}
        asked.update(self.prompt_to_query_id)
        while prompt in asked:
            prompt += " "
        return prompt

    # Conversations that come and go

    def export_to_json(self) -> dict[str, Any]:
        """Export as Elysia does, marked as guarded, with the tree's own settings and no key."""
        exported = conversation_import.marked(super().export_to_json())
        given = {"settings": self._run.given.to_json()} if self._run else {}
        return without_keys(exported | given)

    @classmethod
    def import_from_json(cls, json_data: dict[str, Any]) -> Self:
        """Take a saved conversation up, with the keys that are configured now.

        What the guard has not saved itself is withheld.
        """
        tree = super().import_from_json(with_keys(json_data, own_settings()))
        if conversation_import.is_ours(json_data):
            tree.conversation_title = json_data.get("conversation_title")
            conversation_import.recall(tree)
        else:
            conversation_import.withhold(tree)
        return tree  # type: ignore[no-any-return]

    # Texts that Elysia would have an LLM write

    async def create_conversation_title_async(self) -> str:
        """Title the conversation with its first question, unless it has a title."""
        conversation_import.keep_title(self)
        return self.conversation_title or ""

    async def get_follow_up_suggestions_async(
        self, context: str | None = None, num_suggestions: int = 2
    ) -> list[str]:
        """Suggest what the last response suggested; nothing else."""
        return list(self.suggestions)


# Elysia's default for a tree's hidden state: one dictionary, in which all trees of a process write.
_SHARED = inspect.signature(Environment).parameters["hidden_environment"].default


def install(tree: Tree, *, wiring: Wiring | None = None) -> GuardedTree:
    """Turn a tree that a program already has into a guarded one, in place, and return it.

    Its tools stay, but only those wrapped with ``guard`` are ever asked. A tree of a subclass
    keeps its class's other methods. Of a conversation that has begun the questions stay; answers
    that no source was held against are withheld, and what was found for them is dropped.

    Examples:
        >>> tree = install(elysia.Tree())
    """
    if isinstance(tree, GuardedTree):
        return tree
    parts = wiring or default_wiring()
    _ = parts.pipeline  # what is missing is said before the tree is changed
    kind = type(tree)
    guarded = (
        GuardedTree if kind is Tree else type(f"Guarded{kind.__name__}", (GuardedTree, kind), {})
    )
    tree.__class__ = guarded
    tree._adopt(parts)  # noqa: SLF001
    data = tree.tree_data
    kept = data.environment.hidden_environment
    state = {} if kept is _SHARED else dict(kept)
    if tree.returner.store or data.conversation_history or data.tasks_completed:
        conversation_import.withhold(tree, state=state)
    else:
        data.environment.hidden_environment = state
    tree._get_root()  # noqa: SLF001
    tree.tree = {}
    tree._construct_tree(tree.root, tree.tree)  # noqa: SLF001
    return tree  # type: ignore[no-any-return]
