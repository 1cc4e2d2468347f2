"""Questions for a list: what the documents are restricted to, and how a reader is told."""

from elysia_guard.language.lists.asked import list_asked
from elysia_guard.language.lists.registered import registered_list
from elysia_guard.language.lists.wording import listed, noun, restricted

__all__ = ["list_asked", "listed", "noun", "registered_list", "restricted"]
