"""What Elysia's web app does unasked, switched off or moved.

Each replaced function is one that Elysia looks up in its module when it calls it.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, TextIO

from elysia_guard.edge.elysia import offline
from elysia_guard.edge.elysia.webapp.protection.vault import Vault
from elysia_guard.observability.logs import JsonLines, LogQueries

LEVEL = logging.ERROR
"""What Elysia may say on the console. At INFO it prints every question and answer."""


class _OurLines(logging.StreamHandler[TextIO]):
    """Writes records on standard error, one JSON line each, where nobody else has set logs up."""


class _ErrorsOnly(logging.Filter):
    """Outlasts what every new `Settings()` of Elysia does to its logger's level and handlers."""

    def filter(self, record: logging.LogRecord) -> bool:
        # Brackets in a message are text; read as rich's markup they raise.
        record.markup = False
        if record.levelno < LEVEL:
            return False
        lines = _our_lines()
        for handler in lines:
            handler.handle(record)
        return not lines


def _our_lines() -> list[_OurLines]:
    return [item for item in logging.root.handlers if isinstance(item, _OurLines)]


def quiet_logs() -> None:
    """Let Elysia log errors only. Call before it imports `elysia.api`, which turns on DEBUG."""
    if not logging.root.handlers:
        lines = _OurLines(sys.stderr)
        lines.setFormatter(JsonLines())
        logging.basicConfig(level=logging.WARNING, handlers=[lines])
    logger = logging.getLogger("rich")
    if not any(isinstance(item, _ErrorsOnly) for item in logger.filters):
        logger.addFilter(_ErrorsOnly())


class _WithoutKeys(JsonLines):
    """Lines without the keys that are known by then."""

    def __init__(self, log_queries: LogQueries, vault: Vault) -> None:
        super().__init__(log_queries=log_queries, secrets=vault)
        self._vault = vault

    def format(self, record: logging.LogRecord) -> str:
        return self._vault.redact(super().format(record))


def discreet_logs(log_queries: LogQueries, vault: Vault) -> None:
    """Let our lines show no more of questions than they may, and no key."""
    for handler in _our_lines():
        handler.setFormatter(_WithoutKeys(log_queries, vault))


def no_settings_kept() -> None:
    """Let what the settings page sets end with the process; Elysia writes into its own package.

    It also saves settings and conversations in a Weaviate, where one is named; here in none.
    """
    from elysia.api.routes import user_config
    from elysia.api.services import user
    from elysia.api.utils import config

    class Unsaved(config.FrontendConfig):
        """Elysia's own says that it is saved, also where there is no Weaviate to save it in."""

        def to_json(self) -> dict[str, Any]:
            told: dict[str, Any] = super().to_json()
            return told | {"save_trees_to_weaviate": False, "save_configs_to_weaviate": False}

    def save(*_: object) -> None:
        return

    async def begin(_user_id: str, logger: logging.Logger) -> Any:
        return Unsaved(logger=logger)

    config.ClientManager = offline.NoWeaviate
    user_config.save_frontend_config_to_file = save
    user.load_frontend_config_from_file = begin


def no_resource_reports() -> None:
    """Elysia writes `resources.txt` into the working directory, and blocks a second to measure."""
    from elysia.api import app

    async def nothing() -> None:
        return

    app.output_resources = nothing


def bounded_highlights(max_chars: int) -> None:
    """Mark names and nouns in questions only: parsing a pasted book blocks every conversation."""
    from elysia.api.routes import query

    highlight = query.named_entity_recognition
    if getattr(highlight, "bounded", False):
        highlight = highlight.unbounded

    def bounded(text: object) -> dict[str, Any]:
        if isinstance(text, str) and len(text) <= max_chars:
            return dict(highlight(text))
        return {"text": text, "entity_spans": [], "noun_spans": [], "error": ""}

    bounded.bounded = True  # type: ignore[attr-defined]
    bounded.unbounded = highlight  # type: ignore[attr-defined]
    query.named_entity_recognition = bounded


def environment_stays() -> None:
    """Swap the environment for runs with a language model only.

    Elysia swaps the whole process's for every step of a run. Runs at once put back each other's:
    the machine's keys are lost, and one user's stay for all.
    """
    from elysia.tree import tree

    host = tree.ElysiaKeyManager
    if getattr(host, "guarded", False):
        return

    class KeysOfModels(host):  # type: ignore[misc, valid-type]
        guarded = True

        def __enter__(self) -> None:
            self.needed = self.settings.BASE_MODEL != offline.NO_MODEL
            if self.needed:
                super().__enter__()

        def __exit__(self, *failure: object) -> None:
            if self.needed:
                super().__exit__(*failure)

    tree.ElysiaKeyManager = KeysOfModels
