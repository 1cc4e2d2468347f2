"""Terminology from a Skosmos server, over its REST interface."""

from elysia_guard.adapters.skosmos.client import AsyncSkosmosClient
from elysia_guard.adapters.skosmos.rest import SKOSMOSError, SkosmosService, SKOSMOSTimeout

__all__ = [
    "AsyncSkosmosClient",
    "SKOSMOSError",
    "SKOSMOSTimeout",
    "SkosmosService",
]
