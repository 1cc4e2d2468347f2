"""Journeys over the pages around the chat, and with windows, keys and colours of other people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from benchmarks.journeys.asking import REFUSED, frame
from benchmarks.journeys.traveller import Traveller
from tests.e2e.test_pages import offered
from tests.e2e.test_reopened import thumbs

if TYPE_CHECKING:
    from playwright.sync_api import Page

MANY_STEPS = 300


def judged(one: Traveller) -> None:
    """A thumb up and a thumb down are kept, and seen on Evaluation with their conversation."""
    one.ask("What is CIMXML?")
    thumbs(one, 0).nth(2).click()
    one.page.locator("button.text-accent").wait_for()
    one.ask("What is FooBarBaz?")
    thumbs(one, 1).nth(3).click()
    one.page.locator("button.text-error").wait_for()
    one.look("thumbs")
    one.to("Evaluation")
    total = one.page.get_by_text("Total Feedback", exact=True).locator("xpath=..")
    total.get_by_text("2", exact=True).wait_for()
    one.look("evaluation")
    one.page.get_by_text("Browse Feedback").click()
    one.page.get_by_text("What is CIMXML?").last.click()
    one.page.get_by_text("Feedback Details").wait_for()
    one.look("details")


def data(one: Traveller) -> None:
    """Data lists our collections, and opens one."""
    one.to("Data")
    one.page.get_by_text("Decisions", exact=True).wait_for()
    one.look("dashboard")
    one.page.get_by_text("Decisions", exact=True).click()
    one.page.get_by_role("row").nth(3).wait_for()
    one.look("collection")
    for tab in ("Metadata", "Configuration"):
        one.page.get_by_text(tab, exact=True).click()
        one.look(tab.lower())
    for change in ("Edit", "Re-Analyze Collection", "Clear Analysis"):
        assert one.page.get_by_text(change, exact=True).count() == 0, f"{change!r} is offered"


def document(one: Traveller) -> None:
    """A row opens its document, whole."""
    one.to("Data")
    one.page.get_by_text("Decisions", exact=True).click()
    one.page.get_by_role("row").nth(2).click()
    one.page.get_by_text("Show more").first.click()
    one.page.get_by_text("Show less").first.wait_for()
    one.look()


def search(one: Traveller) -> None:
    """A word narrows the rows; the concepts of the vocabulary are searched, too."""
    one.to("Data")
    one.page.get_by_text("Decisions", exact=True).click()
    one.page.get_by_placeholder("Search Decisions").fill("transit")
    one.page.keyboard.press("Enter")
    one.page.get_by_text("Encrypt data in transit and at rest", exact=True).wait_for()
    one.look("found")
    one.page.get_by_placeholder("Search Decisions").fill("quuxifier")
    one.page.keyboard.press("Enter")
    row = one.page.get_by_role("row").nth(1)
    row.wait_for(state="detached")
    one.page.get_by_text("Nothing was found for 'quuxifier' in Decisions.").wait_for()
    one.look("nothing")
    one.page.get_by_role("button", name="Show all").click()
    row.wait_for()


def settings(one: Traveller) -> None:
    """Nothing is asked for that nobody needs; what is half filled in is told."""
    one.to("Settings")
    one.page.get_by_text("Weaviate Cluster (optional)").wait_for()
    one.look("settings")
    needed = one.page.get_by_text(re.compile("Configuration Required|API Keys Required"))
    assert needed.count() == 0, "something is called required"


def renamed(one: Traveller) -> None:
    """A conversation is renamed and deleted from the menu beside it."""
    one.ask("What is CIMXML?")
    one.page.once("dialog", lambda dialog: dialog.accept("Exchange of models"))
    one.page.locator("li", has_text="What is CIMXML?").locator("button").last.click()
    one.page.get_by_role("menuitem", name="Rename").click()
    item = one.page.locator("li", has_text="Exchange of models")
    item.wait_for()
    one.page.get_by_text("Exchange of models").nth(1).wait_for()
    one.look("renamed")
    item.locator("button").last.click()
    one.page.get_by_role("menuitem", name="Delete").wait_for()
    one.look("menu")
    one.page.once("dialog", lambda dialog: dialog.accept())
    one.page.get_by_role("menuitem", name="Delete").click()
    item.wait_for(state="detached")
    one.look("deleted")


def narrow(one: Traveller) -> None:
    """At 400 px everything can be reached: a reply, its source, Data and Settings."""
    one.page.set_viewport_size({"width": 400, "height": 900})
    one.look("start")
    one.ask("How long may a privileged session last?")
    one.look("hedged")
    page = one.follow("[source:2]")
    page.set_viewport_size({"width": 400, "height": 900})
    one.look("source", page)
    for place in ("Data", "Settings"):
        one.page.locator('button[data-sidebar="trigger"]').first.click()
        one.page.get_by_role("dialog").get_by_text(place, exact=True).click()
        one.page.keyboard.press("Escape")
        one.look(place.lower())


def wide(one: Traveller) -> None:
    """At 1,600 px: start, a reply, its source, Data."""
    one.page.set_viewport_size({"width": 1600, "height": 1000})
    one.look("start")
    one.ask("What does ADR.12 decide?")
    one.look("answered")
    page = one.follow("[source:1]")
    page.set_viewport_size({"width": 1600, "height": 1000})
    one.look("source", page)
    one.to("Data")
    one.page.get_by_text("Decisions", exact=True).wait_for()
    one.look("data")


def keyboard(one: Traveller) -> None:
    """By keys alone: an offered question, why it was so answered, a source, a thumb."""
    wanted = offered(one)[0]
    to(one.page, wanted, tag="BUTTON")
    one.look("offered")
    one.page.keyboard.press("Enter")
    one.answered(1)
    with one.page.expect_popup() as popup:
        to(one.page, "Why this answer", tag="A")
        one.look("badge")
        one.page.keyboard.press("Enter")
    page = popup.value
    page.wait_for_load_state()
    page.keyboard.press("Tab")
    one.look("why", page)
    page.close()
    to(one.page, "", tag="TEXTAREA")
    one.page.keyboard.type("What is FooBarBaz?")
    one.page.keyboard.press("Enter")
    assert REFUSED in one.answered(2)
    to(one.page, "List all principles", tag="DIV", role="button")
    one.page.keyboard.press("Enter")
    assert "PCP-0010" in one.answered(3)
    to(one.page, "Data", tag="BUTTON")
    one.page.keyboard.press("Enter")
    one.page.get_by_text("Decisions", exact=True).wait_for()
    one.look("data")
    one.page.get_by_text("Decisions", exact=True).click()
    to(one.page, "Decide by consent", tag="TR")
    one.look("row")
    one.page.keyboard.press("Enter")
    one.page.get_by_text("Show more").first.wait_for()
    to(one.page, "Data Dashboard", tag="A", role="button")


def to(page: Page, words: str, *, tag: str, role: str = "") -> None:
    """Press Tab until what has these words is in focus, and shows it."""
    for _ in range(MANY_STEPS):
        page.keyboard.press("Tab")
        text, name, its = page.evaluate(FOCUSED)
        if words in text and (tag, role or its) == (name, its):
            assert page.evaluate(SHOWN), f"nothing shows that {words or tag} is in focus"
            return
    raise AssertionError(f"no key leads to {words or tag}")


FOCUSED = """[document.activeElement.innerText || '', document.activeElement.tagName,
document.activeElement.getAttribute('role')]"""
SHOWN = """(() => {
const seen = e => { const s = getComputedStyle(e);
  return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none'; };
const e = document.activeElement;
return e.tagName === 'TEXTAREA' || seen(e) || seen(e.parentElement);
})()"""


def colours(one: Traveller) -> None:
    """Elysia's page is dark alone, and our own pages are with it, whatever the machine prefers."""
    grounds = set()
    one.ask("What is CIMXML?")
    page = one.follow("[source:1]", first=False)
    why = one.follow("Why this answer")
    for scheme in ("light", "dark"):
        for place, name in ((one.page, "chat"), (page, "concept"), (why, "why")):
            place.emulate_media(color_scheme=scheme)
            one.look(f"{name}-{scheme}", place)
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 1, "our pages are other in dark than in light"
    assert frame(one) == "solid"
