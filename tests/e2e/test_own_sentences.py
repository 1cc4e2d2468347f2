"""What the program says in its own words is true: an oracle recomputes it from the files."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from scripts.lab.oracle import Library, Truth, figures, sentences
from scripts.lab.oracle.claims import CHECKS
from scripts.lab.oracle.library import WHOLE
from tests.tables import cases

from elysia_guard import Guard, RAGResponse
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.ingest import ingest
from elysia_guard.domain.conversation import Conversation
from elysia_guard.language.catalogue import catalogue
from elysia_guard.language.pack import langs
from elysia_guard.running import run_anywhere
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = ROOT / "data" / "evaluation" / "own_sentences.jsonl"
VOCABULARY = ROOT / "data" / "vocabulary" / "vennet.ttl"
KNOWLEDGE = ROOT / "data" / "knowledge"
WRONG = {Truth.FALSE, Truth.UNKNOWN}
TO_BE_MENDED: set[str] = set()


@pytest.fixture(scope="module")
def library() -> Library:
    return Library([KNOWLEDGE], [VOCABULARY])


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    path = tmp_path_factory.mktemp("own") / "index.sqlite"
    config = Wiring.load(index=path, vocabulary=VOCABULARY).config
    wiring = Wiring(config.model_copy(update={"test_triggers": True, "log_level": "ERROR"}))
    with closing(wiring):
        asyncio.run(wiring.fill_index([KNOWLEDGE]))
        yield Guard(wiring=wiring)


def asked(guard: Guard, turns: list[str]) -> Iterator[tuple[str, RAGResponse]]:
    """Ask one message after the other; each comes with all that was typed."""
    talk = Conversation()
    for place, typed in enumerate(turns, start=1):
        yield "\n".join(turns[:place]), guard.ask(typed, conversation=talk)


def test_own_sentences_are_true_over_two_hundred_questions(guard: Guard, library: Library) -> None:
    """Every line is a quote or one template of the catalogue, and what it claims is so."""
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    replies = [found for row in rows for found in asked(guard, row["turns"])]
    judged = [
        (typed.rpartition("\n")[2], item)
        for typed, reply in replies
        for item in sentences(reply, typed, library)
    ]
    wrong = {typed for typed, item in judged if item.truth in WRONG}
    assert len(replies) >= 200
    assert {row["lang"] for row in rows} == set(langs())
    assert wrong == TO_BE_MENDED, "\n".join(figures(judged)["examples"][:50])


@pytest.mark.parametrize("row", cases("altered"))
def test_an_altered_sentence_is_found_out(
    guard: Guard, library: Library, row: dict[str, str]
) -> None:
    """The oracle would see it: a count, a name, a status, a neighbour that is not so."""
    question, said, altered = row["asked"], row["said"], row["altered"]
    reply = guard.ask(question)
    assert said in reply.answer + reply.verified
    changed = replace(
        reply,
        answer=reply.answer.replace(said, altered),
        verified=reply.verified.replace(said, altered),
    )
    before, after = (
        figures([(question, item) for item in sentences(each, question, library)])
        for each in (reply, changed)
    )
    assert before["false"] + before["unknown"] == 0
    assert after["false"] + after["unknown"] > 0


@pytest.mark.parametrize(
    ("question", "said", "altered"),
    [
        ("What does ADR-0007 decide?", r"\d+ more points", "99 more points"),
        ("What does ADR-0007 decide?", "ADR-0007 say, part 2", "ADR-0009 say, part 2"),
        ("What does ADR-0007 say, part 99?", "ADR-0007 says no more", "ADR-0009 says no more"),
        ("What does ADR-0008 decide?", "ADR-0008 has no section", "ADR-0007 has no section"),
    ],
)
def test_how_much_is_left_of_a_document_is_held_against_it(
    question: str, said: str, altered: str, tmp_path: Path
) -> None:
    """What is not shown, where the rest is, that nothing is left, and that no heading tells it."""
    drawers = "\n".join(f"- Drawer {n} holds {'drawings ' * 15}{n}." for n in range(60))
    texts = {7: f"## Decision\n\nThe drawers are these:\n\n{drawers}\n", 8: "We use the vault.\n"}
    (tmp_path / "decisions").mkdir()
    for number, text in texts.items():
        head = f"---\nidentifier: ADR-{number:04}\ntitle: Vault {number}\n---\n# Vault {number}\n\n"
        path = tmp_path / "decisions" / f"{number:04}-vault.md"
        path.write_text(head + text, encoding="utf-8")
    run_anywhere(ingest([tmp_path], tmp_path / "index.sqlite", BundledEmbedder()))
    reply = Guard(index=tmp_path / "index.sqlite").ask(question)
    assert re.search(said, reply.answer)
    changed = replace(reply, answer=re.sub(said, altered, reply.answer))
    own = Library([tmp_path], [VOCABULARY])
    before, after = (
        [item for item in sentences(each, question, own) if item.truth in WRONG]
        for each in (reply, changed)
    )
    assert not before
    assert after


def test_every_sentence_of_the_catalogue_has_a_check() -> None:
    """A new template is not said before there is a check for what it claims."""
    said = {key for key in catalogue("en") if key.partition(".")[0] in WHOLE}
    checked = {key for key in said if any(fnmatchcase(key, form) for form in CHECKS)}
    assert said == checked


def test_the_document_that_was_named_is_not_asked_for_again(guard: Guard) -> None:
    """'Did you mean ADR-0003?' is no question to somebody who has named ADR-0003."""
    reply = guard.ask("What is the colour of ADR-0003?")
    assert [item.question for item in reply.suggestions] == ["What does ADR-0003 decide?"]
    assert "Did you mean" not in reply.answer
