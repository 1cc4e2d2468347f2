"""elysia-guard: a knowledge-base assistant that says only what its sources say.

A plugin for Weaviate's agent framework Elysia. Importing this package imports neither Elysia nor
any model: each name below is loaded when it is first used. An ``import elysia`` that comes after it
needs no network.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from elysia_guard.domain.loading import uncollected
from elysia_guard.domain.showing import shown_by
from elysia_guard.hosting import prepare_in_time

if TYPE_CHECKING:
    from elysia_guard.direct import Guard
    from elysia_guard.domain.conversation import Conversation
    from elysia_guard.domain.errors import GuardError
    from elysia_guard.domain.refusal import RefusalReason
    from elysia_guard.domain.response import RAGResponse
    from elysia_guard.edge.elysia import GuardedTree, guard, install
    from elysia_guard.reading.terminology import is_terminology_query
    from elysia_guard.wiring.skosmos_client import SKOSMOSClient

__version__ = "0.1.0"

_HOMES = {
    "Conversation": "elysia_guard.domain.conversation",
    "Guard": "elysia_guard.direct",
    "GuardError": "elysia_guard.domain.errors",
    "GuardedTree": "elysia_guard.edge.elysia",
    "RAGResponse": "elysia_guard.domain.response",
    "RefusalReason": "elysia_guard.domain.refusal",
    "SKOSMOSClient": "elysia_guard.wiring.skosmos_client",
    "guard": "elysia_guard.edge.elysia",
    "install": "elysia_guard.edge.elysia",
    "is_terminology_query": "elysia_guard.reading.terminology",
}

__all__ = [
    "Conversation",
    "Guard",
    "GuardError",
    "GuardedTree",
    "RAGResponse",
    "RefusalReason",
    "SKOSMOSClient",
    "__version__",
    "guard",
    "install",
    "is_terminology_query",
]

prepare_in_time()
shown_by("elysia_guard.edge.notebook")


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with uncollected():
        return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
