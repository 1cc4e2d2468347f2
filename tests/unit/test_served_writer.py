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
from elysia_guard.config import BreakerSection, Config, VerifierSection, WriterSection, home, load
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.edge.cli import writer_check
from elysia_guard.edge.cli.surroundings import Check, State
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
    (folder / "keys.md").write_text(f"# Keys\n\n## Rules\n\n{WORDS} {MORE}\n", encoding="utf-8")
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


def quotes(config: Config) -> RAGResponse:
    return Guard(wiring=Wiring(config)).ask(ASKED)


def test_what_it_writes_is_shown_with_its_words(config: Config, server: WriterServer) -> None:
    """In one request, with a schema and at temperature 0; the server's tokens are counted."""
    server.usage = {"prompt_tokens": 900, "completion_tokens": 80}
    guard = guard_of(config, server)
    reply = guard.ask(ASKED)
    assert f"{WORDS} [source:1]\n\n{MORE} [source:2]" in reply.answer
    assert [item.quote for item in reply.sources] == [WORDS, MORE]
    assert [item.lines for item in reply.sources] == [(5, 5), (5, 5)]
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
    guard.wiring.close()


def test_it_is_no_surer_than_the_quotes(config: Config, server: WriterServer) -> None:
    guard = guard_of(config, server)
    assert guard.ask(ASKED).retrieval_quality == quotes(config).retrieval_quality
    guard.wiring.close()


def test_sources_are_data(config: Config, server: WriterServer) -> None:
    """They stand in JSON, apart from the task, with what their document is."""
    guard = guard_of(config, server)
    guard.ask(ASKED)
    task, data = server.requests[0]["messages"]
    told = json.loads(data["content"])
    assert told["question"] == ASKED
    assert told["sources"][0]["title"] == "Keys"
    assert WORDS not in task["content"]
    guard.wiring.close()


GERMAN = "Wie oft werden Schlüssel gewechselt?"


def written_in(config: Config, server: WriterServer, language: str | None, *, checked: bool) -> str:
    """Return the task that a German question over English sources comes with."""
    other = VerifierSection(kind="language_model", url=server.url, model="other")
    section = WriterSection.model_validate(
        {"kind": "language_model", "url": server.url, "model": "m", "language": language}
    )
    chosen = {"writer": section, "verifier": other if checked else VerifierSection()}
    guard = Guard(wiring=Wiring(config.model_copy(update=chosen)))
    reply = guard.ask(GERMAN)
    guard.wiring.close()
    # The caveat and all that is ours stays in the reader's language.
    assert (reply.lang, reply.mode) == ("de", Mode.AUTO)
    assert "Quellen" in reply.answer.partition(WORDS)[0]
    told = [each["messages"][0]["content"] for each in server.requests]
    return str(told[0])


@pytest.mark.parametrize("checked", [False, True])
def test_by_default_it_writes_what_is_then_proved(
    config: Config, server: WriterServer, *, checked: bool
) -> None:
    """In the sources' language where code alone proves it, and else in the reader's."""
    task = written_in(config, server, None, checked=checked)
    assert ("Sie beantworten" in task, 'in der Sprache "de"' in task) == (checked, checked)
    assert ("You answer" in task, "language of its source" in task) == (not checked, not checked)


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("language", ["question", "sources"])
def test_the_language_may_be_chosen(
    config: Config, server: WriterServer, language: str, *, checked: bool
) -> None:
    task = written_in(config, server, language, checked=checked)
    assert ('in der Sprache "de"' in task) is (language == "question")


def test_another_language_is_another_writer(config: Config, server: WriterServer) -> None:
    """What was kept of the one is not given for the other."""
    ids = set()
    for language in ("question", "sources"):
        guard = guard_of(config, server, language=language)
        ids.add(guard.ask(ASKED).written_by)
        guard.wiring.close()
    assert len(ids) == 2


@pytest.mark.parametrize("fault", [Fault.PROSE_ONCE, Fault.NO_SCHEMA])
def test_a_form_that_can_be_mended_is(config: Config, server: WriterServer, fault: Fault) -> None:
    server.fault = fault
    guard = guard_of(config, server)
    assert guard.ask(ASKED).mode is Mode.AUTO
    assert len(server.requests) == 2
    guard.wiring.close()


FLAGS = {Fault.HANGING: "writer_timeout"}


@pytest.mark.parametrize(
    "fault", [fault for fault in Fault if fault not in {Fault.PROSE_ONCE, Fault.NO_SCHEMA}]
)
@pytest.mark.parametrize("mode", ["auto", "thinking"])
def test_whatever_fails_the_quotes_stand(
    config: Config, server: WriterServer, clock: FakeClock, fault: Fault, mode: str
) -> None:
    """Within the deadline, as surely as without it, flagged and counted; of its words, nothing."""
    server.fault = fault
    guard, alone = guard_of(config, server, clock), quotes(config)
    reply = guard.ask(ASKED, mode=mode)
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


def test_the_parts_of_a_question_are_written_side_by_side(
    config: Config, server: WriterServer
) -> None:
    """Their sources are numbered through, and the response speaks of all of them."""
    doors = "Doors are painted green."

    def each(asked: Asked) -> Sequence[Sentence]:
        return [(w, [(n, w)]) for w in (WORDS, MORE, doors) if (n := asked.saying(w))]

    server.script = each
    guard = guard_of(config, server)
    reply = guard.ask(f"{ASKED} And what colour are doors painted?")
    guard.wiring.close()
    for n, words in enumerate((WORDS, MORE, doors), start=1):
        assert f"{words} [source:{n}]" in reply.answer
        assert reply.sources[n - 1].n == n
        assert reply.sources[n - 1].quote == words
    assert (reply.mode, reply.complete) == (Mode.AUTO, True)
    assert reply.validation
    assert (reply.validation.fields_verified, reply.validation.fields_total) == (3, 3)


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


def test_one_that_makes_things_up_is_not_heard(config: Config, server: WriterServer) -> None:
    """It is asked once more, with what failed, and then the sources speak."""
    server.script = fabricating
    guard = guard_of(config, server)
    reply = guard.ask(ASKED)
    assert len(server.requests) == 2
    assert "1842" in server.requests[1]["messages"][1]["content"]
    assert "1842" not in json.dumps(reply.to_dict())
    assert reply.sources == quotes(config).sources
    guard.wiring.close()


def test_its_no_leaves_the_quotes_hedged(config: Config, server: WriterServer) -> None:
    server.script = unanswered
    guard = guard_of(config, server)
    reply = guard.ask(ASKED)
    assert reply.outcome is ReplyOutcome.HEDGED
    assert reply.sources == quotes(config).sources
    guard.wiring.close()


def test_the_same_is_said_twenty_times(config: Config, server: WriterServer) -> None:
    guard = guard_of(config, server)
    said = {
        (reply.answer, reply.sources, reply.outcome)
        for reply in (guard.ask(ASKED) for _ in range(20))
    }
    assert len(said) == 1
    guard.wiring.close()


def test_of_a_model_that_varies_the_first_word_counts(config: Config, server: WriterServer) -> None:
    """What was of use is remembered for the same sources; what failed is not."""
    turns = iter(range(99))

    def varying(asked: Asked) -> Sequence[Sentence]:
        return right(asked)[next(turns) % 2 :]

    server.script = varying
    guard = guard_of(config, server)
    server.fault = Fault.PROSE
    guard.ask(ASKED)
    server.fault = None
    said = {guard.ask(ASKED).sources for _ in range(20)}
    guard.wiring.close()
    assert len(said) == 1
    assert len(server.requests) == 3


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


class TestASecondOpinion:
    NEAR = "Every key is replaced every twelve months by the security team."

    def guard(self, config: Config, server: WriterServer, other: WriterServer) -> Guard:
        section = VerifierSection(kind="language_model", url=other.url, model="other")
        return guard_of(config.model_copy(update={"verifier": section}), server)

    @pytest.mark.parametrize("doubted", [False, True])
    def test_another_model_decides_on_what_code_leaves_open(
        self, config: Config, server: WriterServer, doubted: bool
    ) -> None:
        """And on nothing else."""
        server.script = lambda asked: [(self.NEAR, [(asked.saying(WORDS), WORDS)])]
        with WriterServer(unanswered) as other:
            other.doubts = lambda _sentence: doubted
            guard = self.guard(config, server, other)
            reply = guard.ask(ASKED)
            counted = guard.wiring.metrics.registry.get_sample_value
            guard.wiring.close()
            (first, *_) = of(other, "sentences")
            assert first["sentences"] == [{"id": 1, "sentence": self.NEAR, "words": WORDS}]
        assert (self.NEAR in reply.answer) is not doubted
        assert (counted("llm_request_total", {"purpose": "verify"}) or 0) >= 1

    def test_where_it_is_down_nothing_open_is_shown(
        self, config: Config, server: WriterServer
    ) -> None:
        server.script = lambda asked: [(self.NEAR, [(asked.saying(WORDS), WORDS)])]
        with WriterServer(unanswered) as other:
            other.fault = Fault.ERROR
            guard = self.guard(config, server, other)
            reply = guard.ask(ASKED)
            guard.wiring.close()
        assert self.NEAR not in reply.answer
        assert reply.retrieval_quality.fallback_reasons == ("verifier_error",)

    def test_a_writer_does_not_vouch_for_itself(self, server: WriterServer, tmp_path: Path) -> None:
        file = tmp_path / "config" / "guard.yaml"
        file.parent.mkdir()
        one = f"{{kind: language_model, url: '{server.url}', model: m}}"
        shipped = (home() / "config" / "guard.yaml").read_text(encoding="utf-8")
        file.write_text(f"{shipped}\nwriter: {one}\nverifier: {one}\n", encoding="utf-8")
        with pytest.raises(ConfigError, match="name another"):
            load(file, environ={})


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
        """And what is found for a part may be cited; one call plans, one writes, one checks."""
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
        assert len(server.requests) == 3
        stages = [step.stage for step in reply.trace]
        assert stages.index("planning") < stages.index("writing")
        guard.wiring.close()

    def test_its_own_second_look_only_takes_away(
        self, config: Config, server: WriterServer
    ) -> None:
        server.doubts = lambda sentence: sentence == MORE
        guard = guard_of(config, server)
        reply = guard.ask(ASKED, mode="thinking")
        guard.wiring.close()
        assert WORDS in reply.answer
        assert MORE not in reply.answer
        assert not reply.complete

    def test_and_never_shows_what_code_cannot_prove(
        self, config: Config, server: WriterServer
    ) -> None:
        """However sure it is of what it wrote itself."""
        paraphrase = "It falls to some people there to see to that."

        def near(asked: Asked) -> Sequence[Sentence]:
            return [*right(asked), (paraphrase, [(asked.saying(WORDS), WORDS)])]

        server.script = near
        guard = guard_of(config, server)
        reply = guard.ask(ASKED, mode="thinking")
        guard.wiring.close()
        assert WORDS in reply.answer
        assert paraphrase not in reply.answer
        checked = [row["sentence"] for each in of(server, "sentences") for row in each["sentences"]]
        assert paraphrase not in checked

    def test_what_it_doubts_comes_up_in_no_other_mode(
        self, config: Config, server: WriterServer
    ) -> None:
        server.doubts = lambda _sentence: True
        guard = guard_of(config, server)
        reply = guard.ask(ASKED, mode="thinking")
        guard.wiring.close()
        assert reply.mode is Mode.INSTANT
        assert reply.outcome is ReplyOutcome.HEDGED

    def test_without_parts_it_is_written_from_what_was_found(
        self, config: Config, server: WriterServer
    ) -> None:
        guard = guard_of(config, server, mode="thinking")
        reply = guard.ask(ASKED)
        assert reply.mode is Mode.THINKING
        assert WORDS in reply.answer
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
        assert [len(each["sources"]) for each in of(server, "sources")] == [2, 2, 1]
        guard.wiring.close()


def test_bare_sources_are_named_where_no_word_of_them_can_be_shown(
    config: Config, server: WriterServer, tmp_path: Path
) -> None:
    """Where a writer was to answer; without one it is a refusal, as before."""
    folder = tmp_path / "policies"
    folder.mkdir()
    file = folder / "keys.md"
    file.write_text(f"# Keys\n\n## Rules\n\n{WORDS} {MORE}\n", encoding="utf-8")
    own = config.naming("index", kind="sqlite", path=tmp_path / "i.sqlite", sources=[folder])
    Wiring(own).ensure_index()
    file.write_text("# Keys\n\n## Rules\n\nNobody rotates anything.\n", encoding="utf-8")
    guard = guard_of(own, server)
    reply = guard.ask(ASKED)
    assert (reply.mode, reply.outcome) == (Mode.RAW, ReplyOutcome.HEDGED)
    assert [item.title for item in reply.sources] == ["Keys"]
    assert WORDS not in str(reply.answer)
    server.script = fabricating
    reply = guard.ask("How often are the keys rotated?")
    told = {each.type: each.message for each in reply.warnings}
    assert reply.mode is Mode.RAW
    assert "own words" not in told["UNVERIFIED_FIELDS"]  # none are shown
    assert guard.ask(ASKED, mode="instant").refusal_reason == "unverified_answer"
    guard.wiring.close()


def test_a_source_that_is_gone_leaves_no_others_in_its_place(
    config: Config, server: WriterServer, tmp_path: Path
) -> None:
    """What was found beside it did not pass the gates: it is named by nobody."""
    folder = tmp_path / "policies"
    folder.mkdir()
    keys = folder / "keys.md"
    keys.write_text(f"# Keys\n\n## Rules\n\n{WORDS} {MORE}\n", encoding="utf-8")
    for name in ("Doors", "Fences", "Gates"):
        text = f"# {name}\n\n{name} are painted green and often cleaned.\n"
        (folder / f"{name.lower()}.md").write_text(text, encoding="utf-8")
    own = config.naming("index", kind="sqlite", path=tmp_path / "i.sqlite", sources=[folder])
    Wiring(own).ensure_index()
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
    folder = tmp_path / "policies"
    folder.mkdir()
    file = folder / "keys.md"
    file.write_text(f"# Keys\n\n## Rules\n\n{WORDS} {MORE}\n", encoding="utf-8")
    own = config.naming("index", kind="sqlite", path=tmp_path / "i.sqlite", sources=[folder])
    Wiring(own).ensure_index()
    file.write_text(f"# Keys\n\n## Rules\n\nNew.\n{WORDS} Nothing else.\n", encoding="utf-8")
    guard = guard_of(own, server)
    reply = guard.ask(ASKED)
    assert WORDS in reply.answer
    assert MORE not in reply.answer
    assert [item.lines for item in reply.sources] == [(6, 6)]
    assert {"STALE_INDEX", "SNIPPET_MISMATCH"} <= {item.type for item in reply.warnings}
    assert not reply.complete
    guard.wiring.close()


class TestDoctor:
    def look(self, config: Config, server: WriterServer) -> Check:
        guard = guard_of(config, server)
        try:
            return writer_check.look(guard.wiring)
        finally:
            guard.wiring.close()

    def test_it_tells_that_nobody_writes(self, config: Config) -> None:
        check = writer_check.look(Wiring(config))
        assert (check.state, check.data) == (State.OK, {"kind": "none"})
        assert "quotes" in check.text

    def test_it_tells_that_elysias_model_does(self, config: Config) -> None:
        section = WriterSection(kind="language_model", mode="thinking")
        check = writer_check.look(Wiring(config.model_copy(update={"writer": section})))
        assert "Elysia's settings, mode thinking" in check.text

    def test_it_has_one_sentence_written(self, config: Config, server: WriterServer) -> None:
        server.script = lambda asked: [(WORDS, [(asked.saying(WORDS), WORDS)])]
        check = self.look(config, server)
        assert check.state is State.OK
        assert check.data["model_id"].startswith("m@write+")

    @pytest.mark.parametrize("broken", [fabricating, None])
    def test_it_tells_what_would_never_be_shown(
        self, config: Config, server: WriterServer, broken: Script | None
    ) -> None:
        """A model that names no words of its source, or that is down."""
        if broken is None:
            server.fault = Fault.ERROR
        else:
            server.script = lambda _asked: [(WORDS, [(1, INVENTED)])]
        check = self.look(config, server)
        assert check.state is State.ERROR
        assert "1842" not in check.text
