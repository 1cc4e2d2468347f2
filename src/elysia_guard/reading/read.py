"""The way from a text to its reading, in one place.

Deterministic: the same question in the same conversation over the same vocabulary and catalogue is
read the same, on every route.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document, Filters
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError
from elysia_guard.domain.question import Question
from elysia_guard.domain.reading import Part, Reading
from elysia_guard.ports import MeaningCue, PassageIndex, TerminologySource, unheard
from elysia_guard.reading import choices
from elysia_guard.reading.catalogue import needs_documents, reread
from elysia_guard.reading.forms import read_form
from elysia_guard.reading.meanings import as_heard, heard, meant

HARDLY = 0.1
"""The chance from which a refusal proposes to ask what the term means."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reader:
    """Reads questions; holds no state of any.

    ``meaning_asked`` is the chance, 0 to 1, from which a question is one for a meaning that the
    ``cue`` hears.
    """

    cue: MeaningCue = unheard
    meaning_asked: float = 1.0

    async def read(
        self,
        question: Question,
        *,
        vocabulary: TerminologySource,
        catalogue: PassageIndex,
        conversation: Conversation,
    ) -> Reading:
        """Return what a question asks, complete: no stage parses its text again.

        Raises:
            QuestionError: it is nothing but a place in a list, and none was shown.
        """
        if picked := choices.resume(question.text, conversation.question_back):
            lang = conversation.question_back.lang if conversation.question_back else question.lang
            return Reading(whole=question.text, parts=(picked,), lang=lang)
        taken = choices.way_on(question.text, conversation)
        if taken and conversation.ways_on:
            question = replace(question, text=taken, lang=conversation.ways_on.lang)
        part = await self._part(question, vocabulary, catalogue)
        if taken:
            part = replace(part, reason=f"it picks '{taken}'; {part.reason}")
        settled = choices.settle(part, conversation)
        return Reading(whole=question.text, parts=(settled,), lang=question.lang)

    async def _part(
        self, question: Question, vocabulary: TerminologySource, catalogue: PassageIndex
    ) -> Part:
        part = read_form(question)
        if needs_documents(question, part):
            part = reread(question, part, await _documents(catalogue))
        if not question.scope.defines:
            return part
        if part.is_open:
            return await self._heard(question, part, vocabulary)
        return await meant(vocabulary, part, question.lang)

    async def _heard(self, question: Question, part: Part, vocabulary: TerminologySource) -> Part:
        """Take a question that no form decides for one of meaning, where it sounds like one."""
        found = await heard(vocabulary, self.cue, question.text, question.lang)
        if found and found.chance >= self.meaning_asked:
            return as_heard(part, found)
        return replace(part, perhaps=found.term) if found and found.chance >= HARDLY else part


async def _documents(catalogue: PassageIndex) -> Sequence[Document]:
    """The catalogue, approval records with it; empty where it cannot be asked: gathering tells."""
    try:
        return await catalogue.documents(Filters(approval=None))
    except (SourceUnavailableError, PassageIndexError):
        return ()
