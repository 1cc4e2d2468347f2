"""The words that listed documents are to bear in their titles."""

from __future__ import annotations

from typing import Final

from elysia_guard.language.lists.reading import phrase, without

_TITLE: Final = r"(?:(?:the|their|its|an?|de|het|hun|een|der|die|den|dem|ihrem|ihren)\s+)?(?:titles?|names?|headings?|titels?|titeln?|naam|namen|\u00fcberschrift(?:en)?)"
_WORD = r"(?:(?:the|het|das|dem|den)\s+)?(?:(?:word|term|woord|wort|begriff)\s+)?"
_BEARS = r"(?:contain(?:s|ing)?|mention(?:s|ing)?|includ(?:es?|ing)|ha(?:s|ve|ving)|says?|bevat(?:ten|tend)?|noemt|noemen|heeft|enth\u00e4lt|enthalten|nennt|erw\u00e4hnt|hat|haben)"
_W = rf"(?!(?:a|an|the|to|de|het|een|die|das|and|or|en|of|und|oder|about|on|over|\u00fcber|zu|with|met|mit|{_BEARS})\b)[^\s?!,;:'\"\u201c\u201d\u2018\u2019]{{1,40}}"
_X = rf"['\"\u201c\u201e\u2018]?(?P<words>{_W}(?:\s+{_W}){{0,2}}?)['\"\u201d\u2019\u201c]?"
_STANDS = r"(?:hebben|heeft|staat|staan|voorkomt|voorkomen|noemen|dragen|voeren|haben|hat|steht|stehen|vorkommt|vorkommen|tragen|f\u00fchren|nennen|enthalten)"
_FORMS: Final = tuple(
    phrase(pattern)
    for pattern in (
        rf"\b(?:whose|waarvan|deren|with)\s+{_TITLE}\s+(?:{_BEARS}\s+)?{_WORD}{_X}(?:\s+{_BEARS})?(?=\s*(?:$|[?!.,;:\n]))",
        rf"\b(?:(?:that|which|die|dat|welche)\s+)?(?:with|{_BEARS}|carry|bear|hebben|dragen|tragen|met|mit)\s+{_WORD}{_X}\s+(?:in|im)\s+{_TITLE}\b(?:\s+{_STANDS})?",
        rf"\b(?:that|die|dat|where|waar|wo|waarbij|(?:in|bei)\s+(?:which|denen))\s+{_WORD}{_X}\s+(?:(?:appears?|occurs?|is|stands?)\s+)?(?:in|im)\s+{_TITLE}\b(?:\s+{_STANDS})?",
    )
)


def take_titled(text: str) -> tuple[str, str]:
    r"""Read which words their titles are to bear; and what else the text says.

    >>> take_titled("ADRs with TLS in the title")
    ('TLS', 'ADRs \n')
    """
    for form in _FORMS:
        if match := form.search(text):
            return match["words"].strip(), without(text, match)
    return "", text
