"""Where languages of one's own lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from elysia_guard.language.pack_reader import PackError

FOLDER_VARIABLE: Final = "ELYSIA_GUARD_LANGUAGES"


def _own() -> str:
    """The folder that the environment names, or ``languages`` beside the settings in force."""
    if named := os.environ.get(FOLDER_VARIABLE, "").strip():
        return named
    settings = Path(os.environ.get("ELYSIA_GUARD_CONFIG", "").strip() or "config/guard.yaml")
    beside = settings.absolute().parent / "languages"
    return str(beside) if settings.is_file() and beside.is_dir() else ""


# Once: Elysia swaps the environment while its tools run.
_OWN: Final = _own()


def own_folder() -> Path | None:
    """Return the folder of one's own languages, if there is one.

    Raises:
        PackError: it is named, and not there.
    """
    if not _OWN:
        return None
    own = Path(_OWN)
    if not own.is_dir():
        raise PackError(f"{FOLDER_VARIABLE}: there is no folder {_OWN}")
    return own
