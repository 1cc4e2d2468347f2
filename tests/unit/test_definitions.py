"""Questions for a meaning that name the term first and ask afterwards, and their look-alikes."""

from __future__ import annotations

import pytest
from tests.unit.small_world import read, term_of

from elysia_guard.domain.question import IntentKind
from elysia_guard.language import definitions

TERMINOLOGY, OPEN = IntentKind.TERMINOLOGY, IntentKind.OPEN


@pytest.mark.parametrize(
    ("query", "term"),
    [
        # spoken of, and asked in another sentence or clause
        ("Everyone here says TSO, what is that?", "TSO"),
        ("They keep talking about redispatch. What do they mean by it?", "redispatch"),
        ("My manager talks about cable pooling all day. What on earth is that?", "cable pooling"),
        ("I keep hearing about zero trust, is there a definition?", "zero trust"),
        ("Flexibility keeps popping up in meetings; meaning please", "Flexibility"),
        (
            "Our vendor calls it 'eventual consistency', what does that mean?",
            "eventual consistency",
        ),
        ("Someone dropped the term merit order, can you explain that term?", "merit order"),
        ("heard 'droop control' at lunch - definition?", "droop control"),
        ("What does that mean? The lawyers mention a direct line.", "direct line"),
        ("The team lead wants HSM modules. What's meant by that?", "HSM"),
        ("HSM, what is that?", "HSM"),
        ("the abbreviation SAIFI, what does it stand for", "SAIFI"),
        ("Ze hebben het steeds over congestiemanagement, wat is dat?", "congestiemanagement"),
        ("Mijn collega noemde 'blindvermogen'. Wat bedoelt hij daarmee?", "blindvermogen"),
        ("Ik hoor steeds over netcongestie, hebben we daar een definitie van?", "netcongestie"),
        ("RTU duikt in elk document op, waar staat dat voor?", "RTU"),
        ("Iedereen praat over redispatch. Definitie graag", "redispatch"),
        ("de aannemer zegt aansluitwaarde, wat wordt daarmee bedoeld?", "aansluitwaarde"),
        ("Alle reden von Redispatch, was versteht man darunter?", "Redispatch"),
        ("Auf der Folie steht 'Inselbetrieb', was hei\u00dft das?", "Inselbetrieb"),
        (
            "Sektorkopplung taucht \u00fcberall auf. Gibt es daf\u00fcr eine Definition?",
            "Sektorkopplung",
        ),
        ("VNB, wof\u00fcr steht das?", "VNB"),
        # the question names the term, and more is said around it
        ("What is a busbar? Somebody put it in a drawing", "busbar"),
        ("I know what a substation is, but what is a bay?", "bay"),
        ("what does SAIFI stand for and what does it tell us", "SAIFI"),
        ("What does GTV stand for on my invoice?", "GTV"),
        ("What do we mean by hallucinations when we talk about models?", "hallucinations"),
        ("What is curative action in our glossary?", "curative action"),
        ("A customer asks what feed-in means", "feed-in"),
        ("De klant vraagt wat salderen betekent, hebben we daar een definitie van?", "salderen"),
        ("wat is een warmtenet precies volgens onze begrippenlijst?", "warmtenet"),
        ("Kunnen jullie vertellen wat een energiehub is? Kwam ik tegen", "energiehub"),
        ("Was sind Stammdaten, also was versteht man darunter?", "Stammdaten"),
        ("Was bedeutet Blindleistung? Steht in der Ausschreibung", "Blindleistung"),
        ("in een contract staat 'netvlak', wat is dat en gebruiken we dat woord nog?", "netvlak"),
    ],
)
def test_a_meaning_is_asked_in_any_clause(query: str, term: str) -> None:
    """Of what was quoted, of what somebody said, or of what the clause itself names."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (TERMINOLOGY, term)


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("I see an mRID on every object. What is it?", "mRID"),
        ("Reading a drawing and it is full of busbars, what are those?", "busbars"),
        ("Ik las over eilandbedrijf. Wat is dat?", "eilandbedrijf"),
        ("The vendor mentioned a merit order, what is that and how do we get one?", "merit order"),
        ("What does an aggregator do?", "aggregator"),
        ("Wat doet een programmaverantwoordelijke?", "programmaverantwoordelijke"),
        ("was macht ein Bilanzkreisverantwortlicher", "Bilanzkreisverantwortlicher"),
        ("He drew a busbar thing for me. Definition please", "He drew a busbar thing for me."),
    ],
)
def test_what_may_be_a_term_is_asked_of_the_vocabulary_first(query: str, term: str) -> None:
    """And of the documents, where the vocabulary does not know it."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (OPEN, term)


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
    assert definitions.terminology_term(query) is None


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
    assert definitions.maybe_term(query) is None or term_of(asks) is None


@pytest.mark.parametrize(
    ("query", "pair"),
    [
        ("What is the difference between a busbar and a bay?", ("busbar", "bay")),
        (
            "difference between 'active power' and apparent power",
            ("active power", "apparent power"),
        ),
        ("data owner vs data steward, who is who? I mix them up", ("data owner", "data steward")),
        ("SAIDI and SAIFI, what's the difference?", ("SAIDI", "SAIFI")),
        ("How does curtailment differ from redispatch?", ("curtailment", "redispatch")),
        ("wat is het verschil tussen een TSO en een DSO?", ("TSO", "DSO")),
        ("Weet je wat het verschil is tussen een mof en een las?", ("mof", "las")),
        ("Waarin verschilt een scheider van een schakelaar?", ("scheider", "schakelaar")),
        ("Unterschied zwischen Wirkleistung und Blindleistung?", ("Wirkleistung", "Blindleistung")),
        ("Worin unterscheidet sich Netz von Netzebene?", ("Netz", "Netzebene")),
        ("What is the difference between our old and new way?", ()),
        ("difference between load in summer and load in winter", ()),
        ("difference between CIM and CIM", ()),
        ("What is live data versus the principle?", ()),
        ("How do we store it? What is the difference between a bay and a busbar?", ()),
        ("busbar or bay", ()),
    ],
)
def test_two_terms_may_be_compared(query: str, pair: tuple[str, ...]) -> None:
    """The vocabulary is asked for both, and the documents where it knows neither."""
    assert definitions.compared(query) == pair
    asks = read(query)
    assert not pair or (asks.kind, term_of(asks)) == (OPEN, " versus ".join(pair))
