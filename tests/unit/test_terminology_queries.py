"""A question about documents is none about a term, whatever terms stand in it (IR0003, Gap A)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.shipped import shipped_guard

from elysia_guard import Guard, is_terminology_query

IR0003 = {
    "What is CIMXML?": "cimxml",
    "Define voltage regulation": "voltage regulation",
    "CIM term transformer": "transformer",
    "What is CIM?": "cim",
    "Meaning of asset management": "asset management",
    "Explain the term CGMES": "cgmes",
    "What does IEC 61970 mean?": "iec 61970",
    "ADR-0031": None,
    "List ADRs about security": None,
    "What is the TLS decision in ADRs?": None,
    "What should I use for encryption?": None,
    "What does ADR.0031 decide?": None,
    "Show all principles": None,
    "What is decided about TLS?": None,
    "What is in the CIM policy?": None,
    "What is the data retention policy?": None,
}
MEANINGS = {
    "What is a busbar?": "busbar",
    "Wat is een transformator?": "transformator",
    "Wat betekent congestie?": "congestie",
    "Was bedeutet Verschl\u00fcsselung?": "verschl\u00fcsselung",
    "Que signifie d\u00e9lestage ?": "d\u00e9lestage",
    "definition of asset": "asset",
}
OF_DOCUMENTS = [
    "What is encryption in ADR-0015?",
    "What does encryption mean in decision 15?",
    "What does encryption mean in our decisions?",
    "Define authentication according to the access control policy",
    "What is the meaning of encryption in principle 14?",
    "Define encryption as POL-0003 uses it",
    "What does authentication mean in these documents?",
    "Wat betekent versleuteling in besluit 15?",
    "Wat betekent authenticatie in onze beleidsregels?",
    "Wat is versleuteling volgens ADR-0015?",
    "Was bedeutet Verschl\u00fcsselung in ADR-0015?",
    "Was bedeutet Authentifizierung in unseren Richtlinien?",
    "Que signifie chiffrement dans ADR-0015 ?",
    "Que signifie authentification dans nos politiques ?",
]
COMPARED = [
    "How does encryption relate to authentication in ADR-0015?",
    "Compare our decisions about encryption and authentication",
    "Why do our decisions about encryption and authentication differ?",
    "What is the difference between encryption and authentication according to the CIM policy?",
    "How do encryption and authentication differ in number 15?",
    "Compare encryption and authentication in Security by design",
    "Compare encryption with authentication in our principles",
    "Is encryption the same as authentication in ADR 17?",
    "encryption vs authentication in ADR-0015",
    "What do these documents say of encryption versus authentication?",
    "Where do our policies distinguish encryption from authentication?",
    "Wat is het verschil tussen versleuteling en authenticatie in besluit 15?",
    "Vergelijk versleuteling en authenticatie in onze beleidsregels",
    "Hoe verhoudt versleuteling zich tot authenticatie in ADR-0017?",
    "Vergleiche Verschl\u00fcsselung und Authentifizierung in unseren Entscheidungen",
    "Was ist der Unterschied zwischen Verschl\u00fcsselung und Authentifizierung in ADR-0015?",
    "Quelle est la diff\u00e9rence entre chiffrement et authentification dans ADR-0015 ?",
    "Comparez le chiffrement et l'authentification dans nos d\u00e9cisions",
]
OF_TERMS = [
    "What is the difference between encryption and authentication?",
    "encryption vs authentication",
    "Compare encryption with authentication",
    "Wat is het verschil tussen versleuteling en authenticatie?",
]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    with shipped_guard(tmp_path_factory.mktemp("terms") / "index.sqlite") as guard:
        yield guard


@pytest.mark.parametrize(("asked", "term"), [*IR0003.items(), *MEANINGS.items()])
def test_a_question_for_a_meaning_tells_its_term(asked: str, term: str | None) -> None:
    """By IR0003's own cases, and in every language; what is excluded has none."""
    assert is_terminology_query(asked) == (term is not None, term)


@pytest.mark.parametrize("asked", [*OF_DOCUMENTS, *COMPARED])
def test_a_number_or_a_kind_beside_the_term_excludes_it(asked: str) -> None:
    """The exclusions come before every form."""
    assert is_terminology_query(asked) == (False, None)


def test_a_title_beside_the_term_excludes_it() -> None:
    """Where the titles are known."""
    asked = "Define encryption as used in Least privilege"
    assert is_terminology_query(asked, titles=["Least privilege"]) == (False, None)
    assert is_terminology_query("What is least privilege?", titles=["Least privilege"])[0]


@pytest.mark.parametrize("asked", [*OF_DOCUMENTS, *COMPARED])
def test_a_question_about_documents_is_not_answered_by_the_vocabulary(
    shipped: Guard, asked: str
) -> None:
    """What documents say, or a refusal."""
    reply = shipped.ask(asked)
    assert "Vocabulary" not in {source.doc_type for source in reply.sources}
    assert reply.outcome != "asserted"


@pytest.mark.parametrize("asked", OF_TERMS)
def test_terms_alone_are_still_compared_by_their_definitions(shipped: Guard, asked: str) -> None:
    """Nothing of documents is said there."""
    reply = shipped.ask(asked)
    assert {source.doc_type for source in reply.sources} == {"Vocabulary"}
