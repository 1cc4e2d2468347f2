"""References to documents, in every form that people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elysia_guard.domain.document import DocumentKind, Identity
from elysia_guard.language.references import find_references, strip_references


def identities(text: str) -> list[str]:
    return [str(ref.identity) if ref.identity else str(ref.number) for ref in find_references(text)]


@pytest.mark.parametrize(
    "written",
    [
        "ADR.12",
        "ADR-0012",
        "ADR 12",
        "adr12",
        "Adr0012",
        "adr_0012",
        "ADR #12",
        "ADR#12",
        "ADR: 12",
        "ADR/12",
        "ADR.0012",
        "ADR nr. 12",
        "ADR no. 12",
        "ADR number 12",
        "ADR nummer 12",
        "ADR\u00a012",
        "ADR\u201012",
        "ADR\u201112",
        "ADR\u201312",
        "ADR \u2014 12",
        "decision 12",
        "Decision #12",
        "decision record 12",
        "besluit 12",
        "architectuurbesluit 12",
        "beslissing 12",
        "Entscheidung 12",
        "What does ADR.12 decide?",
        "wat zegt besluit 12?",
        "(ADR.12)",
        "ADR-12's outcome",
        "ADR.12, please",
    ],
)
def test_a_decision_is_recognised_however_it_is_written(written: str) -> None:
    """All of these name the one decision."""
    assert identities(written) == ["ADR-0012"]


@pytest.mark.parametrize(
    ("written", "identity"),
    [
        ("ADR0012D", "ADR-0012D"),
        ("ADR.12D", "ADR-0012D"),
        ("adr-12d", "ADR-0012D"),
        ("DAR 12", "ADR-0012D"),
        ("DAR-0012", "ADR-0012D"),
        ("DAR.12D", "ADR-0012D"),
        ("PCP.10", "PCP-0010"),
        ("pcp10", "PCP-0010"),
        ("PCP-0010D", "PCP-0010D"),
        ("principle 10", "PCP-0010"),
        ("principe 10", "PCP-0010"),
        ("beginsel 10", "PCP-0010"),
        ("Prinzip 10", "PCP-0010"),
        ("Grundsatz 10", "PCP-0010"),
        ("policy 3", "POL-0003"),
        ("POL.3", "POL-0003"),
        ("beleid 3", "POL-0003"),
        ("Richtlinie 3", "POL-0003"),
        ("besluit 50", "ADR-0050"),
        ("Entscheidung 7", "ADR-0007"),
        ("ADR.0", "ADR-0000"),
        ("ADR.0000", "ADR-0000"),
    ],
)
def test_kind_number_and_record_are_told_apart(written: str, identity: str) -> None:
    """A record is not its decision; a principle is not the decision of that number."""
    assert identities(written) == [identity]


@pytest.mark.parametrize(
    "text",
    [
        "What is IEC 61970?",
        "Do we allow TLS 1.2?",
        "ISO 27001",
        "OAuth 2.0",
        "What was decided in 2025?",
        "Which decisions were taken in 2025?",
        "List 10 decisions",
        "cadre 12",
        "quadratic 12",
        "ADR",
        "adr-template",
        "the radar 12 station",
        "policyholder 3",
        "ADR-12th",
        "",
    ],
)
def test_a_number_beside_other_words_is_no_reference(text: str) -> None:
    """Standards, versions, years and counts name no document."""
    assert find_references(text) == ()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("10", 10),
        ("10?", 10),
        ("#10", 10),
        ("nr. 10", 10),
        ("0010", 10),
        ("What does 10 say?", 10),
        ("show me 10", 10),
        ("wat zegt 10?", 10),
        ("was steht in 10?", 10),
        ("vertel over nummer 10", 10),
        ("Who approved 10?", 10),
    ],
)
def test_a_bare_number_names_no_kind(text: str, number: int) -> None:
    """It may fit several kinds, so it stays undecided."""
    (reference,) = find_references(text)
    assert (reference.kind, reference.number, reference.identity) == (None, number, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Compare ADR.12 with principle 10", ["ADR-0012", "PCP-0010"]),
        ("principle 10 versus ADR.12", ["PCP-0010", "ADR-0012"]),
        ("ADR 12, ADR 27 and DAR 12", ["ADR-0012", "ADR-0027", "ADR-0012D"]),
        ("ADR.12 (that is adr-0012, decision 12)", ["ADR-0012"]),
        ("besluit 12 en principe 12", ["ADR-0012", "PCP-0012"]),
    ],
)
def test_several_references_come_in_order_each_once(text: str, expected: list[str]) -> None:
    """As they stand in the text, whatever form each takes."""
    assert identities(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ADRs 12 and 27", ["ADR-0012", "ADR-0027"]),
        ("decisions 12, 27 and 28", ["ADR-0012", "ADR-0027", "ADR-0028"]),
        ("Compare ADR.12 and 27", ["ADR-0012", "ADR-0027"]),
        ("besluiten 12 en 27", ["ADR-0012", "ADR-0027"]),
        ("principes 10 en 12", ["PCP-0010", "PCP-0012"]),
        ("Entscheidungen 7 und 12", ["ADR-0007", "ADR-0012"]),
        ("policies 3 & 4", ["POL-0003", "POL-0004"]),
    ],
)
def test_a_plural_names_every_number_that_follows(text: str, expected: list[str]) -> None:
    """'ADRs 12 and 27' are two documents: to hear one of them would be half an answer."""
    assert identities(text) == expected


def test_a_reference_remembers_how_it_was_written() -> None:
    """A reader is answered in the words of the question."""
    (reference,) = find_references("What about besluit nr. 50?")
    assert reference.written == "besluit nr. 50"


KINDS = st.sampled_from([DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY])
IDENTITIES = st.builds(Identity, kind=KINDS, number=st.integers(0, 999_999), approval=st.booleans())


@given(IDENTITIES)
def test_every_identity_is_read_back_as_itself(identity: Identity) -> None:
    """What the guard writes, the guard understands."""
    assert [ref.identity for ref in find_references(str(identity))] == [identity]


@given(IDENTITIES, st.sampled_from(["What does {} say?", "Wat zegt {}?", "Zeige {}", "({}), {}"]))
def test_a_sentence_around_it_changes_nothing(identity: Identity, sentence: str) -> None:
    """And a repetition adds nothing."""
    found = find_references(sentence.format(identity, identity))
    assert [ref.identity for ref in found] == [identity]


@given(st.text())
def test_any_text_has_references_or_none(text: str) -> None:
    """Never an error; each found once, with a number."""
    found = find_references(text)
    assert len({(ref.kind, ref.number, ref.approval) for ref in found}) == len(found)
    assert all(ref.number >= 0 for ref in found)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("What does ADR.12 say about mapping?", "What does say about mapping?"),
        ("besluit 12 over TLS 1.2", "over TLS 1.2"),
        ("nothing named here", "nothing named here"),
    ],
)
def test_what_else_is_asked_remains(text: str, rest: str) -> None:
    """Without its references a question holds only what it asks of them."""
    assert strip_references(text) == rest


@given(IDENTITIES)
def test_no_reference_remains(identity: Identity) -> None:
    """What was found is taken out."""
    assert find_references(strip_references(f"Does {identity} mention hydrogen")) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ADR's 12 en 13", ["ADR-0012", "ADR-0013"]),
        ("ADRs 12-15", ["ADR-0012", "ADR-0013", "ADR-0014", "ADR-0015"]),
        ("ADR 12 t/m 14", ["ADR-0012", "ADR-0013", "ADR-0014"]),
        ("principles 10 through 12, please", ["PCP-0010", "PCP-0011", "PCP-0012"]),
        ("Entscheidungen 7 bis 9 und 12", ["ADR-0007", "ADR-0008", "ADR-0009", "ADR-0012"]),
        ("ADR 12-2025", ["ADR-0012"]),
        ("ADRs 15-12", ["ADR-0015"]),
        ("policy 3-5 years", ["POL-0003"]),
    ],
)
def test_a_range_names_every_number_in_it(text: str, expected: list[str]) -> None:
    """Unless it is long, backwards, or something else than a range."""
    assert identities(text) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("What do ADR-0015 and 0016 say about TLS?", ["ADR-0015", "ADR-0016"]),
        ("What does ADR-0015 and 16 bits say?", ["ADR-0015"]),
        ("Do ADR 15/16 agree?", ["ADR-0015"]),
        ("ADR 15/16", ["ADR-0015", "ADR-0016"]),
        ("ADR 0016-D", ["ADR-0016D"]),
        ("Under the policy 30 days are allowed, right?", []),
        ("Gilt nach der Entscheidung 24 Stunden Frist?", []),
        ("Is volgens het beleid 12 tekens genoeg?", []),
        ("policy 3 years ago", []),
        ("Does policy 3 hold for 30 days?", ["POL-0003"]),
    ],
)
def test_a_number_is_a_reference_or_a_measure(written: str, expected: list[str]) -> None:
    """Zeros in front make a reference of it, a unit behind a measure."""
    assert identities(written) == expected
