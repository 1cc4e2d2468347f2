"""IR0003's tables of questions, and what holds of the reading of any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.shipped_reading import read as read_whole
from tests.unit.small_world import DECISION, POLICY, PRINCIPLE, document, question, read, term_of

from elysia_guard.domain.document import SectionRole
from elysia_guard.domain.question import IntentKind, Lang
from elysia_guard.domain.reading import Listing, Named, kinds_of
from elysia_guard.language.pack import langs
from elysia_guard.reading.forms import read_form
from elysia_guard.reading.listings import listing

TERMINOLOGY, ENTITY, LIST = IntentKind.TERMINOLOGY, IntentKind.ENTITY, IntentKind.LIST
SINGLE, CROSS, OPEN = (
    IntentKind.SINGLE_COLLECTION,
    IntentKind.CROSS_COLLECTION,
    IntentKind.OPEN,
)


@pytest.mark.parametrize(
    ("query", "term"),
    [
        pytest.param("What is CIMXML?", "cimxml", id="INTENT-01"),
        pytest.param("Define voltage regulation", "voltage regulation", id="INTENT-02"),
        pytest.param("ADR-0031", None, id="INTENT-03"),
        pytest.param("List ADRs about security", None, id="INTENT-04"),
        pytest.param("What is the TLS decision in ADRs?", None, id="INTENT-05"),
        pytest.param("What should I use for encryption?", None, id="INTENT-06"),
        pytest.param("CIM term transformer", "transformer", id="INTENT-07"),
    ],
)
def test_intent_table(query: str, term: str | None) -> None:
    """IR0003: whether a question asks for a meaning, and of which term."""
    asks = read(query)
    assert (asks.kind is TERMINOLOGY) == (term is not None)
    assert (term_of(asks) or "").casefold() == (term or "") or asks.kind is OPEN


@pytest.mark.parametrize(
    ("query", "kind", "term"),
    [
        pytest.param("What is CIMXML?", TERMINOLOGY, "CIMXML", id="terminology_hit"),
        pytest.param("What is FooBarBaz?", TERMINOLOGY, "FooBarBaz", id="terminology_miss"),
        pytest.param("What is CIM?", TERMINOLOGY, "CIM", id="terminology_ambiguous"),
        pytest.param(
            "Define __TEST_SKOSMOS_TIMEOUT__",
            TERMINOLOGY,
            "__TEST_SKOSMOS_TIMEOUT__",
            id="terminology_timeout",
        ),
        pytest.param(
            "Define the TLS requirements in ADRs", SINGLE, None, id="non_terminology_define"
        ),
        pytest.param(
            "Define the encryption requirements in ADR-0015", ENTITY, None, id="GS-NEG-001"
        ),
        pytest.param("List all principles about security", LIST, None, id="non_terminology_list"),
        pytest.param("List all ADRs about authentication", LIST, None, id="GS-NEG-002"),
        pytest.param("What is decided about TLS versions?", SINGLE, None, id="GS-NEG-003"),
        pytest.param("What does ADR-0012 decide?", ENTITY, None, id="adr_retrieval"),
        pytest.param(
            "What are the interoperability principles?", LIST, None, id="principle_retrieval"
        ),
        pytest.param("What is the data retention policy?", SINGLE, None, id="policy_retrieval"),
        pytest.param("What does ADR-9999 decide?", ENTITY, None, id="entity_not_found"),
        pytest.param("How do we ensure grid stability?", OPEN, None, id="semantic_search"),
        pytest.param("Security decisions and principles", CROSS, None, id="cross_collection"),
    ],
)
def test_the_categories_of_the_golden_set(query: str, kind: IntentKind, term: str | None) -> None:
    """IR0003's example of each of its twelve categories takes the way that the category names."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (kind, term)


def test_the_caller_may_know_the_kind() -> None:
    """A question to one collection stays there: a bare number is of that kind, a term a search."""
    (reference,) = read("10", kind=PRINCIPLE).references
    assert str(reference.identity) == "PCP-0010"
    asks = read("What is CIM?", kind=DECISION)
    assert (asks.kind, kinds_of(asks), term_of(asks)) == (SINGLE, (DECISION,), None)


def test_a_given_kind_needs_no_name() -> None:
    """Where only policies may be asked, 'how many are accepted' is of policies."""
    assert listing("how many are accepted", lang="en") is None
    found = listing("how many are accepted", lang="en", given=POLICY)
    assert isinstance(found, Listing)
    assert (found.kinds, found.counted) == ((POLICY,), True)


@pytest.mark.parametrize(
    ("asked", "statuses", "denied"),
    [
        ("everything still pending, list please", ("pending",), ()),
        ("which decisions are pending or rejected?", ("rejected", "pending"), ()),
        ("which decisions are not pending?", (), ("pending",)),
        ("which decisions are on hold?", ("on hold",), ()),
    ],
)
def test_a_status_that_only_documents_know(
    asked: str, statuses: tuple[str, ...], denied: tuple[str, ...]
) -> None:
    """It is asked for, or denied, in the words of the documents."""
    documents = [
        document(DECISION, number, "Rule", (SectionRole.SUBSTANCE, "So."), status=status)[
            0
        ].document
        for number, status in enumerate(("On hold (for now)", "Pending"), start=1)
    ]
    found = listing(asked, lang="en", documents=documents)
    assert isinstance(found, Listing)
    assert (found.filters.statuses, found.filters.denied) == (statuses, denied)


@pytest.mark.parametrize(
    ("asked", "lang", "since", "until"),
    [
        ("principles from Nov 2025?", "en", "2025-11", "2025-11"),
        ("Welke besluiten stammen uit 2023?", "nl", "2023", "2023"),
        ("Welke besluiten zijn in juli 2025 uitgegeven?", "nl", "2025-07", "2025-07"),
        ("Welche Entscheidungen wurden im Jan. 2024 erlassen?", "de", "2024-01", "2024-01"),
        ("ADR \u00e9mis en d\u00e9cembre 2025", "fr", "2025-12", "2025-12"),
        ("adr de 2024 lesquels", "fr", "2024", "2024"),
    ],
)
def test_a_list_of_a_period_in_few_words(asked: str, lang: str, since: str, until: str) -> None:
    """A kind and a period ask for a list, however the documents came to be."""
    found = listing(asked, lang=lang)
    assert isinstance(found, Listing)
    assert (found.filters.since, found.filters.until, found.topic) == (since, until, "")


@pytest.mark.parametrize("asked", ["Is the policy of 2024 accepted?", "ADR accepted when?"])
def test_what_is_said_of_one_document_is_no_list(asked: str) -> None:
    assert listing(asked, lang="en") is None


PIECES = st.sampled_from(
    """what is define list all the a of ADR.12 adr principle 10 decision policy TLS who approved
    hi thanks wat is een besluit betekent was ist Prinzip
    zeige ? . , ( ) ' \u201c \u00e9 \u2011""".split()
)
QUERIES = st.text() | st.lists(PIECES, max_size=12).map(" ".join)


@given(QUERIES)
def test_any_text_is_read_and_always_alike(text: str) -> None:
    """Never an error; the same words give the same reading."""
    first = read_form(question(text))
    assert first == read_form(question(text))
    asks = first.asks
    assert isinstance(asks.kind, IntentKind)
    assert isinstance(asks, Named) == (asks.kind is ENTITY)
    assert not isinstance(asks, Named) or asks.references
    assert asks.kind is not TERMINOLOGY or term_of(asks)
    assert read_form(question(text)).reason


@given(st.text(max_size=80), st.sampled_from(langs()))
def test_any_text_is_read_whole(text: str, lang: Lang) -> None:
    """Over what ships, in any language: never an error, and always alike."""
    assert read_whole(text, lang) == read_whole(text, lang)
