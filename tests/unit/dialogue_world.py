"""Conversations that follow-ups refer to, in three languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from elysia_guard.domain.conversation import Conversation, Focus
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.domain.reading import Listing
from elysia_guard.ports import by_form_alone
from elysia_guard.reading.followups import Candidates, Subject, Whole, chosen, resolve
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder
from elysia_guard.testing.terminology import FakeTerminology

DECISION, PRINCIPLE, POLICY = DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY
DECIDES: dict[Lang, str] = {
    "en": "What does ADR-0029 decide?",
    "nl": "Wat besluit ADR-0029?",
    "de": "Was entscheidet ADR-0029?",
    "fr": "Que décide ADR-0029 ?",
}
COMPARED: dict[Lang, str] = {
    "en": "Compare ADR-0023 and ADR-0025",
    "nl": "Vergelijk ADR-0023 en ADR-0025",
    "de": "Vergleiche ADR-0023 und ADR-0025",
    "fr": "Compare ADR-0023 et ADR-0025",
}
LISTED: dict[Lang, str] = {
    "en": "List all principles about data",
    "nl": "Welke principes gaan over data?",
    "de": "Welche Prinzipien gibt es?",
    "fr": "Quels principes parlent de données ?",
}
ABOUT: dict[Lang, str] = {"en": "data", "nl": "data", "de": "", "fr": "données"}
DEFINED: dict[Lang, str] = {
    "en": "What is congestion?",
    "nl": "Wat is congestie?",
    "de": "Was ist Engpass?",
    "fr": "Que signifie congestion ?",
}
TERM: dict[Lang, str] = {"en": "congestion", "nl": "congestie", "de": "Engpass", "fr": "congestion"}
SHOWN = (31, 33, 38)


def ref(kind: DocumentKind, number: int, *, approval: bool = False) -> Reference:
    written = f"{kind.prefix}.{number}"
    return Reference(kind=kind, number=number, written=written, approval=approval)


def principle(number: int, title: str, owner: str = "") -> Document:
    return Document(
        id=f"PCP-{number}",
        kind=PRINCIPLE,
        number=number,
        title=title,
        owner=owner,
        path="",
        sha256="",
    )


CATALOGUE = (
    principle(31, "Data is an asset: captured well", "Data Council"),
    principle(33, "Data is an asset: used with care", "Data Council"),
    principle(38, "Data is an asset: accessible", "Data Council"),
)


def after(*turns: Focus) -> Conversation:
    return Conversation(focus=turns)


def decided(lang: Lang) -> Conversation:
    return after(Focus(question=DECIDES[lang], lang=lang, documents=(ref(DECISION, 29),)))


def compared(lang: Lang) -> Conversation:
    both = (ref(DECISION, 23), ref(DECISION, 25))
    return after(Focus(question=COMPARED[lang], lang=lang, documents=both))


def listed(lang: Lang) -> Conversation:
    shown = tuple(ref(PRINCIPLE, number) for number in SHOWN)
    asks = Listing(kinds=(PRINCIPLE,), topic=ABOUT[lang])
    asked = Focus(question=LISTED[lang], lang=lang, listed=shown, listing=True, kinds=asks.kinds)
    return after(replace(asked, asks=asks))


def defined(lang: Lang) -> Conversation:
    return after(Focus(question=DEFINED[lang], lang=lang, terms=(TERM[lang],)))


def asked_back(lang: Lang, question: str) -> Conversation:
    return after(Focus(question=question, lang=lang))


def searched(*numbers: int) -> Conversation:
    quoted = tuple(ref(POLICY, number) for number in numbers)
    return after(
        Focus(question="How long do we keep invoices?", lang="en", listed=quoted, topic="invoices")
    )


def whole(text: str, lang: Lang, talk: Conversation, *, terms: tuple[str, ...] = ()) -> Whole:
    subjects = [Subject(start=text.index(each), end=text.index(each) + len(each)) for each in terms]
    found = resolve(text, lang=lang, conversation=talk, documents=CATALOGUE, subjects=subjects)
    assert isinstance(found, Whole), found
    return found


def weighed(text: str, talk: Conversation) -> Candidates:
    """The candidates of a message that its words do not decide between."""
    found = resolve(text, lang="en", conversation=talk, documents=CATALOGUE)
    assert isinstance(found, Candidates), found
    return found


def decide(text: str, told: Mapping[int, str]) -> Whole:
    """What is asked after one decision, by what decisions of some numbers tell."""
    passages = [
        Passage(
            id=str(number),
            document=Document(
                id=str(number),
                kind=DECISION,
                number=number,
                title="",
                path="",
                sha256="",
                lang="en",
            ),
            section="",
            text=said,
            position=0,
        )
        for number, said in told.items()
    ]
    index = run_anywhere(FakeIndex.build(passages, HashEmbedder()))
    vocabulary = FakeTerminology()
    asked = weighed(text, decided("en"))
    found = run_anywhere(chosen(asked, vocabulary=vocabulary, catalogue=index, alike=by_form_alone))
    assert isinstance(found, Whole), found
    return found
