"""What is mended in Elysia's page: a text that stands in a script once, and what takes its place.

One table: what the page does wrong, and for each place what is found and what replaces it. A row is
applied whole or not at all, to the one script that holds all of it. What no journey, and no test of
the page or of what keys and screen readers reach, fails without does not stand here. Whether a
collection may be changed the scripts see by ``read_only``, which the routes of ``pages`` send.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Mends:
    """A row; ``without`` says what the page does where it cannot be made."""

    without: str
    pairs: tuple[tuple[str, str], ...]


def _put(place: str, new: str, *, before: str) -> tuple[str, str]:
    return place, place.replace(before, new + before, 1)


def _named(place: str, before: str, name: str) -> tuple[str, str]:
    return _put(place, f'"aria-label":"{name}",', before=before)


def _thumb(mark: str, name: str) -> tuple[str, str]:
    place = f'size:"icon",className:"bg-background ".concat({mark}'
    return _put(place, f'"aria-label":"{name}","aria-pressed":{mark[0]},', before="size")


_SHOWN_AGAIN = "let r=X(e,t.payload.prompt,t.query_id,j);"
_SAID_WHY_NOT = (
    '((m=>m&&(Y([{type:"user_timeout_error",id:(0,a.Z)(),conversation_id:e,query_id:t,'
    'user_id:l||"",payload:{text:m}}],e,t),1))((await ee(l||"",e,t,r)).error)||E('
)
_SOON = (
    ',(0,s.jsxs)(h.bb,{%schildren:[(0,s.jsx)(%s,{}),(0,s.jsx)("p",{children:"%s (Coming Soon)"})]})'
)
_DELETE = (
    '(0,s.jsxs)(p.Xi,{onClick:()=>r(a),children:[(0,s.jsx)(l.MSG,{className:"text-error"}),'
    '(0,s.jsx)("span",{className:"text-error",children:"Delete"})]}'
)
_RENAME = (
    '(0,s.jsx)(p.Xi,{onClick:()=>{let e=window.prompt("Title",i.title);e&&e.trim()&&'
    'fetch("".concat(S.ho,"/db/").concat(localStorage.getItem("device_id"),"/rename_tree/")'
    '.concat(a),{method:"POST",headers:{"Content-Type":"application/json"},'
    "body:JSON.stringify({title:e.trim().slice(0,200)})}).then(()=>again())},"
    'children:(0,s.jsx)("span",{children:"Rename"})},"rename")'
)
_ASKED = _DELETE.replace("r(a)", "window.confirm('Delete \\''+i.title+'\\'?')&&r(a)")
_CONVERSATIONS = "startNewConversation:a,currentConversation:t,removeConversation:r,"
_LISTED = "(P(e=>({...e,[r]:n})),t=!0);R(!1),"
_BEGUN = '"chat"===S&&C("chat",{conversation:t},!0),o}'
_GTAG = "https://www.googletagmanager.com/gtag/js?id="
_VISITS = f'(0,o.jsx)(i.default,{{id:"_next-ga",src:"{_GTAG}".concat(t),nonce:c}})'
PRELOADED = f'<link rel="preload" href="{_GTAG}" as="script"/>'
"""What asks for the same in the page itself."""
_SAID = 'e=>!!"".concat(null==e?"":e).trim()'
_NONE_NEEDED = (
    f"let said={_SAID},own=e.settings,"
    "plain=!(f||p||said(own.WCD_URL)||said(own.WCD_API_KEY)),"
    "unmodelled=![own.BASE_PROVIDER,own.BASE_MODEL,own.COMPLEX_PROVIDER,own.COMPLEX_MODEL]"
    ".some(said);"
)
_MODEL_FIELDS = ("base_provider", "base_model", "complex_provider", "complex_model")
_UNREAD = "{wcd_url:!1,wcd_api_key:!1,base_provider:!1,base_model:!1,complex_provider:!1,"
_KEY = (
    "o||l||(null==e?void 0:null===(i=e.settings)||void 0===i?void 0:"
    "null===(s=i.WCD_API_KEY)||void 0===s?void 0:s.trim())||"
    'r.push("Weaviate API Key")'
)
_CLEAR_ALL = (
    "(0,n.jsx)(A.pn,{children:(0,n.jsxs)(A.u,{children:[(0,n.jsx)(A.aJ,{asChild:!0,"
    'children:(0,n.jsx)(ar,{variant:"ghost",onClick:Z,'
)
_ANALYSIS = (
    '(0,n.jsxs)("div",{className:"flex flex-wrap gap-4 w-full",'
    "children:[(0,n.jsx)(r.E.div,{initial:{opacity:0,scale:.6}"
)
_WHO_MAY = "(null==t?void 0:t.metadata.read_only)?null:"
_PROMPT = (
    '(0,n.jsx)(r.E.p,{className:"text-primary text-sm truncate lg:w-[35vw] w-[80vw]",'
    "initial:{opacity:.8},whileHover:{opacity:1,transition:{duration:.2}},children:e})"
)
_WHOLE = 'style:{flex:"1 1 0",minWidth:0,width:"auto",whiteSpace:"normal"},children:e'
_LINE = 'className:"flex items-center justify-start gap-2 relative z-10",'
_PROMPTS = '},t+"prompt"))})'
_MODEL = (
    ',(0,n.jsx)("p",{id:"guard-model",className:"text-secondary text-xs text-center px-4",'
    'ref:self.saysModel??=(e=>e&&fetch("/guard/model/"+localStorage.getItem("device_id"))'
    '.then(said=>said.ok?said.text():"").then(said=>{e.textContent=said},()=>0))})'
)
_TEXT = 'components:{span:e=>{let{node:t,...a}=e;if("true"===a["data-citation"])'
_BESIDE_IT = (
    'a:self.opensBeside??=(e=>{let{node:t,...a}=e;return(0,n.jsx)("a",{...a,'
    'target:"_blank",rel:"noopener"})}),'
)
_FOLDED = (
    "ul:self.folds??=(e=>{let i=s.Children.toArray(e.children).filter(e=>e.type),all=i.length,"
    'u=c=>(0,n.jsx)("ul",{children:c});return all<=12?u(i):(0,n.jsxs)(n.Fragment,{children:['
    'u(i.slice(0,10)),(0,n.jsxs)("details",{children:[(0,n.jsx)("summary",{children:"+ "+(all-10)})'
    ",u(i.slice(10))]})]})}),"
)
_KINDS = '"summary"===a.type||"text_with_citations"===a.type||"text_with_title"===a.type'
_TITLE = 'for(let t of(e+=(a.metadata.title||"")'
_ROWS = (
    "v=async()=>{t&&a&&(b(!0),f.length>0?g||(u(1),x(!0)):x(!1),"
    'i(await aO(a,t.name,d,h,l,r,{type:"and",filters:[]},f)),b(!1))}'
)
_ROWS_FOR = (
    "v=async(w=f)=>{t&&a&&(b(!0),w.length>0?g||(u(1),x(!0)):x(!1),"
    'i(await aO(a,t.name,d,h,l,r,{type:"and",filters:[]},w).then(e=>e&&{...e,asked:w})),b(!1))}'
)
_TABLE = "children:!D||p||I?(0,n.jsx)(eF,{data:(null==p?void 0:p.items)||[],"
_NOTHING = (
    'children:p?.asked&&!I&&!p.items?.length?(0,n.jsxs)("div",{role:"status",'
    'className:"flex flex-col gap-4 items-center text-primary p-6",children:[(0,n.jsx)("p",'
    '{children:"Nothing was found for \'"+p.asked+"\' in "+(l?.name||"this collection")+"."}),'
    '(0,n.jsx)(m.z,{onClick:()=>{N(""),T("")},children:"Show all"})]}):'
)
_READ = 'p.current=!0,S(null);let e=[];"positive"===w'
_FETCHED = 'return(await t.json()).collections}catch(e){return console.error("Get Collections'
_WITH_ERROR = "let said=await t.json();return Object.assign(said.collections,{said:said.error})"
_LOADED = 'let e=await i(y.current);p(e),v(!1),g("".concat(e.length," Collections Loaded"))'
_NO_COLLECTIONS = """children:(e&&e.said)||"There are none. 'elysia-guard ingest' fills them.\""""
_NO_DATA = (
    'children:"You currently have no data sources analyzed by Elysia. To use Elysia please '
    "analyze a data source from the list below. If no collections are available, please verify "
    'if your Weaviate instance contains any collections."'
)
_GREEN = 'onClick:()=>a(),className:"border border-accent text-accent bg-accent/10 w-10 h-10"'
_SEARCH = 'className:"bg-accent/10 border border-accent hover:bg-accent/20 w-9 h-9",onClick:()=>T()'
_OPEN, _ENTRY = '"aria-current":%s?"page":void 0,', '"data-sidebar":"menu-button","data-size":d,'
_MENU_OF = 'children:"%s"})}),(0,s.jsx)(h.Ks,{'
_APART = '(h.LO,{className:"list-none",children:(0,s.jsxs)(h.bb,{variant:'
_TAB, _TABS = '(m.z,{onClick:()=>a("%s"),', ("table", "metadata", "configuration")
_PAGES = '{className:"flex items-center gap-2",children:[e.loading?'
_FOLLOWED = "(0,s.useEffect)(()=>{L.current&&L.current.scrollIntoView(%s)},%s)"
_ENDS = _FOLLOWED % ('{behavior:"smooth",block:"nearest"}', "[I,D]"), _FOLLOWED % ("", "[]")
_REPLY = 'className:"flex justify-start items-start w-full p-4 transition-all  duration-300",'
_SAYING = 'className:"flex flex-col gap-4 w-full relative z-10 rounded-lg",children:[y'
_TALL = 'style:{minHeight:x?"calc(80vh - 129px)":0},'
"""As high as what is seen of a conversation, without the space around and below a reply."""
_TO_CARD = 'e&&e.scrollIntoView({behavior:"smooth",block:"nearest",inline:"center"})'
_PAGER = '(0,n.jsxs)("div",{className:"jsx-78cba1541d77c4f4 flex justify-between'
_SPHERE = "37455:function(e,n,t){t.r(n),t.d(n,{default:function(){return %s}})"
_IN_3D = 'document.createElement("canvas").getContext("webgl2")'
_SENDS = 'w=e=>{""!==e.trim()&&""===i&&'
_IDLE = 'className:"text-sm shine",children:i})]}):(0,n.jsx)("div",{})'
_MOST = 'Number(document.querySelector("script[data-most]")?.dataset.most||1/0)'
_TOO_LONG = (
    '("p",{role:"status",className:"text-sm text-error",children:chars(u)>most&&'
    '"This has "+chars(u)+" characters; at most "+most+" can be asked."})'
)
_OFFERED, _OFFER = 'children:"Related Questions"', '("p",{className:"text-sm",children:e}),(0,n'
_SHEET = 'children:"Close"})]}),r]})]})});b.displayName=u.VY.displayName'
_MENU = '(0,s.jsx)(u.Dx,{className:"sr-only",children:"Menu"},"title")'

_TABLE_OF_MENDS: dict[str, tuple[tuple[str, str], ...]] = {
    "a long reply leaves its end in view, and takes the page there whenever anything arrives": (
        # The question goes to the top when it is asked, or read again; nothing else scrolls.
        (",".join(_ENDS), _FOLLOWED % ("", "[Object.keys(I).join()]")),
        ('!v&&(0,n.jsx)("div",{ref:i}),', ""),
        _put(_REPLY, "ref:i,", before="className"),
        _put(_SAYING, _TALL, before="className"),
        (_TO_CARD, "e&&(m.current.scrollLeft=e.offsetLeft-m.current.offsetLeft)"),
        _put(_PAGER, "p>3&&", before="(0,n"),
    ),
    "it is an error where 3D cannot be drawn": ((_SPHERE % "_", _SPHERE % f"{_IN_3D}?_:()=>null"),),
    "thumbs are green also when lost": (
        (_SHOWN_AGAIN, f"{_SHOWN_AGAIN}r.feedback=t.payload.feedback??null;"),
        # It is taken back, or green, once that is kept; else the page says in its grey box why not.
        ('(await (0,h.q)(l||"",e,t),E(', '((await (0,h.q)(l||"",e,t)).error||E('),
        ('(ee(l||"",e,t,r),E(', _SAID_WHY_NOT),
    ),
    "what is sent is lost where it is too long, or before there is a conversation": (
        # Where there is none yet it stays in the field.
        ('null!=o&&(t(i||"",s,o.id', 'return null!=o&&(t(i||"",s,o.id'),
        ("x(o.id,s,r))};return(", "x(o.id,s,r),!0)};return("),
        ('(t(e,f,g),h(""))', 'Promise.resolve(t(e,f,g)).then(e=>!1===e||h(""))'),
        (_SENDS, f"most={_MOST},chars=e=>[...e.trim()].length,{_SENDS}chars(e)<=most&&"),
        (_IDLE, _IDLE.replace('("div",{})', _TOO_LONG)),
    ),
    "a dialog asks for a Weaviate at every visit, and two entries of the menus do nothing": (
        (_SOON % ('variant:"default",', "b.mgB", "Import Data"), ""),
        (_SOON % ("", "k.Fuo", "Theme"), ""),
        ("(()=>!localStorage.getItem(a))", "(!1)"),
    ),
    "conversations cannot be renamed on it, and are deleted without being asked": (
        (f"let{{{_CONVERSATIONS}", f"let{{loadConversationsFromDB:again,{_CONVERSATIONS}"),
        (f"children:{_DELETE})", f'children:[{_RENAME},{_ASKED},"delete")]'),
    ),
    "conversations cannot be deleted, keep an old title, and come while another page is open": (
        # It sends a text that it does not call JSON, and asks for the list too early.
        (
            '"/delete_tree/").concat(t),{method:"DELETE",body:JSON.stringify({})}',
            '"/delete_tree/").concat(t),{method:"DELETE"}',
        ),
        ('m(l||"",e),W()', 'm(l||"",e).then(()=>W())'),
        (
            _LISTED,
            f"{_LISTED}E(c=>c.map(o=>e.trees[o.id]?.title?{{...o,name:e.trees[o.id].title}}:o)),",
        ),
        (_BEGUN, _BEGUN.replace("S&&", "S&&!/[?&]page=(?!chat)/.test(location.search)&&")),
    ),
    "it asks for a script of another site, which is refused": ((_VISITS, "null"),),
    "Settings call a Weaviate and a model missing that nobody needs": (
        # What nobody has begun to fill in is not missing; what is half filled in still is.
        (f"{_UNREAD}complex_model:!1,", f"{_UNREAD}complex_model:!1,".replace("!1", "!0")),
        ("return{wcd_url:!!p||", f"{_NONE_NEEDED}return{{wcd_url:plain||!!p||"),
        ("wcd_api_key:!!f||", "wcd_api_key:plain||!!f||"),
        *((f"{name}:!!(", f"{name}:unmodelled||!!(") for name in _MODEL_FIELDS),
        (_KEY, 'n.wcd_api_key||r.push("Weaviate API Key")'),
        ("isInvalid:((null==s?", "isInvalid:i.length>0&&((null==s?"),
        ("isInvalid:!p&&!g&&((null==s?", "isInvalid:i.length>0&&!p&&!g&&((null==s?"),
        ('header:"Weaviate Cluster"', 'header:"Weaviate Cluster (optional)"'),
    ),
    "it offers to change collections that it cannot change": (
        ("children:[!h&&t.processed&&(", "children:[!h&&t.processed&&!t.read_only&&("),
        _put(_CLEAR_ALL, "e.some(e=>!e.read_only)&&", before="(0,n.jsx)(A.pn"),
        _put(_ANALYSIS, "!t.read_only&&", before='(0,n.jsxs)("div"'),
        _put("onEdit:()=>a.setEditingSummary(!0)", _WHO_MAY, before="()"),
        _put("onEdit:()=>a.setEditingMappings(!0)", _WHO_MAY, before="()"),
        _put("!a&&(0,n.jsxs)(m.z,{onClick:o,", "o&&", before="("),
        _put("!t&&(0,n.jsxs)(m.z,{onClick:l,", "l&&", before="("),
    ),
    "its start page does not say which language model is used": ((_PROMPTS, _PROMPTS + _MODEL),),
    "its start page cuts questions": (
        (_PROMPT, _PROMPT.replace("children:e", _WHOLE)),
        (_LINE, f'{_LINE}style:{{width:"100%"}},'),
    ),
    "its list of thumbs ends after twenty, and looks as if it were not read again": (
        ('"ELYSIA_FEEDBACK__",v-1,20,', '"ELYSIA_FEEDBACK__",v,500,'),
        (
            "N(Math.ceil((await ny(c)).total_feedback/20)-1)",
            "N(Math.max(Math.ceil((await ny(c)).total_feedback/500)-1,0))",
        ),
        (_READ, _READ.replace("S(null)", 'p.at=new Date().toLocaleTimeString("en-GB"),S(null)')),
        ('header:"User Feedback"', 'header:"User Feedback"+(p.at?" as of "+p.at:"")'),
    ),
    "replies are copied as nothing, links in them leave them, and long lists are not folded": (
        (
            f"if({_KINDS}){_TITLE}",
            f'if("response"===a.type||{_KINDS}){_TITLE.replace("metadata.", "metadata?.")}',
        ),
        ('t.text+"\\n\\n"}}),h(e)}', 't.text+"\\n\\n"}}),h(e.trim())}'),
        # One function for all: another at each drawing would take the focus from a link.
        _put(_TEXT, _BESIDE_IT + _FOLDED, before="span:"),
    ),
    "a search that finds nothing shows an empty table": (
        # The words that rows were asked for stay with them, whatever is typed meanwhile.
        (_ROWS, _ROWS_FOR),
        (_TABLE, _NOTHING + _TABLE.removeprefix("children:")),
    ),
    "it does not say that collections cannot be read": (
        (_FETCHED, _FETCHED.replace("return(await t.json()).collections", _WITH_ERROR, 1)),
        _put(_LOADED, 'e.said?f("Not everything is listed",e.said):', before="g("),
    ),
    "it asks for an analysis where collections cannot be read": ((_NO_DATA, _NO_COLLECTIONS),),
    "buttons have no names, no keys, or names that say too little": (
        _thumb('y?"text-alt_color_a"', "Very good response"),
        _thumb('f?"text-accent"', "Good response"),
        _thumb('g?"text-error"', "Bad response"),
        _named("onClick:()=>l(),children:(0,n.jsx)(y.sDK,", "onClick", "Settings of this talk"),
        _named("onClick:()=>w(u),children:(0,n.jsx)(d.W4J,", "onClick", "Ask"),
        _named('size:"icon",children:(0,n.jsx)(u.QC3,', "size", "Select data sources"),
        _named('className:"w-10",onClick:()=>{B(k(4))}', "onClick", "Other questions"),
        _named("onClick:v,disabled:0===l,", "onClick", "Previous page"),
        _named("onClick:_,disabled:l===g-1,", "onClick", "Next page"),
        _named('(ek,{className:"w-24 h-8"', "className", "Items per page"),
        _named(_GREEN, "onClick", "Refresh collections"),
        _named('onClick:()=>L("name")', "onClick", "Sort by name"),
        _named('onClick:()=>L("total")', "onClick", "Sort by total objects"),
        _named(_SEARCH, "className", "Search"),
        _named('onClick:()=>U(),className:"w-8 h-8"', "onClick", "Previous page"),
        _named('onClick:()=>V(),className:"w-8 h-8"', "onClick", "Next page"),
        ("onDoubleClick:u,children:(null==t?", "onClick:u,children:(null==t?"),
        ('children:"Double click to edit name"', 'children:"Press to edit name"'),
        *((_TAB % view, _TAB % view + _OPEN % f'"{view}"===t') for view in _TABS),
    ),
    "the button that closes a notice has no name": (
        _named('"toast-close":"",...o', '"toast-close"', "Close"),
    ),
    "menus are read out as no list, without names, and without which page is open": (
        _put("(h.Ks,{children:null===(e=Object.entries(d))", 'role:"list",', before="children"),
        *((_MENU_OF % name, f'{_MENU_OF % name}role:"list",') for name in ("Data", "Settings")),
        _named('"data-sidebar":"menu-action"', '"data-sidebar"', "More"),
        _put(f'{_APART}"eval"===d', 'role:"none",', before="className"),
        _put(f'{_APART}"feedback"===d', 'role:"none",', before="className"),
        (_ENTRY, _ENTRY + _OPEN % '"active"===n'),
        (f'("p",{_PAGES}', f'("button",{{type:"button",{_PAGES[1:]}'),
        (_SHEET, _SHEET.replace("r]", f"r,{_MENU}]", 1)),
    ),
    "keys stop at what is hidden around notices, which are read out as no list": (
        _put("(v.ol,{tabIndex:-1,...a,ref:m})", 'role:"group",', before="tabIndex"),
        ('(0,d.jsx)(A,{"aria-hidden":!0,tabIndex:0,', "(0,d.jsx)(A,{tabIndex:0,"),
    ),
    "the ways on below a reply are told in English, without their names": (
        (_OFFERED, _OFFERED.replace(":", ":t.heading||")),
        (_OFFER, _OFFER.replace(":e}", ":t.labels?.[t.suggestions.indexOf(e)]||e}")),
    ),
}
EVERY = tuple(Mends(without=said, pairs=pairs) for said, pairs in _TABLE_OF_MENDS.items())
