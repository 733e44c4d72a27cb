"""Seals: JSON that travels through a client's hands and comes back unchanged, or is refused.

A seal proves where a value came from and what it belongs to; it does not hide the value. Knows keys and
bytes; knows nothing of cursors, calls or principals, which are all just ``binding`` here.

A token is url-safe base64 over ``proof | key id | binding tag | body``. The proof covers everything after it, so that
whatever was altered is noticed; the tag is apart from it, so that a token used in the wrong place is told
from a forged one.
"""

import base64
import math
import os
import time
from hmac import compare_digest, digest

import msgspec

from accord._calls import JSON

__all__ = ["ALTERED", "BELONGS_ELSEWHERE", "EXPIRED", "NOT_OURS", "Seal", "Unsealed"]

NOT_OURS = "It is not one of ours, or its key is no longer in use."
ALTERED = "It was altered after it was sealed."
BELONGS_ELSEWHERE = "It belongs to something else."
EXPIRED = "It has expired."

_PROOF, _ID, _TAG = 16, 4, 12
#: characters of a token; longer ones are neither made nor read
_LONGEST = 65_536
_SHORTEST_KEY = 16
#: what seals until the process ends, where nobody gave a key
_KEY_OF_THIS_PROCESS = os.urandom(32)


class Unsealed(Exception):
    """A token that does not open. ``reason`` is one of the four sentences of this module."""

    reason: str

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Seal:
    """Seals JSON and opens what it sealed.

    ``key`` is one key as bytes, or a ring as text: ``"new,old"`` seals with the first and opens with all, so that
    keys can be changed while tokens are under way. Without one, a random key of this process seals, and
    its tokens end with it.

    Raises:
        ValueError: there is no key in ``key``, or one is too short to keep anybody out.
    """

    __slots__ = ("_keys",)

    def __init__(self, key: bytes | str | None = None) -> None:
        self._keys = tuple((_digest(each, b"id", b"")[:_ID], each) for each in _ring(key))

    def __repr__(self) -> str:
        return f"<Seal with {len(self._keys)} {'key' if len(self._keys) == 1 else 'keys'}>"

    def seal(self, payload: JSON, *, binding: bytes, expires: float | None = None) -> str:
        """The token that carries ``payload`` and opens for the same ``binding`` only.

        ``expires`` is in seconds since the epoch; None is never.

        Raises:
            ValueError: the payload is not JSON or too large to travel, or ``expires`` is no time.
        """
        if expires is not None and not math.isfinite(expires):
            raise ValueError("expires is in seconds since the epoch; for never, leave it out")
        identity, key = self._keys[0]
        signed = identity + _digest(key, b"binding", binding)[:_TAG] + _body(payload, expires)
        token = _text(_digest(key, b"token", signed)[:_PROOF] + signed)
        if len(token) > _LONGEST:
            raise ValueError(f"the state makes a token of {len(token)} characters, and {_LONGEST} may travel")
        return token

    def open(self, token: str, *, binding: bytes, now: float | None = None) -> JSON:
        """What the token carries.

        Raises:
            Unsealed: it was not sealed here, not for this ``binding``, or not for this late an hour.
        """
        raw = _bytes(token)
        proof, signed = raw[:_PROOF], raw[_PROOF:]
        key = next((key for identity, key in self._keys if identity == signed[:_ID]), None)
        if key is None:
            raise Unsealed(NOT_OURS)
        if not compare_digest(proof, _digest(key, b"token", signed)[:_PROOF]):
            raise Unsealed(ALTERED)
        if not compare_digest(signed[_ID : _ID + _TAG], _digest(key, b"binding", binding)[:_TAG]):
            raise Unsealed(BELONGS_ELSEWHERE)
        payload, expires = msgspec.json.decode(signed[_ID + _TAG :])
        if expires is not None and (time.time() if now is None else now) >= expires:
            raise Unsealed(EXPIRED)
        return payload


def _ring(key: bytes | str | None) -> list[bytes]:
    if key is None:
        return [_KEY_OF_THIS_PROCESS]
    keys = [key] if isinstance(key, bytes) else [each.strip().encode() for each in key.split(",") if each.strip()]
    if not keys or any(len(each) < _SHORTEST_KEY for each in keys):
        raise ValueError(
            f"a sealing key has at least {_SHORTEST_KEY} characters; "
            "make one with: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )
    return keys


def _digest(key: bytes, purpose: bytes, message: bytes) -> bytes:
    # The purpose keeps a tag from ever being a proof, whatever the bytes.
    return digest(key, b"accord." + purpose + b"\0" + message, "sha256")


def _body(payload: JSON, expires: float | None) -> bytes:
    try:
        return msgspec.json.encode((payload, expires))
    except (TypeError, RecursionError) as error:
        raise ValueError(f"the state is not JSON: {error}") from error


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def _bytes(token: object) -> bytes:
    if isinstance(token, str) and len(token) <= _LONGEST and token.isascii():
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            raise Unsealed(NOT_OURS) from None
        # Base64 has many spellings of the same bytes, and a seal has one.
        if _text(raw) == token:
            return raw
    raise Unsealed(NOT_OURS)
