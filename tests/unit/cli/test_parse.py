"""What follows a command's name: options in every spelling, words in their places, built-in options among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest

from accord import MinLen, Option, Positional
from accord.cli.builtin import Wishes
from tests.unit.cli._line import arguments, read_line


@dataclass
class Inner:
    depth: int = 0
    deep: bool = False


@dataclass
class Address:
    city: str
    zip_code: int = 0
    is_home: bool = False
    tags: list[str] = field(default_factory=list)
    inner: Inner | None = None
    notes: dict[str, int] = field(default_factory=dict)


def flags(clean: bool = False, keep_all: bool = True, maybe: bool | None = None, sure: bool | str = "x") -> None: ...


def required_flag(on: bool) -> None: ...


def both(clean: bool = False, no_clean: bool = False) -> None: ...


def short(
    count: Annotated[int, Option("-n", "--how-many")] = 0,
    force: Annotated[bool, Option("-f")] = False,
    every: Annotated[bool, Option("-a", "--all")] = True,
    names: Annotated[list[str], Option("-s")] = [],
) -> None: ...


def words(
    source: Annotated[str, Positional],
    targets: Annotated[list[str], Positional()],
    last: Annotated[str, Positional] = "z",
    n: int = 0,
) -> None: ...


def ends(first: Annotated[list[int], Positional], last: Annotated[int, Positional]) -> None: ...


def maybe_word(word: Annotated[str, Positional] = "w", on: Annotated[bool, Positional] = False) -> None: ...


def move(address: Address, other: Address | None = None, homes: dict[str, Address] = {}) -> None: ...


def names(file_pattern: str = "", _private: int = 0, x: int = 0) -> None: ...


def shadows(
    format: str = "", version: str = "", help: bool = False, yes: int = 0, v: int = 0, h: str = "", q: bool = False
) -> None: ...


def shadows_short(
    verbose: Annotated[bool, Option("-v")] = False, host: Annotated[str, Option("-h")] = "", n: int = 0
) -> None: ...


def env(
    n: Annotated[int, Option(env="APP_N")] = 1,
    tags: Annotated[list[str], Option(env="APP_TAGS")] = [],
    on: Annotated[bool, Option("-o", env="APP_ON")] = False,
    home: Annotated[Address | None, Option(env="APP_HOME")] = None,
    word: Annotated[str, Positional, Option(env="APP_WORD")] = "",
) -> None: ...


# (function, what is typed, arguments)
LINES: list[tuple[Any, str, dict[str, Any]]] = [
    (flags, "", {}),
    (flags, "--clean", {"clean": True}),
    (flags, "--no-clean", {"clean": False}),
    (flags, "--clean=true --keep-all=no", {"clean": True, "keep_all": False}),
    (flags, "--no-clean=true", {"clean": False}),
    (flags, "--no-clean=off", {"clean": True}),
    (flags, "--clean --no-clean", {"clean": False}),
    (flags, "--keep_all --no-keep-all", {"keep_all": False}),
    (flags, "--no-keep_all", {"keep_all": False}),
    (flags, "--maybe", {"maybe": True}),
    (flags, "--no-maybe", {"maybe": False}),
    (flags, "--maybe=null", {"maybe": None}),
    (flags, "--sure true", {"sure": True}),
    (flags, "--sure maybe", {"sure": "maybe"}),
    (required_flag, "--on", {"on": True}),  # this one and what flags do above: M-20
    (required_flag, "--no-on", {"on": False}),
    (both, "--no-clean", {"no_clean": True}),
    (both, "--no-no-clean --clean", {"clean": True, "no_clean": False}),
    (both, "--clean=no", {"clean": False}),
    (short, "-n 5", {"count": 5}),
    (short, "-n5", {"count": 5}),
    (short, "-n=5", {"count": 5}),
    (short, "-n -5", {"count": -5}),
    (short, "-n-5", {"count": -5}),
    (short, "--how-many 5 --count 6", {"count": 6}),
    (short, "-f", {"force": True}),
    (short, "-f=no", {"force": False}),
    (short, "-fa", {"force": True, "every": True}),
    (short, "-fn5", {"force": True, "count": 5}),
    (short, "-fn 5", {"force": True, "count": 5}),
    (short, "-fs x -s y", {"force": True, "names": ["x", "y"]}),
    (short, "-s -n -s --weird", {"names": ["-n", "--weird"]}),
    (short, "--no-all", {"every": False}),
    (short, "--no-every", {"every": False}),
    (words, "a b", {"source": "a", "targets": ["b"]}),
    (words, "a b c d", {"source": "a", "targets": ["b", "c", "d"]}),
    (words, "a --n 3 b", {"source": "a", "targets": ["b"], "n": 3}),
    (words, "a b --n -3", {"source": "a", "targets": ["b"], "n": -3}),
    (words, "a -- --n -x --", {"source": "a", "targets": ["--n", "-x", "--"]}),
    (words, "- -1", {"source": "-", "targets": ["-1"]}),
    (words, "--source=a b", {"source": "a", "targets": ["b"]}),
    (words, "--targets x --targets y a c", {"source": "a", "targets": ["x", "y"], "last": "c"}),
    (ends, "1 2 3", {"first": [1, 2], "last": 3}),
    (ends, "1 3", {"first": [1], "last": 3}),
    (ends, "[1,2] -3", {"first": [1, 2], "last": -3}),
    (maybe_word, "", {}),
    (maybe_word, "a", {"word": "a"}),
    (maybe_word, "a yes", {"word": "a", "on": True}),
    (maybe_word, "''", {"word": ""}),
    (move, "--address.city Rome", {"address": {"city": "Rome"}}),
    (move, "--address.city=Rome --address.zip-code 5", {"address": {"city": "Rome", "zip_code": 5}}),
    (move, "--address.zip_code=-5", {"address": {"zip_code": -5}}),
    (move, "--address.is-home", {"address": {"is_home": True}}),
    (move, "--address.is-home=no", {"address": {"is_home": False}}),
    (move, "--address.tags a --address.tags b", {"address": {"tags": ["a", "b"]}}),
    (move, "--address.inner.depth 3", {"address": {"inner": {"depth": 3}}}),
    (move, "--address.inner.deep", {"address": {"inner": {"deep": True}}}),
    (move, "--address.inner null", {"address": {"inner": None}}),
    (move, "--address.inner '{\"depth\": 1}' --address.inner.deep", {"address": {"inner": {"depth": 1, "deep": True}}}),
    (move, "--address.notes a=1 --address.notes.b 2", {"address": {"notes": {"a": 1, "b": 2}}}),
    (move, '--address \'{"city": "a"}\' --address.zip-code 2', {"address": {"city": "a", "zip_code": 2}}),
    (move, "--address city=Rome --address zip_code=7", {"address": {"city": "Rome", "zip_code": 7}}),
    (move, "--other null", {"other": None}),
    (move, "--other.city Oslo", {"other": {"city": "Oslo"}}),
    (move, "--homes.ada.city Oslo", {"homes": {"ada": {"city": "Oslo"}}}),
    (names, "--file-pattern a", {"file_pattern": "a"}),
    (names, "--file_pattern a", {"file_pattern": "a"}),
    # names of built-in options: M-21
    (shadows, "--format zz --version 1 --help", {"format": "zz", "version": "1", "help": True}),
    (shadows, "--yes 1 --v 2 --h x --q", {"yes": 1, "v": 2, "h": "x", "q": True}),
    (shadows_short, "-v -h example.org", {"verbose": True, "host": "example.org"}),
    (shadows_short, "--verbose", {"verbose": True}),
]  # fmt: skip


@pytest.mark.parametrize(("function", "line", "expected"), LINES)
def test_a_line_gives_these_arguments(function: Any, line: str, expected: dict[str, Any]) -> None:
    found = arguments(function, line)
    assert found == expected
    assert [type(value) for value in found.values()] == [type(expected[name]) for name in found]


# (function, what is typed, where it is wrong, what is said of it)
WRONG: list[tuple[Any, str, str, str]] = [
    (flags, "word", "", "there is no place for 'word'; the options are --clean, --keep-all"),
    (words, "", "/source", "required"),
    (words, "a", "/targets", "required"),
    (names, "--file-pattern --x 1", "/file_pattern", "needs a value; --file-pattern=--x gives it that text"),
    (names, "--file-pattern", "/file_pattern", "needs a value"),
    (names, "--x", "/x", "needs a value"),
    (short, "-n", "/count", "needs a value"),
    (short, "-fn", "/count", "needs a value"),
    (short, "-fz", "/z", "is not an argument"),
    (short, "-f-", "/f_", "is not an argument"),
    (short, "-z", "/z", "is not an argument"),
    (names, "-x 5", "/x", "there is no option -x here, --x is meant"),
    (names, "-file_pattern 5", "/file_pattern", "there is no option -file_pattern here"),
    (names, "---x 5", "/x", "there is no option ---x here"),
    (names, "--no-x", "/no_x", "is not an argument"),
    (names, "--file-patern a", "/file_patern", "is not an argument"),
    (names, "--x.y 1", "/x", "must be an integer, is an object"),
    (names, "--file-pattern.a b", "/file_pattern.a", "is not an argument"),
    (move, "--address.city", "/address/city", "needs a value"),
    (move, "--address.ctiy Rome", "/address/ctiy", "is not an argument"),
    (move, "--address", "/address", "needs a value"),
    (move, '--address \'{"city": "x",}\'', "/address", "is not JSON: trailing comma in object (byte 13)"),
    (move, "--address [1", "/address", "is not JSON: Input data was truncated"),
    (ends, "[1,, 2", "/first", "is not JSON"),
    (move, "--address @none", "/address", "cannot be read from 'none'"),
    (move, "--address -", "/address", "cannot be read from the standard input"),
    (shadows, "--format", "/format", "needs a value"),
]


@pytest.mark.parametrize(("function", "line", "path", "message"), WRONG)
def test_a_line_that_makes_no_sense_is_refused(function: Any, line: str, path: str, message: str) -> None:
    app_line = read_line(function, line)
    refusal = app_line.refusal
    if refusal is None:
        from accord._tool import Tool
        from accord.gate.refusal import refuse_arguments

        refusal = refuse_arguments("tool", Tool(function).gate, app_line.arguments, {})
    said = {violation["path"]: violation["message"] for violation in refusal.error_data["violations"]}
    assert message in said[path]


# (what is typed after the command, what is wished for)
WISHES: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("--format json", {"form": "json"}),
    ("--format=table", {"form": "table"}),
    ("--format json --format plain", {"form": "plain"}),
    ("-v", {"verbosity": 2}),
    ("-vvv", {"verbosity": 4}),
    ("-q", {"verbosity": 0}),
    ("-qq", {"verbosity": -1}),
    ("-v -q --verbose --quiet", {"verbosity": 1}),
    ("--no-color", {"colour": False}),
    ("--yes", {"consents": True}),
    ("--no-input", {"may_ask": False}),
    ("--help", {"action": "help"}),
    ("-h", {"action": "help"}),
    ("--version", {"action": "version"}),
    ("--clean --help --nope", {"action": "help"}),
]


@pytest.mark.parametrize(("line", "wished"), WISHES)
def test_built_in_options_work_after_the_command_too(line: str, wished: dict[str, Any]) -> None:
    parsed = read_line(flags, line)
    assert parsed.refusal is None
    assert parsed.wishes == Wishes(**wished)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--format", "--format needs a value: plain, json or table"),
        ("--format yaml", "--format cannot be 'yaml'"),
        ("--yes=no", "--yes takes no value"),
    ],
)
def test_a_built_in_option_that_is_misused_is_refused(line: str, said: str) -> None:
    refusal = read_line(flags, line).refusal
    assert refusal is not None
    assert said in refusal.text
    assert refusal.kind.exit_code == 2


def test_a_parameter_comes_before_the_built_in_option_of_its_name() -> None:
    parsed = read_line(shadows, "--format json --yes 1 --version x")
    assert parsed.wishes == Wishes()


# (environment, what is typed, arguments, which came from where)
ENVIRONMENTS: list[tuple[dict[str, str], str, dict[str, Any], dict[str, str]]] = [
    ({}, "", {}, {}),
    ({"APP_N": "7"}, "", {"n": 7}, {"n": "APP_N"}),
    ({"APP_N": "7"}, "--n 8", {"n": 8}, {}),
    ({"APP_TAGS": "a"}, "", {"tags": ["a"]}, {"tags": "APP_TAGS"}),
    ({"APP_TAGS": '["a", "b"]'}, "", {"tags": ["a", "b"]}, {"tags": "APP_TAGS"}),
    ({"APP_TAGS": "a"}, "--tags b", {"tags": ["b"]}, {}),
    ({"APP_ON": "1"}, "", {"on": True}, {"on": "APP_ON"}),
    ({"APP_ON": "false"}, "", {"on": False}, {"on": "APP_ON"}),
    ({"APP_ON": "1"}, "--no-on", {"on": False}, {}),
    ({"APP_HOME": '{"city": "Oslo"}'}, "", {"home": {"city": "Oslo"}}, {"home": "APP_HOME"}),
    ({"APP_WORD": "w"}, "", {"word": "w"}, {"word": "APP_WORD"}),
    ({"APP_WORD": "w"}, "x", {"word": "x"}, {}),
]


@pytest.mark.parametrize(("environ", "line", "expected", "sources"), ENVIRONMENTS)
def test_what_is_not_typed_comes_from_the_environment(
    environ: dict[str, str], line: str, expected: dict[str, Any], sources: dict[str, str]
) -> None:
    parsed = read_line(env, line, environ=environ)
    assert (parsed.arguments, parsed.sources) == (expected, sources)


def test_every_problem_of_a_line_is_told_at_once() -> None:
    def tool(name: Annotated[str, MinLen(2)], size: int, other: int = 0) -> None: ...

    refusal = read_line(tool, "--name x word --nope 1 --other").refusal
    assert refusal is not None
    told = [(violation["path"], violation["reason"]) for violation in refusal.error_data["violations"]]
    assert sorted(told) == [
        ("", "unexpected_argument"),
        ("/name", "constraint_violation"),
        ("/nope", "unexpected_argument"),
        ("/other", "type_mismatch"),
        ("/size", "missing_required_argument"),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("source", ["@file", "-"])
def test_a_file_may_be_marked_with_its_encoding(source: str, encoding: str) -> None:
    """PowerShell and many an editor on Windows do."""
    files = {source: '{"city": "Zürich"}\r\n'.encode(encoding)}
    assert arguments(move, ["--address", source], files=files) == {"address": {"city": "Zürich"}}
