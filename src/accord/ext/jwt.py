"""JSON Web Tokens as ``verify=`` of ``Bearer``: ``pip install accord[jwt]``.

Nothing is fetched and nothing in a token decides how it is checked: which keys, which algorithms, which issuer and
which audience are the author's to say (RFC 8725). ``jku``, ``x5u`` and ``jwk`` in a token's header are not looked at.
"""

import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import jwt
import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa

from accord.auth import Principal

__all__ = ["JWTVerifier", "KeySource", "Keys"]

_log = logging.getLogger("accord.auth")

_RSA: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
_CURVES: Final = {"secp256r1": "ES256", "secp384r1": "ES384", "secp521r1": "ES512", "secp256k1": "ES256K"}
#: a shared secret is at least as long as the digest (RFC 7518)
_SHARED: Final = {"HS256": 32, "HS384": 48, "HS512": 64}
_ASYMMETRIC: Final = (*_RSA, *_CURVES.values(), "EdDSA")
#: what an access token calls itself: a token made for another purpose, by the same issuer, is none (RFC 8725, 3.11)
_TYPES: Final = frozenset({"jwt", "at+jwt", "application/at+jwt"})
_LONGEST: Final = 16_384
_SHORTEST_RSA: Final = 2048
#: what reading a hostile token may raise
_UNREADABLE: Final = (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError)

#: PEM text (a public key or a certificate), a JWK, a JWKS, a shared secret, or several of these
Keys: TypeAlias = str | bytes | Mapping[str, Any] | Sequence["str | bytes | Mapping[str, Any]"]
#: called with a token's key id, or None where it names none
KeySource: TypeAlias = Callable[[str | None], Keys | Awaitable[Keys]]

_Public: TypeAlias = rsa.RSAPublicKey | ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | ed448.Ed448PublicKey


class _Key(msgspec.Struct, frozen=True):
    material: _Public | bytes
    algorithms: frozenset[str]
    id: str | None = None

    def is_for(self, algorithm: str, key_id: str | None) -> bool:
        """Whether a token that names these may be checked with this key. What has no id may be meant by any."""
        return algorithm in self.algorithms and (key_id is None or self.id is None or self.id == key_id)


class _Unacceptable(Exception):
    """A token is refused. The reason is a word of ours or of the library's, and nothing of the token."""

    def log(self) -> None:
        _log.debug("a JSON Web Token was refused: %s", self)


class JWTVerifier:
    """Checks signature, issuer, audience and times of a token, and makes a ``Principal`` of it.

    ``keys`` are the issuer's public keys; a callable is asked for them at every token, may be async, and should keep
    what it fetches. ``audience`` is what the token's ``aud`` has to hold, as a rule this endpoint's URI. ``leeway`` is
    in seconds. ``name_claim`` names the principal, ``scope_claim`` holds its scopes, as one text or a list.

    Raises:
        ValueError: the algorithms or the keys would let somebody in who should not be, or nobody at all.
    """

    def __init__(
        self,
        *,
        issuer: str,
        audience: str | Iterable[str],
        keys: Keys | KeySource,
        algorithms: Iterable[str] = ("RS256", "PS256", "ES256", "EdDSA"),
        leeway: float = 0.0,
        scope_claim: str = "scope",
        name_claim: str = "sub",
    ) -> None:
        self._issuer = issuer
        self._audience = (audience,) if isinstance(audience, str) else tuple(audience)
        self._algorithms = _checked_algorithms(algorithms)
        self._leeway = leeway
        self._scope_claim = scope_claim
        self._name_claim = name_claim
        if not issuer or not self._audience or not all(self._audience):
            raise ValueError("issuer and audience say whose tokens are accepted: neither can be empty")
        self._source = keys if callable(keys) else None
        self._keys = () if callable(keys) else self._usable(keys)

    def __repr__(self) -> str:
        return f"JWTVerifier(issuer={self._issuer!r}, audience={list(self._audience)})"

    def __call__(self, token: str) -> Principal | Awaitable[Principal | None] | None:
        """The principal of a token, or None for one that is not valid here; awaitable where the keys are."""
        try:
            algorithm, key_id = self._header(token)
        except _Unacceptable as reason:
            reason.log()
            return None
        if self._source is None:
            return self._checked(token, algorithm, key_id, self._keys)
        keys = self._source(key_id)
        if inspect.isawaitable(keys):
            return self._later(token, algorithm, key_id, keys)
        return self._checked(token, algorithm, key_id, self._usable(keys))

    async def _later(self, token: str, algorithm: str, key_id: str | None, keys: Awaitable[Keys]) -> Principal | None:
        return self._checked(token, algorithm, key_id, self._usable(await keys))

    def _usable(self, given: Keys) -> tuple[_Key, ...]:
        keys = tuple(key for key in _keys_of(given) if not key.algorithms.isdisjoint(self._algorithms))
        if not keys:
            raise ValueError(f"none of the keys can be used with {', '.join(sorted(self._algorithms))}")
        return keys

    def _header(self, token: str) -> tuple[str, str | None]:
        """The algorithm and the key that the token names, where we would have chosen them ourselves."""
        if len(token) > _LONGEST:
            raise _Unacceptable("length")
        try:
            header = jwt.get_unverified_header(token)
        except _UNREADABLE as error:
            raise _Unacceptable(type(error).__name__) from None
        algorithm, kind, key_id = header.get("alg"), header.get("typ", "JWT"), header.get("kid")
        if not isinstance(algorithm, str) or algorithm not in self._algorithms:
            raise _Unacceptable("algorithm")
        if not isinstance(kind, str) or kind.lower() not in _TYPES:
            raise _Unacceptable("type")
        if "crit" in header or not isinstance(key_id, str | None):
            raise _Unacceptable("header")
        return algorithm, key_id

    def _checked(self, token: str, algorithm: str, key_id: str | None, keys: tuple[_Key, ...]) -> Principal | None:
        try:
            return self._principal(token, algorithm, key_id, keys)
        except _Unacceptable as reason:
            reason.log()
            return None

    def _principal(self, token: str, algorithm: str, key_id: str | None, keys: tuple[_Key, ...]) -> Principal:
        for key in keys:
            if not key.is_for(algorithm, key_id):
                continue
            try:
                claims = self._claims(token, algorithm, key)
            except jwt.InvalidSignatureError:
                continue
            except _UNREADABLE as error:
                raise _Unacceptable(type(error).__name__) from None
            return self._named(claims)
        raise _Unacceptable("signature")

    def _claims(self, token: str, algorithm: str, key: _Key) -> dict[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            key.material,
            algorithms=[algorithm],
            issuer=self._issuer,
            audience=self._audience,
            leeway=self._leeway,
            options={"require": ["exp", "aud", "iss", self._name_claim]},
        )
        return claims

    def _named(self, claims: dict[str, Any]) -> Principal:
        name, scopes = claims[self._name_claim], claims.get(self._scope_claim, ())
        if isinstance(scopes, str):
            scopes = scopes.split()
        if not isinstance(name, str) or not name or not isinstance(scopes, Sequence):
            raise _Unacceptable("claims")
        held = frozenset(scope for scope in scopes if isinstance(scope, str))
        return Principal(name, scopes=held, claims=claims, audience=claims["aud"])


def _checked_algorithms(given: Iterable[str]) -> frozenset[str]:
    algorithms = frozenset((given,) if isinstance(given, str) else given)
    unknown = sorted(algorithms - {*_ASYMMETRIC, *_SHARED})
    if unknown or not algorithms:
        raise ValueError(f"there is no algorithm {unknown[0]!r} here" if unknown else "there are no algorithms")
    if not algorithms.isdisjoint(_SHARED) and not algorithms.isdisjoint(_ASYMMETRIC):
        raise ValueError("algorithms with a shared secret and with key pairs do not mix: a public key is no secret")
    return algorithms


def _keys_of(given: Keys) -> list[_Key]:
    if isinstance(given, str | bytes):
        return [_key_of_text(given.encode() if isinstance(given, str) else given)]
    if isinstance(given, Mapping):
        if "keys" not in given:
            return [_key_of_jwk(given)]
        # A set may hold keys for other ends, and of kinds that nobody here knows (RFC 7517, section 5).
        return [_key_of_jwk(each) for each in given["keys"] if _is_for_signatures(each)]
    return [key for each in given for key in _keys_of(each)]


def _is_for_signatures(jwk: Mapping[str, Any]) -> bool:
    kinds = {"RSA": None, "oct": None, "EC": ("P-256", "P-384", "P-521", "secp256k1"), "OKP": ("Ed25519", "Ed448")}
    kind = jwk.get("kty")
    curves = kinds.get(kind, ()) if isinstance(kind, str) else ()
    return jwk.get("use", "sig") == "sig" and (curves is None or jwk.get("crv") in curves)


def _key_of_jwk(jwk: Mapping[str, Any]) -> _Key:
    if "d" in jwk:
        raise ValueError("this is a private key: a verifier takes the public one, and should not know the other")
    try:
        material: Any = jwt.PyJWK(dict(jwk)).key
    except (jwt.PyJWTError, ValueError, TypeError, KeyError) as error:
        raise ValueError(f"this JWK cannot be read ({type(error).__name__})") from None
    algorithms = _fitting(material)
    return _Key(material, algorithms & {jwk["alg"]} if "alg" in jwk else algorithms, jwk.get("kid"))


def _key_of_text(text: bytes) -> _Key:
    if b"-----BEGIN" not in text:
        return _Key(text, _fitting(text))
    if b"PRIVATE KEY" in text:
        raise ValueError("this is a private key: a verifier takes the public one, and should not know the other")
    if b"BEGIN CERTIFICATE" in text:
        material: Any = x509.load_pem_x509_certificate(text).public_key()
    else:
        material = serialization.load_pem_public_key(text)
    return _Key(material, _fitting(material))


def _fitting(material: Any) -> frozenset[str]:
    """The algorithms a key can be used with: a token never makes one key serve as another kind."""
    if isinstance(material, bytes):
        fitting = frozenset(name for name, length in _SHARED.items() if len(material) >= length)
        if not fitting:
            raise ValueError("a shared secret has at least 32 bytes")
        return fitting
    if isinstance(material, rsa.RSAPublicKey):
        if material.key_size < _SHORTEST_RSA:
            raise ValueError(f"an RSA key has at least {_SHORTEST_RSA} bits")
        return frozenset(_RSA)
    if isinstance(material, ec.EllipticCurvePublicKey):
        return frozenset({_CURVES[material.curve.name]} if material.curve.name in _CURVES else ())
    if isinstance(material, ed25519.Ed25519PublicKey | ed448.Ed448PublicKey):
        return frozenset({"EdDSA"})
    raise ValueError(f"{type(material).__name__} is no key that signs tokens")
