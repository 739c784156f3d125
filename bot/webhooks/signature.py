"""HMAC-SHA256 over the raw body, before anything is parsed (docs/design.md section 14)."""

import hmac

PREFIX = b"sha256="


def is_genuine(body: bytes, signature: str | None, secret: str) -> bool:
    """Whether GitHub signed this body with our secret; a missing, sha1-only or non-ASCII signature is not GitHub's."""
    if not signature or not signature.isascii():
        return False
    expected = PREFIX + hmac.digest(secret.encode(), body, "sha256").hex().encode()
    return hmac.compare_digest(expected, signature.encode())
