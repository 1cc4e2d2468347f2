"""Elysia's page for who cannot see it, or goes by keys: names of pictures, and focus."""

from __future__ import annotations

from elysia_guard.edge.elysia.webapp.mends import Mends


def _named(place: str, *, before: str, name: str) -> tuple[str, str]:
    return place, place.replace(before, f'"aria-label":"{name}",{before}')


def _thumb(mark: str, name: str) -> tuple[str, str]:
    place = f'size:"icon",className:"bg-background ".concat({mark}'
    return place, f'"aria-label":"{name}","aria-pressed":{mark[0]},{place}'


_GEAR = 'size:"icon",onClick:()=>l(),children:(0,n.jsx)(y.sDK,'
_SEND = 'size:"icon",onClick:()=>w(u),children:(0,n.jsx)(d.W4J,'
_SOURCES = 'variant:"ghost",size:"icon",children:(0,n.jsx)(u.QC3,'
REPLIES = Mends(
    without="buttons beside replies and questions have no names",
    pairs=(
        _thumb('y?"text-alt_color_a"', "Very good response"),
        _thumb('f?"text-accent"', "Good response"),
        _thumb('g?"text-error"', "Bad response"),
        _named(_GEAR, before="onClick", name="Settings of this conversation"),
        _named(_SEND, before="onClick", name="Ask"),
        _named(_SOURCES, before="size", name="Select data sources"),
        _named('className:"w-10",onClick:()=>{B(k(4))}', before="onClick", name="Other questions"),
    ),
)
MENUS = Mends(
    without="the menu beside a conversation has no name",
    pairs=(_named('"data-sidebar":"menu-action"', before='"data-sidebar"', name="More"),),
)
NOTICES = Mends(
    without="the button that closes a notice has no name",
    pairs=(_named('"toast-close":"",...o', before='"toast-close"', name="Close"),),
)
CARDS = Mends(
    without="what turns over cards has no names",
    pairs=(
        _named("onClick:v,disabled:0===l,", before="onClick", name="Previous page"),
        _named("onClick:_,disabled:l===g-1,", before="onClick", name="Next page"),
        _named('(ek,{className:"w-24 h-8"', before="className", name="Items per page"),
    ),
)
_GREEN = 'onClick:()=>a(),className:"border border-accent text-accent bg-accent/10 w-10 h-10"'
_SEARCH = 'className:"bg-accent/10 border border-accent hover:bg-accent/20 w-9 h-9",onClick:()=>T()'
DATA = Mends(
    without="buttons of Data have no names",
    pairs=(
        _named(_GREEN, before="onClick", name="Refresh collections"),
        _named('onClick:()=>L("name")', before="onClick", name="Sort by name"),
        _named('onClick:()=>L("total")', before="onClick", name="Sort by total objects"),
        _named(_SEARCH, before="className", name="Search"),
        _named('onClick:()=>U(),className:"w-8 h-8"', before="onClick", name="Previous page"),
        _named('onClick:()=>V(),className:"w-8 h-8"', before="onClick", name="Next page"),
    ),
)
_EYE = "onClick:()=>c(!l),disabled:o,children:l?"
FIELDS = Mends(
    without="buttons that show what is typed have no names",
    pairs=(_named(_EYE, before="onClick", name="Show what is typed"),),
)

_NAMED_CONFIG = "onDoubleClick:u,children:(null==t?void 0:t.name)"
_HOW = 'children:"Double click to edit name"'
RENAMED = Mends(
    without="a configuration is renamed by two clicks, which no key does",
    pairs=(
        (_NAMED_CONFIG, _NAMED_CONFIG.replace("onDoubleClick", "onClick")),
        (_HOW, _HOW.replace("Double click", "Press")),
    ),
)


def _listed(place: str) -> tuple[str, str]:
    return place, place.replace("(h.Ks,{", '(h.Ks,{role:"list",')


LISTED = Mends(
    without="what stands in the menus is read out as no list",
    pairs=(
        _listed("(h.Ks,{children:null===(e=Object.entries(d))"),
        _listed('children:"Data"})}),(0,s.jsx)(h.Ks,{'),
        _listed('children:"Settings"})}),(0,s.jsx)(h.Ks,{'),
    ),
)
_NOTICES = "(v.ol,{tabIndex:-1,...a,ref:m})"
_PASSED_BY = '(0,d.jsx)(A,{"aria-hidden":!0,tabIndex:0,'
TOLD = Mends(
    without="keys stop at what is hidden around notices, which are read out as no list",
    pairs=(
        # A notice is a status of its own, and no item of a list.
        (_NOTICES, _NOTICES.replace("tabIndex", 'role:"group",tabIndex')),
        (_PASSED_BY, _PASSED_BY.replace('"aria-hidden":!0,', "")),
    ),
)


def _alone(page: str) -> tuple[str, str]:
    place = f'(h.LO,{{className:"list-none",children:(0,s.jsxs)(h.bb,{{variant:"{page}"===d'
    return place, place.replace("className", 'role:"none",className')


ALONE = Mends(
    without="entries of Evaluation are read out as those of a list that is not there",
    pairs=(_alone("eval"), _alone("feedback")),
)
_ENTRY = '"data-sidebar":"menu-button","data-size":d,'
OPEN = Mends(
    without="screen readers do not say which page of the menu is open",
    pairs=((_ENTRY, f'{_ENTRY}"aria-current":"active"===n?"page":void 0,'),),
)

_TREE = "nodesDraggable:!1,draggable:!0,"
_NODE = '(m.z,{onClick:s,className:"bg-error/10 text-error border-error border w-8 h-8"'
TREE = Mends(
    without="keys stop at the lines and frames of a tree, where they open nothing",
    pairs=(
        # What stands in a frame opens what it tells, and has a stop of its own.
        (_TREE, f"{_TREE}nodesFocusable:!1,edgesFocusable:!1,"),
        _named(_NODE, before="onClick", name="Close"),
    ),
)


def _tab(view: str) -> tuple[str, str]:
    place = f'(m.z,{{onClick:()=>a("{view}"),'
    return place, f'{place}"aria-current":"{view}"===t?"page":void 0,'


TABS = Mends(
    without="screen readers do not say which view of a collection is open",
    pairs=(_tab("table"), _tab("metadata"), _tab("configuration")),
)
_PAGES = '("p",{className:"flex items-center gap-2",children:[e.loading?'
PAGES = Mends(
    without="no key leads to the pages of the menu",
    pairs=((_PAGES, _PAGES.replace('"p",{', '"button",{type:"button",')),),
)
_WAY = '("div",{onClick:()=>{r(e),a(e,"",!1)},'
_BY_KEY = (
    'role:"button",tabIndex:0,onKeyDown:k=>{("Enter"===k.key||" "===k.key)&&'
    "(k.preventDefault(),k.currentTarget.click())},"
)
WAYS = Mends(
    without="no key leads to the ways on below a reply",
    pairs=((_WAY, f"{_WAY}{_BY_KEY}"),),
)
_SHEET = 'children:"Close"})]}),r]})]})});b.displayName=u.VY.displayName'
_TITLE = '(0,s.jsx)(u.Dx,{className:"sr-only",children:"Menu"},"title")'
SHEET = Mends(
    without="the menu of a narrow page has no name",
    pairs=((_SHEET, _SHEET.replace("r]", f"r,{_TITLE}]", 1)),),
)
NAMES = (
    REPLIES,
    MENUS,
    NOTICES,
    CARDS,
    DATA,
    FIELDS,
    RENAMED,
    LISTED,
    TOLD,
    ALONE,
    OPEN,
    TREE,
    TABS,
    PAGES,
    WAYS,
    SHEET,
)
