"""The replies to many questions, in their order, ready for a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.showing import html_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """One of many questions, and what came of it: a response, or why it could not be asked."""

    question: str
    response: RAGResponse | None = None
    error: str = ""
    elapsed_ms: float = 0.0

    @property
    def outcome(self) -> str:
        """How it ended, in a word: that of the response, or ``error``."""
        return self.response.outcome.value if self.response else "error"

    def to_record(self) -> dict[str, Any]:
        """Return one flat row: the same columns for every reply."""
        reply = self.response
        return {
            "question": self.question,
            "outcome": self.outcome,
            "confidence": reply.retrieval_quality.confidence_score if reply else None,
            "answer": reply.answer if reply else "",
            "refusal_reason": str(reply.refusal_reason or "") if reply else "",
            "sources": [item.doc_id for item in reply.sources] if reply else [],
            "intent": str(reply.intent) if reply else "",
            "lang": reply.lang if reply else "",
            "warnings": [item.type for item in reply.warnings] if reply else [],
            "elapsed_ms": round(self.elapsed_ms, 3),
            "request_id": reply.request_id if reply else "",
            "error": self.error,
        }


class Replies(Sequence[Reply]):
    """The replies to many questions, in the order in which they were asked.

    Examples:
        >>> import pandas as pd  # doctest: +SKIP
        >>> pd.DataFrame(guard.ask_many(questions).to_records())  # doctest: +SKIP
    """

    def __init__(self, replies: Sequence[Reply]) -> None:
        """Take the replies."""
        self._replies = tuple(replies)

    @overload
    def __getitem__(self, place: int) -> Reply: ...
    @overload
    def __getitem__(self, place: slice) -> Replies: ...
    def __getitem__(self, place: int | slice) -> Reply | Replies:
        """Return one, or some of them."""
        if isinstance(place, slice):
            return Replies(self._replies[place])
        return self._replies[place]

    def __len__(self) -> int:
        """How many questions were asked."""
        return len(self._replies)

    def __repr__(self) -> str:
        """Say how they ended: '<3 replies: 2 asserted, 1 refused>'."""
        ends = ", ".join(f"{count} {end}" for end, count in self.outcomes.most_common())
        return f"<{len(self)} replies{': ' if ends else ''}{ends}>"

    @property
    def outcomes(self) -> Counter[str]:
        """How many ended how."""
        return Counter(item.outcome for item in self._replies)

    def to_records(self) -> list[dict[str, Any]]:
        """Return a flat row for each, as ``pandas.DataFrame`` takes them."""
        return [item.to_record() for item in self._replies]

    def to_frame(self) -> Any:
        """Return them as a ``pandas.DataFrame``.

        Raises:
            ConfigError: pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError as err:
            raise ConfigError(
                "pandas is not installed: pip install 'elysia-guard[notebook]', or use to_records()"
            ) from err
        return DataFrame(self.to_records())

    def _repr_html_(self) -> str | None:
        return html_of(self)
