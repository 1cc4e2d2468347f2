"""Asserted, hedged and refused, told apart by eye: in the terminal, the chat and a notebook."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.evaluation_samples import response
from tests.unit.small_world import World
from tests.unit.test_three_outcomes import MEASURED, SEARCHED

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse, ReplyOutcome, TransparencyStatement
from elysia_guard.edge.cli.replies import ENDINGS, STYLES, Ending, ending, headline
from elysia_guard.edge.elysia.rendering import render
from elysia_guard.edge.hedging import emphasised
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import langs

ASSERTED = response("ADR-0012")
HEDGED = response("ADR-0012", confidence=0.7)
REFUSED = response(reason=RefusalReason.LOW_CONFIDENCE)


def hedged(lang: str) -> RAGResponse:
    caveat = say(lang, "transparency.hedged")
    return replace(HEDGED, lang=lang, answer=f"{caveat}\n\n> Keys rotate. [source:1]")


def chat(reply: RAGResponse) -> str:
    return str(next(iter(render(reply))).to_json()["objects"])


def test_every_outcome_has_a_mark_of_its_own() -> None:
    """One sign each: it needs neither colours nor a language."""
    assert len({outcome.mark for outcome in ReplyOutcome}) == len(ReplyOutcome)
    assert all(len(outcome.mark) == 1 for outcome in ReplyOutcome)


def test_every_outcome_has_an_ending_and_a_colour_of_its_own() -> None:
    assert set(ENDINGS) == {outcome.value for outcome in ReplyOutcome}
    assert set(ENDINGS.values()) == set(STYLES) == set(Ending)
    assert len(set(STYLES.values())) == len(Ending)


@pytest.mark.parametrize(
    ("reply", "ends", "begins"),
    [
        (
            ASSERTED,
            Ending.ANSWERED,
            "\u2713 answered · entity · en · direct · high confidence 0.95",
        ),
        (HEDGED, Ending.HEDGED, "\u2248 hedged · entity · en · direct · medium confidence 0.70"),
        (REFUSED, Ending.REFUSED, "\u2717 refused · low_confidence · entity · en · direct"),
    ],
)
def test_the_terminal_says_how_a_question_ended(
    reply: RAGResponse, ends: Ending, begins: str
) -> None:
    assert ending(reply) is ends
    assert headline(reply) == begins


@pytest.mark.parametrize("lang", langs())
def test_a_caveat_stands_out_in_every_language(lang: str) -> None:
    """In the terminal and the chat it comes first, in bold, behind the mark."""
    caveat = say(lang, "transparency.hedged")
    assert emphasised(hedged(lang)).startswith(f"**\u2248 {caveat}**\n\n> Keys")
    assert f"**\u2248 {caveat}**" in chat(hedged(lang))


def test_what_is_asserted_or_refused_bears_no_caveat() -> None:
    for reply in (ASSERTED, REFUSED):
        assert emphasised(reply) == reply.answer


def test_the_answer_itself_stays_as_it_was() -> None:
    """A program reads `outcome`, and finds the same text on every channel."""
    reply = World(thresholds=MEASURED).ask(SEARCHED)
    assert reply.outcome is ReplyOutcome.HEDGED
    assert "**\u2248" not in reply.answer
    assert "**\u2248" in chat(reply)


def test_the_cards_of_a_hedged_reply_say_so_too() -> None:
    """The page ends at them: the text above may have scrolled away."""
    _, cards, *_ = (item.to_json() for item in render(World(thresholds=MEASURED).ask(SEARCHED)))
    caveat = say("en", "transparency.hedged")
    for card in cards:
        assert card["title"].startswith("\u2248 [source:")
        assert card["content"].startswith(f"**\u2248 {caveat}**\n\n")
    _, cards, *_ = (item.to_json() for item in render(World().ask("What is a transformer?")))
    assert cards[0]["title"].startswith("[source:1]")


def test_each_part_that_is_hedged_says_so() -> None:
    caveat = say("en", "transparency.hedged")
    parts = f"**One?**\n\n{caveat}\n\n> A.\n\n**Two?**\n\n{caveat}\n\n> B."
    assert emphasised(replace(HEDGED, answer=parts)).count("**\u2248") == 2


def test_a_notebook_shows_outcome_answer_and_sources() -> None:
    reply = World(thresholds=MEASURED).ask(SEARCHED)
    shown = reply._repr_markdown_()
    assert shown.startswith("\u2248 **hedged** · 0.75\n\n" + reply.answer)
    listed = shown.rpartition("\n\n")[2].splitlines()
    for line, item in zip(listed, reply.sources, strict=True):
        assert line.startswith(f"{item.n}. {item.title}, {item.section}")
        assert line.endswith(f" `{item.location}`")
    refused = REFUSED._repr_markdown_()
    assert refused.startswith("\u2717 **refused**\n\n")


def test_a_notebook_says_what_the_answer_does_not() -> None:
    statement = TransparencyStatement(statement="Searched by words alone.", show_to_user=True)
    shown = replace(HEDGED, answer="> A.", transparency=statement)._repr_markdown_()
    assert "> A.\n\n*Searched by words alone.*\n\n1. " in shown
