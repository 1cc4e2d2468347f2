"""Journeys over an index of our own that stands in a Weaviate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.journeys.asking import REFUSED
from benchmarks.journeys.clusters import Cluster
from benchmarks.journeys.place import Place
from benchmarks.journeys.traveller import Traveller

Way = Callable[[Traveller], None]
BREAKER_MS = 31_000
"""After how long an index that failed five times in a row is asked again."""


def over_its_index(place: Place, cluster: Cluster) -> dict[str, Way]:
    """Return what differs where the index stands in a Weaviate."""
    return {
        "the index goes away": partial(index_away, cluster=cluster),
        "two workers over it": partial(workers, place=place),
    }


def index_away(one: Traveller, cluster: Cluster) -> None:
    """Terms are answered, documents refused; all is back when the index is."""
    one.ask("What does ADR.12 decide?")
    with one.away():
        cluster.cut()
        assert "Format, laid down" in one.ask("What is CIMXML?")
        assert REFUSED in one.ask("What does ADR-0029 decide?")
        one.look("refused")
        one.page.reload()
        one.finished.first.wait_for()
        one.to("Data")
        one.page.get_by_text("The knowledge base cannot be read at the moment").first.wait_for()
        one.look("data")
        cluster.mend()
    one.to("Chat")
    one.page.wait_for_timeout(BREAKER_MS)
    one.ask("What does ADR-0027 decide?")
    assert "ADR-0027: " in one.shown
    one.look("back")
    one.to("Data")
    one.page.get_by_role("button", name="Refresh collections").click()
    one.page.get_by_text("Decisions", exact=True).wait_for()
    one.look("data-back")


def workers(one: Traveller, place: Place) -> None:
    """Two processes at one address answer, list and show one conversation."""
    with one.away():
        place.stop()
        place.start("--workers", "2")
        one.page.reload()
        one.start()
    one.ask("What is CIM?")
    one.ask("the second")
    assert "You chose this meaning; there are others" in one.shown
    for _ in range(4):
        one.page.reload()
        one.finished.first.wait_for()
    one.to("Data")
    one.page.get_by_text("Decisions", exact=True).wait_for()
    one.look("data")
