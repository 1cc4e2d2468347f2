"""What a conversation is about, turn by turn: what the words of a follow-up may refer to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.conversation import Conversation, Focus
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Aspect, Lang, Reference
from elysia_guard.domain.reading import Listing, Search
from elysia_guard.language.references import find_references
from elysia_guard.language.text import normalise
from elysia_guard.reading.portions import without_portion

_EDGES = " ?!.,;:"


@dataclass(frozen=True, kw_only=True, slots=True)
class Antecedent:
    """A document or a term that was spoken of, by the name that a question gives it."""

    name: str
    reference: Reference | None = None

    @classmethod
    def of(cls, reference: Reference) -> Antecedent:
        """Name a document in the house form of its references, or as it was written."""
        quoted = reference.number is None
        name = f'"{reference.name}"' if quoted else reference.name
        return cls(name=name, reference=reference)

    @classmethod
    def named(cls, document: Document) -> Antecedent:
        """Name a document; by its title between quotation marks, where it has no number."""
        return cls.of(Reference.of(document))

    @property
    def kind(self) -> DocumentKind | None:
        """Of a document; None for a term, or a bare number."""
        return self.reference.kind if self.reference else None

    @property
    def key(self) -> object:
        """What is equal for the same document or term, however it was written."""
        return self.reference.key if self.reference else normalise(self.name)


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnFocus:
    """What one turn was about, all its parts together."""

    question: str
    lang: Lang
    named: tuple[Antecedent, ...]
    """The documents that were named, else the terms."""
    shown: tuple[Antecedent, ...]
    """The documents of the list that was shown, or that a search quoted, the best first."""
    near: tuple[Antecedent, ...]
    """What a refused search found, one of which may be meant: which, is asked back."""
    listing: bool
    kinds: tuple[DocumentKind, ...]
    topic: str
    aspect: Aspect
    matter: str
    part: int
    asks: Listing | Search | None = None
    asked_about: bool = False
    """Whether it was asked back what is meant by its term."""

    @property
    def subjects(self) -> tuple[Antecedent, ...]:
        """What was named, else what was shown."""
        return self.named or self.shown

    @property
    def terms(self) -> bool:
        """Whether it was about terms."""
        return bool(self.named) and self.named[0].reference is None

    @property
    def documents(self) -> bool:
        """Whether it was about named documents."""
        return bool(self.named) and not self.terms

    @property
    def is_open(self) -> bool:
        """Whether it could not be understood: what it is about was asked back."""
        return not (self.subjects or self.listing or self.kinds or self.topic)


@dataclass(frozen=True, kw_only=True, slots=True)
class SpokenOf:
    """The turns of a conversation that a follow-up may refer to, the last one last."""

    turns: tuple[TurnFocus, ...]
    pending: str = ""
    """The last message, where it was asked back what it is about."""

    @classmethod
    def of(cls, conversation: Conversation) -> SpokenOf:
        """Put the parts of each turn together; what was not understood is no turn."""
        turns = [_turn(parts) for parts in _by_turn(conversation.focus)]
        pending = turns[-1].question if turns and turns[-1].is_open else ""
        return cls(turns=tuple(turn for turn in turns if not turn.is_open), pending=pending)

    @property
    def last(self) -> TurnFocus | None:
        """The last turn that was about something."""
        return self.turns[-1] if self.turns else None

    @property
    def document(self) -> Antecedent | None:
        """The one document that the last turn was about; of several quoted ones the best."""
        last = self.last
        if last is None or last.terms or (last.listing and len(last.shown) > 1):
            return None
        if last.documents:
            told = [item for item in last.named if item in last.shown] or last.named
            return told[0] if len(told) == 1 else None
        return last.shown[0] if last.shown else None

    @property
    def term(self) -> Antecedent | None:
        """The one term that the last turn was about."""
        last = self.last
        return last.named[0] if last and last.terms and len(last.named) == 1 else None

    @property
    def before(self) -> Antecedent | None:
        """The last document or term that was the only one of its turn, however long ago."""
        alone = (turn.named[0] for turn in reversed(self.turns) if len(turn.named) == 1)
        return next(alone, None)

    @property
    def kind(self) -> DocumentKind | None:
        """The one kind of documents that the last turn was about."""
        last = self.last
        subjects = last.subjects if last else ()
        kinds = {item.kind for item in subjects if item.kind and item.kind.is_numbered}
        kinds = kinds or set(last.kinds if last else ())
        return next(iter(kinds)) if len(kinds) == 1 else None

    def one(self) -> tuple[Antecedent, ...]:
        """What a word in the singular may refer to: exactly one, several that it may, or none."""
        last = self.last
        if last is None:
            return ()
        single = self.document or self.term
        return (single,) if single else last.subjects or last.near

    def of_kind(self, kind: DocumentKind) -> tuple[Antecedent, ...]:
        """Return the documents of a kind that were spoken of last; 'number 12' may be of any."""
        for turn in reversed(self.turns):
            found = tuple(filter(None, (_as_kind(item, kind) for item in turn.named)))
            if not found and not turn.listing:
                found = tuple(item for item in turn.shown if item.kind == kind)[:1]
                found = found or tuple(item for item in turn.near if item.kind == kind)
            if found:
                return found
        return ()

    def pair(self, count: int = 2) -> tuple[Antecedent, ...]:
        """Return the documents, or the terms, that were spoken of together, or one after another.

        Where more than ``count`` were shown together, none of them are meant.
        """
        together: dict[object, Antecedent] = {}
        for turn in reversed(self.turns):
            subjects = turn.subjects
            if len(subjects) == count:
                return subjects
            if turn.listing or len(turn.named) > count:
                return ()
            for item in subjects[:1]:
                if all(
                    (item.reference is None) == (one.reference is None) for one in together.values()
                ):
                    together.setdefault(item.key, item)
            if len(together) == count:
                return tuple(reversed(together.values()))
        return ()

    def other(self, kind: DocumentKind | None = None) -> Antecedent | None:
        """Return the one of two that is not spoken of now."""
        now = self.document or self.term or self.before
        if now is None:
            return None
        for turn in reversed(self.turns):
            others = [item for item in turn.subjects if item.key != now.key]
            if kind:
                others = [item for item in others if item.kind == kind]
            if len(others) == 1:
                return others[0]
            if others:
                return None
        return None

    def several(self, *, listed: bool = False) -> tuple[Antecedent, ...]:
        """Return the last list that was shown, or documents or terms that were named together.

        In place of a list that was refused there is what was proposed, or came nearest.
        """
        for turn in reversed(self.turns):
            if turn.listing and turn.shown:
                return turn.shown
            several = turn.subjects or turn.near
            if len(several) > 1 and (turn.listing or not listed):
                return several
        return ()

    def all_documents(self) -> tuple[Antecedent, ...]:
        """Return every document that was spoken of or shown, the latest first."""
        found = {
            item.key: item
            for turn in reversed(self.turns)
            for item in (*turn.named, *turn.shown)
            if item.reference
        }
        return tuple(found.values())


def _by_turn(focus: Iterable[Focus]) -> list[list[Focus]]:
    turns: list[list[Focus]] = []
    for part in focus:
        if part.further and turns:
            turns[-1].append(part)
        else:
            turns.append([part])
    return turns


def _turn(parts: Sequence[Focus]) -> TurnFocus:
    last = parts[-1]
    records = any(each.approval for each in find_references(last.question))
    documents = [
        replace(each, approval=each.approval and records)
        for part in parts
        for each in part.documents
    ]
    shown = [
        replace(each, approval=each.approval and part.listing)
        for part in parts
        for each in part.listed
    ]
    named = [Antecedent.of(each) for each in documents]
    named = named or [Antecedent(name=each.strip(_EDGES)) for part in parts for each in part.terms]
    near = [replace(each, approval=False) for part in parts for each in part.near]
    return TurnFocus(
        question=without_portion(last.question)[0],
        lang=last.lang,
        named=_distinct(named),
        shown=_distinct(Antecedent.of(each) for each in shown),
        near=_distinct(Antecedent.of(each) for each in near),
        listing=any(part.listing for part in parts),
        kinds=tuple(dict.fromkeys(kind for part in parts for kind in part.kinds)),
        topic=last.topic,
        aspect=last.aspect,
        matter=last.matter,
        part=last.part,
        asks=last.asks,
        asked_about=last.asked_about,
    )


def _distinct(found: Iterable[Antecedent]) -> tuple[Antecedent, ...]:
    return tuple({item.key: item for item in found}.values())


def _as_kind(item: Antecedent, kind: DocumentKind) -> Antecedent | None:
    reference = item.reference
    if reference is None or reference.kind not in {None, kind}:
        return None
    return Antecedent.of(replace(reference, kind=kind))
