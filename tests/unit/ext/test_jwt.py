"""JSON Web Tokens: what an issuer signed for us is a principal, and nothing else is."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa, x25519
from hypothesis import given
from hypothesis import strategies as st

from accord import Bearer, Principal
from accord.door.guard import Guard
from accord.door.refusal import Refusal
from accord.ext.jwt import JWTVerifier
from tests.unit.door._visits import visit
from tests.unit.ext._tokens import (
    ED,
    ISSUER,
    OTHER_RSA,
    P256,
    P384,
    RESOURCE,
    RSA,
    claims,
    jwk,
    part,
    pem,
    private_pem,
    token,
)

SECRET = "a-shared-secret-of-more-than-sixty-four-bytes-so-that-any-digest-will-do"


def verifier(keys: Any = None, **more: Any) -> JWTVerifier:
    told: dict[str, Any] = {"issuer": ISSUER, "audience": RESOURCE, "keys": pem(RSA) if keys is None else keys, **more}
    return JWTVerifier(**told)


def test_a_token_becomes_a_principal_with_its_scopes_and_claims() -> None:
    who = verifier()(token(email="alice@example.com"))
    assert isinstance(who, Principal)
    assert (who.name, who.scopes, who.audience) == ("alice", {"mcp:read", "files:read"}, RESOURCE)
    assert who.claims["email"] == "alice@example.com"


KEYS: dict[str, tuple[Any, str, Any]] = {
    "RSA": (RSA, "RS256", pem(RSA)),
    "RSA-PSS": (RSA, "PS256", pem(RSA).encode()),
    "P-256": (P256, "ES256", pem(P256)),
    "Ed25519": (ED, "EdDSA", pem(ED)),
    "an RSA JWK": (RSA, "RS256", jwk(RSA)),
    "a P-256 JWK": (P256, "ES256", jwk(P256)),
    "an Ed25519 JWK": (ED, "EdDSA", jwk(ED)),
    "a JWKS": (P256, "ES256", {"keys": [jwk(RSA, "a"), jwk(P256, "b")]}),
    "several": (ED, "EdDSA", [pem(RSA), jwk(P256), pem(ED)]),
    "a function": (RSA, "RS256", lambda key_id: pem(RSA)),
}


@pytest.mark.parametrize(("private", "algorithm", "keys"), KEYS.values(), ids=KEYS)
def test_keys_come_in_every_form(private: Any, algorithm: str, keys: Any) -> None:
    assert verifier(keys)(token(private, algorithm)) is not None


def test_a_set_of_keys_may_hold_some_that_are_not_for_us() -> None:
    strange = [{"kty": "LATTICE"}, {"kty": ["RSA"]}, jwk(OTHER_RSA, use="enc"), {"kty": "EC", "crv": "P-999"}]
    assert verifier({"keys": [*strange, jwk(RSA, "a", use="sig")]})(token(headers={"kid": "a"})) is not None


def test_a_shared_secret_works_where_it_is_asked_for() -> None:
    shared = verifier(SECRET, algorithms=["HS256", "HS512"])
    assert shared(token(SECRET, "HS256")) is not None
    assert shared(token(SECRET, "HS512")) is not None
    assert shared(token(SECRET, "HS384")) is None


TIMES = {
    "expired": {"exp": -1},
    "not yet": {"exp": 600, "nbf": 300},
    "issued in the future": {"exp": 600, "iat": 300},
}


@pytest.mark.parametrize("offsets", TIMES.values(), ids=TIMES)
def test_a_token_has_its_time(offsets: dict[str, int]) -> None:
    late = token(**{name: int(time.time()) + offset for name, offset in offsets.items()})
    assert verifier()(late) is None
    assert verifier(leeway=400)(late) is not None


CLAIMS: dict[str, dict[str, Any]] = {
    "another issuer": {"iss": "https://evil.com"},
    "no issuer": {"iss": None},
    "an issuer that goes on": {"iss": f"{ISSUER}.evil.com"},
    "another audience": {"aud": "https://other.example.com"},
    "several other audiences": {"aud": ["https://other.example.com", "x"]},
    "no audience": {"aud": None},
    "an empty audience": {"aud": []},
    "an audience that is none": {"aud": {"x": RESOURCE}},
    "no end": {"exp": None},
    "an end that is none": {"exp": "later"},
    "an endless end": {"exp": float("inf")},
    "an end that is no number": {"exp": float("nan")},
    "no name": {"sub": None},
    "an empty name": {"sub": ""},
    "scopes that are none": {"scope": {"a": 1}},
}


@pytest.mark.parametrize("changed", CLAIMS.values(), ids=CLAIMS)
def test_claims_decide(changed: dict[str, Any]) -> None:
    assert verifier()(token(**changed)) is None


def test_a_name_that_is_no_text_is_none() -> None:
    signed = jwt.api_jws.encode(json.dumps(claims(sub=7)).encode(), RSA, algorithm="RS256")
    assert verifier()(signed) is None


def test_one_of_several_audiences_is_enough() -> None:
    who = verifier()(token(aud=["other", RESOURCE]))
    assert isinstance(who, Principal)
    assert who.audience == ["other", RESOURCE]
    assert verifier(audience=["api://mcp", RESOURCE])(token(aud="api://mcp")) is not None


SCOPES: dict[str, tuple[Any, set[str]]] = {
    "a text": ("a b", {"a", "b"}),
    "a list": (["a", "b"], {"a", "b"}),
    "an empty text": ("", set()),
    "nothing": (None, set()),
    "numbers in a list": (["a", 1], {"a"}),
}


@pytest.mark.parametrize(("written", "read"), SCOPES.values(), ids=SCOPES)
def test_scopes_are_a_text_or_a_list(written: Any, read: set[str]) -> None:
    who = verifier(scope_claim="scp")(token(scope=None, scp=written))
    assert isinstance(who, Principal)
    assert who.scopes == read


def test_the_name_may_be_another_claim() -> None:
    who = verifier(name_claim="client_id")(token(sub=None, client_id="robot"))
    assert isinstance(who, Principal)
    assert who.name == "robot"


# -- forgeries ---------------------------------------------------------------------------------------------------------


def signed_with_the_public_key(public: str, algorithm: str) -> str:
    """The old confusion: the public key, which everybody has, taken for a shared secret."""
    signing = f"{part({'alg': algorithm, 'typ': 'JWT'})}.{part(claims())}"
    return f"{signing}.{part(hmac.digest(public.encode(), signing.encode(), hashlib.sha256))}"


def unsigned(algorithm: str, signature: str = "") -> str:
    return f"{part({'alg': algorithm, 'typ': 'JWT'})}.{part(claims())}.{signature}"


NO_TEXT = b'{"alg":"\xff"}'

FORGED: dict[str, str] = {
    "no signature": unsigned("none"),
    "no signature, in another case": unsigned("NoNe"),
    "no signature, by an algorithm": unsigned("RS256"),
    "no algorithm": f"{part({'typ': 'JWT'})}.{part(claims())}.",
    "an algorithm that is no text": f"{part({'alg': ['RS256']})}.{part(claims())}.",
    "the public key as a secret": signed_with_the_public_key(pem(RSA), "HS256"),
    "the public key as a secret, said to be RSA": signed_with_the_public_key(pem(RSA), "RS256"),
    "a foreign key": token(OTHER_RSA),
    "a foreign key of our id": token(OTHER_RSA, headers={"kid": "ours"}),
    "a key of its own": token(OTHER_RSA, headers={"jwk": jwk(OTHER_RSA)}),
    "an address of keys": token(OTHER_RSA, headers={"jku": "https://evil.com/keys", "x5u": "https://evil.com/x"}),
    "another algorithm of our key": token(RSA, "RS512"),
    "another kind of key": token(P256, "ES256"),
    "a header that must be understood": token(headers={"crit": ["x"], "x": 1}),
    "a header that must be understood, and that others do": token(headers={"crit": ["b64"], "b64": True}),
    "a token for logging out": token(headers={"typ": "logout+jwt"}),
    "a proof of possession": token(headers={"typ": "dpop+jwt"}),
    "a type that is no text": token(headers={"typ": 1}),
    "claims of another token": ".".join([*token().split(".")[:1], part(claims(sub="root")), token().split(".")[2]]),
    "a signature cut short": token()[:-4],
    "four parts": f"{token()}.x",
    "two parts": token().rpartition(".")[0],
    "one part": "x",
    "nothing": "",
    "a header that is no JSON": f"{part(b'x')}.{part(claims())}.x",
    "a header that is no object": f"{part([1])}.{part(claims())}.x",
    "a deep header": f"{part(b'[' * 9000)}.{part({})}.x",
    "too long": token(x="y" * 20_000),
    "bytes that are no text": f"{part(NO_TEXT)}.{part({})}.x",
    "a surrogate": "\ud800.\ud800.\ud800",
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_a_forged_token_is_nobody(forged: str) -> None:
    assert verifier(jwk(RSA, "ours"), algorithms=["RS256"])(forged) is None


@pytest.mark.parametrize("kind", ["JWT", "jwt", "at+jwt", "application/at+JWT"])
def test_an_access_token_says_what_it_is_in_every_spelling(kind: str) -> None:
    assert verifier()(token(headers={"typ": kind})) is not None


def test_a_key_serves_its_own_algorithm_only() -> None:
    keys = {"keys": [jwk(RSA, "a", alg="PS256"), jwk(P256, "b")]}
    assert verifier(keys)(token(RSA, "PS256", {"kid": "a"})) is not None
    assert verifier(keys)(token(RSA, "RS256", {"kid": "a"})) is None
    assert verifier(keys)(token(RSA, "PS256", {"kid": "b"})) is None


def test_an_algorithm_belongs_to_its_curve() -> None:
    both = verifier([pem(P256), pem(P384)], algorithms=["ES256", "ES384"])
    assert both(token(P384, "ES384")) is not None
    signing = f"{part({'alg': 'ES256', 'typ': 'JWT'})}.{part(claims())}"
    signature = jwt.algorithms.ECAlgorithm(jwt.algorithms.ECAlgorithm.SHA256).sign(signing.encode(), P384)
    assert both(f"{signing}.{part(signature)}") is None


def test_keys_can_change_while_tokens_are_under_way() -> None:
    ring = verifier([pem(OTHER_RSA), pem(RSA)])
    assert ring(token(RSA)) is not None
    assert ring(token(OTHER_RSA)) is not None
    assert ring(token(rsa.generate_private_key(public_exponent=65537, key_size=2048))) is None


@given(
    st.text() | st.lists(st.binary() | st.text().map(str.encode), max_size=4).map(lambda raw: ".".join(map(part, raw)))
)
def test_no_text_makes_the_verifier_fail(text: str) -> None:
    assert verifier()(text) is None


@given(st.data())
def test_any_changed_character_of_what_is_signed_is_noticed(data: st.DataObject) -> None:
    honest = token()
    place = data.draw(st.integers(0, honest.rindex(".") - 1))
    other = data.draw(st.sampled_from("abcdefXYZ019-_").filter(lambda letter: letter != honest[place]))
    assert verifier()(honest[:place] + other + honest[place + 1 :]) is None


# -- keys that are asked for -------------------------------------------------------------------------------------------


def test_a_function_is_asked_for_the_key_that_the_token_names() -> None:
    asked: list[str | None] = []

    def keys(key_id: str | None) -> dict[str, Any]:
        asked.append(key_id)
        return {"keys": [jwk(RSA, "a")]}

    asking = verifier(keys)
    assert asking(token(headers={"kid": "a"})) is not None
    assert asking(token()) is not None
    assert asking(unsigned("none")) is None
    assert asked == ["a", None]


def test_keys_may_be_waited_for() -> None:
    async def keys(key_id: str | None) -> str:
        await asyncio.sleep(0)
        return pem(RSA)

    async def ask(text: str) -> Principal | None:
        answer = verifier(keys)(text)
        assert not isinstance(answer, Principal)
        return await answer if answer is not None else None

    assert asyncio.run(ask(token())) is not None
    assert asyncio.run(ask(token(OTHER_RSA))) is None


def test_keys_that_cannot_be_had_are_no_fault_of_the_token() -> None:
    def keys(key_id: str | None) -> str:
        raise OSError("no network")

    guard = Guard(Bearer(verifier(keys), resource=RESOURCE, authorization_servers=[ISSUER]))
    refusal = asyncio.run(guard.admit(visit("POST", {"authorization": f"Bearer {token()}"})))
    assert isinstance(refusal, Refusal)
    assert refusal.status == 503


def test_a_verifier_fits_into_a_bearer() -> None:
    guard = Guard(Bearer(verifier(), resource=RESOURCE, authorization_servers=[ISSUER], scopes=["mcp:read"]))
    who = asyncio.run(guard.admit(visit("POST", {"authorization": f"Bearer {token()}"})))
    assert isinstance(who, Principal)
    assert who.name == "alice"


# -- mistakes ----------------------------------------------------------------------------------------------------------

SMALL = rsa.generate_private_key(public_exponent=65537, key_size=1024)

MISTAKES: dict[str, dict[str, Any]] = {
    "no signature": {"algorithms": ["none"]},
    "no signature, in another case": {"algorithms": ["None"]},
    "no algorithms": {"algorithms": []},
    "an unknown algorithm": {"algorithms": ["RS257"]},
    "secrets and key pairs": {"algorithms": ["HS256", "RS256"]},
    "a public key as a secret": {"algorithms": ["HS256"]},
    "a public JWK as a secret": {"algorithms": ["HS256"], "keys": jwk(RSA)},
    "a secret as a key": {"keys": SECRET},
    "a short secret": {"keys": "hunter2", "algorithms": ["HS256"]},
    "a secret too short for its digest": {"keys": "x" * 40, "algorithms": ["HS512"]},
    "a small key": {"keys": pem(SMALL)},
    "a private key": {"keys": private_pem(RSA)},
    "a private JWK": {"keys": {**jwk(RSA), "d": "AQAB"}},
    "a JWK that is none": {"keys": {"kty": "RSA", "n": "SECRET"}},
    "a PEM that is none": {"keys": "-----BEGIN PUBLIC KEY-----\nSECRET\n-----END PUBLIC KEY-----"},
    "a certificate that is none": {"keys": "-----BEGIN CERTIFICATE-----\nSECRET\n-----END CERTIFICATE-----"},
    "an empty set of keys": {"keys": {"keys": []}},
    "a key of another algorithm": {"keys": pem(P384)},
    "a key of an odd curve": {"keys": pem(ec.generate_private_key(ec.SECP224R1()))},
    "a key that signs nothing": {"keys": pem(x25519.X25519PrivateKey.generate())},
    "no issuer": {"issuer": ""},
    "no audience": {"audience": []},
    "an empty audience": {"audience": ""},
}


@pytest.mark.parametrize("wrong", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_at_once_and_quotes_no_key(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError) as caught:
        verifier(**wrong)
    assert not any(quoted in str(caught.value) for quoted in ("SECRET", "hunter2", SECRET))


def test_neither_tokens_nor_keys_are_shown_or_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    shared = verifier(SECRET, algorithms=["HS256"])
    for forged in (token(OTHER_RSA, sub="SECRET-NAME"), *FORGED.values(), token(SECRET, "HS256", exp=1)):
        shared(forged)
        verifier()(forged)
        if len(forged) > 20:
            assert forged.split(".")[1] not in caplog.text
    assert "SECRET-NAME" not in caplog.text
    assert SECRET not in repr(shared)
    assert "BEGIN" not in repr(verifier())
    assert "was refused" in caplog.text


def test_a_certificate_is_as_good_as_its_key() -> None:
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization

    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "auth")])
    now = datetime.now(UTC)
    built = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(RSA.public_key())
    built = built.serial_number(1).not_valid_before(now).not_valid_after(now + timedelta(days=1))
    certificate = built.sign(RSA, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    assert verifier(certificate)(token()) is not None
