"""Numbers, dates and units as people write them, in each language."""

from fractions import Fraction

import pytest

from elysia_guard.language.dates import Parts, dates, said_by
from elysia_guard.language.number_words import number_of, ordinal_of, part_of
from elysia_guard.language.quantities import quantities
from elysia_guard.language.units import signed, unit_of

MINUTE, HOUR, DAY = 60, 3600, 86400


@pytest.mark.parametrize(
    ("text", "lang", "dimension", "value"),
    [
        ("24 months", "en", "months", 24), ("two years", "en", "months", 24),
        ("zwei Jahre", "de", "months", 24), ("dreijährige Frist", "de", "months", 36),
        ("een half jaar", "nl", "months", 6), ("halbjährlich", "de", "months", 6),
        ("every second year", "en", "months", 24), ("four times a year", "en", "months", 3),
        ("viermal im Jahr", "de", "months", 3),
        ("twee keer per maand", "nl", "months", Fraction(1, 2)),
        ("four restore tests a year", "en", "months", 3),
        ("half an hour", "en", "time", 30 * MINUTE), ("een kwartier", "nl", "time", 15 * MINUTE),
        ("an hour and forty-five minutes", "en", "time", 105 * MINUTE),
        ("72 Stunden", "de", "time", 3 * DAY), ("48-hour", "en", "time", 2 * DAY),
        ("10 working days", "en", "working time", 10), ("10 Werktage", "de", "working time", 10),
        ("30 %", "en", "share", Fraction(3, 10)), ("a fifth of it", "en", "share", Fraction(1, 5)),
        ("ein Fünftel der Kosten", "de", "share", Fraction(1, 5)),
        ("10 kV", "en", "voltage", 10_000), ("3 GB", "en", "data", 24 * 10**9),
        ("€ 1.234,50", "nl", "euro", Fraction("1234.5")),
        ("3.5 million euros", "en", "euro", 3_500_000),
        ("€1.4 m", "en", "euro", 1_400_000), ("17:00", "en", "clock", 17 * 60),
        ("5.30 pm", "en", "clock", 17 * 60 + 30), ("trois mois", "fr", "months", 3),
    ],
)  # fmt: skip
def test_a_quantity_is_held_in_base_units(
    text: str, lang: str, dimension: str, value: Fraction | int
) -> None:
    found = quantities(text, lang)
    assert [each.dimension for each in found] == [dimension]
    assert Fraction(value) in found[0].values


def test_the_end_of_a_range_says_the_unit_of_both() -> None:
    found = quantities("5 to 10 days", "en")
    assert [each.values for each in found] == [{Fraction(5 * DAY)}, {Fraction(10 * DAY)}]


def test_months_do_not_become_days() -> None:
    month, days = quantities("1 month", "en")[0], quantities("30 days", "en")[0]
    assert month.dimension != days.dimension


def test_a_thousand_may_be_written_with_a_point_or_a_comma() -> None:
    assert {Fraction(1234), Fraction("1.234")} == quantities("1.234", "en")[0].values


def test_an_article_is_marked_as_one() -> None:
    assert quantities("een jaar", "nl")[0].is_article
    assert not quantities("één jaar", "nl")[0].is_article


@pytest.mark.parametrize(
    ("text", "lang"),
    [("29:00 or 12:75", "en"), ("3.45", "en"), ("99.5", "en"), ("every gateway", "en"),
     ("half of it", "en"), ("5 per gateway", "en"), ("EUR or USD", "en"), ("$ and more", "en")],
)  # fmt: skip
def test_what_looks_like_a_moment_or_a_period_is_none(text: str, lang: str) -> None:
    dimensions = {each.dimension for each in quantities(text, lang)}
    assert dimensions <= {""}


@pytest.mark.parametrize("text", ["ten minste", "a gateway", ""])
def test_words_of_no_number_are_none(text: str) -> None:
    assert quantities(text, "nl") == ()


@pytest.mark.parametrize(
    ("word", "lang", "number"),
    [("twelve", "en", 12), ("eenentwintig", "nl", 21), ("zweihundertfünfzig", "de", 250),
     ("two hundred and fifty", "en", 250), ("gateway", "en", None), ("twelve", "xx", None)],
)  # fmt: skip
def test_numbers_are_written_out(word: str, lang: str, number: int | None) -> None:
    assert number_of(word, lang) == number


def test_places_and_parts() -> None:
    assert (ordinal_of("zweite"), ordinal_of("gateway")) == (2, None)
    assert (part_of("third", "en"), part_of("Drittel", "de"), part_of("second", "en")) == (
        3,
        3,
        None,
    )


def test_units_by_sign_and_by_name() -> None:
    assert signed("kWh") == unit_of("kilowatthours", "en")
    assert signed("xyz") is None
    assert unit_of("gateway", "en") is None


@pytest.mark.parametrize(
    "text",
    ["2024-03-01", "1 March 2024", "March 1, 2024", "01.03.2024", "1. März 2024", "1 maart 2024",
     "1/3/2024", "1/3/24", "first of March 2024"],
)  # fmt: skip
def test_a_date_is_one_in_every_form(text: str) -> None:
    found = dates(text)
    assert len(found) == 1
    assert (2024, 3, 1) in found[0].readings


@pytest.mark.parametrize(
    ("said", "source", "holds"),
    [
        ("in March 2024", "on 1 March 2024", True), ("in 2024", "on 1 March 2024", True),
        ("on 1 March 2024", "in March 2024", False), ("on 2 March 2024", "on 1 March 2024", False),
        ("on 1 March 2023", "on 1 March 2024", False),
        ("on 1 March 2024", "on 1 March; the year is 2024", True),
        ("on 13/14/2024", "on 1 March 2024", True),
    ],
)  # fmt: skip
def test_a_date_may_say_less_than_its_source(said: str, source: str, *, holds: bool) -> None:
    assert all(said_by(each, dates(source)) for each in dates(said)) is holds


@pytest.mark.parametrize("text", ["version 2.10", "10.5 days", "you may go", "24/7", "bis und mit"])
def test_what_looks_like_a_date_is_none(text: str) -> None:
    assert dates(text) == ()


def test_a_month_alone() -> None:
    found = dates("im März")
    expected: set[Parts] = {(None, 3, None)}
    assert [each.readings for each in found] == [expected]
    assert found[0].is_month_alone
