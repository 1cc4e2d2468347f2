"""The conversations of one user of the web chat, each with a guarded tree of its own."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from dataclasses import replace
from typing import Any

from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import ConversationKey, Turn
from elysia_guard.domain.scope import CollectionScope, VocabularyUse
from elysia_guard.edge.elysia.host import ClientManager
from elysia_guard.edge.elysia.tree import STATE_KEY, GuardedTree
from elysia_guard.edge.elysia.webapp.capacity import longest_idle
from elysia_guard.edge.elysia.webapp.own_settings import Vetting
from elysia_guard.edge.elysia.webapp.ownership import check_owner
from elysia_guard.edge.elysia.webapp.pages.holdings import Holdings
from elysia_guard.edge.elysia.webapp.quiet import LEVEL
from elysia_guard.edge.elysia.webapp.turns import standing_of, stands_as, take_up, whole_turn
from elysia_guard.edge.linking import Links
from elysia_guard.wiring import Wiring

# After host, which makes the import of Elysia need no network.
from elysia.api.dependencies import common  # isort: skip
from elysia.api.services.tree import TreeManager  # isort: skip

Payload = dict[str, Any]

SAVED_TREES = "ELYSIA_TREES__"


class PageTree(GuardedTree):
    """A guarded tree whose follow-ups are on the page already: they came with the answer."""

    @property
    def links(self) -> Links:
        """Our own pages, which are served beside the chat."""
        return Links(user_id=self.user_id, conversation_id=self.conversation_id)

    async def create_conversation_title_async(self) -> str:
        """Keep the title that there is: a person may have given it."""
        return self.conversation_title or await super().create_conversation_title_async()

    async def get_follow_up_suggestions_async(self, *_args: Any, **_kwargs: Any) -> list[str]:
        """Suggest nothing more, or the page shows each suggestion twice."""
        return []

    def _scope(self, names: object, clients: ClientManager | None) -> CollectionScope:
        """Return what a question reaches of the collections that are switched on on the page.

        Those of a Weaviate that the user has connected are listed beside ours, and open nothing of
        ours. What the page could not list is reached: nobody has left it out.
        """
        holdings: Holdings | None = getattr(common.get_user_manager(), "holdings", None)
        if holdings is not None and holdings.offers:
            listed = names if isinstance(names, list | tuple) else [names] if names else []
            return holdings.scope([str(name) for name in listed])
        scope = super()._scope(names, clients)
        connected = clients is not None and clients.is_client
        return replace(scope, vocabulary=VocabularyUse.ASKED) if connected else scope

    def configure(self, **settings: Any) -> None:
        """Change the settings of this conversation, as far as they may be changed.

        Raises:
            SettingsRefusedError: one may not be made.
        """
        vetting: Vetting = common.get_user_manager().vetting
        super().configure(**vetting.vetted(settings, self.settings.to_json()))


class GuardedTreeManager(TreeManager):
    """The conversations of one user, each with a guarded tree of its own."""

    def __init__(self, *args: Any, wiring: Wiring, **kwargs: Any) -> None:
        """Take the parts that all trees use; the other arguments are Elysia's."""
        super().__init__(*args, **kwargs)
        self._tree_class = PageTree.bound_to(wiring)
        self._most = wiring.config.server.max_conversations
        self._turns: dict[str, asyncio.Lock] = {}
        self._keeper = wiring.conversations
        self.saved_elsewhere = False
        """Whether a Weaviate saves this user's conversations."""
        self.unsaved: set[str] = set()
        """Conversations in place of a saved one that could not be loaded: never saved over it."""
        self.deleted: set[str] = set()
        """Conversations that a person has deleted: one that is being saved does not come back."""

    def add_tree(self, conversation_id: str, low_memory: bool = False) -> None:  # noqa: FBT001, FBT002
        """Start a conversation with the user's settings."""
        if not self.tree_exists(conversation_id):
            self._keep(conversation_id, self._new_tree(conversation_id, low_memory=low_memory))

    def _new_tree(self, conversation_id: str, *, low_memory: bool = False) -> GuardedTree:
        return self._tree_class(
            conversation_id=conversation_id,
            user_id=self.user_id,
            settings=self.settings,
            style=self.config.style,
            agent_description=self.config.agent_description,
            end_goal=self.config.end_goal,
            branch_initialisation=self.config.branch_initialisation,
            low_memory=low_memory,
            use_elysia_collections=self.config.use_elysia_collections,
        )

    async def load_tree_weaviate(
        self, conversation_id: str, client_manager: ClientManager
    ) -> list[Payload]:
        """Take up a saved conversation; returns the payloads that show it again."""
        await check_owner(SAVED_TREES, conversation_id, client_manager, self.user_id)
        tree = await self._tree_class.import_from_weaviate(
            SAVED_TREES, conversation_id, client_manager
        )
        tree.settings.API_KEYS = {**tree.settings.API_KEYS, **self.settings.API_KEYS}
        self.unsaved.discard(conversation_id)
        self._keep(conversation_id, tree)
        return self.shown(conversation_id)

    async def save_tree_weaviate(self, conversation_id: str, client_manager: ClientManager) -> None:
        """Save a conversation, over no other person's."""
        await check_owner(SAVED_TREES, conversation_id, client_manager, self.user_id)
        await super().save_tree_weaviate(conversation_id, client_manager)

    async def check_tree_exists_weaviate(
        self, conversation_id: str, client_manager: ClientManager
    ) -> bool:
        """Tell whether this user has saved a conversation by this id."""
        return await check_owner(SAVED_TREES, conversation_id, client_manager, self.user_id)

    async def delete_tree_weaviate(
        self, conversation_id: str, client_manager: ClientManager
    ) -> None:
        """Delete a saved conversation of this user's."""
        await check_owner(SAVED_TREES, conversation_id, client_manager, self.user_id)
        await super().delete_tree_weaviate(conversation_id, client_manager)

    def shown(self, conversation_id: str) -> list[Payload]:
        """What the page has shown of a conversation."""
        return [payload for payload in self.get_tree(conversation_id).returner.store if payload]

    def delete_tree_local(self, conversation_id: str) -> None:
        """Forget a conversation."""
        super().delete_tree_local(conversation_id)
        self._turns.pop(conversation_id, None)
        self.unsaved.discard(conversation_id)

    async def process_tree(
        self, query: str, conversation_id: str, query_id: str, *args: Any, **kwargs: Any
    ) -> AsyncGenerator[Payload | None, None]:
        """Put a question to a conversation, one at a time; keep it with its answer.

        Elysia's own turnstile is an event, which lets all who wait for it in at once.
        """
        turn = self._turns.setdefault(conversation_id, asyncio.Lock())
        async with turn, self._alone(conversation_id):
            await self._refresh(conversation_id)
            # Prints questions and answers to the console otherwise; the settings page resets it.
            tree = self.get_tree(conversation_id)
            tree.settings.configure_logger(logging.getLevelName(LEVEL))
            run = super().process_tree(query, conversation_id, query_id, *args, **kwargs)
            async with aclosing(whole_turn(tree, run, query_id, self._put_away)) as payloads:
                async for payload in payloads:
                    yield payload

    def may_take_up(self, conversation_id: str) -> bool:
        """Tell whether a conversation may come from our own store: it is open nowhere else."""
        return not self.tree_exists(conversation_id) and conversation_id not in self.unsaved

    def _alone(self, conversation_id: str) -> AbstractAsyncContextManager[None]:
        """Keep programs, and other processes, out of a conversation."""
        return self._keeper.turn(self._key(conversation_id)) if self._keeper else nullcontext()

    async def _refresh(self, conversation_id: str) -> None:
        """Let a conversation stand as it is kept: another process may have answered in it since.

        Where that cannot be known it stands for nothing: what follows up is then asked back or
        refused, rather than taken for what was said before something that is not known here.
        """
        if not (self._keeper and self._keeper.shared):
            return
        tree = self.get_tree(conversation_id)
        try:
            saved = await self._keeper.current(self._key(conversation_id))
        except ConversationStoreError:
            tree.tree_data.environment.hidden_environment.pop(STATE_KEY, None)
            return
        if not stands_as(tree, saved):
            tree = self._new_tree(conversation_id)
            if saved:
                take_up(tree, saved)
            self.trees[conversation_id]["tree"] = tree

    def _key(self, conversation_id: str) -> ConversationKey:
        return ConversationKey(user_id=self.user_id, conversation_id=conversation_id)

    async def _put_away(self, tree: GuardedTree, turn: Turn) -> None:
        """Keep a turn, unless its conversation was deleted meanwhile, or is saved elsewhere."""
        talk = tree.conversation_id
        held = self.trees.get(talk, {}).get("tree") is tree and talk not in self.unsaved
        if self._keeper and held and not self.saved_elsewhere:
            await tree.create_conversation_title_async()
            self._keeper.put(self._key(talk), turn, standing_of(tree))
            if self._keeper.shared:
                await self._keeper.written()

    def _keep(self, conversation_id: str, tree: GuardedTree) -> None:
        for other in longest_idle(self.trees, self._most, self._is_busy):
            self.delete_tree_local(other)
        self.deleted.discard(conversation_id)
        idle = asyncio.Event()
        idle.set()
        self.trees[conversation_id] = {
            "tree": tree,
            "last_request": dt.datetime.now(),  # noqa: DTZ005  (Elysia compares it with naive ones)
            "event": idle,
        }

    def _is_busy(self, conversation_id: str) -> bool:
        turn = self._turns.get(conversation_id)
        return turn is not None and turn.locked()

    @property
    def is_busy(self) -> bool:
        """Whether a question is being answered."""
        return any(turn.locked() for turn in self._turns.values())
