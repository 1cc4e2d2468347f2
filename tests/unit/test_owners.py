"""An owner is named in many ways, and compared by identity: never by likeness."""

from __future__ import annotations

import pytest

from elysia_guard.language.owners import named_owners

OWNERS = (
    "AI Governance Board",
    "Chief Information Security Office",
    "Data Council",
    "Data Office",
    "Procurement and Security Council",
    "Security Architecture Group",
    "Stichting Aardgas Gelderland",
)


@pytest.mark.parametrize(
    ("written", "owners"),
    [
        ("Chief Information Security Office", ["Chief Information Security Office"]),
        ("the chief information security officer", ["Chief Information Security Office"]),
        ("the CISO office", ["Chief Information Security Office"]),
        ("ciso", ["Chief Information Security Office"]),
        ("de CISO-afdeling", ["Chief Information Security Office"]),
        ("dem CISO-B\u00fcro", ["Chief Information Security Office"]),
        ("the office of the CISO", ["Chief Information Security Office"]),
        ("our data council", ["Data Council"]),
        ("Data Office", ["Data Office"]),
        ("Procurement and Security Council", ["Procurement and Security Council"]),
        ("PSC", ["Procurement and Security Council"]),
        ("Security-Architecture-Group", ["Security Architecture Group"]),
        ("the Data Council and the CISO", ["Data Council", "Chief Information Security Office"]),
        ("data", ["Data Office"]),
    ],
)
def test_an_owner_is_known_by_its_name(written: str, owners: list[str]) -> None:
    """Whatever the case, the article and the ending; an acronym stands for its words."""
    known = [owner for owner in OWNERS if not owner.startswith("Stichting")]
    assert list(named_owners(written, known)) == owners


@pytest.mark.parametrize(
    "written",
    ["", "the", "the office", "Data Group", "Datacouncil", "security", "S", "Data Council and X"],
)
def test_what_is_merely_alike_is_no_owner(written: str) -> None:
    """Nor is one of two, where the other is unknown."""
    assert named_owners(written, OWNERS) == ()


def test_a_name_that_fits_two_names_both() -> None:
    """An acronym may; the same name, told twice, is one."""
    both = ("Security Architecture Group", "Stichting Aardgas Gelderland")
    assert named_owners("SAG", OWNERS) == both
    assert named_owners("SAG", [*both, *both]) == both


@pytest.mark.parametrize(
    ("written", "owners"),
    [
        ("the data office", ("Data Office",)),
        ("CISO", ("Chief Information Security Office",)),
        ("ciso", ()),
        ("data", ()),
        ("security architecture", ()),
        ("SECURITY", ()),
    ],
)
def test_where_a_subject_may_be_meant_the_whole_name_is_needed(
    written: str, owners: tuple[str, ...]
) -> None:
    """Or its acronym, in capitals: 'data policies' are about data."""
    assert named_owners(written, OWNERS, in_full=True) == owners
