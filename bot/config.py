"""What the operator sets (docs/design.md section 13). The only module that reads the environment."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


class ConfigError(Exception):
    """What the operator set cannot be used as it is. One message names every problem and what to do."""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """Settings of one process, named as in the environment but in lower case."""

    app_id: int
    private_key: str
    webhook_secret: str
    github_api_url: str = "https://api.github.com"
    github_api_version: Literal["2026-03-10", "2022-11-28"] = "2026-03-10"
    database_url: str = ""
    data_dir: str = ""
    host: str = "0.0.0.0"  # noqa: S104 - a webhook receiver is meant to be reached; narrow it with HOST
    port: int = 3000
    role: Literal["all", "web", "worker"] = "all"
    lease_seconds: int = 600
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["text", "json"] = "text"
    failpoint: str = ""

    @property
    def api_is_loopback(self) -> bool:
        """Whether GitHub is a sandbox on this machine: the only case in which the clock may be shifted."""
        return urlsplit(self.github_api_url).hostname in LOOPBACK_HOSTS


class Database(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the settings that `migrate` needs, without the App's credentials."""

    database_url: str = ""
    data_dir: str = ""


WHAT_TO_DO = 'Copy .env.example to .env and fill it in: README.md, "Installing it on an organisation".'
SECRETS = frozenset({"private_key", "webhook_secret", "database_url"})


def read_environment(dotenv: Path = Path(".env")) -> dict[str, str]:
    """The process's environment over the lines of `.env`, if there is one."""
    lines = dotenv.read_text().splitlines() if dotenv.is_file() else []
    pairs = (
        line.removeprefix("export ").partition("=")
        for line in lines
        if "=" in line and not line.lstrip().startswith("#")
    )
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs} | dict(os.environ)


def load_config(env: Mapping[str, str]) -> Config:
    """Settings from `env`. Raises ConfigError naming every problem at once; a value of a secret is never shown."""
    problems: list[str] = []
    values = _values(Config, env, problems)
    _read_private_key(env, values, problems)
    for name in ("app_id", "private_key", "webhook_secret"):
        if not values.get(name) and not any(name.upper() in problem for problem in problems):
            also = " (or PRIVATE_KEY_PATH)" if name == "private_key" else ""
            problems.append(f"{name.upper()} is not set{also}")
    _check(values, problems)
    if problems:
        listed = "\n".join(f"  * {problem}" for problem in problems)
        raise ConfigError(f"Cannot start:\n{listed}\n{WHAT_TO_DO}")
    return msgspec.convert(values, Config, strict=False)


def load_database(env: Mapping[str, str]) -> Database:
    """Where the database is, for commands that need nothing else."""
    return msgspec.convert(_values(Database, env, []), Database, strict=False)


def _values(kind: type[msgspec.Struct], env: Mapping[str, str], problems: list[str]) -> dict[str, str]:
    """The variables that are set, each converted once on its own so that every wrong one is named."""
    values: dict[str, str] = {}
    for field in msgspec.structs.fields(kind):
        value = env.get(field.name.upper(), "").strip()
        if not value:
            continue
        value = value.lower() if field.name in {"log_level", "log_format", "role"} else value
        try:
            msgspec.convert(value, field.type, strict=False)
        except msgspec.ValidationError as error:
            shown = "its value" if field.name in SECRETS else repr(value)
            problems.append(f"{field.name.upper()} cannot be {shown}: {str(error).removesuffix(' - at `$`')}")
        else:
            values[field.name] = value
    return values


def _read_private_key(env: Mapping[str, str], values: dict[str, str], problems: list[str]) -> None:
    path = env.get("PRIVATE_KEY_PATH", "").strip()
    if path and "private_key" not in values:
        try:
            values["private_key"] = Path(path).read_text()
        except OSError as error:
            problems.append(f"PRIVATE_KEY_PATH cannot be read: {error.strerror}")
    if "private_key" in values:
        # An environment file holds one line: "\n" stands for a line's end, as other Apps do it.
        values["private_key"] = values["private_key"].replace("\\n", "\n")
        if "PRIVATE KEY" not in values["private_key"]:
            problems.append("PRIVATE_KEY is not a PEM private key: use the .pem file that GitHub gave you")
        elif not _is_key(values["private_key"]):
            problems.append(
                "PRIVATE_KEY cannot be read as a key: write it on one line with \\n for each line's end, or give the "
                "name of its file in PRIVATE_KEY_PATH"
            )


def _is_key(pem: str) -> bool:
    try:
        load_pem_private_key(pem.encode(), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return False
    return True


def _check(values: dict[str, str], problems: list[str]) -> None:
    url = urlsplit(values.get("github_api_url", "https://api.github.com"))
    if url.scheme not in {"http", "https"} or not url.hostname:
        problems.append("GITHUB_API_URL must be an http(s) address, such as https://api.github.com")
    elif url.scheme == "http" and url.hostname not in LOOPBACK_HOSTS:
        problems.append("GITHUB_API_URL must be https unless it is on this machine: tokens would travel in the clear")
    if values.get("failpoint") and url.hostname not in LOOPBACK_HOSTS:
        problems.append("FAILPOINT kills the process: it is for tests, where GITHUB_API_URL is on this machine")
    if not 30 <= int(values.get("lease_seconds", "600")) <= 86_400:
        problems.append("LEASE_SECONDS must be between 30 and 86400")
    if not 0 <= int(values.get("port", "3000")) <= 65_535:
        problems.append("PORT must be between 0 and 65535 (0 takes a free one)")
