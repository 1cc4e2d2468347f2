"""Taking over a conversation that Elysia began without the guard: what a model said is withheld.

A conversation that the guard has saved bears a mark beside its contents, at the top of what is
saved. Elysia writes the keys there itself, and drops the mark when it loads and saves; nothing that
a model, a tool or a person says in a conversation can put it there.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from elysia_guard.domain.question import Lang
from elysia_guard.edge.elysia.host import Environment, TreeData
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


def saved_title(saved: Mapping[str, Any]) -> str:
    """The title to show of a saved conversation: its own if it is ours, else its first question."""
    if is_ours(saved):
        return str(saved.get("conversation_title") or "")
    data = saved.get("tree_data")
    history = data.get("conversation_history") if isinstance(data, Mapping) else ()
    return title_of(next(_questions(history), ""))


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
