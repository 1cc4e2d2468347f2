"""The writer of the settings: a server of its own or that of ``llm``, behind the breaker."""

from __future__ import annotations

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.models import ModelCaller, ModelCallers
from elysia_guard.adapters.models.chat import Chat
from elysia_guard.adapters.verifiers.local import LocalVerifier, PairModel
from elysia_guard.adapters.writers.guarded import FormChat
from elysia_guard.adapters.writers.language_model import LanguageModelWriter
from elysia_guard.adapters.writers.thinking import LanguageModelCritic, LanguageModelPlanner
from elysia_guard.config import Config, VerifierSection
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.events import CallPurpose, TokensUsed
from elysia_guard.domain.mode import Mode
from elysia_guard.ports import Clock, Verifier
from elysia_guard.stages.writing import Desk
from elysia_guard.wiring.surroundings import Surroundings


def key_variable(config: Config) -> str:
    """Name the variable that holds the key of the server that writes; empty for none."""
    return config.writer.api_key_env if config.writer.url else config.llm.api_key_env


def lacking(config: Config) -> str:
    """Say what a profile that writes lacks, and the way out; nothing where it lacks nothing."""
    if not config.policy.writes:
        return ""
    if config.writer.kind == "none":
        lacks = "the settings name none: set writer.kind (docs/writing.md)"
    elif config.writer.mode == "instant":
        lacks = "writer.mode is 'instant', in which nobody writes: choose auto or thinking"
    else:
        return ""
    return f"profile '{config.profile}' needs a model that writes, and {lacks}, or another profile"


def desk_of(config: Config, key: str, callers: ModelCallers, around: Surroundings) -> Desk | None:
    """Make the writer that the settings name; None where they name none, or a tree's own model.

    Raises:
        ConfigError: its key is not there.
    """
    if config.writer.kind == "none" or config.writes_with_elysia:
        return None
    own = bool(config.writer.url)
    named, section = ("writer", config.writer) if own else ("llm", config.llm)
    _want_key(named, section.api_key_env, key)
    caller = callers.of(f"writer\n{section.url}\n{section.model}")
    served = _served(section.url, section.model, key, around, section=named, purpose="write")
    return seated(served, caller, config, around.clock)


def verifier_of(
    config: Config, key: str, callers: ModelCallers, around: Surroundings
) -> Verifier | None:
    """Make the second opinion that the settings name; None where they name none.

    Raises:
        ConfigError: its key, its files or what it needs to run is not there.
    """
    section = config.verifier
    if section.kind == "none":
        return None
    if section.kind != "language_model":
        local = LocalVerifier(_local(section), callers.of(f"verifier\n{section.path}"))
        around.opened.callback(local.close)
        return local
    _want_key("verifier", section.api_key_env, key)
    caller = callers.of(f"verifier\n{section.url}\n{section.model}")
    served = _served(section.url, section.model, key, around, section="verifier", purpose="verify")
    return LanguageModelCritic(FormChat(served, caller, purpose="verify"))


def _local(section: VerifierSection) -> PairModel:
    assert section.path is not None  # noqa: S101  (the section has made sure)
    if section.kind == "onnx":
        from elysia_guard.adapters.verifiers.onnx import OnnxVerifier

        return OnnxVerifier.load(
            section.path, label=section.label, order=section.pair, max_tokens=section.max_tokens
        )
    from elysia_guard.adapters.verifiers.lettuce import LettuceVerifier

    return LettuceVerifier.load(section.path, lang=section.prompt_lang)


def _want_key(section: str, variable: str, key: str) -> None:
    if variable and not key:
        raise ConfigError(
            f"{section}.api_key_env: the variable {variable} holds no key; set it before "
            "the start, or leave its name out"
        )


def seated(
    chat: Chat,
    caller: ModelCaller,
    config: Config,
    clock: Clock,
) -> Desk:
    """Seat a model as the settings want it."""
    section, asked = config.writer, FormChat(chat, caller)
    writer = LanguageModelWriter(
        asked, max_chars=section.source_max_chars, language=config.written_in
    )
    return Desk(
        writer=writer,
        planner=LanguageModelPlanner(asked),
        critic=LanguageModelCritic(asked),
        supported_from=section.supported_from,
        mode=Mode(section.mode),
        deadline_s=section.deadline_seconds,
        thinking_s=section.thinking_seconds,
        max_chars=section.max_chars,
        clock=clock,
    )


def _served(
    url: str, model: str, key: str, around: Surroundings, *, section: str, purpose: CallPurpose
) -> Chat:
    # httpx takes a tenth of a second to import, and quotes have no use for it.
    from elysia_guard.adapters.models.any_loop import ChatFromAnyLoop
    from elysia_guard.adapters.models.openai_chat import OpenAIChat

    def used(prompt: int, written: int) -> None:
        around.observe(TokensUsed(purpose=purpose, prompt=prompt, written=written))

    loop = BackgroundLoop(f"elysia-guard-{section}")
    around.opened.callback(loop.close)
    chat = OpenAIChat(url, model, api_key=key, section=section, used=used)
    around.opened.callback(lambda: loop.run(chat.aclose()))
    return ChatFromAnyLoop(chat, loop)
