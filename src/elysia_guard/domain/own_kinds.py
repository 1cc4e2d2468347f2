"""What a house calls its kinds of documents, and which of its own it has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from elysia_guard.domain.kinds import STANDING_KINDS, DocumentKind

Words = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Called:
    """What one kind of document is called; ``prefixes`` stand before a number.

    ``definite`` is the one that was spoken of, with its article ('das RFC'), where a language
    needs one; by default the noun alone.
    """

    prefixes: Words = ()
    one: Words = ()
    many: Words = ()
    definite: str = ""

    @property
    def singular(self) -> Words:
        """What one of them is called, in small letters."""
        return _small((*self.prefixes, *self.one))

    @property
    def plural(self) -> Words:
        """What several are called: 'rfcs', 'rfc's'."""
        several = (f"{word}{end}" for word in self.prefixes for end in ("s", "'s"))
        return _small((*several, *self.many))


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnKind:
    """What a house says of one kind: how its references are written, and what it is called.

    ``form`` is empty where it is written as the program writes it. ``everywhere`` are names in
    every language, ``spoken`` those of one language; the first of each is what replies say.
    ``folders`` are names or paths of folders whose documents are of the kind.
    """

    form: str = ""
    folders: Words = ()
    everywhere: Called = Called()
    spoken: tuple[tuple[str, Called], ...] = ()

    def called(self, lang: str) -> Called:
        """What the kind is called in a language, first in its own words."""
        own, said = dict(self.spoken).get(lang, Called()), self.everywhere
        return Called(
            prefixes=said.prefixes,
            one=(*own.one, *said.one),
            many=(*own.many, *said.many),
            definite=own.definite,
        )

    @property
    def every(self) -> tuple[Called, ...]:
        """The names in all languages."""
        return (self.everywhere, *(said for _, said in self.spoken))


@dataclass(frozen=True, kw_only=True, slots=True)
class FurtherKind:
    """A kind of a house's own, and the collection that holds it."""

    kind: DocumentKind
    says: OwnKind
    collection: str


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnKinds:
    """The kinds of documents of one house: those that all have, under its names, and further ones.

    Two are equal that say the same: ``digest`` names what is said, and is empty where nothing is.
    """

    decision: OwnKind = OwnKind()
    principle: OwnKind = OwnKind()
    policy: OwnKind = OwnKind()
    further: tuple[FurtherKind, ...] = ()
    digest: str = field(init=False, default="")
    numbered: tuple[DocumentKind, ...] = field(init=False, repr=False)
    """Every kind that has a row of numbers, in their order."""
    every: tuple[DocumentKind, ...] = field(init=False, repr=False)
    """Every kind, in their order."""

    def __post_init__(self) -> None:
        """Name what is said.

        Raises:
            ValueError: a form is none.
        """
        standing = [
            kind.formed(form) if (form := self._of_standing(kind).form) else kind
            for kind in STANDING_KINDS
            if kind.is_numbered
        ]
        numbered = (*standing, *(item.kind for item in self.further))
        said = [getattr(self, kind) for kind in standing]
        if any(each != OwnKind() for each in said) or self.further:
            told = repr(
                (
                    said,
                    [(repr(each.kind), each.kind.__reduce__()[1], each) for each in self.further],
                )
            )
            import hashlib  # most houses say nothing of their own

            object.__setattr__(self, "digest", hashlib.sha256(told.encode()).hexdigest())
        object.__setattr__(self, "numbered", numbered)
        object.__setattr__(self, "every", (*numbered, DocumentKind.DOCUMENT))

    def __eq__(self, other: object) -> bool:
        """Tell whether the same is said."""
        return isinstance(other, OwnKinds) and self.digest == other.digest

    def __hash__(self) -> int:
        """Follow equality."""
        return hash(self.digest)

    def named(self, name: str) -> DocumentKind:
        """Return the kind of a name.

        Raises:
            ValueError: there is none; the message names those that there are.
        """
        for kind in self.every:
            if kind == name:
                return kind
        raise ValueError(
            f"there is no kind {name!r} of documents; there are {', '.join(self.every)}. "
            f'Name it in languages/kinds.toml, beside the settings: [{name}], like = "decision"'
        )

    def of(self, kind: str) -> OwnKind:
        """What is said of a kind; nothing of documents of no kind."""
        further = (item.says for item in self.further if item.kind == kind)
        return next(further, None) or self._of_standing(kind)

    def _of_standing(self, kind: str) -> OwnKind:
        found: OwnKind = getattr(self, kind, OwnKind()) if kind in _NAMED else OwnKind()
        return found

    @property
    def said(self) -> Iterator[tuple[DocumentKind, OwnKind]]:
        """Every numbered kind, with what is said of it."""
        return ((kind, self.of(kind)) for kind in self.numbered)

    def forms(self, kind: str | None = None) -> frozenset[str]:
        """Every name that is given, of one document and of several; of one kind, or of all."""
        said = [self.of(kind)] if kind else [own for _, own in self.said]
        called = [each for own in said for each in own.every]
        return frozenset(word for each in called for word in (*each.singular, *each.plural))


_NAMED = ("decision", "principle", "policy")
STANDING = OwnKinds()
"""The kinds of a house that says nothing of its own."""
_in_force: ContextVar[OwnKinds | None] = ContextVar("elysia_guard_kinds", default=None)


def in_force() -> OwnKinds | None:
    """Return the kinds of the house that is worked for here; None where that is not said."""
    return _in_force.get()


def in_house() -> OwnKinds:
    """Return the kinds of the house whose question is worked on."""
    return _in_force.get() or STANDING


@contextmanager
def under(kinds: OwnKinds | None) -> Iterator[None]:
    """Work for a house with these kinds; with None whatever was in force stays so."""
    token = _in_force.set(kinds or _in_force.get())
    try:
        yield
    finally:
        _in_force.reset(token)


def _small(words: Words) -> Words:
    return tuple(word.lower() for word in words)
