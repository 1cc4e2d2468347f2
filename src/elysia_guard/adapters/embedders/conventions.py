"""What models want of the texts they are given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Convention:
    """How a model tells questions from passages, and how long a text it takes (0: any)."""

    question_prefix: str = ""
    passage_prefix: str = ""
    max_chars: int = 0


_NOMIC = Convention(question_prefix="search_query: ", passage_prefix="search_document: ")
# 512 tokens; from 0.13.5 on, Ollama turns down what is longer, though asked to cut it.
_NOMIC_V2 = Convention(
    question_prefix=_NOMIC.question_prefix,
    passage_prefix=_NOMIC.passage_prefix,
    max_chars=1_400,
)
_KNOWN = {"nomic-embed-text-v2": _NOMIC_V2, "nomic-embed-text": _NOMIC}


def convention(model: str) -> Convention:
    """Return a model's convention by its name, with or without owner and tag."""
    name = model.rpartition("/")[2].lower()
    found = (made for known, made in _KNOWN.items() if name.startswith(known))
    return next(found, Convention())
