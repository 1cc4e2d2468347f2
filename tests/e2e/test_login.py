"""The chat with a secret, in a real browser: log in once, ask, and look at the settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.house import BROWSER, NO_DRAWING, PATIENCE_MS, PICTURED, SHOTS, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = BROWSER

SECRET = "letmein-7f3c9a51d2e84b06"
KEY = "canary-openai-41c7d9e2"


@pytest.fixture(scope="module")
def address(index: Path) -> Iterator[str]:
    """A chat that others can reach, with a secret and somebody's key."""
    settings = {
        "ELYSIA_GUARD_INDEX__PATH": str(index),
        "ELYSIA_GUARD_SECRET": SECRET,
        "ELYSIA_GUARD_SERVER__PUBLIC": "true",
        "OPENAI_API_KEY": KEY,
        "OPENAI_API_BASE": "http://127.0.0.1:9",
    }
    with served(index.parent / "secret.log", **settings) as said:
        yield said


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.add_init_script(NO_DRAWING)
    yield page
    context.close()


def shot(page: Page, name: str) -> None:
    if PICTURED:
        page.screenshot(path=SHOTS / f"login-{name}.png")


def enter(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Secret").fill(SECRET)
    page.get_by_role("button", name="Log in").click()
    page.get_by_text("New Conversation").first.wait_for()


def test_b1_a_browser_logs_in_once_and_chats(page: Page) -> None:
    """The login opens Elysia's own page, which answers; a wrong secret is told."""
    page.goto("/")
    shot(page, "asked")
    page.get_by_label("Secret").fill("wrong-wrong-wrong")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("alert").wait_for()
    shot(page, "wrong")
    enter(page)
    page.get_by_text("New Conversation").first.wait_for()
    page.locator("textarea").first.fill("What does ADR.12 decide?")
    page.keyboard.press("Enter")
    page.get_by_text("Chosen option: use the Common Information Model").first.wait_for()
    shot(page, "answered")
    page.reload()
    page.get_by_text("Conversations").first.wait_for()


def test_b1_the_settings_page_shows_no_key(page: Page) -> None:
    """The page of settings sees that a key is set; the key is nowhere in what it was sent."""
    received: list[str] = []

    def remember(response: object) -> None:
        url = response.url  # type: ignore[attr-defined]
        if any(part in url for part in ("/user/config", "/init/user")):
            received.append(response.text())  # type: ignore[attr-defined]

    page.on("response", remember)
    enter(page)
    page.get_by_text("Settings").first.click()
    page.wait_for_load_state("networkidle")
    shot(page, "settings")
    assert any("openai_api_key" in text for text in received)
    assert not any(KEY in text for text in received)
    assert KEY not in page.content()
