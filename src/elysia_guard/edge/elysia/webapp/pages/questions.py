"""Questions to begin with: of this knowledge base, and each one answered when it was tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TypeVar

from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.language.catalogue import say
from elysia_guard.language.own_kinds import own_kinds
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Clock, PassageIndex, unobserved

Item = TypeVar("Item")

EACH = 8
"""How many terms, and how many documents of a kind, are tried."""
PATIENCE_S = 3.0
"""How long trying may take; what was not tried by then is not offered."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """A question, and what it asks for: ``kind`` is 'term', 'decision', 'list'.

    ``about`` is the title of the document, where the question names it by its number alone.
    """

    question: str
    kind: str
    about: str = ""
    of: DocumentKind | None = None
    """The collection that it is of; None is the vocabulary."""


def candidates(
    concepts: Sequence[Concept], documents: Sequence[Document], lang: Lang, *, example: str = ""
) -> list[Prompt]:
    """Return questions that should be answered, the kinds of them in turn."""
    by_kind = [
        list(_of_documents(kind, [item for item in documents if item.kind == kind], lang))
        for kind in own_kinds().every
    ]
    columns = [list(_of_terms(concepts, lang, example)), *by_kind]
    return [item for row in zip_longest(*columns) for item in row if item]


async def answered(
    prompts: Iterable[Prompt], pipeline: Pipeline, index: PassageIndex, *, clock: Clock
) -> tuple[Prompt, ...]:
    """Return those that are asserted, as far as there is time to ask. Nothing of it is counted."""
    quiet = replace(
        pipeline,
        index=index,
        observe=unobserved,
        guidance=None,
        memory=None,
    )
    until = clock() + PATIENCE_S
    found: list[Prompt] = []
    async for prompt in _asserted(prompts, quiet):
        found.append(prompt)
        if clock() > until:
            break
    return tuple(found)


async def _asserted(prompts: Iterable[Prompt], pipeline: Pipeline) -> AsyncIterator[Prompt]:
    for prompt in prompts:
        try:
            inquiry = await pipeline.begin(prompt.question, request_id="prompts", route="direct")
            reply = await pipeline.answer(inquiry)
        except GuardError:
            continue
        if reply.outcome is ReplyOutcome.ASSERTED:
            yield prompt


def _of_terms(concepts: Sequence[Concept], lang: Lang, example: str) -> Iterator[Prompt]:
    told = [item for item in concepts if item.definitions and not item.deprecated]
    own = [item for item in told if _is_in(lang, item.definitions) and _is_in(lang, item.preferred)]
    labels = Counter(item.label(lang) for item in own or told)
    # A label of two concepts is asked back.
    alone = [label for label, count in labels.items() if count == 1]
    for label in _spread(alone) or ([example] if example else []):
        question = say(lang, "suggest.define", term=label)
        yield Prompt(question=question, kind=say(lang, "prompt.term"))


def _of_documents(
    kind: DocumentKind, documents: Sequence[Document], lang: Lang
) -> Iterator[Prompt]:
    verb = "decision" if kind.like == DocumentKind.DECISION else "document"
    named = [item for item in documents if not item.approval]
    if documents:
        question = say(lang, f"suggest.list_{kind}")
        yield Prompt(question=question, kind=say(lang, "prompt.list"), of=kind)
    for item in _spread(named):
        question = say(lang, f"suggest.{verb}", name=item.in_question)
        about = "" if item.title in item.name else item.title
        yield Prompt(question=question, kind=say(lang, f"list.{kind}_one"), about=about, of=kind)


def _is_in(lang: Lang, texts: Iterable[Text]) -> bool:
    return any(text.lang in {None, lang} for text in texts)


def _spread(items: Sequence[Item]) -> list[Item]:
    """Take a few from all over, always the same."""
    step = max(1, len(items) // EACH)
    return list(items[::step][:EACH])
