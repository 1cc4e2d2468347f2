"""Metrics as others read them: Prometheus' text, JSON, and a table for a person."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from prometheus_client import generate_latest
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Families(Collector):
    """What has been counted, read once; as a registry offers it."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterable[Metric]:
        return self._families


def gather(collector: Collector) -> list[Metric]:
    """Return what is counted, by name; without the moments at which each counter was made."""
    families = sorted(collector.collect(), key=lambda family: family.name)
    for family in families:
        family.samples = [item for item in family.samples if not item.name.endswith("_created")]
    return [family for family in families if family.samples]


def as_text(collector: Collector) -> str:
    """Write the format that Prometheus reads."""
    return generate_latest(Families(gather(collector))).decode()


def parse(text: str) -> Collector:
    """Read what ``as_text`` wrote.

    Raises:
        ValueError: it is something else.
    """
    families = list(text_string_to_metric_families(text))
    if not families:
        raise ValueError("no metric in it")
    return Families(families)


def as_json(collector: Collector) -> str:
    """Write JSON: each metric with its type, its meaning and its samples."""
    shown = [
        {
            "name": _name(family),
            "type": family.type,
            "help": family.documentation,
            "samples": [_sample(item) for item in family.samples],
        }
        for family in gather(collector)
    ]
    return json.dumps({"metrics": shown}, allow_nan=False)


def as_table(collector: Collector) -> str:
    """Write a line a value, the zeros of each metric in one; a histogram as count and mean."""
    rows = [row for family in gather(collector) for row in _rows(family)]
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{_plain(name):{width}}  {value}" for name, value in rows)


def _name(family: Metric) -> str:
    return f"{family.name}_total" if family.type == "counter" else family.name


def _sample(item: Sample) -> dict[str, object]:
    labels = dict(sorted(item.labels.items()))
    return {"name": item.name, "labels": labels, "value": _json_number(item.value)}


def _json_number(value: float) -> float | str:
    """JSON has no infinity and no NaN."""
    return value if abs(value) < float("inf") else str(value)


def _rows(family: Metric) -> Iterator[tuple[str, str]]:
    values = list(_means(family) if family.type == "histogram" else _plainly(family.samples))
    moved = [(name, shown) for name, shown, nothing in values if not nothing]
    yield from moved or [(_name(family), "0")]


def _plainly(samples: Sequence[Sample]) -> Iterator[tuple[str, str, bool]]:
    for item in samples:
        yield f"{item.name}{_labels(item)}", f"{item.value:g}", not item.value


def _means(family: Metric) -> Iterator[tuple[str, str, bool]]:
    sums = {_labels(item): item.value for item in family.samples if item.name.endswith("_sum")}
    for item in family.samples:
        if not item.name.endswith("_count"):
            continue
        mean = sums.get(_labels(item), 0.0) / item.value if item.value else 0.0
        yield (
            f"{family.name}{_labels(item)}",
            f"{item.value:g}, {mean:.1f} on average",
            (not item.value),
        )


def _labels(item: Sample) -> str:
    pairs = ", ".join(f"{name}={value}" for name, value in sorted(item.labels.items()))
    return f"{{{pairs}}}" if pairs else ""


def _plain(text: str) -> str:
    """Let nothing that a server sent act on a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)
