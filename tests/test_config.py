"""What the operator set wrong is named all at once, with what to do, and no secret is shown."""

from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bot.config import ConfigError, load_config


@pytest.fixture(scope="module")
def pem() -> str:
    """A private key as GitHub gives it."""
    key = rsa.generate_private_key(65_537, 2_048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode()


def test_everything_that_is_missing_is_named_at_once_with_what_to_do() -> None:
    with pytest.raises(ConfigError) as problem:
        load_config({})

    said = str(problem.value)
    for line in ("APP_ID is not set", "PRIVATE_KEY is not set (or PRIVATE_KEY_PATH)", "WEBHOOK_SECRET is not set"):
        assert f"* {line}\n" in said
    assert said.endswith('Copy .env.example to .env and fill it in: README.md, "Installing it on an organisation".')


def test_a_key_on_one_line_with_its_line_ends_written_out_is_read(pem: str) -> None:
    settings = {"APP_ID": "1", "WEBHOOK_SECRET": "s", "PRIVATE_KEY": pem.replace("\n", "\\n")}

    assert load_config(settings).private_key.strip() == pem.strip()


@pytest.mark.parametrize("spoil", [lambda pem: pem.splitlines()[0], lambda pem: pem[: len(pem) // 2]])
def test_a_key_that_cannot_be_read_stops_the_start_and_is_not_shown(pem: str, spoil: Callable[[str], str]) -> None:
    with pytest.raises(ConfigError, match="PRIVATE_KEY cannot be read as a key: write it on one line") as problem:
        load_config({"APP_ID": "1", "WEBHOOK_SECRET": "s", "PRIVATE_KEY": spoil(pem)})

    assert pem.splitlines()[1] not in str(problem.value)
