"""Reading on from an answer, in a headless Chromium. Screenshots go to build/e2e."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.e2e.house import BROWSER, PICTURED, SHOTS, Chat

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = BROWSER


def opened(chat: Chat, name: str | re.Pattern[str], *, first: bool = False) -> Page:
    """Follow a link of the chat, which opens beside it."""
    link = chat.page.get_by_role("link", name=name)
    with chat.page.expect_popup() as popup:
        (link.first if first else link).click()
    page = popup.value
    page.wait_for_load_state()
    return page


def shot(page: Page, what: str, *, width: int = 1000, dark: bool = False) -> None:
    """Picture a page of our own."""
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if PICTURED:
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{what}.png")


def test_a_source_is_opened_at_its_words(chat: Chat) -> None:
    """The mark in the text opens the document; what was quoted is marked and in view."""
    chat.ask("How long may a privileged session last?")
    chat.shot("asked")
    page = opened(chat, "[source:2]")
    words = page.locator("mark#quoted")
    assert words.inner_text() == (
        "Privileged access is requested per session, lasts 8 hours at most and is recorded on "
        "video or as a command log."
    )
    shot(page, "document")
    shot(page, "document-dark", dark=True)
    shot(page, "document-400", width=400)
    page.goto(page.url)
    box = words.bounding_box()
    assert box is not None
    assert 0 < box["y"] < 900
    page.keyboard.press("Tab")
    assert "/guard/documents" in page.url
    assert chat.page.get_by_text("Finished in").count() == 1


def test_a_card_and_a_mention_lead_on(chat: Chat) -> None:
    """An opened card names the collection as people do, and leads to all that is quoted."""
    chat.ask("What does ADR.12 decide?")
    chat.page.get_by_text("[source:1] ADR-0012").last.click()
    link = chat.page.get_by_role("link", name="Open at these words").last
    link.wait_for()
    chat.shot("card")
    assert chat.page.get_by_text("Decisions", exact=True).count() == 1
    assert "ADR_Ollama" not in chat.shown
    page = opened(chat, "Open at these words", first=True)
    assert page.locator("mark").count() > 1
    page.keyboard.press("Tab")
    assert page.get_by_role("link", name="To the text").evaluate(
        "e => e === document.activeElement"
    )


def test_why_is_told_and_leads_to_the_sources(chat: Chat) -> None:
    chat.ask("How long may a privileged session last?")
    page = opened(chat, "Why this answer", first=True)
    assert page.get_by_role("heading", level=1).inner_text() == (
        "How long may a privileged session last?"
    )
    shot(page, "why")
    shot(page, "why-400", width=400, dark=True)
    page.get_by_role("link", name="Access control policy").click()
    page.locator("mark#quoted").wait_for()


def test_a_term_leads_to_its_neighbours(chat: Chat) -> None:
    chat.ask("What is CIMXML?")
    page = opened(chat, "[source:1]")
    shot(page, "concept")
    page.get_by_role("link", name="CIM profile", exact=True).click()
    assert page.get_by_role("heading", level=1).inner_text() == "CIM profile"
    shot(page, "concept-dark", dark=True, width=400)


def test_an_entry_of_a_list_opens_it(chat: Chat) -> None:
    """What is folded, by its number, too."""
    chat.ask("List all principles")
    entry = chat.page.get_by_role("link", name=re.compile("^PCP-0022"))
    assert not entry.is_visible()
    chat.page.locator("summary", has_text=re.compile(r"^\+ \d+$")).press("Enter")
    chat.shot("listed")
    page = opened(chat, re.compile("^PCP-0022"))
    assert page.get_by_role("heading", level=1).inner_text() == "Herbruikbare bouwstenen"
    shot(page, "not-in-force")


def test_outcomes_differ_at_a_glance(chat: Chat) -> None:
    """Each bears its own sign, words and frame; ways on stand once."""
    frames = set()
    for question in ("What is CIMXML?", "What is CIM?", "What is FooBarBaz?"):
        chat.ask(question)
        badge = chat.page.locator('a[title][href^="/guard/answers/"]').last
        frames.add(badge.evaluate("e => getComputedStyle(e).borderStyle"))
        chat.shot(re.sub(r"\W+", "-", question))
    assert len(frames) == 3
    assert chat.shown.count("List all principles") == 1


def test_a_narrow_page_with_the_keyboard_alone(chat: Chat) -> None:
    """At 400 px, in Dutch: what is refused, where it is mentioned, and on by the keyboard."""
    chat.page.set_viewport_size({"width": 400, "height": 900})
    chat.ask("Welke kleur heeft de back-up?")
    chat.shot("refused-400")
    link = chat.page.get_by_role("link", name="Waarom dit antwoord").last
    link.focus()
    assert link.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    with chat.page.expect_popup() as popup:
        chat.page.keyboard.press("Enter")
    page = popup.value
    page.wait_for_load_state()
    assert page.locator("html").get_attribute("lang") == "nl"
    shot(page, "refused-why-400", width=400)
