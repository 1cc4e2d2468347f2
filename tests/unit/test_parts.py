"""A question that asks several things is split into whole questions, and no other is."""

from __future__ import annotations

import pytest
from tests.unit.marked import marked

from elysia_guard.domain.question import Lang
from elysia_guard.reading.parts import split


def parts(written: str, lang: Lang) -> tuple[str, ...]:
    text, spans = marked(written)
    return split(text, lang=lang, spans=spans)


@pytest.mark.parametrize(
    ("lang", "asked", "expected"),
    [
        (
            "en",
            "What does [[ADR-0012|D]] decide and who owns it?",
            ("What does ADR-0012 decide?", "who owns ADR-0012?"),
        ),
        (
            "en",
            "show me [[PCP-0010|D]] and tell me who approved it",
            ("show me PCP-0010?", "tell me who approved PCP-0010?"),
        ),
        (
            "en",
            "Who approved [[ADR-5|D]]? And is it still valid?",
            ("Who approved ADR-5?", "is ADR-5 still valid?"),
        ),
        (
            "en",
            "When was [[ADR-7|D]] accepted, and what are its consequences?",
            ("When was ADR-7 accepted?", "what are consequences of ADR-7?"),
        ),
        (
            "nl",
            "Toon [[ADR 15|D]], en vertel wie het heeft goedgekeurd.",
            ("Toon ADR 15?", "vertel wie ADR 15 heeft goedgekeurd?"),
        ),
        (
            "nl",
            "wat houdt [[congestie|T]] in en welke besluiten gaan erover?",
            ("wat houdt congestie in?", "welke besluiten gaan over congestie?"),
        ),
        (
            "nl",
            "wat is een [[tweeling|T]] en hebben wij daar een besluit over?",
            ("wat is een tweeling?", "hebben wij een besluit over een tweeling?"),
        ),
        (
            "de",
            "Was entscheidet [[ADR-0012|D]] und wem gehört es?",
            ("Was entscheidet ADR-0012?", "wem gehört ADR-0012?"),
        ),
        (
            "de",
            "Was ist [[Redispatch|T]], und was sagt [[ADR-0020|D]] dazu?",
            ("Was ist Redispatch?", "was sagt ADR-0020 zu Redispatch?"),
        ),
        (
            "fr",
            "qu'est-ce que l'[[îlotage|T]], et que dit l'[[ADR 15|D]] sur TLS ?",
            ("qu'est-ce que l'îlotage?", "que dit l'ADR 15 sur TLS?"),
        ),
    ],
)
def test_what_a_later_part_calls_it_is_put_in(
    lang: Lang, asked: str, expected: tuple[str, ...]
) -> None:
    """Each part can be understood without the other."""
    assert parts(asked, lang) == expected


@pytest.mark.parametrize(
    ("lang", "asked", "expected"),
    [
        ("en", "status and owner of [[ADR-12|D]]", ("status of ADR-12?", "owner of ADR-12?")),
        (
            "nl",
            "datum en eigenaar van [[besluit 7|D]] graag",
            ("datum van besluit 7?", "eigenaar van besluit 7?"),
        ),
        (
            "de",
            "Status und Eigentümer von [[ADR 12|D]] bitte",
            ("Status von ADR 12?", "Eigentümer von ADR 12?"),
        ),
        (
            "fr",
            "statut et propriétaire de l'[[ADR-12|D]]",
            ("statut de l'ADR-12?", "propriétaire de l'ADR-12?"),
        ),
        (
            "en",
            "[[pcp 17|D]]: owner, plus what it says on derived data",
            ("pcp 17: owner?", "what pcp 17 says on derived data?"),
        ),
    ],
)
def test_two_fields_of_a_document_are_two_parts(
    lang: Lang, asked: str, expected: tuple[str, ...]
) -> None:
    """What is said once of both is said of each."""
    assert parts(asked, lang) == expected


@pytest.mark.parametrize(
    ("lang", "asked", "expected"),
    [
        (
            "en",
            "define [[islanding|T]] and [[redispatch|T]]",
            ("define islanding?", "define redispatch?"),
        ),
        (
            "en",
            "explain [[RTO|T]], [[RPO|T]] and [[SAIDI|T]]",
            ("explain RTO?", "explain RPO?", "explain SAIDI?"),
        ),
        (
            "nl",
            "definieer [[prosument|T]] en [[feeder|T]]",
            ("definieer prosument?", "definieer feeder?"),
        ),
        (
            "de",
            "Definiere [[Trafo|T]] und [[Lastabwurf|T]]",
            ("Definiere Trafo?", "Definiere Lastabwurf?"),
        ),
        (
            "nl",
            (
                "ik hoor [[redispatch|T]] en [[afregelen|T]] door elkaar, leg beide uit "
                "en zeg waarin ze verschillen"
            ),
            (
                "leg redispatch uit?",
                "leg afregelen uit?",
                "zeg waarin redispatch en afregelen verschillen?",
            ),
        ),
    ],
)
def test_two_terms_are_two_definitions(lang: Lang, asked: str, expected: tuple[str, ...]) -> None:
    """Each term is asked for by itself, in the same words."""
    assert parts(asked, lang) == expected


@pytest.mark.parametrize(
    ("lang", "asked", "expected"),
    [
        (
            "en",
            "how many principles are there and what is a prosumer?",
            ("how many principles are there?", "what is a prosumer?"),
        ),
        (
            "en",
            "how many principles are there, and name them",
            ("how many principles are there?", "name principles?"),
        ),
        (
            "nl",
            "hoeveel besluiten zijn er? En welke daarvan is de nieuwste?",
            ("hoeveel besluiten zijn er?", "welke van besluiten is de nieuwste?"),
        ),
        (
            "nl",
            "synoniemen van [[feeder|T]] + zijn er principes over taal?",
            ("synoniemen van feeder?", "zijn er principes over taal?"),
        ),
        (
            "de",
            "Ist [[POL 4|D]] noch gültig? Und welche Grundsätze gibt es zu Daten?",
            ("Ist POL 4 noch gültig?", "welche Grundsätze gibt es zu Daten?"),
        ),
        (
            "en",
            "what's a [[busbar|T]]? and which decisions mention switchgear?",
            ("what's a busbar?", "which decisions mention switchgear?"),
        ),
        (
            "en",
            "does [[policy 3|D]] mention passwords and who signs off [[policy 30|D]]",
            ("does policy 3 mention passwords?", "who signs off policy 30?"),
        ),
    ],
)
def test_a_part_of_its_own_needs_nothing_of_the_other(
    lang: Lang, asked: str, expected: tuple[str, ...]
) -> None:
    """A list, a meaning or another document stands as it is."""
    assert parts(asked, lang) == expected


@pytest.mark.parametrize(
    ("lang", "asked", "second"),
    [
        (
            "en",
            "Who owns [[ADR-0029|D]] and what alarm limit did they end up with?",
            "ADR-0029: what alarm limit did they end up with?",
        ),
        (
            "nl",
            "Wie keurden [[ADR 22|D]] goed en lag er nog iemand dwars?",
            "ADR 22: lag er nog iemand dwars?",
        ),
        (
            "en",
            (
                "In the approval record of [[ADR-15|D]], how often do we rehearse, "
                "and how many holders turn up?"
            ),
            "In the approval record of ADR-15: how many holders turn up?",
        ),
        (
            "nl",
            (
                "stroomrichting: welk teken hoort bij afname, "
                "en wijkt de afspraak voor de markt daarvan af?"
            ),
            "stroomrichting: wijkt de afspraak voor de markt daarvan af?",
        ),
    ],
)
def test_what_a_part_leaves_out_is_named_in_front(lang: Lang, asked: str, second: str) -> None:
    """Where nothing says 'it', the document or the subject stands before."""
    assert parts(asked, lang)[1] == second


@pytest.mark.parametrize(
    ("lang", "asked"),
    [
        ("en", "decisions and principles about security"),
        ("en", "who decides on firewall changes and when"),
        ("en", "compare 20 and 25"),
        ("en", "who owns [[ADR-12|D]] and [[ADR-13|D]]?"),
        ("en", "summarise 'need to know and need to share'"),
        ("en", "what do [[ADR 12|D]] and the principle on [[CIM|T]] say about profiles"),
        ("en", "which teams own data and have the right to delete it"),
        ("en", "which ADRs say how to encrypt and what to log"),
        ("en", "how and when do we rotate keys?"),
        ("en", "Who signs off on firewall changes, and how long does it take?"),
        ("en", "what is the difference between [[A|T]] and [[B|T]], and which one is planned?"),
        ("en", "How do [[ADR 3|D]] and [[ADR 33|D]] fit together - does one cancel the other?"),
        ("en", "12 or 11, which one is business functions and which one the data language?"),
        ("en", "We need a database. Which one do we normally use?"),
        ("en", "Could you please tell me what [[ADR-8|D]] is about? Thanks and have a nice day"),
        ("nl", "welke principes en besluiten gaan over beveiliging"),
        ("nl", "kun je 22 en 26 eens met elkaar vergelijken"),
        ("nl", "mag ik data delen of moet dat eerst gevraagd worden"),
        ("nl", "hoe lang bewaren we logs en back-ups"),
        ("nl", "Welke besluiten komen van de groep? Graag alle ADR's noemen."),
        ("de", "Was sagen [[ADR 12|D]] und [[POL 3|D]] über Kennwörter?"),
        ("de", "was passiert, wenn ein Zertifikat abläuft und niemand es erneuert"),
        ("de", "wie lange werden Protokolle und Sicherungen aufbewahrt"),
        ("fr", "quelles décisions et quels principes portent sur la sécurité"),
        ("fr", "comment et quand change-t-on les clés ?"),
    ],
)
def test_one_question_stays_as_it_is(lang: Lang, asked: str) -> None:
    """Names that one verb takes, the rest of a question, and what depends on it are not cut off."""
    text, _ = marked(asked)
    assert parts(asked, lang) == (text,)


@pytest.mark.parametrize(
    ("lang", "asked"),
    [
        ("nl", "[[kabel|T]] met GPLK-kabel, waar staat dat voor"),
        ("en", "[[ADR-17|D]] speaks of a canonical model. What do they mean by it?"),
        ("en", "[[pol-2|D]]: is it all right to read secret papers on the train?"),
        ("nl", "[[klant|T]] vraagt wat salderen betekent, hebben we daar een definitie van?"),
        ("en", "I keep reading 'class 5' in [[ADR-22|D]]. What does it stand for?"),
    ],
)
def test_a_pronoun_that_may_mean_something_else_is_left(lang: Lang, asked: str) -> None:
    """What is not sure is not put in."""
    text, _ = marked(asked)
    assert parts(asked, lang) == (text,)


def test_a_text_without_words_is_one_part() -> None:
    """Nothing is made of nothing."""
    assert split("?!", lang="en") == ("?!",)
