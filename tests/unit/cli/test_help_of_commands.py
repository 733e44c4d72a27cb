"""Help of one command: every argument, how it is typed, and what it may be."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import SecretStr

from accord import (
    App,
    Description,
    Examples,
    Ge,
    Gt,
    Le,
    Lt,
    MaxLen,
    MinLen,
    MultipleOf,
    Option,
    Pattern,
    Positional,
)
from tests.unit.cli._showing import section, shown, text_of
from tests.unit.cli._workshop import app


def test_the_whole_help_of_a_command() -> None:
    assert (
        shown(app, "deploy --help").out
        == text_of(
            """
        Deploy a service. It takes a while.

        The second paragraph says more, and is long enough to be wrapped when a terminal
        is no wider than what terminals once were.

        Usage: app.py deploy --environment TEXT --service TEXT [OPTIONS]

        Required:
          --environment TEXT  Target environment [at least 1 character]
          --service TEXT      Service name.

        Options:
          -V, --version TEXT  Version or image tag. [default: latest]
                              [env: WORKSHOP_VERSION]
          --copies INTEGER    [1 to 9] [default: 1]
          -n, --dry-run / --no-dry-run
                              [default: false]

        Examples:
          app.py deploy --environment staging --service 'the api' --dry-run

        --version is an option of this command; the built-in one goes before its name:
        app.py --version ... deploy

        Built in: --help, --format FORM, --verbose, --quiet, --no-color, --yes,
        --no-input, --manifest, --llms-txt, --completions SHELL, --mcp, --mcp-http
        [HOST:]PORT, --insecure. app.py --help says what they do.
        """
        )
        + "\n"
    )


@pytest.mark.parametrize("line", ["--help deploy", "deploy -h", "deploy --copies 3 --help", "deploy --service --help"])
def test_help_is_the_same_wherever_it_is_asked_for(line: str) -> None:
    assert shown(app, line).out == shown(app, "deploy --help").out


@dataclass
class Point:
    x: int
    y_axis: float = 0.0


@dataclass
class Area:
    start: Point
    name: Annotated[str, Description("Its name.")] = "here"
    is_open: bool = False
    tags: list[str] | None = None


@dataclass
class Tree:
    leaf: int = 0
    inner: "Tree | None" = None


def one(annotation: Any, default: Any = ...) -> Callable[..., None]:
    """A command with one parameter, `x`."""

    def command(x):
        return None

    command.__annotations__ = {"x": annotation}
    if default is not ...:
        command.__defaults__ = (default,)
    return command


ROWS: dict[str, tuple[Callable[..., None], str]] = {
    "text": (one(str, "a"), "--x TEXT  [default: a]"),
    "empty text": (one(str, ""), '--x TEXT  [default: ""]'),
    "a number": (one(float, 1.5), "--x NUMBER  [default: 1.5]"),
    "an integer that may be absent": (one(int | None, None), "--x INTEGER"),
    "a Decimal is a number": (one(Decimal, Decimal("1.10")), "--x NUMBER  [default: 1.10]"),
    "a flag": (one(bool, False), "--x / --no-x  [default: false]"),
    "a date and time": (one(datetime | None, None), "--x DATE-TIME"),
    "a duration": (one(timedelta | None, None), "--x DURATION"),
    "a UUID": (one(UUID | None, None), "--x UUID"),
    "bytes": (one(bytes | None, None), "--x BASE64"),
    "a path": (one(Path | None, None), "--x PATH"),
    "paths, or a word": (one(list[Path] | Literal["-"], "-"), "--x PATH|{-}  [default: -]"),
    "anything": (one(Any, None), "--x VALUE"),
    "one of several": (one(Literal["a", "b"], "b"), "--x {a,b}  [default: b]"),
    "one of very many": (
        one(Literal["a" * 30, "b" * 30, "c" * 30, "d" * 30] | None, None),
        f"--x {{{'a' * 30},{'b' * 30},{'c' * 30},...}}",
    ),
    "one of several, or absent": (one(Literal[1, 2] | None, None), "--x {1,2}"),
    "either": (one(int | str, 1), "--x INTEGER|TEXT  [default: 1]"),
    "either number": (one(int | float, 1), "--x NUMBER  [default: 1]"),
    "a list": (one(list[int], []), "--x INTEGER  [repeatable]"),
    "a list with a default": (one(list[int], [1]), "--x INTEGER  [default: [1]] [repeatable]"),
    "a list of lists": (one(list[list[int]], []), "--x JSON  [repeatable]"),
    "a pair": (one(tuple[int, str] | None, None), "--x INTEGER|TEXT  [exactly 2 items] [repeatable]"),
    "names and numbers": (one(dict[str, int], {}), "--x KEY=VALUE  [repeatable]"),
    "a range": (one(Annotated[int, Ge(1), Le(9)], 1), "--x INTEGER  [1 to 9] [default: 1]"),
    "a lower bound": (one(Annotated[int, Ge(1)], 1), "--x INTEGER  [at least 1] [default: 1]"),
    "open bounds": (
        one(Annotated[float, Gt(0), Lt(1)], 0.5),
        "--x NUMBER  [greater than 0, less than 1] [default: 0.5]",
    ),
    "multiples": (one(Annotated[int, MultipleOf(5)], 5), "--x INTEGER  [a multiple of 5] [default: 5]"),
    "at least one character": (one(Annotated[str, MinLen(1)], "a"), "--x TEXT  [at least 1 character] [default: a]"),
    "a few characters": (
        one(Annotated[str, MinLen(2), MaxLen(3)], "ab"),
        "--x TEXT  [2 to 3 characters] [default: ab]",
    ),
    "at most so many": (one(Annotated[list[int], MaxLen(3)], []), "--x INTEGER  [at most 3 items] [repeatable]"),
    "a limit of each item": (
        one(list[Annotated[int, Ge(1)]], []),
        "--x INTEGER  [each at least 1] [repeatable]",
    ),
    "different ones": (one(set[int], set()), "--x INTEGER  [no two alike] [repeatable]"),
    "a pattern": (one(Annotated[str, Pattern("^[a-z]+$")], "a"), "--x TEXT  [matches ^[a-z]+$] [default: a]"),
    "an example": (one(Annotated[str | None, Examples("yes")], None), "--x TEXT  [for example: yes]"),
    "a secret has no default to show": (one(SecretStr, SecretStr("hunter2")), "--x TEXT"),
    "its own names first": (one(Annotated[int, Option("-s", "--size")], 1), "-s, --size, --x INTEGER  [default: 1]"),
    "its own word for the value": (one(Annotated[int, Option(metavar="N")], 1), "--x N  [default: 1]"),
    "an environment variable": (one(Annotated[int, Option(env="X")], 1), "--x INTEGER  [default: 1] [env: X]"),
    "an object, field by field": (
        one(Area | None, None),
        text_of(
            """
            --x JSON
              --x.start JSON  [needed]
              --x.start.x INTEGER  [needed]
              --x.start.y-axis NUMBER  [default: 0.0]
              --x.name TEXT  Its name. [default: here]
              --x.is-open  [default: false]
              --x.tags TEXT
            """
        ),
    ),
}


@pytest.mark.parametrize(("command", "row"), ROWS.values(), ids=ROWS)
def test_an_option_is_shown_as(command: Callable[..., None], row: str) -> None:
    shop = App("shop")
    shop.command("sell")(command)
    lines = section(shown(shop, "sell --help", width=100).out, "Options").splitlines()
    squeezed = []
    for line in lines:
        text = line.strip()
        if line.startswith(" " * 12) or (squeezed and not text.startswith("-")):  # the text of the line before
            squeezed[-1] += f"  {text}"
        else:
            squeezed.append(line)
    assert [" ".join(line.split()) for line in squeezed] == [" ".join(line.split()) for line in row.splitlines()]


def test_a_type_that_holds_itself_is_shown_some_levels_deep() -> None:
    shop = App("shop")
    shop.command("sell")(one(Tree))
    out = shown(shop, "sell --help").out
    assert "--x.inner.inner.leaf INTEGER" in out
    assert out.count("\n") < 40


def test_positional_arguments_come_first_and_say_how_many() -> None:
    shop = App("shop")

    @shop.command
    def move(
        source: Annotated[Path, Positional, Description("From where.")],
        targets: Annotated[list[str], Positional],
        depth: Annotated[int, Positional, Option(metavar="LEVELS")] = 1,
        *,
        force: bool,
    ) -> None: ...

    out = shown(shop, "move --help").out
    assert "Usage: app.py move SOURCE TARGETS... [LEVELS] --force|--no-force\n" in out
    assert section(out, "Arguments") == text_of(
        """
        SOURCE PATH       From where.
        TARGETS... TEXT   [repeatable]
        [LEVELS] INTEGER  [default: 1]
        """
    )
    assert section(out, "Required") == "--force / --no-force"


def test_an_environment_variable_that_is_set_shows_what_it_gives() -> None:
    out = shown(app, "deploy --help", WORKSHOP_VERSION="7\x1b[31m" + "x" * 100, width=200).out
    assert f"[env: WORKSHOP_VERSION=7\\x1b[31m{'x' * 31}...]" in out.replace("\n", " ").replace("  ", "")


def test_a_secret_in_the_environment_is_not_shown() -> None:
    out = shown(app, "send --help", WORKSHOP_KEY="hunter3").out
    assert "[env: WORKSHOP_KEY, which is set]" in out
    assert "hunter" not in out


def test_a_flag_s_negation_that_is_another_option_is_not_its_own() -> None:
    shop = App("shop")

    @shop.command
    def sell(clean: bool = False, no_clean: str = "x") -> None: ...

    assert (
        section(shown(shop, "sell --help").out, "Options").split()
        == text_of("--clean [default: false] --no-clean TEXT [default: x]").split()
    )


def test_what_only_concerns_some_commands_is_said_in_a_line() -> None:
    assert "This command is deprecated: use deploy\n\nAlso called colour.\n" in shown(app, "paint --help").out
    assert "It asks for consent first; --yes gives it.\n" in shown(app, "wipe --help").out
    assert "\n--format and --verbose are options of this command; the built-in one goes before" in (
        shown(app, "report --help").out
    )


def test_hidden_options_are_not_shown() -> None:
    assert "internal" not in shown(app, "copy --help").out


def test_an_alias_shows_the_help_of_its_command() -> None:
    assert shown(app, "colour --help").out == shown(app, "paint --help").out


def test_a_tool_that_takes_any_keyword_says_so() -> None:
    shop = App("shop")
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}

    @shop.command(input_schema=schema)
    def sell(**more: Any) -> None: ...

    assert "Options with other names are handed to the command too." in shown(shop, "sell --help").out
