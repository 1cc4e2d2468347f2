"""Whose words a text is made of."""

from __future__ import annotations

import json
import random

import pytest

from elysia_guard.edge.elysia.authorship import MAX_SHINGLES, Author, Authorship, standing_in

CLAIM = "The mayor of Utrecht earns nine hundred euros an hour since the flood of last May."
SOURCE = (
    "Every substation is inspected twice a year. The inspector writes a report within ten days. "
    "Reports are kept for twelve years."
)


@pytest.fixture
def written() -> Authorship:
    made = Authorship()
    made.wrote(CLAIM, having_read="What does the mayor earn?")
    made.asked("How often is a substation inspected?")
    return made


@pytest.mark.parametrize(
    "text",
    [
        CLAIM,
        CLAIM.upper(),
        CLAIM.replace(" ", "\n\n"),
        CLAIM.replace(" ", "_"),
        "\u200b".join(CLAIM),
        f"- **{CLAIM}** <br>",
        CLAIM[20:-12],
        f"{SOURCE} {CLAIM} {SOURCE}",
        f"According to our records, {CLAIM}",
        "The mayor of Utrecht\n\nearns nine hundred\n\neuros an hour",
        "euros an hour\n\nThe mayor of Utrecht\n\nearns nine hundred",
        json.dumps(CLAIM),
        CLAIM.replace("Utrecht", "\uff35trecht"),
    ],
)
def test_b2_a_models_words_are_known_again(written: Authorship, text: str) -> None:
    """In capitals, cut, split, marked up or amid others, what a model wrote is no source."""
    assert written.sift(text).author is Author.MODEL
    assert written.sift(text, from_store=True).author is Author.MODEL


def test_b2_a_changed_number_is_a_models(written: Authorship) -> None:
    """A sentence that a model has read and changed is its own, also where little is changed."""
    written.wrote("Reports are kept for fifty years by law.", having_read=SOURCE)
    assert written.sift("Reports are kept for fifty years.").author is Author.MODEL


def test_b2_a_source_stays_a_source(written: Authorship) -> None:
    """What a model reads and repeats, in whole or in part, stays the source's."""
    written.wrote(f"It says: {SOURCE}", having_read=json.dumps({"found": SOURCE}))
    written.wrote("So a substation is inspected twice a year, I gather.", having_read=SOURCE)
    assert written.sift(SOURCE).text == SOURCE


def test_b2_a_chance_meeting_is_no_theft(written: Authorship) -> None:
    """A phrase that both happen to use does not make a source a model's."""
    text = f"{SOURCE} Each has cost the town nine hundred euros."
    assert written.sift(text).text == text


def test_b2_an_escaped_text_is_read(written: Authorship) -> None:
    """What a model writes as JSON is known again when it is read from there."""
    said = "De coöperatie betaalt\nelk jaar zevenduizend euro aan de burgemeester van Ulft."
    written.wrote(json.dumps({"text": said}))
    assert written.sift(said).author is Author.MODEL


@pytest.mark.parametrize(
    "text",
    [
        "How often is a substation inspected?",
        "Results: how often is a substation inspected",
        "substation",
    ],
)
def test_b2_a_question_is_no_answer(written: Authorship, text: str) -> None:
    """What only repeats the question is no source; of a longer text, the rest is."""
    assert written.sift(text).author is Author.ASKER
    assert written.sift(f"{text}\n\n{SOURCE}").text.endswith("Reports are kept for twelve years.")


def test_b2_a_stores_text_may_be_asked_for_word_for_word(written: Authorship) -> None:
    """A person who quotes a document in the question still gets an answer from it."""
    text = "A substation is inspected. How often is a substation inspected?"
    assert written.sift(text, from_store=True).text == text


@pytest.mark.parametrize(
    "title", [CLAIM, "The mayor of Utrecht", "Utrecht", "Report: earns nine hundred"]
)
def test_b2_a_title_is_not_a_models(written: Authorship, title: str) -> None:
    """A title that a model wrote, or the question, is none; another is one."""
    assert written.names(title)
    assert written.names("Substation inspected")
    assert not written.names("Handbook of inspection")
    assert not written.names("")


def test_b2_a_title_that_stands_in_the_text() -> None:
    """A title is the source's where its text holds it, as whole words."""
    assert standing_in("every Substation", SOURCE)
    assert not standing_in("every sub", SOURCE)


def test_b2_nothing_is_written_in_nothing(written: Authorship) -> None:
    """A text without words is no source, and no harm."""
    assert written.sift("---").text == ""
    assert Authorship().sift(SOURCE).text == SOURCE


def test_b2_memory_is_bounded() -> None:
    """A long conversation forgets its oldest texts, and stays within bounds."""
    written, chance = Authorship(), random.Random(1)
    written.wrote(CLAIM)
    for _ in range(40):
        written.wrote(" ".join(str(chance.random()) for _ in range(1_000)))
    assert len(written._written) <= MAX_SHINGLES
    written.wrote(CLAIM)
    assert written.sift(CLAIM).author is Author.MODEL
