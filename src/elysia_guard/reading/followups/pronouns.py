"""The pronouns of a message, and the name that is put in their place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from elysia_guard.reading.followups.message import Message

MOST_BEFORE = 2
"""Words of content before a pronoun of which none need be what it refers to."""


class Pronoun(NamedTuple):
    """A word that refers: what stands in its place, whether to several, and to the text itself."""

    at: int
    end: int
    form: str
    """With ``{it}`` for the name; empty where none can stand there: 'such', 'there'."""
    many: bool = False
    inside: bool = False


def pronouns(said: Message) -> Iterator[Pronoun]:
    """Yield the pronouns of a text, in order; those of a dummy ('is it allowed to') not."""
    for at, word in enumerate(said.words):
        if not word.own and (form := _form(said, at)) is not None:
            low = word.low
            they, it = said.pack.has("refers.they", low), said.pack.has("refers.it", low)
            several = any(said.pack.has("refers.plural", each) for each in said.low)
            many = they and (not it or several)
            term = at + 1 < len(said.words) and _is_that_term(said, at)
            yield Pronoun(
                at,
                at + 1 + term,
                form,
                many,
                inside=_is_inside(said, at, 0 if many else MOST_BEFORE),
            )


def _form(said: Message, at: int) -> str | None:
    pack, word = said.pack, said.low[at]
    if at and pack.match("dummy.phrases", said.low, at - 1):
        return None  # 'il y a'
    if preposition := said.adverb(at):
        return f"{preposition} {{it}}"
    if pack.has("refers.its", word) and not said.words[at].breaks:
        following = said.words[at + 1]
        verb = said.is_verb(at) and not any(map(said.is_verb, range(at)))
        if not following.own and said.is_telling(following.low) and not verb:
            return pack.worded("possessive", it="{it}")
    if pack.has("refers.it", word) or pack.has("refers.they", word):
        return None if _is_other_use(said, at) and not _is_that_term(said, at) else "{it}"
    beside = (said.low[at - 1], *said.low[at + 1 : at + 2]) if at else ()
    dummy = any(pack.has("dummy.there", each) for each in beside)
    if not pack.has("refers.there", word) or not at or dummy:
        return None
    return "{it}" if pack.has("clauses.prepositions", said.low[at - 1]) else ""


def _is_other_use(said: Message, at: int) -> bool:
    """Tell whether it is an article, a relative, a form of address or a dummy."""
    pack, low = said.pack, said.low
    if pack.match("dummy.phrases", low, at) or (at and pack.has("dummy.before", low[at - 1])):
        return True
    if at and pack.has("refers.polite", low[at]):
        return said.text[said.words[at].start].isupper()
    after_kind = any(n < at for n, *_ in said.kinds()) and not said.words[at].breaks
    if after_kind and pack.has("refers.about", low[at + 1]):
        return True  # 'welke besluiten zijn er die over data gaan'
    if at and pack.has("lists.others", low[at - 1]) and not said.words[at - 1].breaks:
        return True  # 'anything else that is deprecated'
    if not said.words[at].breaks and pack.has("refers.that", low[at]):
        if pack.has("refers.persons", low[at + 1]):
            return True
        if at and not said.words[at - 1].breaks and said.is_content(at - 1) and not _ends(said, at):
            return True
    if pack.has("dummy.words", low[at]) and any(
        pack.has("dummy.behind", word) for word in low[at + 1 :]
    ):
        return True
    written_on = said.text[: said.words[at].start].endswith("-")
    if written_on and any(map(said.is_content, range(at - 1))):
        return not said.says("lists.which")  # 'le réseau est-il', no 'quels risques ont-ils'
    articled = pack.has("refers.articles", low[at]) or pack.has("refers.that", low[at])
    return articled and not stands_alone(said, at)


def _is_that_term(said: Message, at: int) -> bool:
    """'That term', 'dieser Begriff': the term that was spoken of."""
    following = said.low[at + 1 : at + 2]
    return said.pack.has("refers.that", said.low[at]) and any(
        said.pack.has("refers.term", word) for word in following
    )


def _ends(said: Message, at: int) -> bool:
    return at >= len(said.words) - 2


def stands_alone(said: Message, at: int) -> bool:
    """Tell whether no noun follows that a word would be the article of."""
    if said.words[at].breaks:
        return True
    following = said.words[at + 1]
    if following.own or said.kind_at(at + 1):
        return False
    if said.pack.is_closed(following.low):
        return True
    written = said.text[following.start : following.end]
    participle = following.breaks and said.pack.no_noun.search(written)
    return bool(participle) and any(map(said.is_verb, range(at)))


def _is_inside(said: Message, at: int, most: int) -> bool:
    """Tell whether the text itself names before what may be referred to."""
    telling = [
        n
        for n in range(at)
        if said.words[n].own or (said.is_content(n) and not said.pack.no_noun.search(said.low[n]))
    ]
    apart = bool(telling) and any(word.breaks for word in said.words[telling[0] : at])
    return apart or len(telling) > most or any(word.own for word in said.words[:at])


def says_enough(said: Message, at: int) -> bool:
    """Tell whether a message says what it is about, beside a pronoun in it.

    'Is it about backups?'; but not 'who signed it', nor 'do we keep it?'.
    """
    telling = [n for n in range(len(said.words)) if said.is_content(n)]
    if said.pack.has("refers.they", said.low[at]) and not said.pack.has("refers.it", said.low[at]):
        return len(telling) > MOST_BEFORE
    before = (said.low[n - 1] for n in telling if n and n - 1 != at)
    return len(telling) >= MOST_BEFORE or any(map(said.is_before_noun, before))


def put_in(said: Message, it: str, found: list[Pronoun]) -> str:
    """Put a name in the place of the first pronoun, or behind the text where it has none."""
    for pronoun in found:
        if pronoun.form and not pronoun.inside:
            return said.replaced(pronoun.at, pronoun.end, pronoun.form.format(it=it))
    text = said.text.strip()
    bare = text.rstrip(" ?!.,;:")
    return f"{bare} ({it}){'?' if '?' in text[len(bare) :] else ''}"
