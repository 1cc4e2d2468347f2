"""The sentences of a passage, each as a text to embed."""

from __future__ import annotations

from elysia_guard.domain.document import Passage
from elysia_guard.language.sentences import units

SHORTEST = 80
"""Characters; what is shorter is embedded together with what follows it."""


def sentence_texts(passage: Passage) -> tuple[str, ...]:
    """Return each sentence under the document's title; nothing where the passage is but one."""
    spans: list[str] = []
    for unit in units(passage.text, passage.document.lang):
        if spans and len(spans[-1]) < SHORTEST:
            spans[-1] += f" {unit}"
        else:
            spans.append(unit)
    title = passage.document.title
    texts = tuple(f"{title}\n{span}" if title else span for span in spans)
    return texts if len(texts) > 1 else ()
