"""Whom to contact, on the routes and pages that a refusal is read on."""

from __future__ import annotations

from contextlib import closing

import pytest
from scripts.lab.adversaries.tally import shown_in

from elysia_guard import Guard
from elysia_guard.config import AnswerCacheSection
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring

CONTACT = "the architecture team, architecture@example.org"


@pytest.mark.parametrize("question", ["What does ADR-0999 decide?", "Wer hat ADR-0999 genehmigt?"])
def test_each_route_names_whom_to_contact(wiring: Wiring, question: str) -> None:
    """The same reply on both, and what the tree sends and keeps holds it too."""
    chosen = {"contact": CONTACT, "answer_cache": AnswerCacheSection(enabled=False)}
    with closing(Wiring(wiring.config.model_copy(update=chosen))) as parts:
        direct = Guard(wiring=parts).ask(question)
        tree = GuardedTree(wiring=parts, settings=Settings())
        returned = tree(question)
        assert direct.answer.endswith(CONTACT)
        assert tree.last_response is not None
        assert tree.last_response.answer == direct.answer
        assert CONTACT in shown_in(returned)
        assert CONTACT in shown_in(tree.conversation_history)
