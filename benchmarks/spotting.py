"""What it costs to spot the terms, titles and numbers of a large vocabulary and catalogue.

Labels and titles are generated, from a seed, as in ``vocabulary.py``; each question mentions one of
them, in one of the forms that people use. A form that is missed shows in the last column.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import resource
import sys
import time
from collections.abc import Sequence

from vocabulary import CODAS, ONSETS, VOWELS, label, marks, misspelt

from elysia_guard.domain.concept import Label, Text
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.reading.mentions import TermSpan
from elysia_guard.reading.spans import Span, Spotter

KINDS = (DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY)
PROCESS = "I was told yesterday that {} matters, so what does it say about us and the others?"
LIMIT_MS = 1.0
"""A question, at the median of each form."""
LIMIT_S = 2.0
"""Making the spotter."""


def vocabulary(count: int, rng: random.Random) -> list[Label]:
    """Make labels of one to three words, half of them Dutch, each of its own concept."""
    words = sorted({
        "".join(rng.choice(part) for part in (ONSETS, VOWELS, CODAS, VOWELS, CODAS))
        for _ in range(count // 4)
    })  # fmt: skip
    made: dict[str, str] = {}
    while len(made) < count:
        lang = ("en", "nl")[len(made) % 2]
        made.setdefault(label(rng, words, lang), lang)
    return [
        Label(uri=f"https://vocab.example/large/{n}", text=Text(value=value, lang=lang))
        for n, (value, lang) in enumerate(made.items())
    ]


def catalogue(count: int, labels: Sequence[Label], rng: random.Random) -> list[Document]:
    """Make documents, each titled by two labels."""
    documents = []
    for n in range(count):
        about = rng.sample(labels, 2)
        title = f"Use {about[0].text.value} for {about[1].text.value}"
        kind = KINDS[n % 3]
        path = f"{kind}/{n:04d}-{title.lower().replace(' ', '-')}.md"
        documents.append(
            Document(id=f"{n}", kind=kind, title=title, path=path, sha256="", number=n)
        )
    return documents


def hits(spans: Sequence[Span], meant: Label | Document) -> bool:
    """Tell whether a label or a document is among what some spans may mean."""
    if isinstance(meant, Label):
        found = {each.uri for s in spans for each in s.candidates if isinstance(each, TermSpan)}
        return meant.uri in found
    references = [each for s in spans for each in s.candidates if not isinstance(each, TermSpan)]
    return any((each.kind, each.number) == (meant.kind, meant.number) for each in references)


def measure(labels: int, documents: int, rounds: int, rng: random.Random) -> dict:
    """Make a spotter, and ask it of each form."""
    terms = vocabulary(labels, rng)
    files = catalogue(documents, terms, rng)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    spotter = Spotter.of(terms, files)
    made_s = time.perf_counter() - started
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    chosen = rng.choices(terms, k=rounds)
    named = rng.choices(files, k=rounds)
    forms = {
        "label": [(term.text.value, term) for term in chosen],
        "plural": [(f"{term.text.value}s", term) for term in chosen],
        "written together": [(term.text.value.replace(" ", ""), term) for term in chosen],
        "mistyped": [(misspelt(term.text.value, rng)[:-1], term) for term in chosen],
        "title": [(item.title, item) for item in named],
        "kind and number": [(f"{item.kind} {item.number}", item) for item in named],
        "kind and words": [
            (f"the {item.kind} on {item.title.partition(' ')[2]}", item) for item in named
        ],
        "nothing known": [("the weather of tomorrow", None) for _ in named],
    }
    spotter.spot(PROCESS, "en")
    return {
        "made_s": round(made_s, 2),
        "memory_mb": round(memory, 1),
        "forms": {name: asked(spotter, cases) for name, cases in forms.items()},
    }


def asked(spotter: Spotter, cases: Sequence[tuple[str, Label | Document | None]]) -> dict:
    """Time one question a case, in milliseconds, and count what is found."""
    taken, right = [], 0
    for mention, meant in cases:
        text = PROCESS.format(mention)
        started = time.perf_counter()
        spans = spotter.spot(text, "en")
        taken.append(time.perf_counter() - started)
        right += not spans if meant is None else hits(spans, meant)
    return {**marks(taken, 1e3), "right": right / len(cases)}


def show(result: dict) -> None:
    """Print for a person."""
    print(
        f"{result['labels']} labels, {result['documents']} documents, seed {result['seed']}, "
        f"{result['rounds']} questions of each form, Python {result['python']}"
    )
    print(
        f"made in {result['made_s']} s (limit {LIMIT_S} s), memory {result['memory_mb']} MB; "
        f"limit of a question {LIMIT_MS} ms at p50"
    )
    print(f"\n{'one question (ms)':20}{'p50':>10}{'p95':>10}{'p99':>10}{'max':>10}{'right':>9}")
    for name, taken in result["forms"].items():
        row = "".join(f"{taken[mark]:10.2f}" for mark in ("p50", "p95", "p99", "max"))
        print(f"{name:20}{row}{taken['right']:9.0%}")


def beyond(result: dict) -> list[str]:
    """Name what is beyond its limit."""
    slow = [name for name, taken in result["forms"].items() if taken["p50"] > LIMIT_MS]
    return slow + (["making it"] if result["made_s"] > LIMIT_S else [])


def main() -> None:
    """Run and print; end with 1 where something is beyond its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=int, default=20_000, help="how many (20000)")
    parser.add_argument("--documents", type=int, default=1_000, help="how many (1000)")
    parser.add_argument("--rounds", type=int, default=500, help="questions of each form (500)")
    parser.add_argument("--seed", type=int, default=7, help="of the generator (7)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    result = {
        "labels": given.labels,
        "documents": given.documents,
        "rounds": given.rounds,
        "seed": given.seed,
        "python": platform.python_version(),
        **measure(given.labels, given.documents, given.rounds, random.Random(given.seed)),
    }
    if given.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)
    if slow := beyond(result):
        sys.exit(f"beyond its limit: {', '.join(slow)}")


if __name__ == "__main__":
    main()
