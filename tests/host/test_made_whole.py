"""Follow-ups that rules would ask back, made whole by a model: over a real server, on both routes.

What it wrote is read by the rules again; none of it is shown, kept or logged.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import pytest
from tests.guide_server import Fault, GuideServer, pointing
from tests.host.runs import everything_kept, run
from tests.host.scripted import ScriptedLM, awaited, data_in, guiding, load_as_models
from tests.host.test_pointed_routes import is_same, pointed_by

from elysia_guard import Guard, RAGResponse
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.stages.guiding.whole import Spoken
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

LISTED = "List all decisions of 2024"
ASKED = "Was any of it turned down?"
"""Rules ask back what it means."""
WHOLE = "Please tell me: what is the status of ADR-0034?"
SEARCHED = "Please tell me: how long are raw grid measurements kept?"
NEVER_SHOWN = "please tell"
OWNED = "and who owns it?"
WORDS = "24 months"

Say = Callable[[str], RAGResponse]


@pytest.fixture
def server() -> Iterator[GuideServer]:
    with GuideServer(pointing(WORDS)) as made:
        yield made


@pytest.fixture
def clock(server: GuideServer) -> FakeClock:
    made = FakeClock()
    server.on_late = lambda: made.advance(9.7)
    return made


@pytest.fixture
def wired(wiring: Wiring, server: GuideServer) -> Iterator[Wiring]:
    with closing(pointed_by(wiring, url=server.url, model="m")) as made:
        yield made


def talk(wiring: Wiring, *questions: str, mode: str = "auto") -> list[RAGResponse]:
    """Ask one question after another in one conversation, on the direct route."""
    guard, said = Guard(wiring=wiring), Conversation()
    return [guard.ask(each, conversation=said, mode=mode) for each in questions]


async def on_the_tree(wiring: Wiring, *questions: str) -> list[RAGResponse]:
    tree = GuardedTree(wiring=wiring, settings=Settings())
    replies = [(await run(tree, each)).reply for each in questions]
    return [each for each in replies if each is not None]


def read_as(reply: RAGResponse) -> Sequence[str]:
    """What the trace says that the question was read as."""
    return [step.note for step in reply.trace if step.stage == "router"]


def ruled(wiring: Wiring, *questions: str) -> RAGResponse:
    """The last reply of the rules alone."""
    return talk(wiring, *questions, mode="instant")[-1]


async def test_a_follow_up_is_read_as_the_model_makes_it_whole(
    wired: Wiring,
    server: GuideServer,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By one call, as a field of a document that rules state; the next is read by what it says."""
    caplog.set_level(logging.DEBUG)
    server.wholes = {ASKED: WHOLE}
    _, reply, owned = talk(wired, LISTED, ASKED, OWNED)
    assert reply.outcome is ReplyOutcome.HEDGED
    assert reply.answer.startswith("About ADR-0034:")
    assert "rejected" in reply.answer
    assert "Flexibility Architecture Group" in owned.answer
    assert [len(server.asked_to(each)) for each in ("plan", "point")] == [1, 0]
    note = "entity: a language model made it whole, as a question about ADR-0034"
    assert read_as(reply)[1:] == [note]
    tree = await on_the_tree(wired, LISTED, ASKED, OWNED)
    assert is_same(tree[1], reply)
    assert is_same(tree[2], owned)
    told = json.dumps([each.to_dict() for each in (reply, owned, *tree)])
    assert NEVER_SHOWN not in f"{told}{caplog.text}{capsys.readouterr()}".casefold()


async def test_a_search_that_comes_of_it_has_its_plan(wired: Wiring, server: GuideServer) -> None:
    """Two calls at most; units of sources are shown under the question as it was typed."""
    server.wholes, server.documents = {ASKED: SEARCHED}, ["ADR-0008"]
    reply = talk(wired, LISTED, ASKED)[-1]
    assert WORDS in reply.answer
    assert reply.outcome is ReplyOutcome.HEDGED
    (pointed,) = server.asked_to("point")
    assert pointed["question"] == SEARCHED
    assert len(server.asked_to("plan")) == 1
    assert is_same((await on_the_tree(wired, LISTED, ASKED))[-1], reply)
    assert NEVER_SHOWN not in json.dumps(reply.to_dict()).casefold()


def test_the_model_is_told_what_was_shown(wired: Wiring, server: GuideServer) -> None:
    """By name, in its order; of a first question nothing."""
    talk(wired, "Which decisions are there about TLS?", "What does the nicest one say?")
    (plan,) = server.asked_to("plan")
    (asked,) = plan["asked_before"]
    shown = asked.removeprefix("Which decisions are there about TLS? [shown: ").split("; ")
    assert shown[0] == "ADR-0016: Allow TLS 1.3, and TLS 1.2 only until a fixed date"
    assert len(shown) > 2
    talk(wired, "How is the stability of the grid ensured?")
    assert server.asked_to("plan")[-1]["asked_before"] == []


@pytest.mark.parametrize(
    "whole",
    [
        "What is the status of ADR-0999?",
        "What is the status of ADR-0034, as Ada Lovelace asked?",
        "What is the status of ADR-0034 since 1842?",
        "What is the status of ADR-0034 under XQL?",
        "Which decisions are about submarines?",
        "What is a submarine?",
        "What is the difference between a cable and a submarine?",
        "What is the status of ADR-0034, and who owns it, and what is CIM?",
        "hello",
        "What about it?",
        "?",
        "",
        ASKED,
        ASKED.upper(),
    ],
)
def test_what_is_invented_or_no_clearer_is_void(
    wired: Wiring, server: GuideServer, whole: str
) -> None:
    """The rules ask back as they do without a model, and as sure."""
    server.wholes = {ASKED: whole}
    reply = talk(wired, LISTED, ASKED)[-1]
    assert reply.outcome is ReplyOutcome.CLARIFIED
    assert is_same(reply, ruled(wired, LISTED, ASKED))
    assert not reply.retrieval_quality.fallback_reasons
    assert len(server.asked_to("plan")) == 1


@pytest.mark.parametrize("fault", [Fault.PROSE, Fault.EMPTY, Fault.CLOSED, Fault.HANGING])
def test_a_model_that_fails_leaves_the_question_back(
    wiring: Wiring, server: GuideServer, clock: FakeClock, fault: Fault
) -> None:
    server.fault = fault
    made = pointed_by(wiring, url=server.url, model="m")
    with closing(Wiring(made.config, clock=clock)) as slow:
        reply = talk(slow, LISTED, ASKED)[-1]
        alone = ruled(slow, LISTED, ASKED)
    assert reply.answer == alone.answer
    assert reply.outcome is ReplyOutcome.CLARIFIED
    flag = {Fault.HANGING: "llm_timeout", Fault.CLOSED: "llm_unavailable"}.get(fault, "llm_error")
    assert set(reply.retrieval_quality.fallback_reasons) <= {flag, "llm_error"}
    assert reply.retrieval_quality.fallback_reasons


@pytest.mark.parametrize(
    ("questions", "mode"), [((ASKED,), "auto"), ((LISTED, ASKED), "instant"), (("hello",), "auto")]
)
def test_nothing_is_asked_without_a_talk_or_in_mode_instant(
    wired: Wiring, server: GuideServer, questions: Sequence[str], mode: str
) -> None:
    server.wholes = {ASKED: WHOLE}
    talk(wired, *questions, mode=mode)
    assert not server.requests


def test_a_question_back_about_a_number_is_settled_by_the_talk(
    wired: Wiring, server: GuideServer
) -> None:
    server.wholes = {"Now the other": "What does PCP-0012 say?"}
    talked = ("What does 12 say?", "The decision", "Now the other")
    assert "open standards" in talk(wired, *talked)[-1].answer
    assert ruled(wired, *talked).outcome is ReplyOutcome.CLARIFIED


@pytest.mark.parametrize(("whole", "read"), [("ADR-0006", True), ("ADR-0034", False)])
def test_what_was_read_as_a_search_may_name_what_was_spoken_of(
    wired: Wiring, server: GuideServer, whole: str, *, read: bool
) -> None:
    """And nothing else; the question is searched for then, as before."""
    listed, asked = "List all superseded decisions", "and what about the leftover one?"
    server.wholes = {asked: f"What does {whole} decide?"}
    reply = talk(wired, listed, asked)[-1]
    assert ("SFTP" in reply.answer) is read
    assert bool(server.asked_to("point")) is not read


def test_an_answer_is_given_again_in_the_same_talk_alone(
    wiring: Wiring, server: GuideServer
) -> None:
    """The same words mean something else in another."""
    kept = wiring.config.model_copy(
        update={"llm": wiring.config.llm.model_copy(update={"url": server.url, "model": "m"})}
    )
    with closing(Wiring(kept)) as made:
        server.wholes = {ASKED: WHOLE}
        first = talk(made, LISTED, ASKED)[-1]
        again = talk(made, LISTED, ASKED)[-1]
        server.wholes = {ASKED: "What is the status of ADR-0006?"}
        other = talk(made, "List all decisions of 2023", ASKED)[-1]
    assert first.answer == again.answer
    assert "ADR-0006" in other.answer
    assert "ADR-0034" not in other.answer


async def test_a_trees_own_model_makes_it_whole(
    wiring: Wiring, model_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With nothing set but Elysia's own settings; nothing that it wrote is kept."""
    plain = guiding(pointing(WORDS))

    def answer(prompt: str) -> str:
        said, data = plain(prompt), json.loads(data_in(prompt) or "{}")
        whole = data.get("question") == ASKED and "catalogue" in data
        return json.dumps(json.loads(said) | {"question": WHOLE}) if whole else said

    model = ScriptedLM(awaited(answer))
    load_as_models(monkeypatch, model)
    with closing(pointed_by(wiring)) as made:
        tree = GuardedTree(wiring=made, settings=model_settings)
        done = [await run(tree, each) for each in (LISTED, ASKED)]
    reply = done[-1].reply
    assert reply is not None
    assert reply.answer.startswith("About ADR-0034:")
    assert model.calls == 2 + 1
    assert NEVER_SHOWN not in everything_kept(tree, *done).casefold()


@pytest.mark.parametrize(
    ("text", "lang", "covered"),
    [
        ("What does ADR 22 say?", "en", True),
        ("What are the consequences of PCP-0015, and of ADR-0022?", "en", True),
        ("How long does TLS 1.2 last?", "en", True),
        ("What is an ACLineSegment of CIM100?", "en", False),
        ("Kafka keeps events for how long?", "en", True),  # any word would be large there
        ("How long does Kafka keep events?", "en", False),
        ("Zebras keep events for how long?", "en", False),
        ("What does PCP-0034 say?", "en", False),
        ("Welche Folgen hat ADR-0022?", "de", True),
        ("Wer ist der Eigentümer der Richtlinie?", "de", True),
        ("Was sagt ADR-0022 über Zebrastreifen?", "de", False),
    ],
)
async def test_a_name_is_known_or_void(
    wiring: Wiring, text: str, lang: str, *, covered: bool
) -> None:
    """Of documents, terms and numbers; a noun that is large in its language is a word."""
    pipeline = wiring.pipeline
    inquiry = await pipeline.begin("And that?", request_id="r", route="direct")
    assert pipeline.terminology
    spoken = await Spoken.of(inquiry, pipeline.index, pipeline.terminology, text)
    assert await spoken.covers(text, lang, pipeline.index) is covered


def test_an_ambiguous_term_is_asked_back_without_a_model(
    wired: Wiring, server: GuideServer
) -> None:
    """Where nothing was said before; a search for one too."""
    for asked in ("What is CIM?", "transformer"):
        assert talk(wired, asked)[0].outcome is ReplyOutcome.CLARIFIED
    assert not server.requests


@pytest.mark.parametrize(
    ("whole", "said"),
    [
        ("What is redispatch?", "redispatch"),
        ("What is the difference between a cable and an overhead line?", "overhead line"),
        ("List all policies", "POL-0001"),
    ],
)
def test_it_goes_its_way_as_any_question(
    wired: Wiring, server: GuideServer, whole: str, said: str
) -> None:
    """As a term, a comparison, a list: as it does where it is typed."""
    server.wholes = {ASKED: whole}
    reply = talk(wired, LISTED, ASKED)[-1]
    assert said in reply.answer
    assert reply.sources == ruled(wired, whole).sources
