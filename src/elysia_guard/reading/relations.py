"""Questions for how a term stands to others: broader, narrower, related, or called otherwise.

What decides is which term stands beside which words, not a whole phrase: 'what falls under X' asks
for the narrower terms of X, 'under what does X fall' for the broader ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Relation
from elysia_guard.language.text import unquote
from elysia_guard.reading.clauses import Joint, clauses
from elysia_guard.reading.tagged import Spotted, Wording, wording

_LONGEST_TERM = 4
"""Words of a term that the vocabulary does not know."""
_NEAR = 3
"""Words within which 'broader' stands beside the concept that it is said of."""
_WHICH, _IDLE = ("link_which", "link_to_which"), ("elsewise", "placed")
_SMALL = ("definite", "indefinite", "determiners", "demonstratives")
_TELLING = frozenset(
    """synonyms else_called broader broader_of narrower narrower_of placed below kinds_of
    related related_of""".split()
)
"""Roles of which a question for a relation has one at least."""


def relation(
    text: str, *, lang: Lang, spans: Sequence[Spotted] = ()
) -> tuple[Relation, str] | None:
    """Return which relation of which term a question asks for, the term as it was written.

    None where it asks for none: also where a document is named, whose relations these are not.

    Args:
        text: one question, of one term.
        lang: its language.
        spans: the terms and documents that stand in it.

    >>> relation("what are synonyms of islanding", lang="en")
    (<Relation.SYNONYMS: 'synonyms'>, 'islanding')
    """
    said = wording(text, lang, spans, "comparisons", "relations")
    if all(map(_TELLING.isdisjoint, said.roles)):
        return None
    if any(token.span and token.span.is_document for token in said.tokens):
        return None
    for sentence in _sentences(said):
        for kind, find in _RULES:
            found = find(sentence)
            if found is not None and (term := _term(sentence, found)):
                return kind, term
    return None


def _sentences(said: Wording) -> Iterator[Wording]:
    """The sentences of a text, each as a wording of its own."""
    start = 0
    for clause in (*clauses(said), None):
        if clause is not None and not (clause.joint is Joint.STOP and clause.start):
            continue
        end = clause.start if clause else len(said.tokens)
        yield said._replace(tokens=said.tokens[start:end], roles=said.roles[start:end])
        start = end


def _terms(said: Wording) -> list[int]:
    return [place for place, token in enumerate(said.tokens) if token.is_mention]


def _end(said: Wording, place: int, role: str) -> int:
    return place + said.roles[place][role]


def _term(said: Wording, after: int) -> str:
    """The term that a relation is asked of: the first after its words, or the only one."""
    terms = _terms(said)
    following = [place for place in terms if place >= after]
    if terms:
        return _qualified(said, (following or terms)[0])
    start = said.after(after, len(said.tokens), "of_term", *_SMALL)
    if start == after and after < len(said.tokens):
        return ""
    end = start
    while end < len(said.tokens) and said.is_content(end) and not said.plays(end, "vocabulary"):
        end += 1
    if not 0 < end - start <= _LONGEST_TERM:
        return ""
    return said.written(start, end)


def _qualified(said: Wording, place: int) -> str:
    """A term, with the vocabulary that is named in brackets behind it: 'asset (Grid terms)'."""
    after = [token.word for token in said.tokens[place + 1 :]]
    if after[:1] != ["("] or ")" not in after:
        return unquote(said.tokens[place].text)
    end = said.tokens[place + 1 + after.index(")")].end
    return said.text[said.tokens[place].start : end]


def _synonyms(said: Wording) -> int | None:
    """'another word for X', 'what else is X called'."""
    if found := said.places("synonyms"):
        return None if _terms(said)[1:] else _end(said, found[0], "synonyms")
    asks = said.places("question_words")
    if not asks or not _terms(said) or _of_documents(said):
        return None
    others = said.places("elsewise")
    beside = any(abs(place - other) == 1 for place in asks for other in others)
    called = [place for place in said.places("else_called") if beside or place > asks[0]]
    near = any(abs(place - other) <= _NEAR + 1 for place in called for other in others)
    return 0 if near else None


def _broader(said: Wording) -> int | None:
    """'the broader term of X', 'under what does X fall', 'where is X in the vocabulary'."""
    if (found := _said_of_concept(said, "broader")) is not None:
        return found
    if not _terms(said) or not said.places("placed"):
        return None
    if said.places("under_which") or (
        said.places("places", "classes") and said.places("vocabulary")
    ):
        return 0
    after = [said.after(at + 1, len(said.tokens), *_SMALL) for at in said.places("below")]
    return (
        0 if any(at < len(said.tokens) and said.plays(at, "where_words") for at in after) else None
    )


def _narrower(said: Wording) -> int | None:
    """'what falls under X', 'the kinds of X that there are'."""
    if (found := _said_of_concept(said, "narrower")) is not None:
        return found
    if _of_documents(said):
        return None
    asked = said.places("placed", "concepts") and said.places("where_words", "concepts")
    known = said.places("placed") and said.places("concepts")
    for place in said.places("below") if asked else ():
        after = said.after(place + 1, len(said.tokens), *_SMALL)
        named = after < len(said.tokens) and said.is_content(after) and known
        if after in _terms(said) or (named and not said.plays(after, "concepts")):
            return place
    for place in said.places("kinds_of") if said.places("exist") else ():
        end = _end(said, place, "kinds_of")
        if any(end <= at < end + _NEAR + 2 for at in _terms(said)):
            return place
    return None


def _related(said: Wording) -> int | None:
    """'terms connected with X', 'what is X related to in the vocabulary'."""
    if found := said.places("related"):
        return _end(said, found[0], "related")
    for place in said.places("related_of"):
        named = said.places("concepts", "vocabulary") and _terms(said)
        if _is_all(said, range(place, _end(said, place, "related_of"))) or named:
            return None if _of_documents(said) else 0
    return None


def _said_of_concept(said: Wording, kind: str) -> int | None:
    """'a hypernym of X'; 'broader' alone may be said of anything but a concept."""
    for place in said.places(kind):
        return _end(said, place, kind)
    for place in said.places(f"{kind}_of"):
        end = _end(said, place, f"{kind}_of")
        near = range(end, min(end + _NEAR, len(said.tokens)))
        concept = next((at for at in near if said.plays(at, "concepts")), None)
        if concept is not None:
            return concept + 1
        if any(said.plays(at, "concepts") for at in range(max(place - _NEAR, 0), place)):
            return end  # 'which terms are broader than X'
        if _is_all(said, range(place, end)):
            return end
    return None


def _is_all(said: Wording, words: range) -> bool:
    """'What is broader than X': of one term, and nothing else is named beside some words."""
    beside = [at for at in range(len(said.tokens)) if at not in words]
    named = [at for at in beside if said.is_content(at) or said.plays(at, "determiners")]
    asks = any(said.plays(at, *_WHICH) for at in beside)
    return asks and len(_terms(said)) == 1 and all(said.plays(at, *_WHICH, *_IDLE) for at in named)


def _of_documents(said: Wording) -> bool:
    """Tell whether it is for documents: 'which decisions fall under X'."""
    return any(not said.plays(place, "concepts") for place in said.places("kind_nouns"))


_RULES = (
    (Relation.SYNONYMS, _synonyms),
    (Relation.BROADER, _broader),
    (Relation.NARROWER, _narrower),
    (Relation.RELATED, _related),
)
