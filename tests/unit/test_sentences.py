"""Where sentences end, in three languages: what is cut there is quoted alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.small_world import DECISION, document

from elysia_guard.adapters.documents import sentence_texts
from elysia_guard.adapters.documents.chunks import LIMIT, cut
from elysia_guard.adapters.documents.content import ContentBlock, ContentSection
from elysia_guard.domain.document import SectionRole
from elysia_guard.language.sentences import sentences, units

EN = (
    "The design of Dr. Okafor was reviewed by Mrs. Lee.|Both signed it.",
    "Order No. 7 replaces order No. 3.|The rest stays in force.",
    "The depot at St. Anne's Street is closed.|Use the one in the harbour.",
    "Open formats, e.g. Turtle, are read by all.|Closed ones, i.e. those of vendors, are not.",
    "By Art. 12 and Sec. 3.1 a log is kept.|Nobody may switch it off.",
    "Use TLS 1.3 between stations.|TLS 1.2. was withdrawn.",
    "Release 4.2.1 fixes it.|Upgrade to 4.2.|Older ones are unsafe.",
    "ADR.12 names the standard.|ADR.13 names the profile.",
    "It costs 3.5 million.|The board of A. B. Okafor agreed.",
    'She asked, "Who decides?"|The board does.',
    "See https://example.org/a.b?c=d.e for more.|Write to help@example.org.",
    "It may fail...|Then it is tried again.",
    "The limit (see annex B.2) holds.|It is final.",
    "Meters, cables, etc. are owned by Acme Ltd. and its partners.|Pipes are not.",
    "The value is approx. 40 kV.|It varies.",
    "Stop!|Why?|It is live.",
    "The answer is no.|The question was another.",
    "A cable weighs 3 kg.|A meter weighs less.",
)
NL = (
    "Het ontwerp van dr. De Vries is besproken met mr. Bakker.|Beiden tekenden.",
    "Nr. 7 vervangt nr. 3.|De rest blijft gelden.",
    "Open formaten, bijv. Turtle, leest elk programma.|Andere, d.w.z. die van leveranciers, niet.",
    "Volgens art. 12 lid 2 en par. 3.1 wordt een logboek bijgehouden.|Dat blijft zo.",
    "Dit geldt m.b.t. de meters en o.a. de kabels.|De rest volgt i.v.m. de planning later.",
    "Het bedraagt 3,5 procent van 1.250.000 aansluitingen.|Dat is veel.",
    "Getekend door J.P. de Vries en A. van den Berg.|Het bestuur was akkoord.",
    "ADR.12 noemt de standaard.|ADR.13 noemt het profiel.",
    "Ga naar versie 1.2.|De oude is onveilig.",
    "'s Nachts is er weinig vraag.|'s Avonds is er veel.",
    'Zij vroeg: "Wie beslist?"|Het bestuur.',
    "De spanning is ca. 40 kV.|Die varieert.",
    "Het begon op 3 jan. 2026 om 14.30 uur.|Iedereen kwam.",
    "Wacht!|Waarom?|Er staat spanning op.",
    "Zie blz. 3 en afb. 4.|Daar staat het.",
)
DE = (
    "Der Entwurf von Dr. Müller wurde mit Prof. Weiß besprochen.|Beide stimmten zu.",
    "Nr. 7 ersetzt Nr. 3.|Der Rest gilt weiter.",
    "Offene Formate, z.B. Turtle, liest jedes Programm.|Andere, d.h. die von Herstellern, nicht.",
    "Offene Formate, z. B. Turtle, liest jedes Programm.|Andere, d. h. geschlossene, nicht.",
    "Nach Art. 12 Abs. 2 Nr. 4 wird ein Protokoll geführt.|Das bleibt so.",
    "Es beginnt am 3. Mai 2026 und endet am 12. Dezember.|Alle kommen.",
    "Der 1. Abschnitt gilt für das 20. Jahrhundert.|Danach gilt er nicht.",
    "Der Tarif stieg um 3,5 Prozent bei 1.250.000 Anschlüssen.|Später fiel er.",
    "ADR.12 nennt den Standard.|ADR.13 nennt das Profil.",
    "Sie fragte: „Wer entscheidet?“|Der Vorstand.",
    "Das gilt bzgl. der Zähler, Kabel usw. auch hier.|Der Rest folgt.",
    "Der Wert beträgt ca. 40 kV.|Er schwankt.",
    "Hr. Schmidt und Dipl.-Ing. Schwarz prüften es.|Es hielt.",
    "Halt!|Warum?|Es steht unter Spannung.",
    "Die Regel (vgl. Anlage 3) gilt.|Sie ist endgültig.",
    "Das steht in Version 3.|Danach kommt nichts.|Am Montag, 3. Juni, ist Schluss.",
)
MARKED = [(lang, text) for lang, texts in (("en", EN), ("nl", NL), ("de", DE)) for text in texts]


@pytest.mark.parametrize(("lang", "marked"), MARKED)
def test_a5_a_quote_ends_where_its_sentence_ends(lang: str, marked: str) -> None:
    """A quoted sentence is whole: no abbreviation, initial, ordinal or number ends it."""
    assert units(marked.replace("|", " "), lang) == tuple(marked.split("|"))


@pytest.mark.parametrize(("lang", "marked"), MARKED)
@pytest.mark.parametrize("other", ["", "en", "nl", "de", "fr", "tlh"])
def test_a5_nothing_is_cut_inside_a_sentence_of_an_unknown_language(
    lang: str, marked: str, other: str
) -> None:
    """A document whose language is not known is cut where the rules of all languages agree."""
    text = marked.replace("|", " ")
    assert "".join(sentences(text, other)) == text
    ends = {len(marked[:at].replace("|", " ")) + 1 for at, c in enumerate(marked) if c == "|"}
    cuts = set()
    if not other:
        for part in sentences(text, other)[:-1]:
            cuts.add(max(cuts, default=0) + len(part))
    assert cuts <= ends


_PIECES = st.sampled_from(
    ["Dr. ", "z.B. ", "No. 5 ", "'s ", "„Ja.“ ", "(a. ", ") ", "...", "? ", "! ", "1. ", "\u00a0",
     "\u2028", "Mai ", "X", "é", "\U0001f600 ", "\n", "\t", '" ', "’ ", "[1] ", "e.g.", "A. ", "- "]
)  # fmt: skip


@given(
    st.lists(_PIECES | st.text(max_size=8), max_size=30), st.sampled_from(["", "en", "nl", "de"])
)
def test_a5_cutting_loses_and_changes_nothing(pieces: list[str], lang: str) -> None:
    """Put together again, the sentences of a text are the text, whatever it holds."""
    text = "".join(pieces)
    assert "".join(sentences(text, lang)) == text
    found = "".join("".join(units(text, lang)).split())
    kept = [char for char in text if char.isalnum()]
    assert [char for char in found if char.isalnum()] == kept


def test_a_lone_quotation_mark_at_the_end_is_no_sentence() -> None:
    """Nothing follows it, not even a word."""
    assert "".join(sentences('\u201eJa.\u201c " ')) == '\u201eJa.\u201c " '


def test_a5_a_document_is_cut_by_the_rules_of_its_own_language() -> None:
    """'Am 3. Mai' is one sentence of a German document, and 'version 3. May' two of an English."""
    (german,) = document(
        DECISION, 1, "", (SectionRole.SUBSTANCE, f"{'Wir beginnen am 3. Mai. ' * 8}"), lang="de"
    )
    assert all(text.endswith("3. Mai.") for text in sentence_texts(german))
    assert units("It needs version 3. May we use 2?", "en") == (
        "It needs version 3.",
        "May we use 2?",
    )


def test_a5_long_sections_are_cut_between_sentences_too() -> None:
    """A passage never begins in the middle of a sentence, however long its section is."""
    sentence = (
        "Nach Auffassung von Dr. Müller, z. B. am 3. Mai, gilt Art. 5 für alle Zähler im Netz."
    )
    (passage,) = document(DECISION, 1, "", (SectionRole.SUBSTANCE, ""), lang="de")
    text = " ".join([sentence] * (3 * LIMIT // len(sentence)))
    passages = cut(
        passage.document, [ContentSection(path=("Lage",), blocks=[ContentBlock(text=text)])]
    )
    assert len(passages) > 2
    assert " ".join(item.text for item in passages) == text
    assert all(item.text.startswith("Nach Auffassung") for item in passages)


def test_a5_lists_and_tables_stay_units() -> None:
    """A list item or table row is quoted whole, also one of several sentences."""
    text = "- First. It has two.\n- Second, e.g. this.\n\n1. One. Again.\n2) Two."
    assert units(text, "en") == (
        "- First. It has two.",
        "- Second, e.g. this.",
        "1. One. Again.",
        "2) Two.",
    )


LONG = "The connection between a station and its control room is encrypted with nothing but TLS."
OTHER = "Certificates of devices that cannot be visited are valid for ten years at the very most."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{LONG} {OTHER}", ("Use TLS\n" + LONG, "Use TLS\n" + OTHER)),
        (f"- {LONG}\n- {OTHER}", ("Use TLS\n- " + LONG, "Use TLS\n- " + OTHER)),
        (f"{LONG} So it is.", ("Use TLS\n" + LONG, "Use TLS\nSo it is.")),
        (f"So it is. {LONG}", ()),
        (LONG, ()),
        ("", ()),
    ],
    ids=["two", "items", "a short end", "a short beginning", "one", "none"],
)
def test_a_sentence_stands_under_its_title(text: str, expected: tuple[str, ...]) -> None:
    """A short one stands with the next; a passage of one sentence has none of its own."""
    (passage,) = document(DECISION, 27, "Use TLS", (SectionRole.SUBSTANCE, text))
    assert sentence_texts(passage) == expected


def test_without_a_title_a_sentence_stands_alone() -> None:
    """No empty line comes first."""
    (passage,) = document(DECISION, 27, "", (SectionRole.SUBSTANCE, f"{LONG} {OTHER}"))
    assert sentence_texts(passage) == (LONG, OTHER)
