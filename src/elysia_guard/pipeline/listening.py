"""What is under way while an answer is made, told as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import suppress
from typing import Any

from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.response import RAGResponse


class Listening:
    """Does the work of an answer, and tells meanwhile what is being done.

    ``reply`` is there once ``heard`` has ended. Whoever stops listening ends the work: a page that
    goes away, or a stop button, stops the call of the model.
    """

    def __init__(self, inquiry: Inquiry, work: Coroutine[Any, Any, RAGResponse]) -> None:
        """Take the work, which is not begun before somebody listens."""
        self._inquiry = inquiry
        self._work = work
        self.reply: RAGResponse

    async def heard(self) -> AsyncGenerator[str, None]:
        """Yield what is being done, by its name.

        Raises:
            GuardError: as the work does.
        """
        steps: asyncio.Queue[str] = asyncio.Queue()
        for each in self._inquiry.every:
            each.progress = steps.put_nowait
        task = asyncio.ensure_future(self._work)
        task.add_done_callback(lambda _: steps.put_nowait(""))
        try:
            while step := await steps.get():
                yield step
            self.reply = await task
        finally:
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
