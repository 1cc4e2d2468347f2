"""Lists come in the same order every time (IR0003, Phase 4 invariants).

The real pipeline over the shipped knowledge base, and indexes of it that were filled otherwise.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator

import pytest
from tests.shipped import KNOWLEDGE, shipped_guard

from elysia_guard.direct import Guard
from elysia_guard.domain.response import RAGResponse

LISTS = [
    "List all ADRs",
    "List all decisions",
    "List all principles",
    "List all policies",
    "Which decisions are proposed?",
    "List the rejected ADRs",
    "List ADRs about security",
    "List the decisions of 2025",
    "Welke principes zijn er?",
    "Liste alle Entscheidungen auf",
]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    with shipped_guard(tmp_path_factory.mktemp("lists") / "index.sqlite") as guard:
        yield guard


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    """The same documents, but they came into the index one group after the other, at random."""
    home = tmp_path_factory.mktemp("grown")
    folder, index = home / "knowledge", home / "index.sqlite"
    files = sorted(KNOWLEDGE.rglob("*.md"))
    random.Random(3).shuffle(files)
    for start in range(0, len(files), 15):
        for file in files[start : start + 15]:
            copy = folder / file.relative_to(KNOWLEDGE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
        with shipped_guard(index, folder):
            pass
    with shipped_guard(index, folder) as guard:
        yield guard


def listed(response: RAGResponse) -> list[str]:
    assert not response.refused, response.answer
    return [source.doc_id for source in response.sources]


@pytest.mark.parametrize("question", LISTS)
def test_a_list_is_the_same_every_time(shipped: Guard, question: str) -> None:
    """The same documents in the same order, in the same words."""
    first, *others = [shipped.ask(question) for _ in range(5)]
    assert listed(first)
    assert {response.answer for response in others} == {first.answer}
    assert all(listed(response) == listed(first) for response in others)


@pytest.mark.parametrize("question", LISTS)
def test_a_list_does_not_depend_on_how_the_index_was_filled(
    shipped: Guard, grown: Guard, question: str
) -> None:
    """Nor on the order in which documents were read or written."""
    assert listed(grown.ask(question)) == listed(shipped.ask(question))
    assert grown.ask(question).answer == shipped.ask(question).answer


@pytest.mark.parametrize("question", LISTS)
def test_a_list_is_in_the_order_of_its_numbers(shipped: Guard, question: str) -> None:
    """Kind by kind, and each document once; each group of a list by itself."""
    reply = shipped.ask(question)
    groups = re.findall(r"(?:^- .*\n?)+", reply.answer, re.MULTILINE)
    told = [re.findall(r"^- \*\*([A-Z]+)-(\d+)\*\*", group, re.MULTILINE) for group in groups]
    assert [f"{kind}-{number}" for group in told for kind, number in group] == listed(reply)
    assert len(set(listed(reply))) == len(listed(reply))
    for group in told:
        kinds = list(dict.fromkeys(kind for kind, _ in group))
        assert group == sorted(group, key=lambda item: (kinds.index(item[0]), int(item[1])))


@pytest.mark.parametrize(
    ("question", "prefix", "count"),
    [
        ("List all ADRs", "ADR", 34),
        ("List all principles", "PCP", 16),
        ("List all policies", "POL", 8),
    ],
)
def test_a_list_is_complete(shipped: Guard, question: str, prefix: str, count: int) -> None:
    """Every document of the kind, and no approval record."""
    ids = listed(shipped.ask(question))
    assert len(ids) == count
    assert {id_.partition("-")[0] for id_ in ids} == {prefix}
