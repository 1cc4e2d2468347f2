"""What a user may do, and what only the owner of the process or an administrator.

What is not named here is for administrators: a route that a new Elysia brings, or that changes a
setting, names an address, calls a model on command, or writes into a store.
"""

from __future__ import annotations

from elysia_guard.edge.access_policy import ADMIN_SECRET
from elysia_guard.edge.elysia.webapp.protection.principal import Principal

ADMINS_ONLY = (
    "This changes settings or a store, which is for administrators: log in with the value of "
    f"{ADMIN_SECRET}, or start the chat on loopback, where it is its owner's."
)

FOR_USERS = frozenset(
    {
        ("GET", "/"),
        ("GET", "/static"),
        ("GET", "/icon.svg"),
        ("GET", "/api/health"),
        ("GET", "/metrics"),  # it has a setting of its own
        ("GET", "/metrics.json"),
        ("POST", "/init/user/{user_id}"),
        ("POST", "/init/tree/{user_id}/{conversation_id}"),
        ("", "/ws/query"),
        ("GET", "/user/config/models"),
        ("GET", "/user/config/{user_id}"),
        ("GET", "/user/config/{user_id}/list"),
        ("GET", "/tree/config/{user_id}/{conversation_id}"),
        ("GET", "/tools/available"),
        ("GET", "/collections/mapping_types"),
        ("GET", "/collections/{user_id}/list"),
        ("POST", "/collections/{user_id}/view/{collection_name}"),
        ("GET", "/collections/{user_id}/get_object/{collection_name}/{uuid}"),
        ("GET", "/collections/{user_id}/metadata/{collection_name}"),
        ("GET", "/db/{user_id}/saved_trees"),
        ("GET", "/db/{user_id}/load_tree/{conversation_id}"),
        ("POST", "/db/{user_id}/save_tree/{conversation_id}"),
        ("DELETE", "/db/{user_id}/delete_tree/{conversation_id}"),
        ("POST", "/db/{user_id}/rename_tree/{conversation_id}"),
        ("GET", "/feedback/metadata/{user_id}"),
        ("POST", "/feedback/add"),
        ("POST", "/feedback/remove"),
        ("POST", "/guard/ask"),
        ("GET", "/guard/ready"),
        ("GET", "/guard/documents"),
        ("GET", "/healthz"),
        ("GET", "/guard/openapi.json"),
        ("POST", "/guard/feedback"),
        ("GET", "/guard/style.css"),
        ("GET", "/guard/model/{user_id}"),
        ("GET", "/guard/documents/{collection_name}/{document_id}"),
        ("GET", "/guard/concepts"),
        ("GET", "/guard/answers/{user_id}/{conversation_id}/{query_id}"),
        ("POST", "/util/ner"),
        ("POST", "/util/title"),
        ("POST", "/util/follow_up_suggestions"),
    }
)


SCRIPTS = "/_next"
"""Below it lie the page's own scripts and styles, the same for everybody."""

OWN_THUMBS = ("POST", "/collections/{user_id}/view/{collection_name}", "ELYSIA_FEEDBACK__")
"""What the page asks for a user's thumbs; of whoever is no administrator our route gives no others.
"""

OTHERS_DATA = "The collections that Elysia keeps its users' data in are for administrators."
_OF_ELYSIA = "elysia_"


def may_read(principal: Principal, collection: object) -> bool:
    """Tell whether somebody may read a collection: not those of all people's conversations."""
    return principal.admin or not str(collection).strip().lower().startswith(_OF_ELYSIA)


def may_view(principal: Principal, method: str, route: str, collection: str) -> bool:
    """Tell whether somebody may ask a route for a collection: as ``may_read``, and their thumbs."""
    return (method, route, collection) == OWN_THUMBS or may_read(principal, collection)


def may(principal: Principal, method: str, route: str) -> bool:
    """Tell whether somebody may use a route; the method of a websocket is empty."""
    plain = "GET" if method == "HEAD" else method
    page = plain == "GET" and (route == SCRIPTS or route.startswith(f"{SCRIPTS}/"))
    return principal.admin or page or (plain, route) in FOR_USERS
