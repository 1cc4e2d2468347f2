"""What kinds of documents are called, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.own_kinds import FILE, kept_by_kinds, own_kinds
from elysia_guard.language.pack import packs
from elysia_guard.language.pack_reader import PackError
from elysia_guard.language.pack_sections import KindSection
from elysia_guard.language.phrases import spoken
from elysia_guard.language.text import words

PREFIXES: Mapping[str, DocumentKind] = {
    "adr": DocumentKind.DECISION,
    "dar": DocumentKind.DECISION,
    "pcp": DocumentKind.PRINCIPLE,
    "pol": DocumentKind.POLICY,
}
"""What stands before a number in a register, in no language."""
_ALONE = {
    DocumentKind.DECISION: "(adr|dar)('?s)?",
    DocumentKind.PRINCIPLE: "pcp('?s)?",
    DocumentKind.POLICY: "",
}
"""A prefix that is said alone: 'our ADRs'. 'Pol' is not."""


def numbered() -> tuple[DocumentKind, ...]:
    """Return the kinds that have names and a row of numbers of their own, in their order."""
    return own_kinds().numbered


@kept_by_kinds()
def prefixes() -> Mapping[str, DocumentKind]:
    """Return what stands before a number, also in a register of one's own: 'rfc'.

    Raises:
        PackError: a name of one's own is that of another kind in a language.
    """
    house = own_kinds()
    for kind in house.numbered:
        for word in sorted(house.forms(kind)):
            if (named := known_as(word, kind)) != kind:
                raise PackError(f"{FILE}: '{word}' is what a {named} is called; it is no {kind}")
    known = {word: house.named(kind) for word, kind in PREFIXES.items()}
    own = {word.lower(): kind for kind, says in house.said for word in says.everywhere.prefixes}
    return {**known, **own}


def known_as(word: str, kind: DocumentKind) -> DocumentKind:
    """Return the kind that a word is for already, in a register or a language; else this one."""
    others = (other for other in numbered() if other != kind and word in nouns(other))
    return PREFIXES.get(word) or next(others, kind)


@kept_by_kinds()
def nouns(kind: DocumentKind, *, many: bool | None = None) -> tuple[str, ...]:
    """Return what a kind is called in every language, as phrases, the longest first.

    Args:
        kind: of documents.
        many: several of them, or one; by default either.
    """
    found = {word for said in _called(kind) for word in _counted(said, many=many)}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


def names(kind: DocumentKind) -> tuple[str, ...]:
    """Return what one document of a kind may be called, also by its prefix: 'adr', 'Prinzip'."""
    own = (prefix for prefix, named in prefixes().items() if named == kind and prefix != "dar")
    return (*own, *nouns(kind, many=False))


@kept_by_kinds()
def pattern(kind: DocumentKind) -> str:
    """Write the pattern of every word that names a kind, or says that one is meant: 'decided'."""
    said = [word for item in _called(kind) for word in item.said]
    own = [*nouns(kind), *said, *filter(None, (_ALONE.get(kind),))]
    return spoken(rf"\b({'|'.join(own)})\b")


@kept_by_kinds()
def compounds(kind: DocumentKind) -> str:
    """Write the pattern of the end of a word that names a kind: 'Sicherheitsrichtlinie'."""
    found = [word for said in _called(kind, compounds=True) for word in _counted(said)]
    # A name of one's own may be short: not every word that ends in 'ep' is an EP.
    names = {word for word in found if " " not in word} - own_kinds().forms()
    ends = sorted(names, key=len, reverse=True)
    return spoken(rf"\B({'|'.join(ends)})\b") if ends else "(?!)"


@kept_by_kinds()
def _named(kind: DocumentKind) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(pattern(kind), re.IGNORECASE),
        re.compile(compounds(kind), re.IGNORECASE),
    )


@kept_by_kinds(maxsize=64)
def kinds_named(text: str) -> tuple[DocumentKind, ...]:
    """Return the kinds of documents that a text names, in any language.

    >>> kinds_named("Welche Sicherheitsrichtlinien gibt es?")
    (<DocumentKind.POLICY: 'policy'>,)
    """
    return tuple(kind for kind in numbered() if any(form.search(text) for form in _named(kind)))


def without_kinds(text: str) -> str:
    """Return a text with a blank for each word that names a kind."""
    for kind in numbered():
        text = _named(kind)[0].sub(" ", text)
    return text


def names_as_words(found: Sequence[str]) -> list[tuple[int, int]]:
    """Return where each of some words begins and ends, what a house calls a kind being one.

    Args:
        found: the words of a text, in small letters: 'the', 'request', 'for', 'comments'.

    Returns:
        Places among them, each from where to where.
    """
    places, at, names = [], 0, long_names()
    while at < len(found):
        fitting = (len(name) for name in names if tuple(found[at : at + len(name)]) == name)
        size = max(fitting, default=1)
        places.append((at, at + size))
        at += size
    return places


@kept_by_kinds()
def long_names() -> Mapping[tuple[str, ...], tuple[DocumentKind, bool]]:
    """Return the names of a house that are made of several words, and whether they are of one."""
    return {
        said: (kind, is_one)
        for kind, own in own_kinds().said
        for called in own.every
        for names_, is_one in ((called.plural, False), (called.singular, True))
        for name in names_
        if len(said := tuple(words(name))) > 1
    }


def _called(kind: DocumentKind, *, compounds: bool = False) -> Iterator[KindSection]:
    for item in packs().values():
        if item.core.kinds.compounds or not compounds:
            yield item.kind(kind)


def _counted(said: KindSection, *, many: bool | None = None) -> tuple[str, ...]:
    if many is None:
        return (*said.one, *said.many)
    return said.many if many else said.one
