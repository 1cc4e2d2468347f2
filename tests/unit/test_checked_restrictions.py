"""Every restriction that a question sets for a list is applied, or refused as uncheckable."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from tests.tables import cases
from tests.unit.small_world import DECISION, POLICY, World, cited, document, index, question

from elysia_guard.domain.document import Passage, SectionRole
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Link, LinkWay, Owner, Party, Reference, Role, Scope
from elysia_guard.domain.reading import Listing
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.stages import listing

BARE = {"owner": "", "status": "", "date": "", "lang": ""}


def decision(number: int, **stated: str) -> list[Passage]:
    """A decision that states of itself what is given, and nothing else."""
    made = document(DECISION, number, f"Rule {number}", (SectionRole.SUBSTANCE, "It is so."))
    return [
        replace(item, document=replace(item.document, **{**BARE, **stated}))  # type: ignore[arg-type]
        for item in made
    ]


def ask(*passages: list[Passage], asked: str) -> RAGResponse:
    return World(passages=[item for each in passages for item in each]).ask(asked)


TOLD = {
    "en": {"owner": "an owner", "status": "a status", "date": "a date", "lang": "its language"},
    "nl": {"owner": "een eigenaar", "status": "een status", "date": "datum", "lang": "de taal"},
    "de": {"owner": "Eigentümer", "status": "Status", "date": "Datum", "lang": "Sprache"},
}


@pytest.mark.parametrize("row", cases("restrictions", "unchecked"))
def test_a4_a_restriction_that_no_document_lets_be_checked_is_refused(row: dict[str, str]) -> None:
    """Where no document states what a list is restricted by, the list is refused, and says so."""
    response = ask(decision(1), decision(2), asked=row["asked"])
    assert response.refusal_reason is RefusalReason.NO_RESULTS
    assert response.sources == ()
    assert TOLD[response.lang][row["names"]] in response.answer
    assert "2 " in response.answer


@pytest.mark.parametrize(
    ("asked", "stated", "other"),
    [
        ("all decisions owned by Marketing", {"owner": "Marketing"}, {"owner": "Sales"}),
        ("Which decisions are accepted?", {"status": "accepted"}, {"status": "rejected"}),
        ("Which decisions were taken in 2023?", {"date": "2023-05-01"}, {"date": "2024-01-01"}),
        ("List all decisions in Dutch", {"lang": "nl"}, {"lang": "en"}),
    ],
)
def test_a4_documents_that_are_silent_are_left_out_and_told(
    asked: str, stated: dict[str, str], other: dict[str, str]
) -> None:
    """Where some documents do not state it, they are not listed, and the answer says how many."""
    response = ask(decision(1, **stated), decision(2, **other), decision(3), asked=asked)
    assert cited(response) == ["ADR-0001"]
    (warning,) = response.warnings
    assert warning.type == "NOT_STATED"
    assert "1 of 3 decisions" in warning.message
    assert warning.message in response.answer


def test_a4_a_month_is_not_checked_by_a_year() -> None:
    """A document that states a year alone is in no month of it, and outside those of others."""
    year = (decision(1, date="2024"), decision(2, date="2023"))
    response = ask(*year, decision(3, date="2024-03-05"), asked="Decisions since March 2024")
    assert cited(response) == ["ADR-0003"]
    assert [item.type for item in response.warnings] == ["NOT_STATED"]
    assert ask(year[0], asked="Decisions since March 2024").refused


def test_a4_owners_of_other_kinds_do_not_answer_for_this_one() -> None:
    """Where policies state no owner, who owns decisions does not tell who owns policies."""
    silent = document(POLICY, 1, "T", (SectionRole.SUBSTANCE, "Said."), owner="")
    asked = "List all policies owned by Marketing"
    response = ask(decision(1, owner="Marketing"), silent, asked=asked)
    assert response.refused
    assert "1 policy" in response.answer


def test_a4_with_nothing_to_list_nothing_is_unchecked() -> None:
    """Where there are no documents of the kind, that is the reason of the refusal."""
    response = ask(decision(1), asked="Which policies are accepted?")
    assert "There are no policies" in response.answer


FIRST = Reference(number=1, written="ADR-1", kind=DECISION)
OF_SCOPE: dict[str, Scope] = {
    "statuses": Scope(statuses=("accepted",)),
    "denied": Scope(denied=("accepted",)),
    "lang": Scope(lang="nl"),
    "since": Scope(since="2024"),
    "until": Scope(until="2024"),
    "owner": Scope(owner=Owner(written="Marketing")),
    "party": Scope(party=Party(written="Marketing", role=Role.APPROVER)),
    "approval": Scope(approval=True),
    "recorded": Scope(recorded=True),
    "titled": Scope(titled=True),
    "link": Scope(link=Link(way=LinkWay.NAMING, reference=FIRST)),
}


@pytest.mark.parametrize("name", [item.name for item in fields(Scope)])
async def test_a4_no_restriction_is_lost_between_reading_and_list(name: str) -> None:
    """Each restriction that can be read changes the list, or is told as one that cannot."""
    passages = [*decision(1), *decision(2)]

    async def listed(scope: Scope) -> Evidence:
        topic = "hydrogen" if scope.titled else ""
        asked = Listing(kinds=(DECISION,), filters=scope, topic=topic)
        return await listing.list_documents(index(passages), asked, question("x"), ())

    assert len((await listed(Scope())).documents) == 2
    evidence = await listed(OF_SCOPE[name])
    assert evidence.documents == ()
    unchecked = [item for item in evidence.restrictions if not item.is_checked]
    assert bool(unchecked) == (name not in {"approval", "recorded", "titled", "link"})


@pytest.mark.parametrize("row", cases("restrictions", "free"))
def test_a4_a_restriction_that_is_not_understood_does_not_list_everything(
    row: dict[str, str],
) -> None:
    """What is asked for beside the kind of document is never passed over in a list of all."""
    stated = {"status": "accepted", "date": "2024-01-01", "owner": "Sales", "lang": row["lang"]}
    response = ask(decision(1, **stated), decision(2, **stated), asked=row["asked"])
    assert not (response.intent == "list" and response.sources), response.answer
