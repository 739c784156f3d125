"""Who is calling: the App by a signed JWT, or an installation by a token."""

from typing import TYPE_CHECKING, Any

import jwt

from sandbox.errors import Refused
from sandbox.installation import Token

if TYPE_CHECKING:
    from sandbox.world import World

# GitHub refuses a JWT that is good for longer.
LONGEST_JWT_SECONDS = 600
SUSPENDED = "This installation has been suspended"


def bearer(header: str) -> str:
    """The credential of an Authorization header. Raises Refused (401) without one."""
    scheme, _, credential = header.partition(" ")
    if scheme.lower() not in ("bearer", "token") or not credential:
        raise Refused(401, "Requires authentication")
    return credential.strip()


def check_jwt(world: "World", credential: str) -> None:
    """The App's own call. Raises Refused (401) for a JWT that is not the App's or lives too long."""
    options: Any = {"require": ["iat", "exp", "iss"], "verify_iss": False}
    try:
        claims = jwt.decode(credential, world.app.public_key, algorithms=["RS256"], options=options)
    except jwt.ExpiredSignatureError:
        raise Refused(401, "'Expiration time' claim ('exp') is too far in the past") from None
    except jwt.InvalidTokenError:
        raise Refused(401, "A JSON web token could not be decoded") from None
    if str(claims["iss"]) not in (str(world.app.id), world.app.client_id):
        raise Refused(401, "'Issuer' claim ('iss') must be an Integer")
    if claims["exp"] > world.clock.real().timestamp() + LONGEST_JWT_SECONDS:
        raise Refused(401, "'Expiration time' claim ('exp') is too far in the future")


def check_token(world: "World", credential: str) -> Token:
    """An installation's call. Raises Refused: 401 for a token unknown, expired or revoked, 403 when suspended."""
    token = world.tokens.get(credential)
    if token is None or token.expires_at <= world.clock.real():
        raise Refused(401, "Bad credentials")
    if token.installation.suspended_at is not None:
        raise Refused(403, SUSPENDED)
    return token
