"""A language model behind a real server: right, late, down, broken; without it the rules answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.guide_server import (
    SECRET,
    Asked,
    Fault,
    GuideServer,
    Said,
    Script,
    denying,
    inventing,
    lazy,
    pointing,
)

from elysia_guard import Guard, RAGResponse
from elysia_guard.adapters.models.guide import sections
from elysia_guard.adapters.models.vetting import REST_S
from elysia_guard.config import AnswerCacheSection, BreakerSection, Config, home, load
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.edge.cli import doctor_checks
from elysia_guard.edge.cli.doctor_surroundings import PartState
from elysia_guard.edge.model_told import model_told
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

ASKED = "How often are keys rotated?"
WORDS = "Keys are rotated every twelve months by the security team."
MORE = "A lost key is revoked within one hour."
DOORS = "Doors are painted green."
INVENTED = "Keys were invented in 1842 by Ada Lovelace."
OTHER_WORDS = "When do our secrets have to be exchanged for fresh ones?"
"""Shares no word with the document that answers it."""
NEAR = "How often are keys rotated by the security team on Sundays?"


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """A folder of its own with two documents, and its index."""
    base = tmp_path_factory.mktemp("keys")
    folder = base / "policies"
    folder.mkdir()
    (folder / "keys.md").write_text(f"# Keys\n\n## Rules\n\n{WORDS}\n\n{MORE}\n", encoding="utf-8")
    (folder / "doors.md").write_text(f"# Doors\n\n{DOORS}\n", encoding="utf-8")
    shipped = load(home() / "config" / "guard.yaml", environ={})
    made = shipped.naming("index", kind="sqlite", path=base / "index.sqlite", sources=[folder])
    made = made.model_copy(update={"log_level": "ERROR"})
    Wiring(made).ensure_index()
    return made


@pytest.fixture
def server() -> Iterator[GuideServer]:
    with GuideServer(pointing(WORDS)) as made:
        yield made


@pytest.fixture
def clock(server: GuideServer) -> FakeClock:
    """A clock that a model which is late lets run on: for longer than an answer may take."""
    made = FakeClock()
    server.on_late = lambda: made.advance(9.7)
    return made


def guard_of(
    config: Config, server: GuideServer, clock: FakeClock | None = None, **chosen: object
) -> Guard:
    llm = config.llm.model_copy(update={"url": server.url, "model": "m", **chosen})
    made = config.model_copy(update={"llm": llm})
    return Guard(wiring=Wiring(made, clock=clock) if clock else Wiring(made))


@pytest.fixture
def guard(config: Config, server: GuideServer) -> Iterator[Guard]:
    made = guard_of(config, server)
    yield made
    made.wiring.close()


def ruled(config: Config, question: str = ASKED) -> RAGResponse:
    """The answer of the rules alone."""
    return Guard(wiring=Wiring(config)).ask(question)


def test_the_unit_that_it_points_at_is_shown(server: GuideServer, guard: Guard) -> None:
    """By one plan and one pointing, with a schema and at temperature 0; tokens are counted."""
    server.usage = {"prompt_tokens": 900, "completion_tokens": 80}
    reply = guard.ask(ASKED)
    assert f"> {WORDS} [source:1]" in reply.answer
    assert MORE not in reply.answer
    assert [item.quote for item in reply.sources] == [WORDS]
    assert [item.lines for item in reply.sources] == [(5, 5)]
    assert (reply.mode, reply.outcome) == (Mode.AUTO, ReplyOutcome.HEDGED)
    assert reply.written_by.startswith("m@point+")
    assert [len(server.asked_to(purpose)) for purpose in ("plan", "point")] == [1, 1]
    assert {each["temperature"] for each in server.requests} == {0}
    assert {each["response_format"]["type"] for each in server.requests} == {"json_schema"}
    counted = guard.wiring.metrics.registry.get_sample_value
    assert counted("llm_request_total", {"purpose": "plan"}) == 1
    assert counted("llm_prompt_tokens_total", {"purpose": "point"}) == 900 * len(server.requests)


def test_control_questions_are_asked_once(server: GuideServer, guard: Guard) -> None:
    """Whatever is asked afterwards; the same question asks nothing at all."""
    guard.ask(ASKED)
    first = len(server.requests)
    guard.ask(ASKED, mode="thinking")
    assert len(server.requests) == first
    guard.ask("Who revokes a lost key?")
    assert len(server.requests) == first + 2
    assert first == 4


def test_what_it_is_told_is_data(server: GuideServer, guard: Guard) -> None:
    """Apart from the task: the catalogue and the question, then units under their numbers."""
    guard.ask(ASKED)
    (plan,), (told,) = server.asked_to("plan"), server.asked_to("point")
    assert plan["question"] == told["question"] == ASKED
    assert {line.partition(" | ")[2] for line in plan["catalogue"]} >= {"policy | Keys"}
    document = next(each for each in told["documents"] if each["title"] == "Keys")
    assert list(document["sections"][0]["units"].values()) == [WORDS, MORE]
    assert not any(WORDS in each["messages"][0]["content"] for each in server.requests)


def test_other_words_are_answered_where_the_model_knows_the_document(
    config: Config, server: GuideServer, guard: Guard
) -> None:
    """Rules find nothing that they may show; what the plan names is read whole."""
    server.documents = ["Keys"]
    assert ruled(config, OTHER_WORDS).refused
    reply = guard.ask(OTHER_WORDS)
    assert WORDS in reply.answer
    assert reply.outcome is ReplyOutcome.HEDGED


def test_a_near_miss_is_refused_and_mentioned(
    config: Config, server: GuideServer, guard: Guard
) -> None:
    server.script = denying
    reply = guard.ask(NEAR)
    assert (reply.refusal_reason, [item.title for item in reply.mentions]) == (
        "not_relevant",
        ["Keys"],
    )
    assert not reply.sources
    assert "A language model read what was found, and names no place that answers." in reply.answer


def test_a_premise_that_is_wrong_is_contradicted(server: GuideServer, guard: Guard) -> None:
    server.script = lambda asked: ("contradicts", asked.saying(WORDS))
    reply = guard.ask("Why are keys rotated every week?")
    assert "No: the source says" in reply.answer
    assert reply.answer.index("No: the source says") < reply.answer.index(WORDS)


@pytest.mark.parametrize("question", ["Hello", "How many policies are there?", "List all policies"])
def test_lists_and_small_talk_ask_no_model(
    server: GuideServer, guard: Guard, question: str
) -> None:
    guard.ask(question)
    assert not server.requests


@pytest.mark.parametrize("script", [lazy, denying, inventing])
def test_a_model_that_fails_the_control_questions_is_not_believed(
    config: Config, server: GuideServer, guard: Guard, script: Script
) -> None:
    """The rules answer, as surely as without it; doctor says what it is."""
    server.script, server.fit = script, False
    reply, alone = guard.ask(ASKED), ruled(config)
    assert (reply.answer, reply.sources) == (alone.answer, alone.sources)
    assert reply.retrieval_quality.fallback_reasons == ("llm_error",)
    assert not server.asked_to("point")
    check = doctor_checks.language_model(guard.wiring)
    assert check.state is PartState.ERROR
    assert "control questions" in check.text


def test_numbers_that_were_not_given_point_nowhere(
    config: Config, server: GuideServer, guard: Guard
) -> None:
    """Then the rules answer, and the trace says what was dropped."""
    server.script = inventing
    reply, alone = guard.ask(ASKED), ruled(config)
    assert (reply.answer, reply.sources) == (alone.answer, alone.sources)
    step = next(step for step in reply.trace if step.stage == "pointing")
    assert "Dropped: 4 (there is no such unit)." in step.remarks


def test_a_unit_that_shares_nothing_with_the_question_is_dropped(
    config: Config, server: GuideServer, guard: Guard
) -> None:
    server.documents, server.script = ["Doors"], pointing(DOORS)
    reply = guard.ask(ASKED)
    assert DOORS not in reply.answer
    assert reply.sources == ruled(config).sources


def test_no_word_of_it_is_shown(server: GuideServer, guard: Guard) -> None:
    """In whatever field it stands."""
    server.searches = [INVENTED]

    def script(asked: Asked) -> Said:
        return "answers", [*asked.saying(WORDS), INVENTED]

    server.script = script
    reply = guard.ask(ASKED)
    assert "1842" not in json.dumps(reply.to_dict())
    # A number that is none is no form: twice, and the rules answer.
    assert reply.retrieval_quality.fallback_reasons == ("llm_error",)


FLAGS = {Fault.HANGING: "llm_timeout"}


@pytest.mark.parametrize(
    "fault", [fault for fault in Fault if fault not in {Fault.PROSE_ONCE, Fault.NO_SCHEMA}]
)
def test_whatever_fails_the_rules_answer(
    config: Config, server: GuideServer, clock: FakeClock, fault: Fault
) -> None:
    """Within the deadline, as surely as without it, flagged and counted; of its words, nothing."""
    server.fault = fault
    guard, alone = guard_of(config, server, clock), ruled(config)
    reply = guard.ask(ASKED, mode="auto")
    assert reply.sources == alone.sources
    assert reply.retrieval_quality.confidence_score == alone.retrieval_quality.confidence_score
    flag = FLAGS.get(fault, "llm_error")
    assert reply.retrieval_quality.fallback_reasons == (flag,)
    assert [item.type for item in reply.warnings][-1] == "PIPELINE_ERROR"
    assert SECRET not in str(reply.to_dict())
    guard.wiring.close()


@pytest.mark.parametrize("fault", [Fault.PROSE_ONCE, Fault.NO_SCHEMA])
def test_a_slip_of_form_is_repaired(config: Config, server: GuideServer, fault: Fault) -> None:
    """It is told what was wrong; a server that knows no schema is asked without one."""
    server.fault = fault
    guard = guard_of(config, server)
    assert guard.ask(ASKED).mode is Mode.AUTO
    guard.wiring.close()


def test_the_breaker_leaves_it_alone_and_tries_again(config: Config, server: GuideServer) -> None:
    """After two failures it is not asked; after its rest it is, and points."""
    clock = FakeClock()
    resting = BreakerSection(failure_threshold=2, success_threshold=1, timeout_seconds=30)
    breakers = config.circuit_breaker.model_copy(update={"llm": resting})
    guard = guard_of(config.model_copy(update={"circuit_breaker": breakers}), server, clock)
    server.fault = Fault.ERROR
    for _ in range(2):
        guard.ask(ASKED)
    asked, server.fault = len(server.requests), None
    reply = guard.ask(ASKED)
    assert set(reply.retrieval_quality.fallback_reasons) >= {"circuit_open"}
    assert len(server.requests) == asked
    clock.advance(31)
    assert guard.ask(ASKED).mode is Mode.AUTO
    guard.wiring.close()


def test_a_key_that_is_not_there_is_told(
    config: Config, server: GuideServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POINTING_API_KEY", "sk-made-up")
    guard = guard_of(config, server, api_key_env="POINTING_API_KEY")
    guard.ask(ASKED)
    assert set(server.keys) == {"Bearer sk-made-up"}
    guard.wiring.close()
    monkeypatch.delenv("POINTING_API_KEY")
    with pytest.raises(ConfigError, match="POINTING_API_KEY"):
        guard_of(config, server, api_key_env="POINTING_API_KEY")


def test_none_is_used_where_the_settings_say_so(config: Config, server: GuideServer) -> None:
    guard = guard_of(config, server, use="none")
    assert guard.ask(ASKED).mode is Mode.INSTANT
    assert not server.requests
    check = doctor_checks.language_model(guard.wiring)
    assert (check.state, "llm.use: none" in check.text) == (PartState.OK, True)
    guard.wiring.close()


def test_a_mode_that_is_none_is_told(guard: Guard) -> None:
    with pytest.raises(ConfigError, match="instant, auto, thinking"):
        guard.ask(ASKED, mode="quick")


def test_thinking_looks_a_second_time(config: Config, server: GuideServer) -> None:
    """Where the first units do not answer, at those of further documents."""
    guard = guard_of(config, server)
    question = "Is anything painted, or rotated, or revoked, or green?"
    server.script = pointing(DOORS)
    server.documents = ["Keys"]
    guard.ask(question, mode="auto")
    looks = len(server.asked_to("point"))
    guard.ask("Is anything green or painted?", mode="thinking")
    assert len(server.asked_to("point")) > looks
    guard.wiring.close()


def own_file(config: Config, base: Path) -> tuple[Config, Path]:
    """An index of a file on keys, for a test to change."""
    folder = base / "policies"
    folder.mkdir()
    (folder / "keys.md").write_text(f"# Keys\n\n## Rules\n\n{WORDS}\n\n{MORE}\n", encoding="utf-8")
    own = config.naming("index", kind="sqlite", path=base / "i.sqlite", sources=[folder])
    Wiring(own).ensure_index()
    return own, folder / "keys.md"


def test_bare_sources_are_named_where_no_word_of_them_can_be_shown(
    config: Config, server: GuideServer, tmp_path: Path
) -> None:
    """Where a model pointed; by rules alone it is a refusal."""
    own, file = own_file(config, tmp_path)
    file.write_text("# Keys\n\n## Rules\n\nNobody rotates anything.\n", encoding="utf-8")
    guard = guard_of(own, server)
    reply = guard.ask(ASKED)
    assert (reply.mode, reply.outcome) == (Mode.RAW, ReplyOutcome.HEDGED)
    assert [item.title for item in reply.sources] == ["Keys"]
    assert WORDS not in str(reply.answer)
    assert guard.ask(ASKED, mode="instant").refusal_reason == "unverified_answer"
    guard.wiring.close()


def test_a_file_that_changed_takes_its_units_along(
    config: Config, server: GuideServer, tmp_path: Path
) -> None:
    """What no longer stands in it is left out, and it is said that the index is behind."""
    own, file = own_file(config, tmp_path)
    file.write_text(f"# Keys\n\n## Rules\n\nNew.\n\n{WORDS}\n", encoding="utf-8")
    server.script = pointing(WORDS, MORE)
    guard = guard_of(own, server)
    reply = guard.ask(ASKED)
    assert WORDS in reply.answer
    assert MORE not in reply.answer
    assert {"STALE_INDEX"} <= {item.type for item in reply.warnings}
    assert not reply.complete
    guard.wiring.close()


def test_doctor_asks_the_control_questions(server: GuideServer, guard: Guard) -> None:
    check = doctor_checks.language_model(guard.wiring)
    assert check.state is PartState.OK
    assert str(check.data["model_id"]).startswith("m@point+")
    assert "two calls at most" in check.text
    assert "not measured" in check.text


def test_one_line_says_which_model_is_used_and_what_is_known_of_it(
    config: Config, server: GuideServer, clock: FakeClock
) -> None:
    """As far as it has been asked: fit, unfit, in no form, or not at all."""
    guard = guard_of(config, server, clock)
    assert "m plans what is searched and points at what answers" in model_told(guard.wiring)
    server.fault = Fault.PROSE
    guard.ask(ASKED)
    assert model_told(guard.wiring).startswith("m failed, and is left alone for a while")
    server.fault = None
    clock.advance(REST_S)
    guard.ask(ASKED)
    assert "m plans what is searched" in model_told(guard.wiring)
    unfit = guard_of(config, server)
    server.fit = False
    unfit.ask(ASKED)
    assert model_told(unfit.wiring).startswith("m failed its control questions")
    instant = guard_of(config, server, mode="instant")
    assert "not asked (llm.mode: instant)" in model_told(instant.wiring)
    none = guard_of(config, server, use="none")
    assert model_told(none.wiring) == "No language model is used: the rules answer."
    elsewhere = guard_of(config, server, url="", model="")
    assert model_told(elsewhere.wiring).startswith("The base model of Elysia's settings plans")
    for each in (guard, unfit, instant, none, elsewhere):
        each.wiring.close()


def test_people_see_which_model_chose(server: GuideServer, guard: Guard) -> None:
    reply = guard.ask(ASKED)
    assert reply.verified.startswith("The quote stands word for word in its source.")
    assert " m (" in reply.verified
    assert reply.written_by.partition("+")[2] in reply.verified


RULES = {
    "en": (
        "Answer nothing;",
        "Use nothing that you know yourself.",
        '"no" where no unit says it.',
    ),
    "nl": (
        "Beantwoord niets;",
        "Gebruik niets wat je zelf weet.",
        '"no" waar geen eenheid het zegt.',
    ),
    "de": (
        "Beantworte nichts;",
        "Gebrauche nichts, was du selbst weißt.",
        '"no", wenn keine Einheit es sagt.',
    ),
    "fr": (
        "Ne réponds à rien ;",
        "N'emploie rien de ce que tu sais toi-même.",
        '"no" si aucune unité ne le dit.',
    ),
}


@pytest.mark.parametrize("lang", RULES)
def test_every_language_holds_it_to_the_units(lang: str) -> None:
    """A plan answers nothing; whoever points uses the units alone, and says where none tells."""
    asked = {name: " ".join(text.split()) for name, text in sections(lang).items()}
    nothing, beyond, none = RULES[lang]
    assert nothing in asked["plan"]
    assert beyond in asked["point"]
    assert none in asked["point"]


def test_what_is_counted_are_units(server: GuideServer, guard: Guard) -> None:
    """Each is held against its file; a number that was not given counts, and is not shown."""
    server.script = pointing(WORDS, MORE)
    reply = guard.ask(ASKED)
    held = reply.validation
    assert held
    assert (held.sources_verified, held.sources_total, held.confidence) == (2, 2, 1.0)
    assert (held.fields_verified, held.fields_total) == (2, 2)
    assert held.against == ("file",)
    assert (reply.complete, reply.warnings) == (True, ())


@pytest.mark.parametrize(
    ("rules", "lines"),
    [(f"New.\n\n{WORDS}", (7, 7)), (WORDS.replace(" by ", "\nby "), (5, 6))],
    ids=["moved", "wrapped"],
)
def test_lines_are_those_of_the_file_as_it_is(
    config: Config, server: GuideServer, tmp_path: Path, rules: str, lines: tuple[int, int]
) -> None:
    """However it is laid out since; what is gone is warned of."""
    own, file = own_file(config, tmp_path)
    file.write_text(f"# Keys\n\n## Rules\n\n{rules}\n", encoding="utf-8")
    server.script = pointing(WORDS, MORE)
    guard = guard_of(own, server)
    reply = guard.ask(ASKED)
    assert [item.lines for item in reply.sources] == [lines]
    assert {item.type for item in reply.warnings} == {"STALE_INDEX", "SNIPPET_MISMATCH"}
    guard.wiring.close()


def test_what_is_found_where_it_fails_is_not_complete(config: Config, server: GuideServer) -> None:
    server.fault = Fault.ERROR
    guard = guard_of(config, server)
    reply, alone = guard.ask(ASKED), ruled(config)
    assert reply.sources == alone.sources
    assert reply.sources
    assert (reply.complete, alone.complete) == (False, True)
    guard.wiring.close()


def test_one_that_changes_its_mind_is_not_asked_again(config: Config, server: GuideServer) -> None:
    """What it said to a prompt is remembered, where no answer is kept either."""
    forgetful = config.model_copy(update={"answer_cache": AnswerCacheSection(enabled=False)})
    guard = guard_of(forgetful, server)
    first = guard.ask(ASKED)
    server.script = denying
    second = guard.ask(ASKED)
    assert (second.answer, second.sources) == (first.answer, first.sources)
    assert (second.outcome, second.mode) == (first.outcome, Mode.AUTO)
    assert len(server.asked_to("point")) == 1
    guard.wiring.close()


def test_of_what_rules_choose_no_model_is_named(config: Config) -> None:
    reply = ruled(config)
    assert "word for word" in reply.verified
    assert (" m (" in reply.verified, reply.written_by) == (False, "")
