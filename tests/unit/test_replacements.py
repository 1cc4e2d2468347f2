"""What replaces a term is what its vocabulary says; its neighbours are called neighbours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.unit.small_world import World

from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.skosmos.answers import read_concept
from elysia_guard.domain.question import Lang
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.language.catalogue import catalogue, say
from elysia_guard.language.pack import langs

PREFIXES = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix : <https://v.example/> .
:thing a skos:Concept ; skos:prefLabel "thing"@en, "ding"@nl, "Ding"@de ;
  skos:definition "What is."@en .
:part a skos:Concept ; skos:prefLabel "part"@en, "deel"@nl, "Teil"@de ;
  skos:definition "What belongs to a thing."@en .
:mate a skos:Concept ; skos:prefLabel "mate"@en, "maat"@nl, "Genosse"@de ;
  skos:definition "What goes with a thing."@en .
:heir a skos:Concept ; skos:prefLabel "heir"@en, "erfgenaam"@nl, "Erbe"@de, "héritier"@fr ;
  skos:definition "What follows."@en .
"""
OLD = ':old a skos:Concept ; skos:prefLabel "relic"@en, "relict"@nl, "Relikt"@de, "relique"@fr ; '
RELATED = "skos:broader :thing ; skos:narrower :part ; skos:related :mate"
ASKED = {"en": "What is {}?", "nl": "Wat is {}?", "de": "Was ist {}?", "fr": "Que signifie {} ?"}
NAMES = {"en": "relic", "nl": "relict", "de": "Relikt", "fr": "relique"}


def world(tmp_path: Path, *triples: str) -> World:
    file = tmp_path / "terms.ttl"
    file.write_text(PREFIXES + "\n".join(triples), encoding="utf-8")
    return World(terminology=SkosFile.load([file], name="Terms"))


@pytest.mark.parametrize("lang", langs())
def test_a2_neighbours_are_not_told_as_successors(tmp_path: Path, lang: Lang) -> None:
    """A broader, narrower or related concept is offered as what it is, and never as a successor."""
    state = "owl:deprecated true ; skos:definition 'Gone.'@en"
    response = world(tmp_path, f"{OLD} {state} ; {RELATED} .").ask(ASKED[lang].format(NAMES[lang]))
    assert response.refused
    labels = {item.label for item in response.suggestions}
    for relation in ("broader", "narrower", "related"):
        assert any(label == say(lang, f"suggest.{relation}", term=word(label)) for label in labels)
    replaced = say(lang, "suggest.replaced_by", term="#").partition("#")[2]
    assert replaced not in response.answer


def word(label: str) -> str:
    """The term that a suggestion names."""
    return re.split("'|« | »", label)[1]


@pytest.mark.parametrize(
    "said",
    [
        f"{OLD} owl:deprecated true ; dct:isReplacedBy :heir ; {RELATED} .",
        f"{OLD} owl:deprecated true ; {RELATED} . :heir dct:replaces :old .",
        f"{OLD} owl:deprecated true ; dct:isReplacedBy :heir . :heir dct:replaces :old .",
        (
            f"{OLD} owl:deprecated true ; dct:isReplacedBy :mid . "
            ":mid a skos:Concept ; skos:prefLabel 'mid'@en ; owl:deprecated true ; "
            "dct:isReplacedBy :heir ."
        ),
    ],
)
@pytest.mark.parametrize("lang", langs())
def test_a2_the_vocabulary_says_what_replaces_a_term(tmp_path: Path, said: str, lang: Lang) -> None:
    """A successor is told where the vocabulary states the replacement, from either end."""
    heir = {"en": "heir", "nl": "erfgenaam", "de": "Erbe", "fr": "héritier"}[lang]
    response = world(tmp_path, said).ask(ASKED[lang].format(NAMES[lang]))
    assert response.refusal_reason is RefusalReason.TERMINOLOGY_DEPRECATED
    first = response.suggestions[0]
    assert first.label == say(lang, "suggest.replaced_by", term=heir)
    assert not world(tmp_path, said).ask(first.question).refused


def test_a2_a_circle_of_replacements_names_no_successor(tmp_path: Path) -> None:
    """Terms that replace each other, and are all deprecated, have no successor to be told."""
    circle = (
        f"{OLD} owl:deprecated true ; dct:isReplacedBy :mid ; skos:related :mate .",
        (
            ":mid a skos:Concept ; skos:prefLabel 'mid'@en ; owl:deprecated true ;"
            " dct:isReplacedBy :old ."
        ),
    )
    response = world(tmp_path, *circle).ask("What is relic?")
    assert [item.label for item in response.suggestions] == ["A related term is 'mate'."]


def test_a2_a_neighbour_without_a_definition_is_not_offered(tmp_path: Path) -> None:
    """A way on leads to an answer: what is not defined is not offered as one."""
    said = f"{OLD} skos:broader :bare . :bare a skos:Concept ; skos:prefLabel 'bare'@en ."
    response = world(tmp_path, said).ask("What is relic?")
    assert not any("bare" in item.question for item in response.suggestions)


def test_a2_skosmos_tells_a_replacement_from_either_end() -> None:
    """The whole concept that Skosmos serves knows its successor, whichever end states it."""
    body = b"""{"@context": {"skos": "http://www.w3.org/2004/02/skos/core#",
      "dct": "http://purl.org/dc/terms/", "owl": "http://www.w3.org/2002/07/owl#"},
      "@graph": [
       {"@id": "https://v.example/old", "@type": "skos:Concept", "owl:deprecated": true,
        "skos:prefLabel": {"@language": "en", "@value": "relic"},
        "skos:related": {"@id": "https://v.example/mate"}},
       {"@id": "https://v.example/heir", "@type": "skos:Concept",
        "dct:replaces": {"@id": "https://v.example/old"}}]}"""
    concept = read_concept(body, "https://v.example/old", vocabulary="v", title="V")
    assert concept is not None
    assert concept.replaced_by == ("https://v.example/heir",)
    assert concept.related == ("https://v.example/mate",)


def test_a2_every_relation_has_its_words_in_every_language() -> None:
    """What may be offered beside a refusal is worded in English, Dutch and German."""
    for lang in langs():
        for relation in ("replaced_by", "broader", "narrower", "related"):
            assert f"suggest.{relation}" in catalogue(lang)
