"""The decision log on the tree's route, and what the page's thumbs say of a reply."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from tests.host.runs import assert_well_formed, run

from elysia_guard.adapters.decision_log import (
    DecisionLog,
    LoggedDecision,
    ReplyJudgement,
    Selection,
)
from elysia_guard.config import ConversationsSection, DecisionLogSection
from elysia_guard.direct import Guard
from elysia_guard.edge.elysia import GuardedTree, TreeAsker
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.language.catalogue import say
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.usefixtures("any_model")

PATIENCE_S = 20.0


@pytest.fixture
def logged(wiring: Wiring, tmp_path: Path) -> Iterator[Wiring]:
    """The session's index and vocabulary, with a log of one's own."""
    section = DecisionLogSection(url=f"sqlite:///{tmp_path / 'decisions.sqlite'}")
    made = Wiring(wiring.config.model_copy(update={"decision_log": section}))
    yield made
    made.close()


@pytest.fixture
def log(logged: Wiring) -> DecisionLog:
    assert logged.decisions is not None
    return logged.decisions.log


def written(logged: Wiring, request_id: str) -> LoggedDecision:
    """The entry of a request, once it is written."""
    assert logged.decisions is not None
    assert logged.decisions.flush(PATIENCE_S)
    found = logged.decisions.log.find(request_id)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("What is CIMXML?", "direct"),
        ("What is a quuxifier?", "direct"),
        ("ADR.99 says?", "direct"),
        ("How do we exchange grid models?", "tree"),
        ("List all principles", "direct"),
        ("List all principles and policies", "tree"),
        ("hello", "direct"),
    ],
)
async def test_both_routes_write_the_same_decision(logged: Wiring, question: str, way: str) -> None:
    """But for the times, and the steps in which a tree's own model was asked, and failed."""
    await TreeAsker(logged).ask(question, request_id="tree")
    await Guard(wiring=logged).aask(question, request_id="direct")
    tree, direct = written(logged, "tree"), written(logged, "direct")
    assert (tree.route, direct.route) == (way, way)
    assert tree.ruling == direct.ruling
    assert tree.sources == direct.sources
    assert tree.settings == direct.settings
    asked = {"planning", "pointing"}
    stages = [step.stage for step in tree.stages if step.stage not in asked]
    assert stages == [step.stage for step in direct.stages]


async def test_a_conversation_can_be_deleted(
    logged: Wiring, log: DecisionLog, user_settings: Settings
) -> None:
    """By the id that the tree goes by, texts that could not be asked included."""
    trees = [GuardedTree(wiring=logged, settings=user_settings) for _ in range(2)]
    for tree in trees:
        for question in ("What is CIM?", "the second", ""):
            assert_well_formed(await run(tree, question, query_id=str(uuid.uuid4())))
    assert logged.decisions is not None
    assert logged.decisions.flush(PATIENCE_S)
    assert {item.conversation_id for item in log.latest(limit=None)} == {
        tree.conversation_id for tree in trees
    }
    assert log.delete(Selection(conversation_id=trees[0].conversation_id)) == 3
    assert {item.conversation_id for item in log.latest(limit=None)} == {trees[1].conversation_id}


@pytest.fixture
def app(logged: Wiring) -> FastAPI:
    from elysia_guard.edge.elysia.webapp.app import create_app

    return create_app(logged)


def client_of(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")


@pytest.mark.parametrize(
    ("question", "thumb", "judgement"),
    [
        ("What is CIMXML?", 1, ReplyJudgement.RIGHT),
        ("What is CIMXML?", -1, ReplyJudgement.WRONG),
        ("What is a quuxifier?", 2, ReplyJudgement.RIGHT),
        ("What is a quuxifier?", -2, ReplyJudgement.SHOULD_HAVE_BEEN_ANSWERED),
        ("What is CIM?", -1, ReplyJudgement.SHOULD_HAVE_BEEN_ANSWERED),
    ],
)
async def test_a_thumb_of_the_page_is_a_judgement(
    app: FastAPI, logged: Wiring, question: str, thumb: int, judgement: ReplyJudgement
) -> None:
    """Down on a refusal says that there was an answer; it can be taken back."""
    await TreeAsker(logged).ask(question, request_id="asked")
    given = {"user_id": "u", "conversation_id": "c", "query_id": "asked"}
    async with client_of(app) as page:
        kept = await page.post("/feedback/add", json={**given, "feedback": thumb})
        assert kept.json() == {"error": ""}
        assert written(logged, "asked").judged is judgement
        gone = await page.post("/feedback/remove", json=given)
        assert gone.json() == {"error": ""}
    assert written(logged, "asked").judged is None


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (
            {
                "request_id": "asked",
                "judgement": "should-have-been-answered",
                "note": "it is there",
            },
            HTTPStatus.OK,
        ),
        ({"request_id": "asked", "judgement": "right"}, HTTPStatus.OK),
        ({"request_id": "asked", "judgement": "wrong"}, HTTPStatus.CONFLICT),
        ({"request_id": "other", "judgement": "right"}, HTTPStatus.NOT_FOUND),
        ({"request_id": "asked", "judgement": "splendid"}, HTTPStatus.UNPROCESSABLE_ENTITY),
        ({"request_id": "", "judgement": "right"}, HTTPStatus.UNPROCESSABLE_ENTITY),
        (
            {"request_id": "asked", "judgement": "right", "note": "x" * 2_001},
            HTTPStatus.UNPROCESSABLE_ENTITY,
        ),
    ],
)
async def test_a_judgement_can_be_posted(
    app: FastAPI, logged: Wiring, said: dict[str, str], status: HTTPStatus
) -> None:
    """With a note; what cannot be said is not kept, and no path reaches the page."""
    await TreeAsker(logged).ask("What is a quuxifier?", request_id="asked")
    async with client_of(app) as page:
        answer = await page.post("/guard/feedback", json=said)
    assert answer.status_code == status
    assert ".sqlite" not in answer.text
    assert bool(written(logged, "asked").feedback) is (status is HTTPStatus.OK)


async def test_without_a_log_there_is_nowhere_to_keep_it(wiring: Wiring) -> None:
    """And nothing fails."""
    from elysia_guard.edge.elysia.webapp.app import create_app

    given = {"user_id": "u", "conversation_id": "c", "query_id": "asked"}
    nothing = wiring.config.model_copy(
        update={"conversations": ConversationsSection(enabled=False)}
    )
    async with client_of(create_app(Wiring(nothing))) as page:
        thumb = await page.post("/feedback/add", json={**given, "feedback": 1})
        said = await page.post("/guard/feedback", json={"request_id": "a", "judgement": "right"})
    assert thumb.json()["error"] == say("en", "feedback.nowhere")
    assert said.status_code == HTTPStatus.NOT_FOUND


async def test_a_log_that_cannot_be_written_costs_no_reply(
    wiring: Wiring, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The person notices nothing; the operator is told once."""
    (tmp_path / "taken").write_text("")
    section = DecisionLogSection(url=f"sqlite:///{tmp_path / 'taken' / 'd.sqlite'}")
    broken = Wiring(wiring.config.model_copy(update={"decision_log": section}))
    for _ in range(3):
        reply = await TreeAsker(broken).ask("What is CIMXML?")
        assert reply.sources
    broken.close()
    assert sum("answers go on" in record.message for record in caplog.records) == 1
