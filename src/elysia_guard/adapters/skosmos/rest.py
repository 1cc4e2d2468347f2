"""A Skosmos server, and the two calls of its REST interface that tell what a term means.

No message tells an address, a URL or what a server sent: a person may read it. For the same
reason these errors have no cause, whose text would tell them. Their names are IR0003's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from urllib.parse import quote

from elysia_guard.adapters.http import Answer, Http
from elysia_guard.adapters.skosmos.answers import (
    LabelRow,
    naming,
    pieced_together,
    read_concept,
    read_rows,
)
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.language.pack import langs
from elysia_guard.resilience.together import together

SOURCE = "skosmos"
API = "/rest/v1"
_URI = re.compile(r"""[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>"{}|\\^`]{1,1500}""")
# Bare, these are operators of JenaText's query language and a 500; search folds case anyhow.
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b")
Answers = Mapping[str, Sequence[LabelRow]]
_NONE: Answers = MappingProxyType({})
OK, NOT_FOUND = 200, 404
MAX_BODY_BYTES = 1_000_000
HOMES = 1_000
"""Namespaces of which it is remembered which vocabulary has them."""


class SKOSMOSTimeout(SourceTimeoutError):  # noqa: N818 - IR0003's name
    """Skosmos did not answer within the deadline."""

    def __init__(self, message: str) -> None:
        super().__init__(message, source=SOURCE)


class SKOSMOSError(SourceUnavailableError):
    """Skosmos could not be asked, or its answer cannot be trusted."""

    def __init__(self, message: str) -> None:
        super().__init__(message, source=SOURCE)


@dataclass(frozen=True, kw_only=True, slots=True)
class SkosmosService:
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


def http_of(service: SkosmosService) -> Http:
    """Return what asks a server, at its address with or without ``/rest/v1``."""
    return Http(
        service.base_url.rstrip("/").removesuffix(API) + API,
        name=service.name,
        error=SKOSMOSError,
        section="terminology.skosmos",
        at_once=service.max_concurrency,
    )


class Rest:
    """Search and data over some vocabularies, or over all where none is named."""

    def __init__(self, http: Http, *, vocabularies: Mapping[str, str], name: str) -> None:
        self._http = http
        self._vocabularies = vocabularies
        self._name = name
        self._homes: dict[str, str] = {}
        """Which vocabulary has concepts in a namespace: where to ask for a URI first."""

    def title(self, vocabulary: str) -> str:
        """The title of a vocabulary before a reader; empty where its scheme is to say it."""
        return self._vocabularies.get(vocabulary, "")

    async def search(self, term: str, *, show: str, vocabulary: str = "") -> list[LabelRow]:
        """Return a row for each label, in any language, that is the term but for case.

        ``show`` is the language of the definitions; empty for those without one.
        """
        asked = [vocabulary] if vocabulary else list(self._vocabularies) or [""]
        return list(chain(*await together(*(self._search(v, term, show) for v in asked))))

    async def _search(self, vocabulary: str, term: str, show: str) -> list[LabelRow]:
        # A `lang` would match in one language only; `unique` would hide how else a label matches.
        params = {"query": _plain(term), "fields": "definition"}
        return await self._rows(vocabulary, params | ({"labellang": show} if show else {}))

    async def _rows(self, vocabulary: str, params: Mapping[str, str]) -> list[LabelRow]:
        answer = await self._asked(f"{folder(vocabulary)}/search", params)
        rows = read_rows(answer)
        if rows is None:
            raise self._unusable(answer, vocabulary)
        return [row.model_copy(update={"vocab": vocabulary or row.vocab}) for row in rows]

    async def pieced_together(
        self, uri: str, label: str, *, vocabulary: str = "", known: Answers = _NONE
    ) -> Concept | None:
        """Make a concept of searches for one of its labels, in all languages that we speak.

        Skosmos does not find a URI with an ampersand, yet its search tells what it means.
        ``known`` are rows that a search has given, by the language that was asked for.
        """
        wanted = [lang for lang in (*langs(), "") if lang not in known]
        found = await together(
            *(self.search(label, show=lang, vocabulary=vocabulary) for lang in wanted)
        )
        others = ([row for row in naming(rows, label) if row.uri == uri] for rows in found)
        parts = {**known, **dict(zip(wanted, others, strict=True))}
        homes = {row.vocab for rows in parts.values() for row in rows}
        return pieced_together(parts, title=self.title(min(homes, default="")))

    async def concept(self, uri: str, vocabulary: str = "") -> Concept | None:
        """Return a concept, whole; None if it is not there. Its vocabulary may be unknown."""
        if not _URI.fullmatch(uri):
            return None
        first = vocabulary or self._homes.get(namespace(uri), "")
        if first and (concept := await self._data(first, uri)):
            return concept
        if vocabulary:
            return None
        others = [v for v in self._vocabularies if v != first] if self._vocabularies else [""]
        found = await together(*(self._data(other, uri) for other in others))
        return next(filter(None, found), None)

    async def _data(self, vocabulary: str, uri: str) -> Concept | None:
        # Not `json` nor an unescaped `ld+json`: those are 406.
        params = {"uri": uri, "format": "application/json"}
        answer = await self._asked(f"{folder(vocabulary)}/data", params)
        if _says_it_is_not_there(answer):
            return None
        if not answer.is_json:
            raise self._unusable(answer, vocabulary)
        try:
            concept = read_concept(
                answer.body, uri, vocabulary=vocabulary, title=self.title(vocabulary)
            )
        except (ValueError, SyntaxError):
            raise self._unusable(answer, vocabulary) from None
        if concept and vocabulary:
            if len(self._homes) >= HOMES:
                self._homes.clear()
            self._homes[namespace(uri)] = vocabulary
        return concept

    async def _asked(self, path: str, params: Mapping[str, str]) -> Answer:
        return await self._http.ask(
            "GET", path, params=params, max_bytes=MAX_BODY_BYTES, told={OK, NOT_FOUND}
        )

    def _unusable(self, answer: Answer, vocabulary: str) -> SKOSMOSError:
        if answer.status == NOT_FOUND and b"Vocabulary id" in answer.body:
            return SKOSMOSError(f"{self._name} has no vocabulary {vocabulary!r}; check its id")
        if answer.status != OK:
            return SKOSMOSError(f"{self._name} answered with status {answer.status}")
        return SKOSMOSError(f"{self._name} answered with something else than a vocabulary")


def _plain(text: str) -> str:
    """A text in which nothing is an operator."""
    return _OPERATOR.sub(lambda operator: operator[0].lower(), text)


def folder(vocabulary: str) -> str:
    """The path of a vocabulary below the API; without an id, that of all."""
    return f"/{quote(vocabulary, safe='')}" if vocabulary else ""


def namespace(uri: str) -> str:
    """What URIs of one vocabulary usually have in common."""
    return uri[: max(uri.rfind("/"), uri.rfind("#"))]


def _says_it_is_not_there(answer: Answer) -> bool:
    """Tell Skosmos' own 404 from that of a proxy, or of a wrong address."""
    return (
        answer.status == NOT_FOUND
        and answer.media_type == "text/plain"
        and b"no concept found" in answer.body
    )
