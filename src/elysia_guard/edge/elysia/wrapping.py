"""Any other Elysia tool behind the gates: ``guard(tool)``."""

from __future__ import annotations

import copy
import difflib
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import replace
from typing import Any, Self

from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.elysia.host import Error, Result, Status, Tool
from elysia_guard.edge.elysia.sourcing import Declared, Sourcing, ToolSources
from elysia_guard.edge.elysia.tool_rows import ToolRow, rows_of
from elysia_guard.pipeline import noting


class GuardedTool(Tool):
    """A tool whose results become evidence: sourced, gated, then quoted or refused; never raw.

    Evidence is what a store gives again by its identity, and what the fields hold that the caller
    vouches for. What the inner tool says in its own words (texts, errors) stays inside, and so
    does what it writes into the tree's data.
    """

    def __init__(
        self,
        inner: Tool,
        *,
        declared: Declared | None = None,
        **_kwargs: Any,
    ) -> None:
        """Take the inner tool's name, description and inputs, and what was ``declared`` of it."""
        super().__init__(
            name=inner.name, description=inner.description, inputs=inner.inputs, end=False
        )
        self.inner = inner
        self.declared = declared or Declared()
        self.guarded_tree: Any = None

    def in_tree(self, tree: Any) -> Self:
        """Return the tool as one tree uses it; another tree gets another."""
        if self.guarded_tree is tree:
            return self
        own = copy.copy(self)
        own.guarded_tree = tree
        return own

    def inputs_of(self, question: str) -> dict[str, Any]:
        """Return what the inner tool is given: a question, and its own defaults."""
        told = {name: each for name, each in self.inputs.items() if isinstance(each, dict)}
        return {
            name: question if _is_open(each) else each.get("default") for name, each in told.items()
        }

    async def is_tool_available(self, *args: Any, **kwargs: Any) -> bool:
        """Available when the inner tool is, and can say so."""
        try:
            with self.guarded_tree.completions.listening():
                return bool(await self.inner.is_tool_available(*args, **kwargs))
        # It is anybody's tool: one that cannot say whether it is available is not.
        except Exception:  # noqa: BLE001
            return False

    async def __call__(  # type: ignore[no-untyped-def]
        self, tree_data, inputs, base_lm, complex_lm, client_manager, **kwargs
    ) -> AsyncIterator[Any]:
        """Run the inner tool, find the sources in what it returns, and hold them to the gates.

        Where it fails, or returns no source at all, the search of our own takes its place, and the
        answer says so.
        """
        tree, inquiry = self.guarded_tree, self.guarded_tree.inquiry
        with tree.completions.listening():
            rows, failed = await self._run(
                tree_data=tree_data,
                inputs=inputs,
                base_lm=base_lm,
                complex_lm=complex_lm,
                client_manager=client_manager,
                **kwargs,
            )
        sourcing = Sourcing(
            tool=self.name,
            declared=self.declared,
            completions=tree.completions,
            index=tree.pipeline.index,
            terminology=tree.pipeline.terminology,
            client_manager=client_manager,
            lang=inquiry.question.lang,
        )
        found = await sourcing.sources(rows)
        note = noting.of_tool(
            self.name,
            len(found.passages),
            {str(why): count for why, count in found.rejected.items()},
            found.lacking,
            found.note(self.name),
        )
        await tree.pipeline.weigh(inquiry, found.passages, source=self.name, note=note)
        if flag := self._shortfall(found, failed=failed):
            await tree.pipeline.gather(inquiry, guidance=tree.guidance)
            flags = (*inquiry.evidence.fallbacks, flag)
            inquiry.evidence = replace(inquiry.evidence, fallbacks=flags)
        tree.pipeline.judge(inquiry)
        yield Status(f"{len(found.passages)} result(s)")

    async def _run(self, *, tree_data: Any, **arguments: Any) -> tuple[list[ToolRow], bool]:
        """Exhaust the inner tool; return the objects that it gave, and whether it failed.

        At once: what listens must not outlive a pause. What the tool says is left out. It gets a
        copy of the tree's data, since what it writes there would be saved and shown.
        """
        rows: list[ToolRow] = []
        failed = False
        try:
            async for item in self.inner(tree_data=copy.deepcopy(tree_data), **arguments):
                failed = failed or isinstance(item, Error)
                if isinstance(item, Result):
                    rows.extend(rows_of(item, self.declared.id_field))
        # It is anybody's tool, and its message may quote anything.
        except Exception:  # noqa: BLE001
            return rows, True
        return rows, failed

    def _shortfall(self, found: ToolSources, *, failed: bool) -> str:
        """Name what makes the tool no help; a tool that works and finds nothing is an answer."""
        if found.passages:
            return ""
        if failed:
            return f"{self.name}_error"
        return f"{self.name}_unsourced" if found.rejected else ""


def guard(  # noqa: PLR0913  one parameter an option
    tool: Tool | type[Tool],
    *,
    source_fields: Collection[str] = (),
    title_field: str = "",
    id_field: str = "",
    url_field: str = "",
    collections: Collection[str] | None = None,
    when: Collection[str] = (),
    **kwargs: Any,
) -> GuardedTool:
    """Put the gates behind an Elysia tool: ``tree.add_tool(guard(Query))``.

    Only what can be fetched again is quoted: objects of a Weaviate by collection and ``uuid``,
    concepts by ``uri``, documents of the index by ``document_id``. A tool over another store names
    the fields that hold source text, and so vouches that they come from there:
    ``guard(Tickets, source_fields=["body"], title_field="subject")``. Texts that a model wrote in
    the conversation are no source even then.

    Args:
        tool: a tool, or a tool class.
        source_fields: the fields of its results that hold source text. Of an object of a store,
            these alone are quoted; without any, all its texts.
        title_field: the field with the title; without one, the tool's name stands there.
        id_field: the field with the identity: results of one are one document, and an object of a
            Weaviate is fetched again by it, where it is none called ``uuid``.
        url_field: the field with the address on the web that is shown as the source's place.
        collections: the only collections of a Weaviate whose objects are sources.
        when: words of questions that the tool is asked for, with or without a language model, where
            no rule decides.
        kwargs: what the class is made with.

    Raises:
        ConfigError: it is no tool; fields, collections or words are not lists of names; or what
            the class is to be made with is one of these, mistyped.
        TypeError: a tool that is made already is given what only a class can take.
    """
    if not isinstance(tool, type) and kwargs:
        raise TypeError(f"guard() got {sorted(kwargs)} for a tool that is made already")
    if mistyped := next(filter(None, map(_meant, kwargs)), None):
        raise ConfigError("guard() has no '{}'; did you mean '{}'?".format(*mistyped))
    inner = tool(**kwargs) if isinstance(tool, type) else tool
    if not isinstance(inner, Tool):
        raise ConfigError(f"guard() takes a tool of Elysia or its class, and not {tool!r}")
    declared = Declared.of(
        source_fields,
        collections,
        when,
        title_field=title_field,
        id_field=id_field,
        url_field=url_field,
    )
    return GuardedTool(inner, declared=declared)


def _is_open(told: Mapping[str, Any]) -> bool:
    """Whether an input is a text that has no default."""
    return told.get("type") in {str, "str", "string"} and not told.get("default")


_OWN = ("source_fields", "title_field", "id_field", "url_field", "collections", "when")


def _meant(name: str) -> tuple[str, str] | None:
    """Return a name with the one of ours that it is mistyped for; None where it is for no other."""
    near = difflib.get_close_matches(name, _OWN, n=1, cutoff=0.8)
    return (name, near[0]) if near else None


def guard_class(  # noqa: PLR0913  one parameter an option
    tool_class: type[Tool],
    *,
    source_fields: Collection[str] = (),
    title_field: str = "",
    id_field: str = "",
    url_field: str = "",
    collections: Collection[str] | None = None,
    when: Collection[str] = (),
) -> type[GuardedTool]:
    """Make a guarded class of a tool class, for where Elysia wants classes: its web app.

    Examples:
        >>> import elysia.api.custom_tools as page
        >>> page.Tickets = guard_class(Tickets, source_fields=["body"])
    """
    declared = Declared.of(
        source_fields,
        collections,
        when,
        title_field=title_field,
        id_field=id_field,
        url_field=url_field,
    )

    class Guarded(GuardedTool):
        """A tool class behind the gates."""

        # Where the web app looks for them: it reads them from the text of an `__init__`.
        _tool_name = tool_class._tool_name  # noqa: SLF001
        _tool_description = tool_class._tool_description  # noqa: SLF001
        _tool_inputs = tool_class._tool_inputs  # noqa: SLF001
        _tool_end = False

        def __init__(self, **kwargs: Any) -> None:
            super().__init__(tool_class(**kwargs), declared=declared)

    Guarded.__name__ = Guarded.__qualname__ = f"Guarded{tool_class.__name__}"
    return Guarded
