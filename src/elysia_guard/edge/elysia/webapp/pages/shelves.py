"""The collections as the page lists them, under names that a person knows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from elysia_guard.config import Config
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.own_kinds import under
from elysia_guard.domain.scope import EVERYTHING, CollectionScope, VocabularyUse
from elysia_guard.language.catalogue import say

_NOT_IN_AN_ADDRESS = re.compile(r"[/\\?#%\s]+")
"""The page writes a name into an address as it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shelf:
    """One collection.

    ``name`` is what the page shows, ``collection`` what the configuration calls it. ``kind`` is
    that of its documents; None is the vocabulary.
    """

    name: str
    collection: str
    kind: DocumentKind | None = None


def shelves_of(config: Config) -> tuple[Shelf, ...]:
    """Return every collection that there may be, the vocabulary last."""
    lang = config.default_lang
    ranked = sorted(config.collections.items(), key=lambda item: item[0].rank)
    with under(config.kinds):
        documents = tuple(
            Shelf(name=_shown(say(lang, f"kind.{kind}")), collection=name, kind=kind)
            for kind, name in ranked
        )
    called = say(lang, "kind.vocabulary", name=config.terminology.name)
    return *documents, Shelf(name=_shown(called), collection=config.vocabulary_collection)


def shelf_named(shelves: Sequence[Shelf], name: str) -> Shelf | None:
    """Return the collection of a name, its own or the configured one; None if there is none."""
    wanted = name.casefold()
    return next(
        (item for item in shelves if wanted in {item.name.casefold(), item.collection.casefold()}),
        None,
    )


def scope_of(
    names: Sequence[str], shelves: Sequence[Shelf], offered: frozenset[str], config: Config
) -> CollectionScope:
    """Return what a question may reach that the page asks of some collections.

    Args:
        names: the collections that are switched on.
        shelves: those that there may be.
        offered: the names of those that the page has listed.
        config: what they are called.
    """
    found = {item.name for name in names if (item := shelf_named(shelves, name))}
    if offered and found >= offered:
        return EVERYTHING
    known: Mapping[str, str] = {item.name.casefold(): item.collection for item in shelves}
    meant = [known.get(name.casefold(), name) for name in names]
    scope = CollectionScope.of_names(meant, config.collections, config.vocabulary_collection)
    vocabulary = next(item.name for item in shelves if item.kind is None)
    if names and offered and vocabulary not in offered:
        # Nobody has left out what the page could not offer.
        return replace(scope, vocabulary=VocabularyUse.ASKED)
    return scope


def _shown(name: str) -> str:
    plain = _NOT_IN_AN_ADDRESS.sub(" ", name).strip()
    return plain[:1].upper() + plain[1:]
