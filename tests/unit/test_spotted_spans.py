"""What a question mentions that is known: terms, titles and numbers, each with its identity."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elysia_guard.domain.concept import Label, LabelRole, Text
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.language.pack import langs
from elysia_guard.reading.mentions import Meant, TermSpan
from elysia_guard.reading.spans import Span, Spotter

DECISION, PRINCIPLE, POLICY = DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY


def document(kind: DocumentKind, number: int, title: str, *, slug: str = "") -> Document:
    name = slug or title.lower().replace(" ", "-")
    return Document(
        id=f"{kind.prefix}-{number:04d}",
        kind=kind,
        title=title,
        path=f"{kind}s/{number:04d}-{name}.md",
        sha256="",
        number=number,
    )


def labels(uri: str, lang: str | None, *values: str, role: str = "prefLabel") -> list[Label]:
    return [
        Label(uri=uri, text=Text(value=value, lang=lang), role=LabelRole(role)) for value in values
    ]


DOCUMENTS = (
    document(DECISION, 1, "Record architecture decisions"),
    document(DECISION, 3, "3. Networking outline"),
    document(DECISION, 4, "3. Networking outline", slug="ip-ranges"),
    document(DECISION, 12, "Use CIM as the canonical data model"),
    document(DECISION, 15, "Encrypt data in transit and at rest"),
    document(DECISION, 16, "Allow TLS 1.3, and TLS 1.2 only until a fixed date"),
    document(DECISION, 18, "Authenticate substation devices with mutual TLS"),
    document(DECISION, 24, "Make message exchange idempotent"),
    document(DECISION, 27, "Give field engineers access by VPN"),
    document(DECISION, 31, "Let assistants answer only from cited sources"),
    document(DECISION, 32, "Run services on a shared Kubernetes platform"),
    document(DECISION, 34, "Trade flexibility on a blockchain"),
    document(DECISION, 40, "Bouw een digitale tweeling van het laagspanningsnet"),
    document(PRINCIPLE, 11, "Need to know, need to share"),
    document(PRINCIPLE, 15, "Least privilege"),
    document(PRINCIPLE, 22, "Omnichannel multibranded, rekening houdend met regulering"),
    document(PRINCIPLE, 23, "Zelfregie en zelfservice tenzij", slug="zelfregie"),
    document(PRINCIPLE, 31, "Data is een asset – We leggen data goed vast"),
    document(PRINCIPLE, 32, "Data is een asset – We delen data"),
    document(POLICY, 1, "Data retention policy"),
    document(POLICY, 6, "Supplier security policy"),
    document(POLICY, 7, "Open data policy"),
    document(POLICY, 8, "CIM policy"),
)
LABELS = (
    *labels("curtailment", "en", "curtailment"),
    *labels("curtailment", "nl", "afregelen"),
    *labels("brp", "en", "balance responsible party"),
    *labels("brp", "en", "BRP", role="altLabel"),
    *labels("transformer", "en", "transformer"),
    *labels("transformer", "en", "tranformer", role="hiddenLabel"),
    *labels("power-transformer", "en", "power transformer"),
    *labels("class", None, "PowerTransformer"),
    *labels("privilege", "en", "least privilege"),
    *labels("privilege", "nl", "minimale rechten"),
    *labels("gateway", "en", "API gateway"),
    *labels("twin", "en", "digital twin"),
    *labels("twin", "nl", "digitale tweeling"),
    *labels("wobbe", "en", "Wobbe index"),
    *labels("operation", "en", "operation"),
    *labels("n1", "en", "N-1"),
    *labels("it", "en", "IT"),
    *labels("cpp", "en", "C++"),
    *labels("supernova", "en", "Supernovae"),
    *labels("bottleneck", "nl", "capaciteitsknelpunt"),
    *labels("party", "de", "Bilanzkreisverantwortlicher"),
    *labels("asset", "en", "asset"),
    *labels("regulated", "en", "asset", role="altLabel"),
    *labels("tls", "en", "TLS"),
)
SPOTTER = Spotter.of(LABELS, DOCUMENTS)


def named(meant: Meant) -> str:
    if isinstance(meant, TermSpan):
        return meant.uri
    return str(meant.identity or meant.number)


def spotted(text: str, lang: Lang = "en") -> list[tuple[str, str]]:
    """Each span with all that it may mean."""
    spans = SPOTTER.spot(text, lang)
    return [(span.text, " or ".join(map(named, span.candidates))) for span in spans]


@pytest.mark.parametrize(
    ("text", "lang", "found"),
    [
        ("whats CURTAILMENT?", "en", [("CURTAILMENT", "curtailment")]),
        ("wat is afregelen dan", "nl", [("afregelen", "curtailment")]),
        ("two power transformers", "en", [("power transformers", "power-transformer")]),
        ("the power-transformer", "en", [("power-transformer", "power-transformer")]),
        ("one powertransformer", "en", [("powertransformer", "class")]),
        ("een api-gateway?", "nl", [("api-gateway", "gateway")]),
        ("an apigateway?", "en", [("apigateway", "gateway")]),
        ("what's a supernova", "en", [("supernova", "supernova")]),
        ("der Bilanzkreisverantwortliche", "de", [("Bilanzkreisverantwortliche", "party")]),
        ("C++ or what", "en", [("C++", "cpp")]),
        ("they say n-1, or N1", "en", [("n-1", "n1"), ("N1", "n1")]),
        ("is it IT?", "en", [("IT", "it")]),
        ("the BRP's role", "en", [("BRP's", "brp")]),
        ("an asset", "en", [("asset", "asset or regulated")]),
        ("what do operators do", "en", []),
        ("plan C is not C+", "en", []),
    ],
)
def test_a_term_is_spotted_in_any_form(text: str, lang: Lang, found: list[tuple[str, str]]) -> None:
    """Inflected, hyphened, written together, in another language; no other word of its stem."""
    assert spotted(text, lang) == found


@pytest.mark.parametrize(
    ("text", "lang", "found", "mistyped"),
    [
        ("balence responsible party", "en", "brp", "balence"),
        ("wobbe indx pls", "en", "wobbe", "indx"),
        ("kapaciteitsknelpunt?", "nl", "bottleneck", "kapaciteitsknelpunt"),
        ("a transfromer", "en", "transformer", "transfromer"),
        ("blokchain adr", "en", "ADR-0034", "blokchain"),
    ],
)
def test_a_mistyped_word_is_taken_for_the_one_near_it(
    text: str, lang: Lang, found: str, mistyped: str
) -> None:
    """It is no exact span, and less sure than what is spelt right."""
    (span,) = SPOTTER.spot(text, lang)
    assert (named(span.means), span.mistyped, span.exact) == (found, (mistyped,), False)
    assert span.chance < 0.9


def test_a_word_that_the_documents_use_is_not_mistyped() -> None:
    """Whoever knows the word says so."""
    assert SPOTTER.spot("a transfromer", "en")
    assert not SPOTTER.spot("a transfromer", "en", known={"transfromer"})


@pytest.mark.parametrize(
    ("text", "lang", "found"),
    [
        ("who signed Encrypt data in transit and at rest", "en", "ADR-0015"),
        ("het omnichannelprincipe", "nl", "PCP-0022"),
        ("the TLS decision", "en", "ADR-0016 or ADR-0018"),
        ("least privilege", "en", "privilege or PCP-0015"),
        ("the principle of least privilege", "en", "PCP-0015"),
        ("zelfregie", "nl", "PCP-0023"),
        ("'Data is een asset'", "nl", "PCP-0031 or PCP-0032"),
        ("the networking outline", "en", "ADR-0003 or ADR-0004"),
        ("the ip ranges record", "en", "ADR-0004"),
        ("de digitale tweeling van het laagspanningsnet", "nl", "ADR-0040"),
    ],
)
def test_a_document_is_named_by_its_title(text: str, lang: Lang, found: str) -> None:
    """In full, in part, in another language, or by the words that tell which with its kind."""
    assert [meant for _, meant in spotted(f"{text}, please", lang)] == ([found] if found else [])


@pytest.mark.parametrize(
    ("text", "lang", "found"),
    [
        ("signatures under 0012D?", "en", ["ADR-0012D"]),
        ("number 12", "en", ["ADR-0012"]),
        ("nummer twaalf graag", "nl", ["ADR-0012"]),
        ("is 0012 through yet", "en", ["ADR-0012"]),
        ("what does 12 say", "en", ["ADR-0012"]),
        ("who owns 15?", "en", ["15"]),
    ],
)
def test_a_document_is_named_by_its_number(text: str, lang: Lang, found: list[str]) -> None:
    """In any spelling; without a kind, if the catalogue bears it; where kinds share it, of none."""
    assert [named(span.means) for span in SPOTTER.spot(text, lang)] == found


def test_a_number_that_kinds_share_may_mean_each() -> None:
    """It is for the reading to ask back."""
    (span,) = SPOTTER.spot("who owns 15?", "en")
    assert span.is_ambiguous
    assert [named(each) for each in span.candidates] == ["15", "ADR-0015", "PCP-0015"]


def test_longer_mentions_win_and_none_overlap() -> None:
    """The title stands, not the term within it; a number with its kind before all."""
    assert spotted("difference of CIM policy, adr 12 and power transformer") == [
        ("CIM policy", "POL-0008"),
        ("adr 12", "ADR-0012"),
        ("power transformer", "power-transformer"),
    ]


def test_living_concepts_and_names_come_first() -> None:
    """A deprecated concept is found where no other has the label, as is a hidden label."""
    text = Text(value="RTU", lang="en")
    old = Label(uri="old", text=text, deprecated=True)
    hidden = Label(uri="hidden", text=text, role=LabelRole.HIDDEN)
    name = Label(uri="name", text=text)
    for known, wanted in (([old, hidden, name], "name"), ([old, hidden], "hidden"), ([old], "old")):
        (span,) = Spotter.of(known, ()).spot("what is an RTU", "en")
        assert [named(each) for each in span.candidates] == [wanted]


def test_nothing_is_known_without_vocabulary_and_catalogue() -> None:
    """Only what says its kind and number is spotted."""
    spans = Spotter.of((), ()).spot("who owns 12, curtailment, the TLS decision, or ADR 12?", "en")
    assert [named(span.means) for span in spans] == ["ADR-0012"]


_WORDS = st.sampled_from(
    [
        *(label.text.value for label in LABELS),
        *(item.title for item in DOCUMENTS),
        *"the decision on of besluit het Prinzip zur ADR 12 and 15th 0016D twaalfde ß".split(),
        "e\u0301n",
        *", . - ' \u2019s ? \n / \u2013 ( )".split(" "),
    ]
)


@given(
    text=st.one_of(st.text(), st.lists(_WORDS, max_size=12).map(" ".join)),
    lang=st.sampled_from(langs()),
)
def test_a_span_stands_where_it_says(text: str, lang: Lang) -> None:
    """Whatever is typed: its text is there, it means something, and nothing overlaps."""
    spans = SPOTTER.spot(text, lang)
    for span in spans:
        assert span.text == text[span.start : span.end] != ""
        assert 0 < span.chance <= 1
        assert len(set(span.candidates)) == len(span.candidates)
    assert all(one.end <= other.start for one, other in pairwise(spans))


@given(st.sampled_from(LABELS), st.sampled_from(langs()))
def test_every_label_is_found_as_it_is_written(label: Label, lang: Lang) -> None:
    """In any language, in the midst of a question."""
    spans = SPOTTER.spot(f"tell me: {label.text.value}!", lang)
    assert any(
        isinstance(each, TermSpan) and each.uri == label.uri
        for span in spans
        for each in span.candidates
    )


@given(st.sampled_from(DOCUMENTS), st.sampled_from(langs()))
def test_every_title_is_found_as_it_is_written(item: Document, lang: Lang) -> None:
    """So are those that several documents share."""
    found: list[Span] = list(SPOTTER.spot(f"who wrote '{item.title}'?", lang))
    same = {other.number for other in DOCUMENTS if other.title == item.title}
    meant = [each for span in found for each in span.candidates if isinstance(each, Reference)]
    assert any(each.number in same and each.kind is item.kind for each in meant)
