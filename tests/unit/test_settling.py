"""What stays is not looked through for garbage again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from elysia_guard.running import settle


@pytest.fixture(autouse=True)
def unfrozen() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_what_is_there_is_looked_through_no_more() -> None:
    kept = [{"n": n} for n in range(10_000)]
    settle()
    assert gc.get_freeze_count() >= len(kept)
    assert not any(each is kept for each in gc.get_objects())


def test_what_comes_later_is_still_found() -> None:
    settle()
    later: list[object] = []
    later.append(later)
    place = id(later)
    assert any(id(each) == place for each in gc.get_objects())
    del later
    assert gc.collect() >= 1
