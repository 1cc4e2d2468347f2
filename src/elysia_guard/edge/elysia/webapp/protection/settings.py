"""What people may set: keys under the names of keys, and addresses that the configuration allows.

What is kept has real keys in place of what the page was shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.access_policy import Policy
from elysia_guard.edge.elysia.webapp.protection.bounds import Refusal
from elysia_guard.edge.elysia.webapp.protection.vault import (
    Vault,
    is_handle,
    is_secret,
    passwords,
)

InUse = Callable[[str], Mapping[str, Any]]
"""The settings that a user has now."""

_HOST_FIELD = re.compile(r"(?:^|_)(?:wcd_url|weaviate_url|http_host|grpc_host|api_base)$", re.I)
_LOCAL_FIELD = re.compile(r"(?:^|_)weaviate_is_local$", re.I)
_KEY_NAME = re.compile(
    r"[a-z0-9_]*(api_?key|api_version|api_base|_account_id|_jwt|_access_key_id"
    r"|_secret_access_key|_region_name|_token)$",
    re.I,
)
_PART_OF_ADDRESS = re.compile(r"(api_version|_account_id|_region_name)$", re.I)
_WORD = re.compile(r"[\w.-]*\Z")
_LONGEST_NAME = 100
_LOCAL_PORTS = ("local_weaviate_port", "local_weaviate_grpc_port")
_TEXTS = frozenset({"style", "agent_description", "end_goal", "name"})


class SettingsRefusedError(ConfigError):
    """A setting that nobody may make here; the message names it and the way out."""


def check_request(said: Any, user_id: str, policy: Policy, in_use: InUse) -> None:
    """Hold all settings of a request against what may be set.

    Raises:
        Refusal: an address is not allowed, a name is that of no key, or the form is wrong.
    """
    sections = list(_sections(said))
    if not sections:
        return
    try:
        for section in sections:
            check(section, policy, in_use(user_id))
    except SettingsRefusedError as err:
        raise Refusal(status=403, why=str(err)) from err


def check(settings: Mapping[str, Any], policy: Policy, current: Mapping[str, Any]) -> None:
    """Hold settings against what may be set; what stands already may stay.

    Raises:
        SettingsRefusedError: one may not.
    """
    for name, value in _keys(settings).items():
        _check_key(name, value)
    if policy.is_owners and policy.server.allowed_addresses is None:
        return
    now = dict(_flat(current))
    before = _addresses(now)
    for name, address in _addresses({**now, **dict(_flat(settings))}).items():
        if before.get(name) != address and not _allowed(address, policy):
            raise SettingsRefusedError(
                f"{name} names an address that this server may not call; "
                "server.allowed_addresses in guard.yaml lists those that it may"
            )


def resolved(
    settings: Mapping[str, Any], vault: Vault, current: Mapping[str, Any]
) -> dict[str, Any]:
    """Return settings with keys in place of their handles.

    A handle of another run keeps the key that has its name now, if there is one.
    """
    now = dict(_flat(current))

    def key(name: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {inner: key(inner, item) for inner, item in value.items()}
        if is_handle(value):
            return vault.key(value) or now.get(name.lower(), "")
        kept = now.get(name.lower())
        # An address was shown without its password.
        return kept if isinstance(kept, str) and value == vault.redact(kept) else value

    return {name: key(name, value) for name, value in settings.items()}


def keys_of(settings: Mapping[str, Any]) -> Iterable[str]:
    """The values of settings that are keys."""
    for name, value in settings.items():
        if name.lower() == "api_keys" and isinstance(value, Mapping):
            yield from (item for item in value.values() if isinstance(item, str))
        elif isinstance(value, str) and name.lower().endswith("api_key"):
            yield value
    yield from passwords(value for _, value in _flat(settings))


def check_no_new_key(settings: Mapping[str, Any], current: Mapping[str, Any]) -> None:
    """Hold settings against entering a key, which one process of several would know alone.

    Raises:
        SettingsRefusedError: a key is entered.
    """
    now = dict(_flat(current))
    named = {**settings, **_keys(settings)}
    for name, value in named.items():
        if isinstance(value, str) and value and is_secret(name) and now.get(name.lower()) != value:
            raise SettingsRefusedError(
                f"{name}: several servers answer here, and a key that is entered on this page "
                f"would be known to one of them alone; set {name.upper()} in the environment of all"
            )


def _sections(said: Any) -> Iterable[Mapping[str, Any]]:
    """The settings within a request, wherever they stand."""
    if not isinstance(said, dict):
        return
    config = said.get("config")
    inner = config.get("settings") if isinstance(config, dict) else None
    for section in (config, inner, said.get("settings"), said.get("frontend_config")):
        if isinstance(section, dict):
            yield section
        elif section is not None:
            raise Refusal(status=422, why="Settings must be an object.")


def _flat(settings: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """All settings by their names in lower case, those of sections within too."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value)
        elif name not in _TEXTS:
            yield name.lower(), value


def _keys(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    for name, value in settings.items():
        if name.lower() == "api_keys" and isinstance(value, Mapping):
            return value
    return {}


def _addresses(settings: Mapping[str, Any]) -> dict[str, str]:
    """What settings make the server call, by the name of the setting; flat, in lower case."""
    found: dict[str, str] = {}
    for name, value in settings.items():
        if not value or is_handle(value):
            continue
        if _LOCAL_FIELD.search(name):
            local = str(value).lower() == "true"
            ports = [settings.get(name.replace("weaviate_is_local", port)) for port in _LOCAL_PORTS]
            found |= {f"{name} ({port})": f"localhost:{port}" for port in ports if local and port}
        elif isinstance(value, str) and _HOST_FIELD.search(name):
            port = settings.get(re.sub("_host$", "_port", name)) if name.endswith("host") else None
            found[name] = f"{value}:{port}" if port else value
        elif isinstance(value, str) and "://" in value:
            found[name] = value
    return found


def _allowed(address: str, policy: Policy) -> bool:
    return any(_fits(address, entry) for entry in policy.server.allowed_addresses or ())


def _fits(value: str, entry: str) -> bool:
    asked, allowed = _parts(value), _parts(entry)
    if asked is None or allowed is None or not asked[1]:
        return False
    return all(want is None or want == have for want, have in zip(allowed, asked, strict=True))


def _parts(address: str) -> tuple[str | None, str | None, int | None] | None:
    """Scheme, host and port of an address; what is not said is None."""
    try:
        split = urlsplit(address if "://" in address else f"//{address}")
        port = split.port
    except ValueError:
        return None
    if split.username is not None or "\\" in address or any(map(str.isspace, address)):
        return None
    return split.scheme or None, split.hostname, port


def _check_key(name: str, value: Any) -> None:
    if name == "null" or is_handle(value):
        return
    if len(name) > _LONGEST_NAME or not _KEY_NAME.fullmatch(name):
        # Elysia puts them all into the environment, where other names mean other things.
        raise SettingsRefusedError(f"API_KEYS: '{name[:_LONGEST_NAME]}' is not the name of a key")
    if _PART_OF_ADDRESS.search(name) and not _WORD.match(str(value)):
        raise SettingsRefusedError(f"{name} may hold letters, digits, '.', '-' and '_' alone")


@dataclass(frozen=True, kw_only=True)
class Vetting:
    """What may be set, and which keys are known."""

    policy: Policy = field(default_factory=Policy)
    vault: Vault = field(default_factory=Vault)
    alone: bool = True
    """Whether no other process answers the same users: only then may they enter keys here."""

    def vetted(self, settings: Mapping[str, Any], current: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings as they are to be kept.

        Raises:
            SettingsRefusedError: one may not be made.
        """
        meant = resolved(settings, self.vault, current)
        check(meant, self.policy, current)
        if not self.alone:
            check_no_new_key(meant, current)
        self.vault.learn(keys_of(meant))
        return meant
