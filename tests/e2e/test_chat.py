"""The web chat as a person sees it, in a headless Chromium. Screenshots go to build/e2e."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.e2e.house import BROWSER, Chat, at_the_page
from tests.e2e.test_reopened import thumbs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = BROWSER


def test_a_definition_is_quoted_with_its_source(chat: Chat) -> None:
    """A term is answered by the vocabulary's own words, in a quote; its card names the concept."""
    chat.ask("What is CIMXML?")
    quote = chat.page.locator("blockquote")
    assert "Format, laid down in IEC 61970-552" in quote.inner_text()
    assert "[source:1]" in quote.inner_text()
    assert chat.page.get_by_text("Items per page").count() == 0
    chat.page.get_by_text("[source:1] CIMXML (Grid and market terms)").click()
    chat.page.get_by_role("link", name="https://vocab.vennet.example/grid/cimxml").wait_for()


IN_VIEW = """asked => {
    const question = [...document.querySelectorAll("p.text-3xl")].find(p => p.innerText === asked);
    const seen = question.closest(".overflow-y-auto").getBoundingClientRect();
    const below = document.querySelector("textarea").getBoundingClientRect().top;
    const reply = question.closest(".p-4").querySelectorAll(".markdown-container > *");
    return [question, reply[0], reply[1]].map(e => e.getBoundingClientRect())
        .every(e => e.top >= seen.top && e.top + 24 <= Math.min(seen.bottom, below));
}"""


@pytest.mark.parametrize("width", [1280, 400])
def test_a_reply_begins_in_view_and_stays_where_it_is_scrolled_to(chat: Chat, width: int) -> None:
    """Question, sign and first line are seen, of a second reply too; a thumb moves nothing."""
    chat.page.set_viewport_size({"width": width, "height": 900})
    for asked in ("List all decisions", "Who approved ADR-0012?"):
        chat.ask(asked)
        assert chat.page.evaluate(IN_VIEW, asked)
    chat.page.locator("p.text-3xl").first.evaluate("e => e.scrollIntoView()")
    thumbs(chat, 1).nth(2).evaluate("e => e.click()")
    chat.page.locator("button.text-accent").wait_for()
    assert not chat.page.evaluate(IN_VIEW, "Who approved ADR-0012?")
    chat.ask("What is CIMXML?")
    assert chat.page.evaluate(IN_VIEW, "What is CIMXML?")


class Remote(Chat):
    """A person at a desktop that draws nothing in 3D."""

    def __init__(self, page: Page, address: str, *, name: str) -> None:
        page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
        super().__init__(page, address, name=name)


def test_without_3d_it_is_a_chat_that_says_what_is_too_long(browser: Browser, address: str) -> None:
    """It says so before it is sent, and keeps it in the field."""
    with at_the_page(browser, Remote, address, name="without-3d") as remote:
        field = remote.page.locator("textarea").first
        field.fill("x" * 2_001)
        remote.page.get_by_text("This has 2001 characters; at most 2000 can be asked.").wait_for()
        remote.page.keyboard.press("Enter")
        assert remote.page.locator("p.text-3xl").count() == 1  # what the start page is called
        assert "Format, laid down" in remote.ask("What is CIMXML?")


def test_what_is_hedged_says_so_first_behind_its_mark(chat: Chat) -> None:
    """Its caveat stands in bold above the quotes; what is asserted bears none."""
    chat.ask("How long may a privileged session last?")
    caveat = chat.page.locator("strong", has_text="\u2248 I cannot be sure that this answers")
    assert caveat.count() == 1
    quote = chat.page.locator("blockquote").first
    above, below = caveat.bounding_box(), quote.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"]
    # The end of a long one, where its caveat is scrolled away, bears the sign too.
    assert chat.page.get_by_text(re.compile(r"^\u2248 \[source:\d\] POL-0003")).is_visible()
    chat.shot("hedged")
    chat.ask("What is CIMXML?")
    assert caveat.count() == 1


def test_a_refusal_says_why_and_its_suggestions_can_be_clicked(chat: Chat) -> None:
    """A refusal gives its reason and ways on, each once, by its name; a click or key asks it."""
    shown = chat.ask("Wat besluit ADR-0050?")
    assert "Waarom:" in shown
    assert shown.count("ADR-0030") == 1
    chat.page.get_by_text("Hoe verder", exact=True).wait_for()
    chat.shot("refused")
    chat.page.get_by_role("button", name="1. Bedoelt u ADR-0030").press("Enter")
    assert "Wat besluit ADR-0030?" in chat.answered(2)


def test_a_decision_is_shown_with_a_card(chat: Chat) -> None:
    """A document is quoted; its card opens, and says where the quote stands."""
    shown = chat.ask("What does ADR.12 decide?")
    assert "ADR-0012: Use CIM as the canonical data model (accepted" in shown
    assert "Chosen option: use the Common Information Model" in shown
    chat.shot("answered")
    chat.page.get_by_text("[source:1] ADR-0012").click()
    chat.page.get_by_text("decisions/0012-use-cim-as-the-canonical-data-model.md").wait_for()


def test_an_ambiguous_term_is_asked_back(chat: Chat) -> None:
    """Two meanings are offered; a click on one is answered."""
    shown = chat.ask("What is CIM?")
    assert "Which one do you mean?" in shown
    assert "cyber incident management" in shown
    chat.page.get_by_text("1. What is CIM (Grid and market terms)?", exact=True).click()
    assert "Grid information standard" in chat.answered(2)
    assert chat.page.locator("blockquote").count() == 1


def test_a_meaning_is_picked_by_its_place(chat: Chat) -> None:
    """'the second' is enough; the answer names the other meaning, and the choice is kept."""
    chat.ask("What is CIM?")
    chat.ask("the second")
    chat.shot("picked")
    assert "You chose this meaning; there are others" in chat.shown
    chat.ask("Define CIM")
    assert chat.page.locator("blockquote", has_text="Process of detecting").count() == 2
    assert chat.shown.count("Which one do you mean?") == 1


def test_a_dutch_question_gets_a_dutch_answer(chat: Chat) -> None:
    """The answer is in the language of the question."""
    shown = chat.ask("Wat is een transformator?")
    assert "Bedrijfsmiddel zonder bewegende hoofddelen" in shown
    assert "Ook genoemd: trafo" in shown


def test_the_same_question_twice_and_a_reload(chat: Chat) -> None:
    """A repeated question is answered again; after a reload the conversation is still there."""
    assert chat.ask("What is FooBarBaz?").count("I cannot answer this") == 1
    assert chat.ask("What is FooBarBaz?").count("I cannot answer this") == 2
    chat.page.reload()
    chat.finished.first.wait_for()
    # In the list, on the tab, and as both questions; the front end folds the earlier answer.
    assert chat.shown.count("What is FooBarBaz?") == 4
    assert "I cannot answer this" in chat.shown
    chat.page.get_by_text("2. List all principles", exact=True).click()
    chat.page.get_by_text("PCP-0010").wait_for()


def test_two_conversations_stay_apart(chat: Chat) -> None:
    """A second conversation starts empty, and the first is as it was."""
    chat.ask("What is CIMXML?")
    chat.page.get_by_text("Add Conversation").click()
    chat.page.get_by_text("New Conversation").first.wait_for()
    chat.page.get_by_text("Ask Elysia").wait_for()
    shown = chat.ask("What does ADR.12 decide?")
    assert "Format, laid down" not in shown
    chat.page.get_by_text("What is CIMXML?").first.click()
    chat.page.locator("blockquote", has_text="Format, laid down").wait_for()
