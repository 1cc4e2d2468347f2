"""Kinds of documents that a house declares: read from its file, kept apart from other houses'."""

from __future__ import annotations

import copy
import json
import pickle
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import pytest
from click.testing import CliRunner
from tests.unit.house_of_kinds import KINDS, settle

from elysia_guard import Guard
from elysia_guard.config import AnswerCacheSection
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document, DocumentKind, Identity
from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.domain.own_kinds import STANDING, OwnKinds, under
from elysia_guard.edge import kept_talk
from elysia_guard.edge.cli.main import cli
from elysia_guard.language.kinds import kinds_named, prefixes
from elysia_guard.language.own_kinds import own_kinds, read_kinds
from elysia_guard.language.pack_reader import PackError
from elysia_guard.language.references import find_references
from elysia_guard.running import run_anywhere
from elysia_guard.wiring import Wiring
from elysia_guard.wiring.records import memory_of

Thing = TypeVar("Thing")


def kinds_of(folder: Path, text: str = KINDS) -> OwnKinds:
    file = folder / "kinds.toml"
    file.write_text(text, encoding="utf-8")
    return read_kinds(file)


@pytest.fixture
def house(tmp_path: Path) -> OwnKinds:
    return kinds_of(tmp_path)


def test_a_kind_knows_how_it_is_written_and_what_it_is_like(house: OwnKinds) -> None:
    rfc, runbook = house.named("rfc"), house.named("runbook")
    assert str(Identity(kind=rfc, number=12)) == "RFC-0012"
    assert str(Identity(kind=rfc, number=12, approval=True)) == "RFC-0012D"
    assert str(Identity(kind=runbook, number=12)) == "RB 12"
    assert (rfc.like, runbook.like) == (DocumentKind.DECISION, DocumentKind.POLICY)
    assert (rfc.doc_type, runbook.doc_type) == ("RFC", "Runbook")
    assert Identity(kind=rfc, number=12) != Identity(kind=DocumentKind.DECISION, number=12)
    assert [kind.value for kind in house.every] == [
        "decision", "principle", "policy", "rfc", "runbook", "document",
    ]  # fmt: skip


def test_a_kind_outlives_copies_and_other_processes(house: OwnKinds) -> None:
    """A worker is handed its settings; an index is handed plain values."""
    rfc = house.named("rfc")
    for again in (copy.deepcopy(rfc), pickle.loads(pickle.dumps(rfc))):  # noqa: S301
        assert (again, again.form, again.like, again.rank) == (rfc, rfc.form, rfc.like, rfc.rank)
    assert pickle.loads(pickle.dumps(house)) == house  # noqa: S301
    document = Document(id="RFC-0012", kind=rfc, title="T", path="p", sha256="", number=12)
    plain = json.loads(json.dumps(asdict(document)))
    assert Document.of(plain, house) == document
    with pytest.raises(
        ValueError, match=r"no kind 'rfc'.* languages/kinds\.toml, beside the settings: \[rfc\]"
    ):
        Document.of(plain)


def test_the_three_kinds_may_be_written_otherwise(tmp_path: Path) -> None:
    """'RFC-0114' in place of 'ADR-0114': still a decision, and 'ADR 114' finds it."""
    house = kinds_of(tmp_path, '[decision]\nform = "RFC-{number:04d}"\n')
    with under(house):
        for written in ("RFC 114", "ADR 114", "decision 114"):
            (found,) = find_references(f"What does {written} say?")
            assert str(found.identity) == "RFC-0114", written
            assert found.kind == DocumentKind.DECISION
    (before,) = find_references("What does ADR 114 say?")
    assert str(before.identity) == "ADR-0114"


def test_names_are_of_a_house_and_of_its_languages(house: OwnKinds) -> None:
    """Two houses in one process do not hear each other's names."""
    said = "Welche Betriebsanleitungen gibt es? Welke draaiboeken? Which RFCs?"
    with under(house):
        assert [kind.value for kind in kinds_named(said)] == ["rfc", "runbook"]
        assert prefixes()["rb"] == "runbook"
    assert own_kinds() == STANDING
    assert kinds_named(said) == ()
    assert "rb" not in prefixes()
    with under(house):
        assert kinds_named(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[rfc]\nlike = "rule"', "'rfc' is not a key .* like = 'decision'"),
        ('[rfc]\none = ["rfc"]', "'rfc' is not a key"),
        ('[Rfc2]\nlike = "decision"', "'Rfc2' is no name of a kind"),
        ('[record]\nlike = "decision"', "'record' is no name of a kind"),
        ('[document]\nlike = "decision"', "'document' is no name of a kind"),
        ('[rfc]\nlike = "decision"\nform = "RFC"', "the form 'RFC' must be like"),
        ('[rfc]\nlike = "decision"\nform = "{number:04d}"', "must be like"),
        ('[rfc]\nlike = "decision"\nform = "RFC-{number.real}"', "must be like"),
        ('[rfc]\nlike = "decision"\nform = "RFC-{number:04d}{0}"', "must be like"),
        ("[decision]\nform = 3", "must be a string"),
        ('[decision]\nlike = "policy"', "'like' is for kinds of a house's own"),
        ('[rfc]\nlike = "decision"\n[note]\nlike = "policy"\nform = "RFC {number}"', "RFC"),
        ('[rfc]\nlike = "policy"\none = ["n"]\n[note]\nlike = "policy"\none = ["n"]', "two kinds"),
        ('[rfc]\nlike = "decision"\n[rfc.nl]\nprefixes = "x"', "'prefixes' is not a key"),
        ('[rfc]\nlike = "decision"\nletters = "x"', "'letters' is not a key"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(PackError, match=said) as caught:
        kinds_of(tmp_path, text)
    assert str(tmp_path / "kinds.toml") in str(caught.value)


@pytest.mark.parametrize("taken", ["adr", "besluit", "richtlinie", "dokument"])
def test_a_name_that_a_language_has_already_is_an_error(tmp_path: Path, taken: str) -> None:
    house = kinds_of(tmp_path, f'[own]\nlike = "decision"\none = ["{taken}"]\n')
    with under(house):
        if taken == "dokument":
            assert prefixes()["own"] == "own"  # any document may be called so
        else:
            with pytest.raises(PackError, match=f"'{taken}' is what a"):
                prefixes()


def test_two_guards_of_two_houses_stand_side_by_side(tmp_path: Path) -> None:
    """In one process, one after the other and back, over the same documents."""
    mine = Guard(config=settle(tmp_path / "mine"))
    theirs = Guard(config=settle(tmp_path / "theirs", '[decision]\nprefixes = "rfc"\n'))
    none = Guard(config=settle(tmp_path / "none", ""))
    for _ in range(2):
        assert mine.ask("What does RFC 13 decide?").sources[0].doc_id == "RFC-0013"
        found = theirs.ask("What does RFC 13 decide?").sources[0]
        assert found.location == "rfcs/0013-street-lamps.md"  # the folder tells it from ADR 13
        assert theirs.ask("What does 13 decide?").outcome == "clarified"
        assert none.ask("What does RFC 13 decide?").outcome != "asserted"
        assert mine.ask("Which decisions are there?").answer.startswith("There are 2 decisions")
        assert mine.ask("Which runbooks are there?").answer.startswith("There are 2 runbooks")
        assert theirs.ask("Which RFCs are there?").answer.startswith("There are 5 decisions")
    for guard in (mine, theirs, none):
        guard.wiring.close()


def test_an_index_of_other_kinds_is_told_and_not_answered_from(tmp_path: Path) -> None:
    """Whether the house has more kinds since, others, or none; an ingest mends it."""
    settings = settle(tmp_path)
    Guard(config=settings).wiring.close()
    file = tmp_path / "config" / "languages" / "kinds.toml"
    for text in (KINDS.replace("RB {number}", "RB-{number:03d}"), ""):
        file.write_text(text, encoding="utf-8")
        said = r"other kinds .* 'elysia-guard ingest'"
        with closing(Wiring.load(settings)) as wiring, pytest.raises(PassageIndexError, match=said):
            _ = wiring.index
        with closing(Wiring.load(settings)) as wiring:
            assert not run_anywhere(wiring.fill_index()).skipped
            assert not Guard(wiring=wiring).ask("What does ADR 12 decide?").refused


def test_a_kept_answer_is_of_one_house(tmp_path: Path) -> None:
    """The key of an answer names the kinds under which it was given."""
    settings = settle(tmp_path)
    keys = set()
    for text in (KINDS, KINDS.replace("RB {number}", "RB-{number}"), "# nothing\n"):
        (tmp_path / "config" / "languages" / "kinds.toml").write_text(text, encoding="utf-8")
        kept = AnswerCacheSection(modes=("instant",))
        config = Wiring.load(settings).config.model_copy(update={"answer_cache": kept})
        with closing(Wiring(config)) as wiring:
            memory = memory_of(config, wiring._limits(config.thresholds), wiring._around.clock)
            assert memory is not None
            keys.add(memory.configuration)
    assert len(keys) == 3


def test_what_a_conversation_settled_comes_back_in_its_house(tmp_path: Path) -> None:
    talk, guard = Conversation(), Guard(config=settle(tmp_path))
    guard.ask("Which RFCs are there?", conversation=talk)
    kept, kinds = json.loads(json.dumps(kept_talk.as_json(talk))), guard.wiring.config.kinds
    assert kept_talk.from_json(kept, kinds).focus == talk.focus
    assert kept_talk.from_json(kept, kinds).focus[0].kinds[0].form == "RFC-{number:04d}"
    assert kept_talk.from_json(kept).focus == ()  # nobody here knows what an RFC is
    guard.wiring.close()


def test_ingest_keeps_documents_of_one_number(tmp_path: Path) -> None:
    """Those of one kind have their paths in their ids; those of two kinds need none."""
    settings = settle(tmp_path)
    twin = tmp_path / "docs" / "rfcs" / "RFC-0012-again.md"
    twin.write_text("# Again\n\n## Decision\n\nSomething else is decided.\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["ingest", "--config", str(settings), "--json"])
    report = json.loads(done.stdout)
    assert report["skipped"] == report["warnings"] == []
    assert {"ADR-0012", "RFC-0012-rfcs-rfc-0012-again"} < set(report["added"])
    assert "RFC-0012" not in report["added"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--kind", "decision"], "'decision' is what a decision is called"),
        (["--kind", "adr"], "'adr' is what a decision is called"),
        (["--kind", "rfc=record"], "'rfc=record' must be one word"),
        (["--kind", "r2"], "'r2' must be one word"),
        (["--kind", "rfc", "--prefix", "rfc=policy"], "'rfc' cannot be"),
    ],
)
def test_init_refuses_what_would_not_be_read(tmp_path: Path, given: list[str], said: str) -> None:
    done = CliRunner().invoke(cli, ["init", str(tmp_path / "ours"), *given])
    assert done.exit_code in {2, 3}
    assert said in done.stderr
    assert not (tmp_path / "ours" / "config").exists()
