"""Sentences are shown when they are proved, never before; and nothing shown is taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing
from pathlib import Path

import pytest
from tests.writer_server import SECRET, Asked, Fault, Sentence, StreamFault, WriterServer

from elysia_guard import Guard, RAGResponse
from elysia_guard.config import AnswerCacheSection, Config, WriterSection, home, load
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.domain.shown import Shown
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

ASKED = "How often are keys rotated?"
FIRST = "Keys are rotated every twelve months by the security team."
SECOND = "A lost key is revoked within one hour."
THIRD = "Keys of machines are rotated every week."
INVENTED = "Keys were invented in 1842 by Ada Lovelace."
HEDGED = "I cannot be sure that this answers your question"


def writing(*sentences: str, over: str = "") -> Callable[[Asked], Sequence[Sentence]]:
    """Write sentences, each over itself or over other words."""

    def script(asked: Asked) -> Sequence[Sentence]:
        rows = []
        for text in sentences:
            words = text if asked.saying(text) else over or FIRST
            rows.append((text, [(asked.saying(words), words)]))
        return rows

    return script


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "policies"
    made.mkdir()
    (made / "keys.md").write_text(
        f"# Keys\n\n## Rules\n\n{FIRST} {SECOND}\n\n## Machines\n\n{THIRD}\n", encoding="utf-8"
    )
    (made / "doors.md").write_text("# Doors\n\nDoors are painted green.\n", encoding="utf-8")
    return made


@pytest.fixture
def config(tmp_path: Path, folder: Path) -> Config:
    shipped = load(home() / "config" / "guard.yaml", environ={})
    made = shipped.naming("index", kind="sqlite", path=tmp_path / "index.sqlite", sources=[folder])
    quiet = {"log_level": "ERROR", "answer_cache": AnswerCacheSection(enabled=False)}
    made = made.model_copy(update=quiet)
    Wiring(made).ensure_index()
    return made


@pytest.fixture
def server() -> Iterator[WriterServer]:
    with WriterServer(writing(FIRST, SECOND, THIRD)) as made:
        made.streams = True
        yield made


@pytest.fixture
def guards(config: Config, server: WriterServer) -> Iterator[Callable[..., Guard]]:
    made: list[Guard] = []

    def make(clock: FakeClock | None = None, **chosen: object) -> Guard:
        section = WriterSection(kind="language_model", url=server.url, model="m", **chosen)  # type: ignore[arg-type]
        with_writer = config.model_copy(update={"writer": section})
        made.append(
            Guard(wiring=Wiring(with_writer, clock=clock) if clock else Wiring(with_writer))
        )
        return made[-1]

    yield make
    for each in made:
        each.wiring.close()


def streamed(guard: Guard, question: str = ASKED) -> tuple[list[Shown], RAGResponse]:
    async def heard() -> list[Shown | RAGResponse]:
        return [each async for each in guard.astream(question)]

    *shown, reply = asyncio.run(heard())
    assert isinstance(reply, RAGResponse)
    return [each for each in shown if isinstance(each, Shown)], reply


def texts(shown: Sequence[Shown]) -> list[str]:
    return [each.text for each in shown]


def test_sentences_come_while_the_rest_is_written(
    guards: Callable[..., Guard], server: WriterServer
) -> None:
    """The first two are there while the model has not begun the third."""
    server.stops_at = THIRD

    async def until_two() -> tuple[list[str], RAGResponse | None]:
        found: list[str] = []
        reply = None
        async for each in guards().astream(ASKED):
            if isinstance(each, RAGResponse):
                reply = each
                continue
            found.append(each.text)
            # The model has not written the third yet: it waits.
            if each.text == f"{SECOND} [source:2]":
                server.go_on()
        return found, reply

    found, reply = asyncio.run(until_two())
    assert HEDGED in found[0]
    assert found[1:3] == [f"{FIRST} [source:1]", f"{SECOND} [source:2]"]
    assert reply is not None
    assert reply.answer.startswith("\n\n".join(found))
    assert f"{THIRD} [source:3]" in reply.answer


def test_the_answer_begins_with_what_was_shown(guards: Callable[..., Guard]) -> None:
    """With the same sources, the caveat first; and it is what is answered without a listener."""
    shown, reply = streamed(guards())
    assert reply.answer.startswith("\n\n".join(texts(shown)))
    assert [source for each in shown for source in each.sources] == list(reply.sources)
    assert reply.outcome is ReplyOutcome.HEDGED
    whole = guards().ask(ASKED)
    assert (whole.answer, whole.sources) == (reply.answer, reply.sources)


@pytest.mark.parametrize("fault", [None, StreamFault.NO_STREAM, Fault.NO_SCHEMA])
def test_a_server_that_sends_no_stream_is_asked_for_the_whole(
    guards: Callable[..., Guard], server: WriterServer, fault: Fault | StreamFault | None
) -> None:
    """The answer is the same, and begins in the same way."""
    expected = streamed(guards())[1].answer
    server.streams = fault is Fault.NO_SCHEMA
    server.fault = fault
    guard = guards()
    shown, reply = streamed(guard)
    assert reply.answer == expected
    assert reply.answer.startswith("\n\n".join(texts(shown)))
    before = len(server.requests)
    streamed(guard, f"{ASKED} ")
    assert len(server.requests) <= before + 1


def test_tokens_of_a_stream_are_counted(guards: Callable[..., Guard], server: WriterServer) -> None:
    server.usage = {"prompt_tokens": 900, "completion_tokens": 80}
    guard = guards()
    streamed(guard)
    counted = guard.wiring.metrics.registry.get_sample_value
    assert counted("llm_request_total", {"purpose": "write"}) == 1
    assert counted("llm_completion_tokens_total", {"purpose": "write"}) == 80


def test_nothing_is_shown_behind_what_is_not_proved(
    guards: Callable[..., Guard], server: WriterServer
) -> None:
    """A sentence that holds behind one that does not comes with the end, and stays in its place."""
    server.script = writing(FIRST, INVENTED, SECOND)
    shown, reply = streamed(guards())
    assert not any(SECOND in text for text in texts(shown))
    assert INVENTED not in reply.answer
    assert reply.answer.index(FIRST) < reply.answer.index(SECOND)
    assert not reply.complete


def test_what_was_shown_stays_where_most_of_the_rest_fails(
    guards: Callable[..., Guard], server: WriterServer
) -> None:
    """Then the quotes stand behind it, and a line of ours says why."""
    others = [INVENTED.replace("1842", year) for year in ("1843", "1844", "1845")]
    server.script = writing(FIRST, INVENTED, *others)
    shown, reply = streamed(guards())
    assert texts(shown)[-1] == f"{FIRST} [source:1]"
    assert reply.answer.startswith("\n\n".join(texts(shown)))
    assert "What else the language model wrote could not be found in the sources" in reply.answer
    assert "> " in reply.answer.partition("their own words")[2]
    assert "18" not in reply.answer
    assert reply.mode is Mode.AUTO
    assert reply.written_by
    assert reply.validation
    assert (reply.validation.fields_verified, reply.validation.fields_total) == (1, 5)
    assert not reply.complete
    # Whoever does not listen is answered the same.
    assert guards().ask(ASKED).answer == reply.answer


def test_a_second_writing_keeps_what_was_shown(
    guards: Callable[..., Guard], server: WriterServer
) -> None:
    """Asked once more it writes something else: what was shown comes first all the same."""

    def script(asked: Asked) -> Sequence[Sentence]:
        written = (SECOND, THIRD) if asked.failed else (FIRST, INVENTED)
        return writing(*written)(asked)

    server.script = script
    shown, reply = streamed(guards())
    assert texts(shown)[-1] == f"{FIRST} [source:1]"
    assert reply.answer.startswith("\n\n".join(texts(shown)))
    assert reply.answer.index(FIRST) < reply.answer.index(SECOND) < reply.answer.index(THIRD)
    assert reply.complete


def test_nothing_that_only_agrees_together_is_shown_alone(
    guards: Callable[..., Guard], server: WriterServer
) -> None:
    """A first sentence that does not say what is asked waits for the one that does."""
    question = "How often are keys of machines rotated?"
    server.script = writing("Doors are painted green.", THIRD)
    shown, reply = streamed(guards(), question)
    assert reply.answer.startswith("\n\n".join(texts(shown)))
    alone = writing("Doors are painted green.", INVENTED)
    server.script = alone
    shown, reply = streamed(guards(), question)
    assert shown == []
    assert "green" not in reply.answer


@pytest.mark.parametrize("fault", [StreamFault.CUT, StreamFault.FAILS])
def test_a_stream_that_breaks_off(
    guards: Callable[..., Guard], server: WriterServer, fault: StreamFault
) -> None:
    """What was shown stays, the quotes follow, and the response says that the model failed."""
    server.stops_at = SECOND
    server.fault = fault
    shown, reply = streamed(guards())
    assert texts(shown)[-1] == f"{FIRST} [source:1]"
    assert reply.answer.startswith("\n\n".join(texts(shown)))
    assert "did not write to the end" in reply.answer
    assert "writer_error" in reply.retrieval_quality.fallback_reasons
    assert not reply.complete
    assert SECRET not in repr(reply)


def test_a_stream_that_stops_is_ended_by_the_deadline(
    guards: Callable[..., Guard], server: WriterServer
) -> None:
    """By the time that an answer may take; what was shown stays."""
    clock = FakeClock()
    server.stops_at = SECOND
    server.fault = Fault.HANGING
    server.on_late = lambda: clock.advance(9.0)
    shown, reply = streamed(guards(clock))
    assert reply.answer.startswith("\n\n".join(texts(shown)))
    assert "writer_timeout" in reply.retrieval_quality.fallback_reasons
    assert server.left.wait(5)


def test_who_stops_listening_ends_the_call(
    guards: Callable[..., Guard], server: WriterServer
) -> None:
    """The model's server sees that nobody is there any more."""
    server.stops_at = SECOND

    async def once() -> None:
        async with aclosing(guards().astream(ASKED)) as heard:
            async for _ in heard:
                return

    asyncio.run(once())
    assert server.left.wait(5)


def test_a_source_that_changed_before_shows_nothing_early(
    guards: Callable[..., Guard], folder: Path
) -> None:
    """What stands no longer in its file is not shown, and the reply says what has changed."""
    guard = guards()
    (folder / "keys.md").write_text(f"# Keys\n\n## Rules\n\n{SECOND}\n", encoding="utf-8")
    shown, reply = streamed(guard)
    assert shown == []
    assert FIRST not in reply.answer


def test_a_source_that_changes_in_that_moment_is_told(
    guards: Callable[..., Guard], server: WriterServer, folder: Path
) -> None:
    """The one case in which what was shown is replaced: the reply says so."""
    server.stops_at = SECOND

    async def changing() -> tuple[list[str], RAGResponse]:
        found: list[str] = []
        async for each in guards().astream(ASKED):
            if isinstance(each, RAGResponse):
                return found, each
            found.append(each.text)
            if FIRST in each.text:
                text = f"# Keys\n\n## Rules\n\n{SECOND}\n\n## Machines\n\n{THIRD}\n"
                (folder / "keys.md").write_text(text, encoding="utf-8")
                server.go_on()
        raise AssertionError

    found, reply = asyncio.run(changing())
    assert f"{FIRST} [source:1]" in found
    assert FIRST not in reply.answer
    assert "takes the place of what was shown before" in reply.answer
    assert "STALE_INDEX" in {item.type for item in reply.warnings}


def test_without_a_writer_the_response_is_all(config: Config) -> None:
    guard = Guard(wiring=Wiring(config))
    shown, reply = streamed(guard)
    assert shown == []
    assert reply.answer == guard.ask(ASKED).answer
    guard.wiring.close()


def test_thinking_shows_nothing_before_its_second_look(
    guards: Callable[..., Guard], server: WriterServer
) -> None:
    """Its second look takes away: what it may take away is not shown before."""
    server.doubts = lambda sentence: sentence == FIRST
    shown, reply = streamed(guards(mode="thinking"))
    assert shown == []
    assert FIRST not in reply.answer.split("[source:1]")[0] or reply.mode is not Mode.THINKING


VERIFIED = {
    "en": "Each of the 2 sentences of it that are shown stands in its source.",
    "nl": "Elk van de 2 zinnen daarvan die worden getoond staat in zijn bron.",
    "de": "Jeder der 2 Sätze davon, die gezeigt werden, steht in seiner Quelle.",
    "fr": "Chacune des 2 phrases qui en sont montrées figure dans sa source.",
}
QUESTIONS = {
    "en": ASKED,
    "nl": "Hoe vaak worden sleutels (keys) gewisseld?",
    "de": "Wie oft werden Schlüssel (keys) gewechselt?",
    "fr": "Quelle équipe de sécurité change les clés tous les douze mois ?",
}


@pytest.mark.parametrize("lang", VERIFIED)
def test_people_see_what_was_verified(
    guards: Callable[..., Guard], server: WriterServer, lang: str
) -> None:
    """Which model wrote, to which prompt, and how many sentences stand.

    How many were left out the warning in the answer says, once.
    """
    server.script = writing(FIRST, SECOND, INVENTED)
    reply = guards().ask(QUESTIONS[lang])
    assert reply.lang == lang
    holds = VERIFIED[lang]
    prompt = reply.written_by.partition("+")[2].partition(".")[0]
    assert " m (" in reply.verified
    assert prompt in reply.verified
    assert reply.verified.endswith(holds)
    assert [item.details["withheld"] for item in reply.warnings] == [1]
    assert reply.verified in reply._repr_markdown_()
    assert INVENTED not in repr(reply)


QUOTED = {
    "en": "stands word for word in its source.",
    "nl": "staat woord voor woord in zijn bron.",
    "de": "steht w\u00f6rtlich in seiner Quelle.",
    "fr": "figure mot pour mot dans sa source.",
}


@pytest.mark.parametrize("lang", QUOTED)
def test_quotes_say_that_they_stand_and_nothing_of_a_model(config: Config, lang: str) -> None:
    guard = Guard(wiring=Wiring(config))
    reply = guard.ask(QUESTIONS[lang])
    guard.wiring.close()
    assert (reply.lang, reply.outcome) in {(lang, "asserted"), (lang, "hedged")}
    assert reply.validation is not None
    assert reply.verified.endswith(QUOTED[lang])
    if reply.validation.sources_total > 1:
        assert f" {reply.validation.sources_total} " in reply.verified
    assert " m (" not in reply.verified


def test_of_what_is_not_quoted_nothing_is_said_to_stand(config: Config) -> None:
    """A refusal rests on no source, and small talk neither."""
    guard = Guard(wiring=Wiring(config))
    told = [guard.ask(asked) for asked in ("Who is the king of the moon's cheese?", "hello")]
    guard.wiring.close()
    assert [reply.outcome for reply in told] == ["refused", "conversed"]
    assert [reply.verified for reply in told] == ["", ""]
