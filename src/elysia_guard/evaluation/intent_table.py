"""What forms make of questions, the small model of sets it has not seen, and it behind forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from elysia_guard.domain.question import Question
from elysia_guard.domain.reading import ReadKind
from elysia_guard.evaluation import softmax
from elysia_guard.evaluation.intent_fit import Fitted, Judged
from elysia_guard.evaluation.readings_run import kind_of
from elysia_guard.reading.by_mention import by_mention
from elysia_guard.reading.by_template import by_template
from elysia_guard.reading.catalogue import by_title
from elysia_guard.reading.forms import read_form
from elysia_guard.reading.masks import KINDS

LIMITS: Final = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class Counted(NamedTuple):
    """How many questions are read right, and how many wrong as anything but a search."""

    right: int
    wrong: int


def by_form(item: Judged) -> ReadKind:
    """Return what the form and the spans of a question say that it asks; else a search."""
    text, lang, spans = item.example.question, item.example.lang, item.example.spans
    question = Question(text=text, lang=lang, request_id="form")
    part = by_mention(question, spans) or read_form(question)
    part = (by_template(question, spans) if part.is_open else None) or part
    return kind_of(by_title(question, part, spans).asks)


def by_both(item: Judged, form: ReadKind, limit: float) -> ReadKind:
    """Return what the form says, and where that is a search, what the model does above a limit."""
    if form is not ReadKind.SEARCH:
        return form
    return item.best if item.chance >= limit else ReadKind.SEARCH


def table(fitted: Fitted) -> str:
    """Write the figures of each corpus, by models that were fitted on the others."""
    lines = [f"{fitted.examples} examples, log-odds divided by {fitted.temperature:.2f}"]
    for name in dict.fromkeys(item.without for item in fitted.judged):
        judged = [item for item in fitted.judged if item.without == name]
        lines += ["", f"{name}, by a model of the others: {len(judged)} questions"]
        lines += _figures(judged)
    return "\n".join(lines)


def _figures(judged: Sequence[Judged]) -> list[str]:
    forms = [by_form(item) for item in judged]
    error = softmax.calibration_error(
        np.array([item.chances for item in judged]),
        np.array([KINDS.index(item.example.kind) for item in judged]),
    )
    lines = [
        f"  {name:28} right {found.right:4}  wrong and no search {found.wrong:4}"
        for name, found in _ways(judged, forms)
    ]
    return [*lines, f"  calibration error of the model {error:.3f}", *_confusion(judged)]


def _ways(judged: Sequence[Judged], forms: Sequence[ReadKind]) -> Iterable[tuple[str, Counted]]:
    yield "forms", _counted(judged, forms)
    yield "model", _counted(judged, [item.best for item in judged])
    for limit in LIMITS:
        both = [by_both(item, form, limit) for item, form in zip(judged, forms, strict=True)]
        yield f"forms, then model from {limit:.1f}", _counted(judged, both)


def _counted(judged: Sequence[Judged], read_as: Iterable[ReadKind]) -> Counted:
    pairs = [(item.example.kind, kind) for item, kind in zip(judged, read_as, strict=True)]
    return Counted(
        right=sum(labelled is kind for labelled, kind in pairs),
        wrong=sum(labelled is not kind and kind is not ReadKind.SEARCH for labelled, kind in pairs),
    )


def _confusion(judged: Iterable[Judged]) -> list[str]:
    counts = Counter((item.example.kind, item.best) for item in judged)
    head = "  labelled \\ by the model " + "".join(f"{kind[:8]:>9}" for kind in KINDS)
    rows = (
        f"  {labelled:23}" + "".join(f"{counts[labelled, kind] or '.':>9}" for kind in KINDS)
        for labelled in KINDS
        if any(counts[labelled, kind] for kind in KINDS)
    )
    return [head, *rows]
