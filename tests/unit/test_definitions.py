"""Questions for a meaning that name the term first and ask afterwards, and their look-alikes."""

from __future__ import annotations

import pytest
from tests.unit.small_world import read, term_of

from elysia_guard.domain.question import IntentKind

TERMINOLOGY, OPEN = IntentKind.TERMINOLOGY, IntentKind.OPEN


@pytest.mark.parametrize(
    ("query", "term"),
    [
        # spoken of, and asked in another sentence or clause
        ("Everyone here says TSO, what is that?", "TSO"),
        (
            "Our vendor calls it 'eventual consistency', what does that mean?",
            "eventual consistency",
        ),
        ("heard 'droop control' at lunch - definition?", "droop control"),
        ("HSM, what is that?", "HSM"),
        ("the abbreviation SAIFI, what does it stand for", "SAIFI"),
        ("Mijn collega noemde 'blindvermogen'. Wat bedoelt hij daarmee?", "blindvermogen"),
        ("RTU duikt in elk document op, waar staat dat voor?", "RTU"),
        ("Auf der Folie steht 'Inselbetrieb', was hei\u00dft das?", "Inselbetrieb"),
        ("VNB, wof\u00fcr steht das?", "VNB"),
        # the question names the term, and more is said around it
        ("What is a busbar? Somebody put it in a drawing", "busbar"),
        ("I know what a substation is, but what is a bay?", "bay"),
        ("What does GTV stand for on my invoice?", "GTV"),
        ("What do we mean by hallucinations when we talk about models?", "hallucinations"),
        ("What is curative action in our glossary?", "curative action"),
        ("A customer asks what feed-in means", "feed-in"),
        ("De klant vraagt wat salderen betekent, hebben we daar een definitie van?", "salderen"),
        ("wat is een warmtenet precies volgens onze begrippenlijst?", "warmtenet"),
        ("Kunnen jullie vertellen wat een energiehub is? Kwam ik tegen", "energiehub"),
        ("Was sind Stammdaten, also was versteht man darunter?", "Stammdaten"),
        ("Was bedeutet Blindleistung? Steht in der Ausschreibung", "Blindleistung"),
    ],
)
def test_a_meaning_is_asked_in_any_clause(query: str, term: str) -> None:
    """Of what was quoted, of what somebody said, or of what the clause itself names."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (TERMINOLOGY, term)


@pytest.mark.parametrize(
    "query",
    [
        "what does that mean for us",
        "The broker went down, what does that mean for our readings?",
        "If a supplier misses the deadline, what is allowed?",
        "Our certificate expired yesterday. What is the procedure?",
        "I see errors in the log, what should I do about it?",
        "They said we may not use TLS 1.0, is that right?",
        "Everybody says that readings must be kept, how long is that?",
        "Our auditor asked about retention, what is the rule?",
        "The log shows errors, what is that?",
        "Why do we prefer Kafka over RabbitMQ?",
        "Welke regels gelden er, en wat betekent dat voor ons?",
        "De gateway is vervangen, wat moeten we nu doen?",
        "Unser Zertifikat ist abgelaufen, was hei\u00dft das f\u00fcr die Leitstelle?",
        "Was hei\u00dft VNB, und wof\u00fcr steht \u00dcNB?",
        "What are they?",
        "What is needed? What does redispatch mean? Who pays?",
        "How does an aggregator work? What does an aggregator do?",
    ],
)
def test_what_happened_and_what_to_do_is_no_meaning(query: str) -> None:
    """A wrong 'terminology' refuses what the documents would have answered."""
    asks = read(query)
    assert asks.kind is OPEN


@pytest.mark.parametrize(
    "query",
    [
        "what does ADR-0012 mean for my team",
        "ADR-0012 mentions a canonical model, what is that?",
        "The principle mentions loose coupling, what does that mean?",
        "Die Richtlinie spricht von Klassen, was hei\u00dft das?",
        "What is the difference between the old and the new policy?",
        "Wat betekent het principe voor ons team?",
    ],
)
def test_what_a_document_means_is_asked_of_documents(query: str) -> None:
    """Whatever words it is asked in."""
    asks = read(query)
    assert asks.kind not in (TERMINOLOGY, OPEN)
