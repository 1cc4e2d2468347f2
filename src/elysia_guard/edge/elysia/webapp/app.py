"""Elysia's FastAPI application, with our managers in it."""

from __future__ import annotations

from elysia_guard.edge.elysia.webapp import quiet

# Before anything of `elysia.api` is imported: it sets the root logger to DEBUG.
quiet.quiet_logs()

from fastapi import FastAPI  # noqa: E402

from elysia_guard.edge.elysia.webapp import front_end  # noqa: E402
from elysia_guard.edge.elysia.webapp.keeping import KeepingUserManager  # noqa: E402
from elysia_guard.edge.elysia.webapp.leaving import EndsWithItsPage  # noqa: E402
from elysia_guard.edge.elysia.webapp.metrics import router as metrics  # noqa: E402
from elysia_guard.edge.elysia.webapp.origin import own_page_only  # noqa: E402
from elysia_guard.edge.elysia.webapp.routes import router  # noqa: E402
from elysia_guard.running import run_anywhere  # noqa: E402
from elysia_guard.wiring import Wiring  # noqa: E402


def create_app(wiring: Wiring) -> FastAPI:
    """Return Elysia's web app with a guarded tree in every conversation.

    Elysia keeps one application and one user manager a process, so the last call wins.

    Raises:
        GuardError: vocabulary, index or configuration cannot be had.
    """
    _ = wiring.pipeline  # what is missing is said now, not at the first question
    run_anywhere(wiring.warm_up())
    from elysia.api.dependencies import common

    # Routes, websockets, lifespan and scheduler all ask for this one when they run.
    common.user_manager = KeepingUserManager(wiring)
    if wiring.conversations:
        run_anywhere(wiring.conversations.purge())
    quiet.keep_settings_in(wiring.config.index.path.parent / "web-settings")
    quiet.discreet_logs(wiring.config.log_queries, wiring.secrets)
    quiet.no_resource_reports()
    quiet.environment_stays()
    quiet.bounded_highlights(wiring.config.max_question_chars)
    return _host_app()


def _host_app() -> FastAPI:
    """Elysia's application, with our routes before its own; changed once a process."""
    from elysia.api.app import app

    host: FastAPI = app
    if not getattr(host.state, "guarded", False):
        host.router.routes[:0] = [*router.routes, *metrics.routes, *front_end.router().routes]
        own_page_only(host)
        host.add_middleware(EndsWithItsPage)
        host.state.guarded = True
    return host
