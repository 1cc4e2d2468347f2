"""Elysia's pages over our own store, in a headless Chromium. Screenshots go to build/e2e."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.e2e.house import BROWSER, Chat, at_the_page
from tests.e2e.test_reopened import thumbs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = BROWSER


class Visit(Chat):
    """A person who looks around; every error of the console is a problem, too."""

    def __init__(self, page: Page, address: str, *, name: str) -> None:
        self.elsewhere: list[str] = []
        page.on("request", self._went)
        super().__init__(page, address, name=f"pages-{name}")
        page.on("console", self._said)

    def _went(self, request: object) -> None:
        url = request.url  # type: ignore[attr-defined]
        if not url.startswith(("http://127.0.0.1:", "blob:", "data:")):
            self.elsewhere.append(url)

    def _said(self, message: object) -> None:
        if message.type == "error":  # type: ignore[attr-defined]
            self.problems.append(message.text)  # type: ignore[attr-defined]

    def to(self, page: str) -> None:
        """Go to one of the pages of the menu."""
        self.page.get_by_text(page, exact=True).first.click()

    def warnings(self) -> int:
        """How much on the page is written or framed in the colours of a warning or an error."""
        marked = "p.text-warning, p.text-error, .border-warning, .border-error, .text-destructive"
        return self.page.locator(f"{marked} >> visible=true").count()

    def check(self) -> None:
        """Nothing has gone wrong, and nothing was asked of another machine."""
        super().check()
        assert self.elsewhere == []


@pytest.fixture
def visit(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    name = request.node.name.removeprefix("test_d1_")
    with at_the_page(browser, Visit, address, name=name) as person:
        yield person


def offered(visit: Visit) -> list[str]:
    """The questions that the start page offers."""
    about = visit.page.get_by_text("Ask Elysia").locator("xpath=../..").locator("button p")
    about.first.wait_for()
    return about.all_inner_texts()


def test_d1_a_first_visit_offers_questions_that_are_answered(visit: Visit) -> None:
    """No dialog, four questions of different kinds, others by the arrow; a click is answered."""
    assert visit.page.get_by_role("dialog").count() == 0
    assert visit.warnings() == 0
    found = offered(visit)
    assert len(found) == 4
    visit.page.get_by_text("No language model is used: the rules answer.").wait_for()
    visit.shot("start")
    again = visit.page.get_by_text("Ask Elysia").locator("xpath=..").get_by_role("button")
    shown = {tuple(found)}
    for _ in range(5):
        again.click()
        shown.add(tuple(offered(visit)))
    assert len(shown) > 1
    visit.page.get_by_text(re.compile("^What does .* decide")).or_(
        visit.page.get_by_text(re.compile("^What "))
    ).first.click()
    said = visit.answered(1)
    assert "I cannot answer" not in said
    assert "\u2248" not in said


def test_d1_data_lists_opens_and_searches(visit: Visit) -> None:
    """From the dashboard to a document and back, without anything to change or to warn of."""
    visit.to("Data")
    visit.page.get_by_text("Decisions", exact=True).wait_for()
    assert visit.warnings() == 0
    visit.shot("dashboard")
    visit.page.get_by_text("Decisions", exact=True).click()
    visit.page.get_by_placeholder("Search Decisions").fill("transit")
    visit.page.keyboard.press("Enter")
    visit.page.get_by_role("row").nth(3).wait_for()
    row = visit.page.get_by_text("Encrypt data in transit and at rest", exact=True)
    row.click()
    visit.page.get_by_text("Show more").wait_for()
    visit.page.get_by_text("Show more").click()
    visit.page.get_by_text("Considered Options").wait_for()
    visit.shot("document")
    visit.page.get_by_text("Metadata", exact=True).click()
    visit.page.get_by_text("status: accepted").wait_for()
    visit.shot("metadata")
    visit.page.get_by_text("Configuration", exact=True).click()
    for change in ("Edit", "Re-Analyze Collection", "Clear Analysis"):
        assert visit.page.get_by_text(change, exact=True).count() == 0
    assert visit.warnings() == 0


def test_d1_settings_ask_for_nothing(visit: Visit) -> None:
    """No warning of a Weaviate or a model that nobody needs; what is half filled in is told."""
    visit.to("Settings")
    visit.page.get_by_text("Weaviate Cluster (optional)").wait_for()
    visit.page.get_by_text("API Keys", exact=True).wait_for()
    assert (
        visit.page.get_by_text(re.compile("Configuration Required|API Keys Required")).count() == 0
    )
    visit.shot("untouched")
    visit.page.get_by_role("textbox").nth(0).fill("https://weaviate.example")
    visit.page.get_by_text("Weaviate Configuration Required").wait_for()


def test_d1_a_thumb_is_seen_on_evaluation(visit: Visit) -> None:
    """Counted, and listed with its conversation."""
    visit.ask("What is CIMXML?")
    thumbs(visit, 0).nth(2).click()
    visit.page.locator("button.text-accent").wait_for()
    visit.to("Evaluation")
    total = visit.page.get_by_text("Total Feedback", exact=True).locator("xpath=..")
    total.get_by_text("1", exact=True).wait_for()
    visit.shot("dashboard")
    visit.page.get_by_text("Browse Feedback").click()
    visit.page.get_by_text("What is CIMXML?").last.click()
    visit.page.get_by_text("Feedback Details").wait_for()
    visit.page.get_by_text("Format, laid down").first.wait_for()
    visit.shot("feedback")
    assert visit.warnings() == 0


def test_d1_conversations_are_renamed_and_deleted(visit: Visit) -> None:
    """From the menu beside each; what is deleted is asked for."""
    visit.ask("What is CIMXML?")
    menu = visit.page.locator("li", has_text="What is CIMXML?").locator("button").last
    visit.page.once("dialog", lambda dialog: dialog.accept("Exchange of models"))
    menu.click()
    visit.page.get_by_role("menuitem", name="Rename").click()
    renamed = visit.page.locator("li", has_text="Exchange of models")
    renamed.wait_for()
    visit.shot("renamed")
    # In the list, and above the conversation.
    visit.page.get_by_text("Exchange of models").nth(1).wait_for()
    renamed.locator("button").last.click()
    visit.page.once("dialog", lambda dialog: dialog.dismiss())
    visit.page.get_by_role("menuitem", name="Delete").click()
    renamed.locator("button").last.click()
    visit.page.once("dialog", lambda dialog: dialog.accept())
    visit.page.get_by_role("menuitem", name="Delete").click()
    renamed.wait_for(state="detached")


def test_d1_the_tree_shows_our_tools_and_the_way_taken(visit: Visit) -> None:
    visit.ask("What is CIMXML?")
    visit.page.get_by_role("button", name="Chat").last.click()
    visit.page.get_by_role("menuitem", name="Tree").click()
    for tool in ("Skosmos lookup", "Abstain"):
        visit.page.get_by_text(tool).first.wait_for()
    shown = visit.shown
    for idle in ("Query", "Aggregate", "Cited summarize", "Text response"):
        assert idle not in shown
    visit.shot("tree")


def test_d1_a_reply_is_copied_whole(visit: Visit) -> None:
    """The button beside it copies what stands there, from its badge to its source."""
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.ask("What is CIMXML?")
    row = visit.page.locator("div:has(> p:text-matches('^Finished in'))")
    row.get_by_title("Copy to clipboard").click()
    copied = visit.page.evaluate("navigator.clipboard.readText()")
    assert "Format, laid down in IEC 61970-552" in copied
    assert copied == copied.strip()


def test_d1_a_link_keeps_the_focus_while_the_page_is_drawn_anew(visit: Visit) -> None:
    """What is written below, and a notice that goes, leave the keyboard where it was."""
    visit.ask("What is CIMXML?")
    link = visit.page.get_by_role("link", name="Why this answer")
    link.focus()
    visit.page.locator("ol.fixed > li").first.wait_for(state="detached")
    assert link.evaluate("e => e === document.activeElement")


def test_d1_a_narrow_start_page_cuts_no_question(visit: Visit) -> None:
    """At 400 px a long one goes on below, and every button that is a picture has a name."""
    visit.page.set_viewport_size({"width": 400, "height": 900})
    offered(visit)
    questions = visit.page.get_by_text("Ask Elysia").locator("xpath=../..").locator("button p")
    for place in questions.all():
        box = place.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 400
        assert place.evaluate("e => e.scrollWidth <= e.clientWidth")
    for name in ("Other questions", "Ask", "Select data sources"):
        assert visit.page.get_by_role("button", name=name, exact=True).count() == 1


def test_d1_a_search_without_a_hit_says_so_and_leads_back(visit: Visit) -> None:
    """It names what was searched for, not what is typed by then; all rows are a button away."""
    visit.to("Data")
    visit.page.get_by_text("Decisions", exact=True).click()
    field = visit.page.get_by_placeholder("Search Decisions")
    visit.page.get_by_role("row").nth(3).wait_for()
    rows = visit.page.get_by_role("row").count()
    field.fill("quuxifier")
    visit.page.keyboard.press("Enter")
    nothing = visit.page.get_by_text("Nothing was found for 'quuxifier' in Decisions.")
    nothing.wait_for()
    field.fill("transit")
    assert nothing.is_visible()
    visit.shot("nothing")
    visit.page.get_by_role("button", name="Show all").click()
    visit.page.get_by_role("row").nth(rows - 1).wait_for()
    assert field.input_value() == ""
    visit.to("Evaluation")  # some rows say 'Error', which no page of ours should end with


def test_d1_a_row_is_opened_by_keys(visit: Visit) -> None:
    """Each row is one stop, and the fields of Settings say what they are for."""
    visit.to("Data")
    visit.page.get_by_text("Decisions", exact=True).click()
    visit.page.get_by_text("ADR-0002", exact=True).wait_for()
    visit.page.locator("tr[data-reach]").nth(1).press("Enter")
    visit.page.get_by_text("Show more").first.wait_for()
    visit.page.get_by_role("button", name="Copy", exact=True).nth(1).wait_for()
    visit.to("Settings")
    visit.page.get_by_role("textbox", name="URL").first.wait_for()
    assert visit.page.get_by_role("textbox", name="API Base URL").count() == 1


def held_back(visit: Visit) -> list[Route]:
    """Hold back from now on what begins a conversation; what was asked for is added as it comes."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visit.page.route("**/init/tree/**", hold)
    return held


def test_d1_a_page_that_is_opened_at_once_stays(visit: Visit) -> None:
    """It does not give way to the chat when the first conversation is ready."""
    held = held_back(visit)
    # It may ask for the conversation before there is anything to press.
    with visit.page.expect_request("**/init/tree/**"):
        visit.page.goto(visit.address)
        visit.to("Data")
    visit.page.get_by_text("Decisions", exact=True).wait_for()
    with visit.page.expect_response("**/init/tree/**"):
        held[0].continue_()
    visit.page.get_by_text("Loading conversations").or_(
        visit.page.get_by_text("Initializing conversation")
    ).wait_for(state="detached")
    visit.shot("data-at-once")
    assert "page=data" in visit.page.url


def test_what_is_sent_before_there_is_a_conversation_stays_in_the_field(visit: Visit) -> None:
    """It is not lost: once there is one, it is sent by pressing Enter again."""
    held = held_back(visit)
    with visit.page.expect_request("**/init/tree/**"):
        visit.page.goto(visit.address)
    field = visit.page.locator("textarea").first
    field.fill("What is CIMXML?")
    visit.page.keyboard.press("Enter")
    with visit.page.expect_response("**/init/tree/**"):
        held[0].continue_()
    visit.page.get_by_text("New Conversation").first.wait_for()
    assert field.input_value() == "What is CIMXML?"
    visit.page.keyboard.press("Enter")
    assert "Format, laid down in IEC 61970-552" in visit.answered(1)
    assert field.input_value() == ""
