"""What a step says of itself, so that it can be said in any language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = str | int | float
"""What stands in a remark: words of the question or of the sources, a count, a measure."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remark:
    """A sentence about a step: a message of the language packs, and what is filled in.

    ``key`` is that of the message in the packs' ``trace``; ``values`` are filled in as they are,
    ``named`` are keys of further messages, said in the reader's language.
    """

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def remark(key: str, /, **values: Value) -> Remark:
    """Return a remark with its values.

    >>> remark("spelling", typed="ownre", meant="owner").key
    'spelling'
    """
    return Remark(key=key, values=values)


def counted(key: str, count: int, /, **values: Value) -> Remark:
    """Return the remark for one of something or for several, with the ``count`` in it.

    >>> counted("ways", 1).key
    'ways_one'
    """
    return remark(f"{key}_{'one' if count == 1 else 'many'}", count=count, **values)
