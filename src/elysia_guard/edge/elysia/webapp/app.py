"""Elysia's FastAPI application, with our managers in it."""

from __future__ import annotations

from elysia_guard.edge.elysia.webapp import quiet

# Before anything of `elysia.api` is imported: it sets the root logger to DEBUG.
quiet.quiet_logs()

from fastapi import FastAPI  # noqa: E402

from elysia_guard.edge.access_policy import Policy  # noqa: E402
from elysia_guard.edge.elysia.webapp import front_end, programs, views  # noqa: E402
from elysia_guard.edge.elysia.webapp.answered import TellsAnswered  # noqa: E402
from elysia_guard.edge.elysia.webapp.leaving import EndsWithItsPage  # noqa: E402
from elysia_guard.edge.elysia.webapp.managers import GuardedUserManager  # noqa: E402
from elysia_guard.edge.elysia.webapp.pages.routes import router as pages  # noqa: E402
from elysia_guard.edge.elysia.webapp.protection import protect  # noqa: E402
from elysia_guard.edge.elysia.webapp.protection.settings import Vetting  # noqa: E402
from elysia_guard.edge.elysia.webapp.protection.vault import Vault  # noqa: E402
from elysia_guard.edge.elysia.webapp.routes import router  # noqa: E402
from elysia_guard.running import run_anywhere  # noqa: E402
from elysia_guard.wiring import Wiring  # noqa: E402


def create_app(wiring: Wiring, *, host: str = "127.0.0.1") -> FastAPI:
    """Return Elysia's web app with a guarded tree in every conversation.

    Elysia keeps one application and one user manager a process, so the last call wins.

    Args:
        wiring: the parts that all conversations use.
        host: the address that it will be served at; others than loopback need a secret.

    Raises:
        GuardError: vocabulary, index or configuration cannot be had, or the chat would stand open.
    """
    policy = Policy.of(wiring.config.server, host)
    _ = wiring.pipeline  # what is missing is said now, not at the first question
    run_anywhere(wiring.warm_up())
    from elysia.api.dependencies import common

    vault = Vault()
    vault.learn_environment()
    vault.learn([*wiring.secrets, policy.secret, policy.admin_secret])
    # Routes, websockets, lifespan and scheduler all ask for this one when they run.
    users = GuardedUserManager(wiring, Vetting(policy=policy, vault=vault))
    common.user_manager = users
    if wiring.conversations:
        run_anywhere(wiring.conversations.purge())
    quiet.no_settings_kept()
    quiet.discreet_logs(wiring.config.log_queries, vault)
    quiet.no_resource_reports()
    quiet.environment_stays()
    quiet.bounded_highlights(wiring.config.max_question_chars)
    app = _host_app(most=wiring.config.max_question_chars)
    app.state.policy, app.state.vault, app.state.in_use = policy, vault, users.shown
    app.state.has_reply = users.has_reply
    app.state.observe = wiring.pipeline.observe
    app.state.programs = programs.service_of(wiring)
    return app


def _host_app(*, most: int) -> FastAPI:
    """Elysia's application, with our routes before its own; changed once a process."""
    from elysia.api.app import app

    host: FastAPI = app
    if not getattr(host.state, "guarded", False):
        host.router.routes[:0] = [
            *router.routes,
            *programs.router.routes,
            *views.router.routes,
            *front_end.router(most=most).routes,
            *pages.routes,
        ]
        host.add_middleware(EndsWithItsPage)
        protect(host)
        host.add_middleware(TellsAnswered)
        host.state.guarded = True
    return host
