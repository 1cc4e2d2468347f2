"""What the rankings of a search count: by kind of document, and by the field a word stands in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.contract.index_contract import sample_passages
from tests.unit.test_sqlite_index import build

from elysia_guard.adapters.hybrid import RANK_CONSTANT, Legs, Shares, factor, ranked
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.config import load, load_thresholds
from elysia_guard.domain.document import Document, DocumentKind, Filters, Hit
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.search_weights import SearchWeights
from elysia_guard.wiring.sources import weights_of

ROOT = Path(__file__).parents[2]
DECISION, PRINCIPLE = DocumentKind.DECISION, DocumentKind.PRINCIPLE
BY_WORDS, BY_MEANING = SearchWeights(alpha=0.0), SearchWeights(alpha=1.0)


def document(kind: DocumentKind) -> Document:
    return next(item.document for item in sample_passages() if item.document.kind is kind)


KINDS = {1: DECISION, 2: DECISION, 3: PRINCIPLE, 4: PRINCIPLE}


def legs(*, shares: Mapping[int, Shares] | None = None, second: tuple[int, ...] = ()) -> Legs[int]:
    """Words find 1 before 3, and meaning 2 and 4 before them."""
    meaning = [(2, 4, 1, 3), *([second] if second else []), (2, 4, 1, 3)]
    return Legs(
        words={1: 4.0, 3: 3.0},
        meaning=meaning,
        documents={key: document(kind) for key, kind in KINDS.items()},
        shares=shares or {},
    )


def order(weights: Mapping[DocumentKind, SearchWeights], found: Legs[int] | None = None) -> list:
    return [key for key, _ in ranked(found or legs(), weights, 10)]


def test_words_alone_and_meaning_alone() -> None:
    alone = {DECISION: BY_WORDS, PRINCIPLE: BY_WORDS}
    assert order(alone)[:2] == [1, 3]
    assert order(dict.fromkeys(alone, BY_MEANING)) == [2, 4, 1, 3]


def test_a_word_in_the_title_counts_what_the_title_does() -> None:
    shares: dict[int, Shares] = {1: ((("body",), 1.0),), 3: ((("title", "body"), 1.0),)}
    found = replace(legs(shares=shares), meaning=[])
    assert order({}, found) == [1, 3]
    titles = SearchWeights(title=2.0)
    assert order({DECISION: titles, PRINCIPLE: titles}, found) == [3, 1]
    assert order({DECISION: titles}, found) == [1, 3]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (SearchWeights(), 1.0),
        (SearchWeights(title=3.0), 0.25 * 3 + 0.75),
        (SearchWeights(title=0.0), 1.0),  # the words in the title stand in the body too
        (SearchWeights(section=0.0), 0.25 + 0.5),
    ],
)
def test_a_word_counts_as_the_heaviest_field_that_holds_it(
    weights: SearchWeights, expected: float
) -> None:
    shares: Shares = ((("title", "body"), 0.25), (("body",), 0.5), (("section",), 0.25))
    assert factor(shares, weights) == pytest.approx(expected)


def searched(path: Path, weights: SearchWeights) -> list[Hit]:
    kinds = dict.fromkeys(STANDING_KINDS, weights)
    vector = [0.0] * 64
    vector[5] = 1.0
    with closing(SqliteIndex.open(path, weights=kinds)) as index:
        return list(asyncio.run(index.search("CIM", vector, filters=Filters(approval=None))))


def test_an_index_ranks_by_the_weights_it_is_given(tmp_path: Path) -> None:
    """The scores, and with them the order, are those of its own rankings fused by these weights."""
    path = build(tmp_path / "index.sqlite", sample_passages())
    found = {
        name: [(hit.passage.document.id, hit.score) for hit in searched(path, weights)]
        for name, weights in {
            "as ever": SearchWeights(),
            "words": BY_WORDS,
            "meaning": BY_MEANING,
            "titles": SearchWeights(title=4.0, section=0.0),
        }.items()
    }
    by_words = [score for _, score in found["words"] if score]
    assert by_words == [4.0 / (RANK_CONSTANT + n) for n in range(1, len(by_words) + 1)]
    assert found["meaning"][0][1] == 4.0 / (RANK_CONSTANT + 1)
    assert len({tuple(each) for each in found.values()}) >= 3


def test_what_a_gate_measures_is_the_same_by_any_weights(tmp_path: Path) -> None:
    path = build(tmp_path / "index.sqlite", sample_passages())
    measured = [
        {hit.passage.id: (hit.distance, hit.lexical) for hit in searched(path, weights)}
        for weights in (SearchWeights(), SearchWeights(alpha=0.9, title=4.0))
    ]
    assert measured[0] == measured[1]


def configured(
    folder: Path, thresholds: str, index: str = "kind: sqlite\n  path: x.sqlite"
) -> Path:
    guard = (ROOT / "config" / "guard.yaml").read_text(encoding="utf-8")
    start, end = guard.index("index:\n"), guard.index("embedder:\n")
    (folder / "config").mkdir()
    path = folder / "config" / "guard.yaml"
    path.write_text(f"{guard[:start]}index:\n  {index}\n{guard[end:]}", encoding="utf-8")
    (folder / "config" / "thresholds.yaml").write_text(thresholds, encoding="utf-8")
    return path


SHIPPED = (ROOT / "config" / "thresholds.yaml").read_text(encoding="utf-8")
WEAVIATE = "kind: weaviate\n  path: x.sqlite\n  weaviate: {url: 'http://127.0.0.1:1', alpha: 0.7}"


def test_a_collection_has_its_own_weights_and_inherits_the_others(tmp_path: Path) -> None:
    text = SHIPPED.replace("  ADR_Ollama:\n", "  ADR_Ollama:\n    alpha: 0.30\n", 1)
    text = text.replace("default:\n", "default:\n  title_weight: 2\n", 1)
    found = weights_of(load(configured(tmp_path, text), environ={}))
    assert found[DECISION] == SearchWeights(alpha=0.3, title=2.0)
    assert found[PRINCIPLE] == found[DocumentKind.DOCUMENT] == SearchWeights(title=2.0)


def test_a_weaviate_says_alpha_where_the_thresholds_do_not(tmp_path: Path) -> None:
    text = SHIPPED.replace("  ADR_Ollama:\n", "  ADR_Ollama:\n    alpha: 0.30\n", 1)
    found = weights_of(load(configured(tmp_path, text, WEAVIATE), environ={}))
    assert (found[DECISION].alpha, found[PRINCIPLE].alpha) == (0.3, 0.7)


@pytest.mark.parametrize(
    ("key", "value"), [("alpha", "1.2"), ("title_weight", "-1"), ("section_weight", "11")]
)
def test_a_weight_out_of_range_is_named(tmp_path: Path, key: str, value: str) -> None:
    text = SHIPPED.replace("  ADR_Ollama:\n", f"  ADR_Ollama:\n    {key}: {value}\n", 1)
    config = load(configured(tmp_path, text), environ={})
    with pytest.raises(ConfigError, match=rf"collections\.ADR_Ollama\.{key}"):
        load_thresholds(config.thresholds)
