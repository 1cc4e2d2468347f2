"""Terminology from a Skosmos server, over its REST interface."""

from elysia_guard.adapters.skosmos.client import AsyncSkosmosClient
from elysia_guard.adapters.skosmos.errors import SKOSMOSError, SKOSMOSTimeout
from elysia_guard.adapters.skosmos.service import Service
from elysia_guard.adapters.skosmos.synchronous import SKOSMOSClient, SKOSMOSResult

__all__ = [
    "AsyncSkosmosClient",
    "SKOSMOSClient",
    "SKOSMOSError",
    "SKOSMOSResult",
    "SKOSMOSTimeout",
    "Service",
]
