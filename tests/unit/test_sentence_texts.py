"""The sentences of a passage, as they are embedded."""

from __future__ import annotations

import pytest
from tests.unit.small_world import DECISION, document

from elysia_guard.adapters.documents import sentence_texts
from elysia_guard.domain.document import SectionRole

LONG = "The connection between a station and its control room is encrypted with nothing but TLS."
OTHER = "Certificates of devices that cannot be visited are valid for ten years at the very most."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{LONG} {OTHER}", ("Use TLS\n" + LONG, "Use TLS\n" + OTHER)),
        (f"- {LONG}\n- {OTHER}", ("Use TLS\n- " + LONG, "Use TLS\n- " + OTHER)),
        (f"{LONG} So it is.", ("Use TLS\n" + LONG, "Use TLS\nSo it is.")),
        (f"So it is. {LONG}", ()),
        (LONG, ()),
        ("", ()),
    ],
    ids=["two", "items", "a short end", "a short beginning", "one", "none"],
)
def test_a_sentence_stands_under_its_title(text: str, expected: tuple[str, ...]) -> None:
    """A short one stands with the next; a passage of one sentence has none of its own."""
    (passage,) = document(DECISION, 27, "Use TLS", (SectionRole.SUBSTANCE, text))
    assert sentence_texts(passage) == expected


def test_without_a_title_a_sentence_stands_alone() -> None:
    """No empty line comes first."""
    (passage,) = document(DECISION, 27, "", (SectionRole.SUBSTANCE, f"{LONG} {OTHER}"))
    assert sentence_texts(passage) == (LONG, OTHER)
