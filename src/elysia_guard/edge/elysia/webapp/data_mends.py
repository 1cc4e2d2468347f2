"""What is mended in how Elysia's page shows the rows of a collection, and thumbs."""

from __future__ import annotations

from elysia_guard.edge.elysia.webapp.mends import Mends

_LOADED = (
    "v=async()=>{t&&a&&(b(!0),f.length>0?g||(u(1),x(!0)):x(!1),"
    'i(await aO(a,t.name,d,h,l,r,{type:"and",filters:[]},f)),b(!1))}'
)
_LOADED_FOR = (
    "v=async(w=f)=>{t&&a&&(b(!0),w.length>0?g||(u(1),x(!0)):x(!1),"
    'i(await aO(a,t.name,d,h,l,r,{type:"and",filters:[]},w).then(e=>e&&{...e,asked:w})),b(!1))}'
)
_ROWS = "children:!D||p||I?(0,n.jsx)(eF,{data:(null==p?void 0:p.items)||[],"
_NONE = (
    'children:p?.asked&&!I&&!p.items?.length?(0,n.jsxs)("div",{role:"status",'
    'className:"flex flex-col gap-4 items-center text-primary p-6",children:[(0,n.jsx)("p",'
    '{children:"Nothing was found for \'"+p.asked+"\' in "+(l?.name||"this collection")+"."}),'
    '(0,n.jsx)(m.z,{onClick:()=>{N(""),T("")},children:"Show all"})]}):'
)
SEARCH = Mends(
    without="a search that finds nothing shows an empty table",
    pairs=(
        # The words that rows were asked for stay with them, whatever is typed meanwhile.
        (_LOADED, _LOADED_FOR),
        (_ROWS, _NONE + _ROWS.removeprefix("children:")),
    ),
)

_READ = 'p.current=!0,S(null);let e=[];"positive"===w'
_HEADER = 'header:"User Feedback"'
REFRESHED = Mends(
    without="thumbs that are read again look as if nothing was done",
    pairs=(
        (_READ, _READ.replace("S(null)", 'p.at=new Date().toLocaleTimeString("en-GB"),S(null)')),
        (_HEADER, f'{_HEADER}+(p.at?" as of "+p.at:"")'),
    ),
)
