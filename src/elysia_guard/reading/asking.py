"""The clause of a question that asks, and what is said in it and around it."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.question import Lang
from elysia_guard.reading.asked_clauses import FACTS, TELLING, Clauses
from elysia_guard.reading.asked_words import NUMBERED, Span, asked_words


class Asking:
    """One question about documents that stand at some spans of it.

    ``here`` are the places of the clause that asks, ``content`` those of its words of content that
    do not only say which document is meant. ``telling`` are the places of all words that may ask
    for a fact, ``close`` those of them that are said of a document.
    """

    def __init__(self, text: str, lang: Lang, spans: Sequence[Span]) -> None:
        """Read the words of one question."""
        self.text, self.lang = text, lang
        self.clauses = clauses = Clauses(asked_words(text, lang, spans))
        words = clauses.words
        self.telling = [at for at, word in enumerate(words) if word.roles & TELLING]
        self.close = [
            at for at in self.telling if clauses.is_attached(at) and not clauses.is_modified(at)
        ]
        self._target = self._clauses_that_ask()
        self.here = [at for clause in self._target for at in clauses.places[clause]]
        self._which = set().union(*map(clauses.qualifying, clauses.named))
        self.content = [at for at in self.here if words[at].is_content and at not in self._which]

    @property
    def adjuncts(self) -> list[int]:
        """The content of the clause under prepositions: 'for a slide'."""
        return [at for at in self.content if self.clauses.is_adjunct(at)]

    @property
    def rivals(self) -> list[int]:
        """The content of other clauses that ask."""
        asking = (each for each in self._others if self.clauses.asks(each))
        found = (at for each in asking for at in self.clauses.content(each))
        return [at for at in found if at not in self._which]

    @property
    def around(self) -> list[int]:
        """The content of all other clauses."""
        return [at for each in self._others for at in self.clauses.content(each)]

    @property
    def is_of_matter(self) -> bool:
        """Whether what is asked for is said of something else than the document."""
        clauses, here = self.clauses, self.here
        mine = [at for at in self.telling if at in here]
        nouns = [at for at in here if clauses.has(at, *FACTS)]
        return (
            any(map(clauses.is_modified, nouns))
            or all(map(clauses.is_modified, mine))
            or any(map(clauses.is_said, clauses.named))
            or self._is_of_another()
            or self.is_rule
            or any(self._is_thing(at) for at in here)
            or bool(self.rivals)
        )

    @property
    def is_rule(self) -> bool:
        """Whether it asks what is to be, or what the document says: not what it is."""
        return any(self._is_modal(at) or self._is_mention(at) for at in self.here)

    @property
    def names_version(self) -> bool:
        """Whether it asks of one version of the document by its number: its record tells of it."""
        clauses = self.clauses
        return clauses.any(range(len(clauses.words)), NUMBERED)

    @property
    def _others(self) -> list[int]:
        return [each for each in self.clauses.places if each not in self._target]

    def _clauses_that_ask(self) -> list[int]:
        """The clause that asks, best the one that asks for a fact; all that tell, if none asks."""
        clauses = self.clauses
        asking = {clause for clause in clauses.places if clauses.asks(clause)}
        telling = {clauses.words[at].clause for at in self.telling}
        close = {clauses.words[at].clause for at in self.close}
        bare = {clause for clause in clauses.places if not clauses.content(clause)}
        if not asking:
            return sorted(telling or clauses.places)
        # 'Can you look it up, I need its date' only wishes; 'what was wrong with it' asks.
        wished = close & bare if any(map(clauses.asks_by_word, asking)) else close
        choices = (asking & close & bare, asking & close, asking & telling & bare, wished)
        chosen = next(filter(None, choices), asking & telling or asking)
        return [max(chosen)]

    def _is_of_another(self) -> bool:
        """Tell whether a pronoun stands for something else; whose owner it says is beside it."""
        pronouns = [at for at in self.here if at in self.clauses.pronouns]
        other = [at for at in pronouns if at not in self.clauses.again]
        whose = [at for at in other if self.clauses.has(at, "possessive")]
        return other != whose or (bool(whose) and whose == pronouns)

    def _is_mention(self, at: int) -> bool:
        """'Does ADR-16 say who': the document is asked what it says."""
        has = self.clauses.has
        return has(at, "mention", "inside") and not has(at, "filler", "state", "aux", "status")

    def _is_thing(self, at: int) -> bool:
        """'Which naming pattern': a thing is asked for, and it is none of a document's."""
        return self.clauses.has(at, "what") and self.clauses.is_content(at + 1, at)

    def _is_modal(self, at: int) -> bool:
        """'Who must agree': a rule is asked for, not what was done; but 'can I build on it'."""
        beside = self.clauses.any((at - 1, at + 1), "speaker")
        return self.clauses.has(at, "modal") and not beside
