"""Numbers written out, as the packs form them: 'twenty-one', 'zwölf'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def cardinals(table: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Form the numbers up to 99, by the section ``numbers`` of a pack's ``spans.toml``."""
    return _numbers(table, table["cardinal"], table["cardinals"].split(), table["tens"].split())


def ordinals(table: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Form the ordinals up to the 99th, with their inflections."""
    small, tens = table["ordinals"].split(), table["ordinal_tens"].split()
    for word, number in _numbers(table, table["ordinal"], small, tens):
        for end in ("", *table.get("inflections", "").split()):
            yield f"{word}{end}", number


def _numbers(
    table: Mapping[str, str], form: str, small: list[str], tens: list[str]
) -> Iterator[tuple[str, int]]:
    """The numbers up to 19, the tens, and what a form makes of tens and units."""
    yield from zip(small, range(1, 20), strict=False)
    units = table.get("units", table["cardinals"]).split()[:9]
    for ten, plain, own in zip(range(20, 100, 10), table["tens"].split(), tens, strict=False):
        yield own, ten
        for one, (unit, last) in enumerate(zip(units, small, strict=False), 1):
            yield (
                form.format(tens=plain, ordinal_tens=own, unit=unit, ordinal_unit=last),
                ten + one,
            )
