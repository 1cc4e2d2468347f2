"""Who keeps users and conversations: Elysia's managers, guarded, and at ease without a Weaviate."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any

from elysia_guard.domain.errors import GuardError, SourceUnavailableError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.host import Response, Update
from elysia_guard.edge.elysia.webapp.capacity import longest_idle
from elysia_guard.edge.elysia.webapp.connected import thumbs
from elysia_guard.edge.elysia.webapp.connected.asking import bounded, place_of, ready
from elysia_guard.edge.elysia.webapp.connected.users import ConnectedUserManager
from elysia_guard.edge.elysia.webapp.own_settings import ToldFrontendConfig, Vetting
from elysia_guard.edge.elysia.webapp.pages.holdings import UNREACHABLE, Holdings
from elysia_guard.edge.elysia.webapp.titles import Titles
from elysia_guard.edge.elysia.webapp.tree_managers import (
    SAVED_TREES,
    GuardedTreeManager,
    PageTree,
    Payload,
)
from elysia_guard.edge.elysia.webapp.turns import with_thumbs
from elysia_guard.language.catalogue import say
from elysia_guard.language.identify import identify
from elysia_guard.wiring import Wiring
from elysia_guard.wiring.terminology import listing_of

__all__ = ["SAVED_TREES", "GuardedTreeManager", "GuardedUserManager", "PageTree", "Payload"]

log = logging.getLogger(__name__)


class GuardedUserManager(ConnectedUserManager):
    """The users of the web app. Without a Weaviate nothing is saved, and nothing fails."""

    def __init__(self, wiring: Wiring, vetting: Vetting | None = None) -> None:
        """Take the parts that all trees use, and what may be set."""
        super().__init__()
        self.wiring = wiring
        self.vetting = vetting or Vetting()
        listing = listing_of(wiring.config)
        self.holdings = Holdings(lambda: wiring.pipeline, wiring.config, listing)
        self._adding = asyncio.Lock()
        self._titles = Titles(SAVED_TREES)

    async def add_user_local(self, user_id: str, config: Any = None) -> None:
        """Add a user whose conversations are guarded."""
        async with self._adding:
            if user_id in self.users:
                return
            await self._make_room()
            await super().add_user_local(user_id, config)
            self.users[user_id]["frontend_config"].__class__ = ToldFrontendConfig
            plain = self.users[user_id]["tree_manager"]
            self.users[user_id]["tree_manager"] = GuardedTreeManager(
                user_id,
                config=plain.config,
                tree_timeout=plain.tree_timeout,
                wiring=self.wiring,
            )
            self.owe_settings(user_id)
        await self.take_up_settings(user_id)

    async def _make_room(self) -> None:
        def busy(user_id: str) -> bool:
            manager = self.users[user_id].get("tree_manager")
            return bool(manager and manager.is_busy)

        for user_id in longest_idle(self.users, self.wiring.config.server.max_users, busy):
            gone = self.users.pop(user_id)
            if "client_manager" in gone:
                await gone["client_manager"].close_clients()

    async def get_user_local(self, user_id: str) -> dict[str, Any]:
        """Return a user; after a restart of the server, one whose page is still open is added."""
        await self.add_user_local(user_id)
        return await super().get_user_local(user_id)  # type: ignore[no-any-return]

    async def process_tree(
        self, query: str, user_id: str, conversation_id: str, query_id: str, **options: Any
    ) -> AsyncGenerator[Payload | None, None]:
        """Answer, whatever happens: an unexpected error is logged, and the page says so plainly.

        Elysia would send the error itself, which may quote a model or a path, in a red box.
        """
        completed = False
        try:
            await self._take_up(user_id, conversation_id)
            options["save_trees_to_weaviate"] = await self._saves(
                user_id, conversation_id, wanted=options.get("save_trees_to_weaviate")
            )
            manager = (await self.get_user_local(user_id))["tree_manager"]
            manager.saved_elsewhere = options["save_trees_to_weaviate"]
            with suppress(*UNREACHABLE):
                await self.holdings.refresh()
            run = super().process_tree(query, user_id, conversation_id, query_id, **options)
            async with aclosing(run) as payloads:
                async for payload in payloads:
                    completed = completed or bool(payload and payload["type"] == "completed")
                    yield payload
        # Whatever the host, a tool or a store raises: who asked is told, and the page goes on.
        except Exception:
            if completed:
                log.exception("Conversation %s could not be saved", conversation_id)
                return
            log.exception("Question %s failed", query_id)
            for item in (Response(self._sorry(query)), Update("completed", {})):
                yield await item.to_frontend(user_id, conversation_id, query_id)

    async def get_saved_trees(self, user_id: str, *args: Any, **kwargs: Any) -> dict[str, Payload]:
        """The saved conversations; without a Weaviate, and where it is away, those in memory."""
        user = await self.get_user_local(user_id)
        if await self.can_save(user_id):
            store = user["frontend_config"].save_location_client_manager
            with suppress(SourceUnavailableError):
                async with bounded():
                    await ready(store)
                    listed = await super().get_saved_trees(user_id, *args, **kwargs)
                    return await self._titles.honest(listed, store)
        return {
            conversation_id: {
                "title": entry["tree"].conversation_title,
                "last_update_time": entry["last_request"].astimezone(dt.UTC).isoformat(),
            }
            for conversation_id, entry in user["tree_manager"].trees.items()
            if entry["tree"].conversation_title
        }

    async def load_tree(
        self, user_id: str, conversation_id: str, *args: Any, **kwargs: Any
    ) -> list[Payload]:
        """The payloads of a conversation; without a Weaviate, of one in memory, or none."""
        user = await self.get_user_local(user_id)
        if await self.can_save(user_id):
            payloads = await super().load_tree(user_id, conversation_id, *args, **kwargs)
            given = await thumbs.of_conversation(
                user["frontend_config"].save_location_client_manager, user_id, conversation_id
            )
            return with_thumbs(payloads, given)
        manager = user["tree_manager"]
        return manager.shown(conversation_id) if manager.tree_exists(conversation_id) else []

    async def rename(self, user_id: str, conversation_id: str, title: str) -> bool:
        """Give a conversation another title, in memory and in a Weaviate; tell if it is there.

        Raises:
            GuardError: it may have its old title still; the message is for the person.
        """
        manager = (await self.get_user_local(user_id))["tree_manager"]
        if await self.can_save(user_id):
            async with self._said("conversation.not_renamed"):
                if await self.check_tree_exists_weaviate(user_id, conversation_id):
                    if not manager.tree_exists(conversation_id):
                        await self.load_tree(user_id, conversation_id)
                    manager.get_tree(conversation_id).conversation_title = title
                    await self.save_tree(user_id, conversation_id)
        there: bool = manager.tree_exists(conversation_id)
        if there:
            manager.get_tree(conversation_id).conversation_title = title
        return there

    async def delete_tree(
        self, user_id: str, conversation_id: str, *args: Any, **kwargs: Any
    ) -> None:
        """Delete a conversation here and, if there is a Weaviate, there, with its thumbs.

        Raises:
            GuardError: it may still be there; the message is for the person.
        """
        user = await self.get_user_local(user_id)
        if await self.can_save(user_id):
            key = ConversationKey(user_id=user_id, conversation_id=conversation_id)
            user["tree_manager"].deleted.add(conversation_id)
            async with self._said("conversation.not_deleted"):
                await super().delete_tree(user_id, conversation_id, *args, **kwargs)
                if clients := place_of(user):
                    await thumbs.forget(clients, key)
        user["tree_manager"].delete_tree_local(conversation_id)

    async def initialise_tree(
        self,
        user_id: str,
        conversation_id: str,
        low_memory: bool = False,  # noqa: FBT001, FBT002  (Elysia's own signature)
    ) -> Any:
        """Open a conversation: one that is saved as it was, and nothing new in its place."""
        await self._take_up(user_id, conversation_id)
        return await super().initialise_tree(user_id, conversation_id, low_memory)

    @asynccontextmanager
    async def _said(self, otherwise: str) -> AsyncIterator[None]:
        """Do what a person has asked of a Weaviate; where it fails, say so, and no reason."""
        try:
            async with bounded():
                yield
        except SourceUnavailableError as err:
            raise GuardError(say(self.wiring.config.default_lang, otherwise)) from err

    async def _take_up(self, user_id: str, conversation_id: str) -> None:
        """Make sure there is a tree: after a pause or a restart Elysia has dropped it.

        A question stands alone here, so a fresh tree answers as well as the dropped one.
        """
        manager = (await self.get_user_local(user_id))["tree_manager"]
        if manager.tree_exists(conversation_id):
            return
        try:
            if await self.can_save(user_id) and await self.check_tree_exists_weaviate(
                user_id, conversation_id
            ):
                await self.load_tree(user_id, conversation_id)
        # Whatever a Weaviate that is down raises: the question can be answered without it.
        except Exception:
            log.warning("Conversation %s could not be loaded", conversation_id, exc_info=True)
            manager.unsaved.add(conversation_id)
        await self._begin(user_id, conversation_id)
        manager.add_tree(conversation_id)

    async def _begin(self, user_id: str, conversation_id: str) -> None:
        """Take up what was kept of a conversation: nothing here."""

    async def _saves(self, user_id: str, conversation_id: str, *, wanted: bool | None) -> bool:
        user = await self.get_user_local(user_id)
        if wanted is None:
            wanted = user["frontend_config"].config["save_trees_to_weaviate"]
        standing_in = conversation_id in user["tree_manager"].unsaved
        return bool(wanted) and not standing_in and await self.can_save(user_id)

    def _sorry(self, question: object) -> str:
        lang = identify(str(question), default=self.wiring.config.default_lang)
        return say(lang, "fault.unexpected")
