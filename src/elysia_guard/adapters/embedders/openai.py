"""``/v1/embeddings`` as OpenAI defines it, and vLLM, llama.cpp, LocalAI and others speak it."""

from __future__ import annotations

from elysia_guard.adapters.embedders.server import Dialect


def _rows(answer: object) -> object:
    """Pick the vectors by their index: nothing promises that they come in order."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        return None
    by_index = {item["index"]: item.get("embedding") for item in data if _counts(item.get("index"))}
    if set(by_index) != set(range(len(data))):
        return None
    return [by_index[position] for position in range(len(data))]


def _counts(index: object) -> bool:
    return type(index) is int


OPENAI = Dialect(
    name="OpenAI",
    # The address is the base URL that OpenAI's own client takes, with its `/v1`.
    root="",
    path="/embeddings",
    options={"encoding_format": "float"},
    rows=_rows,
)
