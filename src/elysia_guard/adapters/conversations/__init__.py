"""Conversations that outlive a restart: by default in an SQLite file of this machine."""

from elysia_guard.adapters.conversations.advisory_locks import AdvisoryLocks
from elysia_guard.adapters.conversations.keeper import Keeper
from elysia_guard.adapters.conversations.locks import FileLocks
from elysia_guard.adapters.conversations.store import SqlConversations
from elysia_guard.adapters.conversations.turnstile import Turnstile

__all__ = ["AdvisoryLocks", "FileLocks", "Keeper", "SqlConversations", "Turnstile"]
