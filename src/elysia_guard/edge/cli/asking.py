"""Putting questions to the guard, on either route."""

from __future__ import annotations

import sys
from collections.abc import Coroutine
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from elysia_guard.domain.document import DocumentKind
    from elysia_guard.domain.response import RAGResponse
    from elysia_guard.wiring import Wiring


class Ask(Protocol):
    """Answers one question after the other, from one start-up."""

    def __call__(
        self, question: str, *, request_id: str | None = None
    ) -> Coroutine[Any, Any, RAGResponse]: ...


def asker(wiring: Wiring, *, route: str, kind: DocumentKind | None = None) -> Ask:
    """Return what answers on a route: ``tree``, ``direct``, or ``auto``, which is direct."""
    return _on_the_tree(wiring) if route == "tree" else _directly(wiring, kind)


def _directly(wiring: Wiring, kind: DocumentKind | None) -> Ask:
    from elysia_guard.guard import Guard

    guard = Guard(wiring=wiring)

    async def ask(question: str, *, request_id: str | None = None) -> RAGResponse:
        return await guard.aask(question, kind=kind, request_id=request_id)

    return ask


def _on_the_tree(wiring: Wiring) -> Ask:
    # Elysia logs to standard output, which belongs to the answers.
    with redirect_stdout(sys.stderr):
        from elysia_guard.edge.elysia import TreeAsker

        tree = TreeAsker(wiring)

    async def ask(question: str, *, request_id: str | None = None) -> RAGResponse:
        with redirect_stdout(sys.stderr):
            return await tree.ask(question, request_id=request_id)

    return ask
