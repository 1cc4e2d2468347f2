"""What recorded answers come to, as tables: what is shown, why not, and what quotes alone say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

from elysia_guard.domain.claim import Manuscript, Proof, Proved
from elysia_guard.evaluation.markdown import grid
from elysia_guard.evaluation.recorded import Language, Recorded, Replayed, in_language
from elysia_guard.evaluation.recorded_run import Answered, Group, Way

Runs = Mapping[Way, Sequence[Answered]]
MOST_REASONS = 10


def markdown(
    answers: Sequence[Recorded],
    played: Mapping[Language, Mapping[str, Replayed]],
    runs: Runs,
    langs: Sequence[str],
) -> str:
    """Write what was recorded and played, what was shown of it, and why the rest was not."""
    lines = [
        *(line for language in played for line in _recorded(answers, language, played[language])),
        *_shown(answers, runs, langs),
        *_facts(runs),
        *_told(runs),
        *_certainty(runs),
        *_reasons(runs[Way.CODE]),
    ]
    return "\n".join(lines).rstrip()


def proofread(answered: Answered) -> list[Proved]:
    """Return the sentences that were written for a question, as code found them."""
    return [
        item
        for manuscript in answered.manuscripts
        for item in (*manuscript.shown, *manuscript.withheld)
    ]


def share_shown(runs: Sequence[Answered]) -> float:
    """Return the share, 0 to 1, of the sentences that a reader may be shown; of none it is 0."""
    manuscripts = [each for answered in runs for each in answered.manuscripts]
    total = sum(map(_length, manuscripts))
    return sum(len(each.shown) for each in manuscripts) / total if total else 0.0


def share_written(runs: Sequence[Answered]) -> float:
    """Return the share of the questions that a model answers which are shown in its words."""
    willing = [each for each in runs if any(m.answers for m in each.manuscripts)]
    return sum(each.written for each in willing) / len(willing) if willing else 0.0


def _length(manuscript: Manuscript) -> int:
    return len(manuscript.shown) + len(manuscript.withheld)


def _recorded(
    every: Sequence[Recorded], language: Language, played: Mapping[str, Replayed]
) -> Iterator[str]:
    answers = in_language(every, language)
    made = sum(len(each.made) for each in played.values())
    missing = sum(len(each.not_told) for each in played.values())
    no = sum(not each.can_answer for each in answers)
    count = sum(len(each.sentences) for each in answers)
    yield (
        f"In the language of the {language}: {len(answers)} recorded answers, {count} "
        f"sentences; {no} say that the sources do not answer. {len(played)} were asked for, "
        f"{made} sentences played, {missing} not told: no source that they name is among those "
        "that a writer is told now."
    )
    yield ""


def _shown(answers: Sequence[Recorded], runs: Runs, langs: Sequence[str]) -> Iterator[str]:
    lang_of = {each.id: each.lang for each in answers}
    groups: dict[str, Callable[[Answered], bool]] = {"all": lambda _: True}
    groups |= {lang: _of_lang(lang_of, lang) for lang in langs}
    groups |= {group.value: _of_group(group) for group in Group}
    rows = [
        row
        for name, chosen in groups.items()
        if (row := _shown_row(name, {way: list(filter(chosen, runs[way])) for way in runs}))
    ]
    head = ("questions", "count", "sentences", "shown by code", "with a second opinion")
    yield from grid((*head, "written by code", "written with it"), rows)


def _of_lang(lang_of: Mapping[str, str], lang: str) -> Callable[[Answered], bool]:
    return lambda each: lang_of[each.case.id] == lang


def _of_group(group: Group) -> Callable[[Answered], bool]:
    return lambda each: each.group is group


def _shown_row(name: str, runs: Runs) -> tuple[object, ...] | None:
    code, opinion = runs[Way.CODE], runs[Way.OPINION]
    if not code:
        return None
    count = sum(len(proofread(each)) for each in code)
    shares = (share_shown(code), share_shown(opinion), share_written(code), share_written(opinion))
    return (name, len(code), count, *(f"{each:.3f}" for each in shares))


def _facts(runs: Runs) -> Iterator[str]:
    """Facts of the golden set: the expected documents, and the sentence where one is named."""
    yield (
        "The share of the expected documents that an answer cites, how often all of them, and how "
        "often it holds, or rests on, a sentence that the golden set names for the answer:"
    )
    yield ""
    rows = []
    for group in Group:
        found = [[each for each in runs[way] if each.group is group] for way in Way]
        if found[0]:
            shares = (f"{fmean(each.share for each in of):.3f}" for of in found)
            every = (str(sum(each.share == 1.0 for each in of)) for of in found)
            rows.append((group, len(found[0]), *shares, *every, *map(_stated, found)))
    ways = ("quotes", "code", "opinion")
    heads = (f"{told}{way}" for told in ("", "all: ", "sentence: ") for way in ways)
    yield from grid(("questions", "count", *heads), rows)


def _told(runs: Runs) -> Iterator[str]:
    """Facts of each right document, where they are known: how many an answer states."""
    rows = []
    for group in Group:
        every = {
            way: [each for each in runs[way] if each.group is group and each.facts] for way in Way
        }
        quoted, opinion = every[Way.INSTANT], every[Way.OPINION]
        if not quoted:
            continue
        total = sum(len(each.facts) for each in quoted)
        stated = (sum(each.told for each in every[way]) for way in Way)
        pairs = [(mine.told, other.told) for mine, other in zip(opinion, quoted, strict=True)]
        more, fewer = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
        rows.append((group, len(quoted), total, *stated, more, fewer))
    if rows:
        yield (
            "The sentences that answer, one or more of each right document, and how many of them "
            "an answer states from that document; in how many questions, with a second opinion, "
            "more of them than by quotes, and fewer:"
        )
        yield ""
        heads = ("questions", "count", "sentences", "quotes", "code", "opinion", "more", "fewer")
        yield from grid(heads, rows)


def _stated(found: Sequence[Answered]) -> str:
    told = [each.stated for each in found if each.stated is not None]
    return f"{sum(told)} of {len(told)}"


def _certainty(runs: Runs) -> Iterator[str]:
    head = ("way", "asserted", "of them right", "precision", "the sentence that answers")
    rows = []
    for way, found in runs.items():
        asserted = [each for each in found if each.asserted]
        right = sum(bool(each.cited) for each in asserted)
        precision = f"{right / len(asserted):.3f}" if asserted else "none"
        rows.append((way, len(asserted), right, precision, _stated(found)))
    yield from grid(head, rows)


def _reasons(found: Sequence[Answered]) -> Iterator[str]:
    """Why code alone withheld sentences, in the language of their source and in another."""
    withheld = [
        (item, _crosses(item, manuscript, answered.response.lang))
        for answered in found
        for manuscript in answered.manuscripts
        for item in (*manuscript.shown, *manuscript.withheld)
        if item.proof is not Proof.HOLDS
    ]
    reasons = Counter(reason for item, _ in withheld for reason in _named(item))
    across = Counter(reason for item, crosses in withheld if crosses for reason in _named(item))
    yield f"Why code alone withheld {len(withheld)} sentences:"
    yield ""
    common = reasons.most_common(MOST_REASONS)
    rows = ((name, count - across[name], across[name]) for name, count in common)
    yield from grid(("reason", "in one language", "across languages"), rows)


def _named(item: Proved) -> set[str]:
    """Name what is wrong with a sentence; of an open one, whether its words or its turns are."""
    if item.proof is Proof.FAILS:
        return {f"fails: {finding.fault}" for finding in item.findings}
    words = any(finding.about for finding in item.findings)
    return {"open: words that no source has" if words else "open: perhaps turned"}


def _crosses(item: Proved, manuscript: Manuscript, lang: str) -> bool:
    told = manuscript.passages
    named = (each.source for each in item.claim.supports if 1 <= each.source <= len(told))
    return any((told[n - 1].document.lang or lang) != lang for n in named)
