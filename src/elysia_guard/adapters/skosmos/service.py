"""What there is to know of a Skosmos server before it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Service:
    """A Skosmos server, and how it is asked."""

    base_url: str
    """Its address, with or without ``/rest/v1``."""
    vocabularies: Mapping[str, str] = field(default_factory=dict)
    """The ids of the vocabularies to search, each with its title before a reader ('': the title of
    its scheme). None named: all of them in one global search, which is slow over many."""
    name: str = "Skosmos"
    """How it is called before a reader."""
    timeout_ms: int = 300
    """The time for a whole call, with every request that it takes."""
    max_concurrency: int = 8
    """Requests at a time; ten hanging ones fill the workers of a common Apache."""
    whole: bool = True
    """Fetch each concept whole: all labels, languages, notes and relations, and whether it is
    deprecated. Otherwise a look-up takes one request where its definition arrives sound."""
    known_term: str = ""
    """A term that is there. A Skosmos whose store is away says that nothing is there, so with this
    a miss is believed only from a server that has lately shown that it knows anything."""
