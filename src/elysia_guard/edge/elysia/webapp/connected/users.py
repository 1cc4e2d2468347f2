"""Users who have connected a Weaviate: what is read from it and written to it, bounded."""

from __future__ import annotations

from typing import Any

from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.elysia.webapp.connected.asking import bounded, ready
from elysia_guard.edge.elysia.webapp.own_settings import VettedUserManager

# After own_settings, which makes the import of Elysia need no network.
from elysia.api.routes import init  # isort: skip


class ConnectedUserManager(VettedUserManager):
    """Elysia's users, for whom a Weaviate that is away is neither empty nor waited for."""

    def __init__(self) -> None:
        """Begin without anybody."""
        super().__init__()
        self._owed: set[str] = set()

    def owe_settings(self, user_id: str) -> None:
        """Take note that a new user's saved settings have not been looked for yet."""
        self._owed.add(user_id)

    async def take_up_settings(self, user_id: str) -> None:
        """Take up what a user has saved as their default in a Weaviate, once it can be read.

        Elysia does so for who opens the page, and not where it was open while the server started.
        """
        user = self.users[user_id]
        store = user["frontend_config"].save_location_client_manager
        if user_id not in self._owed or not store.is_client:
            return
        self._owed.discard(user_id)
        try:
            async with bounded():
                await ready(store)
                own = await init.get_default_config(store, user_id)
                if own is not None:
                    await self.update_config(
                        user_id,
                        config_id=own.id,
                        config_name=own.name,
                        settings=own.settings.to_json(),
                        style=own.style,
                        agent_description=own.agent_description,
                        end_goal=own.end_goal,
                        branch_initialisation=own.branch_initialisation,
                    )
        except SourceUnavailableError:
            self._owed.add(user_id)

    async def can_save(self, user_id: str) -> bool:
        """Tell whether the user's conversations have a Weaviate to be saved to."""
        user = await self.get_user_local(user_id)
        return bool(user["frontend_config"].save_location_client_manager.is_client)

    async def save_tree(
        self, user_id: str, conversation_id: str, *args: Any, **kwargs: Any
    ) -> None:
        """Save a conversation, if there is a Weaviate to save it to.

        Raises:
            SourceUnavailableError: it could not be saved.
        """
        if not await self.can_save(user_id):
            return
        user = self.users[user_id]
        manager, store = user["tree_manager"], user["frontend_config"].save_location_client_manager
        async with bounded():
            await ready(store)
            await super().save_tree(user_id, conversation_id, *args, **kwargs)
            # Deleted while it was being saved: it must not come back.
            if conversation_id in manager.deleted:
                await manager.delete_tree_weaviate(conversation_id, store)

    async def is_saved_elsewhere(self, user_id: str, conversation_id: str) -> bool:
        """Tell whether a conversation is to be read from a Weaviate.

        Raises:
            SourceUnavailableError: it cannot be asked, and the conversation is not in memory.
        """
        if not await self.can_save(user_id):
            return False
        try:
            async with bounded():
                return await self.check_tree_exists_weaviate(user_id, conversation_id)
        except SourceUnavailableError:
            if not self.users[user_id]["tree_manager"].tree_exists(conversation_id):
                raise
        return False

    async def check_tree_exists_weaviate(
        self, user_id: str, conversation_id: str, *args: Any, **kwargs: Any
    ) -> bool:
        """Tell whether a conversation is saved in a Weaviate, and is this user's.

        Raises:
            NotTheirsError: it is somebody else's.
            SourceUnavailableError: it cannot be asked.
        """
        await ready(self.users[user_id]["frontend_config"].save_location_client_manager)
        there: bool = await super().check_tree_exists_weaviate(
            user_id, conversation_id, *args, **kwargs
        )
        return there
