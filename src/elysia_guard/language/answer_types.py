"""What kind of thing a question asks for, and whether a sentence holds one.

The expected answer type of question answering: 'What does the gateway cost?' is answered by a sum
of money, or not at all, however much a passage has to say about the gateway.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

from elysia_guard.language.phrases import spoken


class AnswerType(StrEnum):
    """What would be an answer."""

    MONEY = "money"
    APPROVAL = "approval"
    """Somebody who has approved a document: an approval record says who."""
    DURATION = "duration"
    NUMBER = "number"
    DATE = "date"


_SUM = (
    r"(budget|price|fees?|fines?|salary|wage|boete|prijs|tarief|vergoeding|salaris|loon"
    r"|preis|strafe|gebühr|gehalt)"
)
_TIME = (
    r"(seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?"
    r"|seconden?|minuten|minuut|uur|uren|(werk)?dag(en)?|weken|maand(en)?|kwartaal|jaar|jaren"
    r"|sekunden?|stunden?|(arbeits)?tage?n?|wochen?|monate?n?|jahre?n?)"
)
# Of so many signs at most: a text may hold digits without end.
_DIGITS = r"\d[\d.,]{0,30}"
_FIGURE = (
    rf"({_DIGITS}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty"
    r"|een|één|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|twaalf|twintig|dertig"
    r"|eine?n?|zwei|drei|fünf|sechs|sieben|neun|zehn|zwölf|zwanzig|dreißig)"
)
_MONTH = (
    r"(january|february|march|april|may|june|july|august|september|october|november|december"
    r"|januari|februari|maart|mei|juni|juli|augustus|oktober"
    r"|januar|februar|märz|mai|dezember)"
)

_ASKED: Mapping[AnswerType, re.Pattern[str]] = {
    AnswerType.MONEY: re.compile(
        spoken(
            r"\bhow (much money|expensive)\b"
            rf"|\b(what|which)('s| is| was| are)?( the| our)? {_SUM}\b"
            r"|\b(hoeveel geld|hoe duur|(wat|hoeveel) "
            r"(kost|kosten|kostte|betalen|betaalt|betaalde))\b"
            rf"|\b(welke?|wat is (de|het)|hoe hoog (is|zijn|was) (de|het)) {_SUM}\b"
            r"|\b(wie ?viel geld|wie teuer|(was|wie ?viel) (kostet|kosten|kostete|zahlen|zahlt))\b"
            rf"|\b(welche[srn]?|wie hoch (ist|sind|war) (das|die|der)) {_SUM}\b"
        ),
        re.IGNORECASE,
    ),
    AnswerType.APPROVAL: re.compile(
        spoken(
            r"\b(who|by whom)\b.{0,40}\b(approved|signed off|signed it off|consented|objected)\b"
            r"|\b(wie|door wie)\b.{0,60}\b(goedgekeurd|goedkeurden?|ingestemd)\b"
            r"|\b(wer|von wem)\b.{0,80}\b(genehmigt|freigegeben|gebilligt|zugestimmt)\b"
        ),
        re.IGNORECASE,
    ),
    AnswerType.DURATION: re.compile(
        spoken(
            rf"\bhow (long|quick(ly)?|fast|soon|often|old|stale|many {_TIME})\b|\bmaximum age\b"
            rf"|\bhoe (lang|snel|vaak|oud|ver)\b|\bhoeveel {_TIME}\b"
            r"|\bwie (lange?|schnell|oft|alt)\b"
            rf"|\bwie ?viele? {_TIME}\b"
        ),
        re.IGNORECASE,
    ),
    AnswerType.NUMBER: re.compile(
        spoken(
            r"\bhow (many|much|big|small|large|high)\b|\bwhat (percentage|share|size|number)\b"
            r"|\b(minimum|maximum|min|max)\b"
            r"|\bhoeveel\b|\bhoe (groot|klein|hoog)\b|\bwelk percentage\b"
            r"|\bwie ?viele?\b|\bwie (groß|klein|hoch)\b|\bwelcher (anteil|prozentsatz)\b"
        ),
        re.IGNORECASE,
    ),
    AnswerType.DATE: re.compile(
        spoken(
            r"\bwhen\b|\b(what|which) (date|day|year)\b|\b(wanneer|wann)\b"
            r"|\bwelke? (dag|datum|jaar)\b|\bwelche[mnrs]? (tag|datum|jahr)\b"
        ),
        re.IGNORECASE,
    ),
}

_ASKED_APART: Mapping[AnswerType, tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]] = {
    kind: tuple(
        (re.compile(spoken(begin), re.IGNORECASE), re.compile(spoken(end), re.IGNORECASE))
        for begin, end in forms
    )
    for kind, forms in {
        AnswerType.MONEY: (
            (r"\bhow much ", r"\b(costs?|pay|paid|spend|spent|charged?)\b"),
            (r"\bwhat (do|does|did|will|would|has|have)\b", r"\b(costs?|pay|charge)\b"),
        ),
        AnswerType.APPROVAL: ((r"\b(wie|door wie)\b.{0,60}?\bkeurden?\b", r"\bgoed\b"),),
    }.items()
}
"""Two words however far apart. The first of the one, and any of the other behind it: one pattern
for both would begin anew at each of the first."""

_HELD: Mapping[AnswerType, re.Pattern[str]] = {
    AnswerType.MONEY: re.compile(
        spoken(
            r"[\u20ac$\u00a3]\s?\d|\b(eur|usd) ?\d"
            rf"|{_DIGITS}\s*((?!per\b)[a-z]+ )?(euros?|eur|dollars?|cents?)\b"
        ),
        re.IGNORECASE,
    ),
    AnswerType.DURATION: re.compile(
        spoken(
            rf"\b{_FIGURE}([\s-]+[a-z]+)?[\s-]+{_TIME}\b"
            r"|\b(daily|weekly|monthly|yearly|nightly|immediately|dagelijks|wekelijks|maandelijks"
            r"|jaarlijks|onmiddellijk|direct|täglich|jährlich|sofort)\b"
            rf"|\b(each|every|per|elke?|ieder|jede[rsn]?|pro) {_TIME}\b"
        ),
        re.IGNORECASE,
    ),
    AnswerType.NUMBER: re.compile(spoken(rf"\b{_FIGURE}\b"), re.IGNORECASE),
    AnswerType.DATE: re.compile(spoken(rf"\b(19|20)\d\d\b|\b\d{{1,2}} {_MONTH}\b"), re.IGNORECASE),
}


@lru_cache(maxsize=1_000)
def asked_for(question: str) -> frozenset[AnswerType]:
    """Return the kinds of things that a question asks for; none where any sentence may answer.

    >>> sorted(asked_for("Hoe lang bewaren we facturen?"))
    [<AnswerType.DURATION: 'duration'>]
    """
    return frozenset(
        kind
        for kind, pattern in _ASKED.items()
        if pattern.search(question) or _asks_apart(question, kind)
    )


def _asks_apart(question: str, kind: AnswerType) -> bool:
    return any(
        (begun := begin.search(question)) and end.search(question, begun.end())
        for begin, end in _ASKED_APART.get(kind, ())
    )


def holds(text: str, kind: AnswerType) -> bool:
    """Tell whether a text holds a thing of some kind; an approval is told by its record alone.

    >>> holds("Invoices are kept for seven years.", AnswerType.DURATION)
    True
    """
    pattern = _HELD.get(kind)
    return pattern is not None and bool(pattern.search(text))
