"""Every button of every page is pressed once; one after which a person notices nothing is dead."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.journeys import noticing
from benchmarks.journeys.traveller import PATIENCE_MS, Traveller

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SETTLED_MS, TRIES = 1_000, 8
AGAIN_MS = 4_000
SWEEP_S = 200.0
"""Seconds for a page; what is not pressed by then is told."""
DEEPEST = 2
"""A button that shows others is pressed again to reach each of them, so often in a row."""
CLICKABLE = ", ".join(
    (
        # What is open already has nothing to open.
        "button:enabled:not([aria-current]):not([data-active=true]):not([data-state=active])",
        *(f"[role={role}]:not(button)" for role in ("menuitem", "tab", "button", "option")),
    )
)
IN_SIGHT = """all => all.map((e, at) => [e, at]).filter(([e]) => e.getBoundingClientRect().width
    && e.checkVisibility({opacityProperty: true, visibilityProperty: true})
    && !e.closest('[aria-hidden=true], [aria-disabled=true], [inert], ol.fixed')
  ).map(([e, at]) => {
    const listed = e.closest('li')?.querySelector('[data-sidebar=menu-action]');
    const alike = e.role === 'option' ? 'one of a list' : listed && listed !== e ? 'a conversation'
      : e.querySelector('span + p') && `a question of kind ${e.querySelector('span').innerText}`;
    const called = e.innerText || e.getAttribute('aria-label') || e.title;
    const drawn = e.querySelector('path')?.getAttribute('d')?.slice(0, 24);
    return [at, e.closest('[data-sidebar=sidebar]') ? 'menu' : '',
      alike || `${called || ''}|${drawn || ''}`];
  })"""
"""Of options, conversations and offered questions, which are many and alike, one is pressed."""
Name = tuple[str, str]
"""Which page (or the menu, which all share), and what tells the button from others there."""


def anew(one: Traveller) -> None:
    """A conversation that has not begun; it is there at once where none has."""
    begun = one.page.get_by_text("Ask Elysia")
    for _ in range(TRIES):
        # Its start stands there, too, while the last conversation is being loaded.
        one.page.wait_for_timeout(SETTLED_MS)
        if begun.count():
            break
        one.page.get_by_text("Add Conversation").click()
    begun.wait_for()
    one.page.locator("textarea").first.fill("hello")


def asked(one: Traveller) -> None:
    """A conversation with a reply, which is opened again where it was asked before."""
    for _ in range(TRIES):
        one.page.wait_for_timeout(SETTLED_MS / 2)
        if one.finished.count():
            break
    if not one.finished.count():
        one.ask("What is FooBarBaz?")
        one.ask("What does ADR.12 decide?")
    one.page.locator("textarea").first.fill("hello")


def tree(one: Traveller) -> None:
    """The way that a question took."""
    asked(one)
    one.page.get_by_role("button", name="Chat").last.click()
    one.page.get_by_role("menuitem", name="Tree").click()
    one.page.get_by_text("Skosmos lookup").first.wait_for()


def options(one: Traveller) -> None:
    """The settings of one conversation."""
    asked(one)
    one.page.get_by_role("button", name="Settings of this conversation").click()
    one.page.get_by_text("Reset Config").first.wait_for()


def at(menu: str, words: str) -> Callable[[Traveller], None]:
    """Return the way to a page of the menu, which is there when these words are."""

    def go(one: Traveller) -> None:
        one.to(menu)
        one.page.get_by_text(words).first.wait_for()

    return go


def collection(one: Traveller) -> None:
    """The rows of a collection, and a word to search them for."""
    at("Data", "Decisions")(one)
    one.page.get_by_text("Decisions", exact=True).click()
    one.page.get_by_role("row").nth(2).wait_for()
    one.page.get_by_placeholder("Search Decisions").fill("transit")


def row(one: Traveller) -> None:
    """A document among the rows."""
    collection(one)
    one.page.get_by_role("row").nth(2).click()
    one.page.get_by_text("Show more").first.wait_for()


def feedback(one: Traveller) -> None:
    """The thumbs that were given, the first of them with its conversation."""
    at("Evaluation", "Total Feedback")(one)
    one.page.get_by_text("Browse Feedback").click()
    one.page.get_by_text("User Feedback").wait_for()
    if one.page.get_by_text("hello").count():
        one.page.get_by_text("hello").last.click()
        one.page.get_by_text("Feedback Details").wait_for()


PAGES: dict[str, Callable[[Traveller], None]] = {
    "start": anew,
    "reply": asked,
    "tree": tree,
    "options": options,
    "Data": at("Data", "Decisions"),
    "collection": collection,
    "document": row,
    "Evaluation": at("Evaluation", "Total Feedback"),
    "feedback": feedback,
    "Settings": at("Settings", "Weaviate Cluster"),
}


@dataclass(kw_only=True)
class Sweep:
    """What was pressed, what a person noticed, and how to reach what was seen and not pressed."""

    until: float
    done: dict[Name, str] = field(default_factory=dict)
    ways: dict[Name, tuple[Name, ...]] = field(default_factory=dict)
    """By name: what to press on a fresh page before it is in sight."""

    def waiting(self, page: str) -> list[Name]:
        """What was seen on a page, or in the menu from there, and is not pressed yet."""
        return [name for name in self.ways if name not in self.done and name[0] in {page, "menu"}]

    def see(self, names: dict[Name, Locator], way: tuple[Name, ...]) -> None:
        """Remember how to reach what is in sight; the shortest way is kept."""
        if len(way) <= DEEPEST:
            for name in names:
                self.ways.setdefault(name, way)


MENU: dict[Name, str] = {}
"""What was pressed in the menu, which is the same on all pages: once is enough."""


def every_button(one: Traveller, name: str) -> None:
    """On one page, from its beginning, as long as there is one that was not pressed yet."""
    # What was typed on a page may be left; a question is answered with no.
    one.page.on("dialog", lambda it: it.accept() if it.type == "beforeunload" else it.dismiss())
    # A link to another site is there to be followed; it is not gone to.
    one.page.context.route(re.compile("^https:"), lambda route: route.abort())
    before = len(one.found)
    sweep = Sweep(until=time.monotonic() + SWEEP_S, done=dict(MENU))
    _sweep_page(one, sweep, name, PAGES[name])
    elsewhere = ("left the machine", "console: Failed to load resource: net::ERR_FAILED")
    one.found[before:] = [it for it in one.found[before:] if not it.startswith(elsewhere)]
    here = {at: sweep.done.get(at, "not pressed in time") for at in sweep.ways if at not in MENU}
    MENU.update({at: how for at, how in sweep.done.items() if at[0] == "menu"})
    one.found += [f"a button that {how}: {at}" for at, how in here.items() if how in BAD]
    one.found += ["nothing was pressed"] * (not here)
    told = Counter(here.values()).most_common()
    _say(f"{name}, {len(here)} buttons: {', '.join(f'{how} {count}' for how, count in told)}")


GONE = "was another by then"
"""What stood on a page when it was first seen, and not when its turn came: offered questions."""
BAD = (noticing.NOTHING, noticing.COVERED, "not pressed in time")


def _sweep_page(one: Traveller, sweep: Sweep, name: str, way: Callable[[Traveller], None]) -> None:
    _fresh(one, way)
    names, address = in_sight(one.page, name), one.page.url
    sweep.see(names, ())
    while time.monotonic() < sweep.until and (left := sweep.waiting(name)):
        wanted = left[0]
        if not _back(one.page, name, names, address):
            _again(one, way)
            names, address = in_sight(one.page, name), one.page.url
            if (*sweep.ways[wanted], wanted)[0] not in names:
                _fresh(one, way)
                names, address = in_sight(one.page, name), one.page.url
        began = time.monotonic()
        how = sweep.done[wanted] = _reach_and_press(one.page, sweep, name, wanted)
        _say(f"{name}: {wanted[1][:50]!r} {how} ({time.monotonic() - began:.1f} s)")
        now = in_sight(one.page, name)
        if one.page.url == address and _is_still(one.page, names, now):
            sweep.see(now, (*sweep.ways[wanted], wanted))


def _is_still(page: Page, before: dict[Name, Locator], now: dict[Name, Locator]) -> bool:
    """Tell whether a page is still the same, with something opened over it or beside."""
    opened = page.locator("[role=menu], [role=dialog], [role=alertdialog], [role=listbox]")
    own = {it for it in before if it[0] != "menu"}
    return opened.locator("visible=true").count() > 0 or 2 * len(own & now.keys()) >= len(own)


def _reach_and_press(page: Page, sweep: Sweep, name: str, wanted: Name) -> str:
    """Press what leads to a button, and then the button itself; what a person noticed."""
    for step in (*sweep.ways[wanted], wanted):
        button = in_sight(page, name).get(step)
        if button is None:
            return GONE
        how = noticing.pressed(page, button)
        noticing.still(page)
    return how


def _back(page: Page, name: str, names: dict[Name, Locator], address: str) -> bool:
    """Close what was opened, and say whether the page is as it was."""
    for other in page.context.pages:
        if other is not page:
            other.close()
    if page.url != address:
        return False
    if in_sight(page, name).keys() != names.keys():
        page.keyboard.press("Escape")
        noticing.still(page)
    return in_sight(page, name).keys() == names.keys()


def _again(one: Traveller, way: Callable[[Traveller], None]) -> None:
    """Come back by the menu where that leads there, which is faster than from the beginning."""
    from playwright.sync_api import TimeoutError as PlaywrightTimeout

    if way not in {anew, asked, tree, options}:
        one.page.set_default_timeout(AGAIN_MS)
        try:
            way(one)
            noticing.still(one.page)
        except PlaywrightTimeout:
            pass
        else:
            return
        finally:
            one.page.set_default_timeout(PATIENCE_MS)
    _fresh(one, way)


def _fresh(one: Traveller, way: Callable[[Traveller], None]) -> None:
    one.page.goto(one.address)
    one.page.wait_for_url("**conversation=**")
    way(one)
    noticing.still(one.page)


def in_sight(page: Page, name: str) -> dict[Name, Locator]:
    """Return what can be pressed and is to be seen, by name; the first where names are alike."""
    all_of_them = page.locator(CLICKABLE)
    found: dict[Name, Locator] = {}
    for at, where, called in all_of_them.evaluate_all(IN_SIGHT):
        plain = re.sub(r"\d+", "0", " ".join(str(called).split()))[:90]
        found.setdefault((where or name, plain), all_of_them.nth(at))
    return found


def _say(words: str) -> None:
    print(f"    {words}", flush=True)
