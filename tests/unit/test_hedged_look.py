"""Asserted, hedged and refused, told apart by eye: in the terminal, the chat and a notebook."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.evaluation_samples import response
from tests.unit.small_world import World
from tests.unit.test_three_outcomes import MEASURED, SEARCHED

from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse, Validation
from elysia_guard.edge.cli.replies import Ending, ending, headline, show
from elysia_guard.edge.cli.screen import Screen
from elysia_guard.edge.elysia.rendering import render
from elysia_guard.edge.linking import emphasised
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import langs
from elysia_guard.stages.response.made import vouched

ASSERTED = response("ADR-0012")
HEDGED = response("ADR-0012", confidence=0.7)
REFUSED = response(reason=RefusalReason.LOW_CONFIDENCE)


def hedged(lang: str) -> RAGResponse:
    caveat = say(lang, "transparency.hedged")
    return replace(HEDGED, lang=lang, answer=f"{caveat}\n\n> Keys rotate. [source:1]")


def chat(reply: RAGResponse) -> str:
    return str(next(iter(render(reply))).to_json()["objects"])


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


def test_the_cards_of_a_hedged_reply_say_so_too() -> None:
    """The page ends at them: the text above may have scrolled away."""
    _, cards, *_ = (item.to_json() for item in render(World(thresholds=MEASURED).ask(SEARCHED)))
    caveat = say("en", "transparency.hedged")
    for card in cards:
        assert card["title"].startswith("\u2248 [source:")
        assert card["content"].startswith(f"**\u2248 {caveat}**\n\n")
    _, cards, *_ = (item.to_json() for item in render(World().ask("What is a transformer?")))
    assert cards[0]["title"].startswith("[source:1]")


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


@pytest.mark.parametrize(
    ("held", "total", "told"),
    [
        (1, 1, "The quote stands word for word in its source."),
        (3, 3, "Each of the 3 quotes stands word for word in its source."),
        (2, 3, "2 of 3 quotes stand word for word in their source."),
    ],
)
@pytest.mark.parametrize("reply", [ASSERTED, HEDGED])
def test_people_see_wherever_they_read_what_was_verified(
    reply: RAGResponse, held: int, total: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the terminal, the chat and a notebook; what does not hold is not counted."""
    validation = Validation(sources_verified=held, sources_total=total, confidence=held / total)
    checked = vouched(replace(reply, validation=validation), validation)
    show(Screen(), checked)
    for seen in (capsys.readouterr().out, chat(checked), checked.to_markdown()):
        assert told in " ".join(seen.split())


def test_where_nothing_is_quoted_nothing_is_said_to_be_verified() -> None:
    """Sources that are only named, and a refusal, which rests on none."""
    bare = replace(
        ASSERTED, validation=Validation(sources_verified=0, sources_total=0, confidence=0)
    )
    assert [vouched(reply, reply.validation).verified for reply in (bare, REFUSED)] == ["", ""]
