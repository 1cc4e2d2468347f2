"""What a question asks beyond what it was read for: then nothing is asserted.

The whole of a document, a side or a fact may be what was asked for only if every word of the clause
that asks is explained. What came before a document, who wanted it and whether it was right is none
of these. A meaning is not what is asked where more is said of the term: 'in French law', 'not'.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile

from elysia_guard.domain.question import Aspect, Lang
from elysia_guard.domain.reading import Definition, Part, Relation, Search
from elysia_guard.language.answer_types import asked_for
from elysia_guard.language.pack import pack
from elysia_guard.reading.asked_about import SIDES, STATES, Asking
from elysia_guard.reading.asked_words import asked_words
from elysia_guard.reading.roles import roles

_OF_PERSONS_OR_TIMES = ("who", "whose", "when")
_EDGE = re.compile(r"\b")
_TOLD = ("tell", "show", "compare", "mention", "happen", "said", "told")
_PLAIN = frozenset({"particles", "negates"})
"""Roles of words that say nothing more, or no."""
_DATED = ("approve", "approval", *STATES, "happen", "date", "version", "record")


def asks_beyond(asking: Asking, aspect: Aspect) -> bool:
    """Tell whether words are left that say more than an aspect, where no matter was read."""
    if _is_unexplained(asking, aspect):
        return True
    if aspect is Aspect.DATE and asking.any(asking.here, "end", "ended"):
        return True  # the date that a document has is that of what was decided
    if aspect is Aspect.DATE:
        return not asking.any(asking.here, *_DATED) and asking.any(asking.here, "tell")
    if aspect in SIDES.values():
        return any(map(asking.is_adjunct, asking.content))  # 'the consequences for customers'
    if aspect is not Aspect.SUBSTANCE:
        return False
    judged = asking.begins(asking.here) and not asking.any(asking.here, *_TOLD)
    other = asking.any(asking.here, *_OF_PERSONS_OR_TIMES) or bool(asked_for(asking.text))
    return judged or other


def _is_unexplained(asking: Asking, aspect: Aspect) -> bool:
    """Tell whether a word has no part in the question, or says no where that is not asked."""
    known = roles(asking.lang, "clauses").within([word.text for word in asking.words])
    for at in asking.here:
        if "negates" in known[at] and aspect is not Aspect.STATUS:
            return True
        if not (asking.words[at].roles or known[at] & _PLAIN):
            return True
    return False


def asks_another(asking: Asking) -> bool:
    """Tell whether a document is asked for that is not the named one: 'which ADR follows ADR-12'.

    But not 'which decision is ADR-12', nor 'which decision does ADR-12 record'.
    """
    return any(_is_of_another(asking, at) for at in asking.here if asking.has(at, "document"))


def _is_of_another(asking: Asking, at: int) -> bool:
    if not asking.has(at - 1, "what"):
        return False
    after = [each for each in asking.clauses[asking.words[at].clause] if each > at]
    known = next((each for each in after if each in (*asking.named, *asking.again)), at)
    articles = pack(asking.lang).core.words.definite
    between = [each for each in after if each < known and asking.words[each].text not in articles]
    does = asking.any(between, "does")
    acts = does and not asking.has(known + 1, *STATES, "rely")
    more = [
        each
        for each in after
        if each > known and not asking.words[each].roles <= {"filler", "anaphor"}
    ]
    is_it = not more and all(asking.has(each, "aux") for each in between)
    return known > at and not acts and not is_it


def meaning_alone(part: Part, lang: Lang) -> Part:
    """Mark a question for a meaning that asks more of the term: 'in 1950', 'what is it made of'."""
    asks = part.asks
    if isinstance(asks, Definition) and asks.relation is Relation.MEANING:
        return replace(part, asks=replace(asks, beside=_says_more(part.text, asks.term, lang)))
    if isinstance(asks, Search) and asks.term:
        return replace(part, asks=replace(asks, beside=_says_more(part.text, asks.term, lang)))
    return part


def _says_more(text: str, term: str, lang: Lang) -> bool:
    """Tell whether the clause that asks for a term says no, or goes on behind it.

    Only a clause that begins as a question does is told from what merely stands around one.
    """
    edges = (edge.start() for edge in _EDGE.finditer(text))
    named = ((at, at + len(term)) for at in edges)
    place = next(((at, end) for at, end in named if text[at:end].lower() == term.lower()), None)
    if place is None:
        return False
    said = asked_words(text, lang, [place])
    at = next(at for at, word in enumerate(said) if word.is_document)
    clause = [each for each, word in enumerate(said) if word.clause == said[at].clause]
    core, spoken = pack(lang).core, [word.text for word in said]
    if spoken[clause[0]] not in core.questions.words:
        return False
    known = roles(lang, "clauses").within(spoken)
    if any("negates" in known[each] for each in clause):
        return True
    behind = takewhile(
        lambda each: spoken[each] not in core.owners.joins, clause[at - clause[0] + 1 :]
    )
    return not all(
        known[each] & {"meaning", "particles"} or "filler" in said[each].roles for each in behind
    )
