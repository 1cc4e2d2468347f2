"""A question about a named document: for a fact about itself, or for a matter that it speaks of."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elysia_guard.domain.question import Aspect, Lang
from elysia_guard.language.pack import langs
from elysia_guard.reading import fields

NAMED = "ADR-16"


def read(question: str, lang: Lang) -> tuple[Aspect, str]:
    """Read a question in which each ``*`` is a document; ``*title*`` a title."""
    text, spans = "", []
    for place, piece in enumerate(question.split("*")):
        named = (piece or NAMED) if place % 2 else ""
        if named:
            spans.append((len(text), len(text) + len(named)))
        text += named or piece
    found = fields.named(text, lang=lang, references=(), spans=spans)
    return found.aspect, found.matter


@pytest.mark.parametrize(
    ("lang", "question", "aspect"),
    [
        ("en", "What did ** reject?", Aspect.SUBSTANCE),
        ("en", "What does ** accept?", Aspect.SUBSTANCE),
        ("de", "Was hat ** abgelehnt?", Aspect.SUBSTANCE),
        ("en", "Was ** rejected?", Aspect.STATUS),
        ("de", "Wurde ** abgelehnt?", Aspect.STATUS),
    ],
)
def test_what_a_document_does_is_no_status(lang: Lang, question: str, aspect: Aspect) -> None:
    """That it was accepted does not say what it rejects."""
    assert read(question, lang)[0] is aspect


@pytest.mark.parametrize(
    ("lang", "question", "beside"),
    [
        ("en", "when was ** accepted?", False),
        ("en", "did the results change with the version of **?", True),
        ("en", "does each *service* need an owner, and a yearly review?", True),
        ("nl", "wie is de eigenaar van **?", False),
        ("de", "wem gehört **, und brauchen Zähler eine Prüfung?", True),
    ],
)
def test_what_is_said_beside_a_field_is_told(lang: Lang, question: str, *, beside: bool) -> None:
    """So that a field read out of a longer question is not asserted."""
    text = question.replace("**", NAMED).replace("*", "")
    name = NAMED if NAMED in text else "service"
    span = (text.index(name), text.index(name) + len(name))
    found = fields.named(text, lang=lang, references=(), spans=[span])
    assert found.beside is beside


@pytest.mark.parametrize(
    ("lang", "question", "another"),
    [
        ("en", "Which ADR came right before **?", True),
        ("en", "Which decisions were accepted in the same month as **?", True),
        ("en", "Which decision replaced **?", True),
        ("nl", "Welk besluit werd na ** goedgekeurd?", True),
        ("de", "Welche Entscheidung hat ** ersetzt?", True),
        ("en", "Which decision is **?", False),
        ("en", "Which principle does ** describe?", False),
        ("en", "When was ** accepted?", False),
    ],
)
def test_a_document_that_is_asked_for_is_not_the_named_one(
    lang: Lang, question: str, *, another: bool
) -> None:
    """What the named one says is then no answer."""
    start = question.index("**")
    text = question.replace("**", NAMED)
    found = fields.named(text, lang=lang, references=(), spans=[(start, start + len(NAMED))])
    assert found.another is another


@pytest.mark.parametrize("question", ["How long is **?", "How many people read **?"])
def test_what_is_counted_or_measured_of_the_whole_may_be_a_matter(question: str) -> None:
    """The whole text is shown, and not asserted to be what was asked for."""
    start = question.index("**")
    text = question.replace("**", NAMED)
    found = fields.named(text, lang="en", references=(), spans=[(start, start + len(NAMED))])
    assert (found.aspect, found.matter, found.beside) == (Aspect.SUBSTANCE, "", True)


@pytest.mark.parametrize(
    ("lang", "question", "aspect"),
    [
        ("en", "when was ** accepted?", Aspect.DATE),
        ("en", "** dates from which year", Aspect.DATE),
        ("en", "who owns **?", Aspect.OWNER),
        ("en", "The *gateway decision*, whose is it?", Aspect.OWNER),
        ("en", "Could you tell me which team ** belongs to?", Aspect.OWNER),
        ("en", "is ** still valid", Aspect.STATUS),
        ("en", "can I build on ** or is it only a draft", Aspect.STATUS),
        ("en", "who approved the *TLS decision*", Aspect.APPROVAL),
        ("en", "What is the current version of **?", Aspect.VERSION),
        ("en", "who was the driver of the *gateway decision*?", Aspect.DRIVER),
        ("nl", "wie trekt **", Aspect.OWNER),
        ("nl", "van wie is **", Aspect.OWNER),
        ("nl", "Op welke dag is ** vastgesteld?", Aspect.DATE),
        ("nl", "** nog geldig?", Aspect.STATUS),
        ("nl", "handtekeningen onder **, van wie zijn die", Aspect.APPROVAL),
        ("de", "Wem gehört **?", Aspect.OWNER),
        ("de", "seit wann gilt **", Aspect.DATE),
        ("de", "Ist ** schon angenommen oder noch ein Entwurf?", Aspect.STATUS),
        ("de", "Von welchem Gremium wurde ** genehmigt?", Aspect.APPROVAL),
    ],
)
def test_a_fact_is_told_where_it_is_asked_of_the_document(
    lang: Lang, question: str, aspect: Aspect
) -> None:
    """Whatever the wording: nothing but the document is what the word is asked of."""
    assert read(question, lang) == (aspect, "")


@pytest.mark.parametrize(
    ("lang", "question", "asked"),
    [
        ("en", "Until what date does ** allow TLS 1.2?", "TLS 1.2"),
        ("en", "Who is responsible for generated text according to **?", "generated text"),
        ("en", "Which HTTP status does ** send above the limit?", "HTTP status"),
        ("en", "Who approves a role request in **?", "approves a role request"),
        ("en", "Does ** name an owner for each interface?", "interface"),
        ("en", "who owns the master data in **?", "master data"),
        ("en", "is a draft shared with partners accepted under **", "partners"),
        ("en", "**: a new supplier never answered, whose fault was that?", "supplier"),
        ("en", "who approved the exception to **?", "exception"),
        ("en", "does ** apply to contractors", "contractors"),
        ("nl", "Wie is volgens ** verantwoordelijk voor patches?", "patches"),
        ("nl", "Welke orderstatussen legt ** op?", "orderstatussen"),
        ("nl", "Geldt ** ook voor aannemers?", "aannemers"),
        ("nl", "wie moet een uitzondering op ** goedkeuren?", "uitzondering"),
        ("nl", "wat is de einddatum van TLS 1.2 in **", "einddatum"),
        ("de", "Bis wann dürfen alte Zertifikate nach ** benutzt werden?", "alte Zertifikate"),
        ("de", "Welchen Statuscode liefert Bouncer laut **?", "Statuscode"),
        ("de", "**: welcher Ausschuss genehmigt die Abschaltung?", "Abschaltung"),
        ("de", "Gilt ** auch für Dienstleister?", "Dienstleister"),
    ],
)
def test_a_matter_is_no_fact_about_the_document(lang: Lang, question: str, asked: str) -> None:
    """A date, status, owner or approver of something else is sought in the text, by its words."""
    aspect, matter = read(question, lang)
    assert aspect is Aspect.SUBSTANCE
    assert asked in matter
    assert NAMED not in matter


@pytest.mark.parametrize(
    ("lang", "question"),
    [
        ("nl", "Wie keurde ** goed?"),
        ("nl", "wie stemden er destijds in met **"),
        ("de", "Wer segnete ** ab?"),
        ("de", "wer stimmte ** eigentlich zu"),
    ],
)
def test_a_separable_verb_counts_as_one_word(lang: Lang, question: str) -> None:
    """Its halves stand around the document."""
    assert read(question, lang) == (Aspect.APPROVAL, "")


@pytest.mark.parametrize(
    "question",
    [
        "A vendor calls it interoperable. Does ** accept that?",
        "Please explain tier A, B and C as ** uses them.",
    ],
)
def test_what_a_document_does_is_not_done_to_it(question: str) -> None:
    """What it accepts or uses is a matter; that it was accepted is its status."""
    assert read(question, "en")[0] is Aspect.SUBSTANCE


def test_the_whole_name_is_the_documents() -> None:
    """What is written onto a span or stands beside it as its name is no matter."""
    assert read("CIM-*besluit 12*, is dat achterhaald?", "nl") == (Aspect.STATUS, "")
    assert read("who approved the *decision on TLS 1*.2?", "en") == (Aspect.APPROVAL, "")


def test_why_a_version_was_withdrawn_stands_in_the_approval_record() -> None:
    """It is asked there, by its number."""
    aspect, matter = read("why was version 1.0 of ** withdrawn?", "en")
    assert aspect is Aspect.APPROVAL
    assert "version 1.0 withdrawn" in matter


def test_who_approved_and_where_is_beside_the_date() -> None:
    """'The day ESA approved it' asks for a date, and names who did it."""
    assert read("**, what was the day ESA gave it their support?", "en") == (Aspect.DATE, "")
    assert read("Wann hat die Zusammenarbeit mit Siemens ** unterstützt?", "de")[0] is Aspect.DATE


def test_an_aside_leaves_a_question_what_it_is() -> None:
    """What is said around a question for a fact is not asked."""
    aside = "is ** still valid? My architect keeps throwing it at me in reviews"
    assert read(aside, "en") == (Aspect.STATUS, "")
    assert read("need the date on ** for a slide, quick", "en") == (Aspect.DATE, "")
    assert read("I've got a remark on *the CIM policy*, whose document is that?", "en") == (
        Aspect.OWNER,
        "",
    )


def test_what_is_said_of_a_document_before_another_question_is_not_asked() -> None:
    """Only the clause that asks counts."""
    aspect, matter = read("** isn't agreed yet, I know. But how many firms join the trial?", "en")
    assert aspect is Aspect.SUBSTANCE
    assert "firms join" in matter


def test_a_slip_hides_no_field() -> None:
    """Typed in a hurry."""
    assert read("eignaar **", "nl")[0] is Aspect.OWNER


@pytest.mark.parametrize(
    ("lang", "question", "read_as"),
    [
        ("en", "What are the consequences of **?", (Aspect.CONSEQUENCES, "")),
        ("en", "List the negative consequences of **.", (Aspect.CONSEQUENCES, "")),
        ("en", "which options did ** consider?", (Aspect.ALTERNATIVES, "")),
        ("de", "Welche Optionen wurden in ** verworfen?", (Aspect.ALTERNATIVES, "")),
        ("nl", "waarom **?", (Aspect.CONTEXT, "")),
        ("en", "Why did ** not choose RACI?", (Aspect.CONTEXT, "RACI")),
    ],
)
def test_a_side_of_a_document_is_asked_with_or_without_a_matter(
    lang: Lang, question: str, read_as: tuple[Aspect, str]
) -> None:
    """Why it was decided, what follows, and what else was weighed."""
    assert read(question, lang) == read_as


@pytest.mark.parametrize(
    ("lang", "question"),
    [
        ("en", "**"),
        ("en", "What does ** say?"),
        ("en", "can you summarise ** for the auditors"),
        ("en", "** keeps coming up in reviews, can you explain that?"),
        ("nl", "Vat ** in één zin samen."),
        ("nl", "Morgen presenteer ik ** aan de gemeente. Leg uit wat daar besloten is."),
        ("de", "Worum geht es in **?"),
    ],
)
def test_the_whole_has_no_matter(lang: Lang, question: str) -> None:
    """It is told as it is, whoever is to hear it."""
    assert read(question, lang) == (Aspect.SUBSTANCE, "")


def test_what_a_document_says_on_something_is_a_matter() -> None:
    """'What does it say about' is not 'what does it say'."""
    assert read("Wat zegt ** over graafwerk?", "nl") == (Aspect.SUBSTANCE, "over graafwerk")
    assert read("What does ** mean for partners?", "en") == (Aspect.SUBSTANCE, "for partners")


def test_more_than_who_approved_is_asked_of_the_approval_record() -> None:
    """Conditions and objections stand there."""
    assert read("under which conditions was ** approved?", "en") == (
        Aspect.APPROVAL,
        "under conditions approved",
    )
    aspect, matter = read("the approval record of **: what did the lawyers object to?", "en")
    assert aspect is Aspect.APPROVAL
    assert "lawyers object" in matter


def test_who_must_approve_is_a_rule_and_no_record() -> None:
    """What is to be done is not what was done, though nothing else is named."""
    aspect, matter = read("according to **, who must approve?", "en")
    assert (aspect, matter) == (Aspect.SUBSTANCE, "approve")


@pytest.mark.parametrize("lang", langs())
def test_each_language_names_the_same_roles(lang: Lang) -> None:
    """A language that lacks a role would read that part of every question wrongly."""

    def roles(of: Lang) -> set[tuple[str, str]]:
        place = files("elysia_guard.language") / "packs" / of / "fields.toml"
        tables = tomllib.loads(place.read_text(encoding="utf-8"))
        return {(table, role) for table, named in tables.items() for role in named if named[role]}

    assert roles(lang) == roles("en")


@pytest.mark.parametrize(
    ("question", "aspect"),
    [
        ("à qui appartient ** ?", Aspect.OWNER),
        ("par qui ** a-t-il été validé ?", Aspect.APPROVAL),
        ("Quand ** a-t-il été adopté ?", Aspect.DATE),
        ("** est-il encore valable ?", Aspect.STATUS),
        ("Jusqu'à quelle date ** autorise-t-il TLS 1.2 ?", Aspect.SUBSTANCE),
        ("Qui est responsable du texte généré selon ** ?", Aspect.SUBSTANCE),
        ("quel statut reçoit un appareil expiré dans ** ?", Aspect.SUBSTANCE),
    ],
)
def test_a_language_is_read_by_its_data_alone(question: str, aspect: Aspect) -> None:
    """French has a file of words and no code."""
    assert read(question, "fr")[0] is aspect


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80), st.sampled_from(langs()))
def test_any_text_is_read(text: str, one: int, other: int, lang: Lang) -> None:
    """A stated fact never has a matter; nothing fails, whatever stands in the question."""
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    spans = [(start, end)] if start < end else []
    found = fields.named(text, lang=lang, references=(), spans=spans)
    assert not found.matter or found.aspect not in {
        Aspect.STATUS,
        Aspect.DATE,
        Aspect.OWNER,
        Aspect.VERSION,
    }


@pytest.mark.parametrize(
    ("lang", "question"),
    [
        ("en", "Remind me what ** settles"),
        ("en", "Could you tell us what the decision ** governs?"),
        ("en", "I have forgotten what ** forbids"),
        ("en", "What did ** achieve?"),
        ("nl", "Herinner me eraan wat ** afdwingt"),
        ("de", "Sag mir, was ** verbietet"),
        ("fr", "Rappelle-nous ce que l'** interdit"),
    ],
)
def test_what_a_document_does_by_itself_is_no_matter(lang: Lang, question: str) -> None:
    """A verb at the end of 'what ADR-16 ...' asks for what the document says, whatever verb."""
    assert read(question, lang) == (Aspect.SUBSTANCE, "")


@pytest.mark.parametrize(
    ("lang", "question", "matter"),
    [
        ("en", "Remind me what ** settles about laptops", "laptops"),
        ("en", "What does ** say about the salary?", "about the salary"),
        ("en", "What salary does ** set?", "salary"),
        ("en", "Does the salary of auditors follow what ** governs?", "salary"),
        ("en", "What does ** permit for suppliers?", "suppliers"),
        ("nl", "Wat verbiedt ** aan leveranciers?", "leveranciers"),
        ("de", "Sag mir, was ** den Lieferanten verbietet", "Lieferanten"),
    ],
)
def test_what_it_does_with_something_is_a_matter(lang: Lang, question: str, matter: str) -> None:
    """What stands beside the verb of a document is asked about."""
    assert matter.casefold() in read(question, lang)[1].casefold()


def test_a_verb_of_no_known_meaning_leaves_the_reading_in_doubt() -> None:
    """'What ADR-16 says' asks for the whole; what it achieves may be a matter, and is hedged."""

    def beside(text: str) -> bool:
        return fields.named(text, lang="en", references=(), spans=[(5, 11)]).beside

    assert beside("What ADR-16 achieves")
    assert not beside("What ADR-16 says")
