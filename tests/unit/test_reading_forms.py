"""The form of a question: IR0003's tables are the contract, and people ask in many more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.small_world import DECISION, POLICY, PRINCIPLE, question, read, term_of

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Aspect, IntentKind
from elysia_guard.domain.reading import Named, aspect_of, kinds_of, topic_of
from elysia_guard.reading.forms import read_form

TERMINOLOGY, ENTITY, LIST = IntentKind.TERMINOLOGY, IntentKind.ENTITY, IntentKind.LIST
SINGLE, CROSS = IntentKind.SINGLE_COLLECTION, IntentKind.CROSS_COLLECTION
TALK, OPEN = IntentKind.CONVERSATIONAL, IntentKind.OPEN


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


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("Wat betekent congestie?", "congestie"),
        ("Waar staat DSO voor?", "DSO"),
        ("Definieer netvlak", "netvlak"),
        ("Wof\u00fcr steht CIM?", "CIM"),
        ("Erkl\u00e4re den Begriff Netzengpass", "Netzengpass"),
        ("Definiere Netzengpass", "Netzengpass"),
    ],
)
def test_a_meaning_may_be_asked_for_in_many_forms(query: str, term: str) -> None:
    """In three languages, with articles and quotation marks; the term comes out bare."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (TERMINOLOGY, term)
    assert term in read_form(question(query)).reason


@pytest.mark.parametrize(
    "query",
    [
        "What should I use for encryption?",
        "What is in the CIM policy?",
        "What is decided about TLS?",
        "What is the difference between CIM and CGMES?",
        "What is the best protocol for telemetry?",
        "What is the status of the exchange?",
        "What is it?",
        "What is our approach to security?",
        "What is used for messaging?",
        "What is CIM and why should we use it?",
        "What is the retention period for meter readings?",
        "What is the one two three four five six seven eight nine ten of it",
        "Wat is het verschil tussen CIM en CGMES?",
        "Wat is er besloten over TLS?",
        "Wat is ons beleid voor wachtwoorden?",
        "Was ist der Unterschied zwischen CIM und CGMES?",
        "Was ist das?",
        "How do we handle congestion?",
        "What is ?",
    ],
)
def test_not_every_what_is_asks_for_a_meaning(query: str) -> None:
    """Advice, properties, comparisons and pronouns are no terms to look up."""
    assert read(query).kind is not TERMINOLOGY


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("Hi, what is CIM?", "CIM"),
        ("Hello, can you tell me what CIM is?", "CIM"),
        ("Hallo, wat is een netvlak?", "netvlak"),
        ("Guten Tag, was ist ein Z\u00e4hler?", "Z\u00e4hler"),
        ("Please tell me what CIM means", "CIM"),
        ("Do you know what CIM means?", "CIM"),
        ("Weet je wat netvlak betekent?", "netvlak"),
        ("Kun je uitleggen wat een netvlak is?", "netvlak"),
        ("Kannst du mir sagen, was ein Z\u00e4hler ist?", "Z\u00e4hler"),
    ],
)
def test_politeness_does_not_hide_that_a_meaning_is_asked(query: str, term: str) -> None:
    """A greeting before the question is not the question: the vocabulary is asked all the same."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (TERMINOLOGY, term)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("hi", "greeting"),
        ("Hello there!", "greeting"),
        ("Good morning", "greeting"),
        ("hallo", "greeting"),
        ("Goedemorgen!", "greeting"),
        ("Guten Tag", "greeting"),
        ("Thanks a lot!", "thanks"),
        ("thank you", "thanks"),
        ("Bedankt!", "thanks"),
        ("dank je wel", "thanks"),
        ("Vielen Dank", "thanks"),
        ("bye", "farewell"),
        ("tot ziens", "farewell"),
        ("Auf Wiedersehen", "farewell"),
        ("help", "help"),
        ("What can you do?", "help"),
        ("wat kun je doen?", "help"),
        ("Was kannst du?", "help"),
        ("Who are you?", "identity"),
        ("Wie ben je?", "identity"),
        ("Wer bist du?", "identity"),
        ("How are you?", "mood"),
        ("Hoe gaat het?", "mood"),
        ("Wie geht es dir?", "mood"),
    ],
)
def test_small_talk_is_recognised(query: str, name: str) -> None:
    """In three languages; it needs no source."""
    asks = read(query)
    assert (asks.kind, asks.about) == (TALK, name)


@pytest.mark.parametrize(
    "query",
    [
        "hi, what is CIM?",
        "hello world program",
        "thanks, and what about TLS?",
        "help me with encryption",
        "Who are you going to ask about TLS?",
        "Are you allowed to use TLS 1.2?",
        "how are you handling retries?",
        "hallo, welk besluit gaat over TLS?",
        "Danke, und was sagt ADR.12?",
        "what can you say about ADR.12",
        "Goedemorgen, toon alle principes",
        "bye laws of the company",
    ],
)
def test_a_question_behind_a_greeting_is_a_question(query: str) -> None:
    """Small talk is let through unguarded, so only what is nothing else counts as small talk."""
    assert read(query).kind is not TALK


@pytest.mark.parametrize(
    ("query", "kinds", "topic", "status"),
    [
        ("List all principles", (PRINCIPLE,), "", None),
        ("list ADRs", (DECISION,), "", None),
        ("Show me all policies", (POLICY,), "", None),
        ("List all principles about security", (PRINCIPLE,), "security", None),
        ("Which decisions are there?", (DECISION,), "", None),
        ("How many principles do we have?", (PRINCIPLE,), "", None),
        ("Overview of decisions and principles", (DECISION, PRINCIPLE), "", None),
        ("List the proposed decisions", (DECISION,), "", "proposed"),
        ("Which ADRs are superseded?", (DECISION,), "", "superseded"),
        ("Show rejected decisions about blockchain", (DECISION,), "blockchain", "rejected"),
        ("Toon alle principes", (PRINCIPLE,), "", None),
        ("Welke besluiten zijn er?", (DECISION,), "", None),
        ("Hoeveel principes hebben we?", (PRINCIPLE,), "", None),
        ("Geef een overzicht van de besluiten over TLS", (DECISION,), "TLS", None),
        ("Welke besluiten zijn voorgesteld?", (DECISION,), "", "proposed"),
        ("Zeige alle Prinzipien", (PRINCIPLE,), "", None),
        ("Welche Entscheidungen gibt es?", (DECISION,), "", None),
        ("Wie viele Richtlinien haben wir?", (POLICY,), "", None),
    ],
)
def test_a_list_is_asked_for_by_kind_topic_and_status(
    query: str, kinds: tuple[DocumentKind, ...], topic: str, status: str | None
) -> None:
    """What remains beside the words of listing is the topic."""
    asks = read(query)
    statuses = (status,) if status else ()
    assert (asks.kind, kinds_of(asks), topic_of(asks)) == (LIST, kinds, topic)
    assert asks.filters.statuses == statuses


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("List the steps to connect to the grid", OPEN),
        ("Show me how decisions are made", SINGLE),
        ("How many volts are in a household connection?", OPEN),
    ],
)
def test_a_word_of_listing_is_not_a_list(query: str, kind: IntentKind) -> None:
    """Without documents to list, or with a question behind it, it is a search."""
    assert read(query).kind is kind


@pytest.mark.parametrize(
    ("query", "aspect"),
    [
        ("What does ADR.12 decide?", Aspect.SUBSTANCE),
        ("Who approved ADR.12?", Aspect.APPROVAL),
        ("Wie heeft ADR.12 goedgekeurd?", Aspect.APPROVAL),
        ("Wer hat ADR.12 genehmigt?", Aspect.APPROVAL),
        ("What is the status of ADR.12?", Aspect.STATUS),
        ("Is ADR.12 still valid?", Aspect.STATUS),
        ("Is ADR.12 accepted?", Aspect.STATUS),
        ("Is besluit 12 verworpen?", Aspect.STATUS),
        ("Does decision 12 still apply?", Aspect.STATUS),
        ("Is ADR-0012 nog van kracht?", Aspect.STATUS),
        ("Gilt ADR-0012 noch?", Aspect.STATUS),
        ("Which alternatives were rejected by ADR.12?", Aspect.ALTERNATIVES),
        ("When was ADR.12 written?", Aspect.DATE),
        ("Wanneer is ADR.12 genomen?", Aspect.DATE),
        ("Who owns ADR.12?", Aspect.OWNER),
        ("What are the consequences of ADR.12?", Aspect.CONSEQUENCES),
        ("Which alternatives did ADR.12 consider?", Aspect.ALTERNATIVES),
        ("Why ADR.12?", Aspect.CONTEXT),
        ("Waarom ADR.12?", Aspect.CONTEXT),
    ],
)
def test_a_named_document_is_asked_for_one_of_its_sides(query: str, aspect: Aspect) -> None:
    """And nothing else is asked of it, so that nothing else must be covered."""
    asks = read(query)
    assert (asks.kind, aspect_of(asks)) == (ENTITY, aspect)
    assert "ADR-0012" in read_form(question(query)).reason


def test_who_approved_it_is_a_question_to_the_record() -> None:
    """The approval of ADR.12 stands in ADR-0012D."""
    (reference,) = read("Who approved ADR.12?").references
    assert str(reference.identity) == "ADR-0012D"


def test_what_else_is_asked_of_a_named_document_is_its_topic() -> None:
    """Words about documents as such are not."""
    assert topic_of(read("What does ADR.12 say about hydrogen?")).endswith("about hydrogen")
    assert "summary" not in topic_of(read("Give a summary of ADR.12"))
    assert "current" not in topic_of(read("Is ADR.12 still current?"))
    assert topic_of(read("What does ADR.12 say about current?")).endswith("about current")


@pytest.mark.parametrize(
    ("query", "without", "with_"),
    [
        ("Our auditor phoned. What does ADR.12 say about hydrogen?", "auditor", "hydrogen"),
        ("What does ADR.12 say about hydrogen? Sorry for the hurry.", "hurry", "hydrogen"),
        ("Ik zie de directie. Leg uit wat besluit 12 over netten zegt.", "directie", "netten"),
        ("Mein Chef drängt. Erkläre, was ADR-0012 zu Wasserstoff sagt", "Chef", "Wasserstoff"),
        ("Tell me what ADR.12 says on hydrogen. Now.", "Now", "hydrogen"),
        ("ADR.12 on hydrogen. Please.", "12", "hydrogen"),
    ],
)
def test_of_a_named_document_is_asked_what_the_asking_sentence_asks(
    query: str, without: str, with_: str
) -> None:
    """What stands around it need not be covered; where nothing asks, everything may."""
    topic = topic_of(read(query))
    assert with_ in topic
    assert without not in topic


def test_the_caller_may_know_the_kind() -> None:
    """A question to one collection stays there: a bare number is of that kind, a term a search."""
    (reference,) = read("10", kind=PRINCIPLE).references
    assert str(reference.identity) == "PCP-0010"
    asks = read("What is CIM?", kind=DECISION)
    assert (asks.kind, kinds_of(asks), term_of(asks)) == (SINGLE, (DECISION,), None)


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("congestion management", "congestion management"),
        ("CIM", "CIM"),
        ("netvlak", "netvlak"),
        ("one two three four five", None),
        ("stability of grids matters how", None),
        ("...", None),
    ],
)
def test_a_few_words_may_be_a_term(query: str, term: str | None) -> None:
    """Nothing decides it, so the vocabulary is asked before the documents."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (OPEN, term)


def test_every_choice_has_a_reason() -> None:
    """The trace can say why."""
    for query in ("hi", "ADR.12", "List ADRs", "What is CIM?", "TLS policy", "grid stability"):
        assert read_form(question(query)).reason


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


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("Whatis a busbar", "busbar"),
        ("quick question: what does BRP stand for", "BRP"),
        ("Could you be so kind as to tell me what GOPACS means?", "GOPACS"),
        ("Somebody mentioned an ESB. What is an ESB?", "ESB"),
        ("Need the official definition of islanding for a report", "islanding"),
        ("Can you explain reactive power to me?", "reactive power"),
        ("What is the abbreviation TSO?", "TSO"),
        ("What does the term 'ramp rate' mean?", "ramp rate"),
        ("What does 'principle of least privilege' mean?", "principle of least privilege"),
        ("What is EN 50160?", "EN 50160"),
        ("What is Ohm's law?", "Ohm's law"),
        ("Wof\u00fcr steht eigentlich BNetzA?", "BNetzA"),
    ],
)
def test_a_meaning_is_recognised_as_people_really_ask(query: str, term: str) -> None:
    """Mistyped, chatty, in two sentences, and for terms that hold the words of other questions."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (TERMINOLOGY, term)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("What is the policy?", SINGLE),
        ("What does the policy mean?", SINGLE),
        ("Wat is het besluit?", SINGLE),
        ("Was ist unsere Sicherheitsrichtlinie?", SINGLE),
        ("What is an accepted ADR?", SINGLE),
        ("What is a principle on sharing?", SINGLE),
        ("I read the CIM policy. What is a profile?", SINGLE),
        ("What do our principles mean by ownership?", SINGLE),
        ("Kun je de ADR over Kafka uitleggen?", SINGLE),
        ("What is in the data lake?", OPEN),
        ("What is planned for next year?", OPEN),
        ("What is TLS used for?", OPEN),
        ("What is the deadline?", OPEN),
        ("What are we doing about security?", OPEN),
        ("What are the requirements? What is it?", OPEN),
        ("What does the light on the meter mean?", OPEN),
        ("What does your answer mean?", OPEN),
        ("What is the one two three four five six seven eight nine ten", OPEN),
    ],
)
def test_no_question_for_documents_is_sent_to_the_vocabulary(query: str, kind: IntentKind) -> None:
    """A wrong 'terminology' refuses what the documents would have answered."""
    asks = read(query)
    assert asks.kind == kind


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("What is the rate of change of frequency?", "rate of change of frequency"),
        ("Explain the merit order", "merit order"),
        ("What are the tariff zones?", "tariff zones"),
    ],
)
def test_what_may_be_a_term_or_a_property_is_asked_of_both(query: str, term: str | None) -> None:
    """The vocabulary first, and the documents when it does not know the term."""
    asks = read(query)
    assert (asks.kind, term_of(asks)) == (OPEN, term)


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("Is there a decision about TLS?", (DocumentKind.DECISION,)),
        ("Is there an ADR that covers meter readings?", (DocumentKind.DECISION,)),
        ("Gibt es eine Richtlinie f\u00fcr Passw\u00f6rter?", (DocumentKind.POLICY,)),
        ("Which decision covers TLS?", (DocumentKind.DECISION,)),
    ],
)
def test_a_kind_that_a_question_names_is_searched(
    query: str, kinds: tuple[DocumentKind, ...]
) -> None:
    """Whether one is asked for, or whether there is one."""
    assert kinds_of(read(query)) == kinds


DECISIONS, POLICIES = (DocumentKind.DECISION,), (DocumentKind.POLICY,)


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("Is there a decision yet on a new CRM package?", DECISIONS),
        ("We lack a log server. Who buys one, is there a policy?", POLICIES),
        ("Wie beslist over cookies, is er een beleid?", POLICIES),
        ("Wer prüft das Gebäude, gibt es eine Richtlinie?", POLICIES),
        ("Retention policy: how long do auditors get to decide?", POLICIES),
        (
            "Do both a policy and a principle say when keys are changed?",
            (DocumentKind.PRINCIPLE, DocumentKind.POLICY),
        ),
        (
            "Staat het in een besluit of een principe?",
            (DocumentKind.DECISION, DocumentKind.PRINCIPLE),
        ),
        (
            "Staat dat op papier, in een besluit of in een principe?",
            (DocumentKind.DECISION, DocumentKind.PRINCIPLE),
        ),
        ("Who may decide on the colours of a chart?", ()),
        ("What did we decide on the colours of a chart?", DECISIONS),
        ("Waarom is mijn aanvraag afgewezen?", ()),
        ("Why did customers turn down the offer?", ()),
    ],
)
def test_where_a_question_wants_to_be_searched(query: str, kinds: tuple[DocumentKind, ...]) -> None:
    """By a kind in front, by several named together, or by a choice that was made."""
    assert kinds_of(read(query)) == kinds


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("Show me the policy on passwords", SINGLE),
        ("Give me a summary of the CIM policy", SINGLE),
        ("List the consequences of the TLS decision", SINGLE),
        ("tell me all about the CIM policy", SINGLE),
        ("I'd like an overview of our principles", LIST),
        ("Kun je alle besluiten over CIM tonen?", LIST),
        ("Which of our principles are written in Dutch?", LIST),
        ("aantal besluiten", LIST),
    ],
)
def test_one_document_or_all_of_a_kind(query: str, kind: IntentKind) -> None:
    """'Show me the policy' asks what it says, 'show me the policies' which there are."""
    assert read(query).kind is kind


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Hi, how are you?", "mood"),
        ("Great thanks, that helps a lot", "thanks"),
        ("ok", "thanks"),
        ("Thanks and bye!", "farewell"),
        ("What is your name?", "identity"),
        ("Hallo, kun je me helpen?", "help"),
    ],
)
def test_small_talk_may_say_several_things(query: str, name: str) -> None:
    """The most telling of them is answered, as long as there is nothing else."""
    asks = read(query)
    assert (asks.kind, asks.about) == (TALK, name)


def test_an_opener_with_nothing_behind_it_is_the_question() -> None:
    """What is stripped stands before a question, never instead of one."""
    assert topic_of(read("Hello Piet!")) == "Hello Piet!"


@pytest.mark.parametrize(
    ("text", "year", "topic"),
    [
        ("List all decisions from 2026", "2026", ""),
        ("Toon de besluiten over TLS van 2024", "2024", "TLS"),
        ("List ADRs about IEC 61970", "", "IEC 61970"),
        ("List all principles", "", ""),
    ],
)
def test_a_list_may_name_a_year(text: str, year: str, topic: str) -> None:
    """The year is no part of the topic; the number of a standard is no year."""
    asks = read(text)
    assert (asks.kind, topic_of(asks)) == (IntentKind.LIST, topic)
    assert (asks.filters.since, asks.filters.until) == (year, year)


@pytest.mark.parametrize(
    ("query", "kinds", "statuses"),
    [
        ("decisions of 2024, in any status", DECISIONS, ()),
        ("besluiten uit 2024, ongeacht de status", DECISIONS, ()),
        ("Entscheidungen aus 2025, egal welcher Status", DECISIONS, ()),
        ("every principle, accepted or not", (PRINCIPLE,), ()),
        ("besluiten uit 2026, ook de afgewezen", DECISIONS, ()),
        ("Entscheidungen aus 2026, auch noch nicht angenommene", DECISIONS, ()),
        ("all accepted principles, including deprecated ones", (PRINCIPLE,), "accepted deprecated"),
        ("which decisions have also been rejected?", DECISIONS, "rejected"),
        ("welke principes hebben nog de status concept?", (PRINCIPLE,), "proposed"),
        ("Welche Prinzipien stehen noch auf vorgeschlagen?", (PRINCIPLE,), "proposed"),
        ("policies marked as proposed", POLICIES, "proposed"),
        ("Do any of our decisions still have draft status? Which?", DECISIONS, "proposed"),
        ("Zeige alle Entscheidungen. Die Genehmigungsvermerke brauche ich nicht.", DECISIONS, ()),
        ("Zeige alle Entscheidungen, die Titel reichen", DECISIONS, ()),
    ],
)
def test_a_list_is_read_from_everyday_words(
    query: str, kinds: tuple[DocumentKind, ...], statuses: str | tuple[str, ...]
) -> None:
    """Nothing of what is said around it becomes a topic; several statuses are a union."""
    asks = read(query)
    assert (asks.kind, kinds_of(asks), topic_of(asks)) == (LIST, kinds, "")
    assert asks.filters.statuses == (tuple(statuses.split()) if statuses else ())


@pytest.mark.parametrize(
    ("query", "since", "until"),
    [
        ("welke besluiten dragen een datum uit 2024?", "2024", "2024"),
        ("All the ADRs dated 2024 or 2025, thanks!", "2024", "2025"),
        ("welke adr's dateren van voor 2024", "", "2023"),
    ],
)
def test_a_date_is_read_from_everyday_words(query: str, since: str, until: str) -> None:
    """Two years that follow each other are a period."""
    asks = read(query)
    assert (asks.kind, topic_of(asks)) == (LIST, "")
    assert (asks.filters.since, asks.filters.until) == (since, until)


@pytest.mark.parametrize(
    ("query", "owner"),
    [
        ("which principles is the Data Council accountable for?", "the Data Council"),
        ("Tell me which policies the Data Council looks after", "the Data Council"),
        ("Which policies fall under the Data Council?", "the Data Council"),
        ("principes waar de Data Council eigenaar van is", "de Data Council"),
    ],
)
def test_an_owner_is_read_from_everyday_words(query: str, owner: str) -> None:
    """The phrase says that it is one, so that nothing else may be meant."""
    asks = read(query)
    assert (asks.kind, topic_of(asks)) == (LIST, "")
    assert asks.filters.owner
    assert (asks.filters.owner.written, asks.filters.owner.said) == (owner, True)


@pytest.mark.parametrize(
    "query",
    [
        "We are being audited next week. What do our policies say about retention?",
        "For the audit: what do our policies say about retention?",
        "My boss wants to know what our decisions say about VPN",
        "What do our decisions say about TLS, and which are those?",
        "Which decisions from 2023 and 2025 were rejected?",
        "Which principles are not in Dutch?",
        "Show all policies not owned by the Data Council",
        "decisions without TLS in the title",
        "decisions with 'the' in the title",
        "List all principles about data with security in the title",
        "Show all accepted decisions, also those about TLS",
        "I need something on TLS. Which principles do we have?",
        "Ich arbeite an TLS. Welche Entscheidungen gibt es?",
        "List the rules in our policies",
        "Look up what our policies say on backups",
        "Kunt u de regels in onze beleidsregels over wachtwoorden noemen?",
        "Kannst du mir die Regeln unserer Richtlinien zu Passw\u00f6rtern nennen?",
        "What happens to superseded decisions?",
        "Wie mag voorgestelde besluiten zien?",
        "Was passiert mit abgelehnten Entscheidungen?",
    ],
)
def test_what_is_not_understood_is_no_list(query: str) -> None:
    """A question for content, or a restriction that a list could not keep."""
    assert read(query).kind is not LIST


@pytest.mark.parametrize(
    ("query", "topic"),
    [
        (
            "List all decisions about historic and current measurements",
            "historic and current measurements",
        ),
        ("List all decisions on state estimation", "state estimation"),
        ("List all decisions. I only need those about TLS.", "TLS"),
    ],
)
def test_a_word_of_status_may_be_of_the_subject(query: str, topic: str) -> None:
    """What is not surely a restriction must be borne by the documents."""
    assert topic_of(read(query)) == topic
