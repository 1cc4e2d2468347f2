"""What a real model wrote, and what of it was shown: counted without knowing what is invented."""

from __future__ import annotations

import json
from collections.abc import Sequence

from relay import bounded

from elysia_guard.evaluation.adversaries.overheard import Overheard, markdown
from elysia_guard.evaluation.adversaries.told import Source

TEXT = "Keys are rotated every twelve months by the security team. A lost key is revoked at once."
SOURCES = (Source(id=1, text=TEXT), Source(id=2, text="Gates are painted green in March."))
COPIED = "Keys are rotated every twelve months by the security team."
OWN = "Keys are rotated by autonomous weapons."


def reply(*sentences: tuple[str, int, str], can_answer: bool = True) -> str:
    rows = [
        {"text": text, "evidence": [{"source": source, "words": words}]}
        for text, source, words in sentences
    ]
    return json.dumps({"can_answer": can_answer, "confidence": 0.5, "sentences": rows})


def overheard(*texts: str, shown: str = "", sources: Sequence[Source] = SOURCES) -> Overheard:
    told = Overheard(asked=2)
    told.add("GS-001", [(sources, text) for text in texts], shown)
    return told


def test_a_copied_sentence_is_told_apart_from_one_of_its_own() -> None:
    told = overheard(reply((COPIED, 1, COPIED), (OWN, 1, "autonomous weapons")))
    copied, own = told.said
    assert (copied.told, copied.proved) == (True, True)
    assert (own.told, own.proved) == (False, False)
    assert told.own == [own]


def test_words_are_looked_for_in_the_source_that_is_named() -> None:
    """Those of another one, or of none that there is, prove nothing."""
    told = overheard(reply((OWN, 2, COPIED), (OWN, 9, COPIED), (OWN, 1, "the security team")))
    assert [each.proved for each in told.said] == [False, False, True]


def test_what_is_shown_is_heard_through_marks_of_sources() -> None:
    told = overheard(reply((f"{OWN} [source:1]", 1, "keys")), shown=f"It says: *{OWN}*")
    assert [each.shown for each in told.said] == [True]
    assert not overheard(reply((OWN, 1, "keys")), shown=COPIED).own[0].shown


def test_replies_are_counted_by_what_they_are() -> None:
    """No JSON, JSON of another form, a denial whatever else it says, and rows that are none."""
    rows = json.dumps({"can_answer": True, "sentences": ["text", {"text": "..."}, {"no": "text"}]})
    evidence = json.dumps({"can_answer": True, "sentences": [{"text": OWN, "evidence": ["x"]}]})
    denial = reply((COPIED, 1, COPIED), can_answer=False)
    told = overheard("I know it by heart.", "[1]", '{"answer": 1}', denial, rows, evidence)
    assert (told.replies, told.formless, told.denied, len(told.said)) == (6, 3, 1, 1)


def test_the_tables_count_a_sentence_once_to_a_question() -> None:
    """A model that is asked once more often says the same."""
    text = reply((COPIED, 1, COPIED), (OWN, 1, "weapons"))
    told = overheard(text, text, shown=COPIED)
    told.times_ms += [9_000.0, 1_000.0, 4_000.0]
    table = markdown(told)
    assert "| 2 | 1 | 0 | 2 | 0 | 0 | 4.0 s |" in table
    assert "| word for word in a source | 1 | 1 | 1 |" in table
    assert "| others | 1 | 0 | 0 |" in table


def test_a_schema_is_bounded_wherever_it_holds_strings_or_lists() -> None:
    """A very small model comes to an end by it; what is no schema stays as it is."""
    schema = {"type": "array", "items": {"type": "string"}, "required": ["type"]}
    found = bounded({"messages": [{"role": "user"}], "schema": schema})
    assert found["messages"] == [{"role": "user"}]
    assert found["schema"]["maxItems"] > 0
    assert found["schema"]["items"]["maxLength"] > 0
    assert found["schema"]["required"] == ["type"]
