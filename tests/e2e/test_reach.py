"""What Elysia's page shows to eyes and a mouse alone, led to by keys and named, in a Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.e2e.house import BROWSER

from elysia_guard.edge.elysia.webapp.front_end import REACH

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [mark for mark in BROWSER if mark.name != "slow"]

CLOSE, UNKNOWN = "m289.94 256 95-95", "M1 1h2v3z"
PRESSED = "[data-reach=pressed]"
PRESSABLE = "class=cursor-pointer onclick=pressed.push(1)"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.set_default_timeout(5_000)
    yield page
    page.close()


def shown(page: Page, body: str) -> None:
    """Show a page with the script, and wait until it has looked."""
    page.set_content(f"<body>{body}<div><p>Looked</p><input id=in></div>")
    page.evaluate("window.pressed = []")
    page.add_script_tag(path=REACH)
    page.locator("#in[aria-label]").wait_for()


def name_of(page: Page, where: str) -> str | None:
    return page.locator(where).get_attribute("aria-label")


def test_a_field_is_called_what_stands_beside_it(page: Page) -> None:
    """Not what a button beside it says; what is chosen in it follows, and a label is left alone."""
    shown(
        page,
        """<section><h2>Cluster</h2>
        <div><p>URL</p><p>Where it is.</p><div><button>Paste</button><input id=url></div></div>
        <div><div><button role=checkbox id=box></button><p>Save Configs</p></div></div>
        <div><p>Page 1</p><input id=search placeholder="Search Decisions"></div>
        <div><p>Provider</p><button role=combobox id=list>Any</button></div>
        <label>Name <input id=own></label></section>""",
    )
    assert name_of(page, "#url") == "URL"
    assert name_of(page, "#box") == "Save Configs"
    assert name_of(page, "#search") == "Search Decisions"
    assert name_of(page, "#list") == "Provider: Any"
    assert name_of(page, "#own") is None


def test_a_name_follows_what_is_shown(page: Page) -> None:
    """A field whose words change is called anew."""
    shown(page, "<div><p id=p>Base</p><input id=field></div>")
    page.evaluate("document.querySelector('#p').firstChild.data = 'Complex'")
    page.locator('#field[aria-label="Complex"]').wait_for()


def test_a_picture_is_called_what_it_means(page: Page) -> None:
    """One that is not known stays without a name, which is said of it, rather than a wrong one."""
    svg = "<svg role=img><path d='{}'></path></svg>"
    shown(
        page,
        f"<button id=close>{svg.format(CLOSE)}</button>"
        f"<button id=words>{svg.format(CLOSE)} Cancel</button>"
        f"<button id=other>{svg.format(UNKNOWN)}</button>",
    )
    assert name_of(page, "#close") == "Close"
    assert name_of(page, "#words") is None
    assert name_of(page, "#other") is None
    assert page.locator("#close svg").get_attribute("aria-hidden") == "true"


@pytest.mark.parametrize("key", ["Enter", "Space"])
@pytest.mark.parametrize(
    ("body", "where"),
    [
        (f"<div {PRESSABLE}><b>A card</b></div>", "div"),
        (f"<div tabindex=0 {PRESSABLE}>A step</div>", "div"),
        (f"<a {PRESSABLE}>Dashboard</a>", "a"),
        (f"<div {PRESSABLE}><p>A card</p><button>More</button></div>", "p"),
        (f"<table><tr><td {PRESSABLE}>A row</td><td {PRESSABLE}>goes on</td></tr></table>", "tr"),
    ],
    ids=[
        "a card",
        "a step that is a stop already",
        "a link without an address",
        "a card with a button",
        "a row",
    ],
)
def test_what_the_mouse_may_press_a_key_presses(
    page: Page, body: str, where: str, key: str
) -> None:
    """Tab reaches it once, and Enter and Space do what the mouse does."""
    shown(page, body)
    page.locator(f"{where}{PRESSED}").wait_for()
    assert page.locator(PRESSED).count() == 1
    page.keyboard.press("Tab")
    assert page.locator(f"{where}{PRESSED}").evaluate("e => e === document.activeElement")
    page.keyboard.press(key)
    assert page.evaluate("pressed") == [1]


def test_what_is_open_already_or_a_drawing_is_no_stop(page: Page) -> None:
    shown(
        page,
        "<li class=cursor-pointer><span aria-disabled=true>Here</span></li>"
        "<div class=cursor-pointer>A globe<canvas></canvas></div>"
        "<label class=cursor-pointer>Its field <input></label>",
    )
    assert page.locator(PRESSED).count() == 0


def test_what_scrolls_is_reached_as_long_as_it_scrolls(page: Page) -> None:
    """A part with something in it that keys reach needs no stop of its own."""
    tall = "<p style='height:900px'>tall</p>"
    style = "style='height:90px;overflow-y:auto'"
    shown(
        page,
        f"<div id=bare class=overflow-y-auto {style}>{tall}</div>"
        f"<div id=held class=overflow-y-auto {style}>{tall}<a href='#'>there</a></div>"
        f"<div id=low class=overflow-y-auto {style}>low</div>",
    )
    assert page.locator("[data-reach=scrolled]").evaluate_all("all => all.map(e => e.id)") == [
        "bare"
    ]
    assert page.locator("#bare").get_attribute("tabindex") == "0"
    page.evaluate("document.querySelector('#bare').firstChild.remove()")
    page.locator("#bare:not([tabindex])").wait_for()


def test_a_row_that_is_reached_is_seen_from_its_beginning(page: Page) -> None:
    """By keys; a mouse that presses what is far to the right does not move the table."""
    cells = "".join(f"<td {PRESSABLE} style='min-width:400px'>{word}</td>" for word in "abcdefgh")
    shown(
        page,
        "<button id=before>Before</button><div id=table style='width:500px;overflow-x:auto'>"
        f"<table><tr>{cells}</tr></table></div>",
    )
    page.locator(f"tr{PRESSED}").wait_for()
    table = page.locator("#table")
    table.evaluate("e => { e.scrollLeft = 2000; }")
    page.get_by_text("g", exact=True).click()
    assert table.evaluate("e => e.scrollLeft") > 1000
    page.locator("#before").focus()
    page.keyboard.press("Tab")
    assert table.evaluate("e => e.scrollLeft") < 10
