"""Putting questions to the guard, on either route."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from elysia_guard.edge.cli.options import debugging

if TYPE_CHECKING:
    from elysia_guard.domain.document import DocumentKind
    from elysia_guard.domain.mode import Mode
    from elysia_guard.domain.response import RAGResponse
    from elysia_guard.wiring import Wiring


class Ask(Protocol):
    """Answers one question after the other, from one start-up."""

    def __call__(
        self, question: str, *, request_id: str | None = None
    ) -> Coroutine[Any, Any, RAGResponse]: ...


def asker(
    wiring: Wiring, *, route: str, kind: DocumentKind | None = None, mode: Mode | None = None
) -> Ask:
    """Return what answers on a route: ``tree``, ``direct``, or ``auto``, which is direct."""
    return _on_the_tree(wiring, kind, mode) if route == "tree" else _directly(wiring, kind, mode)


def _directly(wiring: Wiring, kind: DocumentKind | None, mode: Mode | None) -> Ask:
    from elysia_guard.guard import Guard

    guard = Guard(wiring=wiring)

    async def ask(question: str, *, request_id: str | None = None) -> RAGResponse:
        return await guard.aask(question, kind=kind, request_id=request_id, mode=mode)

    return ask


def _on_the_tree(wiring: Wiring, kind: DocumentKind | None, mode: Mode | None) -> Ask:
    with quiet_host():
        from elysia_guard.edge.elysia import TreeAsker

        tree = TreeAsker(wiring)
    only = (kind.value,) if kind else ()

    async def ask(question: str, *, request_id: str | None = None) -> RAGResponse:
        with quiet_host():
            return await tree.ask(question, request_id=request_id, collections=only, mode=mode)

    return ask


@contextmanager
def quiet_host() -> Iterator[None]:
    """Keep what Elysia prints out of the answers: it draws each decision on standard output."""
    if debugging():
        with redirect_stdout(sys.stderr):
            yield
        return
    with (
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
        redirect_stdout(nowhere),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
