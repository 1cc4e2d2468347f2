"""The conversations of one user of the web chat, each with a guarded tree of its own."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from typing import Any

from elysia_guard.domain.errors import ConversationStoreError
from elysia_guard.domain.saved import ConversationKey, Turn
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.edge.elysia.host import ClientManager
from elysia_guard.edge.elysia.tree import STATE_KEY, GuardedTree
from elysia_guard.edge.elysia.webapp.pages.holdings import Holdings
from elysia_guard.edge.elysia.webapp.protection.settings import Vetting
from elysia_guard.edge.elysia.webapp.quiet import LEVEL
from elysia_guard.edge.elysia.webapp.turns import standing_of, stands_as, take_up, whole_turn
from elysia_guard.edge.linking import Links
from elysia_guard.wiring import Wiring

# After host, which makes the import of Elysia need no network.
from elysia.api.dependencies import common  # isort: skip
from elysia.api.services.tree import TreeManager  # isort: skip

LONG_AGO = dt.datetime(1, 1, 1)  # noqa: DTZ001  (naive, as Elysia's are)


def longest_idle(
    kept: Mapping[str, Mapping[str, Any]], most: int, busy: Callable[[str], bool]
) -> list[str]:
    """Return who has to go so that one more fits: the longest idle, and nobody who is busy."""
    too_many = len(kept) - most + 1
    if too_many <= 0:
        return []
    idle = [name for name in kept if not busy(name)]
    return sorted(idle, key=lambda name: kept[name].get("last_request", LONG_AGO))[:too_many]


Payload = dict[str, Any]

KNOWN_WITHIN_S = 0.3
"""How long the end of an answer waits to know whether it is kept."""


class PageTree(GuardedTree):
    """A guarded tree whose follow-ups are on the page already: they came with the answer."""

    @property
    def links(self) -> Links:
        """Our own pages, which are served beside the chat."""
        return Links(user_id=self.user_id, conversation_id=self.conversation_id)

    async def get_follow_up_suggestions_async(self, *_args: Any, **_kwargs: Any) -> list[str]:
        """Suggest nothing more, or the page shows each suggestion twice."""
        return []

    def _scope(self, names: object, clients: ClientManager | None) -> CollectionScope:
        """Return what a question reaches of the collections that are switched on on the page.

        Where the page could list nothing, all is reached: nobody has left it out.
        """
        holdings: Holdings | None = getattr(common.get_user_manager(), "holdings", None)
        if holdings is not None and holdings.offers:
            listed = names if isinstance(names, list | tuple) else [names] if names else []
            return holdings.scope([str(name) for name in listed])
        return super()._scope(names, clients)

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

    def shown(self, conversation_id: str) -> list[Payload]:
        """What the page has shown of a conversation."""
        return [payload for payload in self.get_tree(conversation_id).returner.store if payload]

    def delete_tree_local(self, conversation_id: str) -> None:
        """Forget a conversation."""
        super().delete_tree_local(conversation_id)
        self._turns.pop(conversation_id, None)

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

    async def _put_away(self, tree: GuardedTree, turn: Turn) -> bool:
        """Keep a turn, unless its conversation was deleted meanwhile.

        Tells whether it is kept, where it was to be; of a store that takes its time that is not
        known, and nobody waits for it.
        """
        talk = tree.conversation_id
        if self._keeper and self.trees.get(talk, {}).get("tree") is tree:
            await tree.create_conversation_title_async()
            kept = self._keeper.put(self._key(talk), turn, standing_of(tree))
            patience_s = None if self._keeper.shared else KNOWN_WITHIN_S
            done, _ = await asyncio.wait({kept}, timeout=patience_s)
            return not done or kept.result()
        return True

    def _keep(self, conversation_id: str, tree: GuardedTree) -> None:
        for other in longest_idle(self.trees, self._most, self._is_busy):
            self.delete_tree_local(other)
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
