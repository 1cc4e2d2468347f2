"""The right to write an index: one process has it at a time, and loses it when it falls silent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from elysia_guard.adapters.weaviate_index.objects import fetched
from elysia_guard.adapters.weaviate_index.schema import LEASE_ID, Names
from elysia_guard.domain.errors import PassageIndexError

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient

HELD_FOR = timedelta(minutes=2)
Now = Callable[[], datetime]


def utc_now() -> datetime:
    """Tell the time, as all processes that write tell it."""
    return datetime.now(UTC)


class Lease:
    """One object, whose id only one process can create."""

    def __init__(self, names: Names, *, now: Now = utc_now) -> None:
        self._names = names
        self._now = now
        self._until = now()
        self._written = ""

    async def acquire(self, client: WeaviateAsyncClient) -> None:
        """Take the right to write; from a process that has fallen silent too.

        Raises:
            PassageIndexError: another process writes.
        """
        held = await fetched(client, self._names.index, LEASE_ID, ["held_until"])
        if held:
            left = datetime.fromisoformat(held["held_until"]) - self._now()
            if left > timedelta(0):
                raise _busy(left)
            await self._delete(client)
        if not await self._created(client):
            raise _busy(HELD_FOR)

    async def renew(self, client: WeaviateAsyncClient) -> None:
        """Say that we still write, when half of the time is over.

        Raises:
            PassageIndexError: we were silent for too long, and somebody else may write now.
        """
        if self._until - self._now() < HELD_FOR / 2:
            await self.confirm(client)
            await client.collections.use(self._names.index).data.update(
                LEASE_ID, properties={"held_until": self._next()}
            )

    async def confirm(self, client: WeaviateAsyncClient) -> None:
        """See that the right is still ours, whatever other clocks say.

        Raises:
            PassageIndexError: we were silent for too long, or somebody else has taken it.
        """
        if self._until < self._now() or not await self._is_ours(client):
            raise PassageIndexError(
                "this ingest stood still for so long that another may be writing; run it again"
            )

    async def release(self, client: WeaviateAsyncClient) -> None:
        """Give the right back, if it is still ours."""
        if await client.collections.exists(self._names.index) and await self._is_ours(client):
            await self._delete(client)

    async def _is_ours(self, client: WeaviateAsyncClient) -> bool:
        held = await fetched(client, self._names.index, LEASE_ID, ["held_until"])
        return held is not None and held["held_until"] == self._written

    async def _delete(self, client: WeaviateAsyncClient) -> None:
        await client.collections.use(self._names.index).data.delete_by_id(LEASE_ID)

    async def _created(self, client: WeaviateAsyncClient) -> bool:
        from weaviate.exceptions import UnexpectedStatusCodeError

        try:
            await client.collections.use(self._names.index).data.insert(
                {"held_until": self._next()}, uuid=LEASE_ID
            )
        except UnexpectedStatusCodeError as err:
            if err.status_code == 422:  # noqa: PLR2004  the id is there already
                return False
            raise
        return True

    def _next(self) -> str:
        self._until = self._now() + HELD_FOR
        self._written = self._until.isoformat()
        return self._written


def _busy(left: timedelta) -> PassageIndexError:
    return PassageIndexError(
        "the index in Weaviate cannot be written: another process is writing it; wait until it is "
        f"done (if it was killed, for {left.total_seconds():.0f} s)"
    )
