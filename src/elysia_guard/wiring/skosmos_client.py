"""``SKOSMOSClient`` as a program uses it by itself: it counts and logs what it does (IR0003)."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from types import MappingProxyType

from elysia_guard.adapters import skosmos
from elysia_guard.adapters.skosmos import SKOSMOSResult
from elysia_guard.domain.context import RequestContext, current_request, within
from elysia_guard.domain.events import Event
from elysia_guard.domain.question import Lang
from elysia_guard.observability.logs import log_events
from elysia_guard.observability.metrics import Metrics
from elysia_guard.ports import Clock, Observer

_ALL: Mapping[str, str] = MappingProxyType({})


class SKOSMOSClient(skosmos.SKOSMOSClient):
    """Looks terms up in Skosmos, with a cache; counts each look-up and logs what goes wrong.

    Takes the arguments of ``adapters.skosmos.SKOSMOSClient``. ``observe`` takes the place of the
    log; counted is in any case, in ``metrics.registry``. A look-up outside of any request gets a
    request id of its own.

    Examples:
        >>> with SKOSMOSClient("https://vocab.vennet.example") as client:  # doctest: +SKIP
        ...     client.lookup("CIMXML").definition
    """

    def __init__(  # noqa: PLR0913 - the first four are IR0003's
        self,
        base_url: str,
        timeout_ms: int = 300,
        cache_ttl_seconds: int = 600,
        cache_max_size: int = 5000,
        *,
        vocabularies: Mapping[str, str] = _ALL,
        lang: Lang = "en",
        whole: bool = False,
        observe: Observer | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self.metrics = Metrics()
        told = observe or log_events()

        def both(event: Event) -> None:
            self.metrics(event)
            told(event)

        super().__init__(
            base_url,
            timeout_ms,
            cache_ttl_seconds,
            cache_max_size,
            vocabularies=vocabularies,
            lang=lang,
            whole=whole,
            observe=both,
            clock=clock,
        )

    async def _lookup(self, term: str) -> SKOSMOSResult:
        if current_request():
            return await super()._lookup(term)
        with within(RequestContext(f"req-{uuid.uuid4().hex[:12]}", "direct")):
            return await super()._lookup(term)
