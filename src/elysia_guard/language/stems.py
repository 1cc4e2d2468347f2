"""Stop words and stems (Snowball) of English, Dutch and German."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import Stemmer

from elysia_guard.domain.question import Lang
from elysia_guard.language.text import words

_SNOWBALL = {"en": "english", "nl": "dutch", "de": "german"}

_STOP: dict[Lang, frozenset[str]] = {
    "en": frozenset(
        """a about above according after all also am an and any are aren't as at be because been
        before being below between both but by can can't could did didn't do does doesn't doing
        don't down during each either else ever every explain few for from further get give given
        had has have having he her here hers him his how however i if in into is isn't it it's
        its itself just know let like list look made make many may me might more most much must
        my need no nor not of off on once one only or other ought our out over own please same
        say says see shall she should show so some such tell than that that's the their them then
        there these they this those through to too under until up upon us use used using very was
        we were what what's when where whether which while who whom whose why will with within
        would you your yours anything something everything happen happens happened work works
        regarding concerning actually currently kind sort way ways thing things define describe
        decide decided decides ensure handle deal dealing somebody someone anybody anyone
        everybody everyone nobody many long often soon ever yet told tells tell say saying
        mentioned mention wondering wonder wondered want wants wanted needs needed knows knew
        known hear heard talk talks talking think thinks believe guess suppose sure ok okay hi
        hello please pls thanks sorry question questions newbie quick quickly short sentence
        sentences word words colleague colleagues yesterday today tomorrow really basically
        exactly straight away somewhere anywhere stuff bit lot come comes came go goes going gets
        got getting put puts find finding people person let lets new try trying tried happen
        whats thats isnt dont doesnt im ive id theyre youre we're we've i'm i've what're hey
        someone's everyone's guys folks again still already back together moment instead rather
        quite maybe perhaps possible possibly able official agreed agree overview summary
        summarise summarize""".split()
    ),
    "nl": frozenset(
        """aan af al alle alleen als altijd andere ben bij daar dan dat de den der deze die dit doch
        doen door dus een eens en enkele er ergens etc geef geen geven haar had heb hebben heeft hem
        het hier hij hoe hun iemand iets ik in is ja je jij jou jouw jullie kan kun kunnen kunt laat
        laten leg maar maken me meer men met mij mijn moet moeten mogen na naar niet niets nog nu of
        om omtrent onder ons onze ook op over per reeds rond s t te tegen toch toen tot u uit
        uitleggen uw van veel vertel voor vooral waar waarbij waarin waarom waarop wanneer want was
        wat we wel welk welke werd wie wij wil willen word worden wordt zal ze zelf zich zij zijn zo
        zoals zonder zou gebruik gebruiken gebruikt gebruikte omgaan gaan gaat zorgen zorgt zeggen
        zegt staat staan betekent geldt gelden toon bestaat bestaan definieer beschrijf noem noemen
        overzicht opsomming samenvatting lang vaak besluit beslissing principe beginsel
        beleid""".split()
    ),
    "de": frozenset(
        """aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei
        bin bis bist da damit dann das dass dem den der des die dies diese diesem diesen dieser
        dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch für gegen
        gewesen gibt hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre
        im in ist ja jede jedem jeden jeder jedes jetzt kann kein keine können könnte machen man
        mehr mein mich mir mit muss musste müssen nach nicht nichts noch nun nur ob oder ohne
        sagt sagen sehr sein seine sich sie sind so solche soll sollen sollte sondern sonst über
        um und uns unser unter viel vom von vor war waren warum was weil welche welchen welcher
        welches wenn wer werde werden wie wieder will wir wird wo wollen worden wurde wurden
        zeige zu zum zur zwar zwischen erkläre bitte gilt gelten steht nutzen verwenden nenne
        nennen überblick zusammenfassung lang lange oft entscheidung entscheidet prinzip
        richtlinie""".split()
    ),
}


_DUTCH_PLURAL = re.compile(r"(?<=\w\w)(?:(\w)\1en|(?<=\w\w\w)(?:en|ën|s))$")


@cache
def _stemmer(lang: Lang) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(_SNOWBALL[lang])


@lru_cache(maxsize=50_000)
def stem(word: str, lang: Lang) -> str:
    """Reduce one lower-case word to its Snowball stem."""
    bare = word.removesuffix("'s")
    return str(_stemmer(lang).stemWord(bare))


def dutch_singular(word: str) -> str:
    """Drop the plain plural of a Dutch word, which Snowball may not see.

    It stems 'motoren' to 'motoor', 'velden' to 'vel' and 'gegevens' to 'geven'.

    >>> dutch_singular("velden")
    'veld'
    """
    return _DUTCH_PLURAL.sub(r"\1", word)


def is_stop_word(word: str, lang: Lang) -> bool:
    """Tell whether a word carries no content in a language."""
    return word in _STOP[lang]


def is_content_word(word: str, lang: Lang) -> bool:
    """Tell whether a word carries content in a language; a letter alone does not."""
    return word not in _STOP[lang] and (len(word) > 1 or word.isdigit())


def content_words(text: str, lang: Lang) -> list[str]:
    """The words of a text that carry content, in order, each once."""
    return [word for word in dict.fromkeys(words(text)) if is_content_word(word, lang)]


def stems(text: str, lang: Lang) -> set[str]:
    """The stems of all words of a text, stop words included."""
    return {stem(word, lang) for word in words(text)}


def function_word_counts(text: str) -> dict[Lang, int]:
    """Count, for each language, the words of a text that are function words there."""
    found = words(text)
    return {lang: sum(word in stop for word in found) for lang, stop in _STOP.items()}
