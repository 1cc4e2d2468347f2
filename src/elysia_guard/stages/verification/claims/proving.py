"""The order in which a sentence is looked at: what it names, what is wrong, what is covered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from elysia_guard.domain.claim import Claim, Fault, Finding, Proof, Proved, Told
from elysia_guard.domain.question import Lang
from elysia_guard.ports import WordChances, WordLikeness, by_form_alone, no_chances
from elysia_guard.stages.verification.claims import faults, weighing
from elysia_guard.stages.verification.claims.evidence import Evidence, evidence_of
from elysia_guard.stages.verification.claims.measures import Held
from elysia_guard.stages.verification.claims.said import Said, read
from elysia_guard.stages.verification.claims.spoken import spoken
from elysia_guard.stages.verification.claims.traced import traces
from elysia_guard.stages.verification.claims.turned import turned
from elysia_guard.stages.verification.claims.whole import completed, informed

LONGEST, SHOWN = 1_000, 100
"""Characters: what is longer is no sentence, and of it so many are named."""
MOST_WAYS = 8
"""So many ways in which texts may say a sentence are looked at."""


async def prove(
    claim: Claim,
    told: Sequence[Told],
    *,
    question: str,
    lang: Lang,
    alike: WordLikeness = by_form_alone,
    chances: WordChances = no_chances,
) -> Proved:
    """Say whether the sources that a sentence names show it.

    Args:
        claim: the sentence, and the words that it rests on.
        told: the sources as the model was given them.
        question: what was asked; what comes from it alone is shown by nothing.
        lang: the language of the question; that of the sentence is told by its own words.
        alike: which words mean alike; without it, by their form and the glossary.
        chances: how common words are; without it all count the same.

    Raises:
        SourceUnavailableError: ``alike`` or ``chances`` could not be asked.
    """
    evidence, wrong = evidence_of(claim, told)
    if not wrong and (len(claim.text) > LONGEST or not any(map(str.isalnum, claim.text))):
        wrong = [Finding(fault=Fault.UNSUPPORTED, about=claim.text[:SHOWN])]
    if wrong:
        return Proved(claim=claim, proof=Proof.FAILS, findings=tuple(wrong))
    parts = list(zip(evidence.numbers, evidence.units, strict=True))
    if held := _completed(claim, parts, evidence, told):
        return Proved(claim=held, proof=Proof.HOLDS)
    claim, judged = informed(claim, parts, told), None
    for own in _langs(claim.text, lang, evidence):
        found = await _judged(claim, evidence, question, own, alike, chances)
        if found.proof is Proof.OPEN:
            return found
        judged = judged or found
    # Where a sentence may be in several languages, it fails only if it fails in each.
    return judged or Proved(claim=claim, proof=Proof.OPEN)


def _completed(
    claim: Claim, parts: Sequence[tuple[int, str]], evidence: Evidence, told: Sequence[Told]
) -> Claim | None:
    """Return a sentence that its sources say, with what they say it with; else None."""
    ways = islice(traces(claim.text, evidence), MOST_WAYS)
    said = (completed(claim, [parts[n] for n in way], told, longest=LONGEST) for way in ways)
    return next(filter(None, said), None)


def _langs(text: str, lang: Lang, evidence: Evidence) -> Sequence[Lang]:
    """The languages that a sentence may be in; those of the question and the sources first."""
    found = spoken(text, lang)
    return [each for each in found if each in {lang, *evidence.langs}] or found


async def _judged(
    claim: Claim,
    evidence: Evidence,
    question: str,
    lang: Lang,
    alike: WordLikeness,
    chances: WordChances,
) -> Proved:
    """What is wrong with a sentence that is read in one language; it is open where nothing is."""
    held = await _held(read(claim.text, lang), evidence, alike, chances)
    found = [*_faults(held, evidence, read(question, lang)), *turned(held)]
    cases = [each for each in found if _is_case(each, held)]
    if surely := [each for each in found if each not in cases]:
        return Proved(claim=claim, proof=Proof.FAILS, findings=tuple(dict.fromkeys(surely)))
    proof = Proof.OPEN if cases else weighing.weighed(held)
    about = ", ".join([*(each.about for each in cases), *held.uncovered])
    return Proved(
        claim=claim, proof=proof, findings=(Finding(fault=Fault.UNSUPPORTED, about=about),)
    )


def _is_case(finding: Finding, held: Held) -> bool:
    """Whether a number that no source has may be a case of a rule that a source has."""
    return finding.fault is Fault.NUMBER and faults.applied(held.said, held.sources, finding.about)


async def _held(said: Said, evidence: Evidence, alike: WordLikeness, chances: WordChances) -> Held:
    sources = tuple(
        read(unit, own) for unit, own in zip(evidence.units, evidence.langs, strict=True)
    )
    around = read(evidence.around, sources[0].lang)
    every = (said, around, *sources)
    words = list(dict.fromkeys(word.text for word in said.content))
    others = list(dict.fromkeys(word.text for each in every[1:] for word in each.content))
    return Held(said, sources, around, await alike(words, others), await chances(words))


def _faults(held: Held, evidence: Evidence, asked: Said) -> list[Finding]:
    """What is surely wrong: figures, dates, identifiers, names and quotations."""
    sources = (*held.sources, held.around)
    return [
        *faults.wrong_numbers(held.said, sources),
        *faults.wrong_dates(held.said, sources),
        *faults.wrong_identifiers(held.said, sources, evidence.identifiers),
        *faults.wrong_quotations(held.said, sources),
        *faults.wrong_names(held.said, sources, asked, held.every),
    ]
