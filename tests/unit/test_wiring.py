"""Putting the parts together: which configuration gives which parts, and the guard over them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.small_world import World
from tests.unit.test_config import LIMITS

from elysia_guard import config as configuration
from elysia_guard.adapters.cached import TIMEOUT_TRIGGERS
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.sqlite_index import wait_until_written, writing
from elysia_guard.config import Config, load
from elysia_guard.config.thresholds import by_collection
from elysia_guard.direct import Guard
from elysia_guard.domain.errors import (
    ConfigError,
    IndexBusyError,
    PassageIndexError,
    QuestionError,
    SourceUnavailableError,
)
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.edge.cli import doctor_settings
from elysia_guard.language.catalogue import catalogue
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.terminology import TURTLE
from elysia_guard.wiring import Wiring

DECISION = """\
---
nav_order: ADR.12
dct:
  title: Use CIM as the domain language
  isVersionOf: accepted
  issued: 2026-01-01
---
# Use CIM as the domain language

## Decision Outcome

We use CIM as the domain language of the grid.
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("config", "data/decisions"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "data/decisions/0012-use-cim.md").write_text(DECISION, encoding="utf-8")
    (tmp_path / "data/terms.ttl").write_text(TURTLE, encoding="utf-8")
    (tmp_path / "config/thresholds.yaml").write_text(LIMITS, encoding="utf-8")
    (tmp_path / "config/guard.yaml").write_text(
        """\
terminology: {name: Test, files: [data/terms.ttl]}
index: {path: build/index.sqlite, sources: [data]}
thresholds: config/thresholds.yaml
collections: {decision: ADR_Ollama, principle: B, policy: C, document: D}
""",
        encoding="utf-8",
    )
    return tmp_path


@pytest.fixture
def wiring(root: Path, monkeypatch: pytest.MonkeyPatch) -> Wiring:
    """The real parts but for the model, which would cost a second each."""
    monkeypatch.setattr("elysia_guard.wiring.models.BundledEmbedder", HashEmbedder)
    return Wiring.load(root / "config/guard.yaml")


def test_nothing_is_opened_before_it_is_needed(root: Path) -> None:
    """A configuration alone makes no file and loads no model."""
    made = Wiring.load(root / "config/guard.yaml")
    assert made.index_missing
    assert not (root / "build").exists()
    assert made.embedder.model_id == BundledEmbedder().model_id


def test_a_missing_index_is_built_once(wiring: Wiring) -> None:
    """From the configured folders; the second time there is nothing to do."""
    seen: list[str] = []
    report = wiring.ensure_index(progress=lambda progress: seen.append(progress.path))
    assert report is not None
    assert report.documents == 1
    assert seen == ["decisions/0012-use-cim.md"]
    assert not wiring.index_missing
    assert wiring.ensure_index() is None


def test_two_that_miss_an_index_build_it_once(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second waits for the first, and takes what it built."""
    first = ExitStack()
    first.enter_context(writing(wiring.config.index.path, model_id="m", dimension=64))

    def waiting(path: Path, *, timeout_s: float) -> None:
        with pytest.raises(IndexBusyError, match="another process is writing it"):
            wait_until_written(path, timeout_s=0)
        first.close()
        wait_until_written(path, timeout_s=timeout_s)

    monkeypatch.setattr("elysia_guard.wiring.wait_until_written", waiting)
    assert wiring.index_missing
    assert wiring.ensure_index() is None
    assert wiring.config.index.path.exists()


def test_a_missing_index_without_folders_is_an_error_that_says_so(
    wiring: Wiring, root: Path
) -> None:
    """It is not taken for an empty one."""
    other = Wiring.load(root / "config/guard.yaml", index=root / "other.sqlite")
    assert not other.index_missing
    assert other.ensure_index() is None
    with pytest.raises(PassageIndexError, match=r"other\.sqlite"):
        _ = other.pipeline
    with pytest.raises(ConfigError, match=r"index\.sources"):
        run_anywhere(other.fill_index())


@pytest.mark.parametrize("trigger", TIMEOUT_TRIGGERS)
@pytest.mark.parametrize(
    ("on", "reason"),
    [(True, RefusalReason.TERMINOLOGY_TIMEOUT), (False, RefusalReason.TERMINOLOGY_NOT_FOUND)],
)
def test_the_timeout_trigger_works_only_where_it_is_on(
    wiring: Wiring, on: bool, reason: RefusalReason, trigger: str
) -> None:
    """Nobody can degrade a live service by asking for the word."""
    config: Config = wiring.config.model_copy(update={"test_triggers": on})
    guard = Guard(wiring=Wiring(config))
    assert guard.ask(f"Define {trigger}").refusal_reason is reason
    assert not guard.ask("What is a netvlak?").refused


class TestGuard:
    def test_it_builds_its_index_and_answers(self, wiring: Wiring) -> None:
        """Terms from the vocabulary, decisions from the documents."""
        guard = Guard(wiring=wiring)
        assert guard.ask("What is a netvlak?").sources[0].doc_type == "Vocabulary"
        response = guard.ask("What does ADR.12 decide?")
        assert "We use CIM as the domain language of the grid." in response.answer
        assert response.route == "direct"

    async def test_it_answers_in_a_running_loop_too(self, wiring: Wiring) -> None:
        """A notebook has one."""
        guard = Guard(wiring=wiring)
        assert guard.ask("hello").answer
        response = await guard.aask("hello", request_id="req-mine")
        assert response.request_id == "req-mine"

    def test_every_question_has_an_id_of_its_own(self, wiring: Wiring) -> None:
        """Made up where the caller gives none."""
        guard = Guard(wiring=wiring)
        assert guard.ask("hello").request_id != guard.ask("hello").request_id

    def test_a_bad_question_is_an_error_of_the_guard(self, wiring: Wiring) -> None:
        """For the program that called; the edges turn it into a sentence."""
        with pytest.raises(QuestionError):
            Guard(wiring=wiring).ask("")


def test_warming_up_goes_on_without_the_model(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unreadable(*_: object, **__: object) -> None:
        raise SourceUnavailableError("the model cannot be read", source="embeddings")

    monkeypatch.setattr(BundledEmbedder, "embed_question", unreadable)
    wiring = Wiring(configuration.load(root / "config/guard.yaml"))
    run_anywhere(wiring.warm_up())
    wiring.close()


FILE = Path("thresholds.yaml")
NAMES = {"decision": "Ours", "principle": "Principle_Ollama", "vocabulary": "Words"}


def renamed_wiring(**renamed: str) -> Wiring:
    values = {f"ELYSIA_GUARD_COLLECTIONS__{kind.upper()}": name for kind, name in renamed.items()}
    return Wiring(configuration.load(environ=values))


def limits(made: Wiring) -> Thresholds:
    return made._limits(made.config.thresholds)


def test_c5_renamed_collections_keep_their_limits() -> None:
    """Who renames a collection in guard.yaml keeps the limits that ship for its kind."""
    shipped = configuration.load_thresholds(renamed_wiring().config.thresholds)
    renamed = limits(renamed_wiring(decision="Besluiten", policy="Beleid"))
    for new, old in (("Besluiten", "ADR_Ollama"), ("Beleid", "Policy_Ollama")):
        assert renamed.for_collection(new) == shipped.for_collection(old)
    assert renamed.for_collection("Policy_Ollama") == shipped.default


def test_c5_doctor_names_the_key_of_a_renamed_collection() -> None:
    """Doctor shows the limits in force under the new name, with the key that sets them."""
    found = doctor_settings.thresholds(renamed_wiring(policy="Beleid"))
    row = next(row for row in found.rows if row[0] == "Beleid")
    assert row[-1].startswith("collections.Policy_Ollama")


def test_c5_the_nearest_name_wins() -> None:
    """A collection's own name comes before its kind, and its kind before what ships."""
    sections = {"ADR_Ollama": 3, "decision": 2, "Ours": 1}
    assert by_collection(sections, NAMES, FILE) == {"Ours": 1}
    assert by_collection({"ADR_Ollama": 3, "decision": 2}, NAMES, FILE) == {"Ours": 2}


def test_c5_an_unknown_collection_is_told_with_the_way_out() -> None:
    """A section that names no collection is an error that names the key and all that would do."""
    with pytest.raises(ConfigError) as raised:
        by_collection({"ADR_Olama": 1}, NAMES, FILE)
    for part in (
        "thresholds.yaml",
        "collections.ADR_Olama",
        "decision: Ours",
        "name it by its kind",
    ):
        assert part in str(raised.value)


CONTACT = "the architecture team, architecture@example.org"


def ask(question: str, contact: str = CONTACT) -> RAGResponse:
    world = World()
    world.pipeline = replace(world.pipeline, contact=contact)
    return world.ask(question)


@pytest.mark.parametrize(
    ("question", "lang"),
    [
        ("What does ADR-0050 decide?", "en"),
        ("Wat besluit ADR-0050?", "nl"),
        ("Was entscheidet ADR-0050?", "de"),
    ],
)
def test_a_refusal_says_last_whom_to_contact(question: str, lang: str) -> None:
    """In the language of the question, in the words of the settings."""
    reply = ask(question)
    assert reply.refused
    assert reply.answer.endswith(catalogue(lang)["refusal.contact"].format(contact=CONTACT))
    assert reply.answer.count(CONTACT) == 1


def test_a_search_that_finds_nothing_says_it_too() -> None:
    reply = ask("Which walrus keeps the tide tables of the northern coast?")
    assert reply.refused
    assert reply.answer.endswith(CONTACT)


@pytest.mark.parametrize(
    "question", ["What does ADR-0012 decide?", "Thank you!", "What is a transformer?"]
)
def test_nothing_but_a_refusal_says_it(question: str) -> None:
    assert CONTACT not in ask(question).answer


def test_the_settings_reach_the_pipeline() -> None:
    config = load(environ={"ELYSIA_GUARD_CONTACT": CONTACT})
    wiring = Wiring(config)
    try:
        assert Guard(wiring=wiring).ask("What does ADR-0999 decide?").answer.endswith(CONTACT)
    finally:
        wiring.close()
