"""``/metrics`` for Prometheus, and the same as ``/metrics.json``."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client.registry import Collector

from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.elysia.webapp.managers import GuardedUserManager
from elysia_guard.edge.elysia.webapp.protection.nearby import may_read_metrics
from elysia_guard.observability import exposition
from elysia_guard.observability.workers import counted

# After managers, which makes the import of Elysia need no network.
from elysia.api.dependencies import common  # isort: skip

router = APIRouter()

FRESH = {"Cache-Control": "no-store"}
NOT_FROM_HERE = (
    "The metrics are shown on this machine, or to whoever sends the secret; "
    "observability.metrics_for: everyone changes that."
)


# Not `async`: the files of other workers are read in a thread.
@router.get("/metrics")
def metrics(request: Request) -> Response:
    """What has been counted since the start, in the text format of Prometheus."""
    found = _counted(request)
    if isinstance(found, Response):
        return found
    text = exposition.as_text(found)
    return Response(text, media_type=exposition.CONTENT_TYPE, headers=FRESH)


@router.get("/metrics.json")
def metrics_json(request: Request) -> Response:
    """What has been counted since the start, as JSON."""
    found = _counted(request)
    if isinstance(found, Response):
        return found
    return Response(exposition.as_json(found), media_type="application/json", headers=FRESH)


def _counted(request: Request) -> Collector | Response:
    """Return the metrics of all workers, or why this request does not get them."""
    users: GuardedUserManager = common.get_user_manager()
    wiring = users.wiring
    if wiring.config.observability.metrics_for != "everyone" and not may_read_metrics(request):
        return PlainTextResponse(f"{NOT_FROM_HERE}\n", status_code=403)
    try:
        return counted(wiring.metrics)
    except ConfigError as err:
        return PlainTextResponse(f"{err}\n", status_code=503, headers=FRESH)
