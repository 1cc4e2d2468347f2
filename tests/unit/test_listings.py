"""What a question for a list asks: kinds, filters, order, number and topic."""

from __future__ import annotations

import pytest
from tests.unit.marked import marked
from tests.unit.small_world import document

from elysia_guard.domain.document import DocumentKind, SectionRole
from elysia_guard.domain.question import Lang, Owner, Scope
from elysia_guard.domain.reading import Listing, Order
from elysia_guard.reading.listings import listing

D, P, POL = DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY
EVERY = tuple(DocumentKind)


@pytest.mark.parametrize(
    ("lang", "asked", "expected"),
    [
        ("en", "the three newest ADRs", Listing(kinds=(D,), order=Order.NEWEST, first=3)),
        ("en", "last 5 decisions", Listing(kinds=(D,), order=Order.NEWEST, first=5)),
        ("en", "most recent ADR", Listing(kinds=(D,), order=Order.NEWEST, first=1)),
        (
            "en",
            "which principle came first, by date",
            Listing(kinds=(P,), order=Order.OLDEST, first=1),
        ),
        (
            "nl",
            "wat is het oudste besluit in de hele verzameling",
            Listing(kinds=(D,), order=Order.OLDEST, first=1),
        ),
        (
            "nl",
            "recentste stuk over authenticatie",
            Listing(kinds=EVERY, topic="authenticatie", order=Order.NEWEST, first=1),
        ),
        (
            "de",
            "welche richtline ist die jüngste",
            Listing(kinds=(POL,), order=Order.NEWEST, first=1),
        ),
        (
            "de",
            "was gibt's Neues bei den ADRs, mir reichen die letzten drei",
            Listing(kinds=(D,), order=Order.NEWEST, first=3),
        ),
        ("fr", "les 3 dernières ADR svp", Listing(kinds=(D,), order=Order.NEWEST, first=3)),
    ],
)
def test_the_newest_and_the_oldest(lang: Lang, asked: str, expected: Listing) -> None:
    """One for a singular, so many as are said, and all where no number is."""
    assert listing(asked, lang=lang) == expected


@pytest.mark.parametrize(
    ("lang", "asked", "expected"),
    [
        ("en", "how many principles are there", Listing(kinds=(P,), counted=True)),
        (
            "en",
            "what's the tally of accepted ADRs",
            Listing(kinds=(D,), counted=True, filters=Scope(statuses=("accepted",))),
        ),
        (
            "en",
            "how many adrs were taken in 2023",
            Listing(kinds=(D,), counted=True, filters=Scope(since="2023", until="2023")),
        ),
        (
            "en",
            "principles dated January 2026, just the count",
            Listing(kinds=(P,), counted=True, filters=Scope(since="2026-01", until="2026-01")),
        ),
        (
            "nl",
            "vervallen principes, hebben we die en hoeveel dan",
            Listing(kinds=(P,), counted=True, filters=Scope(statuses=("deprecated",))),
        ),
        (
            "de",
            "Wie viele Prinzipien drehen sich um Daten?",
            Listing(kinds=(P,), counted=True, topic="Daten"),
        ),
        (
            "de",
            "Anzahl der 2025 beschlossenen ADRs?",
            Listing(kinds=(D,), counted=True, filters=Scope(since="2025", until="2025")),
        ),
        (
            "fr",
            "nombre de décisions qui ont été remplacées depuis",
            Listing(kinds=(D,), counted=True, filters=Scope(statuses=("superseded",))),
        ),
    ],
)
def test_how_many(lang: Lang, asked: str, expected: Listing) -> None:
    """A number is asked of documents, with whatever restricts them."""
    assert listing(asked, lang=lang) == expected


@pytest.mark.parametrize(
    ("lang", "asked", "kinds", "topic"),
    [
        ("en", "decisions and principles about security", (D, P), "security"),
        (
            "en",
            "which policies deal with vendors or other third parties",
            (POL,),
            "vendors or other third parties",
        ),
        ("en", "everything you've got on security, please", EVERY, "security"),
        (
            "en",
            "got anything re: languages and translation",
            EVERY,
            "languages and translation",
        ),
        ("en", "What are the interoperability principles?", (P,), "interoperability"),
        (
            "en",
            "got to brief newcomers so I'd like to hand them our decisions around flexibility",
            (D,),
            "flexibility",
        ),
        ("nl", "principes waarin datakwaliteit een rol speelt", (P,), "datakwaliteit"),
        ("nl", "welke stukken gaan over meterstanden", EVERY, "meterstanden"),
        ("de", "alles zum Thema OT-Sicherheit", EVERY, "OT-Sicherheit"),
        ("de", "Grundsätze rund um den Energieverbrauch von IT", (P,), "Energieverbrauch von IT"),
        ("fr", "quels documents portent sur les fournisseurs ?", EVERY, "fournisseurs"),
    ],
)
def test_a_topic(lang: Lang, asked: str, kinds: tuple[DocumentKind, ...], topic: str) -> None:
    """What the documents are to be about is told in the question's own words."""
    assert listing(asked, lang=lang) == Listing(kinds=kinds, topic=topic)


@pytest.mark.parametrize(
    ("lang", "asked", "filters"),
    [
        (
            "en",
            "which decisions are only proposed and not decided yet? give me the list",
            Scope(statuses=("proposed",)),
        ),
        (
            "en",
            "which principles are not in force at the moment?",
            Scope(denied=("accepted",)),
        ),
        (
            "en",
            "Which policies are no longer in force?",
            Scope(statuses=("deprecated", "superseded")),
        ),
        ("en", "decisions after March 2024", Scope(since="2024-04")),
        ("en", "any decision dated before april 2025?", Scope(until="2025-03")),
        ("en", "decisions between 2020 and 2022", Scope(since="2020", until="2022")),
        ("en", "decisions since 2021", Scope(since="2021")),
        ("en", "decisions after 2021", Scope(since="2022")),
        ("en", "policies until 2019", Scope(until="2019")),
        ("en", "ADRs from 2023, all statuses", Scope(since="2023", until="2023")),
        (
            "en",
            "what principles does the Data Council own? all of them",
            Scope(owner=Owner(written="the Data Council", topic=None)),
        ),
        (
            "de",
            "zeig mal, was der Data Council so an Dokumenten verantwortet",
            Scope(owner=Owner(written="der Data Council", topic=None)),
        ),
        (
            "de",
            "Bitte eine Übersicht der Prinzipien, für die das Data Board zuständig ist",
            Scope(owner=Owner(written="das Data Board", topic=None)),
        ),
        (
            "de",
            "alle Policies von Vennet",
            Scope(owner=Owner(written="Vennet", said=False, topic="")),
        ),
        ("nl", "Welke principes zijn in het Nederlands geschreven?", Scope(lang="nl")),
        (
            "en",
            "approval records from 2024, which ones are there",
            Scope(since="2024", until="2024", approval=True),
        ),
        (
            "en",
            "Could I get the decision records (not the approvals) that have TLS in their title?",
            Scope(titled=True),
        ),
    ],
)
def test_a_restriction(lang: Lang, asked: str, filters: Scope) -> None:
    """Statuses, dates, owners, languages, records and titles restrict a list."""
    found = listing(asked, lang=lang)
    assert found is not None
    assert found.filters == filters


@pytest.mark.parametrize(
    ("lang", "asked"),
    [
        ("en", "what do our policies and decisions say about autonomous drones?"),
        ("en", "the decision on TLS, how long should an rsa key be"),
        ("en", "Is there a policy on bringing your own device"),
        ("en", "which decision covers the rollout of charging stations"),
        ("en", "Which of the principles tells a crew how to lock a tap changer?"),
        ("en", "According to the principle about customers, how many months is a consent valid?"),
        ("en", "decisions from last year"),
        ("en", "anything we turned down? give me the decision records for that"),
        ("en", "which principle comes first when goals conflict"),
        ("en", "does every policy apply to contractors"),
        ("en", "does [[ADR-12|D]] list all decisions"),
        ("nl", "Het besluit over afregelen: wanneer mag een klant weer omhoog?"),
        ("nl", "Vertel iets over waterstofnetten"),
        ("de", "Was sagen Richtlinien und Prinzipien zur Einstufung von Daten?"),
        ("de", "Laut der ADR zum Gateway: wie viele Anfragen pro Minute darf ein Client schicken?"),
        ("fr", "que dit la politique sur les mots de passe ?"),
        ("en", "how do we keep secrets out of the repo"),
    ],
)
def test_what_is_no_list(lang: Lang, asked: str) -> None:
    """What asks something of a document, or holds words that nothing explains, is no list."""
    text, spans = marked(asked)
    assert listing(text, lang=lang, spans=spans) is None


def test_a_status_that_only_documents_know() -> None:
    """It is asked for, or denied, in the words of the documents."""
    held = document(D, 1, "Rule", (SectionRole.SUBSTANCE, "So."), status="On hold (for now)")
    shelved = document(D, 2, "Rule", (SectionRole.SUBSTANCE, "So."), status="Pending")
    documents = [held[0].document, shelved[0].document]

    def filters(asked: str) -> Scope | None:
        found = listing(asked, lang="en", documents=documents)
        return found.filters if found else None

    assert filters("everything still pending, list please") == Scope(statuses=("pending",))
    assert filters("which decisions are pending or rejected?") == Scope(
        statuses=("rejected", "pending")
    )
    assert filters("which decisions are not pending?") == Scope(denied=("pending",))
    assert filters("which decisions are on hold?") == Scope(statuses=("on hold",))


def test_a_given_kind_needs_no_name() -> None:
    """Where only policies may be asked, 'how many are accepted' is of policies."""
    asked = "how many are accepted"
    assert listing(asked, lang="en") is None
    found = listing(asked, lang="en", given=POL)
    assert found is not None
    assert (found.kinds, found.counted) == ((POL,), True)


@pytest.mark.parametrize(
    ("lang", "asked"),
    [
        ("en", "which decisions are superseded by a policy"),
        ("en", "list decisions that were accepted before a principle was"),
        ("nl", "welke besluiten zijn vervangen door een principe"),
        ("de", "welche Entscheidungen wurden durch eine Richtlinie ersetzt"),
    ],
)
def test_documents_that_stand_to_those_of_another_kind_are_no_list(lang: Lang, asked: str) -> None:
    """A list of both kinds would leave out what is asked."""
    assert listing(asked, lang=lang) is None


@pytest.mark.parametrize(
    "asked", ["all accepted decisions and policies", "which decisions, which policies are proposed"]
)
def test_kinds_side_by_side_are_listed_together(asked: str) -> None:
    """Joined by a word or a comma."""
    found = listing(asked, lang="en")
    assert isinstance(found, Listing)
    assert found.kinds == (D, POL)
