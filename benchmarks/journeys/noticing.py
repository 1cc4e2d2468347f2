"""What a person notices after a press: another picture, a page, a question, a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

STILL_MS, STILL_TRIES = 120, 25
GLANCES_MS = (30, 150, 350, 700)
"""When it is looked at after a press: what comes and goes at once is noticed, too."""
READ = "document.querySelectorAll('ol.fixed > li').forEach(e => { e.style.display = 'none'; })"
"""Puts away the notices that are there, which would go by themselves in the midst of it."""
ON_TOP = """e => { const box = e.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return !!top && (e.contains(top) || top.contains(e)); }"""
EVENTS = {"popup": "opens a page", "dialog": "asks", "download": "saves", "filechooser": "asks"}
COVERED, NOTHING = "is covered", "does nothing"


def pressed(page: Page, button: Locator) -> str:
    """Press a button and return what a person then notices; ``NOTHING`` where it is dead.

    The pointer is on it, and the picture has come to rest, before it is pressed: neither a colour
    under the pointer nor what was still moving counts. An attribute or a request that shows
    nowhere counts as little.
    """
    button.evaluate("e => e.scrollIntoView({block: 'center', behavior: 'instant'})")
    button.hover(force=True)
    before = still(page)
    if not button.evaluate(ON_TOP):
        return COVERED
    went: list[str] = []
    noted = {event: (lambda _, what=what: went.append(what)) for event, what in EVENTS.items()}
    for event, note in noted.items():
        page.on(event, note)  # type: ignore[call-overload]
    address = page.url
    page.mouse.down()
    page.mouse.up()
    seen = _glanced(page, before, went)
    for event, note in noted.items():
        page.remove_listener(event, note)
    return went[0] if went else "leads elsewhere" if page.url != address else seen


def still(page: Page) -> bytes:
    """Return the picture once it rests, or the last one after three seconds of moving."""
    last = b""
    for _ in range(STILL_TRIES):
        page.wait_for_timeout(STILL_MS)
        page.evaluate(READ)
        now = picture(page)
        if now == last:
            break
        last = now
    return last


def picture(page: Page) -> bytes:
    """What is on the screen, its endless movements apart."""
    return page.screenshot(animations="disabled", type="png")


def _glanced(page: Page, before: bytes, went: list[str]) -> str:
    for wait in GLANCES_MS:
        page.wait_for_timeout(wait)
        if went:
            return went[0]
        if picture(page) != before:
            return "shows"
    return NOTHING
