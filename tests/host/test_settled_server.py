"""A server looks for garbage among what comes after it has loaded what it needs."""

from __future__ import annotations

import gc

import pytest
import uvicorn

from elysia_guard.edge.elysia.webapp.server import _Server


async def test_it_settles_before_it_says_that_it_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    async def started(self: uvicorn.Server, sockets: object = None) -> None:
        self.started = True

    monkeypatch.setattr(uvicorn.Server, "startup", started)
    told: list[int] = []
    server = _Server(uvicorn.Config("none:app"), lambda: told.append(gc.get_freeze_count()))
    before = gc.get_freeze_count()
    try:
        await server.startup()
    finally:
        gc.unfreeze()
    assert told
    assert told[0] > before
