"""Mistyped words of a question are read as the words that the documents have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from tests.unit.small_world import COLLECTIONS, DECISION, THRESHOLDS, document

from elysia_guard.adapters.embedders.bundled import word_chances
from elysia_guard.domain.document import Passage, SectionRole
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Question
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import WordChance, WordChances
from elysia_guard.reading.spelling_correction import Mended, SpellingCorrector, meant_by
from elysia_guard.running import run_anywhere as run
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder
from elysia_guard.testing.terminology import FakeTerminology

PASSAGES = document(
    DECISION,
    7,
    "Data classification",
    (
        SectionRole.SUBSTANCE,
        "The owner describes every dataset. A description of its encryption is kept by the owner.",
    ),
)


def mended(
    text: str,
    lang: str = "en",
    chances: WordChances = word_chances,
    passages: Sequence[Passage] = PASSAGES,
) -> Mended:
    """Mend a question over some passages."""
    index = run(FakeIndex.build(passages, HashEmbedder()))
    question = Question(text=text, lang=lang, request_id="t")
    return run(
        SpellingCorrector(chances=chances).mended(question, known=lambda _: False, index=index)
    )


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Which decription is kept?", "Which description is kept?"),
        ("who is the onwer of the encrpytion", "who is the owner of the encryption"),
        ("Decription of the dataset", "Description of the dataset"),
        ("waht does the owner do", "what does the owner do"),
    ],
)
def test_mistyped_words_are_read_as_the_documents_have_them(typed: str, meant: str) -> None:
    """What hardly is a word, and looks like one of the documents, is that one."""
    assert mended(typed).text == meant


@pytest.mark.parametrize(
    "typed",
    [
        "What is the salary of the owner?",
        "Which owners describe datasets?",
        "Does ONWER decide?",
        "What did Onwer say?",
        "Where is data_onwer or onwer.csv or onwer-id?",
        "Which onwer2 is it?",
        "Is there a penguin, a kitchen or a mortgage?",
    ],
)
def test_what_may_be_a_word_or_a_name_stays(typed: str) -> None:
    """Words of a language, inflected ones, names, numbers and identifiers stay as they are."""
    assert mended(typed) == Mended(text=typed, lang="en")


def test_a_german_noun_is_mended_though_it_has_a_capital() -> None:
    """A capital tells a name only where not every noun has one; marks are kept where known."""
    passages = document(DECISION, 8, "Schutz", (SectionRole.SUBSTANCE, "Die Verschl\u00fcsselung."))
    found = mended("Wer will die Vreschl\u00fcsselung?", lang="de", passages=passages)
    assert found.words == (("Vreschl\u00fcsselung", "Verschl\u00fcsselung"),)
    assert mended("Who wants Vreschl\u00fcsselung?", passages=passages).words == ()


def test_what_the_vocabulary_knows_stays() -> None:
    """A word of a label or a title is meant as it is."""
    index = run(FakeIndex.build(PASSAGES, HashEmbedder()))
    question = Question(text="what is decription", lang="en", request_id="t")
    known = SpellingCorrector(chances=word_chances).mended(
        question, known=lambda _: True, index=index
    )
    assert run(known).words == ()


def test_without_chances_or_index_nothing_is_mended() -> None:
    """Nobody guesses: where the model or the index cannot be asked, the text stays."""

    async def down(_words: Sequence[str]) -> Mapping[str, WordChance]:
        raise SourceUnavailableError("no model", source="embeddings")

    assert mended("Which decription?", chances=down).words == ()
    index = run(FakeIndex.build(PASSAGES, HashEmbedder()))
    index.down = True
    question = Question(text="Which decription?", lang="en", request_id="t")
    mender = SpellingCorrector(chances=word_chances)
    assert run(mender.mended(question, known=lambda _: False, index=index)).words == ()
    assert mended("Which decription?", chances=SpellingCorrector().chances).words == ()


def test_the_likelier_word_is_meant() -> None:
    """Of words as near, the one that is more common here and elsewhere."""
    chances = {
        "formt": WordChance(-30.0, whole=False),
        "format": WordChance(-9.0, whole=True),
        "forest": WordChance(-10.0, whole=True),
        "forms": WordChance(-9.0, whole=True),
    }
    assert meant_by("formt", {"format": 5, "forest": 1, "forms": 9}, chances) == "format"
    assert meant_by("formt", {}, chances) == meant_by("absent", {"format": 1}, chances) == ""


def pipeline() -> Pipeline:
    """A pipeline over the passages, with the bundled model's words."""
    return Pipeline(
        terminology=FakeTerminology(),
        index=run(FakeIndex.build(PASSAGES, HashEmbedder())),
        embedder=HashEmbedder(),
        thresholds=THRESHOLDS,
        collections=COLLECTIONS,
        vocabulary_collection="Vocabulary_Ollama",
        chances=word_chances,
    )


def asked(text: str) -> Inquiry:
    """Begin with a question."""
    return run(pipeline().begin(text, request_id="t", route="direct"))


def test_a_mistyped_question_is_answered_as_its_twin() -> None:
    """Search, gates and the sentences shown follow the words that are meant; the trace says so."""
    replies = []
    for text in ("Who keeps the description?", "Who keeps the decription?"):
        inquiry = asked(text)
        reply = run(pipeline().answer(inquiry))
        replies.append((reply.answer, reply.refusal_reason))
    assert replies[0] == replies[1]
    told = [step.note for step in inquiry.trace if step.stage == "spelling"]
    assert told == ["'decription' is read as 'description'"]
    assert inquiry.question.asked == "Who keeps the decription?"
    assert not [step for step in asked("Who keeps it?").trace if step.stage == "spelling"]
