"""What the choice of sentences is worth where it was not seen, and what each measure is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from elysia_guard.evaluation.logistic import Array
from elysia_guard.evaluation.sentence_examples import Example
from elysia_guard.evaluation.sentence_fit import PENALTY, SEED, fit, left_out, worth
from elysia_guard.stages.answering.measures import NAMES, NEARNESS
from elysia_guard.stages.answering.ranking import fitted

Scored = Mapping[str, Sequence[tuple[Example, Array]]]


def table(examples: Sequence[Example], *, ablation: bool = True) -> str:
    """Write sizes, what was left out by models of the others, the weights, and each one's worth."""
    found = left_out(examples)
    lines = [*_sizes(examples), "", *_worth(found), "", *_weights(examples)]
    if ablation:
        lines += ["", *_ablation(examples, found)]
    return "\n".join(lines)


def _sizes(examples: Sequence[Example]) -> Iterator[str]:
    corpora = sorted({item.corpus for item in examples})
    counts = ", ".join(f"{name} {sum(e.corpus == name for e in examples)}" for name in corpora)
    sentences = sum(len(item.rows) for item in examples)
    yield f"{len(examples)} questions ({counts}), {sentences} sentences"
    yield f"penalty {PENALTY:g}, seed {SEED}"


def _worth(found: Scored) -> Iterator[str]:
    """Each corpus by models that have not seen it, beside the coverage by words alone."""
    yield "| sentence that answers, of its document | questions | first | among four | coverage |"
    yield "| --- | --- | --- | --- | --- |"
    for name, scored in found.items():
        told, plain = worth(scored), worth([(item, item.rows[:, 0]) for item, _ in scored])
        first, among = told.shares
        yield (
            f"| {name} | {told.questions} | {first:.3f} | {among:.3f} |"
            f" {plain.shares[0]:.3f}, {plain.shares[1]:.3f} |"
        )


def _weights(examples: Sequence[Example]) -> Iterator[str]:
    models, held = fit(examples), fitted()
    yield "| measure | weight | by words alone | in force |"
    yield "| --- | --- | --- | --- |"
    rows = zip(NAMES, models.compared, models.words_alone, held.compared, strict=True)
    for name, compared, alone, now in rows:
        yield f"| {name} | {compared:+.2f} | {alone:+.2f} | {now:+.2f} |"


def _ablation(examples: Sequence[Example], found: Scored) -> Iterator[str]:
    """What is lost, in questions of a hundred, where a measure is left out of the fit."""
    yield "| without | " + " | ".join(f"{name}: first, among four" for name in found) + " |"
    yield "| --- " * (len(found) + 1) + "|"
    for names in [(name,) for name in NAMES] + [NEARNESS]:
        less = left_out(examples, frozenset(names))
        cells = [
            "{:+.1f}, {:+.1f}".format(
                *(
                    100 * (now - whole)
                    for now, whole in zip(
                        worth(less[name]).shares, worth(scored).shares, strict=True
                    )
                )
            )
            for name, scored in found.items()
        ]
        yield f"| {', '.join(names)} | {' | '.join(cells)} |"
