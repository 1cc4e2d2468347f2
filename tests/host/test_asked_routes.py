"""What is asked is read and told alike on both routes, with a model configured and without."""

from __future__ import annotations

import asyncio

import pytest
from tests.host.scripted import ScriptedLM, load_as_models

from elysia_guard import Conversation, Guard, RAGResponse
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring

TALK = (
    "How do stations prove who they are?",
    "Remind me what ADR 27 settles",
    "what does ADR-32 say about the salary",
    "In ADR-0006, what are the names of the 14 columns in the nightly file layout version 2.1?",
    "List all principles",
    "only those in Dutch",
    "and in English?",
)


def through_tree(wiring: Wiring, settings: Settings) -> list[RAGResponse]:
    tree = GuardedTree(wiring=wiring, settings=settings)
    said = []
    for turn in TALK:
        tree(turn)
        assert tree.last_response is not None
        said.append(tree.last_response)
    return said


async def directly(wiring: Wiring) -> list[RAGResponse]:
    guard, talk = Guard(wiring=wiring), Conversation()
    return [await guard.aask(turn, conversation=talk) for turn in TALK]


@pytest.mark.parametrize("model", [False, True], ids=["no model", "a model"])
def test_both_routes_read_and_tell_alike(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch, model_settings: Settings, model: bool
) -> None:
    """'They' is no follow-up, 'settles' no matter, 'in Dutch' narrows, names are told or none."""
    lm = ScriptedLM("I think so.")
    load_as_models(monkeypatch, lm)
    direct = asyncio.run(directly(wiring))
    tree = through_tree(wiring, model_settings if model else Settings())
    for one, other in zip(direct, tree, strict=True):
        assert (one.outcome, one.sources) == (other.outcome, other.sources)
    they, settles, salary, names, every, dutch, english = direct
    assert they.outcome != "clarified"
    assert {source.doc_id for source in settles.sources} == {"ADR-0027"}
    assert salary.refused
    assert names.refused
    assert len(dutch.sources) + len(english.sources) == len(every.sources)
    assert 0 < len(dutch.sources) < len(every.sources)


@pytest.mark.parametrize(
    "question",
    [
        "Who rotates data keys?",
        "Where is privileged access recorded?",
        "Why are data keys rotated?",
        "Who validates profiles with SHACL?",
        "Where are administrator rights requested?",
    ],
)
def test_a_sentence_with_every_word_asked_for_is_not_asserted(
    wiring: Wiring, question: str
) -> None:
    """It holds what is done, and not who does it, where or why."""
    assert Guard(wiring=wiring).ask(question).outcome is not ReplyOutcome.ASSERTED


@pytest.mark.parametrize(
    "question",
    [
        "Which ADR came right before ADR-12?",
        "Does ADR-12 contradict ADR-27?",
        "When will ADR-12 expire?",
        "When was ADR-12 last read?",
        "Who did not approve ADR-12?",
        "What was decided instead of ADR-12?",
        "Should we have taken ADR-12?",
        "What is the opposite of active power?",
        "Which decisions are superseded by a policy?",
        "Welk besluit werd genomen na ADR-12?",
        "Wann wird ADR-12 nicht mehr gelten?",
    ],
)
def test_what_asks_beyond_what_was_read_is_not_asserted(wiring: Wiring, question: str) -> None:
    """A document, a fact or a term stands in the question, and something else is asked of it."""
    assert Guard(wiring=wiring).ask(question).outcome is not ReplyOutcome.ASSERTED


def test_a_successor_is_told_beside_a_status(wiring: Wiring) -> None:
    """'Superseded' alone leaves the reader with a decision that is no longer in force."""
    for question in ("What is the status of ADR-27?", "Which decision replaced ADR-27?"):
        told = Guard(wiring=wiring).ask(question)
        assert told.outcome is ReplyOutcome.ASSERTED
        assert "ADR-0028" in told.answer


@pytest.mark.parametrize(
    ("question", "of_documents"),
    [
        ("How does encryption relate to authentication in ADR-0015?", True),
        ("Why do our decisions about encryption and authentication differ?", True),
        ("Was bedeutet Verschl\u00fcsselung in ADR-0015?", True),
        ("What is the difference between encryption and authentication?", False),
        ("Which decisions are about encryption or authentication?", True),
        ("How many decisions concern data?", True),
    ],
)
def test_terms_beside_documents_are_no_question_for_meanings_on_either_route(
    wiring: Wiring, question: str, of_documents: bool
) -> None:
    """The same reply through the tree as directly, and from the vocabulary only for terms alone."""
    tree = GuardedTree(wiring=wiring, settings=Settings())
    tree(question)
    assert tree.last_response is not None
    direct = Guard(wiring=wiring).ask(question)
    assert direct.answer == tree.last_response.answer
    cited = {source.doc_type for source in direct.sources}
    assert cited == {"ADR"} if of_documents else cited == {"Vocabulary"}
