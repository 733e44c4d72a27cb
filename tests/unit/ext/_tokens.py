"""Tokens made with real keys, the honest and the forged ones."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

ISSUER = "https://auth.example.com"
RESOURCE = "https://mcp.example.com/mcp"

RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
P256 = ec.generate_private_key(ec.SECP256R1())
P384 = ec.generate_private_key(ec.SECP384R1())
ED = ed25519.Ed25519PrivateKey.generate()


def pem(private: Any) -> str:
    """The public key of a private one, as text."""
    public = private.public_key()
    kind = serialization.PublicFormat.SubjectPublicKeyInfo
    return public.public_bytes(serialization.Encoding.PEM, kind).decode()  # type: ignore[no-any-return]  # of any kind


def private_pem(private: Any) -> str:
    plain = serialization.NoEncryption()
    kind = serialization.PrivateFormat.PKCS8
    return private.private_bytes(serialization.Encoding.PEM, kind, plain).decode()  # type: ignore[no-any-return]  # as above


def jwk(private: Any, key_id: str | None = None, **more: str) -> dict[str, Any]:
    """The public key of a private one, as a JWK."""
    kinds: dict[type[Any], Any] = {
        rsa.RSAPublicKey: jwt.algorithms.RSAAlgorithm,
        ec.EllipticCurvePublicKey: jwt.algorithms.ECAlgorithm,
        ed25519.Ed25519PublicKey: jwt.algorithms.OKPAlgorithm,
    }
    public = private.public_key()
    algorithm = next(each for kind, each in kinds.items() if isinstance(public, kind))
    written: dict[str, Any] = algorithm.to_jwk(public, as_dict=True)
    written.pop("key_ops", None)
    return {**written, **({"kid": key_id} if key_id else {}), **more}


def claims(**changed: Any) -> dict[str, Any]:
    """The claims of an honest token; None takes one away."""
    now = int(time.time())
    told = {
        "iss": ISSUER,
        "aud": RESOURCE,
        "sub": "alice",
        "iat": now,
        "exp": now + 600,
        "scope": "mcp:read files:read",
    }
    return {name: value for name, value in {**told, **changed}.items() if value is not None}


def token(key: Any = RSA, algorithm: str = "RS256", headers: dict[str, Any] | None = None, **changed: Any) -> str:
    """A token of these claims, signed with this key."""
    return jwt.encode(claims(**changed), key, algorithm=algorithm, headers=headers)


def part(told: object) -> str:
    """One part of a token, written by hand."""
    raw = told if isinstance(told, bytes) else json.dumps(told).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
