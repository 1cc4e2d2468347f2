"""Who keeps users and conversations: Elysia's manager, guarded, over our own store.

Conversations outlive a pause and a restart there; without a store they are in memory as long as
they last. A Weaviate that settings name is asked by wrapped tools alone: nothing is saved in it.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import inspect
import logging
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing, nullcontext, suppress
from dataclasses import replace
from typing import Any

from elysia_guard.adapters.conversations import Keeper
from elysia_guard.domain.errors import ConversationStoreError, GuardError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.host import Response, Update
from elysia_guard.edge.elysia.models import endpoint_of
from elysia_guard.edge.elysia.offline import has_language_model
from elysia_guard.edge.elysia.webapp.pages.holdings import UNREACHABLE, Holdings
from elysia_guard.edge.elysia.webapp.protection.settings import Vetting
from elysia_guard.edge.elysia.webapp.tree_managers import (
    GuardedTreeManager,
    PageTree,
    Payload,
    longest_idle,
)
from elysia_guard.edge.elysia.webapp.turns import payloads_of, take_up, with_older, with_thumbs
from elysia_guard.edge.model_told import NONE, model_told, of_model
from elysia_guard.language.catalogue import say
from elysia_guard.language.identify import identify
from elysia_guard.wiring import Wiring

# After host, which makes the import of Elysia need no network.
from elysia.api.dependencies import common  # isort: skip
from elysia.api.services.user import UserManager  # isort: skip

__all__ = ["GuardedTreeManager", "GuardedUserManager", "PageTree", "Payload", "current_users"]

log = logging.getLogger(__name__)

PATIENCE_S = 5.0
"""How long the end of the server waits for what is still to be written."""


class GuardedUserManager(UserManager):
    """The users of the web app, with conversations that are guarded and kept."""

    def __init__(self, wiring: Wiring, vetting: Vetting | None = None) -> None:
        """Take the parts that all trees use, and what may be set."""
        super().__init__()
        self.wiring = wiring
        self.vetting = replace(vetting or Vetting(), alone=not self.shares)
        self.holdings = Holdings(lambda: wiring.pipeline, wiring.config)
        self._adding = asyncio.Lock()

    @property
    def keeper(self) -> Keeper | None:
        """Who keeps conversations, if anybody does."""
        return self.wiring.conversations

    @property
    def shares(self) -> bool:
        """Whether other processes keep the same conversations: then what is kept alone counts."""
        return self.keeper is not None and self.keeper.shared

    # Users

    async def add_user_local(self, user_id: str, config: Any = None) -> None:
        """Add a user whose conversations are guarded."""
        async with self._adding:
            if user_id in self.users:
                return
            await self._make_room()
            await super().add_user_local(user_id, config)
            plain = self.users[user_id]["tree_manager"]
            self.users[user_id]["tree_manager"] = GuardedTreeManager(
                user_id,
                config=plain.config,
                tree_timeout=plain.tree_timeout,
                wiring=self.wiring,
            )

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

    async def names_a_weaviate(self, user_id: str) -> bool:
        """Tell whether a user's settings name a Weaviate, also one that does not answer."""
        own = (await self.get_user_local(user_id))["tree_manager"].settings
        return bool(own.WCD_URL or own.WEAVIATE_IS_LOCAL or own.WEAVIATE_IS_CUSTOM)

    async def model_told(self, user_id: str) -> str:
        """Say which language model a user's questions are asked of, and for what."""
        if not self.wiring.config.points_with_elysia:
            return model_told(self.wiring)
        own = (await self.get_user_local(user_id))["tree_manager"].settings
        if not has_language_model(own):
            return NONE
        trouble = self.wiring.models.of(endpoint_of(own)).trouble
        return of_model(self.wiring, f"{own.BASE_MODEL}", trouble)

    # Settings: nothing that may not be set, and no handle in the place of a key

    async def update_config(self, user_id: str, *args: Any, **named: Any) -> None:
        """Change a user's settings.

        Raises:
            SettingsRefusedError: one may not be made.
        """
        whole = inspect.signature(super().update_config).bind(user_id, *args, **named).arguments
        if whole.get("settings") is not None:
            await self.get_user_local(user_id)
            whole["settings"] = self.vetting.vetted(whole["settings"], self.in_use(user_id))
        await super().update_config(**whole)

    async def update_frontend_config(self, user_id: str, config: dict[str, Any]) -> None:
        """Change where a user's conversations and settings are saved.

        Raises:
            SettingsRefusedError: one may not be made.
        """
        await self.get_user_local(user_id)
        config = self.vetting.vetted(config, self.in_use(user_id))
        await super().update_frontend_config(user_id, config)

    def shown(self, user_id: str) -> dict[str, Any]:
        """The settings that a user has now, as the page is shown them."""
        redact = self.vetting.vault.redact
        return {
            name: redact(value) if isinstance(value, str) else value
            for name, value in self.in_use(user_id).items()
        }

    def in_use(self, user_id: str) -> dict[str, Any]:
        """The settings that a user has now; of somebody new, none."""
        user = self.users.get(user_id, {})
        if "frontend_config" not in user or "tree_manager" not in user:
            return {}
        own: dict[str, Any] = user["tree_manager"].settings.to_json()
        return {**own, **user["frontend_config"].to_json()}

    # Questions

    async def process_tree(
        self, query: str, user_id: str, conversation_id: str, query_id: str, **options: Any
    ) -> AsyncGenerator[Payload | None, None]:
        """Answer, whatever happens: an unexpected error is logged, and the page says so plainly.

        Elysia would send the error itself, which may quote a model or a path, in a red box.
        """
        completed = False
        try:
            await self._take_up(user_id, conversation_id)
            with suppress(*UNREACHABLE):
                await self.holdings.refresh()
            options["save_trees_to_weaviate"] = False
            run = super().process_tree(query, user_id, conversation_id, query_id, **options)
            async with aclosing(run) as payloads:
                async for payload in payloads:
                    completed = completed or bool(payload and payload["type"] == "completed")
                    yield payload
        # Whatever the host, a tool or a store raises: who asked is told, and the page goes on.
        except Exception:
            log.exception("Question %s failed", query_id)
            if completed:
                return
            for item in (Response(self._sorry(query)), Update("completed", {})):
                yield await item.to_frontend(user_id, conversation_id, query_id)

    def _sorry(self, question: object) -> str:
        lang = identify(str(question), default=self.wiring.config.default_lang)
        return say(lang, "fault.unexpected")

    async def has_reply(self, key: ConversationKey, query_id: str) -> bool:
        """Tell whether a reply was kept in this conversation, by whatever process."""
        saved = await self.keeper.load(key) if self.keeper and self.keeper.shared else None
        return saved is not None and any(turn.query_id == query_id for turn in saved.turns)

    # Conversations

    async def get_tree(self, user_id: str, conversation_id: str) -> Any:
        """Return a conversation, also one that another process has begun."""
        await self._begin(user_id, conversation_id)
        return await super().get_tree(user_id, conversation_id)

    async def initialise_tree(
        self,
        user_id: str,
        conversation_id: str,
        low_memory: bool = False,  # noqa: FBT001, FBT002  (Elysia's own signature)
    ) -> Any:
        """Open a conversation, one that was kept as it was."""
        await self._take_up(user_id, conversation_id)
        return await super().initialise_tree(user_id, conversation_id, low_memory)

    async def get_saved_trees(self, user_id: str, *_: Any, **__: Any) -> dict[str, Payload]:
        """The conversations in the store, and those in memory."""
        kept = {
            item.key.conversation_id: {
                "title": item.title,
                "last_update_time": item.changed_at.isoformat(),
            }
            for item in (await self.keeper.listed(user_id) if self.keeper else ())
        }
        if self.shares:
            return kept
        manager = (await self.get_user_local(user_id))["tree_manager"]
        return kept | {
            conversation_id: {
                "title": entry["tree"].conversation_title,
                "last_update_time": entry["last_request"].astimezone(dt.UTC).isoformat(),
            }
            for conversation_id, entry in manager.trees.items()
            if entry["tree"].conversation_title
        }

    async def load_tree(
        self, user_id: str, conversation_id: str, *_: Any, **__: Any
    ) -> list[Payload]:
        """The payloads of a conversation, with the thumbs that were given."""
        manager = await self._begin(user_id, conversation_id)
        saved = self.keeper and await self.keeper.load(_key(user_id, conversation_id))
        if saved and self.shares:
            return with_thumbs(payloads_of(saved), saved.thumbs)
        if not manager.tree_exists(conversation_id):
            return []
        shown = with_older(saved or None, manager.shown(conversation_id))
        return with_thumbs(shown, saved.thumbs if saved else {})

    async def rename(self, user_id: str, conversation_id: str, title: str) -> bool:
        """Give a conversation another title; tell whether it is there.

        Raises:
            GuardError: it may have its old title still; the message is for the person.
        """
        manager = (await self.get_user_local(user_id))["tree_manager"]
        there: bool = manager.tree_exists(conversation_id)
        kept = False
        if self.keeper:
            renaming = self.keeper.rename(_key(user_id, conversation_id), title)
            kept = await self._told(renaming, "conversation.not_renamed")
        if there:
            manager.get_tree(conversation_id).conversation_title = title
        return there or kept

    async def delete_tree(self, user_id: str, conversation_id: str, *_: Any, **__: Any) -> None:
        """Delete a conversation.

        Raises:
            GuardError: it may still be there; the message is for the person.
        """
        manager = (await self.get_user_local(user_id))["tree_manager"]
        # First: a question under way must not bring it back.
        manager.delete_tree_local(conversation_id)
        if self.keeper:
            await self._told(self._deleted(user_id, conversation_id), "conversation.not_deleted")

    async def save_tree(self, *_: Any, **__: Any) -> None:
        """Do nothing: a turn is kept with its answer."""

    async def check_tree_exists_weaviate(self, *_: Any, **__: Any) -> bool:
        """Tell that no conversation is saved in a Weaviate."""
        return False

    async def check_all_trees_timeout(self) -> None:
        """Let go of what is idle, as Elysia does; delete what has been kept long enough."""
        await super().check_all_trees_timeout()
        if self.keeper:
            await self.keeper.purge()

    async def close_all_clients(self) -> None:
        """At the end: write what is waiting, then close what is open."""
        if self.keeper:
            await asyncio.wait([asyncio.create_task(self.keeper.written())], timeout=PATIENCE_S)
        await super().close_all_clients()

    async def _take_up(self, user_id: str, conversation_id: str) -> None:
        """Make sure there is a tree: after a pause or a restart Elysia has dropped it."""
        manager = await self._begin(user_id, conversation_id)
        manager.add_tree(conversation_id)

    async def _begin(self, user_id: str, conversation_id: str) -> Any:
        """Take a kept conversation up; return who has the user's conversations."""
        manager = (await self.get_user_local(user_id))["tree_manager"]
        if self.keeper is None or manager.tree_exists(conversation_id):
            return manager
        saved = await self.keeper.load(_key(user_id, conversation_id))
        # Another request may have been faster.
        if saved and not manager.tree_exists(conversation_id):
            manager.add_tree(conversation_id)
            take_up(manager.get_tree(conversation_id), saved)
        return manager

    async def _deleted(self, user_id: str, conversation_id: str) -> bool:
        if self.keeper is None:
            return False
        key = _key(user_id, conversation_id)
        # A question under way in another process would bring it back.
        async with self.keeper.turn(key) if self.shares else nullcontext():
            return await self.keeper.delete(key)

    async def _told(self, doing: Awaitable[bool], otherwise: str) -> bool:
        """Do what a person has asked for; where it fails, say so, and no path or reason."""
        try:
            done: bool = await doing
        except ConversationStoreError as err:
            log.warning("%s", err)
            raise GuardError(say(self.wiring.config.default_lang, otherwise)) from err
        return done


def current_users() -> GuardedUserManager:
    """Return the users of the application that is served; Elysia keeps one a process."""
    users: GuardedUserManager = common.get_user_manager()
    return users


def _key(user_id: str, conversation_id: str) -> ConversationKey:
    return ConversationKey(user_id=user_id, conversation_id=conversation_id)
