"""What is looked for in questions and texts, in time that grows with their length."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.test_bounds_documents import ratio

from elysia_guard.adapters.documents import web_page
from elysia_guard.adapters.weaviate_index.statistics import text_words
from elysia_guard.edge.cli import doctor_surroundings
from elysia_guard.language.answer_types import asked_for
from elysia_guard.language.sentences import sentences
from elysia_guard.observability.logs import redactor
from elysia_guard.reading.templates import read_template


@pytest.mark.parametrize(
    "piece", ["how much ", "what do ", "what does it ", "wie keurde ", "wie keurden keurden "]
)
def test_b4_a_question_that_begins_again_and_again_is_read_in_one_pass(piece: str) -> None:
    """What a question asks for is found in time that grows with its length."""
    assert ratio(lambda size: asked_for.__wrapped__(piece * (size // len(piece))), 2_000) < 9


@pytest.mark.parametrize(
    ("lang", "piece"),
    [("en", "what do again "), ("nl", "wat bedoelt nu "), ("de", "was meint denn "),
     ("en", "what is really "), ("en", "could you please "), ("en", "the term ")],
)  # fmt: skip
def test_b4_forms_are_tried_in_time_that_grows_with_their_length(lang: str, piece: str) -> None:
    """A question that repeats its words without end is read like any other."""
    assert ratio(lambda size: read_template(piece * (size // len(piece)), lang), 1_000) < 9


def test_b4_a_page_declares_its_encoding_in_one_pass() -> None:
    """What a page says of its encoding is found in time that grows with its length."""
    page = b"<meta " * 16 + b"a charset="
    assert ratio(lambda size: web_page._DECLARED.search(page + b" " * size), 2_000) < 9
    found = web_page._DECLARED.search(b"<META http-equiv=a content='text/html; charset = cp1252'>")
    assert found is not None
    assert found[1] == b"cp1252"


def test_b4_words_without_end_are_indexed_in_one_pass() -> None:
    """A word without end, beside one with an apostrophe, is read in time that grows with it."""
    assert ratio(lambda size: text_words("a" * size + " don't"), 4_000) < 9
    assert text_words("Don't ask o'clock's")[1] == ["don't", "o'clock's"]


@pytest.mark.parametrize("piece", ["a-", "a://", "sk-", "basic "])
def test_b4_logs_are_rid_of_secrets_in_one_pass(piece: str) -> None:
    """A log line without end is rid of its secrets in time that grows with its length."""
    redact = redactor()
    assert ratio(lambda size: redact(piece * size + " https://me:pw@a.example"), 2_000) < 9
    assert redact(f"{'long-' * 30}scheme://me:pw@a.example").endswith("scheme://***@a.example")


def test_b4_a_file_of_settings_has_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .env file is looked through in one pass, and not at all where it is too large."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / ".env"
    file.write_text("\n" * 50 + "A_MODEL=x\nexport B_MODEL=y\nC_MODEL=\n")
    assert {"A_MODEL", "B_MODEL"} <= doctor_surroundings._known()
    assert "C_MODEL" not in doctor_surroundings._known()
    assert ratio(lambda size: doctor_surroundings._ASSIGNED.findall("\n" * size), 4_000) < 9
    monkeypatch.setattr(doctor_surroundings, "MAX_BYTES", 20)
    assert "A_MODEL" not in doctor_surroundings._known()


def test_b4_sentences_that_never_end_are_cut_in_one_pass() -> None:
    """A text of nothing but numbers with full stops is cut in time that grows with its length."""
    assert ratio(lambda size: sentences("x " + "1. " * size, "en"), 2_000) < 9
