"""What a question costs, by its kind: which kind it is, and what the table says of it."""

from __future__ import annotations

import asyncio

import pytest
from tests.unit.small_world import World

from elysia_guard.config import home
from elysia_guard.evaluation.calls import FREE, Cost, Costed, kind_of, markdown


def read(question: str) -> Costed | None:
    async def asked() -> Costed | None:
        pipeline = World().pipeline
        inquiry = await pipeline.begin(question, request_id="r", route="direct")
        return kind_of(inquiry, await pipeline.answer(inquiry))

    return asyncio.run(asked())


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does ADR-0050 decide?", Costed.NO_DOCUMENT),
        ("What does ADR-0012 decide?", Costed.FIELD),
        ("When was ADR-0012 approved?", Costed.FIELD),
        ("Why does ADR-0012 use CIM?", Costed.MATTER),
        ("Which decisions are there?", Costed.LIST),
        ("Compare ADR-0012 and ADR-0021", Costed.COMPARISON),
        ("Which walrus keeps the tide tables of the northern coast?", Costed.REFUSED),
        ("How are connections encrypted?", Costed.SEARCH),
        ("What is a transformer?", Costed.TERM),
        ("What is a walrus?", Costed.NO_TERM),
        ("What is the difference between a transformer and a meter?", Costed.COMPARISON),
        ("What does ADR-0050 decide and what does ADR-0012 decide?", Costed.PARTS),
        ("What does 12 say?", None),
        ("Thank you!", None),
    ],
)
def test_a_question_is_of_the_kind_that_it_was_read_as(question: str, kind: Costed | None) -> None:
    assert read(question) is kind


def test_the_table_has_medians_and_the_most_calls() -> None:
    costs = [Cost(calls=n, prompt=100 * n, written=10 * n) for n in (1, 1, 2)]
    none = [Cost(calls=0, prompt=0, written=0)] * 3
    table = markdown([(Costed.SEARCH, [("auto", costs), ("instant", none)])])
    assert "| auto: calls | tokens in | out | instant: calls |" in table
    assert f"| {Costed.SEARCH} | 3 | 1 (up to 2) | 100 | 10 | 0 | 0 | 0 |" in table
    assert markdown([]).startswith("| kind | questions |")


def test_the_document_keeps_what_is_promised() -> None:
    """No call for terms, lists and refusals by identity, and one under 3,000 tokens in mode auto.

    When the table was made last: `make calls`, which fails where it does not hold.
    """
    text = (home() / "docs" / "evaluation.md").read_text(encoding="utf-8")
    table = text.partition("<!-- calls: begin -->")[2].partition("<!-- calls: end -->")[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line[:2] == "| "]
    head = lines[0]
    rows = {cells[0]: cells[2:] for cells in lines[2:]}
    assert [cell.partition(":")[0] for cell in head[2::3]] == [
        *("instant", "auto", "thinking"),
        "plain Elysia",
    ]
    assert {str(kind) for kind in FREE} <= rows.keys()
    for kind in FREE:
        assert rows[str(kind)][:9] == ["0"] * 9
    searched = rows[str(Costed.SEARCH)]
    assert searched[3].split()[0] == "1"
    assert int(searched[4].replace(",", "")) < 3_000 < int(searched[10].replace(",", ""))
