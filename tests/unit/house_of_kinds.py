"""A house with decisions, RFCs, runbooks and policies, whose numbers are the same."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.tables import FOLDER

HOUSE = FOLDER / "house_of_kinds"
KINDS = (HOUSE / "kinds.toml").read_text(encoding="utf-8")
"""What the house says of its kinds of documents."""
SETTINGS = """\
terminology: {kind: skos_file, files: []}
index: {path: build/index.sqlite, sources: [docs]}
collections: {decision: ADRs, principle: Principles, policy: Policies, document: Others}
conversations: {enabled: false}
"""


def settle(folder: Path, kinds: str = KINDS) -> Path:
    """Write the house into a folder; return its settings."""
    shutil.copytree(HOUSE / "docs", folder / "docs")
    languages = folder / "config" / "languages"
    languages.mkdir(parents=True)
    if kinds:
        (languages / "kinds.toml").write_text(kinds, encoding="utf-8")
    settings = folder / "config" / "guard.yaml"
    settings.write_text(SETTINGS, encoding="utf-8")
    return settings
