"""References to documents; the forms that people write them in are rows of ``readings.jsonl``."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elysia_guard.domain.document import DocumentKind, Identity
from elysia_guard.language.references import find_references, strip_references

KINDS = st.sampled_from([DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY])
IDENTITIES = st.builds(Identity, kind=KINDS, number=st.integers(0, 999_999), approval=st.booleans())


@pytest.mark.parametrize("written", ["ADR.12", "besluit 12", "Entscheidung #12", "(adr_0012)"])
def test_a_decision_is_recognised_however_it_is_written(written: str) -> None:
    assert [str(each.identity) for each in find_references(written)] == ["ADR-0012"]


@pytest.mark.parametrize(
    "text", ["10?", "nr. 10", "0010", "show me 10", "wat zegt 10?", "Who approved 10?"]
)
def test_a_bare_number_names_no_kind(text: str) -> None:
    """It may fit several kinds, so it stays undecided."""
    (reference,) = find_references(text)
    assert (reference.kind, reference.number, reference.identity) == (None, 10, None)


def test_a_reference_remembers_how_it_was_written() -> None:
    """A reader is answered in the words of the question."""
    (reference,) = find_references("What about besluit nr. 50?")
    assert reference.written == "besluit nr. 50"


@given(IDENTITIES, st.sampled_from(["What does {} say?", "Wat zegt {}?", "Zeige {}", "({}), {}"]))
def test_every_identity_is_read_back_as_itself(identity: Identity, sentence: str) -> None:
    """What the guard writes, the guard understands; a repetition adds nothing."""
    found = find_references(sentence.format(identity, identity))
    assert [ref.identity for ref in found] == [identity]
    assert find_references(strip_references(f"Does {identity} mention hydrogen")) == ()


@given(st.text())
def test_any_text_has_references_or_none(text: str) -> None:
    """Never an error; each found once, with a number."""
    found = find_references(text)
    assert len({(ref.kind, ref.number, ref.approval) for ref in found}) == len(found)
    assert all(ref.number >= 0 for ref in found)
