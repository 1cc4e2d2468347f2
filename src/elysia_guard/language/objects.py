"""The term that is the object of a question: 'what is a busbar', 'define busbar'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from elysia_guard.language import cues, forms, meanings
from elysia_guard.language.courtesy import is_polite, plain
from elysia_guard.language.kinds import kinds_named
from elysia_guard.language.phrases import spoken
from elysia_guard.language.stems import function_word_counts
from elysia_guard.language.text import normalise, unquote, words
from elysia_guard.language.wording import core

MAX_TERM_WORDS = 8
SENTENCES = re.compile(r"(?<=[.!?])\s+(?=\w)")
_PLACE = re.compile(
    spoken(
        r"^(?P<asked>.+\b(mean|means|stands? for|voor|betekent|inhoudt|bedeutet|heißt)) "
        r"(in|on|at|within|op|bij|binnen|auf|im|bei) "
        r"(?!((our|de|onze|der|unserer) )?(practice|praktijk|praxis)\b)"
        r"(?P<ours>(our|onze?|unser\w*)\b)?.+$"
        r"|^(?P<asked2>.+\b(mean|means|voor|betekent|inhoudt|bedeutet|heißt)) "
        r"(regarding|concerning|towards?|across|among|richting|tegenover|gegenüber|bezüglich"
        r"|with (regard|respect) to|met betrekking tot) .+$"
    ),
    re.IGNORECASE,
)
_ASIDE = re.compile(spoken(r" (when|if|wanneer|als|wenn) .+$"), re.IGNORECASE)
_MORE_SAID = re.compile(r"[,;]\s+\S+\s+\S")
_QUESTION = re.compile(
    spoken(
        r"(how|why|which|who|where|can|could|should|must|may|do|does|did|is|are|hoe|waarom|welke?"
        r"|wie|waar"
        r"|kan|kunnen|moet|moeten|mag|mogen|warum|welche\w*|wer|wo|kann|muss|darf|dürfen|soll)\b"
    ),
    re.IGNORECASE,
)
_CONDITION = re.compile(
    spoken(
        r"(if|when|for|in|on|at|during|with|after|before|since|because|as|als|wanneer|bij|voor"
        r"|na|tijdens|omdat|wenn|bei|für|im|nach|während|weil)\b"
    ),
    re.IGNORECASE,
)
POSSESSIVE = re.compile(
    spoken(
        r"(our|my|your|their|his|her|its|this|that|these|those|onze?|mijn|jouw|jullie|uw|hun"
        r"|deze|dit|die|unser\w*|mein\w*|dein\w*|ihre?\w?|dies\w*)\s"
    ),
    re.IGNORECASE,
)
_PRONOUNS = frozenset({"it", "that", "they", "het", "dat", "die", "es", "das"})


class Asked(NamedTuple):
    """What a question asks the meaning of.

    ``sure`` where the form leaves no doubt that a meaning is asked; ``vague`` where the term is
    somewhere in ``term``, which is a clause.
    """

    term: str
    sure: bool = True
    vague: bool = False


class Wanted(NamedTuple):
    """What a form asks the meaning of, as written.

    ``explicit`` where it says so in so many words; ``here`` where the meaning is that of one place.
    """

    raw: str = ""
    explicit: bool = False
    here: bool = False


def clauses_of(text: str) -> list[str]:
    """Split a text where a clause may end."""
    return [part for part in cues.CLAUSES.split(text) if any(map(str.isalnum, part))]


def all_but_one_state(sentences: Sequence[str]) -> bool:
    """Tell whether at most one sentence asks."""
    return sum(asks(sentence) for sentence in sentences) <= 1


def asks(clause: str) -> bool:
    """Tell whether a clause is a question."""
    return clause.rstrip().endswith("?") or bool(_QUESTION.match(core(clause)))


def direct_anywhere(text: str) -> Asked | None:
    """Read the question as a whole, then its last sentence, then any other, then its clauses."""
    sentences = SENTENCES.split(text)
    tried = [text, sentences[-1], *(sentences if all_but_one_state(sentences) else ())]
    return next(filter(None, map(direct, tried)), None) or _direct_clause(text)


def _direct_clause(text: str) -> Asked | None:
    """'Green hydrogen I know, but what is blue hydrogen?'; a second question may ask of it."""
    clauses = clauses_of(text)
    for place, clause in enumerate(clauses):
        bare, wanted = plain(clause), asked_for(plain(clause))
        others = clauses[:place] + clauses[place + 1 :]
        if wanted.explicit and not any(_asks_else(item) for item in others):
            return direct(clause)
        if wanted.raw and not wanted.explicit and not meanings.DEFINITE.match(wanted.raw) and place:
            stated = not any(asks(item) or _CONDITION.match(item) for item in others)
            if stated and meanings.COPULA_START.match(bare):
                return direct(clause)
    return None


def _asks_else(clause: str) -> bool:
    """Tell whether a clause asks something, and not of what the others name."""
    of_it = is_polite(clause) or _PRONOUNS & set(words(clause))
    return not of_it and (asks(clause) or bool(asked_for(plain(clause)).raw))


def direct(text: str) -> Asked | None:
    """Return what one sentence or clause asks the meaning of."""
    bare = plain(cues.ASKED_BY.sub("", text))
    wanted = asked_for(bare)
    if not wanted.raw or kinds_named(text.replace(wanted.raw, " ")):
        return None
    named = meanings.LABEL.sub("", wanted.raw, count=1)
    if meanings.QUOTED.fullmatch(named):
        return _asked(unquote(named), sure=not wanted.here)
    if found := meanings.QUOTED_INSIDE.fullmatch(named):
        more = found["this"] or found["more"] or wanted.here
        return _asked(unquote(found["term"]), sure=not more)
    if not wanted.explicit:
        return _asked(_copula_term(wanted.raw, bare))
    if _MORE_SAID.search(named):
        return None
    named = _ASIDE.sub("", named)
    if placed := _placed(named):
        return _asked(placed, sure=False)
    return _asked(explicit_term(named), sure=not wanted.here and not meanings.BOUND.search(named))


def _asked(term: str | None, *, sure: bool = True) -> Asked | None:
    return Asked(term, sure) if term else None


def asked_for(bare: str) -> Wanted:
    """What a question without anything around it asks the meaning of."""
    for patterns, explicit in (
        (meanings.TERMINOLOGY, True),
        (meanings.COPULA + meanings.EXPLAIN, False),
    ):
        for pattern in patterns:
            if match := pattern.fullmatch(bare):
                groups = match.groupdict()
                raw = (groups.get("term") or groups.get("term2") or "").strip()
                return Wanted(meanings.ADVERB.sub("", raw), explicit)
    if not (placed := _PLACE.match(bare)):
        return Wanted()
    here = bool(placed["ours"] or placed["asked2"])
    return asked_for(placed["asked"] or placed["asked2"])._replace(here=here)


def _placed(named: str) -> str | None:
    """'A constraint towards the market' is a constraint; 'the lamp on the meter' is no term."""
    if meanings.DEFINITE.match(named) or POSSESSIVE.match(named):
        return None
    matches = (form.fullmatch(named) for form in meanings.PLACED)
    shortest = min((found["term"] for found in matches if found), key=len, default="")
    return explicit_term(shortest)


def explicit_term(named: str) -> str | None:
    """Return the term of a form that asks for a meaning in so many words."""
    if any(pattern.fullmatch(named) for pattern in meanings.NOT_EXPLICIT):
        return None
    return term_in(named)


def _copula_term(raw: str, bare: str) -> str | None:
    definite = meanings.DEFINITE.match(raw)
    if definite and (meanings.PLURAL_COPULA.search(bare) or not meanings.COPULA_START.match(bare)):
        return None
    if any(pattern.fullmatch(unquote(raw)) for pattern in meanings.NOT_A_TERM):
        return None
    named = meanings.LABEL.sub("", raw, count=1)  # 'the abbreviation TSO', but 'the concept scheme'
    return term_in(raw if named.islower() or " " in named else named)


def _says_nothing(term: str) -> bool:
    """Tell whether a term has none but function words: 'what', 'bitte', 'does the'; 'IT' has."""
    said = words(term)
    only_functions = max(function_word_counts(term).values()) == len(said) > 0
    return (term.islower() and only_functions) or said[:1] in (["do"], ["does"], ["did"])


def term_in(raw: str) -> str | None:
    """Strip a candidate down to the term; None when it cannot be one."""
    candidate = unquote(raw)
    bare = unquote(meanings.ARTICLES.sub("", candidate))
    if not bare or normalise(bare) in meanings.PRONOUNS or len(bare.split()) > MAX_TERM_WORDS:
        return None
    if _says_nothing(bare):
        return None
    if not kinds_named(bare):
        return bare
    definite, indefinite = meanings.DEFINITE.match(candidate), meanings.INDEFINITE.match(candidate)
    if definite or forms.KIND_WITH_MORE.search(bare):
        return None
    named = normalise(bare) in forms.KIND_TERMS
    return bare if named or indefinite or forms.KIND_FIRST.search(bare) else None
