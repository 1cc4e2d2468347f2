"""How a vocabulary is to be fetched from a Skosmos server, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from elysia_guard.adapters.skos_graph import vocabulary_id
from elysia_guard.adapters.skosmos.catalogue import About
from elysia_guard.domain.concept import Concept


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How a vocabulary is to be fetched: its download, or the concepts that are known of."""

    about: About
    title: str
    download: str = field(default="", repr=False)
    """An address, which nobody is shown."""
    suffix: str = ".ttl"
    body: bytes = field(default=b"", repr=False)
    """The download, where it came at once."""
    concepts: Mapping[str, str] = field(default_factory=dict)
    """Their URIs, each with a label."""
    elsewhere: bool = False
    """Whether there is a download on a host that was not allowed."""

    @property
    def vocabulary(self) -> str:
        """The id."""
        return self.about.id

    @property
    def whole(self) -> bool:
        """Whether it comes in one piece."""
        return bool(self.download or self.body)

    @property
    def steps(self) -> int:
        """How many pieces there are to fetch, as far as is known."""
        return 1 if self.whole else len(self.concepts)


@dataclass(frozen=True, kw_only=True, slots=True)
class Harvest:
    """A vocabulary as it was fetched.

    ``scheme`` is the URI of the scheme that it can be called by, if there is one; ``pieced`` are
    concepts put together from searches, which may lack alternative labels and relations;
    ``missing`` are listed and yet cannot be had.
    """

    plan: Plan
    concepts: tuple[Concept, ...]
    pieced: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def scheme(self) -> str:
        """The URI of the scheme that gives the vocabulary its id; empty if there is none."""
        uris = (scheme.uri for scheme in self.plan.about.schemes)
        return next((uri for uri in uris if vocabulary_id(uri) == self.plan.vocabulary), "")
