"""A sample of the golden set, and models that put into it what no source has.

`python -m scripts.lab adversaries` measures all kinds over the whole set.
"""

from __future__ import annotations

from contextlib import closing

import pytest
from scripts.lab.adversaries.server import AdversaryServer
from scripts.lab.adversaries.tally import Tally, shown_in

from elysia_guard import Guard
from elysia_guard.config import AnswerCacheSection, WriterSection, home
from elysia_guard.domain.errors import QuestionError
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.evaluation import golden
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.slow

GOLDEN = home() / "data" / "evaluation" / "golden_queries.jsonl"
EVERY = 20
ROUNDS = ("invented_number+date+outside+wrong_source", "elsewhere+name+identifier+quotation")


@pytest.mark.parametrize("kinds", ROUNDS)
def test_nothing_put_in_is_shown_on_either_route(wiring: Wiring, kinds: str) -> None:
    cases = golden.load(GOLDEN).select(golden.Split.TUNING)[::EVERY]
    tallies = {name: Tally(name=name) for name in ("direct", "tree")}
    with AdversaryServer() as server:
        server.playing = f"mixed:{kinds}"
        section = WriterSection(kind="language_model", url=server.url, model="adversary")
        chosen = {
            "writer": section,
            "log_level": "CRITICAL",
            "answer_cache": AnswerCacheSection(enabled=False),
        }
        config = wiring.config.model_copy(update=chosen)
        for name, tally in tallies.items():
            with closing(Wiring(config)) as parts:
                for case in cases:
                    server.taken()
                    try:
                        shown = said(name, parts, case.query)
                    except QuestionError:
                        continue
                    tally.add(case.id, server.taken(), shown, ms=0.0)
    for tally in tallies.values():
        assert not tally.leaks
        assert tally.kept
    assert tallies["direct"].made == tallies["tree"].made
    assert tallies["direct"].made.total() > 100


def said(route: str, parts: Wiring, question: str) -> str:
    """All that a route says to a question."""
    if route == "direct":
        return shown_in(Guard(wiring=parts).ask(question).to_dict())
    tree = GuardedTree(wiring=parts, settings=Settings())
    returned = tree(question)
    return shown_in(returned, tree.conversation_history)
