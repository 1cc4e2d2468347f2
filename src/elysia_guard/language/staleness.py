"""What a reader is told where the sources are no longer what the index knows of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elysia_guard.domain.document import Document
from elysia_guard.domain.origin import Staleness
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import ResponseWarning
from elysia_guard.language.catalogue import say

SHOWN = 3
"""So many documents are named in a message; its details name them all."""


def stale_warnings(staleness: Staleness, lang: Lang) -> tuple[ResponseWarning, ...]:
    """Return ADR-0031's warnings of a stale index; they come before what is shown."""
    return tuple(_warnings(staleness, lang))


def reach_warnings(staleness: Staleness, lang: Lang) -> tuple[ResponseWarning, ...]:
    """Say that the sources themselves could not be looked at, where that is so."""
    if not staleness.unreachable:
        return ()
    return (ResponseWarning(type="SOURCE_UNREACHABLE", message=say(lang, "stale.unreachable")),)


def _warnings(staleness: Staleness, lang: Lang) -> Iterator[ResponseWarning]:
    changed, gone = staleness.changed, staleness.gone
    if changed or gone:
        told = _named(changed or gone)
        yield ResponseWarning(
            type="STALE_INDEX",
            message=say(lang, "stale.changed" if changed else "stale.behind", names=told),
            details={"documents": [*_listed(changed, "changed"), *_listed(gone, "gone")]},
        )
    if staleness.vocabularies:
        told = ", ".join(staleness.vocabularies)
        yield ResponseWarning(
            type="STALE_INDEX",
            message=say(lang, "stale.vocabulary", names=told),
            details={"vocabularies": list(staleness.vocabularies)},
        )
    if gone:
        yield ResponseWarning(
            type="PHANTOM_FILE",
            message=say(lang, "stale.gone", names=_named(gone)),
            details={"documents": _listed(gone, "gone")},
        )
    lost = [item for item in changed if staleness.withheld.get(item.id)]
    if lost:
        counts = {item.id: staleness.withheld[item.id] for item in lost}
        yield ResponseWarning(
            type="SNIPPET_MISMATCH",
            message=say(lang, "stale.mismatch", names=_named(lost), count=sum(counts.values())),
            details={"withheld": counts},
        )


def _named(documents: Sequence[Document]) -> str:
    named = ", ".join(item.name for item in documents[:SHOWN])
    more = len(documents) - SHOWN
    return f"{named} (+{more})" if more > 0 else named


def _listed(documents: Sequence[Document], state: str) -> list[dict[str, str]]:
    return [{"doc_id": item.id, "path": item.path, "state": state} for item in documents]
