"""Who keeps users and conversations: Elysia's managers, with guarded trees and without a Weaviate."""

from __future__ import annotations

import asyncio
import datetime
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from elysia_guard.edge.elysia.host import ClientManager, Response, Update
from elysia_guard.edge.elysia.tree import GuardedTree
from elysia_guard.edge.elysia.webapp.quiet import LEVEL
from elysia_guard.language.catalogue import say
from elysia_guard.language.identify import identify
from elysia_guard.wiring import Wiring

# After host, which makes the import of Elysia need no network.
from elysia.api.services.tree import TreeManager  # isort: skip
from elysia.api.services.user import UserManager  # isort: skip

Payload = dict[str, Any]

SAVED_TREES = "ELYSIA_TREES__"

log = logging.getLogger(__name__)


class GuardedTreeManager(TreeManager):  # type: ignore[misc]
    """The conversations of one user, each with a guarded tree of its own."""

    def __init__(self, *args: Any, wiring: Wiring, **kwargs: Any) -> None:
        """Take the parts that all trees use; the other arguments are Elysia's."""
        super().__init__(*args, **kwargs)
        self._tree_class = GuardedTree.bound_to(wiring)
        self._turns: dict[str, asyncio.Lock] = {}
        self.unsaved: set[str] = set()
        """Conversations that stand in for a saved one that could not be loaded: never saved over it."""

    def add_tree(self, conversation_id: str, low_memory: bool = False) -> None:  # noqa: FBT001, FBT002
        """Start a conversation with the user's settings."""
        if self.tree_exists(conversation_id):
            return
        tree = self._tree_class(
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
        self._keep(conversation_id, tree)

    async def load_tree_weaviate(
        self, conversation_id: str, client_manager: ClientManager
    ) -> list[Payload]:
        """Take up a saved conversation; returns the payloads that show it again."""
        tree = await self._tree_class.import_from_weaviate(
            SAVED_TREES, conversation_id, client_manager
        )
        self._keep(conversation_id, tree)
        return self.shown(conversation_id)

    def shown(self, conversation_id: str) -> list[Payload]:
        """What the page has shown of a conversation."""
        return [payload for payload in self.get_tree(conversation_id).returner.store if payload]

    def delete_tree_local(self, conversation_id: str) -> None:
        """Forget a conversation."""
        super().delete_tree_local(conversation_id)
        self._turns.pop(conversation_id, None)
        self.unsaved.discard(conversation_id)

    async def process_tree(
        self, query: str, conversation_id: str, *args: Any, **kwargs: Any
    ) -> AsyncGenerator[Payload | None, None]:
        """Put a question to a conversation, one at a time.

        Elysia's own turnstile is an event, which lets all who wait for it in at once.
        """
        turn = self._turns.setdefault(conversation_id, asyncio.Lock())
        async with turn:
            # Prints questions and answers to the console otherwise; the settings page resets it.
            self.get_tree(conversation_id).settings.configure_logger(logging.getLevelName(LEVEL))
            run = super().process_tree(query, conversation_id, *args, **kwargs)
            async with aclosing(run) as payloads:
                async for payload in payloads:
                    yield payload

    def _keep(self, conversation_id: str, tree: GuardedTree) -> None:
        idle = asyncio.Event()
        idle.set()
        self.trees[conversation_id] = {
            "tree": tree,
            "last_request": datetime.datetime.now(),  # noqa: DTZ005  (compared by Elysia with naive times)
            "event": idle,
        }


class GuardedUserManager(UserManager):  # type: ignore[misc]
    """The users of the web app. Works without a Weaviate: then nothing is saved, and nothing fails."""

    def __init__(self, wiring: Wiring) -> None:
        """Take the parts that all trees use."""
        super().__init__()
        self._wiring = wiring
        self._adding = asyncio.Lock()

    async def add_user_local(self, user_id: str, config: Any = None) -> None:
        """Add a user whose conversations are guarded."""
        async with self._adding:
            if user_id in self.users:
                return
            await super().add_user_local(user_id, config)
            plain = self.users[user_id]["tree_manager"]
            self.users[user_id]["tree_manager"] = GuardedTreeManager(
                user_id,
                config=plain.config,
                tree_timeout=plain.tree_timeout,
                wiring=self._wiring,
            )

    async def get_user_local(self, user_id: str) -> dict[str, Any]:
        """Return a user; one from before a restart of the server, whose page is still open, is added."""
        await self.add_user_local(user_id)
        return await super().get_user_local(user_id)  # type: ignore[no-any-return]

    async def process_tree(
        self,
        query: str,
        user_id: str,
        conversation_id: str,
        query_id: str,
        training_route: str = "",
        collection_names: list[str] = [],  # noqa: B006  (Elysia's own signature)
        save_trees_to_weaviate: bool | None = None,  # noqa: FBT001
        **kwargs: Any,
    ) -> AsyncGenerator[Payload | None, None]:
        """Answer, whatever happens: an unexpected error is logged, and the page gets a plain sentence.

        Elysia would send the error itself, which may quote a model or a path, in a red box.
        """
        completed = False
        try:
            await self._take_up(user_id, conversation_id)
            run = super().process_tree(
                query,
                user_id,
                conversation_id,
                query_id,
                "",
                collection_names,
                await self._saves(user_id, conversation_id, wanted=save_trees_to_weaviate),
                **kwargs,
            )
            async with aclosing(run) as payloads:
                async for payload in payloads:
                    completed = completed or bool(payload and payload["type"] == "completed")
                    yield payload
        except Exception:
            log.exception("Question %s failed", query_id)
            # After `completed` only the saving can fail, and the answer stands.
            if not completed:
                for item in (Response(_sorry(query)), Update("completed", {})):
                    yield await item.to_frontend(user_id, conversation_id, query_id)

    async def get_saved_trees(self, user_id: str, *args: Any, **kwargs: Any) -> dict[str, Payload]:
        """The saved conversations; without a Weaviate, those in memory."""
        if await self._can_save(user_id):
            return await super().get_saved_trees(user_id, *args, **kwargs)  # type: ignore[no-any-return]
        user = await self.get_user_local(user_id)
        return {
            conversation_id: {
                "title": entry["tree"].conversation_title,
                "last_update_time": entry["last_request"].astimezone(datetime.UTC).isoformat(),
            }
            for conversation_id, entry in user["tree_manager"].trees.items()
            if entry["tree"].conversation_title
        }

    async def load_tree(
        self, user_id: str, conversation_id: str, *args: Any, **kwargs: Any
    ) -> list[Payload]:
        """The payloads of a conversation; without a Weaviate, of one in memory, or none."""
        if await self._can_save(user_id):
            return await super().load_tree(user_id, conversation_id, *args, **kwargs)  # type: ignore[no-any-return]
        manager = (await self.get_user_local(user_id))["tree_manager"]
        return manager.shown(conversation_id) if manager.tree_exists(conversation_id) else []

    async def save_tree(self, user_id: str, *args: Any, **kwargs: Any) -> None:
        """Save a conversation, if there is a Weaviate to save it to."""
        if await self._can_save(user_id):
            await super().save_tree(user_id, *args, **kwargs)

    async def delete_tree(
        self, user_id: str, conversation_id: str, *args: Any, **kwargs: Any
    ) -> None:
        """Delete a conversation here and, if there is a Weaviate, there."""
        if await self._can_save(user_id):
            await super().delete_tree(user_id, conversation_id, *args, **kwargs)
        user = await self.get_user_local(user_id)
        user["tree_manager"].delete_tree_local(conversation_id)

    async def _take_up(self, user_id: str, conversation_id: str) -> None:
        """Make sure there is a tree: after a pause or a restart Elysia has dropped it.

        A question stands alone here, so a fresh tree answers as well as the dropped one.
        """
        manager = (await self.get_user_local(user_id))["tree_manager"]
        if manager.tree_exists(conversation_id):
            return
        try:
            if await self._can_save(user_id) and await self.check_tree_exists_weaviate(
                user_id, conversation_id
            ):
                await self.load_tree(user_id, conversation_id)
        # Whatever a Weaviate that is down raises: the question can be answered without it.
        except Exception:  # noqa: BLE001
            log.warning("Conversation %s could not be loaded", conversation_id, exc_info=True)
            manager.unsaved.add(conversation_id)
        manager.add_tree(conversation_id)

    async def _saves(self, user_id: str, conversation_id: str, *, wanted: bool | None) -> bool:
        user = await self.get_user_local(user_id)
        if wanted is None:
            wanted = user["frontend_config"].config["save_trees_to_weaviate"]
        standing_in = conversation_id in user["tree_manager"].unsaved
        return bool(wanted) and not standing_in and await self._can_save(user_id)

    async def _can_save(self, user_id: str) -> bool:
        user = await self.get_user_local(user_id)
        return bool(user["frontend_config"].save_location_client_manager.is_client)


def _sorry(question: object) -> str:
    """Say that something of ours failed, in the language of the question."""
    return SORRY[identify(str(question), default="en")]


SORRY = {
    "en": "Something went wrong on our side, so there is no answer. Ask again, or ask another question.",
    "nl": "Er ging bij ons iets mis, dus er is geen antwoord. Stel de vraag opnieuw, of een andere.",
    "de": "Bei uns ist etwas schiefgegangen, daher gibt es keine Antwort. Fragen Sie noch einmal, oder etwas anderes.",
}
