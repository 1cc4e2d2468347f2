"""What a question asks the meaning of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from elysia_guard.language import cues, forms, meanings
from elysia_guard.language.references import find_references
from elysia_guard.language.text import normalise, unquote, words
from elysia_guard.language.wording import core, kinds_named

MAX_TERM_WORDS = 8
MAX_ALONE = 4
"""Words of a clause that may as a whole be what 'what is that?' is about."""
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=\w)")
_PLACE = re.compile(
    r"^(?P<asked>.+\b(?:mean|means|stands?\s+for|voor|betekent|inhoudt|bedeutet|hei\u00dft))\s+"
    r"(?:in|on|at|within|op|bij|binnen|auf|im|bei)\s+(?!(?:de\s+|der\s+)?(?:practice|praktijk|praxis|our|onze?|unser\w*)\b).+$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s+(?:when|if|wanneer|als|wenn)\s+.+$", re.IGNORECASE)
_QUESTION = re.compile(
    r"(?:how|why|which|who|where|can|could|should|must|may|do|does|did|is|are|hoe|waarom|welke?|wie|waar"
    r"|kan|kunnen|moet|moeten|mag|mogen|warum|welche\w*|wer|wo|kann|muss|darf|d\u00fcrfen|soll)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:if|when|for|in|on|at|during|with|after|before|since|because|as|als|wanneer|bij|voor|na|tijdens|omdat|wenn|bei|f\u00fcr|im|nach|w\u00e4hrend|weil)\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(
    r"(?:our|my|your|their|his|her|its|this|that|these|those|onze?|mijn|jouw|jullie|uw|hun|deze|dit|die|unser\w*|mein\w*|dein\w*|ihre?\w?|dies\w*)\s",
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


def terminology_term(text: str) -> str | None:
    """Return the term whose meaning is asked for, or None when something else is asked."""
    found = asked(text)
    return found.term if found and found.sure else None


@lru_cache(maxsize=1_000)
def asked(text: str) -> Asked | None:
    """Return what a question asks the meaning of, in whichever of its clauses it does so."""
    if find_references(text):
        return None
    found = _referred(text) or _direct_anywhere(text)
    return None if found is None or kinds_named(text.replace(found.term, " ")) else found


def maybe_term(text: str) -> str | None:
    """Return what may be a term or a subject: 'the merit order', 'CIM versus CGMES'."""
    if kinds_named(text):
        return None
    if pair := compared(text):
        return " versus ".join(pair)
    found = asked(text)
    return found.term if found else _definite(text) or _doing(text)


def compared(text: str) -> tuple[str, ...]:
    """Return the two terms that a question compares, and nothing for any other question.

    >>> compared("What is the difference between a busbar and a bay?")
    ('busbar', 'bay')
    """
    sentences = _SENTENCES.split(text)
    for sentence in sentences if _all_but_one_state(sentences) else [text]:
        bare = core(sentence)
        for form in cues.COMPARED:
            if match := form.fullmatch(bare):
                found = match.groupdict()
                two = (found["one"] or found.get("one2"), found["two"] or found.get("two2"))
                pair = tuple(filter(None, (_comparable(raw or "") for raw in two)))
                if len(set(map(normalise, pair))) == len(two):
                    return pair
    return ()


def shorter(term: str) -> Iterator[str]:
    """Yield a term without the noun that only says what sort of thing it is: 'the N-1 rule'."""
    if match := meanings.SORT.fullmatch(term):
        yield match["term"]


def _comparable(raw: str) -> str | None:
    named = meanings.LABEL.sub("", raw.strip(), count=1)
    if _POSSESSIVE.match(named) or re.search(meanings.PREPOSITIONS, named, re.IGNORECASE):
        return None
    return _explicit_term(named) if not kinds_named(named) else None


def _all_but_one_state(sentences: Sequence[str]) -> bool:
    return sum(_asks(sentence) for sentence in sentences) <= 1


def _asks(clause: str) -> bool:
    return clause.rstrip().endswith("?") or bool(_QUESTION.match(core(clause)))


# --- the term is the object of the question ------------------------------------------------------


def _direct_anywhere(text: str) -> Asked | None:
    """Read the question as a whole, then its last sentence, then any other, then its clauses."""
    sentences = _SENTENCES.split(text)
    tried = [text, sentences[-1], *(sentences if _all_but_one_state(sentences) else ())]
    found = next(filter(None, map(_direct, tried)), None) or _direct_clause(text)
    return Asked(found) if found else None


def _direct_clause(text: str) -> str | None:
    """'Green hydrogen I know, but what is blue hydrogen?'; a second question may ask of it."""
    clauses = _clauses(text)
    for place, clause in enumerate(clauses):
        bare, (raw, explicit) = core(clause), _asked_for(core(clause))
        others = clauses[:place] + clauses[place + 1 :]
        if raw and explicit and not any(_asks_else(item) for item in others):
            return _direct(clause)
        if raw and not explicit and not meanings.DEFINITE.match(raw) and place:
            plain = not any(_asks(item) or _CONDITION.match(item) for item in others)
            if plain and meanings.COPULA_START.match(bare):
                return _direct(clause)
    return None


def _asks_else(clause: str) -> bool:
    """Tell whether a clause asks something, and not of what the others name."""
    of_it = _PRONOUNS & set(words(clause))
    return not of_it and (_asks(clause) or bool(_asked_for(core(clause))[0]))


def _direct(text: str) -> str | None:
    bare = core(cues.ASKED_BY.sub("", text))
    raw, explicit = _asked_for(bare)
    if not raw or kinds_named(text.replace(raw, " ")):
        return None
    named = meanings.LABEL.sub("", raw, count=1)
    if meanings.QUOTED.fullmatch(named):
        return unquote(named) or None
    return _explicit_term(_ASIDE.sub("", named)) if explicit else _copula_term(raw, bare)


def _asked_for(bare: str) -> tuple[str, bool]:
    """What a question asks the meaning of, as written, and whether it says so in so many words."""
    for patterns, explicit in (
        (meanings.TERMINOLOGY, True),
        (meanings.COPULA + meanings.EXPLAIN, False),
    ):
        for pattern in patterns:
            if match := pattern.fullmatch(bare):
                groups = match.groupdict()
                raw = (groups.get("term") or groups.get("term2") or "").strip()
                return meanings.ADVERB.sub("", raw), explicit
    placed = _PLACE.match(bare)
    return _asked_for(placed["asked"]) if placed else ("", False)


def _explicit_term(named: str) -> str | None:
    if any(pattern.fullmatch(named) for pattern in meanings.NOT_EXPLICIT):
        return None
    return _term(named)


def _copula_term(raw: str, bare: str) -> str | None:
    definite = meanings.DEFINITE.match(raw)
    if definite and (meanings.PLURAL_COPULA.search(bare) or not meanings.COPULA_START.match(bare)):
        return None
    if any(pattern.fullmatch(unquote(raw)) for pattern in meanings.NOT_A_TERM):
        return None
    named = meanings.LABEL.sub("", raw, count=1)  # 'the abbreviation TSO', but 'the concept scheme'
    return _term(raw if named.islower() or " " in named else named)


def _term(raw: str) -> str | None:
    """Strip a candidate down to the term; None when it cannot be one."""
    candidate = unquote(raw)
    bare = unquote(meanings.ARTICLES.sub("", candidate))
    if not bare or normalise(bare) in meanings.PRONOUNS or len(bare.split()) > MAX_TERM_WORDS:
        return None
    if not kinds_named(bare):
        return bare
    definite, indefinite = meanings.DEFINITE.match(candidate), meanings.INDEFINITE.match(candidate)
    if definite or forms.KIND_WITH_MORE.search(bare):
        return None
    named = normalise(bare) in forms.KIND_TERMS
    return bare if named or indefinite or forms.KIND_FIRST.search(bare) else None


def _definite(text: str) -> str | None:
    """'The rate of change of frequency', 'explain the merit order': a term, or a subject."""
    raw, explicit = _asked_for(core(text))
    bare = unquote(meanings.ARTICLES.sub("", raw))
    if explicit or not bare or len(bare.split()) > MAX_TERM_WORDS:
        return None
    if meanings.MAYBE_A_TERM.fullmatch(raw):
        return bare
    if any(pattern.fullmatch(raw) for pattern in meanings.NOT_A_TERM):
        return None
    return bare if meanings.DEFINITE.match(raw) else None


def _doing(text: str) -> str | None:
    """'What does an aggregator do?'; its definition says so, if there is one."""
    sentences = _SENTENCES.split(text)
    matches = (form.fullmatch(core(item)) for item in sentences for form in cues.DOES)
    if not (match := next(filter(None, matches), None)) or not _all_but_one_state(sentences):
        return None
    return _term(match.groupdict().get("term") or match["term2"])


# --- the term was named before -------------------------------------------------------------------


def _clauses(text: str) -> list[str]:
    return [part for part in cues.CLAUSES.split(text) if any(map(str.isalnum, part))]


def _referred(text: str) -> Asked | None:
    """'Everybody says TSO, what is that?': the cue refers to what another clause names."""
    clauses = _clauses(text)
    for place in reversed(range(len(clauses) if clauses[1:] else 0)):
        if cue := _cue(clauses[place]):
            found = _antecedent(clauses[:place] or clauses[1:], meant=cue.meant)
            others = (clause for n, clause in enumerate(clauses) if n != place)
            only = cue.alone and not any(map(_asks_on, others))
            return found if found is None or only else found._replace(sure=False)
    return None


class _Cue(NamedTuple):
    """Words that ask what something is.

    ``meant`` where they can only be said of a term; ``alone`` where the clause asks no more.
    """

    meant: bool
    alone: bool


def _cue(clause: str) -> _Cue | None:
    if cues.FOR_SOMEBODY.search(clause):
        return None
    bare = core(clause)
    shorter = cues.TAIL.sub("", bare)
    for said, alone in ((bare, True), (shorter, bool(cues.WORD_TOO.search(bare[len(shorter) :])))):
        for forms_of, meant in ((cues.MEANT, True), (cues.WHAT, False)):
            if any(form.fullmatch(said) for form in forms_of):
                return _Cue(meant, alone)
    return None


def _asks_on(clause: str) -> bool:
    """Tell whether a clause asks something else than what a term means."""
    return _asks(clause) and not _cue(clause) and not _direct(clause)


def _antecedent(context: Sequence[str], *, meant: bool) -> Asked | None:
    """Find what a cue refers to, the nearest clause first, by the most certain way there is."""
    near = context[::-1]
    for find in (_direct, _asked_inside, _quoted, _spoken_of):
        if term := next(filter(None, map(find, near)), None):
            return Asked(term)
    if len(context) == 1 and (term := _alone(context[0])):
        return Asked(term)
    if term := next(filter(None, map(_met_with, near)), None):
        return Asked(term, sure=False)
    if not meant:
        return None
    written = {item for clause in near for item in cues.ACRONYM.findall(clause)}
    return Asked(written.pop()) if len(written) == 1 else Asked(near[0], sure=False, vague=True)


def _asked_inside(clause: str) -> str | None:
    return _named_by(cues.INSIDE, clause)


def _quoted(clause: str) -> str | None:
    found = cues.QUOTATION.findall(clause)
    return _term(found[0]) if len(found) == 1 else None


def _spoken_of(clause: str) -> str | None:
    return _named_by(cues.SPOKEN_OF, clause)


def _met_with(clause: str) -> str | None:
    return _named_by(cues.MET_WITH, clause, last=True)


def _named_by(
    patterns: Sequence[re.Pattern[str]], clause: str, *, last: bool = False
) -> str | None:
    bare = clause.rstrip(" .!?\u2026")
    matches = [found for form in patterns for found in form.finditer(bare)]
    matches.sort(key=lambda found: found.start(), reverse=last)
    return next(filter(None, (_term(found["term"]) for found in matches)), None)


def _alone(clause: str) -> str | None:
    """'Droop control, what is that?'; 'the gateway failed' is no term, however short."""
    named = meanings.LABEL.sub("", core(clause), count=1)
    if len(named.split()) > MAX_ALONE or forms.QUESTION_WORDS.search(named):
        return None
    refused = any(pattern.fullmatch(named) for pattern in meanings.NOT_A_TERM)
    return None if refused or meanings.DEFINITE.match(named) else _explicit_term(named)
