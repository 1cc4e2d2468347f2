"""What counts as a button that lives, when every button is pressed once (make journeys)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from benchmarks.journeys import noticing
from tests.e2e.house import BROWSER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [mark for mark in BROWSER if mark.name != "slow"]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.on("dialog", lambda dialog: dialog.dismiss())
    yield page
    page.close()


@pytest.mark.parametrize(
    ("does", "noticed"),
    [
        ("", noticing.NOTHING),
        ("this.dataset.touched = 1", noticing.NOTHING),
        ("new Image().src = 'data:,'", noticing.NOTHING),
        ("this.textContent = 'Pressed'", "shows"),
        ("p.hidden = false; setTimeout(() => p.hidden = true, 400)", "shows"),
        ("prompt('Title')", "asks"),
        ("window.open('about:blank')", "opens a page"),
        ("location.hash = 'there'", "leads elsewhere"),
    ],
)
def test_a_button_lives_if_a_person_notices(page: Page, does: str, noticed: str) -> None:
    """An attribute or a request that shows nowhere is not noticed, nor the colour under it."""
    page.set_content(
        "<style>button:hover {background: red}</style><p id=p hidden>Loading</p>"
        f'<button onclick="{does}">Press</button>'
    )
    assert noticing.pressed(page, page.get_by_role("button")) == noticed


def test_a_button_under_another_thing_is_told(page: Page) -> None:
    page.set_content(
        "<button>Press</button><div style='position:fixed;inset:0;background:#fffc'></div>"
    )
    assert noticing.pressed(page, page.get_by_role("button")) == noticing.COVERED
