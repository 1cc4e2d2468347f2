"""What ``elysia-guard doctor`` says of conversations: where they are kept, and who shares them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from elysia_guard.domain.errors import ConfigError, ConversationStoreError
from elysia_guard.edge.cli.surroundings import Check, State
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring

PART = "conversations"


def look(wiring: Wiring) -> Check:
    """Ask the store, as opening a conversation does; the guard answers without it too."""
    section = wiring.config.conversations
    try:
        keeper = wiring.conversations
    except ConfigError as err:
        # The chat does not start with it.
        return Check(part=PART, state=State.ERROR, text=str(err), needed=True)
    if keeper is None:
        text = "not kept (conversations.enabled); they end with the server"
        return Check(part=PART, state=State.OK, text=text, data={"kept": False})
    data: dict[str, object] = {
        "kept": True,
        "place": keeper.place,
        "shared": section.shared,
        "keep_days": section.keep_days,
    }
    started = time.perf_counter()
    try:
        # Not through the keeper, which would only log what is wrong.
        run_anywhere(keeper.store.settings(""))
    except ConversationStoreError as err:
        return Check(part=PART, state=State.ERROR, text=str(err), data=data)
    data["answers_ms"] = round((time.perf_counter() - started) * 1000, 1)
    kept = "for good" if section.keep_days is None else f"for {section.keep_days} days"
    others = ", shared with other servers" if section.shared else ""
    return Check(
        part=PART,
        state=State.OK,
        text=f"{keeper.place}, kept {kept}{others}; answers in {data['answers_ms']} ms",
        data=data,
    )
