"""What is asked of a named document: a fact about itself, a side of it, the whole, or a matter.

What counts is not the word but what it is asked of. 'When was ADR-16 accepted' asks for a fact
about the document, 'until what date does ADR-16 allow TLS 1.2' for a matter that it speaks of. In
doubt it is a matter: the text is searched, and what it does not say is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from elysia_guard.domain.question import Aspect, Lang
from elysia_guard.language.stems import is_content_word
from elysia_guard.reading.asked_clauses import FACTS, TELLING, Clauses
from elysia_guard.reading.asked_words import Span, asked_words

SIDES = {
    "consequences": Aspect.CONSEQUENCES,
    "alternatives": Aspect.ALTERNATIVES,
    "context": Aspect.CONTEXT,
}
MOST_BESIDE = 3
"""Words of content that a question for a fact may have: 'for a slide', who approved it."""
_NO_MATTER = frozenset("document said what when who aux modal speaker by why".split())
_SAYING = frozenset({"mention", "tell", "show"})
_LEADING = frozenset({"said", "within", "under", "of", "purpose", "agent", "with", "anaphor"})


def asked_of(text: str, *, lang: Lang, spans: Sequence[Span]) -> tuple[Aspect, str]:
    """Return what a question asks of the documents that it names, and the matter, in its words.

    ``spans`` are where the documents stand in ``text``. A status, date, owner or version has no
    matter; what is asked of an approval record beside who and when has one, so may a side of a
    document. Neither aspect nor matter: the whole is asked.

    >>> asked_of("When was ADR-16 accepted?", lang="en", spans=[(9, 15)])
    (<Aspect.DATE: 'date'>, '')
    >>> asked_of("Until what date does ADR-16 allow TLS 1.2?", lang="en", spans=[(21, 27)])
    (<Aspect.SUBSTANCE: 'substance'>, 'Until allow TLS 1.2')
    """
    asked = _Asked(text, lang, spans)
    if asked.is_of_record:
        return Aspect.APPROVAL, asked.matter
    if side := asked.side:
        return side, asked.matter
    if fact := asked.fact:
        return fact, ""
    if asked.is_of_approval:
        return Aspect.APPROVAL, asked.matter
    return Aspect.SUBSTANCE, asked.matter


class _Asked:
    """One question, and the clauses of it that ask."""

    def __init__(self, text: str, lang: Lang, spans: Sequence[Span]) -> None:
        self._text, self._lang = text, lang
        self._clauses = Clauses(asked_words(text, lang, spans))
        words = self._clauses.words
        self._telling = [at for at, word in enumerate(words) if word.roles & TELLING]
        self._close = [
            at
            for at in self._telling
            if self._clauses.is_attached(at) and not self._clauses.is_modified(at)
        ]
        self._target = self._clauses_that_ask()
        self._here = [at for clause in self._target for at in self._clauses.places[clause]]
        qualifying = set().union(*map(self._clauses.qualifying, self._clauses.named))
        self._content = [at for at in self._here if words[at].is_content and at not in qualifying]

    def _clauses_that_ask(self) -> list[int]:
        """The clause that asks, best the one that asks for a fact; all that tell, if none asks."""
        clauses = self._clauses
        asking = {clause for clause in clauses.places if clauses.asks(clause)}
        telling = {clauses.words[at].clause for at in self._telling}
        close = {clauses.words[at].clause for at in self._close}
        bare = {clause for clause in clauses.places if not clauses.content(clause)}
        if not asking:
            return sorted(telling or clauses.places)
        choices = (asking & close & bare, asking & close, asking & telling & bare, close)
        chosen = next(filter(None, choices), asking & telling or asking)
        return [max(chosen)]

    @property
    def is_of_record(self) -> bool:
        """Whether it names the approval record of a document rather than the document."""
        return self._clauses.any(range(len(self._clauses.words)), "record")

    @property
    def side(self) -> Aspect | None:
        """The side of the document that is asked for."""
        has = self._clauses.has
        sides = [at for at in self._here if has(at, *SIDES) and not self._clauses.is_modified(at)]
        named = (aspect for at in sides for role, aspect in SIDES.items() if has(at, role))
        reason = Aspect.CONTEXT if self._clauses.any(self._here, "why") else None
        return next(named, reason)

    @property
    def fact(self) -> Aspect | None:
        """The fact about the document itself that is asked for."""
        clauses, here = self._clauses, self._here
        found = self._kind_of_fact()
        if found is None or self._is_of_matter():
            return None
        if close := [at for at in here if at in self._close]:
            return found if self._is_beside_it(found, close) else None
        doubtful = self._content or self._around or any(map(clauses.is_place, clauses.named))
        return None if doubtful or clauses.any(here, "point") else found

    def _is_beside_it(self, fact: Aspect, close: Sequence[int]) -> bool:
        """Tell whether what else is said leaves it a question for a fact."""
        here = [at for at in self._here if self._clauses.words[at].is_content]
        adjuncts = [at for at in self._content if self._clauses.is_adjunct(at)]
        bare = len(self._content) - len(adjuncts)
        if fact is Aspect.DATE and self._clauses.any(close, "approve"):
            return len(self._content) <= MOST_BESIDE  # who approved it, and where
        if fact is Aspect.APPROVAL:
            return not bare and len(adjuncts) <= MOST_BESIDE
        if fact is Aspect.STATUS:
            return bare <= 1 and not [at for at in here if self._clauses.is_scope(at)]
        return bare <= 1 and len(adjuncts) <= MOST_BESIDE

    def _is_of_matter(self) -> bool:
        """Tell whether what is asked for is said of something else than the document."""
        clauses, here = self._clauses, self._here
        mine = [at for at in self._telling if at in here]
        nouns = [at for at in here if clauses.has(at, *FACTS)]
        return (
            any(map(clauses.is_modified, nouns))
            or all(map(clauses.is_modified, mine))
            or any(map(clauses.is_said, clauses.named))
            or self._is_of_another()
            or any(self._is_mention(at) or self._is_thing(at) or self._is_modal(at) for at in here)
            or bool(self._rivals)
        )

    def _is_of_another(self) -> bool:
        """Tell whether a pronoun stands for something else; whose owner it says is beside it."""
        pronouns = [at for at in self._here if at in self._clauses.pronouns]
        other = [at for at in pronouns if at not in self._clauses.again]
        whose = [at for at in other if self._clauses.has(at, "possessive")]
        return other != whose or (bool(whose) and whose == pronouns)

    def _is_mention(self, at: int) -> bool:
        """'Does ADR-16 say who': the document is asked what it says."""
        has = self._clauses.has
        return has(at, "mention", "inside") and not has(at, "filler", "state", "aux", "status")

    def _is_thing(self, at: int) -> bool:
        """'Which naming pattern': a thing is asked for, and it is none of a document's."""
        return self._clauses.has(at, "what") and self._clauses.is_content(at + 1, at)

    def _is_modal(self, at: int) -> bool:
        """'Who must agree': a rule is asked for, not what was done; but 'can I build on it'."""
        beside = self._clauses.any((at - 1, at + 1), "speaker")
        return self._clauses.has(at, "modal") and not beside

    @property
    def _rivals(self) -> list[int]:
        """The content of other clauses that ask."""
        clauses = self._clauses
        others = (each for each in clauses.places if each not in self._target)
        return [at for each in others if clauses.asks(each) for at in clauses.content(each)]

    @property
    def _around(self) -> list[int]:
        """The content of clauses that do not ask."""
        others = (each for each in self._clauses.places if each not in self._target)
        return [at for each in others for at in self._clauses.content(each)]

    def _kind_of_fact(self) -> Aspect | None:
        """Which fact the words ask for that may."""
        clauses, here = self._clauses, self._here
        words = clauses.words
        roles = set().union(*(words[at].roles for at in here))
        own = set().union(
            *(words[at].roles for at in self._telling if at in here and not clauses.is_modified(at))
        )
        by = bool(roles & {"who", "body", "by"}) or self._ends_by()
        when = bool(roles & {"when", "date"})
        approved = bool(own & {"approve", "approval"}) or clauses.any(self._close, "approval")
        if "owner" in own or ("own" in own and by) or ("whose" in roles and not approved):
            return Aspect.OWNER
        if "approval" in own or (approved and (by or "whose" in roles) and "date" not in roles):
            return Aspect.APPROVAL
        if when:
            return Aspect.DATE
        if "version" in own:
            return Aspect.VERSION
        return Aspect.STATUS if own & {"state", "status", "approve", "rely"} else None

    def _ends_by(self) -> bool:
        """'Approved? If so by': whoever did it is asked for."""
        clauses = self._clauses
        places = range(len(clauses.words))
        return any(clauses.has(at, "agent") and not clauses.together(at + 1, at) for at in places)

    @property
    def is_of_approval(self) -> bool:
        """Whether it asks for more of the approval of the document than who and when."""
        clauses = self._clauses
        approves = [at for at in self._close if clauses.has(at, "approve")]
        if any(clauses.has(at + 1, "of") for at in approves):
            return True  # 'I believe the approval of ADR-16 had something on it'
        if not approves or self._rivals or any(map(clauses.is_place, clauses.named)):
            return False
        return not any(self._is_modal(at) or self._is_mention(at) for at in self._here)

    @property
    def matter(self) -> str:
        """What is asked of the document beside the document; empty where the whole is."""
        if self._is_whole():
            return ""
        return self._written([at for at in self._in_question() if self._matters(at)])

    def _in_question(self) -> list[int]:
        """The places in the sentences that ask; all where none does, or where each may."""
        sentences: dict[int, list[int]] = {}
        for at, word in enumerate(self._clauses.words):
            sentences.setdefault(word.sentence, []).append(at)
        asking = [each for each in sentences.values() if self._asks(each)]
        return sorted(at for each in asking or sentences.values() for at in each)

    def _asks(self, sentence: Sequence[int]) -> bool:
        """Tell whether a sentence asks, by its mark or by how it begins."""
        clauses = self._clauses
        following = clauses.words[sentence[-1] + 1 : sentence[-1] + 2]
        end = following[0].start if following else len(self._text)
        marked = "?" in self._text[clauses.words[sentence[-1]].end : end]
        return marked or clauses.asks_in_front(sentence, "show", "who", "when", "what", "why")

    def _is_whole(self) -> bool:
        """Tell whether there is nothing of a matter, or only what it is asked for, or with."""
        clauses, here = self._clauses, self._here
        if self.side and self._is_plain_side():
            return True
        if not any(word.is_content for word in clauses.words):
            return not self._is_rule()
        shown = [at for at in here if clauses.has(at, "show")]
        told = [at for at in here if clauses.has(at, "tell")]
        if not any(map(clauses.is_attached, (*shown, *told))) or self._rivals:
            return False
        content = [at for at in here if clauses.words[at].is_content]
        return not [at for at in content if not (shown and clauses.is_adjunct(at))]

    def _is_rule(self) -> bool:
        """'Who must approve it': what is to be, and not what a document has."""
        told = self._clauses.any(self._here, "show", "tell") or self.side
        return bool(self._telling) and not told

    def _is_plain_side(self) -> bool:
        """'The negative consequences', 'which options did it weigh', and nothing of their own."""
        clauses = self._clauses
        if self.side is Aspect.CONTEXT:
            return not self._content and not self._around
        sides = [at for at in self._here if clauses.has(at, *SIDES)]
        adjuncts = [at for at in self._content if clauses.is_adjunct(at)]
        near = any(map(clauses.is_attached, sides)) or not self._around
        return near and not adjuncts and len(self._content) <= 1

    def _matters(self, at: int) -> bool:
        clauses = self._clauses
        word = clauses.words[at]
        if word.is_document or word.roles & {"record"}:
            return False
        if self._is_asked_date(at) or self._is_before_document(at):
            return False
        if self.side and word.roles & SIDES.keys():
            return False
        if word.roles & _SAYING:
            return not clauses.is_attached(at)
        if word.roles & {"body", "document"}:
            # 'Which board', 'the policy': but 'the CIM board', 'generated text'.
            plain = clauses.has(at - 1, "what") if "body" in word.roles else True
            return (clauses.is_content(at - 1, at) and at + 1 not in clauses.named) or not plain
        if word.roles & {"filler"} and not is_content_word(word.text, self._lang):
            return False
        return not word.roles or bool(word.roles - _NO_MATTER)

    def _is_asked_date(self, at: int) -> bool:
        """'What date': the kind of answer, which the text need not name."""
        return self._clauses.has(at, "date") and self._clauses.has(at - 1, "what")

    def _is_before_document(self, at: int) -> bool:
        """'According to', 'the one on': it leads to the document and says nothing else."""
        leads = self._clauses.words[at].roles <= _LEADING
        after = at + 1
        while self._clauses.has(after, *_LEADING) and self._clauses.words[after].roles <= _LEADING:
            after += 1
        return leads and after in self._clauses.named

    def _written(self, kept: Sequence[int]) -> str:
        """The words at some places, as they were typed."""
        words = self._clauses.words
        runs: list[list[int]] = []
        for at in kept:
            if runs and runs[-1][-1] == at - 1:
                runs[-1].append(at)
            else:
                runs.append([at])
        parts = (self._text[words[run[0]].start : words[run[-1]].end] for run in runs)
        return re.sub(r"\s+", " ", " ".join(parts)).strip()
