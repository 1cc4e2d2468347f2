"""The ways on which a question travels, and all that each of them shows of the answer.

What is shown is every text that a program, a page or a saved conversation is given.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from elysia_guard import Guard, RAGResponse
from elysia_guard import config as configuration
from elysia_guard.config import AnswerCacheSection, WriterSection
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation.adversaries.server import AdversaryServer
from elysia_guard.evaluation.adversaries.tally import shown_in
from elysia_guard.wiring import Wiring


class Direct:
    """The direct route; all that a program is given is what is shown."""

    name = "direct"

    def __init__(self, wiring: Wiring) -> None:
        self._guard = Guard(wiring=wiring)

    async def ask(self, query: str) -> tuple[RAGResponse, str]:
        """Answer a question; return the response, and every text that it holds."""
        reply = await self._guard.aask(query, request_id="adversary")
        return reply, shown_in(reply, reply.to_dict())


class Headless:
    """The tree; all that it sends and keeps is what is shown."""

    name = "tree"

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring

    async def ask(self, query: str) -> tuple[RAGResponse, str]:
        """Answer a question; return the response, and every text that was sent or kept."""
        from elysia_guard.edge.elysia import GuardedTree

        self._wiring.pipeline.check(query)
        tree = GuardedTree(wiring=self._wiring)
        sent = [item async for item in tree.async_run(query, query_id="adversary")]
        if tree.last_response is None:
            raise GuardError("the tree ended without a response")
        kept = (tree.conversation_history, tree.tree_data.tasks_completed, tree.returner.store)
        return tree.last_response, shown_in(sent, kept, tree.last_response.to_dict())


class Plain:
    """Elysia itself, told by its model what the guard's was told: its text is what is shown."""

    name = "plain Elysia"

    def __init__(self, server: AdversaryServer) -> None:
        import dspy

        from elysia_guard.edge.elysia.host import Settings

        dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=False)
        self._settings = Settings()
        self._settings.BASE_MODEL = self._settings.COMPLEX_MODEL = "adversary"
        self._settings.BASE_PROVIDER = self._settings.COMPLEX_PROVIDER = "openai"
        self._settings.MODEL_API_BASE = server.url
        self._settings.API_KEYS = {"openai_api_key": "none"}
        self._settings.LOGGING_LEVEL_INT = logging.CRITICAL
        self._settings.logger.setLevel(logging.CRITICAL)
        # DSPy warns of whole prompts.
        logging.getLogger("dspy").setLevel(logging.ERROR)

    async def ask(self, query: str, tools: Sequence[object] = ()) -> str:
        """Answer a question, with further tools; return the texts that a page would show."""
        from elysia_guard.edge.elysia.host import Tree

        tree = Tree("default", settings=self._settings)
        for tool in tools:
            tree.add_tool(tool)
        sent = [item async for item in tree.async_run(query) if item]
        return shown_in([item["payload"] for item in sent if item["type"] == "text"])


Way = Direct | Headless
NOTHING: Mapping[str, float] = MappingProxyType({})


def wiring_of(
    server: AdversaryServer | None, *, patience: Mapping[str, float] = NOTHING, **sections: object
) -> Wiring:
    """Put the parts together with a model that writes; without a server, no model does.

    ``patience`` is what the section ``writer`` says beside its server.
    """
    chosen: dict[str, object] = {
        "test_triggers": True,
        "log_level": "ERROR",
        # A question that is asked twice is to be written twice.
        "answer_cache": AnswerCacheSection(enabled=False),
        **sections,
    }
    if server:
        named = {"kind": "language_model", "url": server.url, "model": "adversary"}
        chosen["writer"] = WriterSection.model_validate({**named, **patience})
    wiring = Wiring(configuration.load().model_copy(update=chosen))
    wiring.ensure_index()
    return wiring


def put(text: str, path: Path, name: str) -> None:
    """Replace what stands between the marks of a document that bear a name."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    path.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")
