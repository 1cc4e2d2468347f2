"""Whether a word is a pronoun, and whether the text itself names what it may refer to.

The same words are articles ('das Netz'), join clauses ('a principle that says'), or refer to
nothing ('is it allowed to').
"""

from __future__ import annotations

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.kind_roles import plural_role
from elysia_guard.language.own_kinds import own_kinds
from elysia_guard.reading.followups.text import FollowUpText
from elysia_guard.reading.followups.words import FollowupWords

MOST_BEFORE = 2
"""Words of content before a pronoun of which none need be what it refers to."""


def kind_of(said: FollowUpText, at: int) -> DocumentKind | None:
    """Return the kind of documents that a word names, in the singular or the plural."""
    for kind in own_kinds().every:
        if said.pack.has(f"kinds.{kind}", said.low[at]) or _is_plural_of(kind, said, at):
            return kind
    return None


def is_plural(said: FollowUpText, at: int) -> bool:
    """Tell whether a word names a kind in the plural: 'principles'."""
    return any(_is_plural_of(kind, said, at) for kind in own_kinds().every)


def _is_plural_of(kind: DocumentKind, said: FollowUpText, at: int) -> bool:
    return said.pack.has(f"kinds.{plural_role(kind)}", said.low[at])


def names_kind(said: FollowUpText, at: int) -> bool:
    """Tell whether a word names a kind of documents, also as the end of one: 'parkeerbeleid'."""
    return kind_of(said, at) is not None or said.pack.ends_in_kind(said.low[at])


def is_other_use(said: FollowUpText, at: int, length: int) -> bool:
    """Tell whether what looks like a pronoun is an article, a relative, a conjunction, a dummy."""
    pack, word = said.pack, said.low[at]
    if at and pack.has("refers.polite", word) and said.text[said.words[at].start].isupper():
        return True
    if length == 1 and pack.has("refers.article_like", word) and _is_article(said, at):
        return True
    doubles = said.text[: said.words[at].start].endswith("-")  # 'le réseau est-il', no 'quels'
    if doubles and any(_tells(pack, each) for each in said.low[: at - 1]):
        return not any(pack.has("lists.which", each) for each in said.low[:at])
    return (length == 1 and is_relative(said, at)) or is_dummy(said, at)


def _is_article(said: FollowUpText, at: int) -> bool:
    """'Hoe versleutelen we het gebied?': a participle ends a clause behind a verb alone."""
    pack = said.pack
    if not stands_alone(said, at):
        return True
    if said.words[at].breaks or pack.is_closed(said.low[at + 1]):
        return False
    return not any(pack.has("grammar.verbs", word) for word in said.low[:at])


def stands_alone(said: FollowUpText, at: int) -> bool:
    """Tell whether no noun follows that a word would be the article of."""
    if said.words[at].breaks:
        return True
    following = said.words[at + 1]
    if following.own:
        return False
    low = following.low
    if said.pack.is_closed(low):
        return True
    written = said.text[following.start : following.end]
    return following.breaks and said.pack.is_no_noun(written)


def is_relative(said: FollowUpText, at: int) -> bool:
    """'A principle that says', 'ik bedoel dat we': it joins what stands before it."""
    pack = said.pack
    if not at or said.words[at].breaks or not pack.has("refers.relative_like", said.low[at]):
        return False
    joins = at > 1 and not pack.is_closed(said.low[at - 1])
    return joins or pack.has("grammar.subjects", next_word(said, at))


def is_dummy(said: FollowUpText, at: int) -> bool:
    """'Is it allowed to', 'gibt es', 'het regent': nothing is referred to."""
    pack, low = said.pack, said.low
    if not pack.has("dummy.words", low[at]):
        return False
    if pack.match("dummy.phrases", low, at) or (at and pack.has("dummy.before", low[at - 1])):
        return True
    return any(pack.has("dummy.continues", word) for word in low[at + 1 :])


def names_before(said: FollowUpText, at: int, most: int) -> bool:
    """Tell whether what stands before in the text itself may be what is referred to.

    That is a name, something in a clause before, or more than ``most`` words of content.
    """
    before = said.words[:at]
    telling = [n for n, word in enumerate(before) if word.own or _tells(said.pack, word.low)]
    apart = bool(telling) and any(word.breaks for word in before[telling[0] :])
    return apart or len(telling) > most or any(word.own for word in before)


def names_something(said: FollowUpText, unclear: str) -> bool:
    """Tell whether a text says what it is about, beside a word of it that may refer to something.

    'How is that information kept?'; but not 'who signed it', and no verb alone: 'do we keep it?'.
    What 'they' did is told by what was spoken of alone.
    """
    pack, low = said.pack, said.low
    if pack.has("refers.things", unclear) and not pack.has("refers.thing", unclear):
        return False
    nouns = ("refers.articles", "refers.indefinite", "refers.about", "refers.of")
    telling = [n for n, word in enumerate(said.words) if _tells(pack, word.low)]
    before = (low[n - 1] for n in telling if n and low[n - 1] != unclear)
    return len(telling) >= MOST_BEFORE or any(
        pack.has(role, word) for word in before for role in nouns
    )


def _tells(pack: FollowupWords, word: str) -> bool:
    return pack.is_content(word) and not pack.member("asked", word)


def next_word(said: FollowUpText, at: int) -> str:
    """Return the word behind one, or nothing at the end."""
    return said.low[at + 1] if at + 1 < len(said.words) else ""
