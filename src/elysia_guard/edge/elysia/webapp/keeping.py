"""Conversations that outlive a pause and a restart: what the page asks for, from our own store.

Where a user's conversations are saved in a Weaviate, Elysia's own way, that one wins; what was kept
here before is still listed, shown and deleted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from elysia_guard.adapters.conversations import Keeper
from elysia_guard.domain.errors import ConversationStoreError, GuardError
from elysia_guard.domain.saved import ConversationKey
from elysia_guard.edge.elysia.webapp.kept_settings import KeptSettings
from elysia_guard.edge.elysia.webapp.managers import GuardedUserManager, Payload
from elysia_guard.edge.elysia.webapp.own_settings import Vetting
from elysia_guard.edge.elysia.webapp.turns import payloads_of, take_up, with_thumbs
from elysia_guard.language.catalogue import say
from elysia_guard.wiring import Wiring

log = logging.getLogger(__name__)

PATIENCE_S = 5.0
"""How long the end of the server waits for what is still to be written."""


class KeepingUserManager(GuardedUserManager):
    """The users of the web app, with conversations that are kept."""

    def __init__(self, wiring: Wiring, vetting: Vetting | None = None) -> None:
        """Take the parts that all trees use, and what may be set."""
        super().__init__(wiring, vetting)
        self.vetting = replace(self.vetting, alone=not self.shares)
        self._settings = KeptSettings(self.keeper, self.vetting) if self.keeper else None
        self._unkept: set[str] = set()

    @property
    def keeper(self) -> Keeper | None:
        """Who keeps conversations, if anybody does."""
        return self.wiring.conversations

    @property
    def shares(self) -> bool:
        """Whether other processes keep the same conversations: then what is kept alone counts."""
        return self.keeper is not None and self.keeper.shared

    async def get_user_local(self, user_id: str) -> dict[str, Any]:
        """Return a user, with the settings that are kept."""
        user = await super().get_user_local(user_id)
        await self._renew(user_id, user)
        return user

    async def update_config(self, user_id: str, *args: Any, **named: Any) -> None:
        """Change a user's settings, and keep them without keys.

        Raises:
            SettingsRefusedError: one may not be made.
        """
        await super().update_config(user_id, *args, **named)
        of_conversation = args[0] if args else named.get("conversation_id")
        if self._settings and of_conversation is None and (args or named):
            manager = self.users[user_id]["tree_manager"]
            kept = await self._settings.keep(user_id, manager)
            (self._unkept.discard if kept else self._unkept.add)(user_id)

    def remarks(self, user_id: str) -> list[str]:
        """Say what of a user's settings ends with the server."""
        lang, manager = self.wiring.config.default_lang, self.users[user_id]["tree_manager"]
        if self._settings is None:
            return [say(lang, "settings.not_kept")]
        if user_id in self._unkept:
            return [say(lang, "settings.not_written")]
        return [say(lang, "settings.without_keys")] if self._settings.has_own_keys(manager) else []

    async def can_save(self, user_id: str) -> bool:
        """Tell whether the user's conversations are saved in a Weaviate, which is not shared."""
        return not self.shares and await super().can_save(user_id)

    async def get_tree(self, user_id: str, conversation_id: str) -> Any:
        """Return a conversation, also one that another process has begun."""
        await self._begin(user_id, conversation_id)
        return await super().get_tree(user_id, conversation_id)

    async def has_reply(self, key: ConversationKey, query_id: str) -> bool:
        """Tell whether a reply was kept in this conversation, by whatever process."""
        saved = await self.keeper.load(key) if self.keeper and self.keeper.shared else None
        return saved is not None and any(turn.query_id == query_id for turn in saved.turns)

    async def initialise_tree(
        self,
        user_id: str,
        conversation_id: str,
        low_memory: bool = False,  # noqa: FBT001, FBT002  (Elysia's own signature)
    ) -> Any:
        """Open a conversation, one that was kept as it was."""
        if not await self.can_save(user_id):
            await self._begin(user_id, conversation_id)
        return await super().initialise_tree(user_id, conversation_id, low_memory)

    async def get_saved_trees(self, user_id: str, *args: Any, **kwargs: Any) -> dict[str, Payload]:
        """The conversations in the store, in memory, and in a Weaviate, if there is one."""
        kept = {
            item.key.conversation_id: {
                "title": item.title,
                "last_update_time": item.changed_at.isoformat(),
            }
            for item in (await self.keeper.listed(user_id) if self.keeper else ())
        }
        if self.shares:
            return kept
        return kept | await super().get_saved_trees(user_id, *args, **kwargs)

    async def load_tree(
        self, user_id: str, conversation_id: str, *args: Any, **kwargs: Any
    ) -> list[Payload]:
        """The payloads of a conversation, with the thumbs that were given."""
        if await self.is_saved_elsewhere(user_id, conversation_id):
            return await super().load_tree(user_id, conversation_id, *args, **kwargs)
        manager = await self._begin(user_id, conversation_id)
        saved = self.keeper and await self.keeper.load(_key(user_id, conversation_id))
        if saved and self.shares:
            return with_thumbs(payloads_of(saved), saved.thumbs)
        if not manager.tree_exists(conversation_id):
            return []
        return with_thumbs(manager.shown(conversation_id), saved.thumbs if saved else {})

    async def delete_tree(
        self, user_id: str, conversation_id: str, *args: Any, **kwargs: Any
    ) -> None:
        """Delete a conversation, wherever it is.

        Raises:
            GuardError: it may still be there; the message is for the person.
        """
        manager = (await self.get_user_local(user_id))["tree_manager"]
        # First: a question under way must not bring it back.
        manager.delete_tree_local(conversation_id)
        if self.keeper:
            await self._told(self._deleted(user_id, conversation_id), "conversation.not_deleted")
        await super().delete_tree(user_id, conversation_id, *args, **kwargs)

    async def rename(self, user_id: str, conversation_id: str, title: str) -> bool:
        """Give a conversation another title; tell whether it is there.

        Raises:
            GuardError: it may have its old title still; the message is for the person.
        """
        manager = (await self.get_user_local(user_id))["tree_manager"]
        renamed: bool = manager.tree_exists(conversation_id)
        if self.keeper:
            renaming = self.keeper.rename(_key(user_id, conversation_id), title)
            renamed = await self._told(renaming, "conversation.not_renamed") or renamed
        return await super().rename(user_id, conversation_id, title) or renamed

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
        """Make sure there is a tree, with the settings as they are kept at this moment."""
        await self.add_user_local(user_id)
        await self._renew(user_id, self.users[user_id], again=True)
        await super()._take_up(user_id, conversation_id)

    async def _renew(self, user_id: str, user: dict[str, Any], *, again: bool = False) -> None:
        manager = user["tree_manager"]
        if self._settings and await self._settings.refresh(user_id, manager, again=again):
            # Without settings it tells the user's client of those that stand.
            await super().update_config(user_id)

    async def _begin(self, user_id: str, conversation_id: str) -> Any:
        """Take a kept conversation up; return who has the user's conversations."""
        manager = (await self.get_user_local(user_id))["tree_manager"]
        if self.keeper is None or not manager.may_take_up(conversation_id):
            return manager
        saved = await self.keeper.load(_key(user_id, conversation_id))
        # Another request may have been faster.
        if saved and manager.may_take_up(conversation_id):
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


def _key(user_id: str, conversation_id: str) -> ConversationKey:
    return ConversationKey(user_id=user_id, conversation_id=conversation_id)
