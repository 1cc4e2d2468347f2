"""What a question asks of a document beside the document, in the question's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from elysia_guard.domain.question import Aspect
from elysia_guard.language.stems import is_content_word
from elysia_guard.reading.asked_about import SIDES, Asking
from elysia_guard.reading.asked_words import NUMBERED

_NO_MATTER = frozenset(
    "said what thing told when who somebody aux does modal speaker by why".split()
)
_SAYING = frozenset({"mention", "tell", "show", "compare"})
MOST_WISHED = 2
"""Words of content in a wish to be told that names a person: 'herinner me eraan wat ...'."""
_LEADING = frozenset({"said", "within", "under", "of", "purpose", "agent", "with", "anaphor"})


def matter_of(asking: Asking, aspect: Aspect = Aspect.SUBSTANCE) -> str:
    """Return the matter, in the words of the sentences that ask; empty where the whole is asked.

    ``aspect`` is the side of the document that is asked for, whose noun is no matter, or its
    approval, of which one version may be the matter.
    """
    side = aspect if aspect in SIDES.values() else None
    doing = bare_doing(asking)
    versioned = aspect is Aspect.APPROVAL and asking.names_version
    if not versioned and _is_whole(asking, side):
        return ""
    if doing and doing.issuperset(at for at in asking.all if asking.words[at].is_content):
        return ""
    kept = [at for at in _in_question(asking) if _matters(asking, at, side)]
    return _written(asking, [at for at in kept if at not in doing])


def matter_beside(asking: Asking, side: Aspect) -> str:
    """Return what else a question for a side of documents says that asks, in its own words."""
    kept = [at for at in _in_question(asking) if _matters(asking, at, side)]
    return _written(asking, kept)


def does_unknown(asking: Asking) -> bool:
    """Tell whether what a document does by itself is no word for saying: 'what ADR-27 achieves'."""
    words = asking.words
    return any(words[at].is_content and words[at - 1].is_document for at in bare_doing(asking))


def bare_doing(asking: Asking) -> frozenset[int]:
    """Return the places of what a document does by itself, and of the wish to be told it.

    'Remind me what ADR-27 settles' asks for the whole; what it settles about salaries is a matter.
    """
    for it in asking.named:
        verb, what = it + 1, _what_before(asking, it)
        does = asking.is_content(verb, it) or asking.has(verb, *_SAYING)
        if what is None or not does or not _ends_with(asking, verb):
            continue
        sentence = asking.words[it].sentence
        wish = [at for at in range(what) if asking.words[at].sentence == sentence]
        said = sum(asking.words[at].is_content for at in wish)
        if not said or (said <= MOST_WISHED and asking.any(wish, "speaker", "told")):
            return frozenset((*wish, verb))
    return frozenset()


def _what_before(asking: Asking, it: int) -> int | None:
    """The place of the 'what' of a clause of which a document is the subject, if it has one."""
    clause, at = asking.clauses[asking.words[it].clause], it - 1
    while at in clause and (asking.has(at, "aux", "modal", "document") or _is_light(asking, at)):
        at -= 1
    return at if at in clause and asking.has(at, "thing") else None


def _ends_with(asking: Asking, at: int) -> bool:
    """Tell whether nothing but fillers follows a word in its clause."""
    clause = asking.clauses[asking.words[at].clause]
    return all(_is_light(asking, each) for each in clause if each > at)


def _is_light(asking: Asking, at: int) -> bool:
    """Tell whether a word says nothing of its own: an article, a filler."""
    return asking.words[at].roles <= {"filler", "anaphor"}


def _is_whole(asking: Asking, side: Aspect | None) -> bool:
    """Tell whether there is nothing of a matter, or only what it is asked for, or with."""
    here = asking.here
    if side and not asking.around and len(asking.content) <= (side is not Aspect.CONTEXT):
        return True  # 'the negative consequences'
    if not any(word.is_content for word in asking.words):
        # 'Who must approve it' asks what is to be, 'what does it say about its status' of that.
        about = any(asking.has(at, "of") and at + 1 in asking.telling for at in here)
        whole = asking.any(here, "show", "tell", "compare") and not about
        return not asking.telling or whole or side is not None
    told = [at for at in here if asking.has(at, "show", "tell", "compare")]
    if not any(map(asking.is_attached, told)):
        return False
    shown = asking.any(told, "show")
    content = [at for at in here if asking.words[at].is_content]
    # 'Summarise it for the auditors', but neither 'what it says on hydrogen' nor 'relate it to it'.
    beside = ("purpose", "within", "under", "with")
    return not [at for at in content if not (shown and asking.is_adjunct(at, *beside))]


def _in_question(asking: Asking) -> list[int]:
    """The places in the sentences that ask; all where none does, or where each may."""
    sentences: dict[int, list[int]] = {}
    for at, word in enumerate(asking.words):
        sentences.setdefault(word.sentence, []).append(at)
    asked = [each for each in sentences.values() if _asks(asking, each)]
    return sorted(at for each in asked or sentences.values() for at in each)


def _asks(asking: Asking, sentence: Sequence[int]) -> bool:
    """Tell whether a sentence asks, by its mark or by how it begins."""
    words, last = asking.words, sentence[-1]
    end = words[last + 1].start if last + 1 < len(words) else len(asking.text)
    begins = asking.begins(sentence, "show", "compare", "who", "when", "what", "why")
    return begins or "?" in asking.text[words[last].end : end]


def _matters(asking: Asking, at: int, side: Aspect | None) -> bool:
    word = asking.words[at]
    roles = word.roles
    if word.is_document or "record" in roles or (side and roles & SIDES.keys()):
        return False
    dated = "date" in roles and asking.has(at - 1, "what")  # 'what date' is how it is answered
    if dated or _leads_to_document(asking, at):
        return False
    if roles & _SAYING:
        return not asking.is_attached(at)
    if NUMBERED in roles:
        return asking.names_version
    if "document" in roles and at + 1 in asking.named:
        return False  # 'the retention policy ADR-16'
    if "filler" in roles and not is_content_word(word.text, asking.lang):
        return False
    return not roles or bool(roles - _NO_MATTER)


def _leads_to_document(asking: Asking, at: int) -> bool:
    """'According to', 'the one on': it leads to the document and says nothing else."""
    after = at
    while after in asking.all and asking.words[after].roles <= _LEADING:
        after += 1
    return after > at and after in asking.named


def _written(asking: Asking, kept: Sequence[int]) -> str:
    """The words at some places, as they were typed."""
    words = asking.words
    runs: list[list[int]] = []
    for at in kept:
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    parts = (asking.text[words[run[0]].start : words[run[-1]].end] for run in runs)
    return re.sub(r"\s+", " ", " ".join(parts)).strip()
