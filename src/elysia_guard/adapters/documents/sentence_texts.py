"""The sentences of a passage, each as a text to embed."""

from __future__ import annotations

from elysia_guard.domain.document import Passage
from elysia_guard.language.sentences import spans, units


def sentence_texts(passage: Passage) -> tuple[str, ...]:
    """Return each sentence under the document's title; nothing where the passage is but one."""
    found = units(passage.text, passage.document.lang)
    title = f"{passage.document.title}\n" if passage.document.title else ""
    texts = tuple(f"{title}{' '.join(found[span])}" for span in spans(found))
    return texts if len(texts) > 1 else ()
