"""Elysia's language models behind the guard's deadline and breaker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import dspy

from elysia_guard.adapters.models import (
    ModelCaller,
    ModelFailedError,
    NothingUsableError,
    late,
    unreachable,
)
from elysia_guard.domain.context import RequestContext, within
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.elysia.host import Settings

Result = TypeVar("Result")

# By name: which of these classes there are depends on the version of DSPy, and litellm, which
# has the others, takes two seconds to import.
_UNREACHED = {"LMTransportError", "APIConnectionError", "ConnectionError"}
_LATE = {"LMTimeoutError", "Timeout", "TimeoutError"}
_FAILED = {
    "LMRateLimitError",
    "LMServerError",
    "RateLimitError",
    "InternalServerError",
    "ServiceUnavailableError",
    "BadGatewayError",
}


def failure_of(err: Exception) -> SourceUnavailableError:
    """Say what an error of a model, its client or its parser means, in words of our own."""
    if isinstance(err, SourceUnavailableError):
        return err
    kinds = {kind.__name__ for kind in type(err).__mro__}
    if kinds & _LATE:
        return late()
    if kinds & _UNREACHED:
        return unreachable()
    if kinds & _FAILED:
        return ModelFailedError("the language model's server answered with a failure")
    return NothingUsableError("nothing came of the call to the language model")


async def translated(ask: Callable[[], Awaitable[Result]]) -> Result:
    """Ask a model, as ``ask`` does; its errors quote the model, and are replaced by ours.

    It is called only if there is time to: one that is given up before leaves nothing behind.

    Raises:
        SourceUnavailableError: it failed; see ``adapters.models``.
    """
    try:
        return await ask()
    except Exception as err:  # noqa: BLE001  (whatever a model, a client or a parser raises)
        raise failure_of(err) from None


def endpoint_of(settings: Settings) -> str:
    """Name all that tells the models of some settings from others."""
    names = ("BASE_PROVIDER", "BASE_MODEL", "COMPLEX_PROVIDER", "COMPLEX_MODEL", "MODEL_API_BASE")
    return "\n".join(str(getattr(settings, name, "")) for name in names)


class GuardedModel(dspy.BaseLM):
    """What a guarded model does otherwise than its class: each call passes its caller.

    A call that is part of another, such as a plan, is guarded with that.
    """

    caller: ModelCaller
    context: RequestContext

    async def acall(self, *args: Any, **kwargs: Any) -> Any:
        """Ask the model, within a deadline."""
        host: Any = super()
        with within(self.context):
            return await self.caller.call(
                lambda: translated(lambda: host.acall(*args, **kwargs)), purpose="tool"
            )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Ask the model from code that blocks; the model's own client bounds the time."""
        with within(self.context), self.caller.call_now(purpose="tool"):
            try:
                return super().__call__(*args, **kwargs)
            # Whatever a model, a client or a parser raises, as in ``translated``.
            except Exception as err:  # noqa: BLE001
                raise failure_of(err) from None


def guarded(
    model: dspy.BaseLM, settings: Settings, *, caller: ModelCaller, context: RequestContext
) -> dspy.BaseLM:
    """Put a model that a tree has loaded behind a caller, in place, for the request under way.

    It takes its key from the settings: the environment, where it would look, holds that of
    whichever run began last. A call is made once, where DSPy would ask a server that refuses four
    times in a row, with growing pauses: whether to ask again is the breaker's business.
    """
    if not isinstance(model, GuardedModel):
        kind: Any = type(model)
        model.__class__ = _guarded_class(kind)
        model.num_retries = 0
    provider = str(model.model).split("/", maxsplit=1)[0]
    if key := settings.API_KEYS.get(f"{provider}_api_key"):
        model.kwargs["api_key"] = key
    model.caller, model.context = caller, context
    return model


@cache
def _guarded_class(kind: Any) -> Any:
    return type(kind.__name__, (GuardedModel, kind), {})


class TreesChat:
    """A model of DSPy; see ``adapters.models.chat.Chat``."""

    def __init__(self, model: dspy.BaseLM) -> None:
        """Take the model."""
        self._model = model

    @property
    def model(self) -> str:
        return str(self._model.model)

    async def __call__(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any]
    ) -> str:
        """Return what it writes: the task says the form, which not every provider can enforce."""
        # As one text: what DSPy takes as messages is about to change.
        prompt = "\n\n".join(item["content"] for item in messages)
        said = await translated(lambda: self._model.acall(prompt, cache=False))
        match said:
            case [str(text), *_] | [{"text": str(text)}, *_]:
                return text
            case _:
                return ""
