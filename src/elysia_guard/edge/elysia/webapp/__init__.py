"""Elysia's web app with a guarded tree in every conversation."""

from elysia_guard.edge.elysia.webapp.app import create_app
from elysia_guard.edge.elysia.webapp.server import serve

__all__ = ["create_app", "serve"]
