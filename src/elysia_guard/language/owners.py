"""Whose documents are meant: the names of owners, compared by identity and never by likeness."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Owner, Role
from elysia_guard.language.approvals import named_as
from elysia_guard.language.pack import either, words_of
from elysia_guard.language.phrases import compiled
from elysia_guard.language.text import normalise, without_marks, words

_SHORTEST_ACRONYM = 2


@cache
def articles() -> frozenset[str]:
    """What may stand before the name of an owner."""
    return frozenset(words_of(lambda core: (*core.words.definite, *core.owners.before)))


@cache
def _endings() -> frozenset[str]:
    """What may stand behind the name of an owner, or not: the 'CISO office' is the CISO."""
    return frozenset(map(without_marks, words_of(lambda core: core.owners.endings)))


@cache
def _links() -> frozenset[str]:
    """Words that have no letter in an acronym."""
    return frozenset(map(without_marks, words_of(lambda core: core.owners.links)))


@cache
def _and() -> re.Pattern[str]:
    joins = either(lambda core: core.owners.joins)
    return compiled(rf"\s*(,|\b{joins}\b)\s*")


def named_owners(written: str, owners: Iterable[str], *, in_full: bool = False) -> tuple[str, ...]:
    """Return the owners that a phrase names, as one or as several; none unless all are known.

    ``in_full`` asks for every word of a name, or its acronym in capitals: where 'data' may as well
    be a subject, it is not the Data Office.

    >>> named_owners("the CISO office", ["Chief Information Security Office", "Data Council"])
    ('Chief Information Security Office',)
    """
    known = tuple(dict.fromkeys(owners))
    found = _same(written, known)
    if in_full and not written.isupper():
        return tuple(owner for owner in found if _name(owner) == _name(written))
    if found or in_full:
        return found
    each = [_same(part, known) for part in _and().split(written)]
    return tuple(dict.fromkeys(owner for found in each for owner in found)) if all(each) else ()


def owned(every: Sequence[Document], owner: Owner, kinds: Sequence[DocumentKind]) -> Evidence:
    """Find an owner, else whom records of what has none call its driver; else name the owners."""
    silent = [item for item in every if not (item.owner or item.approval)]
    for role, among in ((Role.OWNER, every), (Role.DRIVER, silent)):
        names = [name for item in among for name in named_as(role, item)]
        if found := named_owners(owner.written, names, in_full=not owner.said):
            return Evidence(owners=found, role=role)
    if owner.topic is not None:
        return Evidence()
    own = {item.owner for item in every if item.kind in kinds} - {""}
    return Evidence(other_owners=tuple(sorted(own or {item.owner for item in every} - {""})))


def _same(written: str, owners: tuple[str, ...]) -> tuple[str, ...]:
    """The owners that bear a name: all that fit in the same way, the closest way first."""
    asked = _name(written)
    bare = _bare(asked)
    names = {owner: _name(owner) for owner in owners}
    # 'The Data Office' is the Alliander Data Office, where no other name ends so.
    ends = [each for each, name in names.items() if len(asked) > 1 and name[-len(asked) :] == asked]
    return (
        tuple(owner for owner, name in names.items() if asked and name == asked)
        or tuple(owner for owner, name in names.items() if bare and _bare(name) == bare)
        or tuple(owner for owner, name in names.items() if _is_short_for(bare, name))
        or (tuple(ends) if len(ends) == 1 else ())
    )


def _name(text: str) -> tuple[str, ...]:
    """The words of a name, without the article before it."""
    found = [without_marks(word) for word in words(normalise(text))]
    while found and found[0] in articles():
        del found[0]
    return tuple(found)


def _bare(name: tuple[str, ...]) -> tuple[str, ...]:
    """A name without its ending, wherever that stands: 'the office of the CISO' is the CISO."""
    if len(name) > 1 and name[0] in _endings() and name[1] in _links():
        rest = name[1:]
        while rest and rest[0] in _links():
            rest = rest[1:]
        return rest
    return name[:-1] if len(name) > 1 and name[-1] in _endings() else name


def _is_short_for(written: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """'CISO' is short for 'Chief Information Security Office'."""
    initials = "".join(word[0] for word in name if word not in _links())
    return len(initials) >= _SHORTEST_ACRONYM and written == (initials,)
