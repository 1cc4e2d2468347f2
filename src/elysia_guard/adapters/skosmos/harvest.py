"""Whole vocabularies fetched from a Skosmos server: their download, or concept by concept."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from elysia_guard.adapters.skos_graph import Graph, concepts_of
from elysia_guard.adapters.skos_limits import BeyondLimitError
from elysia_guard.adapters.skos_rdf import mended_quads
from elysia_guard.adapters.skosmos.catalogue import Catalogue
from elysia_guard.adapters.skosmos.errors import SKOSMOSError
from elysia_guard.adapters.skosmos.patience import PatientWire, Sleep
from elysia_guard.adapters.skosmos.plan import Harvest, Plan
from elysia_guard.adapters.skosmos.rest import Rest, namespace
from elysia_guard.adapters.skosmos.service import Service
from elysia_guard.adapters.skosmos.wire import OK, Wire
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.errors import DocumentError
from elysia_guard.ports import Clock
from elysia_guard.resilience.together import together

__all__ = ["Harvest", "Harvester", "Plan", "Progress"]

MAX_ANSWER_BYTES = 50_000_000
MAX_DOWNLOAD_BYTES = 500_000_000
MAX_CONCEPTS = 1_000_000
DOWNLOAD_TIMES = 10
"""How many times as long as a request a download may take."""
FORMATS = {"text/turtle": ".ttl", "application/rdf+xml": ".rdf"}

Progress = Callable[[int, int, str], None]


class Harvester:
    """Fetches whole vocabularies; ``service.timeout_ms`` is the time for one request.

    Args:
        service: the server, and how it is asked; titles that it names win over the server's.
        hosts: hosts beside the server's own from which a download is taken.
        downloads: whether downloads are used at all.
        sleep: waits before a further try.
        clock: tells the time.
    """

    def __init__(
        self,
        service: Service,
        *,
        hosts: Iterable[str] = (),
        downloads: bool = True,
        sleep: Sleep = asyncio.sleep,
        clock: Clock = time.monotonic,
    ) -> None:
        self._service = service
        self._home = httpx.URL(service.base_url)
        self._hosts = {host.lower() for host in (self._home.host, *hosts)}
        self._downloads = downloads
        self._sleep = sleep
        self._clock = clock
        self._wire = self._wire_to(service.base_url, MAX_ANSWER_BYTES, 1)
        self._catalogue = Catalogue(self._wire, name=service.name)

    def _wire_to(self, url: str, max_body_bytes: int, times: int) -> PatientWire:
        return PatientWire(
            url,
            name=self._service.name,
            max_concurrency=self._service.max_concurrency,
            max_body_bytes=max_body_bytes,
            timeout_s=times * self._service.timeout_ms / 1000,
            sleep=self._sleep,
            clock=self._clock,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._wire.aclose()

    async def plans(self) -> list[Plan]:
        """Find out how the named vocabularies, or all of the server's, are to be fetched.

        Raises:
            SKOSMOSTimeout, SKOSMOSError: it cannot be asked, or has no such vocabulary.
        """
        asked = list(self._service.vocabularies) or list(await self._catalogue.vocabularies())
        if not asked:
            raise SKOSMOSError(f"{self._service.name} has no vocabularies")
        return [await self._plan(vocabulary) for vocabulary in asked]

    async def _plan(self, vocabulary: str) -> Plan:
        about = await self._catalogue.about(vocabulary)
        # The id in the answer is not taken on trust: it becomes part of paths.
        about = about.model_copy(update={"id": vocabulary})
        plan = Plan(about=about, title=self._service.vocabularies.get(vocabulary) or about.title)
        if self._downloads:
            plan = await self._with_download(plan)
        if plan.whole:
            return plan
        concepts = await self._catalogue.concepts(about)
        if not concepts:
            raise SKOSMOSError(
                f"{self._service.name} lists no concept of {vocabulary!r}; is its store away?"
            )
        return replace(plan, concepts=concepts)

    async def _with_download(self, plan: Plan) -> Plan:
        for media_type, suffix in FORMATS.items():
            answer = await self._catalogue.download(plan.vocabulary, media_type)
            if answer is None:
                continue
            if answer.status == OK:
                return replace(plan, body=answer.body, suffix=suffix)
            url = self._allowed(answer.location)
            if url:
                return replace(plan, download=url, suffix=suffix)
            plan = replace(plan, elsewhere=True)
        return plan

    def _allowed(self, location: str) -> str:
        """The address of a download, if it is one that may be followed: never to less security."""
        try:
            url = self._home.join(location)
        except (httpx.InvalidURL, ValueError):
            return ""
        secure = url.scheme == "https" or (url.scheme == "http" and self._home.scheme == "http")
        return str(url) if secure and url.host in self._hosts else ""

    async def fetch(self, plan: Plan, progress: Progress = lambda *_: None) -> Harvest:
        """Fetch a vocabulary, whole; ``progress`` hears how many pieces of how many are there.

        Raises:
            SKOSMOSTimeout, SKOSMOSError: something of it cannot be had, or is damaged.
        """
        if not plan.whole:
            return await _OneByOne(plan, self._service, self._wire, progress).fetch()
        body = plan.body or await self._file(plan)
        progress(1, 1, plan.vocabulary)
        return Harvest(plan=plan, concepts=tuple(self._read(plan, body)))

    async def _file(self, plan: Plan) -> bytes:
        wire = self._wire_to(plan.download, MAX_DOWNLOAD_BYTES, DOWNLOAD_TIMES)
        try:
            answer = await wire.get(plan.download, {})
        finally:
            await wire.aclose()
        if answer.status != OK:
            raise self._unusable(plan, f"cannot be had (status {answer.status})")
        if answer.media_type == "text/html":
            raise self._unusable(plan, "is a web page, perhaps a login")
        return answer.body

    def _read(self, plan: Plan, body: bytes) -> Iterable[Concept]:
        try:
            yield from self._concepts(plan, body)
        except (DocumentError, BeyondLimitError):
            raise self._unusable(plan, "goes beyond what a vocabulary may hold") from None

    def _concepts(self, plan: Plan, body: bytes) -> Iterable[Concept]:
        # The name is the base of relative URIs and tells the format.
        data = body.removeprefix(b"\xef\xbb\xbf")
        quads, broken = mended_quads(Path(f"vocabulary{plan.suffix}"), data)
        if broken:
            # What the parser says may quote the file, and that is for nobody's eyes.
            where = f" (line {broken.line})" if broken.line else ""
            raise self._unusable(plan, f"is damaged{where}")
        graph = Graph()
        if not graph.read(quads, plan.vocabulary):
            raise self._unusable(plan, "holds no skos:Concept")
        for concept in concepts_of(graph):
            title = plan.title or concept.vocabulary_title
            yield replace(concept, vocabulary=plan.vocabulary, vocabulary_title=title)

    def _unusable(self, plan: Plan, what: str) -> SKOSMOSError:
        return SKOSMOSError(
            f"{self._service.name}: the download of {plan.vocabulary!r} {what}; "
            "fetch it --one-by-one instead"
        )


class _OneByOne:
    """The concepts of one vocabulary, a few at a time, and those that they lead to."""

    def __init__(self, plan: Plan, service: Service, wire: Wire, progress: Progress) -> None:
        self._plan = plan
        self._service = service
        self._rest = Rest(wire, vocabularies={plan.vocabulary: plan.title}, name=service.name)
        self._progress = progress
        self._labels = dict(plan.concepts)
        self._todo = deque(self._labels)
        self._homes = {namespace(uri) for uri in self._labels}
        self._found: dict[str, Concept] = {}
        self._pieced: list[str] = []
        self._missing: list[str] = []
        self._done = 0

    async def fetch(self) -> Harvest:
        await together(*(self._work() for _ in range(self._service.max_concurrency)))
        return Harvest(
            plan=self._plan,
            concepts=tuple(sorted(self._found.values(), key=lambda concept: concept.uri)),
            pieced=tuple(sorted(self._pieced)),
            missing=tuple(sorted(self._missing)),
        )

    async def _work(self) -> None:
        while self._todo:
            uri = self._todo.popleft()
            concept = await self._concept(uri)
            if concept:
                self._found[uri] = concept
                self._go_on_from(concept)
            elif uri in self._plan.concepts:
                self._missing.append(uri)
            self._done += 1
            self._progress(self._done, len(self._labels), self._labels[uri] or uri)

    async def _concept(self, uri: str) -> Concept | None:
        if concept := await self._rest.concept(uri, self._plan.vocabulary):
            return concept
        label = self._labels[uri]
        if not label:
            return None
        concept = await self._rest.pieced_together(uri, label, vocabulary=self._plan.vocabulary)
        if concept:
            self._pieced.append(uri)
        return concept

    def _go_on_from(self, concept: Concept) -> None:
        """Note the neighbours that the index does not list: hidden ones, and other languages."""
        near = (*concept.broader, *concept.narrower, *concept.related, *concept.replaced_by)
        for uri in near:
            if uri not in self._labels and namespace(uri) in self._homes:
                if len(self._labels) >= MAX_CONCEPTS:
                    raise SKOSMOSError(
                        f"{self._service.name} lists more than {MAX_CONCEPTS:,} concepts"
                    )
                self._labels[uri] = ""
                self._todo.append(uri)
