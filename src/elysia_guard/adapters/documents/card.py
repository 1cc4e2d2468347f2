"""What a document says about itself, and where it says who it is."""

from __future__ import annotations

from dataclasses import dataclass

from elysia_guard.domain.document import DocumentKind, Identity


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """Where it is said who a document is, and how: 'front matter', 'ADR-0012', 'ADR.12'."""

    source: str
    identity: Identity
    written: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Card:
    """What a document says about itself; ``warnings`` tells where it contradicts itself.

    ``claims`` are all places that say who it is, the most explicit first, which is believed.
    """

    kind: DocumentKind
    number: int | None
    approval: bool
    identifier: str
    title: str
    status: str
    date: str
    version: str
    owner: str
    lang: str
    superseded_by: str
    supersedes: str
    warnings: tuple[str, ...]
    claims: tuple[Claim, ...]

    @property
    def identity(self) -> Identity | None:
        """Kind and number, or None for a document without a number."""
        if self.number is None:
            return None
        return Identity(kind=self.kind, number=self.number, approval=self.approval)
