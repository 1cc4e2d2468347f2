"""Journeys with a Weaviate: below our own index, and connected by a person on the Settings page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from benchmarks.journeys.asking import REFUSED
from benchmarks.journeys.clusters import Cluster
from benchmarks.journeys.place import Place
from benchmarks.journeys.traveller import FADED_IN_MS, Traveller
from tests.e2e.test_pages import offered
from tests.e2e.test_reopened import thumbs

Way = Callable[[Traveller], None]
BREAKER_MS = 31_000
"""After how long an index that failed five times in a row is asked again."""
SAVED_MS = 2_500
"""In which time a conversation that was answered is saved in a Weaviate."""


def over_its_index(place: Place, cluster: Cluster) -> dict[str, Way]:
    """Return what differs where the index stands in a Weaviate."""
    return {
        "the index goes away": partial(index_away, cluster=cluster),
        "two workers over it": partial(workers, place=place),
    }


def connected(place: Place, cluster: Cluster) -> dict[str, Way]:
    """Return the journeys of a person who connects a Weaviate."""
    own: dict[str, Callable[..., None]] = {
        "connecting a Weaviate": connect,
        "connected: first visit": visit,
        "connected: its collections": collections,
        "connected: not analysed": unanalysed,
        "connected: conversations": conversations,
        "connected: thumbs": judged,
        "connected: it goes away": away,
        "connected: restart": partial(restart, place=place),
        # Last: it leaves another configuration as the one that is used.
        "connected: settings": settings,
    }
    return {name: partial(way, cluster=cluster) for name, way in own.items()}


def named(_place: Place, cluster: Cluster) -> dict[str, Way]:
    """Return the journeys where the environment names it."""
    return {"named in the environment": partial(from_environment, cluster=cluster)}


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


def fill_in(one: Traveller, cluster: Cluster) -> None:
    """Fill in where the Weaviate is, for data and to save in, if it is not known yet."""
    user = one.page.evaluate("localStorage.getItem('device_id')")
    known = one.page.request.get(f"{one.address}/user/config/{user}").json()
    if known["config"]["settings"]["LOCAL_WEAVIATE_PORT"] == cluster.http.port:
        return
    one.to("Settings")
    one.page.get_by_text("Weaviate Cluster (optional)").wait_for()
    one.page.get_by_role("button", name="Local").first.click()
    ports = one.page.get_by_role("spinbutton")
    ports.nth(0).fill(str(cluster.grpc.port))
    ports.nth(1).fill(str(cluster.http.port))
    one.page.get_by_role("button", name="Use Same Cluster").click()
    for wanted in ("Save conversations to Weaviate.", "Save configs to Weaviate."):
        row = one.page.get_by_text(wanted).locator("xpath=../..")
        row.get_by_role("checkbox").check()
    one.look("filled-in")
    one.page.get_by_role("button", name="Save").click()
    one.page.get_by_text("Configuration Saved").first.wait_for()
    one.look("saved")
    one.to("Chat")


def connect(one: Traveller, cluster: Cluster) -> None:
    """What is filled in is saved and not called wrong; the guard answers as before."""
    fill_in(one, cluster)
    assert "use the Common Information Model" in one.ask("What does ADR.12 decide?")
    one.look("answered")


def visit(one: Traveller, cluster: Cluster) -> None:
    """The start page offers questions of our knowledge base, which are answered."""
    fill_in(one, cluster)
    one.page.reload()
    assert len(offered(one)) == 4, "no questions are offered"
    one.look("start")
    one.page.get_by_text("Ask Elysia").locator("xpath=../..").locator("button p").first.click()
    assert REFUSED not in one.answered(1), "what is offered is refused"


@contextmanager
def told(one: Traveller, words: str) -> Iterator[None]:
    """A warning that is true stands on the page, and is no fault of it."""
    before = len(one.found)
    yield
    seen = one.found[before:]
    assert any(words in item for item in seen), f"{words!r} is not said"
    true = re.compile(rf"{re.escape(words)}|'Warning'$")
    one.found[before:] = [item for item in seen if not true.search(item)]


def to_theirs(one: Traveller) -> None:
    """Open Data, and on it the collections that nobody has analysed."""
    one.to("Data")
    one.page.get_by_text("Decisions", exact=True).wait_for()
    one.page.get_by_text("Analyzable Sources").click()


def collections(one: Traveller, cluster: Cluster) -> None:
    """Data lists what is in that Weaviate beside what is ours; both open, and are searched."""
    fill_in(one, cluster)
    to_theirs(one)
    one.page.get_by_text(cluster.books, exact=True).wait_for()
    one.look("dashboard")
    one.page.get_by_text(cluster.books, exact=True).click()
    one.page.get_by_text("Max Havelaar", exact=True).wait_for()
    with told(one, "needs to be analyzed"):
        one.look("books")
    search = one.page.get_by_placeholder(f"Search {cluster.books}")
    search.fill("Souls")
    one.page.keyboard.press("Enter")
    one.page.get_by_text("Max Havelaar", exact=True).wait_for(state="detached")
    with told(one, "needs to be analyzed"):
        one.look("found")
    one.to("Data")
    one.page.get_by_text("Dashboard", exact=True).click()
    one.page.get_by_text("Decisions", exact=True).click()
    one.page.get_by_role("row").nth(3).wait_for()
    one.look("ours")


def unanalysed(one: Traveller, cluster: Cluster) -> None:
    """A collection that was not analysed says so; analysing it without a model says why not."""
    fill_in(one, cluster)
    to_theirs(one)
    one.page.get_by_text(cluster.books, exact=True).click()
    one.page.get_by_text("Max Havelaar", exact=True).wait_for()
    assert "needs to be analyzed" in one.shown
    one.page.get_by_text("Dashboard", exact=True).click()
    one.page.get_by_text("Analyzable Sources").click()
    one.look("offered")
    one.page.get_by_role("button", name="Analyze").first.click()
    one.page.get_by_text("Elysia needs a model").first.wait_for()
    with told(one, "Elysia needs a model"):
        one.look("pressed")


def conversations(one: Traveller, cluster: Cluster) -> None:
    """Saved there, shown again, gone on with, renamed and deleted."""
    fill_in(one, cluster)
    one.ask("What is CIM?")
    one.ask("the second")
    one.page.wait_for_timeout(SAVED_MS)
    one.page.reload()
    one.finished.first.wait_for()
    assert "You chose this meaning; there are others" in one.shown
    one.look("reloaded")
    one.page.once("dialog", lambda dialog: dialog.accept("Exchange of models"))
    one.page.locator("li", has_text="What is CIM?").locator("button").last.click()
    one.page.get_by_role("menuitem", name="Rename").click()
    item = one.page.locator("li", has_text="Exchange of models")
    item.wait_for()
    one.page.reload()
    item.wait_for()
    one.look("renamed")
    item.locator("button").last.click()
    one.page.get_by_role("menuitem", name="Delete").click()
    item.wait_for(state="detached")
    one.page.reload()
    one.start()
    assert item.count() == 0, "what was deleted is listed again"
    one.look("deleted")


def judged(one: Traveller, cluster: Cluster) -> None:
    """Thumbs are kept there, seen on Evaluation, and shown again with their conversation."""
    fill_in(one, cluster)
    one.ask("What is CIMXML?")
    thumbs(one, 0).nth(2).click()
    one.page.locator("button.text-accent").wait_for()
    one.page.wait_for_timeout(SAVED_MS)
    one.page.reload()
    one.page.locator("button.text-accent").wait_for()
    one.look("shown-again")
    one.to("Evaluation")
    one.page.get_by_text("Total Feedback", exact=True).wait_for()
    one.look("evaluation")
    one.page.get_by_text("Browse Feedback").click()
    one.page.get_by_text("What is CIMXML?").last.click()
    one.page.get_by_text("Feedback Details").wait_for()
    one.look("details")


def settings(one: Traveller, cluster: Cluster) -> None:
    """Another configuration is saved there, listed, found after a reload, and deleted."""
    fill_in(one, cluster)
    one.to("Settings")
    one.page.get_by_text("Weaviate Cluster (optional)").wait_for()
    one.page.get_by_role("button", name="New", exact=True).click()
    one.page.wait_for_timeout(FADED_IN_MS)
    one.look("new")
    one.page.get_by_role("button", name="Save").click()
    one.page.get_by_text("Configuration Saved").first.wait_for()
    one.page.reload()
    one.page.get_by_text("Weaviate Cluster (optional)").wait_for()
    one.look("listed")


def away(one: Traveller, cluster: Cluster) -> None:
    """It goes away in mid-conversation: answers come; it is back, and nothing was lost."""
    fill_in(one, cluster)
    one.ask("What is CIM?")
    one.page.wait_for_timeout(SAVED_MS)
    with one.away():
        cluster.cut()
        one.ask("the second")
        assert "You chose this meaning; there are others" in one.shown
        one.look("answered")
        one.page.reload()
        one.finished.first.wait_for()
        assert "You chose this meaning; there are others" in one.shown
        one.look("reloaded")
        one.to("Data")
        one.page.get_by_text("Decisions", exact=True).wait_for()
        one.page.get_by_role("button", name="Refresh collections").click()
        one.page.get_by_text("The Weaviate of the settings cannot be read").first.wait_for()
        one.look("data")
        cluster.mend()
    one.to("Chat")
    one.ask("What does ADR.12 decide?")
    one.page.wait_for_timeout(SAVED_MS)
    one.page.reload()
    one.finished.first.wait_for()
    assert "use the Common Information Model" in one.shown
    one.look("back")


def restart(one: Traveller, cluster: Cluster, place: Place) -> None:
    """After a restart the Weaviate is known, its collections listed, the conversation there."""
    fill_in(one, cluster)
    one.ask("What is CIM?")
    one.page.wait_for_timeout(SAVED_MS)
    with one.away():
        place.stop()
        place.start()
        one.page.wait_for_timeout(7_000)
    one.ask("the second")
    assert "You chose this meaning; there are others" in one.shown
    one.page.reload()
    one.finished.first.wait_for()
    one.look("reloaded")
    to_theirs(one)
    one.page.get_by_text(cluster.books, exact=True).wait_for()
    one.look("data")


def from_environment(one: Traveller, cluster: Cluster) -> None:
    """Nobody fills anything in: it is listed, conversations are saved there, nothing is red."""
    assert len(offered(one)) == 4, "no questions are offered"
    one.ask("What does ADR.12 decide?")
    assert "use the Common Information Model" in one.shown
    one.page.wait_for_timeout(SAVED_MS)
    one.page.reload()
    one.finished.first.wait_for()
    one.look("reloaded")
    to_theirs(one)
    one.page.get_by_text(cluster.books, exact=True).wait_for()
    one.look("data")
    one.to("Settings")
    one.page.get_by_text("Weaviate Cluster (optional)").wait_for()
    one.look("settings")
