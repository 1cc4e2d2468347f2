"""Any other Elysia tool behind the gates: ``guard(tool)``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from elysia_guard.edge.elysia.host import Result, Status, Tool


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

    async def is_tool_available(self, *args: Any, **kwargs: Any) -> bool:
        """Available when the inner tool is."""
        return bool(await self.inner.is_tool_available(*args, **kwargs))

    async def __call__(  # type: ignore[no-untyped-def]
        self, tree_data, inputs, base_lm, complex_lm, client_manager, **kwargs
    ) -> AsyncIterator[Any]:
        """Run the inner tool and hold what it returns against the gates."""
        texts: list[tuple[str, str]] = []
        async for item in self.inner(
            tree_data=tree_data,
            inputs=inputs,
            base_lm=base_lm,
            complex_lm=complex_lm,
            client_manager=client_manager,
            **kwargs,
        ):
            if isinstance(item, Result):
                texts.extend(_readable(found) for found in item.objects)
        tree = self.guarded_tree
        await tree.pipeline.weigh(tree.inquiry, texts, source=self.name)
        tree.pipeline.judge(tree.inquiry)
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
