"""Whether one document names another, or says that it took its place or gave way to it."""

from __future__ import annotations

from pathlib import PurePath

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import LinkWay
from elysia_guard.language.references import find_references


def is_linked(way: LinkWay, target: Document, item: Document) -> bool:
    """Tell whether a document names or replaces the target, or the other way round."""
    acts = way in {LinkWay.NAMING, LinkWay.REPLACING}
    one, other = (item, target) if acts else (target, item)
    if way in {LinkWay.NAMING, LinkWay.NAMED_BY}:
        return other.id in one.links
    return _states(one.supersedes, one, other) or _states(other.superseded_by, other, one)


def _states(stated: str, by: Document, other: Document) -> bool:
    """Tell whether a field names another document; of one number that of the same folder."""
    told = {(each.kind or by.kind, each.number) for each in find_references(stated)}
    near = not other.apart or PurePath(by.path).parent == PurePath(other.path).parent
    return (other.kind, other.number) in told and near and not other.approval and by != other
