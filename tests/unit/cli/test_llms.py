"""What a language model is told: short, and each example is one that works."""

import re
import shlex
from datetime import date
from typing import Annotated, Any, Literal

import pytest

from accord import App, Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf, Pattern
from accord.cli.sample import sample_of
from tests.unit.cli._showing import shown, text_of
from tests.unit.cli._workshop import app


def llms(of: App, line: str = "--llms-txt") -> str:
    result = of.invoke(line.split())
    assert (result.exit_code, result.stderr) == (0, "")
    return result.output


def test_it_is_markdown_in_the_manner_of_llms_txt() -> None:
    text = llms(app)
    assert text.startswith("# workshop\n\n> Makes things. And sends them.\n\n")
    assert re.findall("^## (.*)$", text, re.MULTILINE) == ["Commands", "Failures"]


def test_it_says_how_to_call_and_where_the_rest_is() -> None:
    calling = llms(app).partition("## Commands")[0]
    for needed in (
        "`workshop --format json COMMAND [OPTIONS]`",
        "errorData",
        "`workshop --manifest`",
        "--no-input",
        "patch",
        "`workshop --mcp`",
        "`--mcp-http [HOST:]PORT`",
        "`--insecure`",
    ):
        assert needed in calling


def test_a_command_is_its_usage_its_options_and_an_example() -> None:
    assert text_of(
        """
        - `workshop site pages add --title TEXT`: Add a page.
          - `--title TEXT`
          - Example: `workshop site pages add --title TITLE`
        """
    ) in llms(app)
    assert "  - Example: `workshop deploy --environment staging --service 'the api' --dry-run`\n" in llms(app)
    assert "- `workshop wipe`: Wipe it all. [asks for consent]\n" in llms(app)


def test_hidden_commands_and_secrets_are_not_told() -> None:
    assert not re.search("secret|elsewhere|hunter", llms(app))


def test_it_can_be_asked_of_a_group_alone() -> None:
    commands = llms(app, "site --llms-txt").partition("## Commands")[2]
    assert re.findall(r"^- `(.*)`", commands, re.MULTILINE) == [
        "workshop site build [OPTIONS]",
        "workshop site pages add --title TEXT",
    ]


def test_failures_are_told_by_exit_code() -> None:
    assert text_of(
        """
        | exit code | code | reasons |
        |---|---|---|
        | 0 | SUCCESS |  |
        | 1 | TOOL_ERROR | tool_error |
        """
    ) in llms(app)


def test_every_example_passes_the_gate() -> None:
    for line in re.findall("Example: `workshop (.*)`", llms(app)):
        result = app.invoke(shlex.split(line))
        assert result.exit_code == 0, (line, result)


SAMPLES: dict[str, tuple[Any, Any]] = {
    "text is named after its argument": (str, "X"),
    "long enough": (Annotated[str, MinLen(3)], "Xxx"),
    "short enough": (Annotated[str, MaxLen(0)], ""),
    "the first of several": (Literal["b", "a"], "b"),
    "a lower bound": (Annotated[int, Ge(7)], 7),
    "an open lower bound": (Annotated[int, Gt(7)], 8),
    "an upper bound": (Annotated[int, Le(-7)], -7),
    "an open upper bound": (Annotated[int, Lt(-7)], -8),
    "a multiple": (Annotated[int, MultipleOf(5)], 5),
    "a date": (date, "2030-01-31"),
    "a list": (list[int], [1]),
    "a pair": (tuple[int, str], [1, "X"]),
    "no items at all": (dict[str, int], {}),
    "truth": (bool, True),
}


@pytest.mark.parametrize(("annotation", "sample"), SAMPLES.values(), ids=SAMPLES)
def test_a_sample_keeps_the_schema(annotation: Any, sample: Any) -> None:
    shop = App("shop")

    def sell(x): ...

    sell.__annotations__ = {"x": annotation}
    shop.command(sell)
    assert sample_of(shop.tools["sell"]) == {"x": sample}


def test_no_sample_is_better_than_a_wrong_one() -> None:
    shop = App("shop")

    @shop.command
    def sell(x: Annotated[str, Pattern("^[0-9]{3}$")]) -> None: ...

    assert sample_of(shop.tools["sell"]) is None
    assert "Example" not in llms(shop)


def test_on_a_terminal_nothing_can_steer_it() -> None:
    assert "\x1b" not in shown(app, "--llms-txt").out
