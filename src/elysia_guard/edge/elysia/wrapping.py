"""Any other Elysia tool behind the gates: ``guard(tool)``."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Self

from elysia_guard.edge.elysia.host import Error, Result, Status, Tool


class GuardedTool(Tool):
    """A tool whose results become evidence: gated, then quoted or refused, never shown raw.

    What the inner tool says in its own words (texts, errors) stays inside.
    """

    def __init__(self, inner: Tool, **_kwargs: Any) -> None:
        """Take the inner tool's name, description and inputs."""
        super().__init__(
            name=inner.name, description=inner.description, inputs=inner.inputs, end=False
        )
        self.inner = inner
        self.guarded_tree: Any = None

    def in_tree(self, tree: Any) -> Self:
        """Return the tool as one tree uses it; another tree gets another."""
        if self.guarded_tree is tree:
            return self
        own = copy.copy(self)
        own.guarded_tree = tree
        return own

    async def is_tool_available(self, *args: Any, **kwargs: Any) -> bool:
        """Available when the inner tool is, and can say so."""
        try:
            return bool(await self.inner.is_tool_available(*args, **kwargs))
        except Exception:  # noqa: BLE001
            return False

    async def __call__(  # type: ignore[no-untyped-def]
        self, tree_data, inputs, base_lm, complex_lm, client_manager, **kwargs
    ) -> AsyncIterator[Any]:
        """Run the inner tool and hold what it returns against the gates.

        Where it fails, the search of our own takes its place, and the answer says so.
        """
        texts: list[tuple[str, str]] = []
        failed = False
        try:
            async for item in self.inner(
                tree_data=tree_data,
                inputs=inputs,
                base_lm=base_lm,
                complex_lm=complex_lm,
                client_manager=client_manager,
                **kwargs,
            ):
                failed = failed or isinstance(item, Error)
                if isinstance(item, Result):
                    texts.extend(_readable(found) for found in item.objects)
        # It is anybody's tool, and its message may quote anything.
        except Exception:  # noqa: BLE001
            failed = True
        tree, inquiry = self.guarded_tree, self.guarded_tree.inquiry
        if failed and not texts:
            await tree.pipeline.gather(inquiry)
            flags = (*inquiry.evidence.fallbacks, f"{self.name}_error")
            inquiry.evidence = replace(inquiry.evidence, fallbacks=flags)
        else:
            await tree.pipeline.weigh(inquiry, texts, source=self.name)
        tree.pipeline.judge(inquiry)
        yield Status(f"{len(texts)} result(s)")


def guard(tool: Tool | type[Tool], **kwargs: Any) -> GuardedTool:
    """Put the gates behind an Elysia tool: ``tree.add_tool(guard(Query))``.

    Args:
        tool: a tool, or a tool class.
        kwargs: what the class is made with.
    """
    return GuardedTool(tool(**kwargs) if isinstance(tool, type) else tool)


def _readable(found: dict[str, Any]) -> tuple[str, str]:
    """The title and the text of a returned object: its string values, in their order."""
    texts = {key: value for key, value in found.items() if isinstance(value, str)}
    title = next((texts[key] for key in ("title", "name", "subject") if texts.get(key)), "")
    skipped = {"uuid", "_REF_ID", "ELYSIA_SUMMARY", "collection_name"}
    body = "\n\n".join(value for key, value in texts.items() if key not in skipped and value)
    return title, body
