"""Hosts and origins are read strictly: what looks like an address and is none becomes nothing."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.door.addresses import Origin, Place, is_loopback, is_unmistakable, origin_of, place_of

PLACES = {
    "localhost": Place("localhost"),
    "LocalHost:8000": Place("localhost", 8000),
    "127.0.0.1:1": Place("127.0.0.1", 1),
    "[::1]": Place("[::1]"),
    "[::1]:65535": Place("[::1]", 65535),
    "[0:0:0:0:0:0:0:1]": Place("[::1]"),
    "[2001:DB8::1]": Place("[2001:db8::1]"),
    "mcp.example.com": Place("mcp.example.com"),
    "xn--bcher-kva.example": Place("xn--bcher-kva.example"),
    "my_service:9000": Place("my_service", 9000),
    "a-b.c-d": Place("a-b.c-d"),
    "3com.example": Place("3com.example"),
}

NO_PLACES = [
    "",
    " ",
    ":80",
    "localhost:",
    "localhost:0",
    "localhost:65536",
    "localhost:999999",
    "localhost:+80",
    "localhost:8 0",
    "localhost:٨٠",
    "localhost:*",
    "localhost.",
    ".localhost",
    "local..host",
    "localhost:80.evil.com",
    "localhost:80:80",
    "localhost/",
    "localhost/x",
    "localhost?x",
    "localhost#x",
    "localhost\\x",
    "user@localhost",
    "localhost@evil.com",
    "localhost evil.com",
    "localhost,evil.com",
    "localhost\tevil.com",
    "http://localhost",
    "local%68ost",
    "localhost\0",
    "bücher.example",
    "ⅼocalhost",
    "\u212aelvin.example",
    "127.1",
    "127.0.0.01",
    "0x7f.0.0.1",
    "0x7f000001",
    "2130706433",
    "127.0.0.1.1",
    "256.0.0.1",
    "::1",
    "[::1",
    "::1]",
    "[::1]80",
    "[::1%25lo]",
    "[::1%lo]",
    "[127.0.0.1]",
    "[localhost]",
    "[]",
    "-a.example",
    "a-.example",
    "a" * 64 + ".example",
    ".".join(["abcd"] * 60),
    "a" * 5_000,
]


@pytest.mark.parametrize(("text", "place"), PLACES.items(), ids=PLACES)
def test_a_host_header_is_read(text: str, place: Place) -> None:
    assert place_of(text) == place


@pytest.mark.parametrize("text", NO_PLACES, ids=lambda text: repr(text)[:30])
def test_what_is_no_host_header_becomes_nothing(text: str) -> None:
    assert place_of(text) is None
    assert origin_of(f"http://{text}") is None


ORIGINS = {
    "http://localhost": Origin("http", "localhost", 80),
    "https://Localhost": Origin("https", "localhost", 443),
    "http://localhost:443": Origin("http", "localhost", 443),
    "HTTPS://mcp.example.com:443": Origin("https", "mcp.example.com", 443),
    "http://[::1]:3000": Origin("http", "[::1]", 3000),
    "vscode-webview://0a1b2c": Origin("vscode-webview", "0a1b2c", None),
    "chrome-extension://abcdefghijklmnop": Origin("chrome-extension", "abcdefghijklmnop", None),
}

NO_ORIGINS = [
    "null",
    "NULL",
    "",
    "*",
    "http",
    "http:",
    "http:/localhost",
    "http:localhost",
    "http:///localhost",
    "http://",
    "//localhost",
    "localhost",
    "localhost:8000",
    " http://localhost",
    "http://localhost ",
    "http://localhost/",
    "http://localhost/path",
    "http://localhost http://localhost",
    "http://localhost, http://localhost",
    "http://localhost:80.evil.com",
    "http://localhost:80@evil.com",
    "http://localhost%2eevil.com",
    "http://localhost#.evil.com",
    "http://localhost?.evil.com",
    "http://localhost\\.evil.com",
    "http://localhost:",
    "http://localhost.",
    "ht_tp://localhost",
    "1http://localhost",
    "file://",
    "data:text/html,x",
    "http://" + "a" * 5_000,
]


@pytest.mark.parametrize(("text", "origin"), ORIGINS.items(), ids=ORIGINS)
def test_an_origin_is_read_as_scheme_host_and_port(text: str, origin: Origin) -> None:
    assert origin_of(text) == origin


@pytest.mark.parametrize("text", NO_ORIGINS, ids=lambda text: repr(text)[:40])
def test_what_is_no_origin_becomes_nothing(text: str) -> None:
    assert origin_of(text) is None


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "::1", "[::1]"])
def test_a_loopback_host_is_known(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::", "10.0.0.1", "localhost.evil.com", "127.0.0.1.nip.io"])
def test_what_others_can_reach_is_no_loopback_host(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize("host", ["127.0.0.1.nip.io", "example.com", "localhost.example", "my-host", "a.localhost"])
def test_a_name_is_where_a_name_server_says(host: str) -> None:
    assert not is_unmistakable(host)


@given(st.ip_addresses())
def test_every_address_is_read_as_itself_and_unmistakable(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    text = f"[{address.exploded}]" if address.version == 6 else str(address)
    place = place_of(text)
    assert place is not None
    assert is_unmistakable(place.host)
    assert ipaddress.ip_address(place.host.strip("[]")) == address


@given(st.text(max_size=40) | st.from_regex(r"[a-z.:@\[\]0-9%/-]{1,30}"))
def test_what_is_read_is_written_the_same_and_holds_no_separator(text: str) -> None:
    place = place_of(text)
    if place is None:
        return
    written = place.host if place.port is None else f"{place.host}:{place.port}"
    assert place_of(written) == place
    assert not set(place.host) & set("@/\\?#% ,\t\0")
    origin = origin_of(f"https://{text}")
    assert origin is not None
    assert origin.host == place.host
