"""Documents that cannot be asked: said to be so, and asked once in a question."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from tests.unit.small_world import World, inquiry, verdict

from elysia_guard import config as configuration
from elysia_guard.adapters.index_views import asked_once
from elysia_guard.domain.errors import (
    CircuitOpenError,
    PassageIndexError,
    SourceTimeoutError,
    SourceUnavailableError,
)
from elysia_guard.domain.question import Lang
from elysia_guard.domain.refusal import Outcome, RefusalReason
from elysia_guard.running import run_anywhere
from elysia_guard.stages import suggestions
from elysia_guard.testing.fake_index import FakeIndex
from elysia_guard.testing.terminology import CONCEPTS, FakeTerminology
from elysia_guard.wiring import Wiring

ASKED = [
    "How are connections encrypted?",
    "What does ADR-0012 decide?",
    "List all decisions",
    "Welke besluiten gaan over versleuteling?",
    "Wie werden Verbindungen verschlüsselt?",
]


class Broken(FakeIndex):
    """An index that fails in one way, and counts how often it was asked."""

    def __init__(self, error: Exception) -> None:
        super().__init__([])
        self.error = error
        self.asked = 0

    def _refuse_if_down(self) -> None:
        self.asked += 1
        raise self.error


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (SourceTimeoutError("late", source="index"), RefusalReason.INDEX_TIMEOUT),
        (SourceUnavailableError("away", source="index"), RefusalReason.INDEX_ERROR),
        (CircuitOpenError("rests", source="index"), RefusalReason.INDEX_ERROR),
        (PassageIndexError("the collection is not there"), RefusalReason.INDEX_ERROR),
    ],
)
def test_c5_an_outage_is_not_an_empty_index(
    asked: str, error: Exception, reason: RefusalReason
) -> None:
    """Where the documents cannot be asked the reply says so, and never that there is nothing."""
    reply = World(made_index=Broken(error)).ask(asked)
    assert (reply.refused, reply.refusal_reason) == (True, reason)
    assert reason.value in reply.retrieval_quality.fallback_reasons
    assert reply.retrieval_quality.degraded


@pytest.mark.parametrize("asked", ASKED)
def test_c5_no_document_is_proposed_while_none_can_be_asked(asked: str) -> None:
    """A refusal for an outage proposes to ask again, and no list that would be refused as well."""
    reply = World(made_index=Broken(SourceTimeoutError("late", source="index"))).ask(asked)
    again: dict[Lang, str] = {"en": "again later", "nl": "later opnieuw", "de": "später noch"}
    assert again[reply.lang] in reply.answer
    assert reply.suggestions == ()
    for searched in ("Looked at", "Geraadpleegd", "Durchsucht"):
        assert searched not in reply.answer


@pytest.mark.parametrize("asked", [*ASKED, "help", "What is a zorbl?"])
def test_c5_what_could_not_be_asked_is_not_asked_again(asked: str) -> None:
    """However many stages need the documents, an outage costs a question one deadline."""
    broken = Broken(SourceTimeoutError("late", source="index"))
    World(made_index=asked_once(broken)).ask(asked)
    assert broken.asked == 1


def test_c5_the_next_question_asks_again() -> None:
    """Nothing of an outage is remembered beyond its question."""
    broken = Broken(SourceTimeoutError("late", source="index"))
    world = World(made_index=asked_once(broken))
    for _ in range(3):
        world.ask("How are connections encrypted?")
    assert broken.asked == 3


class Refusing(BaseHTTPRequestHandler):
    """A Weaviate that answers nothing but errors."""

    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        self.send_error(503)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


@pytest.fixture
def refusing() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    server.asked = []  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_c5_a_weaviate_that_is_away_is_asked_once(refusing: ThreadingHTTPServer) -> None:
    """The parts as they are put together ask a Weaviate that is away once in a question."""
    url = f"http://127.0.0.1:{refusing.server_address[1]}"
    config = configuration.load(
        environ={
            "ELYSIA_GUARD_INDEX__KIND": "weaviate",
            "ELYSIA_GUARD_INDEX__WEAVIATE__URL": url,
        }
    )
    asked: list[str] = refusing.asked  # type: ignore[attr-defined]
    wiring = Wiring(config)
    with closing(wiring):
        with pytest.raises(SourceUnavailableError):
            run_anywhere(wiring.index.info())
        once = len(asked)
        pipeline = wiring.pipeline
        before = len(asked)
        question = "How do we ensure grid stability?"
        begun = run_anywhere(pipeline.begin(question, request_id="req-1", route="direct"))
        reply = run_anywhere(pipeline.answer(begun))
    assert reply.refusal_reason is RefusalReason.INDEX_ERROR
    assert (once > 0, len(asked) - before) == (True, once)


def test_c5_the_vocabulary_is_proposed_while_no_document_can_be_asked() -> None:
    """A term that the question may ask the meaning of is still a way on."""
    refused = verdict(Outcome.REFUSE, confidence=0.0, reason=RefusalReason.INDEX_TIMEOUT)
    under_way = inquiry("Something on assets", verdict=refused)
    under_way.part = replace(under_way.part, perhaps="asset")
    ways_on = run_anywhere(
        suggestions.suggest(
            under_way,
            terminology=FakeTerminology(CONCEPTS),
            index=Broken(SourceTimeoutError("late", source="index")),
        )
    )
    assert [item.question for item in ways_on] == ["What is asset?"]
