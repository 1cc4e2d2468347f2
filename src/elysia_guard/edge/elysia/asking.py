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
        talk = TreeTalk(self._wiring, collections=collections, mode=mode)
        return await talk.ask(question, request_id=request_id)


class TreeTalk:
    """One conversation with a guarded tree: each question may follow up the ones before."""

    def __init__(
        self, wiring: Wiring, *, collections: Sequence[str] = (), mode: Mode | None = None
    ) -> None:
        """Begin a conversation over the parts; the rest is as for ``Guard.aask``."""
        self._wiring = wiring
        self._collections = list(collections)
        self._tree = GuardedTree(wiring=wiring)
        self._tree.mode = mode

    async def ask(self, question: str, *, request_id: str | None = None) -> RAGResponse:
        """Put the next question; the errors are those of ``TreeAsker.ask``."""
        self._wiring.pipeline.check(question)
        request_id = request_id or f"req-{uuid.uuid4().hex[:12]}"
        async for _ in self._tree.async_run(question, self._collections, query_id=request_id):
            pass
        if self._tree.last_response is None:
            raise GuardError(f"the tree ended without a response for request {request_id}")
        return self._tree.last_response


async def ask_tree(question: str, *, wiring: Wiring, request_id: str | None = None) -> RAGResponse:
    """Run one question through a fresh tree; see ``TreeAsker.ask``."""
    return await TreeAsker(wiring).ask(question, request_id=request_id)
