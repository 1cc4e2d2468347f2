"""A writer behind a real server: right, late, down, broken; quotes stand in its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.writer_server import (
    SECRET,
    Asked,
    Fault,
    Script,
    Sentence,
    WriterServer,
    unanswered,
)

from elysia_guard import Guard, RAGResponse
from elysia_guard.config import BreakerSection, Config, WriterSection, home, load
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.edge.cli import doctor_checks
from elysia_guard.edge.cli.doctor_surroundings import Check, PartState
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

ASKED = "How often are keys rotated?"
WORDS = "Keys are rotated every twelve months by the security team."
MORE = "A lost key is revoked within one hour."
INVENTED = "Keys were invented in 1842 by Ada Lovelace."


def right(asked: Asked) -> Sequence[Sentence]:
    return [(words, [(asked.saying(words), words)]) for words in (WORDS, MORE)]


def fabricating(asked: Asked) -> Sequence[Sentence]:
    return [(INVENTED, [(asked.saying(WORDS), WORDS)])]


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """A folder of its own with two documents, and its index."""
    base = tmp_path_factory.mktemp("keys")
    folder = base / "policies"
    folder.mkdir()
    (folder / "keys.md").write_text(f"# Keys\n\n## Rules\n\n{WORDS}\n\n{MORE}\n", encoding="utf-8")
    (folder / "doors.md").write_text("# Doors\n\nDoors are painted green.\n", encoding="utf-8")
    shipped = load(home() / "config" / "guard.yaml", environ={})
    made = shipped.naming("index", kind="sqlite", path=base / "index.sqlite", sources=[folder])
    made = made.model_copy(update={"log_level": "ERROR"})
    Wiring(made).ensure_index()
    return made


@pytest.fixture
def server() -> Iterator[WriterServer]:
    with WriterServer(right) as made:
        yield made


@pytest.fixture
def clock(server: WriterServer) -> FakeClock:
    """A clock that a writer which is late lets run on: for longer than a call may take."""
    made = FakeClock()

    server.on_late = lambda: made.advance(7.7)
    return made


def guard_of(
    config: Config, server: WriterServer, clock: FakeClock | None = None, **chosen: object
) -> Guard:
    section = WriterSection(kind="language_model", url=server.url, model="m", **chosen)  # type: ignore[arg-type]
    made = config.model_copy(update={"writer": section})
    return Guard(wiring=Wiring(made, clock=clock) if clock else Wiring(made))


@pytest.fixture
def guard(config: Config, server: WriterServer) -> Iterator[Guard]:
    made = guard_of(config, server)
    yield made
    made.wiring.close()


def quotes(config: Config) -> RAGResponse:
    return Guard(wiring=Wiring(config)).ask(ASKED)


def test_what_it_points_at_is_quoted(server: WriterServer, guard: Guard) -> None:
    """In one request, with a schema and at temperature 0; the server's tokens are counted."""
    server.usage = {"prompt_tokens": 900, "completion_tokens": 80}
    reply = guard.ask(ASKED)
    assert f"> {WORDS}\n>\n> {MORE} [source:1]" in reply.answer
    assert [item.quote for item in reply.sources] == [WORDS]
    assert [item.lines for item in reply.sources] == [(5, 5)]
    assert reply.mode is Mode.AUTO
    assert reply.written_by.startswith("m@write+")
    assert reply.validation
    assert reply.validation.against == ("file",)
    (request,) = server.requests
    assert request["temperature"] == 0
    assert request["response_format"]["type"] == "json_schema"
    counted = guard.wiring.metrics.registry.get_sample_value
    assert counted("llm_request_total", {"purpose": "write"}) == 1
    assert counted("llm_prompt_tokens_total", {"purpose": "write"}) == 900
    assert counted("llm_completion_tokens_total", {"purpose": "write"}) == 80


def test_sources_are_data(server: WriterServer, guard: Guard) -> None:
    """They stand in JSON, apart from the task, with what their document is."""
    guard.ask(ASKED)
    task, data = server.requests[0]["messages"]
    told = json.loads(data["content"])
    assert told["question"] == ASKED
    assert told["sources"][0]["title"] == "Keys"
    assert WORDS not in task["content"]


@pytest.mark.parametrize(
    "altered",
    [
        "Keys are rotating every twelve months by the security teams.",
        "Keys are rotated every twelve months?",
        "Keys are never rotated every twelve months by the security team.",
        "Keys are rotated every twelve \u200bmonths by the \u202esecurity team.",
        "<b>Keys</b> are rotated every [twelve](https://evil.example) months by the security team.",
        "Keys are rotated every twelve months by the security team\u00b9\u00b2\u2460.",
    ],
)
def test_none_of_its_words_are_shown(server: WriterServer, guard: Guard, altered: str) -> None:
    """Whatever it altered, its source's own sentence stands there."""
    server.script = lambda _asked: [(altered, [(7, "")])]
    reply = guard.ask(ASKED)
    assert f"> {WORDS} [source:1]" in reply.answer
    assert reply.mode is Mode.AUTO
    said = json.dumps(reply.to_dict(), ensure_ascii=False)
    assert not [each for each in (altered, "evil", "never", "\u200b", "\u2460") if each in said]


FLAGS = {Fault.HANGING: "writer_timeout"}


@pytest.mark.parametrize(
    "fault", [fault for fault in Fault if fault not in {Fault.PROSE_ONCE, Fault.NO_SCHEMA}]
)
def test_whatever_fails_the_quotes_stand(
    config: Config, server: WriterServer, clock: FakeClock, fault: Fault
) -> None:
    """Within the deadline, as surely as without it, flagged and counted; of its words, nothing."""
    server.fault = fault
    guard, alone = guard_of(config, server, clock), quotes(config)
    reply = guard.ask(ASKED, mode="thinking")
    assert reply.sources == alone.sources
    assert reply.retrieval_quality.confidence_score == alone.retrieval_quality.confidence_score
    flag = FLAGS.get(fault, "writer_error")
    assert reply.retrieval_quality.fallback_reasons == (flag,)
    assert [item.type for item in reply.warnings][-1] == "PIPELINE_ERROR"
    assert not reply.complete
    assert SECRET not in str(reply.to_dict())
    name = "llm_timeout_total" if fault is Fault.HANGING else "llm_error_total"
    counted = guard.wiring.metrics.registry.get_sample_value
    assert counted(name, {"purpose": "write"}) or counted(
        "llm_unavailable_total", {"purpose": "write"}
    )
    guard.wiring.close()


def test_the_breaker_leaves_it_alone_and_tries_again(config: Config, server: WriterServer) -> None:
    """After two failures it is not asked; after its rest it is, and writes."""
    clock = FakeClock()
    resting = BreakerSection(failure_threshold=2, success_threshold=1, timeout_seconds=30)
    breakers = config.circuit_breaker.model_copy(update={"llm": resting})
    guard = guard_of(config.model_copy(update={"circuit_breaker": breakers}), server, clock)
    server.fault = Fault.ERROR
    for _ in range(2):
        guard.ask(ASKED)
    server.fault = None
    reply = guard.ask(ASKED)
    assert reply.retrieval_quality.fallback_reasons == ("writer_error", "circuit_open")
    assert len(server.requests) == 2
    clock.advance(31)
    assert guard.ask(ASKED).mode is Mode.AUTO
    guard.wiring.close()


def test_one_that_makes_things_up_is_not_heard(
    config: Config, server: WriterServer, guard: Guard
) -> None:
    """The sources speak, as without it."""
    server.script = fabricating
    reply, alone = guard.ask(ASKED), quotes(config)
    assert len(server.requests) == 1
    assert "1842" not in json.dumps(reply.to_dict())
    assert (reply.answer, reply.sources) == (alone.answer, alone.sources)


def test_its_no_leaves_the_quotes_hedged(
    config: Config, server: WriterServer, guard: Guard
) -> None:
    server.script = unanswered
    reply = guard.ask(ASKED)
    assert reply.outcome is ReplyOutcome.HEDGED
    assert reply.sources == quotes(config).sources


def test_the_server_of_llm_is_asked_where_the_writer_names_none(
    config: Config, server: WriterServer
) -> None:
    llm = config.llm.model_copy(update={"url": server.url, "model": "general"})
    chosen = {"llm": llm, "writer": WriterSection(kind="language_model")}
    guard = Guard(wiring=Wiring(config.model_copy(update=chosen)))
    assert guard.ask(ASKED).written_by.startswith("general@write+")
    guard.wiring.close()


def test_a_key_that_is_not_there_is_told(
    config: Config, server: WriterServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WRITER_API_KEY", "sk-made-up")
    guard = guard_of(config, server, api_key_env="WRITER_API_KEY")
    guard.ask(ASKED)
    assert server.keys == ["Bearer sk-made-up"]
    guard.wiring.close()
    monkeypatch.delenv("WRITER_API_KEY")
    with pytest.raises(ConfigError, match="WRITER_API_KEY"):
        guard_of(config, server, api_key_env="WRITER_API_KEY")


def test_a_mode_that_is_none_is_told(config: Config, server: WriterServer) -> None:
    with pytest.raises(ConfigError, match="instant, auto, thinking"):
        guard_of(config, server).ask(ASKED, mode="quick")


def of(server: WriterServer, key: str) -> list[dict[str, Any]]:
    """The data of the requests that hold a key: sources to write from, sentences to check."""
    told = [json.loads(each["messages"][1]["content"]) for each in server.requests]
    return [each for each in told if key in each]


class TestThinking:
    DOORS = "Doors are painted green."

    def test_the_parts_of_a_question_are_searched_for_too(
        self, config: Config, server: WriterServer
    ) -> None:
        """And what is found for a part may be quoted; one call plans, one writes."""
        server.searches = ["What colour are doors painted?"]

        def both(asked: Asked) -> Sequence[Sentence]:
            return [(words, [(asked.saying(words), words)]) for words in (WORDS, self.DOORS)]

        server.script = both
        guard = guard_of(config, server)
        assert self.DOORS not in guard.ask(ASKED, mode="auto").answer
        server.requests.clear()
        reply = guard.ask(ASKED, mode="thinking")
        assert reply.mode is Mode.THINKING
        assert {item.title for item in reply.sources} == {"Keys", "Doors"}
        assert len(server.requests) == 2
        stages = [step.stage for step in reply.trace]
        assert stages.index("planning") < stages.index("writing")
        guard.wiring.close()

    def test_what_falls_through_is_tried_as_auto(
        self, config: Config, server: WriterServer
    ) -> None:
        """Where nothing holds of what was written from more sources, those found first are told."""
        server.searches = ["What colour are doors painted?"]

        def lost(asked: Asked) -> Sequence[Sentence]:
            return fabricating(asked) if asked.saying(self.DOORS) else right(asked)

        server.script = lost
        guard = guard_of(config, server)
        reply = guard.ask(ASKED, mode="thinking")
        assert reply.mode is Mode.AUTO
        assert [len(each["sources"]) for each in of(server, "sources")] == [2, 1]
        guard.wiring.close()


DOORS_AND_MORE = ("Doors", "Fences", "Gates")


def own_file(config: Config, base: Path, **others: str) -> tuple[Config, Path]:
    """An index of a file on keys, and of other files, for a test to change."""
    folder = base / "policies"
    folder.mkdir()
    for name, text in {"Keys": f"## Rules\n\n{WORDS}\n\n{MORE}", **others}.items():
        (folder / f"{name.lower()}.md").write_text(f"# {name}\n\n{text}\n", encoding="utf-8")
    own = config.naming("index", kind="sqlite", path=base / "i.sqlite", sources=[folder])
    Wiring(own).ensure_index()
    return own, folder / "keys.md"


def test_bare_sources_are_named_where_no_word_of_them_can_be_shown(
    config: Config, server: WriterServer, tmp_path: Path
) -> None:
    """Where a writer was to answer; without one it is a refusal, as before."""
    own, file = own_file(config, tmp_path)
    file.write_text("# Keys\n\n## Rules\n\nNobody rotates anything.\n", encoding="utf-8")
    guard = guard_of(own, server)
    reply = guard.ask(ASKED)
    assert (reply.mode, reply.outcome) == (Mode.RAW, ReplyOutcome.HEDGED)
    assert [item.title for item in reply.sources] == ["Keys"]
    assert WORDS not in str(reply.answer)
    server.script = fabricating
    assert guard.ask("How often are the keys rotated?").mode is Mode.RAW
    assert guard.ask(ASKED, mode="instant").refusal_reason == "unverified_answer"
    guard.wiring.close()


def test_a_source_that_is_gone_leaves_no_others_in_its_place(
    config: Config, server: WriterServer, tmp_path: Path
) -> None:
    """What was found beside it did not pass the gates: it is named by nobody."""
    others = {name: f"{name} are painted green and often cleaned." for name in DOORS_AND_MORE}
    own, keys = own_file(config, tmp_path, **others)
    keys.unlink()
    guard = guard_of(own, server)
    reply = guard.ask(ASKED)
    guard.wiring.close()
    assert reply.mode is not Mode.RAW
    assert not reply.sources
    assert reply.refusal_reason == "unverified_answer"


def test_a_file_that_changed_takes_its_sentences_along(
    config: Config, server: WriterServer, tmp_path: Path
) -> None:
    """What no longer stands in it is left out, and it is said that the index is behind."""
    own, file = own_file(config, tmp_path)
    file.write_text(f"# Keys\n\n## Rules\n\nNew.\n{WORDS} Nothing else.\n", encoding="utf-8")
    guard = guard_of(own, server)
    reply = guard.ask(ASKED)
    assert WORDS in reply.answer
    assert MORE not in reply.answer
    assert [item.lines for item in reply.sources] == [(6, 6)]
    assert {"STALE_INDEX"} <= {item.type for item in reply.warnings}
    assert not reply.complete
    guard.wiring.close()


class TestDoctor:
    def look(self, config: Config, server: WriterServer) -> Check:
        guard = guard_of(config, server)
        try:
            return doctor_checks.writer(guard.wiring)
        finally:
            guard.wiring.close()

    def test_it_has_one_sentence_written(self, config: Config, server: WriterServer) -> None:
        server.script = lambda asked: [(WORDS, [(asked.saying(WORDS), WORDS)])]
        check = self.look(config, server)
        assert check.state is PartState.OK
        assert check.data["model_id"].startswith("m@write+")

    @pytest.mark.parametrize("broken", [fabricating, None])
    def test_it_tells_what_would_never_be_shown(
        self, config: Config, server: WriterServer, broken: Script | None
    ) -> None:
        """A model that copies no sentence of its source, or that is down."""
        if broken is None:
            server.fault = Fault.ERROR
        else:
            server.script = lambda _asked: [(INVENTED, [(1, "")])]
        check = self.look(config, server)
        assert check.state is PartState.ERROR
        assert "1842" not in check.text


QUOTED = {
    "en": (ASKED, "Each of the 2 quotes stands word for word in its source."),
    "nl": (
        "Hoe vaak worden sleutels (keys) gewisseld?",
        "Elk van de 2 citaten staat woord voor woord in zijn bron.",
    ),
    "de": (
        "Wie oft werden Schlüssel (keys) gewechselt?",
        "Jedes der 2 Zitate steht wörtlich in seiner Quelle.",
    ),
    "fr": (
        "Quelle équipe de sécurité change les clés tous les douze mois ?",
        "Chacune des 2 citations figure mot pour mot dans sa source.",
    ),
}


@pytest.mark.parametrize("lang", QUOTED)
def test_people_see_what_was_verified(server: WriterServer, guard: Guard, lang: str) -> None:
    """How many quotes stand, which model chose them to which prompt, and once what was left out."""
    server.script = lambda asked: [*right(asked), (INVENTED, [])]
    question, told = QUOTED[lang]
    reply = guard.ask(question)
    assert reply.lang == lang
    assert reply.verified.startswith(told)
    assert " m (" in reply.verified
    assert reply.written_by.partition("+")[2] in reply.verified
    assert [item.details["withheld"] for item in reply.warnings] == [1]
    assert reply.verified in reply._repr_markdown_()
    assert INVENTED not in repr(reply)


def test_quotes_say_that_they_stand_and_nothing_of_a_model(config: Config) -> None:
    reply = quotes(config)
    assert "word for word" in reply.verified
    assert " m (" not in reply.verified


def test_of_what_is_not_quoted_nothing_is_said_to_stand(config: Config) -> None:
    """A refusal rests on no source, and small talk neither."""
    guard = Guard(wiring=Wiring(config))
    told = [guard.ask(asked) for asked in ("Who is the king of the moon's cheese?", "hello")]
    guard.wiring.close()
    assert [reply.outcome for reply in told] == ["refused", "conversed"]
    assert [reply.verified for reply in told] == ["", ""]


def test_all_parts_of_a_question_have_one_deadline(
    config: Config, server: WriterServer, clock: FakeClock
) -> None:
    """A second part does not wait as long again."""
    server.fault = Fault.HANGING
    guard = guard_of(config, server, clock)
    began = clock()
    reply = guard.ask(f"{ASKED} And what colour are doors painted?")
    guard.wiring.close()
    assert {item.title for item in reply.sources} == {"Keys", "Doors"}
    assert reply.mode is Mode.INSTANT
    # Both are asked at once; one may be given up before the server has read it.
    assert 1 <= len(server.requests) <= 2
    assert clock() - began == pytest.approx(len(server.requests) * 7.7)


def test_it_is_asked_in_the_language_of_the_sources(config: Config, server: WriterServer) -> None:
    """The reply speaks that of the reader, around quotes that nobody translated."""
    guard = guard_of(config, server)
    reply = guard.ask("Wie oft werden Schlüssel gewechselt?")
    guard.wiring.close()
    assert (reply.lang, reply.mode) == ("de", Mode.AUTO)
    assert "Quellen" in reply.answer.partition(WORDS)[0]
    assert server.requests[0]["messages"][0]["content"].startswith("You answer")
