"""Hearing what models write: by whom it is heard, and that nothing stays behind."""

from __future__ import annotations

import asyncio
import threading

import dspy
import pytest
from tests.host.fabricating import Fabricator
from tests.host.hostile import written

from elysia_guard.edge.elysia.completions import Completions
from elysia_guard.language.authorship import Author

pytestmark = pytest.mark.usefixtures("socket_disabled")


def heard(listener: Completions, text: str) -> bool:
    return listener.authorship.sift(text).author is Author.MODEL


async def test_b2_each_conversation_hears_its_own_models() -> None:
    """Of two conversations at once, neither takes the other's sources for a model's words."""
    one, other = Completions(), Completions()
    both = asyncio.Barrier(2)

    async def talk(listener: Completions, lm: Fabricator) -> str:
        with listener.listening():
            await both.wait()
            said = await written(lm, "anything")
            await both.wait()
        return said

    first, second = await asyncio.gather(
        talk(one, Fabricator("one")), talk(other, Fabricator("other"))
    )
    assert [heard(one, first), heard(one, second)] == [True, False]
    assert [heard(other, first), heard(other, second)] == [False, True]


async def test_b2_a_thread_that_nobody_is_known_of_is_heard_by_all() -> None:
    """A model that is called where nothing tells whose it is counts for every conversation."""
    one, other, said = Completions(), Completions(), []
    with one.listening(), other.listening():
        lm = Fabricator()
        thread = threading.Thread(target=lambda: said.append(asyncio.run(written(lm, "anything"))))
        thread.start()
        await asyncio.to_thread(thread.join)
    assert heard(one, said[0])
    assert heard(other, said[0])


async def test_b2_nothing_stays_behind_in_dspy() -> None:
    """When nobody listens any more, DSPy is as it was; a program's own callbacks stay."""
    before = list(dspy.settings.callbacks)
    listener = Completions()
    with listener.listening(), listener.listening():
        assert len(dspy.settings.callbacks) == len(before) + 1
    assert dspy.settings.callbacks == before
    assert not heard(listener, await written(Fabricator(), "anything"))
