"""What is mended in how Elysia's page shows replies."""

from __future__ import annotations

from elysia_guard.edge.elysia.rendering import BEGUN
from elysia_guard.edge.elysia.webapp.mends import Mends

GROWING = Mends(
    without="an answer that is being written is folded away",
    pairs=(
        # A text takes the place of what its answer began with.
        (
            "messages:[...n.queries[r].messages,...e]",
            (
                'messages:[...("text"===e[0]?.type?n.queries[r].messages.filter('
                f"m=>!m.payload?.metadata?.{BEGUN}):n.queries[r].messages),...e]"
            ),
        ),
    ),
)

STEADY = Mends(
    without="an answer that is being written fades in with every sentence",
    pairs=(
        # A text that grows stays where it is, and does not come in anew with every sentence.
        (
            "(0,n.jsx)(O,{text:t[t.length-1].text})})]},t[t.length-1].text)]})}",
            '(0,n.jsx)(O,{text:t[t.length-1].text})})]},"last")]})}',
        ),
    ),
)

_STATUS = '""!=i?(0,n.jsxs)("div",{className:"flex gap-2 items-center'
APART = Mends(
    without="what is under way is written over a long answer",
    # What is under way stands on a ground of its own, and not in the words behind it.
    pairs=((_STATUS, f"{_STATUS} bg-background rounded-xl px-2 py-1"),),
)

_TEXT = 'components:{span:e=>{let{node:t,...a}=e;if("true"===a["data-citation"])'
_KINDS = '"summary"===a.type||"text_with_citations"===a.type||"text_with_title"===a.type'
_TITLE = 'for(let t of(e+=(a.metadata.title||"")'
COPYING = Mends(
    without="the button beside a reply copies nothing",
    pairs=(
        # A reply of ours is a text of a kind that the button leaves out, and has no title.
        (
            f"if({_KINDS}){_TITLE}",
            f'if("response"===a.type||{_KINDS}){_TITLE.replace("metadata.", "metadata?.")}',
        ),
        ('t.text+"\\n\\n"}}),h(e)}', 't.text+"\\n\\n"}}),h(e.trim())}'),
    ),
)

OPENING = Mends(
    without="links in replies leave the conversation",
    pairs=(
        # A link in a reply opens beside the conversation, which would else have to be loaded again.
        # One function for all: another at each drawing would take the focus from the link.
        (
            _TEXT,
            _TEXT.replace(
                "components:{",
                'components:{a:self.opensBeside??=(e=>{let{node:t,...a}=e;return(0,n.jsx)("a",{...a,'
                'target:"_blank",rel:"noopener"})}),',
            ),
        ),
    ),
)
