"""What we use of Elysia, imported so that it needs no network; other modules take it from here."""

from __future__ import annotations

import warnings

from elysia_guard.hosting import prepare

prepare()

# What Elysia imports warns by the dozen, and sets the process's warning filters; neither lasts.
with warnings.catch_warnings(record=True):
    from elysia.config import Settings, is_api_key
    from elysia.objects import Error, Response, Result, Status, Text, Tool, Update
    from elysia.tree.objects import Environment, TreeData
    from elysia.tree.tree import Tree
    from elysia.tree.util import Decision, DecisionNode
    from elysia.util.client import ClientManager
    from elysia.util.objects import Tracker

__all__ = [
    "ClientManager",
    "Decision",
    "DecisionNode",
    "Environment",
    "Error",
    "Response",
    "Result",
    "Settings",
    "Status",
    "Text",
    "Tool",
    "Tracker",
    "Tree",
    "TreeData",
    "Update",
    "is_api_key",
    "prepare",
]
