"""What a question for a list restricts it to, in people's words and in three languages."""

from __future__ import annotations

import pytest
from tests.unit.small_world import DECISION, POLICY, PRINCIPLE, read

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import IntentKind, Owner
from elysia_guard.domain.reading import Listing, Unclear, kinds_of, topic_of

NO_LONGER = ("deprecated", "superseded")


def listed(text: str, kind: DocumentKind | None = None) -> Listing:
    """Read a question that is one for a list, of nothing but what it is restricted to."""
    asks = read(text, kind=kind)
    assert (asks.kind, topic_of(asks)) == (IntentKind.LIST, "")
    assert isinstance(asks, Listing)
    return asks


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("which decisions are only proposed and not decided yet?", ("proposed",)),
        ("which policies are no longer in force?", NO_LONGER),
        ("Which policies are not valid anymore?", NO_LONGER),
        ("which policies are not approved yet", ("proposed",)),
        ("Which policies are still valid?", ("accepted",)),
        ("which decisions are in force", ("accepted",)),
        ("all valid decisions", ("accepted",)),
        ("Which decisions have been withdrawn?", ("deprecated",)),
        ("Are there any rejected decisions?", ("rejected",)),
        ("list the decisions that were turned down", ("rejected",)),
        ("which policies are still in draft", ("proposed",)),
        ("superseded decisions", ("superseded",)),
        ("Which decisions have been replaced by a newer one?", ("superseded",)),
        ("which decisions are rejected or withdrawn", ("rejected", "deprecated")),
        ("list all decisions, old ones included", ()),
        ("list all decisions regardless of their status", ()),
        ("Welke besluiten zijn door een nieuwer besluit vervangen?", ("superseded",)),
        ("welke beleidsregels zijn nog niet goedgekeurd?", ("proposed",)),
        ("Welke besluiten zijn nog niet besloten?", ("proposed",)),
        ("welke principes gelden niet meer?", NO_LONGER),
        ("welke principes zijn niet meer geldig", NO_LONGER),
        ("Welke principes gelden nog steeds?", ("accepted",)),
        ("welke principes zijn nog geldig", ("accepted",)),
        ("Welke besluiten zijn ingetrokken?", ("deprecated",)),
        ("alle besluiten, ook de oude", ()),
        ("Welche Entscheidungen sind nicht mehr g\u00fcltig?", NO_LONGER),
        ("Welche Richtlinien sind noch g\u00fcltig?", ("accepted",)),
        ("Gibt es abgelehnte Entscheidungen?", ("rejected",)),
        ("Welche Richtlinien sind noch im Entwurf?", ("proposed",)),
        ("which policies are valid right now", ("accepted",)),
        ("Which decisions are still waiting for approval?", ("proposed",)),
        ("welke besluiten zijn nog niet definitief", ("proposed",)),
        ("Which principles still need to be adopted?", ("proposed",)),
        ("Welke besluiten moeten nog goedgekeurd worden?", ("proposed",)),
        ("Welche Entscheidungen m\u00fcssen noch genehmigt werden?", ("proposed",)),
        ("Any policies we've withdrawn?", ("deprecated",)),
    ],
)
def test_a_status_is_said_in_many_words(text: str, statuses: tuple[str, ...]) -> None:
    """'No longer in force' is not what never was; 'not yet' is what is proposed."""
    assert listed(text).filters.statuses == statuses


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Which of our principles are written in Dutch?", "nl"),
        ("all policies in English", "en"),
        ("list the Dutch-language principles", "nl"),
        ("which principles are in the German language", "de"),
        ("Laat alle principes zien die in het Nederlands zijn geschreven.", "nl"),
        ("Toon alle Engelstalige besluiten", "en"),
        ("Zeige alle deutschsprachigen Richtlinien", "de"),
        ("which policies are written in French?", "fr"),
    ],
)
def test_a_list_keeps_to_a_language(text: str, lang: str) -> None:
    """In which the documents themselves are written."""
    assert listed(text).filters.lang == lang


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("what decisions were taken in 2023?", "2023", "2023"),
        ("Which architecture decisions did we take in 2023?", "2023", "2023"),
        ("decisions from 2023 to 2024", "2023", "2024"),
        ("ADRs since 2024", "2024", ""),
        ("all decisions from 2024 onwards", "2024", ""),
        ("all decisions after 2023", "2024", ""),
        ("list all decisions taken before 2023", "", "2022"),
        ("all decisions up to and including 2023", "", "2023"),
        ("which decisions were taken in March 2024?", "2024-03", "2024-03"),
        ("all decisions before January 2024", "", "2023-12"),
        ("all decisions after December 2023", "2024-01", ""),
        ("all decisions since the year 2024", "2024", ""),
        ("welke besluiten zijn in 2024 genomen", "2024", "2024"),
        ("alle besluiten sinds 2024", "2024", ""),
        ("alle besluiten van v\u00f3\u00f3r 2024", "", "2023"),
        ("alle besluiten tot en met 2024", "", "2024"),
        ("Welche Entscheidungen wurden 2023 getroffen?", "2023", "2023"),
        ("alle Entscheidungen seit M\u00e4rz 2024", "2024-03", ""),
        ("alle Entscheidungen vor 2024", "", "2023"),
        ("alle Entscheidungen zwischen 2023 und 2024", "2023", "2024"),
    ],
)
def test_a_list_keeps_to_a_period(text: str, since: str, until: str) -> None:
    """Of years or of months, both ends included."""
    scope = listed(text).filters
    assert (scope.since, scope.until) == (since, until)


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("show me every policy owned by the CISO office", "the CISO office"),
        ("List all policies that belong to the CISO office please", "the CISO office"),
        ("what principles does the Data Council own? all of them", "the Data Council"),
        (
            "Which decisions did the Platform Architecture Group take?",
            "the Platform Architecture Group",
        ),
        ("for which policies is the Data Council responsible?", "the Data Council"),
        ("list the policies that the Data Council owns", "the Data Council"),
        ("all policies with owner Data Council", "Data Council"),
        (
            "all decisions from the security architecture group, old ones included",
            "the security architecture group",
        ),
        ("which principles come from the Data Council?", "the Data Council"),
        ("what policies are the Data Council's?", "the Data Council"),
        (
            "I'd like to see all the policies the Data Council is responsible for",
            "the Data Council",
        ),
        ("Zeig mir alle Richtlinien vom Data Council", "Data Council"),
        ("Welche Richtlinien stammen vom Data Council?", "Data Council"),
        (
            "welke besluiten zijn van de Flexibility Architecture Group",
            "de Flexibility Architecture Group",
        ),
        ("welke principes zijn eigendom van de Data Council", "de Data Council"),
        ("welke besluiten heeft de Data Council genomen?", "de Data Council"),
        ("welke beleidsregels horen bij de Data Council?", "de Data Council"),
        ("van welke principes is de Data Council eigenaar?", "de Data Council"),
        ("alle besluiten van de AI-afdeling", "de AI-afdeling"),
        (
            "Zeige alle Entscheidungen der Security Architecture Group.",
            "der Security Architecture Group",
        ),
        ("Welche Richtlinien geh\u00f6ren dem CISO-B\u00fcro?", "dem CISO-B\u00fcro"),
        ("Welche Entscheidungen hat das Data Council getroffen?", "das Data Council"),
        ("Welche Entscheidungen wurden vom Data Council getroffen?", "Data Council"),
    ],
)
def test_a_list_keeps_to_an_owner(text: str, owner: str) -> None:
    """Where the words say that it is one; who it is, the documents tell."""
    assert listed(text).filters.owner == Owner(written=owner)


@pytest.mark.parametrize(
    ("text", "owner", "topic"),
    [
        ("List the Data Council's policies", "the Data Council", ""),
        ("all Data Council principles about TLS", "Data Council", "TLS"),
        ("all ADRs about TLS of the Data Council", "the Data Council", "TLS"),
        ("all policies about TLS owned by the CISO", "the CISO", "TLS"),
        ("proposed decisions about events of the Data Council", "the Data Council", "events"),
    ],
)
def test_a_body_is_an_owner_wherever_it_is_named(text: str, owner: str, topic: str) -> None:
    """A board, a group or a team, if it is not what the documents are about."""
    asks = read(text)
    assert isinstance(asks, Listing)
    assert (asks.filters.owner, asks.topic) == (Owner(written=owner), topic)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("all security principles", "security"),
        ("all policies about the Data Council", "Data Council"),
        ("list policies about data owned by customers", "data owned by customers"),
    ],
)
def test_what_documents_are_about_owns_none(text: str, topic: str) -> None:
    """A subject is borne by the documents, whatever it may be."""
    asks = read(text)
    assert isinstance(asks, Listing)
    assert (asks.filters.owner, asks.topic) == (None, topic)


@pytest.mark.parametrize("text", ["all of our policies", "which decisions did we take?"])
def test_we_are_no_owner(text: str) -> None:
    """Every document is ours."""
    assert listed(text).filters.owner is None


@pytest.mark.parametrize(
    ("text", "approval"),
    [
        ("Which approval records exist?", True),
        ("show me every approval record we have for decisions", True),
        ("list all DARs", True),
        ("welke goedkeuringsverslagen zijn er?", True),
        ("Zeige mir alle Genehmigungsvermerke", True),
        ("list all decisions and their approval records", None),
        ("list all decisions", False),
    ],
)
def test_approval_records_are_listed_where_they_are_named(text: str, approval: bool | None) -> None:
    """Alone, beside the decisions, or not at all."""
    asks = listed(text)
    assert (asks.filters.approval, kinds_of(asks)) == (approval, (DECISION,))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Can you give me an overview of all ADRs? It's for onboarding a new colleague.", DECISION),
        ("I am new here. Which principles are there?", PRINCIPLE),
        ("which decisions are there? give me the list", DECISION),
        ("Which policies do we have - as a list, please", POLICY),
        ("geef me een lijstje van alle principes", PRINCIPLE),
        ("Welke beleidsregels zijn er? Graag allemaal", POLICY),
        ("Welche Richtlinien gibt es? Bitte alle", POLICY),
    ],
)
def test_what_is_said_beside_it_is_no_topic(text: str, kind: DocumentKind) -> None:
    """Chatter, and that a list is wanted."""
    assert listed(text).kinds == (kind,)


def test_a_statement_that_restricts_is_part_of_the_question() -> None:
    """'I only want accepted ones' is no chatter."""
    assert listed("List all policies. I only want accepted ones.").filters.statuses == ("accepted",)


def test_a_list_is_restricted_by_all_that_is_said() -> None:
    """Status, owner and period at once."""
    filters = listed("proposed decisions of the Flexibility Architecture Group since 2024").filters
    assert filters.owner == Owner(written="the Flexibility Architecture Group")
    assert (filters.statuses, filters.since) == (("proposed",), "2024")


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Which principles are not in force at the moment?", ("accepted",)),
        ("which decisions are not rejected", ("rejected",)),
        ("all decisions except rejected ones", ("rejected",)),
    ],
)
def test_a_status_is_denied(text: str, denied: tuple[str, ...]) -> None:
    """Then any other will do, also one that only the documents know."""
    filters = listed(text).filters
    assert (filters.statuses, filters.denied) == ((), denied)


@pytest.mark.parametrize(
    "text", ["only the accepted ones", "alleen de vervallen", "nur die akzeptierten"]
)
def test_what_narrows_no_list_is_asked_back(text: str) -> None:
    """Where no list was shown, which documents are meant is not known."""
    assert isinstance(read(text), Unclear)


def test_the_caller_may_name_the_kind_of_a_list() -> None:
    """Then a word for another kind changes nothing."""
    assert listed("which ones were taken in 2023", kind=DECISION).kinds == (DECISION,)


@pytest.mark.parametrize(
    "text",
    [
        "which decision says who owns the data",
        "Which policy applies to suppliers?",
        "Which policies apply at the moment to suppliers?",
        "Which decisions does the board make?",
        "Which decision replaced the VPN?",
        "Which decision was taken on message brokers in 2023?",
        "What was decided about TLS in 2024?",
        "What is an accepted ADR?",
        "What is the status of the proposed decision?",
        "Who owns the policies?",
        "Which decision is owned by whom?",
        "Do we have a policy on drafts?",
        "Which decision belongs to the topic of encryption?",
        "Which decision is in Dutch law?",
        "Which policy was approved by the CISO?",
        "What decisions can a domain team take on its own?",
        "Which decisions have consequences for suppliers?",
        "Is the retention policy still valid?",
        "How are policies approved?",
        "When were decisions taken?",
        "what does the policy say about draft documents",
        "security decisions and principles",
        "welke besluiten hebben gevolgen voor leveranciers",
        "welke principes zijn van toepassing op leveranciers",
        "Welche Richtlinie gilt f\u00fcr Lieferanten?",
    ],
)
def test_a_question_for_content_is_no_list(text: str) -> None:
    """Where anything is asked that is not understood, the documents are searched as before."""
    assert read(text).kind in {
        IntentKind.SINGLE_COLLECTION,
        IntentKind.CROSS_COLLECTION,
    }


def test_what_documents_are_about_restricts_nothing_else() -> None:
    """A language that is a subject is not one they are written in."""
    asks = read("list all decisions about writing in English")
    assert (asks.kind, topic_of(asks)) == (IntentKind.LIST, "writing in English")
    assert asks.filters.lang == ""
