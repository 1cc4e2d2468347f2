"""Recorded answers: how they are read, given the numbers of today's sources, and played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from elysia_guard.evaluation.adversaries.told import Source
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.player import RecordedServer
from elysia_guard.evaluation.recorded import (
    Recorded,
    RecordedError,
    hash_of,
    in_language,
    load,
    load_all,
    replayed,
)

QUESTION = "How long are backups kept?"
ROW: dict[str, Any] = {
    "id": "GS-9001",
    "lang": "en",
    "split": "tuning",
    "prompt": "0123abcd",
    "languages": ["sources", "question"],
    "question": hash_of(QUESTION),
    "can_answer": True,
    "confidence": 0.9,
    "sentences": [
        {
            "text": "Backups are kept for 24 months.",
            "evidence": [
                {"document": "ADR-0012", "section": "Rules", "words": "are kept for 24 months"}
            ],
        }
    ],
}
OTHER = Source(id=1, document="ADR-0007", section="Rules", text="Logs are kept for 24 months.")
HELD = Source(id=2, document="ADR-0012", section="Rules", text="Backups are  kept for 24\nmonths.")
ELSEWHERE = Source(id=3, document="ADR-0012", section="Context", text="It was so.")


def answer(**more: Any) -> Recorded:
    return Recorded.model_validate({**ROW, **more})


@pytest.mark.parametrize("sources", [(OTHER, HELD), (HELD, ELSEWHERE), (ELSEWHERE, OTHER, HELD)])
def test_a_source_is_found_in_whatever_order_they_are_told(sources: tuple[Source, ...]) -> None:
    found = replayed(answer(), sources)
    assert [each.source for item in found.made for each in item.evidence] == [HELD.id]
    assert not found.not_told


def test_what_moved_to_another_section_is_found_there() -> None:
    moved = Source(id=4, document="ADR-0012", section="Else", text=HELD.text)
    assert replayed(answer(), [ELSEWHERE, moved]).made[0].evidence[0].source == moved.id


def test_words_that_never_stood_there_stay_with_their_section() -> None:
    """That is for whoever proves them to find."""
    other = Source(id=5, document="ADR-0012", section="Rules", text="Something else.")
    assert replayed(answer(), [other]).made[0].evidence[0].source == other.id


def test_a_sentence_without_a_source_among_those_told_is_counted_and_not_played() -> None:
    found = replayed(answer(), [OTHER, ELSEWHERE])
    assert (found.made, len(found.not_told)) == ((), 1)


def said_to(server: RecordedServer, *contents: str) -> Any:
    messages = [{"role": "user", "content": each} for each in contents]
    body = {"model": "recorded", "messages": messages}
    said = httpx.post(f"{server.url}/chat/completions", json=body, timeout=5).json()
    return json.loads(said["choices"][0]["message"]["content"])


def asked(server: RecordedServer, question: str, *sources: Source) -> Any:
    rows = [
        {"id": each.id, "document": each.document, "section": each.section, "text": each.text}
        for each in sources
    ]
    data = json.dumps({"question": question, "sources": rows})
    return said_to(server, "The task", data)


def test_the_answer_to_the_question_asked_is_played_again_and_again() -> None:
    with RecordedServer([answer()]) as server:
        first = asked(server, QUESTION, OTHER, HELD)
        assert first == asked(server, QUESTION, OTHER, HELD)
        assert first["can_answer"] is True
        assert first["sentences"][0]["evidence"] == [
            {"source": 2, "words": "are kept for 24 months"}
        ]
        assert list(server.played) == [hash_of(QUESTION)]


def test_to_what_was_not_recorded_no_source_answers() -> None:
    with RecordedServer([answer()]) as server:
        assert asked(server, "Who am I?", HELD)["can_answer"] is False
        assert said_to(server, "The task", '{"sentences": []}')["can_answer"] is False
        assert server.unknown == 2
        assert asked(server, QUESTION, OTHER)["can_answer"] is False
        assert len(server.played[hash_of(QUESTION)].not_told) == 1


def test_answers_are_read_of_the_halves_that_are_wanted(tmp_path: Path) -> None:
    held = {**ROW, "id": "GS-9002", "split": "held_out"}
    file = tmp_path / "written.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in (ROW, held)), encoding="utf-8")
    assert [each.id for each in load(file, [Split.TUNING])] == ["GS-9001"]
    assert len(load(file)) == 2


def test_a_question_may_have_an_answer_for_each_language(tmp_path: Path) -> None:
    rows = [{**ROW, "languages": [each]} for each in ("sources", "question")]
    other = {**ROW, "id": "GS-9002"}
    file = tmp_path / "written.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in (*rows, other)), encoding="utf-8")
    found = load(file)
    assert [each.languages for each in found[:2]] == [("sources",), ("question",)]
    assert in_language(found, "sources") == (found[0], found[2])
    assert in_language(found, "question") == found[1:]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (json.dumps({**ROW, "languages": []}), "is no recorded answer"),
        (json.dumps({**ROW, "languages": ["sources", "sources"]}), "is answered twice"),
        ("{", "is no recorded answer"),
        (json.dumps({**ROW, "prompt": "secret words"}), "is no recorded answer"),
        (f"{json.dumps(ROW)}\n{json.dumps(ROW)}", "is answered twice"),
    ],
)
def test_what_is_no_answer_is_told_by_its_line_alone(tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "written.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(RecordedError, match=told) as caught:
        load(file)
    assert "secret" not in str(caught.value)
    with pytest.raises(RecordedError, match="cannot be read"):
        load(tmp_path / "nowhere.jsonl")


def test_a_question_of_parts_has_an_answer_to_each_and_the_last_file_counts(tmp_path: Path) -> None:
    part = {**ROW, "question": hash_of("And how often are they made?")}
    anew = {**ROW, "confidence": 0.1}
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    first.write_text(f"{json.dumps(ROW)}\n{json.dumps(part)}\n", encoding="utf-8")
    second.write_text(f"{json.dumps(anew)}\n", encoding="utf-8")
    found = load_all([first, second])
    assert {(each.question, each.confidence) for each in found} == {
        (ROW["question"], 0.1),
        (part["question"], 0.9),
    }
    assert len(found) == 2
