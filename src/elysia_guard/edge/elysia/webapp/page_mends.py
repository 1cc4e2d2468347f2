"""What is mended in Elysia's page: a text that stands in a script once, and what takes its place.

Each group is applied whole or not at all, to the one script that holds all of it. Whether our own
collections are meant, the scripts see by ``read_only``, which the routes of ``pages`` send.
"""

from __future__ import annotations

from elysia_guard.edge.elysia.webapp.data_mends import REFRESHED, SEARCH
from elysia_guard.edge.elysia.webapp.mends import Mends
from elysia_guard.edge.elysia.webapp.name_mends import NAMES
from elysia_guard.edge.elysia.webapp.outage_mends import OUTAGES
from elysia_guard.edge.elysia.webapp.reply_mends import APART, COPYING, GROWING, OPENING, STEADY

_SHOWN_AGAIN = "let r=X(e,t.payload.prompt,t.query_id,j);"
_SAID_WHY_NOT = (
    '((m=>m&&(Y([{type:"user_timeout_error",id:(0,a.Z)(),conversation_id:e,query_id:t,'
    'user_id:l||"",payload:{text:m}}],e,t),1))((await ee(l||"",e,t,r)).error)||E('
)
THUMBS = Mends(
    without="thumbs are green also when lost",
    pairs=(
        # A conversation that is opened again shows the thumbs that came with its questions.
        (_SHOWN_AGAIN, f"{_SHOWN_AGAIN}r.feedback=t.payload.feedback??null;"),
        # A thumb is taken back once the server has done so, ...
        ('(await (0,h.q)(l||"",e,t),E(', '((await (0,h.q)(l||"",e,t)).error||E('),
        # ... and green once it is kept; else the page says in its grey box why it is not.
        ('(ee(l||"",e,t,r),E(', _SAID_WHY_NOT),
    ),
)

WELCOME = Mends(
    without="a dialog asks for a Weaviate cluster at every visit",
    pairs=(("(()=>!localStorage.getItem(a))", "(!1)"),),
)

COMING_SOON = Mends(
    without="two entries of the menus do nothing",
    pairs=(
        (
            (
                ',(0,s.jsxs)(h.bb,{variant:"default",children:[(0,s.jsx)(b.mgB,{}),'
                '(0,s.jsx)("p",{children:"Import Data (Coming Soon)"})]})'
            ),
            "",
        ),
        (
            (
                ",(0,s.jsxs)(h.bb,{children:[(0,s.jsx)(k.Fuo,{}),"
                '(0,s.jsx)("p",{children:"Theme (Coming Soon)"})]})'
            ),
            "",
        ),
    ),
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
RENAMING = Mends(
    without="conversations cannot be renamed on it",
    pairs=(
        (
            "let{startNewConversation:a,currentConversation:t,removeConversation:r,",
            (
                "let{loadConversationsFromDB:again,startNewConversation:a,currentConversation:t,"
                "removeConversation:r,"
            ),
        ),
        (f"children:{_DELETE})", f'children:[{_RENAME},{_DELETE},"delete")]'),
    ),
)
_LISTED = "(P(e=>({...e,[r]:n})),t=!0);R(!1),"
RENAMED = Mends(
    without="a conversation that is renamed keeps its old title above it",
    pairs=(
        # What is open is called as the list calls it, whenever that is read.
        (
            _LISTED,
            f"{_LISTED}E(c=>c.map(o=>e.trees[o.id]?.title?{{...o,name:e.trees[o.id].title}}:o)),",
        ),
    ),
)

_BEGUN = '"chat"===S&&C("chat",{conversation:t},!0),o}'
STAYING = Mends(
    without="a page that is opened at once gives way to the chat when that is ready",
    pairs=(
        (
            _BEGUN,
            _BEGUN.replace("S&&", "S&&!/[?&]page=(?!chat)/.test(location.search)&&"),
        ),
    ),
)

DELETING = Mends(
    without="conversations cannot be deleted on it",
    pairs=(
        # It sends a text that it does not call JSON, which no page of another site may send either.
        (
            '"/delete_tree/").concat(t),{method:"DELETE",body:JSON.stringify({})}',
            '"/delete_tree/").concat(t),{method:"DELETE"}',
        ),
        # It asks for the list while the conversation is still being deleted.
        ('m(l||"",e),W()', 'm(l||"",e).then(()=>W())'),
    ),
)

VISITS = Mends(
    without="it asks for a script of another site, which is refused",
    pairs=(
        (
            (
                '(0,o.jsx)(i.default,{id:"_next-ga",'
                'src:"https://www.googletagmanager.com/gtag/js?id=".concat(t),nonce:c})'
            ),
            "null",
        ),
    ),
)
PRELOADED = '<link rel="preload" href="https://www.googletagmanager.com/gtag/js?id=" as="script"/>'
"""What asks for the same in the page itself."""

_SAID = 'e=>!!"".concat(null==e?"":e).trim()'
_NONE_NEEDED = (
    f"let said={_SAID},own=e.settings,"
    "plain=!(f||p||said(own.WCD_URL)||said(own.WCD_API_KEY)),"
    "unmodelled=![own.BASE_PROVIDER,own.BASE_MODEL,own.COMPLEX_PROVIDER,own.COMPLEX_MODEL]"
    ".some(said);"
)
_STORED = (
    f"let e=[],said={_SAID};if(t&&(t.save_location_weaviate_is_local||"
    "t.save_location_weaviate_is_custom||said(t.save_location_wcd_url)||"
    "said(t.save_location_wcd_api_key))&&"
    "(t.save_configs_to_weaviate||t.save_trees_to_weaviate)){"
)
_MODEL_FIELDS = ("base_provider", "base_model", "complex_provider", "complex_model")
_UNREAD = "{wcd_url:!1,wcd_api_key:!1,base_provider:!1,base_model:!1,complex_provider:!1,"
SETTINGS = Mends(
    without="Settings call a Weaviate and a model missing that nobody needs",
    pairs=(
        # What nobody has begun to fill in is not missing; what is half filled in still is.
        (f"{_UNREAD}complex_model:!1,", f"{_UNREAD}complex_model:!1,".replace("!1", "!0")),
        ("return{wcd_url:!!p||", f"{_NONE_NEEDED}return{{wcd_url:plain||!!p||"),
        ("wcd_api_key:!!f||", "wcd_api_key:plain||!!f||"),
        *((f"{name}:!!(", f"{name}:unmodelled||!!(") for name in _MODEL_FIELDS),
        (
            (
                "o||l||(null==e?void 0:null===(i=e.settings)||void 0===i?void 0:"
                "null===(s=i.WCD_API_KEY)||void 0===s?void 0:s.trim())||"
                'r.push("Weaviate API Key")'
            ),
            'n.wcd_api_key||r.push("Weaviate API Key")',
        ),
        (
            (
                "let e=[];if((null==t?void 0:t.save_configs_to_weaviate)||"
                "(null==t?void 0:t.save_trees_to_weaviate)){"
            ),
            _STORED,
        ),
        ("isInvalid:((null==s?", "isInvalid:i.length>0&&((null==s?"),
        ("isInvalid:!p&&!g&&((null==s?", "isInvalid:i.length>0&&!p&&!g&&((null==s?"),
        ('header:"Weaviate Cluster"', 'header:"Weaviate Cluster (optional)"'),
        ('children:"Elysia Storage"', 'children:"Elysia Storage (optional)"'),
        ('title:g="Models"', 'title:g="Models (optional)"'),
    ),
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
READ_ONLY = Mends(
    without="it offers to change collections that it cannot change",
    pairs=(
        ("children:[!h&&t.processed&&(", "children:[!h&&t.processed&&!t.read_only&&("),
        (_CLEAR_ALL, f"e.some(e=>!e.read_only)&&{_CLEAR_ALL}"),
        (_ANALYSIS, f"!t.read_only&&{_ANALYSIS}"),
        (
            "onEdit:()=>a.setEditingSummary(!0)",
            f"onEdit:{_WHO_MAY}()=>a.setEditingSummary(!0)",
        ),
        (
            "onEdit:()=>a.setEditingMappings(!0)",
            f"onEdit:{_WHO_MAY}()=>a.setEditingMappings(!0)",
        ),
        ("!a&&(0,n.jsxs)(m.z,{onClick:o,", "!a&&o&&(0,n.jsxs)(m.z,{onClick:o,"),
        ("!t&&(0,n.jsxs)(m.z,{onClick:l,", "!t&&l&&(0,n.jsxs)(m.z,{onClick:l,"),
    ),
)

_PROMPT = (
    '(0,n.jsx)(r.E.p,{className:"text-primary text-sm truncate lg:w-[35vw] w-[80vw]",'
    "initial:{opacity:.8},whileHover:{opacity:1,transition:{duration:.2}},children:e})"
)
_TOLD = "((N.find(t=>(t.prompt_kinds||{})[e])||{}).prompt_kinds||{})[e]"
_BESIDE = (
    f'{_TOLD}&&(0,n.jsx)("span",{{className:"text-secondary text-xs",'
    f'style:{{width:"4.5rem",flexShrink:0,textAlign:"left"}},children:{_TOLD}.kind}})'
)
_ABOUT = f'{_TOLD}&&(0,n.jsx)("span",{{className:"text-secondary",children:{_TOLD}.about}},e)'
_WHOLE = 'style:{flex:"1 1 0",minWidth:0,width:"auto",whiteSpace:"normal"}'
_SHOWN = _PROMPT.replace("children:e", f"{_WHOLE},children:[e,{_ABOUT}]")
_LINE = '"flex items-center justify-start gap-2 relative z-10"'
PROMPTS = Mends(
    without="its start page does not say what kind of question each is",
    pairs=(
        (_PROMPT, f"{_BESIDE},{_SHOWN}"),
        # A question that is longer than its line goes on below, and is not cut.
        (f"className:{_LINE},", f'className:{_LINE},style:{{width:"100%"}},'),
    ),
)

_AT_RANDOM = "m.reduce((e,t)=>e.concat(t.prompts||[]),[]).sort(()=>.5-Math.random()).slice(0,e)"
_IN_TURN = (
    "(()=>{let of=m.reduce((e,t)=>({...e,...t.prompt_kinds}),{}),seen={};"
    "return m.reduce((e,t)=>e.concat(t.prompts||[]),[]).sort(()=>.5-Math.random())"
    ".map(e=>{let k=(of[e]||{}).kind;return[seen[k]=(seen[k]||0)+1,e]})"
    ".sort((e,t)=>e[0]-t[0]).map(e=>e[1])})().slice(0,e)"
)
MIXED = Mends(
    without="its start page may offer questions of one kind alone",
    pairs=((_AT_RANDOM, _IN_TURN),),
)

FEEDBACK = Mends(
    without="its list of thumbs ends after twenty",
    pairs=(
        ('"ELYSIA_FEEDBACK__",v-1,20,', '"ELYSIA_FEEDBACK__",v,500,'),
        (
            "N(Math.ceil((await ny(c)).total_feedback/20)-1)",
            "N(Math.max(Math.ceil((await ny(c)).total_feedback/500)-1,0))",
        ),
    ),
)

EVERY = (
    THUMBS,
    WELCOME,
    COMING_SOON,
    RENAMING,
    RENAMED,
    STAYING,
    DELETING,
    VISITS,
    SETTINGS,
    READ_ONLY,
    PROMPTS,
    MIXED,
    FEEDBACK,
    GROWING,
    STEADY,
    APART,
    COPYING,
    OPENING,
    SEARCH,
    REFRESHED,
    *NAMES,
    *OUTAGES,
)
