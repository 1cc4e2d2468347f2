"""What is mended in Elysia's page where collections cannot be read: it says so, and not another."""

from __future__ import annotations

from elysia_guard.edge.elysia.webapp.mends import Mends

_FETCHED = 'return(await t.json()).collections}catch(e){return console.error("Get Collections'
_LOADED = 'let e=await i(y.current);p(e),v(!1),g("".concat(e.length," Collections Loaded"))'
UNREAD = Mends(
    without="it does not say that collections cannot be read",
    pairs=(
        # The reason goes along with the list, which is all that the page hands on.
        (
            _FETCHED,
            _FETCHED.replace(
                "return(await t.json()).collections",
                "let said=await t.json();return Object.assign(said.collections,{said:said.error})",
                1,
            ),
        ),
        (
            _LOADED,
            _LOADED.replace("g(", 'e.said?f("Not everything can be read",e.said):g('),
        ),
    ),
)

_NONE = (
    "You currently have no data sources analyzed by Elysia. To use Elysia please analyze a data "
    "source from the list below. If no collections are available, please verify if your Weaviate "
    "instance contains any collections."
)
_EMPTY = (
    "There are no collections. 'elysia-guard ingest' fills them; those of a Weaviate that is "
    "connected can be analyzed below."
)
EMPTY = Mends(
    without="it asks for an analysis where collections cannot be read",
    pairs=((f'children:"{_NONE}"', f'children:(e&&e.said)||"{_EMPTY}"'),),
)

OUTAGES = (UNREAD, EMPTY)
