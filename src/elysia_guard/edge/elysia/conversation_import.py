"""A conversation that a tree takes over, keeps the last turns of, and gives away without keys.

Of one that Elysia began without the guard, what a model said is withheld. One that the guard has
saved bears a mark beside its contents, at the top of what is saved. Elysia writes the keys there
itself, and drops the mark when it loads and saves; nothing that a model, a tool or a person says in
a conversation can put it there.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from elysia_guard.domain.question import Lang
from elysia_guard.edge.elysia.host import Environment, Settings, TreeData
from elysia_guard.language.catalogue import say
from elysia_guard.language.identify import identify

if TYPE_CHECKING:
    from elysia_guard.edge.elysia.tree import GuardedTree

STATE_KEY = "elysia_guard"
"""Where the guard keeps its state in the hidden environment of a tree."""
MARK_KEY = "elysia_guard"
MARK = {"format": 1}
MAX_TITLE_CHARS = 60

_SUMMARIES = "items_to_summarise"
"""Where Elysia's tools leave results for one another, with what models wrote of them."""
_PLAIN_DATA = frozenset(
    {
        "settings",
        "user_prompt",
        "conversation_history",
        "environment",
        "tasks_completed",
        "num_trees_completed",
        "recursion_limit",
        "atlas",
        "collection_data",
        "collection_names",
        "errors",
        "current_task",
    }
)


def marked(saved: dict[str, Any]) -> dict[str, Any]:
    """Mark a conversation that is saved as the guard's."""
    return {**saved, MARK_KEY: dict(MARK)}


def is_ours(saved: Mapping[str, Any]) -> bool:
    """Tell whether the guard has saved a conversation, and nobody after it."""
    return bool(saved.get(MARK_KEY) == MARK)


def title_of(first_question: str) -> str:
    """The title of a conversation: its first question, shortened."""
    asked = first_question.strip()
    return asked if len(asked) <= MAX_TITLE_CHARS else f"{asked[: MAX_TITLE_CHARS - 1]}\u2026"


def recall(tree: GuardedTree) -> None:
    """Know again what was asked before in a conversation."""
    for question in _questions(tree.tree_data.conversation_history):
        tree.completions.authorship.asked(question)


def withhold(tree: GuardedTree, *, state: Mapping[str, Any] | None = None) -> None:
    """Keep what the person said, and put a fixed line in the place of every answer.

    Whatever else a model may have written goes: results, reasons, title, suggestions, records. Of
    a state that a program keeps in the tree, ``state``, all stays but what Elysia's tools left.
    """
    data = tree.tree_data
    _remember(tree)
    data.conversation_history = list(_history(tree, data.conversation_history))
    tree.returner.store = list(_shown(tree, tree.returner.store))
    hidden = {key: value for key, value in (state or {}).items() if key not in _LEFT}
    data.environment = Environment(hidden_environment=hidden)
    _forget(tree, data)
    first = next(_questions(data.conversation_history), "")
    tree.conversation_title = title_of(first)
    recall(tree)


_LEFT = {STATE_KEY, _SUMMARIES}


def _forget(tree: GuardedTree, data: TreeData) -> None:
    """Empty every record of what was decided and found."""
    data.tasks_completed, data.errors, data.current_task = [], {}, None
    for name in set(vars(data)) - _PLAIN_DATA:
        delattr(data, name)
    tree.history, tree.actions_called = {}, {}
    tree.training_updates, tree.action_information, tree.retrieved_objects = [], [], []
    tree.suggestions, tree.decision_history = [], [[]]
    if hasattr(tree, "current_decision"):
        del tree.current_decision


def _remember(tree: GuardedTree) -> None:
    """Take note of what the model said: a tool that gives it back gives no source."""
    data = tree.tree_data
    said = [item for item in _entries(data.conversation_history) if item.get("role") != "user"]
    read = [data.environment.environment, list(_questions(data.conversation_history))]
    tree.completions.wrote(
        [said, data.tasks_completed, tree.conversation_title, tree.suggestions], having_read=read
    )


def _history(tree: GuardedTree, history: object) -> Iterator[dict[str, str]]:
    lang, answered = tree.pipeline.default_lang, True
    for said in _entries(history):
        if said.get("role") == "user" and isinstance(content := said.get("content"), str):
            yield {"role": "user", "content": content}
            lang, answered = identify(content, default=tree.pipeline.default_lang), False
        elif not answered:
            yield {"role": "assistant", "content": say(lang, "talk.withheld")}
            answered = True


def _shown(tree: GuardedTree, store: object) -> Iterator[dict[str, Any]]:
    """What the page shows again: each question, and that its answer is withheld."""
    query_id, answered = "", True
    lang: Lang = tree.pipeline.default_lang
    for payload in _entries(store):
        prompt = _prompt(payload)
        if prompt is not None:
            query_id, answered = str(payload.get("query_id", "")), False
            lang = identify(prompt, default=tree.pipeline.default_lang)
            yield _payload(tree, "user_prompt", query_id, {"prompt": prompt})
        elif not answered:
            line = {"text": say(lang, "talk.withheld")}
            response = {"type": "response", "metadata": {}, "objects": [line]}
            yield _payload(tree, "text", query_id, response)
            yield _payload(tree, "completed", query_id, {})
            answered = True


def _payload(tree: GuardedTree, kind: str, query_id: str, content: object) -> dict[str, Any]:
    return {
        "type": kind,
        "id": str(uuid.uuid4()),
        "user_id": tree.user_id,
        "conversation_id": tree.conversation_id,
        "query_id": query_id,
        "payload": content,
    }


def _prompt(payload: Mapping[str, Any]) -> str | None:
    content = payload.get("payload")
    if payload.get("type") != "user_prompt" or not isinstance(content, Mapping):
        return None
    prompt = content.get("prompt")
    return prompt if isinstance(prompt, str) else None


def _questions(history: object) -> Iterator[str]:
    for said in _entries(history):
        if said.get("role") == "user" and isinstance(content := said.get("content"), str):
            yield content


def _entries(items: object) -> Iterator[Mapping[str, Any]]:
    """The entries of a list that comes from a store, where anything may stand."""
    if isinstance(items, Sequence):
        yield from (item for item in items if isinstance(item, Mapping))


MOST_TURNS = 100
MOST_COPIES = 5
"""Of all that a tree held at the end of a turn, which Elysia makes for each."""


def forget_older(tree: GuardedTree) -> None:
    """Let go of what is older than the last turns; to be called between two questions.

    What was shown may be kept in a store, whole.
    """
    data = tree.tree_data
    keep_title(tree)
    _cut(data.conversation_history, lambda said: said["role"] == "user")
    _cut(tree.returner.store, lambda item: bool(item) and item["type"] == "user_prompt")
    del data.tasks_completed[:-MOST_TURNS]
    for named in data.environment.environment.values():
        for found in named.values():
            del found[:-MOST_TURNS]
    for by_turn in (tree.prompt_to_query_id, tree.query_id_to_prompt, tree.actions_called):
        for old in list(by_turn)[:-MOST_TURNS]:
            del by_turn[old]
    for old in list(tree.history)[:-MOST_COPIES]:
        del tree.history[old]


def recent(turns: list[str]) -> list[str]:
    """Return those of some turns, the last one last, that a tree is sure to hold."""
    return turns[-MOST_TURNS:]


def keep_title(tree: GuardedTree) -> None:
    """Title a conversation with its first question, unless it has a title."""
    history = tree.tree_data.conversation_history
    questions = (said["content"] for said in history if said["role"] == "user")
    tree.conversation_title = tree.conversation_title or title_of(next(questions, "")) or None


def _cut(items: list[Any], begins: Any) -> None:
    """Cut off what stands before the last turns."""
    starts = [place for place, item in enumerate(items) if begins(item)]
    if len(starts) > MOST_TURNS:
        del items[: starts[-MOST_TURNS]]


_KEY = "WCD_API_KEY"
_KEYS = "API_KEYS"


def own_settings() -> Settings:
    """The settings of this process, which a tree has where it is given none."""
    from elysia.config import settings

    own: Settings = settings
    return own


def without_keys(saved: dict[str, Any]) -> dict[str, Any]:
    """Return an exported tree with no key in its settings; Elysia writes them in clear, twice."""
    return _with(saved, lambda own: {**own, _KEY: "", _KEYS: dict.fromkeys(own.get(_KEYS, {}), "")})


def with_keys(saved: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return a tree to import, with the keys of these settings."""

    def lent(own: Mapping[str, Any]) -> dict[str, Any]:
        kept = {name: value for name, value in own.get(_KEYS, {}).items() if value}
        key = settings.WCD_API_KEY or own.get(_KEY, "")
        return {**own, _KEY: key, _KEYS: {**kept, **settings.API_KEYS}}

    return _with(saved, lent)


def _with(saved: dict[str, Any], change: Any) -> dict[str, Any]:
    shown = dict(saved)
    for holder in _holders(shown):
        holder["settings"] = change(holder["settings"])
    return shown


def _holders(shown: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Where settings stand; each is a copy, so that the tree's own stay as they are."""
    if isinstance(shown.get("settings"), Mapping):
        yield shown
    if isinstance(inner := shown.get("tree_data"), Mapping) and "settings" in inner:
        shown["tree_data"] = dict(inner)
        yield shown["tree_data"]
