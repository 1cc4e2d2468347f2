"""How large the documents of an index are, and the passages that they were cut into (IR0001)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from elysia_guard.domain.document import DocumentKind, Filters, Passage
from elysia_guard.evaluation.metrics import percentile
from elysia_guard.ports import PassageIndex

LARGE = 5_000
"""Characters of a document from which IR0001 wants it cut by its meaning."""
SHORT = 40
"""Characters: a passage of fewer says little by itself."""
LISTED = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class SizeSpread:
    """How some sizes lie, in characters: quantiles by nearest rank; all 0 where there are none."""

    count: int
    least: int
    median: int
    p95: int
    most: int

    @classmethod
    def of(cls, sizes: Iterable[int]) -> SizeSpread:
        """Measure some sizes."""
        ordered = sorted(sizes)
        told = ordered or [0]
        return cls(
            count=len(ordered),
            least=told[0],
            median=int(percentile(told, 0.50)),
            p95=int(percentile(told, 0.95)),
            most=told[-1],
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Sizes:
    """What a collection holds; passages that stand out are named by their ids.

    ``large`` are documents of more than ``LARGE`` characters. ``long`` passages are longer than the
    limit they are cut at, ``short`` ones shorter than ``SHORT``. ``duplicates`` say, but for white
    space and capitals, what an earlier passage of any collection says.
    """

    collection: str
    documents: SizeSpread
    passages: SizeSpread
    large: tuple[str, ...] = ()
    long: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()


async def sizes(
    index: PassageIndex, collections: Mapping[DocumentKind, str], *, limit: int
) -> tuple[Sizes, ...]:
    """Measure what an index holds, by collection; one that holds nothing is left out.

    Args:
        index: the index, of any kind.
        collections: the collection of each kind of document.
        limit: the characters at which passages are cut.

    Raises:
        SourceUnavailableError: the index could not be asked.
    """
    held: dict[str, dict[str, Sequence[Passage]]] = {}
    for document in await index.documents(Filters(approval=None)):
        name = collections.get(document.kind, str(document.kind))
        held.setdefault(name, {})[document.id] = await index.passages(document.id)
    seen: Counter[str] = Counter()
    return tuple(_of(name, documents, limit, seen) for name, documents in sorted(held.items()))


def _of(
    name: str, documents: Mapping[str, Sequence[Passage]], limit: int, seen: Counter[str]
) -> Sizes:
    whole = {id_: sum(len(item.text) for item in items) for id_, items in documents.items()}
    passages = [item for items in documents.values() for item in items]
    return Sizes(
        collection=name,
        documents=SizeSpread.of(whole.values()),
        passages=SizeSpread.of(len(item.text) for item in passages),
        large=tuple(id_ for id_, size in whole.items() if size > LARGE),
        long=tuple(item.id for item in passages if len(item.text) > limit),
        short=tuple(item.id for item in passages if len(item.text) < SHORT),
        duplicates=tuple(item.id for item in passages if _again(item.text, seen)),
    )


def _again(text: str, seen: Counter[str]) -> bool:
    said = " ".join(text.casefold().split())
    seen[said] += 1
    return seen[said] > 1


def rows(found: Sequence[Sizes], *, limit: int) -> list[tuple[str, str, str]]:
    """Return what a person is told, as rows of a collection, a figure and its value."""
    lines: list[tuple[str, str, str]] = []
    for each in found:
        lines += [
            (each.collection, "documents", _spread(each.documents)),
            ("", f"over {LARGE:,} characters", _some(each.large)),
            ("", "passages", _spread(each.passages)),
            ("", f"longer than {limit:,}", _some(each.long)),
            ("", f"shorter than {SHORT}", _some(each.short)),
            ("", "said before", _some(each.duplicates)),
        ]
    return lines


def _spread(told: SizeSpread) -> str:
    sizes_ = f"{told.least:,} to {told.most:,} characters, median {told.median:,}, p95 {told.p95:,}"
    return f"{told.count:,}: {sizes_}"


def _some(ids: Sequence[str]) -> str:
    named = ", ".join(ids[:LISTED]) + (", \u2026" if len(ids) > LISTED else "")
    return f"{len(ids):,}  {named}".rstrip()
