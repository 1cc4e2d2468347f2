"""Kinds of documents: the four that every house has, and those that a house declares."""

from __future__ import annotations

import re
from typing import ClassVar

_FORM = re.compile(r"(?P<letters>[^\W\d_]+)(?P<between>[^\w{}]?)\{number(?::0(?P<width>[1-9])d)?\}")
_LAST = 1_000


class DocumentKind(str):
    """What a document is: the name of its kind, and how a house writes of it.

    Two are equal that have one name. ``form`` is how its references are written, ``like`` the
    standing kind that it behaves as (a standing one is like itself), ``doc_type`` what sources name
    its type, and ``rank`` its place among the kinds, from 0.

    >>> DocumentKind("decision").written(12)
    'ADR-0012'
    >>> rfc = DocumentKind.own("rfc", like=DocumentKind.DECISION, form="RFC {number}", rank=3)
    >>> rfc.written(12), rfc.prefix, rfc.like
    ('RFC 12', 'RFC', <DocumentKind.DECISION: 'decision'>)
    """

    __slots__ = ("doc_type", "form", "like", "rank")
    form: str
    like: DocumentKind
    doc_type: str
    rank: int

    DECISION: ClassVar[DocumentKind]
    PRINCIPLE: ClassVar[DocumentKind]
    POLICY: ClassVar[DocumentKind]
    DOCUMENT: ClassVar[DocumentKind]
    """Anything else that was ingested: no number, no house form."""

    def __new__(cls, name: str) -> DocumentKind:  # noqa: PYI034  (one there is already)
        """Return a kind that every house has.

        Raises:
            ValueError: there is none of this name.
        """
        if name not in _STANDING:
            raise ValueError(f"{name!r} is no kind that every house has")
        return _STANDING[name]

    @classmethod
    def own(
        cls, name: str, *, like: DocumentKind, form: str, rank: int, doc_type: str = ""
    ) -> DocumentKind:
        """Declare a kind of a house's own.

        Args:
            name: of letters; no other kind has it.
            like: the standing kind that it behaves as.
            form: letters, one character or none, and the number: ``RFC-{number:04d}``.
            rank: its place among the kinds.
            doc_type: what sources name its type; by default its letters, or else its name.

        Raises:
            ValueError: the form is none.
        """
        found = _FORM.fullmatch(form)
        if found is None:
            raise ValueError(
                f"the form {form!r} must be like 'RFC-{{number:04d}}' or 'RB {{number}}'"
            )
        letters = found["letters"]
        is_name = letters.casefold() == name.casefold()
        called = doc_type or (letters if is_name else name.capitalize())
        return _made(name, form, called, rank, like)

    def formed(self, form: str) -> DocumentKind:
        """Return the kind, with its references written in another form.

        The type of a decision is named by its letters.

        Raises:
            ValueError: the form is none.
        """
        other = DocumentKind.own(self, like=self.like, form=form, rank=self.rank, doc_type="any")
        other.doc_type = other.prefix if self.doc_type == self.prefix else self.doc_type
        return other

    @property
    def value(self) -> str:
        """Its name, as a plain string."""
        return str(self)

    @property
    def prefix(self) -> str:
        """The letters before the number: ``ADR``, ``PCP``, ``POL``, or ``DOC``."""
        found = _FORM.fullmatch(self.form)
        return found["letters"] if found else self.form

    @property
    def is_numbered(self) -> bool:
        """Whether its documents have a row of numbers."""
        return self != DocumentKind.DOCUMENT

    def written(self, number: int) -> str:
        """Write a reference to one of its documents, in the house form."""
        return self.form.format(number=number)

    def __repr__(self) -> str:
        """Name it as a member: those of a house of its own are none of the class."""
        if self in _STANDING:
            return f"<DocumentKind.{self.upper()}: {str(self)!r}>"
        return f"<DocumentKind {str(self)!r}>"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> dict[str, object]:
        """Tell how one is read from settings and from JSON: by its name, in the house in force."""
        from elysia_guard.domain.own_kinds import in_house

        return {
            "type": "function-after",
            "schema": {"type": "str"},
            "function": {"type": "no-info", "function": lambda name: in_house().named(name)},
            "serialization": {"type": "to-string"},
        }

    def __deepcopy__(self, memo: object) -> DocumentKind:
        """A kind never changes."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Tell how another process makes it."""
        return _again, (str(self), self.form, self.doc_type, self.rank, str(self.like))


def _made(
    name: str, form: str, doc_type: str, rank: int, like: DocumentKind | None = None
) -> DocumentKind:
    kind = str.__new__(DocumentKind, name)
    kind.form, kind.doc_type, kind.rank = form, doc_type, rank
    kind.like = kind if like is None else like
    return kind


def _again(name: str, form: str, doc_type: str, rank: int, like: str) -> DocumentKind:
    standing = _STANDING.get(name)
    if standing is not None and standing.form == form:
        return standing
    return _made(name, form, doc_type, rank, _STANDING[like])


_STANDING = {
    "decision": _made("decision", "ADR-{number:04d}", "ADR", 0),
    "principle": _made("principle", "PCP-{number:04d}", "Principle", 1),
    "policy": _made("policy", "POL-{number:04d}", "Policy", 2),
    "document": _made("document", "DOC-{number:04d}", "Document", _LAST),
}
STANDING_KINDS = tuple(_STANDING.values())
"""The kinds that every house has, in their order."""
for _kind in STANDING_KINDS:
    setattr(DocumentKind, _kind.upper(), _kind)
