"""A message in its conversation, and what it asks of what was spoken of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Aspect, Lang, Reference
from elysia_guard.domain.reading import Definition, Listing, Named, Relation, Search, Unclear
from elysia_guard.language.pack import langs, pack
from elysia_guard.reading.fields import named as asked_of
from elysia_guard.reading.followups.message import Message
from elysia_guard.reading.followups.picks import Pick, pick
from elysia_guard.reading.followups.pronouns import Pronoun, pronouns, put_in
from elysia_guard.reading.followups.spoken import Antecedent, Antecedents, SpokenOf, names
from elysia_guard.reading.tagged import wording

MOST_NAMED: Final = 6
"""Documents that 'they' may stand for in one question, and candidates asked back."""
CERTAIN, FRAGMENT, SENTENCE, APART = 1.0, 0.3, 0.1, 0.0
"""What is added to what a document tells of a message that refers, that has no verb, that has one,
and that names something else which its words may refer to."""

_RELATIONS: Final = {
    "broader": Relation.BROADER,
    "broader_of": Relation.BROADER,
    "narrower": Relation.NARROWER,
    "narrower_of": Relation.NARROWER,
    "kinds_of": Relation.NARROWER,
    "related": Relation.RELATED,
    "related_of": Relation.RELATED,
    "synonyms": Relation.SYNONYMS,
}
"""What the roles of ``relations.toml`` ask of a term, the first that stands there deciding."""

_PLACED: Final = {"below", "placed"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Whole:
    """A question that can be understood with nothing before it."""

    text: str
    lang: Lang
    about: str = ""
    reason: str = ""
    refers: bool = False
    asks: Listing | Search | Definition | Named | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """What a message asks if it is about a document; ``lean`` is for what its wording says."""

    document: Reference
    whole: Whole
    lean: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidates:
    """What a message may ask, by what its ``words`` are told of by; else it asks ``alone``."""

    words: str
    lang: Lang
    among: tuple[Candidate, ...]
    alone: Whole | Unclear
    exclusive: bool = False
    """Whether one of them is meant: none is where another tells as much."""

    @property
    def refers(self) -> bool:
        """Whether a word of it refers to what it does not name itself."""
        return self.among[0].lean >= CERTAIN


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A message in its conversation."""

    said: Message
    talk: SpokenOf
    documents: Sequence[Document]

    @property
    def lang(self) -> Lang:
        """The language of the message."""
        return self.said.lang

    @cached_property
    def pronouns(self) -> list[Pronoun]:
        """Its words that refer."""
        return list(pronouns(self.said))

    @property
    def refers(self) -> bool:
        """Whether a word of it refers to what it does not name itself."""
        return any(not each.inside for each in self.pronouns)

    @cached_property
    def pick(self) -> Pick | None:
        """What it picks of several."""
        return pick(self.said, self.talk, self.documents)

    @cached_property
    def numbered(self) -> Antecedents:
        """The bare numbers that it names, as documents of the kind that was spoken of."""
        kinds = self.talk.kinds
        return tuple(
            Antecedent.of(Reference(number=int(each), written=each, kind=kinds[0]))
            for each in self.said.numbers
            if len(kinds) == 1
        )

    def whole(self, text: str, reason: str, subjects: Iterable[Antecedent] = ()) -> Whole:
        """Return a whole question, and what it is about where its own words do not say so."""
        subjects, last = tuple(subjects), self.talk.last
        typed = self.said.text.casefold()
        named_ = [item for item in subjects if item.name.casefold() not in typed]
        obvious = self.pronouns and last and last.named == subjects and len(subjects) == 1
        about = "" if obvious or not named_ else self.names(named_)
        return Whole(text=text, lang=self.lang, about=about, reason=reason, refers=True)

    def told_of(self, subject: Antecedent) -> Whole:
        """Ask what a document or a term says."""
        term = subject.reference is None
        text = self.said.pack.worded("meaning" if term else "say", it=subject.name)
        return self.whole(text, f"it picks {subject.name}", (subject,))

    def names(self, subjects: Sequence[Antecedent]) -> str:
        """Return the names of some subjects as one part of a sentence."""
        return names(subjects, self.said.pack.worded("and"))

    def of(self, subjects: Antecedents, said: Message | None = None) -> Whole:
        """Ask a message of what was spoken of."""
        said = said or self.said
        it, found = self.names(subjects), list(pronouns(said))
        reason = f"it is about {it}"
        term = subjects[0].reference is None
        if not said.content and not said.is_asking and not (term and len(subjects) > 1):
            text = said.pack.worded("meaning" if term else "say", it=it)
            return self.whole(text, reason, subjects)
        text = put_in(said, it, found)
        whole = self.whole(text, reason, subjects)
        if term and len(subjects) == 1:
            whole = replace(whole, asks=related(said, subjects[0]))
        return whole


def related(said: Message, term: Antecedent) -> Definition | None:
    """Return which relation of a term a message asks for, by its words alone; None for none."""
    words = wording(said.text, said.lang, (), "relations")
    roles = [role for each in words.roles for role in each]
    told = [word for word in said.content if not _is_of_relation(word, said)]
    found = next((_RELATIONS[role] for role in roles if role in _RELATIONS), None)
    places = [n for n, each in enumerate(words.roles) if _PLACED & set(each)]
    if found is None and places:
        # 'What does it fall under?' asks for broader terms, 'what falls under it?' for narrower.
        it = next((each.at for each in pronouns(said)), len(said.words))
        up = it < places[-1] or not {"places", "under_which"}.isdisjoint(roles)
        found = Relation.BROADER if up else Relation.NARROWER
    spoken = [each for each in langs() if said.says(f"languages.{each}")]
    if len(spoken) == 1 and not said.numbers:
        return Definition(term=term.name, relation=Relation.TRANSLATION, into=spoken[0])
    if found is None or told:
        return None
    return Definition(term=term.name, relation=found)


def _is_of_relation(word: str, said: Message) -> bool:
    own = pack(said.lang).table("relations").keys()
    found = wording(word, said.lang, (), "relations")
    return any(own & set(each) for each in found.roles) or said.pack.has("refers.term", word)


def asks_side(said: Message) -> bool:
    """Tell whether a message asks for a side of a document, and of no matter."""
    it = "ADR-0001"
    text = put_in(said, it, list(pronouns(said)))
    start = text.find(it)
    reference = Reference(number=1, written=it)
    found = asked_of(text, lang=said.lang, references=[reference], spans=[(start, start + len(it))])
    return found.aspect is not Aspect.SUBSTANCE and not found.matter
