"""What every store of conversations does, as tests: subclass ``ConversationStoreContract``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from elysia_guard.domain.saved import ConversationKey, Standing, Thumb, Turn
from elysia_guard.ports import ConversationStore

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINE = ConversationKey(user_id="mine", conversation_id="one")
MINE_TOO = ConversationKey(user_id="mine", conversation_id="two")
YOURS = ConversationKey(user_id="yours", conversation_id="one")

ODD: tuple[dict[str, Any], ...] = (
    {},
    {"": None, "true": True, "numbers": [0, -1, 2**70, 0.1, 1e300]},
    {"text": "Ωμέγα 😀 \x00 \ud800 '); DROP TABLE guard_turns; --", "deep": [[[{"a": []}]]]},
)
"""JSON that a store may stumble over."""


def turn(query_id: str = "q1", *payloads: dict[str, object]) -> Turn:
    """A turn that shows a prompt, or what is given."""
    shown = payloads or ({"type": "user_prompt", "payload": {"prompt": "Wat is een trafo?"}},)
    return Turn(query_id=query_id, payloads=shown)


class ConversationStoreContract:
    """The behaviour of the ``ConversationStore`` port."""

    @contextmanager
    def opened(self) -> Iterator[ConversationStore]:
        """Yield an empty store; once a test."""
        raise NotImplementedError

    def test_what_is_added_is_loaded(self) -> None:
        """Turns in their order, the last standing, and nothing more."""
        last = Standing(title="Trafo's", state={"settled": {"cim": "uri"}})

        async def use(store: ConversationStore) -> None:
            assert await store.load(MINE) is None
            await store.add_turn(MINE, turn("q1"), Standing(title="First"), at=NOON)
            await store.add_turn(MINE, turn("q2"), last, at=NOON + HOUR)
            found = await store.load(MINE)
            assert found is not None
            assert found.standing == last
            assert found.turns == (turn("q1"), turn("q2"))
            assert found.thumbs == {}

        self._with(use)

    def test_any_payload_comes_back_as_it_was(self) -> None:
        """Whatever JSON can say, in any script, of any size of number."""
        self.comes_back(*ODD)

    def comes_back(self, *payloads: dict[str, Any]) -> None:
        """Payloads, as what was shown and as the state."""

        async def use(store: ConversationStore) -> None:
            said = Turn(query_id="q", payloads=payloads)
            standing = Standing(title="T", state={"all": list(payloads)})
            await store.add_turn(MINE, said, standing, at=NOON)
            found = await store.load(MINE)
            assert found is not None
            assert found.turns == (said,)
            assert found.standing == standing

        self._with(use)

    def test_users_are_apart(self) -> None:
        """Two users may have a conversation of one id, and neither sees the other's."""

        async def use(store: ConversationStore) -> None:
            await store.add_turn(MINE, turn("q1"), Standing(title="Mine"), at=NOON)
            assert await store.load(YOURS) is None
            assert not await store.rename(YOURS, "Taken")
            assert not await store.give_thumb(YOURS, "q1", Thumb(value=1, given_at=NOON))
            assert not await store.delete(YOURS)
            await store.add_turn(YOURS, turn("q9"), Standing(title="Yours"), at=NOON)
            assert [item.title for item in await store.listed("mine")] == ["Mine"]
            assert [item.title for item in await store.listed("yours")] == ["Yours"]
            assert await store.delete(YOURS)
            found = await store.load(MINE)
            assert found is not None
            assert found.turns == (turn("q1"),)

        self._with(use)

    def test_a_list_begins_with_the_last_changed(self) -> None:
        """With titles, times and numbers of turns; of one user or of all."""

        async def use(store: ConversationStore) -> None:
            await store.add_turn(MINE, turn("q1"), Standing(title="One"), at=NOON)
            await store.add_turn(MINE_TOO, turn("q2"), Standing(title="Two"), at=NOON + HOUR)
            await store.add_turn(YOURS, turn("q3"), Standing(title="Three"), at=NOON + HOUR / 2)
            await store.add_turn(MINE, turn("q4"), Standing(title="One"), at=NOON + 2 * HOUR)
            mine = await store.listed("mine")
            assert [(item.key, item.title, item.turns) for item in mine] == [
                (MINE, "One", 2),
                (MINE_TOO, "Two", 1),
            ]
            assert mine[0].changed_at == NOON + 2 * HOUR
            assert [item.key for item in await store.listed()] == [MINE, MINE_TOO, YOURS]
            assert list(await store.listed("nobody")) == []

        self._with(use)

    def test_a_title_can_be_changed(self) -> None:
        """The turns and the order of the list stay."""

        async def use(store: ConversationStore) -> None:
            await store.add_turn(MINE, turn(), Standing(title="One", state={"a": 1}), at=NOON)
            assert await store.rename(MINE, "Ωμέγα 😀")
            (listed,) = await store.listed("mine")
            assert (listed.title, listed.changed_at) == ("Ωμέγα 😀", NOON)
            found = await store.load(MINE)
            assert found is not None
            assert found.standing == Standing(title="Ωμέγα 😀", state={"a": 1})
            assert not await store.rename(MINE_TOO, "Nothing")

        self._with(use)

    def test_what_is_deleted_is_gone(self) -> None:
        """With thumbs; a conversation of the same id begins anew."""

        async def use(store: ConversationStore) -> None:
            await store.add_turn(MINE, turn("q1"), Standing(title="One"), at=NOON)
            assert await store.give_thumb(MINE, "q1", Thumb(value=1, given_at=NOON))
            assert await store.delete(MINE)
            assert not await store.delete(MINE)
            assert await store.load(MINE) is None
            assert list(await store.thumbs("mine")) == []
            await store.add_turn(MINE, turn("q1"), Standing(title="Anew"), at=NOON)
            found = await store.load(MINE)
            assert found is not None
            assert (len(found.turns), found.thumbs) == (1, {})

        self._with(use)

    def test_the_last_thumb_counts_and_can_be_taken_back(self) -> None:
        """One for each reply; none for a reply that is not there."""

        async def use(store: ConversationStore) -> None:
            await store.add_turn(MINE, turn("q1"), Standing(title="One"), at=NOON)
            await store.add_turn(MINE, turn("q2"), Standing(title="One"), at=NOON)
            assert not await store.give_thumb(MINE, "q3", Thumb(value=1, given_at=NOON))
            assert not await store.give_thumb(MINE_TOO, "q1", Thumb(value=1, given_at=NOON))
            assert await store.give_thumb(MINE, "q1", Thumb(value=1, given_at=NOON))
            bad, good = Thumb(value=0, given_at=NOON + HOUR), Thumb(value=2, given_at=NOON)
            assert await store.give_thumb(MINE, "q1", bad)
            assert await store.give_thumb(MINE, "q2", good)
            found = await store.load(MINE)
            assert found is not None
            assert found.thumbs == {"q1": 0, "q2": 2}
            assert list(await store.thumbs("mine")) == [good, bad]
            assert await store.take_thumb(MINE, "q1")
            assert not await store.take_thumb(MINE, "q3")
            assert list(await store.thumbs("mine")) == [good]

        self._with(use)

    def test_what_is_old_is_purged(self) -> None:
        """By the last turn, not by the first; a dry run only counts."""

        async def use(store: ConversationStore) -> None:
            await store.add_turn(MINE, turn("q1"), Standing(title="One"), at=NOON)
            await store.add_turn(MINE_TOO, turn("q2"), Standing(title="Two"), at=NOON)
            await store.add_turn(MINE_TOO, turn("q3"), Standing(title="Two"), at=NOON + 2 * HOUR)
            assert await store.purge(NOON + HOUR, dry_run=True) == 1
            assert len(await store.listed("mine")) == 2
            assert await store.purge(NOON + HOUR) == 1
            assert [item.key for item in await store.listed("mine")] == [MINE_TOO]
            assert await store.purge(NOON + HOUR) == 0

        self._with(use)

    def _with(self, use: Callable[[ConversationStore], Coroutine[Any, Any, None]]) -> None:
        with self.opened() as store:
            asyncio.run(use(store))
