"""A shell that is missing is never passed over in silence."""

import sys

import pytest

from tests.unit.cli.completions._shells import need

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="the shells of POSIX systems")


@on_posix
@pytest.mark.parametrize("variable", ["CI", "ACCORD_ALL_SHELLS"])
def test_where_everything_must_be_tested_it_fails_and_says_what_to_do(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "1")
    with pytest.raises(pytest.fail.Exception, match=r"no-such-shell is not installed.*make shells"):
        need("no-such-shell")


@on_posix
def test_elsewhere_it_skips_with_the_same_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("ACCORD_ALL_SHELLS", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"no-such-shell is not installed.*make shells"):
        need("no-such-shell")
