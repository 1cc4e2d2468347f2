"""``verified-synthesis`` in deed, on both routes: nothing that a model wrote is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest
from tests.host.scripted import MARK
from tests.writer_server import Asked, Sentence, WriterServer, unanswered

from elysia_guard import Guard, RAGResponse
from elysia_guard.config import AnswerCacheSection, WriterSection
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.edge.cli import doctor_settings
from elysia_guard.edge.cli.doctor_surroundings import PartState
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

ASKED = "How is the stability of the grid ensured?"


def first(asked: Asked) -> str:
    return " ".join(asked.sources[0]["text"].split()).split(". ")[0]


def right(asked: Asked) -> Sequence[Sentence]:
    return [(first(asked), [(1, first(asked))])]


def wrong(asked: Asked) -> Sequence[Sentence]:
    return [(f"{MARK}: it was invented in 1842.", [(1, first(asked))])]


def added(asked: Asked) -> Sequence[Sentence]:
    """Write what the source says, with a word that it does not have."""
    return [(f"{first(asked)} indeed", [(1, first(asked))])]


@pytest.fixture
def server() -> Iterator[WriterServer]:
    with WriterServer(right) as made:
        yield made


def under(wiring: Wiring, clock: FakeClock | None = None, **sections: object) -> Wiring:
    chosen = {
        "profile": ProfileName.VERIFIED_SYNTHESIS,
        "answer_cache": AnswerCacheSection(enabled=False),
        **sections,
    }
    config = wiring.config.model_copy(update=chosen)
    return Wiring(config, clock=clock) if clock else Wiring(config)


def written_by(server: WriterServer, **section: object) -> dict[str, object]:
    chosen = {"kind": "language_model", "url": server.url, "model": "m", **section}
    return {"writer": WriterSection.model_validate(chosen)}


def on_both(made: Wiring) -> RAGResponse:
    """Ask on both routes, which are to say the same."""
    direct = Guard(wiring=made).ask(ASKED)
    tree = GuardedTree(wiring=made, settings=Settings())
    tree(ASKED)
    reply = tree.last_response
    made.close()
    assert reply is not None
    assert (reply.answer, reply.sources, reply.mode) == (direct.answer, direct.sources, direct.mode)
    assert reply.retrieval_quality == direct.retrieval_quality
    assert MARK not in json.dumps([reply.to_dict(), direct.to_dict()])
    return reply


@pytest.mark.parametrize("section", [{}, {"mode": "instant"}])
def test_it_needs_somebody_who_writes(
    wiring: Wiring, server: WriterServer, section: dict[str, str]
) -> None:
    """On both routes before any question, and doctor says so."""
    writer = written_by(server, **section) if section else {}
    told = "mode is 'instant'" if section else "set writer.kind"
    for make in (lambda made: Guard(wiring=made), lambda made: GuardedTree(wiring=made)):
        made = under(wiring, **writer)
        with pytest.raises(ConfigError, match=f"verified-synthesis.* needs a model.*{told}"):
            make(made)
        made.close()
    made = under(wiring, **writer)
    check = doctor_settings.profile(made)
    assert (check.state, check.needed) == (PartState.ERROR, True)
    assert told in check.text
    assert made.unwritten.thresholds.profile.writes
    made.close()


def test_a_right_model_is_shown(wiring: Wiring, server: WriterServer) -> None:
    reply = on_both(under(wiring, **written_by(server)))
    assert reply.mode is Mode.AUTO
    assert reply.validation
    assert reply.validation.fields_verified == reply.validation.fields_total == 1


@pytest.mark.parametrize("script", [wrong, unanswered])
def test_of_a_wrong_model_nothing_is_shown(
    wiring: Wiring, server: WriterServer, script: object
) -> None:
    """What is invented, or where it says that the sources do not answer: quotes."""
    server.script = script  # type: ignore[assignment]
    reply = on_both(under(wiring, **written_by(server)))
    assert reply.mode is Mode.INSTANT
    assert reply.sources
