"""A conversation that is opened again after a restart, in a headless Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e.house import BROWSER, Chat, House

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = BROWSER


def thumbs(chat: Chat, reply: int) -> Locator:
    """Good, and bad: the third and fourth button beside 'Finished in'."""
    row = chat.page.locator("div:has(> p:text-matches('^Finished in'))").nth(reply)
    return row.locator("button")


def test_c6_a_reopened_conversation_in_a_browser(house: House, browser: Browser) -> None:
    """After a restart a new window shows the conversation with its thumbs, and goes on with it.

    Where nothing is kept, the page says so, and no button turns green.
    """
    with house.chat():
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        chat = Chat(context.new_page(), house.address, name="reopened").start()
        chat.ask("What does ADR.12 decide?")
        chat.ask("What is CIM?")
        thumbs(chat, 1).nth(2).click()
        chat.page.locator("button.text-accent").wait_for()
        chat.check()
        context.close()
    with house.chat():
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        page = context.new_page()
        chat = Chat(page, house.address, name="reopened")
        # The page folds the earlier answer.
        chat.finished.first.wait_for()
        chat.shot("after-a-restart")
        assert page.locator("button.text-accent").count() == 1
        assert "Which one do you mean?" in chat.shown
        thumbs(chat, 0).nth(2).click()
        page.locator("button.text-accent").wait_for(state="detached")
        chat.ask("the second")
        assert "You chose this meaning; there are others" in chat.shown
        chat.shot("gone-on")
        chat.check()
        context.close()
    assert house.problems() == []

    house._environment["ELYSIA_GUARD_CONVERSATIONS__ENABLED"] = "false"
    with house.chat():
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        chat = Chat(context.new_page(), house.address, name="grey").start()
        chat.ask("What does ADR.12 decide?")
        thumbs(chat, 0).nth(2).click()
        chat.page.get_by_text("Your judgement was not kept: nothing is stored here").wait_for()
        assert chat.page.locator("button.text-accent").count() == 0
        chat.shot("not-kept")
        chat.check()
        context.close()
