"""Which collections a question concerns: one alone is asked in one step, on every route."""

from __future__ import annotations

from collections.abc import Iterable

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.reading import (
    Asks,
    Comparison,
    Definition,
    Listing,
    Named,
    Part,
    Search,
)
from elysia_guard.domain.scope import CollectionScope

VOCABULARY = "vocabulary"


def concerned(parts: Iterable[Part], scope: CollectionScope) -> frozenset[str]:
    """Name the collections that may answer the parts of a question, by kind of their documents.

    What names no kind may be answered by any that it may reach. Small talk concerns none.
    """
    return frozenset(name for part in parts for name in _asked(part.asks, scope))


def concerns_one(parts: Iterable[Part], scope: CollectionScope) -> bool:
    """Tell whether there is nothing to decide between: one collection may answer, or none.

    What no rule decides never is: somebody else's tool may take it.
    """
    asked = tuple(parts)
    return len(concerned(asked, scope)) <= 1 and not any(part.is_open for part in asked)


def _asked(asks: Asks, scope: CollectionScope) -> tuple[str, ...]:
    vocabulary = (VOCABULARY,) if scope.defines else ()
    match asks:
        case Definition():
            return (VOCABULARY,)
        case Named() if all(item.kind for item in asks.references):
            return asks.kinds
        case Listing(kinds=kinds):
            return kinds
        case Search(kinds=kinds, term=term):
            return (*(kinds or _every(scope)), *(vocabulary if term else ()))
        case Named():
            return _every(scope)
        case Comparison():
            return (*_every(scope), *vocabulary)
        case _:
            return ()


def _every(scope: CollectionScope) -> tuple[DocumentKind, ...]:
    # Every house has more than one: which others it has makes no difference here.
    return tuple(DocumentKind) if scope.kinds is None else scope.kinds
