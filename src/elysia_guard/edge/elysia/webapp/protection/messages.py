"""What comes in on a websocket: JSON of the expected form, not too much, not too fast."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from typing import Any

from starlette.types import Message, Receive, Send

from elysia_guard.edge.access_policy import Policy
from elysia_guard.edge.elysia.webapp.protection import bounds
from elysia_guard.edge.elysia.webapp.protection.bounds import POLICY_VIOLATION, Refusal
from elysia_guard.edge.elysia.webapp.protection.permissions import (
    ADMINS_ONLY,
    OTHERS_DATA,
    may_read,
)
from elysia_guard.edge.elysia.webapp.protection.principal import Principal
from elysia_guard.ports import Clock

NOT_TEXT = 1003
NOT_UNDERSTOOD = 1007
MOST_COLLECTIONS = 1_000
REMEMBERED = 20_000
_FORMS: dict[str, tuple[type, ...]] = {
    "user_id": (str,),
    "conversation_id": (str,),
    "query_id": (str,),
    "query": (str,),
    "collection_names": (list,),
    "collection_name": (str,),
    "route": (str, type(None)),
    "mimick": (bool, type(None)),  # codespell:ignore mimick
}
_QUESTION = ("conversation_id", "query_id", "query", "collection_names")


class Pace:
    """Lets so many pass a minute, a tenth of them at once."""

    def __init__(self, per_minute: int, *, clock: Clock = time.monotonic) -> None:
        """Take how many a minute."""
        self._rate = per_minute / 60
        self._most = max(1.0, per_minute / 10)
        self._left = self._most
        self._clock = clock
        self._at = clock()

    def allows_one(self) -> bool:
        """Tell whether one more may pass, and count it."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Askers:
    """Whose question a query id belongs to, so that nobody else judges its reply.

    The last ones of people who are apart; the owner and administrators are not.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._by: OrderedDict[str, str] = OrderedDict()

    def remember(self, principal: Principal, query_id: str) -> bool:
        """Keep who asked; tell whether the id was free, or their own."""
        if self._by.setdefault(query_id, principal.name) != principal.name:
            return False
        self._by.move_to_end(query_id)
        if len(self._by) > REMEMBERED:
            self._by.popitem(last=False)
        return True

    def may_judge(self, principal: Principal, query_id: object) -> bool:
        """Tell whether somebody may say what they think of a reply."""
        return principal.admin or self._by.get(str(query_id)) == principal.name


class Messages:
    """Stands between a websocket and the application."""

    def __init__(
        self, principal: Principal, policy: Policy, asked: Askers, receive: Receive, send: Send
    ) -> None:
        """Take both ends, and who is at the other one."""
        self._principal = principal
        self._asked = asked
        self._pace = Pace(policy.server.messages_per_minute)
        self._receive = receive
        self._send = send
        self._closed = 0
        self.allowed = True
        """Whether the sender may use this websocket at all."""

    async def receive(self) -> Message:
        """Return the next message, with the sender's own user in it; close on one that is wrong."""
        if self._closed:
            return {"type": "websocket.disconnect", "code": self._closed}
        message = await self._receive()
        if message["type"] != "websocket.receive":
            return message
        try:
            return {"type": "websocket.receive", "text": self._own(message)}
        except Refusal as no:
            self._closed = no.status
            await self._send({"type": "websocket.close", "code": no.status, "reason": no.why[:120]})
            return {"type": "websocket.disconnect", "code": no.status}

    async def send(self, message: Message) -> None:
        """Send, unless we have closed.

        Raises:
            OSError: we have; Starlette takes it for a page that is gone, which it is.
        """
        if self._closed:
            raise OSError("the websocket is closed")
        await self._send(message)

    def _own(self, message: Message) -> str:
        text = message.get("text")
        if text is None:
            raise Refusal(status=NOT_TEXT, why="Send text.")
        if not self.allowed:
            raise Refusal(status=POLICY_VIOLATION, why=ADMINS_ONLY)
        if not self._pace.allows_one():
            raise Refusal(status=POLICY_VIOLATION, why="Too many messages.")
        try:
            said = bounds.read_json(text)
            _check_form(said)
        except Refusal as no:
            raise Refusal(status=NOT_UNDERSTOOD, why=no.why) from no
        asked_for = [*said.get("collection_names", []), said.get("collection_name", "")]
        if not all(may_read(self._principal, item) for item in asked_for):
            raise Refusal(status=POLICY_VIOLATION, why=OTHERS_DATA)
        if "query_id" in said and not self._asked.remember(self._principal, said["query_id"]):
            raise Refusal(status=POLICY_VIOLATION, why="This query_id is somebody else's.")
        # Elysia's handler takes these two for granted.
        said = {"route": "", "mimick": False, **said}  # codespell:ignore mimick
        return json.dumps({**said, "user_id": self._principal.user_id(said["user_id"])})


def _check_form(said: Any) -> None:
    if not isinstance(said, dict):
        raise Refusal(status=422, why="Send an object.")
    needed = ("user_id", *(("collection_name",) if "collection_name" in said else _QUESTION))
    for name in needed:
        if name not in said:
            raise Refusal(status=422, why=f"'{name}' is missing.")
    for name, kinds in _FORMS.items():
        if name in said and not isinstance(said[name], kinds):
            raise Refusal(status=422, why=f"'{name}' is of the wrong type.")
    names = said.get("collection_names", [])
    if len(names) > MOST_COLLECTIONS or not all(isinstance(item, str) for item in names):
        raise Refusal(status=422, why="'collection_names' must be a list of names.")
