"""Files of questions and answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elysia_guard.edge.cli.rows import (
    Row,
    RowError,
    read_answers,
    read_questions,
    rewrite,
    still_to_ask,
)

GOOD = b'{"id": "a", "query": "What is CIM?"}\n'


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_questions_keep_their_other_keys(tmp_path):
    """A byte order mark, blank lines, Windows line ends and a missing last newline do no harm."""
    raw = b'\xef\xbb\xbf{"id": "a", "query": "x", "gold": [1]}\r\n\n{"id": 2, "query": ""}'
    rows = read_questions(str(written(tmp_path / "q.jsonl", raw)))
    assert rows == [Row(id="a", query="x", extra={"gold": [1]}), Row(id=2, query="")]


def test_only_a_newline_ends_a_line(tmp_path):
    """U+2028 and U+0085 may stand in JSON; they end no line."""
    raw = '{"id": 1, "query": "a\u2028b\x85c"}\n'.encode()
    assert read_questions(str(written(tmp_path / "q.jsonl", raw)))[0].query == "a\u2028b\x85c"


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        (b'{"id": "a", "query": "x"}', "id 'a' was already used in line 1"),
        (b'{"query": "x"}', "'id' is missing"),
        (b'{"id": "b"}', "'query' is missing"),
        (b'{"id": "b", "query": 3}', "'query' is 3; give a text"),
        (b'{"id": true, "query": "x"}', "'id' is True"),
        (b'{"id": "", "query": "x"}', "'id' is ''"),
        (b'{"id": "b", "query": "x"', "is not JSON"),
        (b'["b", "x"]', "must be an object"),
        (b'{"id": "b", "query": "\xff"}', "is not JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path, second, problem):
    """The error says which file, which line, and what is wrong with it."""
    path = written(tmp_path / "q.jsonl", GOOD + second + b"\n")
    with pytest.raises(RowError) as caught:
        read_questions(str(path))
    assert caught.value.message.startswith(f"{path}:2: ")
    assert problem in caught.value.message


def test_one_and_the_text_one_are_the_same_id(tmp_path):
    raw = b'{"id": 1, "query": "x"}\n{"id": "1", "query": "y"}\n'
    with pytest.raises(RowError, match="already used in line 1"):
        read_questions(str(written(tmp_path / "q.jsonl", raw)))


def test_a_file_without_questions_is_an_error(tmp_path):
    with pytest.raises(RowError, match="holds no questions"):
        read_questions(str(written(tmp_path / "q.jsonl", b"\n\n")))


def test_no_answers_yet(tmp_path):
    answers = read_answers(tmp_path / "none.jsonl")
    assert not answers.queries
    assert not answers.dirty


@pytest.mark.parametrize("cut", [1, 5, 30, 45])
def test_a_last_line_that_was_cut_off_is_asked_again(tmp_path, cut):
    """Wherever the cut is, the whole lines before it stay as they are."""
    first = Row(id="a", query="x").answered(response={"answer": "1"}).encode() + b"\n"
    second = Row(id="b", query="y").answered(response={"answer": "2 é"}).encode() + b"\n"
    path = written(tmp_path / "a.jsonl", first + second[:-cut])
    answers = read_answers(path)
    rewrite(path, answers.kept)
    assert answers.torn
    # Only the newline was lost: the answer is whole.
    assert set(answers.queries) == ({"a", "b"} if cut == 1 else {"a"})
    assert path.read_bytes() == first + (second if cut == 1 else b"")


def test_a_damaged_line_inside_is_an_error(tmp_path):
    path = written(tmp_path / "a.jsonl", b'{"id": "a", "qu\n' + GOOD)
    with pytest.raises(RowError, match=r"a\.jsonl:1: is not JSON"):
        read_answers(path)


def test_a_file_of_something_else_is_not_written_over(tmp_path):
    with pytest.raises(RowError, match="is not an answer"):
        read_answers(written(tmp_path / "q.jsonl", GOOD))


def test_what_could_not_run_is_asked_again_and_a_bad_question_is_not(tmp_path):
    """An outage is no answer; a question that is none stays none."""
    lines = [
        Row(id="a", query="x").answered(error={"code": "could_not_run", "message": "down"}),
        Row(id="b", query="").answered(error={"code": "empty", "message": "empty"}),
    ]
    path = written(tmp_path / "a.jsonl", "".join(f"{line}\n" for line in lines).encode())
    rows = [Row(id="a", query="x"), Row(id="b", query="")]
    answers = read_answers(path)
    assert answers.unasked == 1
    assert still_to_ask(rows, answers, path) == [rows[0]]


def test_an_id_with_another_question_is_an_error(tmp_path):
    line = Row(id="a", query="x").answered(response={}).encode() + b"\n"
    path = written(tmp_path / "a.jsonl", line)
    with pytest.raises(RowError, match="give another --output"):
        still_to_ask([Row(id="a", query="other")], read_answers(path), path)


def test_an_answer_row_can_always_be_written():
    """A lone surrogate, which JSON may hold and a file may not, is escaped."""
    line = Row(id="a", query="é \ud800", extra={"k": 1}).answered(response={})
    assert json.loads(line.encode()) == {
        "id": "a",
        "query": "é \ud800",
        "response": {},
        "input": {"k": 1},
    }
