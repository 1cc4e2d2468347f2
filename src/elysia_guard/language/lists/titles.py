"""The words that listed documents are to bear in their titles."""

from __future__ import annotations

from typing import Final

from elysia_guard.language.lists.reading import phrase, without

_TITLE: Final = (
    r"((the|their|its|an?|de|het|hun|een|der|die|den|dem|ihrem|ihren) )?(titles?|names?"
    r"|headings?|titels?|titeln?|naam|namen|überschrift(en)?)"
)
_WORD = r"((the|het|das|dem|den) )?((word|term|woord|wort|begriff) )?"
_BEARS = (
    r"(contain(s|ing)?|mention(s|ing)?|includ(es?|ing)|ha(s|ve|ving)|says?|bevat(ten|tend)?"
    r"|noemt|noemen|heeft|enthält|enthalten|nennt|erwähnt|hat|haben)"
)
_W = (
    r"(?!(a|an|the|to|de|het|een|die|das|and|or|en|of|und|oder|about|on|over|über|zu|with"
    rf"|met|mit|{_BEARS})\b)[^\s?!,;:'\"\u201c\u201d\u2018\u2019]{{1,40}}"
)
_X = rf"['\"\u201c\u201e\u2018]?(?P<words>{_W}( {_W}){{0,2}}?)['\"\u201d\u2019\u201c]?"
_STANDS = (
    r"(hebben|heeft|staat|staan|voorkomt|voorkomen|noemen|dragen|voeren|haben|hat|steht"
    r"|stehen|vorkommt|vorkommen|tragen|führen|nennen|enthalten)"
)
_FORMS: Final = tuple(
    phrase(pattern)
    for pattern in (
        (
            rf"\b(whose|waarvan|deren|with) {_TITLE} "
            rf"({_BEARS} )?{_WORD}{_X}( {_BEARS})?(?=\s*($|[?!.,;:\n]))"
        ),
        (
            rf"\b((that|which|die|dat|welche) )?(with|{_BEARS}|carry|bear|hebben|dragen|tragen"
            rf"|met|mit) {_WORD}{_X} (in|im) {_TITLE}\b( {_STANDS})?"
        ),
        (
            rf"\b(that|die|dat|where|waar|wo|waarbij|(in|bei) (which|denen)) {_WORD}{_X} "
            rf"((appears?|occurs?|is|stands?) )?(in|im) {_TITLE}\b( {_STANDS})?"
        ),
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
