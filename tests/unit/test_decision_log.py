"""The decision log in a real SQLite file: in, out, judged and deleted."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import string
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import ClassVar

import pytest
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.schema import CreateTable
from tests.unit.decision_world import (
    ANSWERED,
    ASKED_BACK,
    NOON,
    QUESTIONS,
    REFUSED,
    all_of,
    bytes_of,
    entries,
    entry,
    log_in,
)

from elysia_guard.adapters.decision_log import (
    DecisionLog,
    DecisionLogError,
    Feedback,
    JudgementError,
    LoggedDecision,
    ReplyJudgement,
    Selection,
)
from elysia_guard.adapters.decision_log.log import metadata
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.refusal import Outcome, RefusalReason
from elysia_guard.domain.response import Source
from elysia_guard.wiring.records import deciding, fingerprint

SHOULD, WRONG, RIGHT = (
    ReplyJudgement.SHOULD_HAVE_BEEN_ANSWERED,
    ReplyJudgement.WRONG,
    ReplyJudgement.RIGHT,
)


def judged(judgement: ReplyJudgement, note: str = "") -> Feedback:
    return Feedback(judgement=judgement, given_at=NOON, note=note)


def one(log: DecisionLog, id_: str = "req-1") -> LoggedDecision:
    found = log.find(id_)
    assert found is not None
    return found


@pytest.fixture
def log(tmp_path: Path) -> DecisionLog:
    return log_in(tmp_path)


class TestWhatIsKept:
    @pytest.mark.parametrize("question", QUESTIONS)
    def test_what_comes_out_is_what_went_in(self, log: DecisionLog, question: str) -> None:
        """Every number, text and order."""
        kept = entry(question)
        log.add([kept])
        assert log.find("req-1") == kept

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_with_length_no_word_of_a_question_is_kept(self, tmp_path: Path, question: str) -> None:
        """Neither in the question's own place, nor in reasons, notes, subjects or quotes."""
        log = log_in(tmp_path)
        kept = entry(question, texts=False)
        log.add([kept])
        found = one(log, "req-1")
        assert found.question_length == len(question)
        assert not any(source.quote for source in found.sources)
        log.close()
        raw = bytes_of(tmp_path).decode("utf-8", "replace").casefold()
        for word in ("quuxifier", "pizza", "adr-0099", "encrypted", "what is"):
            assert word not in raw

    @pytest.mark.parametrize(
        "question", ["'); DROP TABLE guard_decisions; --", "Ωμέγα 😀", "half \ud800, zero \x00"]
    )
    def test_any_text_is_a_value(self, log: DecisionLog, question: str) -> None:
        """Nothing in it is a statement; also what no database can hold is kept."""
        kept = replace(entry(), question=question, subject=question, request_id=question)
        log.add([kept])
        found = one(log, kept.request_id)
        assert (found.question == question) is question.isprintable()
        assert log.count() == 1

    def test_the_file_is_for_its_owner_alone(self, log: DecisionLog, tmp_path: Path) -> None:
        """It holds what people asked."""
        log.add([entry()])
        for path in tmp_path.glob("decisions.sqlite*"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


class TestReading:
    def test_the_last_ones_come_first(self, log: DecisionLog) -> None:
        """As many as are wanted."""
        log.add(list(entries(5)))
        assert [item.request_id for item in log.latest(limit=2)] == ["req-4", "req-3"]

    @pytest.mark.parametrize(
        ("selection", "count"),
        [
            (Selection(), 9),
            (Selection(request_id="req-3"), 1),
            (Selection(conversation_id="talk-1"), 3),
            (Selection(since=NOON + timedelta(minutes=6)), 3),
            (Selection(before=NOON + timedelta(minutes=6)), 6),
            (Selection(outcome=Outcome.REFUSE), 9),
            (Selection(outcome=Outcome.ANSWER), 0),
            (Selection(reason=RefusalReason.TERMINOLOGY_NOT_FOUND), 9),
            (Selection(reason=RefusalReason.NO_RESULTS), 0),
            (Selection(config_hash="c0ffee"), 9),
            (Selection(config_hash="other"), 0),
            (Selection(judged=SHOULD), 1),
            (Selection(judged=RIGHT), 1),
            (Selection(any_judgement=True), 2),
        ],
    )
    def test_a_selection_is_all_of_what_it_says(
        self, log: DecisionLog, selection: Selection, count: int
    ) -> None:
        """Of several judgements the last counts."""
        log.add(list(entries(9)))
        log.judge("req-1", judged(RIGHT))
        log.judge("req-1", judged(SHOULD))
        log.judge("req-2", judged(RIGHT))
        assert log.count(selection) == count
        assert len(all_of(log, selection)) == count

    def test_a_log_that_was_never_written_says_so(self, log: DecisionLog, tmp_path: Path) -> None:
        """And reading makes no file."""
        with pytest.raises(DecisionLogError, match="no decision was written yet"):
            log.find("req-1")
        assert list(tmp_path.iterdir()) == []


class TestJudging:
    def test_a_judgement_stands_beside_its_decision(self, log: DecisionLog) -> None:
        """With its note."""
        log.add([entry()])
        log.judge("req-1", judged(SHOULD, "POL-0003 says it"))
        found = one(log, "req-1")
        assert found.judged is SHOULD
        assert found.feedback[0].note == "POL-0003 says it"
        log.unjudge("req-1")
        found = one(log, "req-1")
        assert found.judged is None

    @pytest.mark.parametrize(
        ("question", "judgement"), [(REFUSED, WRONG), (ANSWERED, SHOULD), (ASKED_BACK, WRONG)]
    )
    def test_an_answer_was_not_refused(
        self, log: DecisionLog, question: str, judgement: ReplyJudgement
    ) -> None:
        """What cannot be said is not counted; the message says what can."""
        log.add([entry(question)])
        with pytest.raises(JudgementError, match=r"say .* or right"):
            log.judge("req-1", judged(judgement))

    def test_of_an_unknown_request_nothing_can_be_said(self, log: DecisionLog) -> None:
        """It may have been deleted."""
        log.add([entry()])
        with pytest.raises(DecisionLogError, match="no entry for request 'req-2'"):
            log.judge("req-2", judged(RIGHT))


class TestDeleting:
    @pytest.mark.parametrize(
        ("selection", "left"),
        [
            (Selection(request_id="req-4"), 8),
            (Selection(conversation_id="talk-2"), 6),
            (Selection(before=NOON + timedelta(minutes=5)), 4),
            (Selection(conversation_id="talk-9"), 9),
        ],
    )
    def test_what_is_chosen_goes_and_the_rest_stays(
        self, log: DecisionLog, selection: Selection, left: int
    ) -> None:
        """With all that belongs to it."""
        log.add(list(entries(9)))
        log.judge("req-4", judged(RIGHT))
        wanted = log.count(selection)
        assert log.delete(selection) == wanted
        assert log.count() == left
        with sqlite3.connect(log.place) as raw:
            orphans = raw.execute(
                "SELECT count(*) FROM guard_feedback "
                "WHERE decision NOT IN (SELECT id FROM guard_decisions)"
            ).fetchone()
        assert orphans == (0,)
        raw.close()

    def test_nothing_of_it_is_left_in_the_bytes(self, tmp_path: Path) -> None:
        """Neither in the file nor in the journal, however the pages were split and filled."""
        log, chance = log_in(tmp_path), random.Random(7)
        words = {
            f"req-{n}": "needle" + "".join(chance.choices(string.ascii_lowercase, k=12))
            for n in range(160)
        }
        for n, (id_, word) in enumerate(words.items()):
            filler = "x" * chance.randrange(0, 3_000)
            source = Source(
                n=1, doc_type="", doc_id="", title=word, collection="", quote=f"{word} {filler}"
            )
            log.add(
                [
                    replace(
                        entry(),
                        request_id=id_,
                        conversation_id=f"of-{word}" if n % 2 else "stays",
                        question=f"{word} {filler}",
                        intent_reason=word,
                        sources=(source,),
                    )
                ]
            )
        doomed = [id_ for n, id_ in enumerate(words) if n % 2]
        for id_ in doomed[:60]:
            log.judge(id_, judged(SHOULD, f"note {words[id_]}"))
        for id_ in doomed[:20]:
            log.delete(Selection(request_id=id_))
        with pytest.MonkeyPatch.context() as patch:
            # The rest one by one, and the file put in order once: it would take a minute.
            patch.setattr("elysia_guard.adapters.sql.compact", lambda _: True)
            for id_ in doomed[20:-1]:
                log.delete(Selection(conversation_id=f"of-{words[id_]}"))
        log.delete(Selection(request_id=doomed[-1]))
        raw = bytes_of(tmp_path)
        assert [id_ for id_ in doomed if words[id_].encode() in raw] == []
        assert all(words[id_].encode() in raw for id_ in words if id_ not in doomed)
        assert log.count() == 80

    def test_another_that_reads_is_named(self, tmp_path: Path) -> None:
        """The entries are gone, but the journal cannot be emptied under a reader."""
        log = log_in(tmp_path, wait_s=0.05)
        log.add(list(entries(3)))
        reader = sqlite3.connect(log.place, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM guard_decisions").fetchone()
        with pytest.raises(DecisionLogError, match=r"being read|locked"):
            log.delete(Selection(request_id="req-1"))
        reader.close()
        assert log.find("req-1") is None
        assert log.delete(Selection(request_id="req-2")) == 1
        assert b"req-1\x00" not in bytes_of(tmp_path)


class TestOldAndForeign:
    @pytest.mark.parametrize(
        ("version", "says"),
        [(2, r"older elysia-guard .*2.* take it away"), (99, r"newer elysia-guard .*99.* upgrade")],
    )
    def test_a_log_of_another_version_is_left_alone(
        self, log: DecisionLog, version: int, says: str
    ) -> None:
        """The message says what to do."""
        log.add([entry()])
        log.close()
        with sqlite3.connect(log.place) as raw:
            raw.execute("UPDATE guard_log_schema SET version = ?", (version,))
        raw.close()
        again = DecisionLog.at(f"sqlite:///{log.place}")
        for use in (lambda: again.find("req-1"), lambda: again.add([entry()])):
            with pytest.raises(DecisionLogError, match=says):
                use()

    def test_a_database_of_something_else_is_left_alone(self, tmp_path: Path) -> None:
        """A path that is mistaken must not cost an index."""
        other = tmp_path / "decisions.sqlite"
        with sqlite3.connect(other) as raw:
            raw.execute("CREATE TABLE passages (id)")
        raw.close()
        before = sorted(other.read_bytes()[100:])
        log = log_in(tmp_path)
        with pytest.raises(DecisionLogError, match="something else"):
            log.add([entry()])
        log.close()
        assert sorted(other.read_bytes()[100:]) == before

    def test_a_file_that_is_no_database_is_named(self, tmp_path: Path) -> None:
        """In one line."""
        (tmp_path / "decisions.sqlite").write_text("not a database " * 100, encoding="utf-8")
        with pytest.raises(DecisionLogError, match="not a database"):
            log_in(tmp_path).find("req-1")

    @pytest.mark.parametrize("dialect", [postgresql.dialect(), mysql.dialect()])
    def test_other_databases_understand_the_tables(self, dialect: object) -> None:
        """Nothing in them is SQLite's own."""
        for made in metadata.sorted_tables:
            assert str(CreateTable(made).compile(dialect=dialect))  # type: ignore[arg-type]


@pytest.mark.live
def test_a_server_keeps_the_same(tmp_path: Path) -> None:
    """Any database: TEST_DATABASE_URL names an empty one."""
    url = os.environ.get("TEST_DATABASE_URL")
    if not url:
        pytest.skip("TEST_DATABASE_URL is not set")
    log = DecisionLog.at(url)
    kept = [entry(item, request_id=item, conversation_id="live") for item in QUESTIONS]
    log.add(kept)
    try:
        assert [log.find(item) for item in QUESTIONS] == kept
        log.judge(REFUSED, judged(SHOULD, "it is \x00there"))
        assert log.count(Selection(judged=SHOULD)) == 1
    finally:
        assert log.delete(Selection(conversation_id="live")) == len(QUESTIONS)
        log.close()


class TestAddresses:
    @pytest.mark.parametrize("url", ["nonsense", "://", "postgresql://u:hunter2@h:port/x"])
    def test_a_wrong_one_is_an_error_that_hides_it(self, url: str) -> None:
        """It may hold a password."""
        with pytest.raises(ConfigError, match=r"decision_log\.url") as caught:
            DecisionLog.at(url)
        assert "hunter2" not in str(caught.value)

    @pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
    def test_one_in_memory_keeps_nothing(self, url: str) -> None:
        """So it is no log."""
        with pytest.raises(ConfigError, match="names no file"):
            DecisionLog.at(url)


class TestFingerprint:
    SETTINGS: ClassVar[dict[str, object]] = {
        "index": {"path": "a", "weaviate": {"url": "http://u:secret@h", "api_key": "k"}},
        "log_level": "INFO",
    }

    def test_secrets_do_not_change_it(self) -> None:
        """Nor can they be guessed from it."""
        other = {
            "index": {"weaviate": {"api_key": "other", "url": "http://h"}, "path": "a"},
            "log_level": "INFO",
        }
        assert fingerprint(self.SETTINGS) == fingerprint(other)

    def test_what_decides_changes_it(self) -> None:
        """And nothing else does."""
        assert fingerprint(self.SETTINGS) != fingerprint({**self.SETTINGS, "index": {}})
        loud = {**self.SETTINGS, "log_level": "DEBUG"}
        assert fingerprint(deciding(self.SETTINGS)) == fingerprint(deciding(loud))

    def test_limits_change_it(self) -> None:
        """They are the second of the two."""
        assert fingerprint({}, {"a": 0.1}) != fingerprint({}, {"a": 0.2})
