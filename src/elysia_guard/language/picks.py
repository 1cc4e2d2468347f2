"""How people pick one of several choices: 'the second', 'option 2', 'de laatste', 'Nummer zwei'."""

from __future__ import annotations

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.text import words

LAST = -1

_POSITIONS: dict[int, str] = {
    1: "1 1st 1e 1ste first one former eerste een één erste ersten erster erstes eins",
    2: "2 2nd 2e 2de second two tweede twee zweite zweiten zweiter zweites zwei",
    3: "3 3rd 3e 3de third three derde drie dritte dritten dritter drittes drei",
    4: "4 4th 4e 4de fourth four vierde vier vierte vierten vierter viertes",
    5: "5 5th 5e 5de fifth five vijfde vijf fünfte fünften fünfter fünftes fünf",
    6: "6 6th 6e 6de sixth six zesde zes sechste sechsten sechster sechstes sechs",
    7: "7 7th 7e 7de seventh seven zevende zeven siebte siebten siebter siebtes sieben",
    8: "8 8th 8e 8ste eighth eight achtste acht achte achten achter achtes",
    9: "9 9th 9e 9de ninth nine negende negen neunte neunten neunter neuntes neun",
    10: "10 10th 10e 10de tenth ten tiende tien zehnte zehnten zehnter zehntes zehn",
    LAST: "last latter laatste letzte letzten letzter letztes",
}
_OF_WORD = {word: position for position, row in _POSITIONS.items() for word in row.split()}

_AROUND = frozenset(
    """
    a an the that this one is i i'd i'm mean meant want take choose pick would like please yes ok
    okay option number no nr choice meaning sense definition answer from in of for about to me as
    term by de het die dat deze dit ik bedoel bedoelde wil neem kies graag ja optie nummer keuze
    betekenis van uit over voor mij als begrip term der das den dem ich meine meinte möchte nehme
    wähle bitte ja auswahl bedeutung begriff aus von für über mir als wort im
    """.split()
)
"""Words around a choice that say nothing of which it is."""

KIND_NAMES: dict[DocumentKind, str] = {
    DocumentKind.DECISION: "adr decision besluit beslissing entscheidung",
    DocumentKind.PRINCIPLE: "pcp principle principe beginsel prinzip",
    DocumentKind.POLICY: "pol policy beleid richtlinie",
    DocumentKind.DOCUMENT: "document dokument",
}
"""What the kinds of documents are called, in each language."""


def position(text: str) -> int | None:
    """Return the place in a list that a text names, from 1, or -1 for the last; None for none.

    >>> position("The second one, please"), position("nummer twee"), position("the last")
    (2, 2, -1)
    """
    found = [word for word in words(text) if word not in _AROUND] or words(text)
    if len(found) != 1:
        return None
    return _OF_WORD.get(found[0])


def names_only_a_place(text: str) -> bool:
    """Tell whether a text is nothing but a place in a list, in words: 'the second', not '12'.

    >>> names_only_a_place("the second one"), names_only_a_place("12")
    (True, False)
    """
    return position(text) is not None and not any(char.isdigit() for char in text)


def told_apart(text: str, names: list[frozenset[str]]) -> int | None:
    """Return which of several sets of words alone holds every telling word of a text, from 0.

    >>> told_apart("the grid one", [frozenset({"cim", "grid"}), frozenset({"cim", "it"})])
    0
    """
    telling = {word for word in words(text) if word not in _AROUND}
    fitting = [n for n, known in enumerate(names) if telling <= known]
    return fitting[0] if telling and len(fitting) == 1 else None
