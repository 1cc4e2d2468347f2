"""Answers kept behind a model that points, over real files: what changes do to them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.guide_server import GuideServer, pointing

from elysia_guard import Guard, RAGResponse
from elysia_guard.config import AnswerCacheSection, Config, LanguageModelSection, home, load
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.testing.clock import FakeClock
from elysia_guard.wiring import Wiring

ASKED = "How often are keys rotated?"
WORDS = "Keys are rotated every twelve months by the security team."
NEW = "Keys are rotated every six months by the security team."
MORE = "A lost key is revoked within one hour."


def written(*sentences: str) -> str:
    return f"# Keys\n\n## Rules\n\n{' '.join(sentences)}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "policies"
    made.mkdir()
    (made / "keys.md").write_text(written(WORDS, MORE), encoding="utf-8")
    (made / "doors.md").write_text("# Doors\n\nDoors are painted green.\n", encoding="utf-8")
    return made


@pytest.fixture
def server() -> Iterator[GuideServer]:
    with GuideServer(pointing(WORDS)) as made:
        yield made


@pytest.fixture
def config(folder: Path, server: GuideServer) -> Config:
    shipped = load(home() / "config" / "guard.yaml", environ={})
    place = folder.parent / "index.sqlite"
    made = shipped.naming("index", kind="sqlite", path=place, sources=[folder])
    llm = LanguageModelSection(url=server.url, model="m")
    return made.model_copy(update={"log_level": "ERROR", "llm": llm})


def guard_of(config: Config, clock: FakeClock | None = None, **cache: Any) -> Guard:
    made = config.model_copy(update={"answer_cache": AnswerCacheSection(**cache)})
    return Guard(wiring=Wiring(made, clock=clock) if clock else Wiring(made))


@pytest.fixture
def guard(config: Config) -> Iterator[Guard]:
    made = guard_of(config)
    yield made
    made.wiring.close()


def counted(guard: Guard, name: str, mode: str = "auto") -> float | None:
    registry = guard.wiring.metrics.registry
    guard.wiring.metrics.settle()
    return registry.get_sample_value(f"rag_answer_cache_{name}_total", {"mode": mode})


def stages(reply: RAGResponse) -> list[str]:
    return [step.stage for step in reply.trace]


def test_the_model_is_asked_once(guard: Guard, server: GuideServer) -> None:
    """By any caller, in whatever loop; five minutes long."""
    first, second = guard.ask(ASKED), guard.ask(ASKED)
    assert (first.answer, first.mode) == (second.answer, Mode.AUTO)
    assert [len(server.asked_to(each)) for each in ("plan", "point")] == [1, 1]
    assert stages(second)[-1] == "cache"
    assert [counted(guard, name) for name in ("miss", "kept", "hit")] == [1, 1, 1]


def test_a_file_that_has_changed_is_quoted_as_it_is_now(guard: Guard, folder: Path) -> None:
    """No unit of the kept answer is shown that no longer stands there."""
    assert WORDS in guard.ask(ASKED).answer
    (folder / "keys.md").write_text(written(NEW, MORE), encoding="utf-8")
    reply = guard.ask(ASKED)
    assert WORDS not in reply.answer
    assert "STALE_INDEX" in [item.type for item in reply.warnings]
    assert counted(guard, "stale") == 1
    # Nor is what was made of it kept: it is made anew until the index is up to date.
    assert "cache" not in stages(guard.ask(ASKED))


def test_what_was_ingested_since_is_another_index(
    guard: Guard, config: Config, folder: Path
) -> None:
    """The file that the answer cites is the same; another may answer better."""
    guard.ask(ASKED)
    (folder / "locks.md").write_text("# Locks\n\nLocks are oiled.\n", encoding="utf-8")
    other = Wiring(config)
    asyncio.run(other.fill_index())
    other.close()
    assert "cache" not in stages(guard.ask(ASKED))
    assert counted(guard, "miss") == 2


@pytest.mark.parametrize(("section", "kept"), [({}, False), ({"auto_seconds": 301}, True)])
def test_times_to_live_are_told_by_the_clock(
    config: Config, section: dict[str, Any], *, kept: bool
) -> None:
    clock = FakeClock()
    guard = guard_of(config, clock, **section)
    guard.ask(ASKED)
    clock.advance(300)
    assert ("cache" in stages(guard.ask(ASKED))) is kept
    guard.wiring.close()


def test_times_to_live_are_those_of_adr_0031() -> None:
    """Two, five and fifteen minutes, where nobody says otherwise."""
    section = AnswerCacheSection()
    chosen = (section.instant_seconds, section.auto_seconds, section.thinking_seconds)
    assert chosen == (2 * 60, 5 * 60, 15 * 60)


def test_without_a_model_there_is_nothing_to_keep(config: Config) -> None:
    """Unless instant answers are to be kept too, for their two minutes."""
    plain = config.model_copy(update={"llm": LanguageModelSection(use="none")})
    assert guard_of(plain).pipeline.memory is None
    clock = FakeClock()
    guard = guard_of(plain, clock, modes=["instant"])
    first, second = guard.ask(ASKED), guard.ask(ASKED)
    assert first.answer == second.answer
    assert "cache" in stages(second)
    clock.advance(120)
    assert "cache" not in stages(guard.ask(ASKED))
    guard.wiring.close()


def test_settings_that_can_change_an_answer_are_part_of_the_key(config: Config) -> None:
    """How loudly it logs, and where conversations are kept, are none of them."""

    Wiring(config).ensure_index()

    def configuration(**chosen: object) -> str:
        made = Wiring(config.model_copy(update=chosen))
        memory = made.pipeline.memory
        made.close()
        assert memory
        return memory.configuration

    own = configuration()
    assert configuration(log_level="DEBUG", answer_cache=AnswerCacheSection(max_size=9)) == own
    others = {
        configuration(default_lang="nl"),
        configuration(profile_limits="measured", profile=ProfileName.named("multi-gate")),
        configuration(llm=config.llm.model_copy(update={"max_chars": 900})),
    }
    assert own not in others
    assert len(others) == 3
