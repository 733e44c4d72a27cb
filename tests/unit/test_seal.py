"""Seals: what was sealed opens unchanged where it belongs, and nothing else opens at all."""

import base64
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord._seal import ALTERED, BELONGS_ELSEWHERE, EXPIRED, NOT_OURS, Seal, Unsealed

KEY = b"a key long enough to seal with"
SEAL = Seal(KEY)
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

texts = st.text(st.characters(exclude_categories=["Cs"]))
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=10)


def refused(token: Any, *, binding: bytes = b"", seal: Seal = SEAL, now: float | None = None) -> str:
    """The reason why the token does not open."""
    with pytest.raises(Unsealed) as caught:
        seal.open(token, binding=binding, now=now)
    return caught.value.reason


@given(values, st.binary(), st.none() | st.floats(min_value=10, max_value=1e12))
def test_what_was_sealed_opens_unchanged(payload: Any, binding: bytes, expires: float | None) -> None:
    token = SEAL.seal(payload, binding=binding, expires=expires)
    assert SEAL.open(token, binding=binding, now=9) == payload
    assert set(token) <= set(ALPHABET)


@given(values, st.data())
def test_any_changed_character_is_refused(payload: Any, data: st.DataObject) -> None:
    token = SEAL.seal(payload, binding=b"here")
    place = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.sampled_from(ALPHABET).filter(lambda letter: letter != token[place]))
    assert refused(token[:place] + other + token[place + 1 :], binding=b"here") in (ALTERED, NOT_OURS)


def test_every_other_last_character_is_refused_though_base64_would_ignore_its_low_bits() -> None:
    for payload in ("", "a", "ab", "abc"):
        token = SEAL.seal(payload, binding=b"")
        for letter in set(ALPHABET) - {token[-1]}:
            assert refused(token[:-1] + letter) in (ALTERED, NOT_OURS)


@given(values, st.data())
def test_a_token_that_lost_or_gained_something_is_refused(payload: Any, data: st.DataObject) -> None:
    token = SEAL.seal(payload, binding=b"")
    refused(token[: data.draw(st.integers(0, len(token) - 1))])
    refused(token + data.draw(st.text(min_size=1)))


@given(st.text() | st.binary().map(lambda raw: base64.urlsafe_b64encode(raw).decode().rstrip("=")))
def test_text_that_nobody_sealed_is_not_one_of_ours(token: str) -> None:
    assert refused(token) == NOT_OURS


@pytest.mark.parametrize(
    "token",
    ["", "=", "a", "é" * 80, "\ud800" * 80, "\0" * 80, "a" * 10_000_000, " ", b"bytes", None, 7, ["a"], "++//" * 20],
    ids=lambda token: repr(token)[:12],
)
def test_what_cannot_be_a_token_is_not_one_of_ours(token: Any) -> None:
    assert refused(token) == NOT_OURS


@pytest.mark.parametrize("dressed", ["{}=", "{}\n", " {}", "{}==", "{} "])
def test_a_token_has_one_spelling(dressed: str) -> None:
    token = SEAL.seal([1], binding=b"")
    assert refused(dressed.format(token)) == NOT_OURS


@given(st.binary(), st.binary())
def test_a_token_opens_for_its_own_binding_only(binding: bytes, other: bytes) -> None:
    token = SEAL.seal("state", binding=binding)
    if other == binding:
        assert SEAL.open(token, binding=other) == "state"
    else:
        assert refused(token, binding=other) == BELONGS_ELSEWHERE


def test_a_token_expires() -> None:
    token = SEAL.seal("state", binding=b"", expires=100)
    assert SEAL.open(token, binding=b"", now=99.9) == "state"
    assert refused(token, now=100) == EXPIRED


def test_the_clock_is_asked_when_no_time_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    token = SEAL.seal("state", binding=b"", expires=100)
    monkeypatch.setattr("time.time", lambda: 99.0)
    assert SEAL.open(token, binding=b"") == "state"
    monkeypatch.setattr("time.time", lambda: 101.0)
    assert refused(token) == EXPIRED


def test_a_token_without_expiry_never_expires() -> None:
    assert SEAL.open(SEAL.seal("state", binding=b""), binding=b"", now=1e18) == "state"


def test_an_expired_token_of_another_binding_does_not_tell_when_it_expired() -> None:
    assert refused(SEAL.seal("state", binding=b"a", expires=1), binding=b"b", now=2) == BELONGS_ELSEWHERE


@pytest.mark.parametrize("expires", [float("nan"), float("inf")])
def test_an_expiry_that_is_no_time_is_refused(expires: float) -> None:
    with pytest.raises(ValueError, match="leave it out"):
        SEAL.seal(1, binding=b"", expires=expires)


def test_a_token_is_short() -> None:
    assert len(SEAL.seal({"offset": 20}, binding=b"x" * 1000)) <= 80


def test_a_state_too_large_to_travel_is_refused_when_it_is_sealed() -> None:
    assert SEAL.open(SEAL.seal("a" * 40_000, binding=b""), binding=b"") == "a" * 40_000
    with pytest.raises(ValueError, match="may travel"):
        SEAL.seal("a" * 60_000, binding=b"")


@pytest.mark.parametrize("state", [object(), {"a": [object()]}, "\ud800"], ids=["object", "inside", "surrogate"])
def test_a_state_that_is_not_json_is_refused_when_it_is_sealed(state: Any) -> None:
    with pytest.raises(ValueError, match=r"not JSON|surrogates"):
        SEAL.seal(state, binding=b"")


def test_the_first_key_of_a_ring_seals_and_all_open() -> None:
    keys = ["first" * 4, "second" * 4, "third" * 4]
    ring = Seal(f" {keys[0]} ,{keys[1]},, {keys[2]},")
    assert repr(ring) == "<Seal with 3 keys>"
    assert [ring.open(Seal(key).seal(key, binding=b""), binding=b"") for key in keys] == keys
    token = ring.seal("state", binding=b"")
    assert Seal(keys[0]).open(token, binding=b"") == "state"
    assert [refused(token, seal=Seal(key)) for key in keys[1:]] == [NOT_OURS, NOT_OURS]


def test_a_key_is_the_same_key_as_bytes_and_as_text() -> None:
    assert Seal("k" * 20).open(Seal(b"k" * 20).seal("state", binding=b""), binding=b"") == "state"


@pytest.mark.parametrize("key", [b"", "", ",", " , ", b"short", "short", f"{'k' * 20},short"])
def test_a_key_that_keeps_nobody_out_is_refused_and_not_quoted(key: bytes | str) -> None:
    with pytest.raises(ValueError, match="at least 16 characters") as caught:
        Seal(key)
    assert "short" not in str(caught.value)


def test_without_a_key_all_seals_of_this_process_agree() -> None:
    assert Seal().open(Seal().seal("state", binding=b""), binding=b"") == "state"


def test_without_a_key_another_process_opens_nothing() -> None:
    program = "from accord._seal import Seal; print(Seal().seal('state', binding=b''))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert refused(done.stdout.strip(), seal=Seal()) == NOT_OURS


def test_a_seal_does_not_show_its_keys() -> None:
    assert repr(SEAL) == "<Seal with 1 key>"


def test_proofs_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(left: bytes, right: bytes) -> bool:
        compared.append((left, right))
        return left == right

    monkeypatch.setattr("accord._seal.compare_digest", compare)
    SEAL.open(SEAL.seal("state", binding=b""), binding=b"")
    assert len(compared) == 2, "the proof and the tag of the binding"
