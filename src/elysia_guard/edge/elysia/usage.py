"""What Elysia's models have been asked and have cost, counted whichever model is there."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from elysia_guard.edge.elysia.host import Tracker

Entry = dict[str, Any]
_COUNTED = ("input_tokens", "output_tokens", "cost")


class Usage(Tracker):
    """Adds up what is new in the history of a model.

    Elysia's own compares the length of a history with the calls it has counted: with another
    model, or with none, it counts backwards and divides by no calls.
    """

    last_seen: dict[str, Entry]
    """The last call counted of each of the two models."""

    def update_lm_costs(self, lm: Any = None, model_type: str = "base_lm") -> None:
        """Count the calls that a model was asked for since the last count."""
        history: list[Entry] = list(getattr(lm, "history", ()))
        last = self.last_seen.get(model_type)
        new = list(takewhile(lambda entry: entry is not last, reversed(history)))
        if not new:
            return
        self.last_seen[model_type] = new[0]
        counted = self.trackers["models"][model_type]
        counted["calls"] += len(new)
        for name, amount in zip(_COUNTED, _amounts(new), strict=True):
            counted[name] = (counted[name] or 0) + amount


def count_with_usage(tracker: Tracker, **models: Any) -> None:
    """Make a tree's tracker one of ours, in place; what its models did so far is counted."""
    if not isinstance(tracker, Usage):
        tracker.__class__ = Usage
        histories = {name: getattr(model, "history", None) for name, model in models.items()}
        tracker.last_seen = {name: history[-1] for name, history in histories.items() if history}


def _amounts(entries: list[Entry]) -> tuple[float, float, float]:
    """Input tokens, output tokens and cost; a server may tell any of them, or nonsense."""
    usages = [usage if isinstance(usage := entry.get("usage"), dict) else {} for entry in entries]
    return (
        sum(_number(usage.get("prompt_tokens")) for usage in usages),
        sum(_number(usage.get("completion_tokens")) for usage in usages),
        sum(_number(entry.get("cost")) for entry in entries),
    )


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else 0
