"""Asking the tree headlessly: a response per question, each in a conversation of its own."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.elysia.tree import GuardedTree
from elysia_guard.wiring import Wiring


class TreeAsker:
    """Runs questions through guarded trees over one set of parts."""

    def __init__(self, wiring: Wiring) -> None:
        """Take the parts; each question gets a fresh tree."""
        self._wiring = wiring

    async def ask(
        self,
        question: str,
        *,
        request_id: str | None = None,
        collections: Sequence[str] = (),
        mode: Mode | None = None,
    ) -> RAGResponse:
        """Run one question through a fresh tree; the rest is as for ``Guard.aask``.

        Raises:
            QuestionError: it cannot be asked: empty, too long, or without words.
            GuardError: the run ended without a response.
        """
        self._wiring.pipeline.check(question)
        tree = GuardedTree(wiring=self._wiring)
        tree.mode = mode
        request_id = request_id or f"req-{uuid.uuid4().hex[:12]}"
        async for _ in tree.async_run(question, list(collections), query_id=request_id):
            pass
        if tree.last_response is None:
            raise GuardError(f"the tree ended without a response for request {request_id}")
        return tree.last_response


async def ask_tree(question: str, *, wiring: Wiring, request_id: str | None = None) -> RAGResponse:
    """Run one question through a fresh tree; see ``TreeAsker.ask``."""
    return await TreeAsker(wiring).ask(question, request_id=request_id)
