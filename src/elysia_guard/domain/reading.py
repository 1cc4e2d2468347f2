"""What a question asks: one sum type, each variant with exactly its own fields.

A question is read once, before a route, a gate or a model is asked, and no stage parses its text
again. It may ask several things at once: each is a part, gathered, judged and answered by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.question import Aspect, IntentKind, Lang, Reference, Scope
from elysia_guard.domain.scope import CollectionScope


class ReadBy(StrEnum):
    """What a reading rests on."""

    FORM = "form"
    """The wording of the question."""
    SPAN = "span"
    """A term, a title or a number that stands in it."""
    INTENT_MODEL = "intent_model"
    """The small model of wordings."""
    CONVERSATION = "conversation"
    """What was said before."""


class ReadKind(StrEnum):
    """The kinds of things that a question may ask, one for each variant of ``Asks``."""

    DEFINITION = "definition"
    NAMED = "named"
    LISTING = "listing"
    COMPARISON = "comparison"
    SEARCH = "search"
    SMALL_TALK = "small_talk"
    UNCLEAR = "unclear"


class Relation(StrEnum):
    """What is asked of a term: what it means, or how it stands to others."""

    MEANING = "meaning"
    BROADER = "broader"
    NARROWER = "narrower"
    RELATED = "related"
    SYNONYMS = "synonyms"
    TRANSLATION = "translation"


class Order(StrEnum):
    """Which documents of a list come first, where not all are asked for."""

    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, kw_only=True, slots=True)
class Definition:
    """What a term means, or its relation to others. ``uri`` where one meaning was chosen.

    ``into`` is the language (BCP 47, without region) that a translation is asked in.
    ``beside``: the question says more of the term, so that something else may be meant.
    """

    term: str
    relation: Relation = Relation.MEANING
    uri: str = ""
    beside: bool = False
    into: str = ""

    @property
    def kind(self) -> IntentKind:
        """Terminology."""
        return IntentKind.TERMINOLOGY


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """Documents named by number or title, and what is asked of them.

    ``aspect`` is a side of them, or a field of the documents themselves; ``matter`` is what else
    they are asked about, and empty where the whole is asked. ``dated``: the matter is asked for
    its date, so that only a text that tells one answers. ``beside``: the question says more than
    the field or the whole that it was read for, so that a matter may be meant. ``another``: a
    document is asked for by how it stands to these ('which ADR follows ADR-12'). ``part``, from 1:
    which part of what one reply cannot hold.
    """

    references: tuple[Reference, ...]
    aspect: Aspect = Aspect.SUBSTANCE
    matter: str = ""
    dated: bool = False
    beside: bool = False
    another: bool = False
    part: int = 1

    @property
    def kind(self) -> IntentKind:
        """An entity."""
        return IntentKind.ENTITY

    @property
    def kinds(self) -> tuple[DocumentKind, ...]:
        """The kinds of the documents, each once, as far as they are known."""
        return tuple(dict.fromkeys(item.kind for item in self.references if item.kind))


@dataclass(frozen=True, kw_only=True, slots=True)
class Listing:
    """The documents of some kinds that pass every filter, or how many there are.

    ``first`` and ``order`` ask for so many of one end ('the three newest'); 0 asks for all.
    ``outside`` are kinds asked for that the question may not reach.
    """

    kinds: tuple[DocumentKind, ...]
    topic: str = ""
    filters: Scope = field(default_factory=Scope)
    order: Order | None = None
    first: int = 0
    counted: bool = False
    outside: tuple[DocumentKind, ...] = ()

    @property
    def kind(self) -> IntentKind:
        """A list."""
        return IntentKind.LIST

    @property
    def is_topic_alone(self) -> bool:
        """Whether a topic is all that it is restricted by: then passages may speak of it too."""
        return bool(self.topic) and self.filters == Scope() and not (self.order or self.counted)

    def topic_beside(self, owners: Sequence[str]) -> str:
        """What it is about, where the owner that it may name is one that there is."""
        owner = self.filters.owner
        return owner.topic if owner and owner.topic is not None and owners else self.topic


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """Two or more terms held against each other; searched for by ``topic`` if none is known.

    ``whether``: it is asked whether they are one and the same.
    Documents that are compared are ``Named``: each is told whole, one after the other.
    """

    terms: tuple[str, ...]
    topic: str
    whether: bool = False

    @property
    def kind(self) -> IntentKind:
        """Open: terms may be subjects of documents too."""
        return IntentKind.OPEN


@dataclass(frozen=True, kw_only=True, slots=True)
class Search:
    """A matter that documents may tell of.

    ``kinds`` is empty where every collection may answer. ``term`` is looked up first, and searched
    for if it is none: 'congestion management'; ``uri`` where one meaning of it was chosen.
    ``beside`` is as of a definition. ``meaning_of`` is a term whose meaning is asked
    where no vocabulary tells it: what documents say of it is marked as theirs. ``matter`` is the
    topic without the words that ask for one side of documents, their ``aspect``.
    """

    topic: str
    matter: str = ""
    kinds: tuple[DocumentKind, ...] = ()
    aspect: Aspect = Aspect.SUBSTANCE
    term: str = ""
    uri: str = ""
    beside: bool = False
    meaning_of: str = ""

    @property
    def kind(self) -> IntentKind:
        """By how many collections it concerns."""
        if len(self.kinds) == 1:
            return IntentKind.SINGLE_COLLECTION
        return IntentKind.CROSS_COLLECTION if self.kinds else IntentKind.OPEN


@dataclass(frozen=True, kw_only=True, slots=True)
class SmallTalk:
    """Nothing is asked of the sources; ``about`` is ``greeting``, ``thanks``, ``help``, ..."""

    about: str

    @property
    def kind(self) -> IntentKind:
        """Conversational."""
        return IntentKind.CONVERSATIONAL


@dataclass(frozen=True, kw_only=True, slots=True)
class Unclear:
    """What cannot be understood by itself: asked back, with what it may be about.

    ``word`` is what refers to nothing, as it was typed ('it'); empty where too little was said.
    ``candidates`` are questions that may be meant, each whole. ``picks`` tells whether it is
    nothing but a place in a list that is not on offer ('the second').
    """

    word: str = ""
    candidates: tuple[str, ...] = ()
    picks: bool = False

    @property
    def kind(self) -> IntentKind:
        """Conversational: no source is asked."""
        return IntentKind.CONVERSATIONAL


Asks = Definition | Named | Listing | Comparison | Search | SmallTalk | Unclear
"""What one part of a question asks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One thing that a question asks, in which words, and why it is read so.

    ``text`` is what of the question asks it, as a whole question; ``chance`` is the probability,
    0 to 1, that the reading is right, where a model gave it.
    """

    asks: Asks
    text: str
    reason: str
    read_by: ReadBy = ReadBy.FORM
    chance: float = 1.0
    perhaps: str = ""
    """A term whose meaning may be what is asked, though hardly; a refusal proposes to ask it."""

    @property
    def is_open(self) -> bool:
        """Whether nothing has decided what is asked: a search of everything."""
        return isinstance(self.asks, Search) and not (self.asks.kinds or self.asks.term)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A question, understood: whole, in its parts.

    ``whole`` is the question as it can be understood with nothing before it; ``about`` is what a
    follow-up was taken to be about, for the reader, and empty where nothing had to be guessed.
    """

    whole: str
    parts: tuple[Part, ...]
    lang: Lang = "en"
    about: str = ""

    @property
    def first(self) -> Part:
        """The first part, and mostly the only one."""
        return self.parts[0]


def topic_of(asks: Asks) -> str:
    """What a part is about, in words; empty where it is about documents as such, or nothing."""
    match asks:
        case Definition(term=topic) | Named(matter=topic):
            return topic
        case Listing(topic=topic) | Comparison(topic=topic) | Search(topic=topic):
            return topic
        case _:
            return ""


def kinds_of(asks: Asks) -> tuple[DocumentKind, ...]:
    """The kinds of documents that a part concerns; empty where none is named."""
    return asks.kinds if isinstance(asks, Named | Listing | Search) else ()


def aspect_of(asks: Asks) -> Aspect:
    """The side of documents that a part asks for."""
    return asks.aspect if isinstance(asks, Named | Search) else Aspect.SUBSTANCE


VOCABULARY = "vocabulary"


def concerned(parts: Iterable[Part], scope: CollectionScope) -> frozenset[str]:
    """Name the collections that may answer the parts of a question, by kind of their documents.

    What names no kind may be answered by any that it may reach. Small talk concerns none.
    """
    return frozenset(name for part in parts for name in _asked(part.asks, scope))


def concerns_one(parts: Iterable[Part], scope: CollectionScope) -> bool:
    """Tell whether there is nothing to decide between: one collection may answer, or none.

    What no rule decides never is: somebody else's tool may take it.
    """
    asked = tuple(parts)
    return len(concerned(asked, scope)) <= 1 and not any(part.is_open for part in asked)


def _asked(asks: Asks, scope: CollectionScope) -> tuple[str, ...]:
    vocabulary = (VOCABULARY,) if scope.defines else ()
    match asks:
        case Definition():
            return (VOCABULARY,)
        case Named() if all(item.kind for item in asks.references):
            return asks.kinds
        case Listing(kinds=kinds):
            return kinds
        case Search(kinds=kinds, term=term):
            return (*(kinds or _every(scope)), *(vocabulary if term else ()))
        case Named():
            return _every(scope)
        case Comparison():
            return (*_every(scope), *vocabulary)
        case _:
            return ()


def _every(scope: CollectionScope) -> tuple[DocumentKind, ...]:
    # Every house has more than one: which others it has makes no difference here.
    return STANDING_KINDS if scope.kinds is None else scope.kinds
