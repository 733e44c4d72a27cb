"""What the door sees of a request is what was sent, and what is odd about it is seen too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.door.house import HouseRules, refuse_form, refuse_stranger
from accord.door.visit import visit_of
from tests.unit.door._visits import visit


def scope(*headers: tuple[bytes, bytes]) -> dict[str, object]:
    return {"type": "http", "method": "POST", "path": "/", "headers": headers}


def test_names_are_in_lower_case_and_values_trimmed() -> None:
    seen = visit_of(scope((b"Mcp-Name", b" \t add \t")))
    assert seen.headers == {"mcp-name": "add"}
    assert seen.repeated == frozenset()


def test_of_a_header_that_came_twice_the_last_is_kept_and_the_name_noted() -> None:
    seen = visit_of(scope((b"Host", b"a"), (b"HOST", b"b"), (b"x", b"1")))
    assert seen.headers["host"] == "b"
    assert seen.repeated == {"host"}


def test_the_lines_of_a_list_are_one_list() -> None:
    assert visit_of(scope((b"accept", b"a/b"), (b"Accept", b"c/d"))).headers["accept"] == "a/b, c/d"


def test_what_a_scope_leaves_out_is_read_as_the_specification_says() -> None:
    seen = visit_of(scope())
    assert (seen.query, seen.scheme, seen.client, seen.is_garbled) == ("", "http", None, False)
    assert visit_of({**scope(), "client": ("10.0.0.1", 4000)}).client == "10.0.0.1"


def test_the_size_of_the_headers_is_that_of_their_lines() -> None:
    assert visit_of(scope((b"ab", b"cde"), (b"f", b""))).header_bytes == len(b"ab: cde\r\nf: \r\n")


GARBLED = {
    "a line feed in a value": (b"x", b"a\nb"),
    "a carriage return": (b"x", b"a\rb"),
    "a null": (b"x", b"a\0b"),
    "an escape": (b"x", b"\x1b[2J"),
    "a delete": (b"x", b"\x7f"),
    "no name": (b"", b"x"),
    "a space behind the name": (b"host ", b"evil.com"),
    "a space before it": (b" host", b"evil.com"),
    "a colon in the name": (b"host:", b"evil.com"),
    "a line feed in the name": (b"x\nhost", b"evil.com"),
    "a letter of another script": ("hóst".encode(), b"evil.com"),
}


@pytest.mark.parametrize(("name", "value"), GARBLED.values(), ids=GARBLED)
def test_a_header_that_two_readers_could_read_in_two_ways_is_refused(name: bytes, value: bytes) -> None:
    seen = visit_of(scope((b"host", b"localhost"), (name, value)))
    assert seen.is_garbled
    refusal = refuse_stranger(HouseRules(), seen)
    assert refusal is not None
    assert refusal.status == 400


def test_text_of_other_scripts_in_a_value_is_nothing_odd() -> None:
    assert not visit_of(scope((b"user-agent", "Bücherwurm 本".encode()), (b"x", b"tab\tinside"))).is_garbled


headers = st.lists(st.tuples(st.binary(max_size=20), st.binary(max_size=60)), max_size=12)


@given(headers, st.sampled_from(["GET", "POST", "DELETE", "OPTIONS", "\x00"]))
def test_no_headers_make_the_door_fail(lines: list[tuple[bytes, bytes]], verb: str) -> None:
    seen = visit_of({**scope(*lines), "method": verb})
    for rules in (HouseRules(), HouseRules(hosts=("localhost",), origins=("*",))):
        refuse_stranger(rules, seen)
        refuse_form(rules, seen)


@given(headers)
def test_every_header_is_seen_and_every_repetition_noted(lines: list[tuple[bytes, bytes]]) -> None:
    seen = visit_of(scope(*lines))
    names = [name.decode("latin-1").lower() for name, _ in lines]
    assert set(seen.headers) == set(names)
    assert seen.repeated == {name for name in names if names.count(name) > 1}


def test_a_refusal_without_a_code_is_text_and_one_with_a_code_an_error_without_an_id() -> None:
    refused = refuse_stranger(HouseRules(hosts=("here.example",)), visit())
    assert refused is not None
    assert refused.body == b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"This host is not served here"}}'
    assert refused.all_headers["content-type"] == "application/json"
    plain = type(refused)(429, "Too many calls", {"retry-after": "3"})
    assert plain.body == b"Too many calls\n"
    assert plain.all_headers == {
        "content-type": "text/plain; charset=utf-8",
        "content-length": "15",
        "retry-after": "3",
    }
