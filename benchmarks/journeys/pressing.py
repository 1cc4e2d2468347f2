"""Every button of every page is pressed once; one after which nothing has happened is dead."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from benchmarks.journeys.traveller import Traveller

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

AFTER_MS = 500
MOST = 60
CLICKABLE = ", ".join(
    (
        # What is open already has nothing to open.
        "button:enabled:not([data-active=true]):not([data-state=active])",
        *(f"[role={role}]:not(button)" for role in ("menuitem", "tab", "button")),
    )
)
WATCH = """
window.changes = 0;
window.watching?.disconnect();
window.watching = new MutationObserver(found => { window.changes += found.length; });
window.watching.observe(document, {subtree: true, childList: true, attributes: true,
  characterData: true});
"""
NAME = """e => [e.innerText || e.getAttribute('aria-label') || e.title || '',
  e.querySelector('path')?.getAttribute('d')?.slice(0, 40) || ''].join('|').slice(0, 90)"""


def anew(one: Traveller) -> None:
    """A conversation that has not begun."""
    # While the last conversation is being loaded, the button takes no click.
    one.page.wait_for_timeout(3 * AFTER_MS)
    one.page.get_by_text("Add Conversation").click()
    one.page.get_by_text("Ask Elysia").wait_for()


def asked(one: Traveller) -> None:
    """A conversation with a reply."""
    anew(one)
    one.ask("What is FooBarBaz?")


def at(menu: str, words: str) -> Callable[[Traveller], None]:
    """Return the way to a page of the menu, which is there when these words are."""

    def go(one: Traveller) -> None:
        one.to(menu)
        one.page.get_by_text(words).first.wait_for()

    return go


def collection(one: Traveller) -> None:
    """The rows of a collection."""
    at("Data", "Decisions")(one)
    one.page.get_by_text("Decisions", exact=True).click()
    one.page.get_by_role("row").nth(2).wait_for()


def row(one: Traveller) -> None:
    """A document among the rows."""
    collection(one)
    one.page.get_by_role("row").nth(2).click()
    one.page.get_by_text("Show more").first.wait_for()


PAGES: tuple[tuple[str, Callable[[Traveller], None]], ...] = (
    ("start", anew),
    ("reply", asked),
    ("Data", at("Data", "Decisions")),
    ("collection", collection),
    ("document", row),
    ("Evaluation", at("Evaluation", "Total Feedback")),
    ("Settings", at("Settings", "Weaviate Cluster")),
)


def every_button(one: Traveller) -> None:
    """On each page, from its beginning, as long as there is one that was not pressed yet."""
    pressed: set[str] = set()
    one.page.on("dialog", lambda dialog: dialog.dismiss())
    one.ask("What is CIMXML?")
    # A link to another site is there to be followed; it is not gone to.
    one.page.context.route(re.compile("^https:"), lambda route: route.abort())
    before = len(one.found)
    for name, way in PAGES:
        for _ in range(MOST):
            one.page.goto(one.address)
            way(one)
            if name in {"start", "reply"}:
                one.page.locator("textarea").first.fill("hello")
            one.page.wait_for_timeout(AFTER_MS)
            button, called = next_of(one.page, pressed)
            if button is None:
                break
            pressed.add(called)
            if not lives(one.page, button):
                one.found.append(f"dead button on {name}: {called!r}")
    elsewhere = ("left the machine", "console: Failed to load resource: net::ERR_FAILED")
    one.found[before:] = [it for it in one.found[before:] if not it.startswith(elsewhere)]
    one.found += ["nothing was pressed"] * (not pressed)


def next_of(page: Page, pressed: set[str]) -> tuple[Locator | None, str]:
    """Return the first button in sight that was not pressed, with what tells it from others."""
    for button in page.locator(CLICKABLE).locator("visible=true").all():
        called = re.sub(r"\d+", "0", str(button.evaluate(NAME)))
        if called not in pressed:
            return button, called
    return None, ""


def lives(page: Page, button: Locator) -> bool:
    """Press, and say whether the page changed, asked for something or opened another."""
    went: list[object] = []

    def note(what: object) -> None:
        went.append(what)

    page.on("request", note)
    page.on("popup", note)
    page.on("dialog", note)
    page.evaluate(WATCH)
    before = page.url
    button.click(force=True)
    page.wait_for_timeout(AFTER_MS)
    changed = page.evaluate("window.changes ?? 1")
    for event in ("request", "popup", "dialog"):
        page.remove_listener(event, note)
    return bool(changed or went or page.url != before)
