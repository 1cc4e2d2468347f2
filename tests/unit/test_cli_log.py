"""``elysia-guard explain``, ``log`` and ``feedback``, on a log in a real file."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from tests.contract.conversations_contract import turn
from tests.contract.postgres_server import SERVER, own_schema, written_out
from tests.unit.decision_world import (
    ANSWERED,
    ASKED_BACK,
    NAMED,
    NOON,
    NOT_THERE,
    OFF_SUBJECT,
    QUESTIONS,
    REFUSED,
    SMALL_TALK,
    all_of,
    entry,
)
from tests.unit.test_config import LIMITS
from tests.unit.test_wiring import DECISION

from elysia_guard import config as configuration
from elysia_guard.adapters.conversations import SqlConversations
from elysia_guard.adapters.decision_log import DecisionLog, Selection
from elysia_guard.direct import Guard
from elysia_guard.domain.refusal import GateReading
from elysia_guard.domain.saved import ConversationKey, Standing
from elysia_guard.edge.cli import doctor_checks
from elysia_guard.edge.cli.doctor_surroundings import Check, PartState
from elysia_guard.edge.cli.main import cli
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.testing.terminology import TURTLE
from elysia_guard.wiring import Wiring, records


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A configuration that keeps a log."""
    for folder in ("config", "data/decisions"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "data/decisions/0012-use-cim.md").write_text(DECISION, encoding="utf-8")
    (tmp_path / "data/terms.ttl").write_text(TURTLE, encoding="utf-8")
    (tmp_path / "config/thresholds.yaml").write_text(LIMITS, encoding="utf-8")
    configure(tmp_path, decision_log={"retention_days": 30})
    return tmp_path


def configure(root: Path, **settings: object) -> None:
    plain = {
        "terminology": {"name": "Test", "files": ["data/terms.ttl"]},
        "index": {"path": "build/index.sqlite", "sources": ["data"]},
        "thresholds": "config/thresholds.yaml",
        "collections": {"decision": "ADR_Ollama", "principle": "B", "policy": "C", "document": "D"},
    }
    (root / "config/guard.yaml").write_text(yaml.safe_dump(plain | settings), encoding="utf-8")


@pytest.fixture
def log(root: Path) -> DecisionLog:
    return records.log_of(configuration.load(root / "config/guard.yaml"))


def run(root: Path, *args: str) -> Result:
    config = str(root / "config/guard.yaml")
    return CliRunner().invoke(cli, [*args, "--config", config], prog_name="elysia-guard")


def read(root: Path, *args: str) -> dict:
    result = run(root, *args, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def fill(log: DecisionLog, *questions: str) -> None:
    log.add(
        [
            replace(
                entry(question),
                request_id=f"req-{n}",
                conversation_id=f"talk-{n % 2}",
                asked_at=NOON + timedelta(minutes=n),
            )
            for n, question in enumerate(questions)
        ]
    )


class TestExplain:
    def test_a_refusal_and_what_it_hung_on(self, root: Path, log: DecisionLog) -> None:
        """The way, each gate with measure, limit and key, and the limit that lets it through."""
        fill(log, OFF_SUBJECT)
        page = run(root, "explain", "req-0").stdout
        reading = next(item for item in entry(OFF_SUBJECT).ruling.readings if not item.passed)
        for said in (
            "req-0 · 2026-11-01 12:00:00 UTC · tree · en",
            OFF_SUBJECT,
            f"refused · {reading.reason} · confidence",
            "read as open: no form of question decides it",
            "The way of the question",
            f"✗  {reading.gate}",
            reading.source,
            "What would have had to be different",
            "lets it through",
            "configuration  c0ffee, today's is",
        ):
            assert said in page, said

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_every_kind_of_question(self, root: Path, log: DecisionLog, question: str) -> None:
        """Also those without a gate, and without texts."""
        fill(log, question)
        log.add([replace(entry(question, texts=False), request_id="bare")])
        assert question in run(root, "explain", "req-0").stdout
        bare = run(root, "explain", "bare")
        assert bare.exit_code == 0
        assert f"(a question of {len(question)} characters, not kept)" in bare.stdout

    def test_what_people_say_stands_beside_the_last_one(self, root: Path, log: DecisionLog) -> None:
        """In the page, and for programs with what would have had to be different."""
        fill(log, REFUSED, OFF_SUBJECT)
        run(root, "feedback", "req-1", "should-have-been-answered", "--note", "POL-0003")
        page = run(root, "explain", "--last").stdout
        assert OFF_SUBJECT in page
        assert "should-have-been-answered  POL-0003" in page
        found = read(root, "explain", "req-1")
        assert found["request_id"] == "req-1"
        assert found["judged"] == "should-have-been-answered"
        assert found["ruling"]["readings"][0]["gate"] == "no_results"
        assert found["explanation"]["configuration_is_todays"] is False
        assert found["explanation"]["different"]
        assert run(root, "feedback", "req-1", "--take-back").exit_code == 0
        assert read(root, "explain", "req-1")["judged"] is None

    def test_texts_cannot_act_on_the_terminal(self, root: Path, log: DecisionLog) -> None:
        """A question is somebody else's text."""
        log.add([replace(entry(), question="\x1b[31mred\u202e")])
        page = run(root, "explain", "req-1").stdout
        assert "red" in page
        assert "\x1b" not in page
        assert "\u202e" not in page

    @pytest.mark.parametrize(
        ("args", "code", "said"),
        [
            (["explain"], 2, "Give a REQUEST_ID, or --last"),
            (["explain", "req-1", "--last"], 2, "Give a REQUEST_ID, or --last"),
            (["explain", "req-9"], 3, "no entry for request 'req-9'; elysia-guard log list"),
            (["feedback", "req-0"], 2, "Give a JUDGEMENT"),
            (["feedback", "req-0", "right", "--take-back"], 2, "Give a JUDGEMENT"),
            (["feedback", "req-0", "wrong"], 2, "say should-have-been-answered or right"),
            (["feedback", "req-9", "right"], 3, "no entry for request 'req-9'"),
            (["log", "delete"], 2, "Say what to delete"),
            (["log", "list", "--since", "yesterday"], 2, "'yesterday' is no moment"),
            (["log", "list", "--since", "999999d"], 2, "is no moment"),
        ],
    )
    def test_what_cannot_be_is_one_line(
        self, root: Path, log: DecisionLog, args: list[str], code: int, said: str
    ) -> None:
        """With the way out."""
        fill(log, REFUSED)
        result = run(root, *args)
        assert result.exit_code == code
        assert said in result.stderr
        assert result.stderr.count("\n") == 1

    def test_without_a_log_it_says_how_to_keep_one(self, root: Path) -> None:
        """Nothing is stored unless somebody decided so."""
        assert "no decision was written yet" in run(root, "explain", "--last").stderr
        configure(root)
        for args in (["explain", "--last"], ["log", "list"], ["log", "rates"]):
            result = run(root, *args)
            assert result.exit_code == 3
            assert "decision_log: {retention_days: 30}" in result.stderr
        assert not list(root.rglob("decisions.sqlite*"))

    def test_the_limits_that_were_not_passed_come_nearest_first(
        self, root: Path, log: DecisionLog
    ) -> None:
        """Each with the limit that would have let it through; what has no number before them."""

        def reading(gate: str, value: float | str | None, threshold: float | str) -> GateReading:
            return GateReading(
                gate=gate, passed=False, value=value, threshold=threshold, source="x"
            )

        readings = (
            replace(reading("distance", 1.5, 0.95), passed=True),
            reading("distance", 0.8721, 0.8),
            reading("coverage", 0.10, 0.45),
            reading("confidence", 0.5509, 0.60),
            reading("identity", "0 documents", "1 document"),
        )
        refused = entry(OFF_SUBJECT)
        log.add([replace(refused, ruling=replace(refused.ruling, readings=readings))])
        assert read(root, "explain", "req-1")["explanation"]["different"] == [
            "identity: 0 documents, needed 1 document (x)",
            "confidence: 0.551 is 0.049 under the limit 0.600; x of at most 0.550 lets it through",
            "distance: 0.872 is 0.072 over the limit 0.800; x of at least 0.873 lets it through",
            "coverage: 0.100 is 0.350 under the limit 0.450; x of at most 0.100 lets it through",
        ]


class TestList:
    def test_the_last_first_each_in_a_line(self, root: Path, log: DecisionLog) -> None:
        """When, which, how it ended, what was said of it, what was asked."""
        fill(log, REFUSED, ANSWERED, ASKED_BACK)
        lines = run(root, "log", "list").stdout.splitlines()
        assert [line.split()[2] for line in lines] == ["req-2", "req-1", "req-0"]
        assert "terminology_not_found" in lines[2]
        assert lines[1].split()[3] == "answered"
        assert lines[2].endswith(REFUSED)

    @pytest.mark.parametrize(
        ("args", "ids"),
        [
            (["--refused"], ["req-3", "req-0"]),
            (["--reason", "terminology_not_found"], ["req-0"]),
            (["--since", "2026-11-01T12:02"], ["req-3", "req-2"]),
            (["--before", "2026-11-01T12:01:00+00:00"], ["req-0"]),
            (["--conversation", "talk-1"], ["req-3", "req-1"]),
            (["--judged", "right"], ["req-1"]),
            (["--since", "1h"], []),
            (["--limit", "2"], ["req-3", "req-2"]),
        ],
    )
    def test_it_can_be_narrowed(
        self, root: Path, log: DecisionLog, args: list[str], ids: list[str]
    ) -> None:
        """By time, outcome, reason, conversation and judgement; what is left out is said."""
        fill(log, REFUSED, ANSWERED, ASKED_BACK, NOT_THERE)
        run(root, "feedback", "req-1", "right")
        found = read(root, "log", "list", *args)
        assert [item["request_id"] for item in found["decisions"]] == ids
        left_out = "2 of 4; --limit shows more" in run(root, "log", "list", *args).stderr
        assert left_out == (found["total"] > len(ids)) == (args[0] == "--limit")


class TestDelete:
    @pytest.mark.parametrize(
        ("args", "left"),
        [
            (["--request", "req-1"], 3),
            (["--before", "2026-11-01T12:03"], 1),
            (["--conversation", "talk-0", "--before", "2026-11-01T12:02"], 3),
        ],
    )
    def test_nothing_goes_before_yes_is_said(
        self, root: Path, log: DecisionLog, args: list[str], left: int
    ) -> None:
        """Then what was announced does."""
        fill(log, REFUSED, ANSWERED, ASKED_BACK, NAMED)
        dry = run(root, "log", "delete", *args)
        assert "would delete" in dry.stdout
        assert log.count() == 4
        done = read(root, "log", "delete", *args, "--yes")
        assert done == {"decisions": 4 - left, "deleted": True}
        assert log.count() == left

    def test_the_retention_can_be_applied_by_hand(self, root: Path, log: DecisionLog) -> None:
        """The configured one, or another."""
        fill(log, REFUSED)
        now = datetime.now(UTC)
        for days in (1, 40):
            log.add([replace(entry(), asked_at=now - timedelta(days=days), request_id=f"d{days}")])
        log.delete(Selection(request_id="req-0"))
        assert "would delete 1 decision;" in run(root, "log", "purge").stdout
        assert read(root, "log", "purge", "--yes")["decisions"] == 1
        assert [item.request_id for item in all_of(log)] == ["d1"]
        configure(root, decision_log={"retention_days": None})
        assert run(root, "log", "purge").exit_code == 2
        assert read(root, "log", "purge", "--keep-days", "1")["decisions"] in (0, 1)


class TestRates:
    def test_figures_with_intervals_and_advice(self, root: Path, log: DecisionLog) -> None:
        """For a person."""
        fill(log, REFUSED, OFF_SUBJECT, ANSWERED, ASKED_BACK, SMALL_TALK)
        run(root, "feedback", "req-1", "should-have-been-answered")
        result = run(root, "log", "rates")
        for said in (
            "4 questions, small talk not counted",
            "refused                  2  50.0% (15.0% to 85.0%)",
            "refusals that should have been answers        1 of 1 judged  100.0%",
            "answers that are wrong                        0 of 0 judged  none yet; at most 1%",
            "What refused them",
            "ADR-004: judge more",
        ):
            assert said in result.stdout, result.stdout
        assert "1 configurations made these decisions" in result.stderr


class TestWiring:
    @pytest.fixture(autouse=True)
    def toy_model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("elysia_guard.wiring.models.BundledEmbedder", HashEmbedder)

    @pytest.fixture
    def guard(self, root: Path) -> Iterator[Guard]:
        made = Guard(config=root / "config/guard.yaml")
        yield made
        made.wiring.close()

    def test_what_is_asked_can_be_explained(self, root: Path, guard: Guard) -> None:
        """The whole way: ask, write, explain; the configuration is today's."""
        asked = guard.ask("What is a netvlak?")
        guard.wiring.close()
        found = read(root, "explain", asked.request_id)
        assert found["question"] == "What is a netvlak?"
        assert found["explanation"]["configuration_is_todays"] is True
        assert found["settings"]["index"].startswith("index.sqlite of 20")
        assert found["settings"]["model"] == HashEmbedder().model_id
        assert found["sources"]

    @pytest.mark.parametrize("settings", [{}, {"decision_log": {}, "test_triggers": True}])
    def test_nothing_is_kept_unless_it_is_configured(
        self, root: Path, settings: dict[str, object]
    ) -> None:
        """No file and no thread; an evaluation is nobody's question, and would spoil the rates."""
        configure(root, **settings)
        guard = Guard(config=root / "config/guard.yaml")
        guard.ask("What is a netvlak?")
        assert guard.wiring.decisions is None
        assert not list(root.rglob("decisions.sqlite*"))

    def test_with_length_no_word_is_kept(self, root: Path, log: DecisionLog) -> None:
        """One setting for logs and log."""
        configure(root, decision_log={}, log_queries="length")
        guard = Guard(config=root / "config/guard.yaml")
        guard.ask("What is a quuxifier?")
        guard.wiring.close()
        log.close()
        for path in root.rglob("decisions.sqlite*"):
            assert b"quuxifier" not in path.read_bytes()
        assert log.count() == 1


MINE = ConversationKey(user_id="mine", conversation_id="one")
YOURS = ConversationKey(user_id="yours", conversation_id="two")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "conversations.sqlite"
    monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__PATH", str(path))
    store = SqlConversations.in_file(path)
    today = datetime.now(UTC)

    async def fill() -> None:
        old = Standing(title="What is\nCIMXML?")
        await store.add_turn(MINE, turn("q1"), old, at=today - timedelta(days=40))
        await store.add_turn(YOURS, turn("q2"), Standing(title="Which principles?"), at=today)

    asyncio.run(fill())
    store.close()
    return path


def talks(*words: str) -> Result:
    return CliRunner().invoke(cli, ["conversations", *words])


def test_c6_kept_conversations_are_listed(file: Path) -> None:
    """An operator sees what is kept: when, whose, how long and under which title."""
    done = talks("list")
    assert done.exit_code == 0
    assert "mine" in done.stdout
    assert "What is CIMXML?" in done.stdout.replace("\\n", " ")
    assert f"{file}: 2 conversation(s)" in done.stderr
    (only,) = json.loads(talks("list", "--user", "yours", "--json").stdout)["conversations"]
    assert (only["conversation_id"], only["title"]) == ("two", "Which principles?")


def test_c6_old_conversations_are_purged_by_hand(file: Path) -> None:
    """Those past the retention, or a day that is named; a dry run deletes nothing."""
    assert "1 conversation(s)" in talks("purge", "--dry-run").stdout
    assert "1 conversation(s)" in talks("purge").stdout
    assert "0 conversation(s)" in talks("purge").stdout
    assert "1 conversation(s)" in talks("purge", "--before", "2999-01-01").stdout
    assert f"{file}: 0" in talks("list").stderr


def test_c6_without_a_store_the_commands_say_so(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 3 and one line where nothing is kept; exit 2 where no day can be known."""
    monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__KEEP_DAYS", "null")
    assert talks("purge").exit_code == 2
    monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__ENABLED", "false")
    done = talks("list")
    assert done.exit_code == 3
    assert "conversations.enabled" in done.stderr
    assert file.exists()


@pytest.mark.live
@pytest.mark.skipif(not SERVER, reason="TEST_DATABASE_URL names no PostgreSQL to test with")
def test_c6_the_commands_work_over_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is named without its password."""
    with own_schema() as url:
        monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__URL", written_out(url))
        store = SqlConversations(url)
        yesterday = datetime.now(UTC) - timedelta(days=1)
        asyncio.run(store.add_turn(MINE, turn("q1"), Standing(title="Old"), at=yesterday))
        store.close()
        done = talks("list")
        assert "1 conversation(s)" in done.stderr
        assert url.password is None or url.password not in done.output
        assert "1 conversation(s)" in talks("purge", "--before", "2999-01-01").stdout
        assert ": 0 conversation(s)" in talks("list").stderr


def looked_at(wiring: Wiring) -> Check:
    """What the doctor says of conversations."""
    found = doctor_checks.conversations(wiring)
    wiring.close()
    return found


def test_c6_the_doctor_names_the_store(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And whether it answers; the guard needs it for no answer."""
    there = looked_at(Wiring.load())
    assert (there.state, there.needed) == (PartState.OK, False)
    assert str(file) in there.text
    assert "for 30 days" in there.text
    file.write_text("not a database " * 100, encoding="utf-8")
    broken = looked_at(Wiring.load())
    assert (broken.state, broken.needed) == (PartState.ERROR, False)
    assert "not a database" in broken.text
    monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__ENABLED", "false")
    assert "not kept" in looked_at(Wiring.load()).text


def test_c6_the_doctor_says_what_no_chat_starts_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the password of the address."""
    monkeypatch.setenv("ELYSIA_GUARD_CONVERSATIONS__URL", "mysql://guard:hunter2@h/guard")
    found = looked_at(Wiring.load())
    assert (found.state, found.needed) == (PartState.ERROR, True)
    assert "PostgreSQL" in found.text
    assert "hunter2" not in found.text
