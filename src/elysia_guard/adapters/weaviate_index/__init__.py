"""The passage index in a Weaviate: a collection for each kind of document."""

from elysia_guard.adapters.weaviate_index.connection import Connection, Server
from elysia_guard.adapters.weaviate_index.reader import WeaviateIndex
from elysia_guard.adapters.weaviate_index.schema import DEFAULT_PREFIX, Names
from elysia_guard.adapters.weaviate_index.store import WeaviateStore

__all__ = ["DEFAULT_PREFIX", "Connection", "Names", "Server", "WeaviateIndex", "WeaviateStore"]
