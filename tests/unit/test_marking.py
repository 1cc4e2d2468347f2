"""Words of a document are found and marked however they are written; what is hostile is text."""

from __future__ import annotations

import re
from html import unescape

import pytest

from elysia_guard.edge.linking import GAP, LONGEST_WORDS, shortened
from elysia_guard.edge.views.marking import MOST_PLACES, Marked

HOSTILE = (
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[click](javascript:alert(1))",
    '"><mark id="quoted">',
    "![x](http://elsewhere.example/x.png)",
    "`<b>` and\n\n    <i>code</i>\n\n```\n<u>fence</u>\n```",
)

ALLOWED = re.compile(
    r"</?(p|a|mark|code|pre|br|em|strong|ul|ol|li)"
    r'( (id="quoted"|href="(?!javascript)[^"<>]*"|rel="[a-z ]+"))* ?/?>'
)


def shown(text: str, *words: str) -> tuple[str, int]:
    marked = Marked(resolve=lambda href: href)
    write = marked.markdown(text)
    found = marked.letters.mark(words)
    return write(), found


def marks(html: str) -> list[str]:
    plain = (re.sub(r"<[^>]+>", "", item) for item in re.findall(r"<mark.*?</mark>", html, re.S))
    return [unescape(item) for item in plain]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("One. Two words here. Three.", "Two words here.", ["Two words here."]),
        ("A **bold *and* plain** end.", "bold and plain", ["bold", "and", "plain"]),
        ("It holds\nover lines.", "It holds over lines.", ["It holds", "over lines."]),
        ("1. First.\n2. Second thing.", "2. Second thing.", ["Second thing."]),
        ("- an item\n- another", "- another", ["another"]),
        ("Use `kubectl get` now", "kubectl get", ["kubectl get"]),
        ("```\nkubectl get pods\n```", "kubectl get pods", ["kubectl get pods"]),
        ("| a | b |\n|---|---|\n| one | two |", "| one | two |", ["one", "two"]),
        ("Ein Straßenname.", "STRASSENNAME", []),
        ("Über Größe.", "über größe", ["Über Größe."]),
        ("the cart and the art", "art", ["art"]),
        ("the cart", "art", []),
        ("See [the rules](https://x.example/a).", "See the rules.", ["See", "the rules"]),
        ("x < y & z", "y & z", ["y & z"]),
        ("", "nothing", []),
        ("Nothing of it.", "", []),
        ("Signs alone.", "!?", []),
    ],
)
def test_words_are_marked_where_they_stand(text: str, words: str, expected: list[str]) -> None:
    html, found = shown(text, words)
    assert marks(html) == expected
    assert found == bool(expected)


def test_long_words_are_marked_from_their_beginning_to_their_end() -> None:
    """Of long words an address holds how they begin and end."""
    words = " ".join(f"word{number}" for number in range(100)) + "."
    short = shortened(words)
    assert len(short) <= LONGEST_WORDS + len(GAP)
    html, found = shown(f"Before. {words} After.", short)
    assert found == 1
    assert marks(html) == [words]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_hostile_is_text(text: str) -> None:
    """Marked or not, a document brings no tag, no handler and no picture."""
    for words in ("", text, "alert", "click", "x"):
        html, _ = shown(text, words)
        assert not re.findall(r"<", ALLOWED.sub("", html)), html
        assert html.count('<mark id="quoted">') <= 1


def test_a_letter_that_stands_everywhere_costs_no_search_without_end() -> None:
    """So many places are looked at, and no more."""
    html, found = shown("xa " * (MOST_PLACES + 5) + "a end", "a", f"x{GAP}nowhere")
    assert (marks(html), found) == ([], 0)
