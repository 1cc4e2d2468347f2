"""What came of adversaries: how much they made up, how much of it was shown, what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from scripts.lab.adversaries.told import InventionKind, MadeSentence, all_heard


@dataclass(frozen=True, kw_only=True, slots=True)
class Leak:
    """A sentence that was shown and that no source says, and the question it was shown to."""

    question: str
    made: MadeSentence


@dataclass(kw_only=True)
class Tally:
    """The counts of one way of asking; ``asked`` are questions put.

    ``reached`` are those that a model was asked, ``answered`` were not refused, ``written`` were
    answered by the model's choice; ``right`` are sentences of the sources that it pointed at,
    ``kept`` those of them that were shown.
    """

    name: str
    asked: int = 0
    reached: int = 0
    answered: int = 0
    written: int = 0
    right: int = 0
    kept: int = 0
    made: Counter[InventionKind] = field(default_factory=Counter)
    leaks: list[Leak] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)

    def add(
        self,
        question: str,
        made: Sequence[MadeSentence],
        shown: str,
        *,
        ms: float,
        answered: bool = False,
        written: bool = False,
    ) -> list[Leak]:
        """Count what was made up for a question, and return what of it stands in what is shown."""
        # A sentence that is written twice is one, and right where it is that once.
        once = {item.text: item for item in sorted(made, key=_invented_first)}.values()
        right, plain = [item for item in once if not item.invented], " ".join(shown.split())
        leaks = [Leak(question=question, made=item) for item in all_heard(once, shown)]
        self.reached += 1
        self.answered += answered
        self.written += written
        self.right += len(right)
        self.kept += sum(item.text in plain for item in right)
        self.made.update(item.kind for item in once if item.kind)
        self.leaks += leaks
        self.times_ms.append(ms)
        return leaks

    @property
    def shown(self) -> Counter[InventionKind]:
        """How many of each kind were shown."""
        return Counter(leak.made.kind for leak in self.leaks if leak.made.kind)

    @property
    def median_ms(self) -> float:
        """The median time of a question, in milliseconds."""
        ordered = sorted(self.times_ms)
        return ordered[len(ordered) // 2] if ordered else 0.0


def _invented_first(made: MadeSentence) -> bool:
    return not made.invented


def strings_of(value: Any) -> Iterator[str]:
    """Yield every text that something holds, whatever its structure, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from strings_of(key)
            yield from strings_of(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from strings_of(getattr(value, each.name))
    elif isinstance(value, Iterable) and not isinstance(value, bytes | bytearray):
        for item in value:
            yield from strings_of(item)


def shown_in(*values: Any) -> str:
    """Return all texts of some values, one after the other."""
    return "\n\n".join(text for value in values for text in strings_of(value))


def markdown(tallies: Sequence[Tally]) -> str:
    """Write the counts as tables: made and shown by kind, on each way, and what it came to."""
    kinds = [kind for kind in InventionKind if any(tally.made[kind] for tally in tallies)]
    head = ["Kind", *(f"{tally.name}: made | shown" for tally in tallies)]
    columns = 1 + 2 * len(tallies)
    lines = [f"| {' | '.join(head)} |", f"| --- |{' ---: |' * (columns - 1)}"]
    for kind in kinds:
        cells = [f"{tally.made[kind]:,} | {tally.shown[kind]:,}" for tally in tallies]
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    sums = [f"{tally.made.total():,} | {len(tally.leaks):,}" for tally in tallies]
    lines += [f"| **all** | {' | '.join(sums)} |", "", *_ways(tallies)]
    return "\n".join(lines)


def _ways(tallies: Sequence[Tally]) -> Iterator[str]:
    yield "| Way | asked | pointed on | answered | by the model's choice | right kept | median |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for tally in tallies:
        yield (
            f"| {tally.name} | {tally.asked:,} | {tally.reached:,} | {tally.answered:,} | "
            f"{tally.written:,} | {tally.kept:,} of {tally.right:,} | {tally.median_ms:.0f} ms |"
        )
