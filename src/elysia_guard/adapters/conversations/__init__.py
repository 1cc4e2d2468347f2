"""Conversations that outlive a restart: by default in an SQLite file of this machine."""

from elysia_guard.adapters.conversations.keeper import Keeper
from elysia_guard.adapters.conversations.locks import AdvisoryLocks, FileLocks, Turnstile
from elysia_guard.adapters.conversations.store import SqlConversations

__all__ = ["AdvisoryLocks", "FileLocks", "Keeper", "SqlConversations", "Turnstile"]
