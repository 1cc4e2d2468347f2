"""Journeys of somebody who asks and reads on."""

from __future__ import annotations

import re

from benchmarks.journeys.traveller import Traveller
from tests.e2e.test_pages import offered

HEDGED, REFUSED = "\u2248 I cannot be sure", "I cannot answer this from the sources"
KINDS = {
    "a term": ("What is CIMXML?", "Format, laid down in IEC 61970-552"),
    "a decision": ("What does ADR.12 decide?", "use the Common Information Model"),
    "a fact": ("Who approved ADR-0029?", "ADR-0029"),
    "a list": ("List all principles", "PCP-0010"),
    "a comparison": ("Compare ADR-12 and ADR-16", "ADR-0016"),
    "a relation": ("Which terms fall under switch?", "switch"),
    "two parts": ("What is CIMXML and who approved ADR-0029?", "ADR-0029"),
    "a search": ("How long is measurement data kept?", "measurement data"),
    "a greeting": ("Hello", "Ask me"),
}


def first_visit(one: Traveller) -> None:
    """No dialog; questions of several kinds, others by the arrow; a click is answered."""
    assert one.page.get_by_role("dialog").count() == 0, "a dialog stands before the page"
    found = offered(one)
    assert len(found) == 4, f"{len(found)} questions are offered"
    one.look("start")
    again = one.page.get_by_text("Ask Elysia").locator("xpath=..").get_by_role("button")
    shown = {tuple(found)}
    for _ in range(5):
        again.click()
        shown.add(tuple(offered(one)))
    assert len(shown) > 1, "the arrow brings no other questions"
    one.page.get_by_text("Ask Elysia").locator("xpath=../..").locator("button p").first.click()
    said = one.answered(1)
    assert REFUSED not in said, "what is offered is refused"
    assert "\u2248" not in said, "what is offered is hedged"
    one.look("answered")


def kinds(one: Traveller) -> None:
    """Each kind of question is answered as its kind is."""
    for kind, (question, words) in KINDS.items():
        before = one.shown.count(words)
        assert one.ask(question).count(words) > before, f"{kind}: {words!r} is not shown"
        one.look(kind.replace(" ", "-"))


def followups(one: Traveller) -> None:
    """'and who approved it?' is about what was spoken of."""
    one.ask("What does ADR-0029 decide?")
    assert REFUSED not in one.ask("and who approved it?")
    one.look("who")
    one.ask("and ADR-0012?")
    assert one.shown.count("ADR-0012: Use CIM") > 0, "the follow-up names no other document"
    one.look("another")


def meaning(one: Traveller) -> None:
    """An ambiguous term is asked back; its meaning is picked by a click, and by its place."""
    assert "Which one do you mean?" in one.ask("What is CIM?")
    one.look("asked-back")
    one.page.get_by_text("1. What is CIM (Grid and market terms)?", exact=True).click()
    assert "Grid information standard" in one.answered(2)
    one.look("clicked")
    one.page.get_by_text("Add Conversation").click()
    one.page.get_by_text("Ask Elysia").wait_for()
    one.ask("What is CIM?")
    one.ask("the second")
    assert "You chose this meaning; there are others" in one.shown
    one.look("by-its-place")


def source(one: Traveller) -> None:
    """A source opens its document at the words that were quoted."""
    one.ask("How long may a privileged session last?")
    page = one.follow("[source:2]")
    words = page.locator("mark#quoted")
    assert "lasts 8 hours at most" in words.inner_text()
    box = words.bounding_box()
    assert box is not None
    assert 0 < box["y"] < 1000, "what was quoted is not in view"
    one.look("at-its-words", page)
    one.look("why", one.follow("Why this answer"))
    one.page.get_by_text(re.compile(r"^\u2248 \[source:\d\] POL-0003")).first.click()
    one.page.get_by_role("link", name="Open at these words").last.wait_for()
    one.look("card")


def entry(one: Traveller) -> None:
    """An entry of a list opens what it names."""
    one.ask("List all principles")
    one.look("list")
    one.page.get_by_text(re.compile(r"^\+ \d+$")).click()
    page = one.follow(re.compile("^PCP-0022"))
    assert page.get_by_role("heading", level=1).inner_text() == "Herbruikbare bouwstenen"
    one.look("entry", page)


def way_on(one: Traveller) -> None:
    """A way on stands once, and a click asks it; a term leads to its neighbours."""
    one.ask("What is FooBarBaz?")
    way = one.page.get_by_text(re.compile(r"^\d\. List all principles$"))
    assert way.count() == 1, f"the way on stands {way.count()} times"
    way.click()
    assert "PCP-0010" in one.answered(2)
    one.look("gone-on")
    one.ask("What is CIMXML?")
    page = one.follow("[source:1]", first=False)
    page.get_by_role("link", name="CIM profile", exact=True).click()
    assert page.get_by_role("heading", level=1).inner_text() == "CIM profile"
    one.look("neighbour", page)


def hedge(one: Traveller) -> None:
    """What is hedged says so first, with a badge of its own."""
    assert HEDGED in one.ask("How long may a privileged session last?")
    assert frame(one) == "dashed"
    one.look()


def refusal(one: Traveller) -> None:
    """A refusal gives its reason, and ways on."""
    said = one.ask("What is FooBarBaz?")
    for words in (REFUSED, "Why:", "What you can try:"):
        assert words in said, f"{words!r} is not said"
    assert frame(one) == "double"
    one.look()
    one.look("why", one.follow("Why this answer"))


def frame(one: Traveller) -> str:
    """How the last badge is framed."""
    badge = one.page.locator('a[title][href^="/guard/answers/"]').last
    return str(badge.evaluate("e => getComputedStyle(e).borderStyle"))


def dutch(one: Traveller) -> None:
    """A Dutch question is answered, hedged and refused in Dutch, and its pages are Dutch."""
    assert "Ook genoemd: trafo" in one.ask("Wat is een transformator?")
    one.look("answered")
    page = one.follow("Waarom dit antwoord")
    assert page.locator("html").get_attribute("lang") == "nl"
    one.look("why", page)
    one.ask("Welke principes zijn er?")
    one.look("listed")
    assert "Ik kan" in one.ask("Welke kleur heeft de back-up?")
    one.look("refused")


def german(one: Traveller) -> None:
    """A German question is answered and refused in German, and its pages are German."""
    one.ask("Was ist ein Transformator?")
    one.look("answered")
    page = one.follow("Warum diese Antwort")
    assert page.locator("html").get_attribute("lang") == "de"
    one.look("why", page)
    one.ask("Welche Grundsätze gibt es?")
    one.look("listed")
    assert "nicht" in one.ask("Was ist ein Quuxifizierer?")
    one.look("refused")
