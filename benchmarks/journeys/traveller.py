"""A person at a page in a browser of their own, and what is looked at on every page they see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.e2e.house import Chat
from tests.e2e.test_reading_on import opened

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

SHOTS = Path(__file__).parents[2] / "build" / "journeys"
AXE = find_spec("axe_playwright_python")
PATIENCE_MS, FADED_IN_MS = 20_000, 1_200
HERE = ("http://127.0.0.1:", "ws://127.0.0.1:", "blob:", "data:")
RED = ", ".join(
    f"{mark}:not(button):not(button *)"
    for mark in (
        "p.text-warning",
        "p.text-error",
        ".border-warning",
        ".border-error",
        ".text-destructive",
    )
)
"""What is written or framed in the colours of a warning; a button to close or delete may be red."""
GRAVE = ("serious", "critical")
RUN_AXE = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)"
SIDEWAYS = """(() => {
const scrolls = e => e && (['auto', 'scroll'].includes(getComputedStyle(e).overflowX)
  || scrolls(e.parentElement));
const beyond = [...document.querySelectorAll('body *')].filter(e => !e.childElementCount
  && e.innerText?.trim() && !e.closest('ol.fixed, [role=status]') && !scrolls(e)
  && e.checkVisibility());
const right = beyond.map(e => e.getBoundingClientRect().right - innerWidth);
return Math.max(0, ...right.map(Math.floor));
})()"""
"""How far words stand out of the window, where nothing scrolls to them; notices slide in there."""
BARRIERS: dict[tuple[str, str], Counter[str]] = {}
"""What axe-core found on all journeys: whose page, which rule, and where."""
NONSENSE = ("undefined", "_REF_ID", "[object Object]", "NaN")


class Traveller(Chat):
    """Asks, looks around, and keeps what goes wrong on the way."""

    def __init__(self, context: BrowserContext, address: str, *, name: str) -> None:
        self.unreachable = False
        """Whether the server is away, as is meant: requests that fail are then no problem."""
        self.found: list[str] = []
        self.shots = 0
        page = context.new_page()
        context.on("page", self._listen)
        self._listen(page)
        super().__init__(page, address, name=name)
        page.set_default_timeout(PATIENCE_MS)

    def _listen(self, page: Page) -> None:
        page.on("console", self._said)
        page.on("request", self._went)

    def _said(self, message: ConsoleMessage) -> None:
        away = self.unreachable and re.search("ERR_|WebSocket|Failed to fetch", message.text)
        if message.type == "error" and not away:
            self.found.append(f"console: {message.text[:200]}")

    def _went(self, request: Request) -> None:
        if not request.url.startswith(HERE):
            self.found.append(f"left the machine: {request.url}")

    def ask(self, question: str) -> str:
        """Come back to the conversation, ask, and wait for the end of the answer."""
        self.page.bring_to_front()
        return super().ask(question)

    def to(self, page: str) -> None:
        """Go to one of the pages of the menu."""
        self.page.get_by_text(page, exact=True).first.click()

    def follow(self, name: str | re.Pattern[str], *, first: bool = True) -> Page:
        """Open a link of the conversation beside it."""
        return opened(self, name, first=first)

    def look(self, what: str = "", page: Page | None = None) -> None:
        """Picture a page, and look for what is red, nonsense, too wide or a barrier on it."""
        page = page or self.page
        page.bring_to_front()
        page.wait_for_timeout(FADED_IN_MS)
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.shots += 1
        page.screenshot(path=SHOTS / f"{self.name}-{self.shots}{what and '-'}{what}.png")
        where = what or "the page"
        red = page.locator(f"{RED} >> visible=true").all_inner_texts()
        # A count of thumbs down is red, and warns of nothing.
        self.found += [
            f"red on {where}: {it[:80]!r}"
            for it in red
            if not it.isdigit() and not self.unreachable
        ]
        shown = page.inner_text("body")
        self.found += [f"{word!r} on {where}" for word in NONSENSE if word in shown]
        if wide := page.evaluate(SIDEWAYS):
            self.found.append(f"{where} is {wide} px too wide")
        whose = "our page" if "/guard/" in page.url else "Elysia's page"
        for rule, html in barriers(page):
            BARRIERS.setdefault((whose, rule), Counter())[f"{self.name}-{where}: {html}"] += 1

    def wrong(self) -> list[str]:
        """Return everything that has gone wrong so far."""
        return list(dict.fromkeys([*self.problems, *self.found]))

    @contextmanager
    def away(self) -> Iterator[None]:
        """While the server is away, as it is meant to be."""
        before = len(self.problems)
        self.unreachable = True
        yield
        self.unreachable = False
        del self.problems[before:]


def barriers(page: Page) -> list[tuple[str, str]]:
    """Return what axe-core calls serious or critical, with where; nothing where it is not there."""
    if AXE is None or AXE.origin is None:
        return []
    if not page.evaluate("'axe' in window"):
        page.evaluate((Path(AXE.origin).parent / "axe.min.js").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(RUN_AXE)
    return [
        (f"{item['impact']} {item['id']}", node["html"][:160])
        for item in found
        if item["impact"] in GRAVE
        for node in item["nodes"]
    ]
