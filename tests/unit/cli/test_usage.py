"""Examples as command lines: a shell that reads one gives the command the very arguments the author wrote."""

import shlex
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

import pytest

from accord import App, Option, Positional
from accord.cli.arguments import arguments_of
from accord.cli.builtin import Wishes
from accord.cli.parse import parse
from accord.cli.usage import example_line
from tests.unit.cli._showing import shown


@dataclass
class Address:
    city: str
    zip_code: int | None = None


app = App("shop")


@app.command
def sell(
    item: Annotated[str, Positional] = "",
    more: Annotated[list[str], Positional] = [],
    *,
    count: int = 1,
    either: int | str = 1,
    maybe: str | None = None,
    names: list[str] = [],
    numbers: list[int] = [],
    grid: list[list[int]] = [],
    pair: tuple[int, str] = (1, "a"),
    sizes: dict[str, int] = {},
    labels: dict[str, str] = {},
    address: Address | None = None,
    addresses: list[Address] = [],
    fast: bool = False,
    unsure: bool | None = None,
    short: Annotated[int, Option("-s")] = 1,
    color: Literal["red", "blue"] = "red",
    anything: Any = None,
) -> None: ...


CASES: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, ""),
    ({"item": "tea"}, "tea"),
    ({"item": "tea", "more": ["milk", "sugar"], "count": 2}, "tea milk sugar --count 2"),
    ({"item": "it's $(rm)"}, "'it'\"'\"'s $(rm)'"),
    ({"item": "-x"}, "-- -x"),
    ({"item": "--count", "count": 2}, "--count 2 -- --count"),
    ({"more": ["milk"]}, "--more milk"),
    ({"count": -3}, "--count=-3"),
    ({"either": 5}, "--either 5"),
    ({"either": "5"}, "--either '\"5\"'"),
    ({"either": "five"}, "--either five"),
    ({"maybe": None}, ""),
    ({"maybe": "null"}, ""),
    ({"maybe": ""}, "--maybe="),
    ({"maybe": "--yes"}, "--maybe=--yes"),
    ({"names": ["a b", "c"]}, "--names 'a b' --names c"),
    ({"names": []}, "--names '[]'"),
    ({"names": ["[a]", "-", "@b"]}, "--names '[a]' --names=- --names @b"),
    ({"numbers": [1, -2]}, "--numbers 1 --numbers=-2"),
    ({"grid": [[1, 2], [3]]}, "--grid '[1,2]' --grid '[3]'"),
    ({"grid": [[1]]}, "--grid '[1]'"),
    ({"pair": [2, "b"]}, "--pair 2 --pair b"),
    ({"sizes": {"a": 1, "b c": 2}}, "--sizes a=1 --sizes 'b c=2'"),
    ({"labels": {"a": "1", "b": "x=y"}}, "--labels a=1 --labels b=x=y"),
    ({"labels": {"a=b": "1"}}, '--labels \'{"a=b":"1"}\''),
    ({"sizes": {}}, "--sizes '{}'"),
    ({"address": {"city": "Bern", "zip_code": 3000}}, "--address city=Bern --address zip_code=3000"),
    ({"addresses": [{"city": "Bern"}]}, '--addresses \'{"city":"Bern"}\''),
    ({"fast": True}, "--fast"),
    ({"fast": False, "unsure": None}, ""),
    ({"short": 3}, "--short 3"),
    ({"color": "blue", "anything": {"a": [1, None]}}, "--color blue --anything '{\"a\":[1,null]}'"),
    ({"anything": "true"}, "--anything '\"true\"'"),
    ({"item": "中文 🙂"}, "'中文 🙂'"),
)


@pytest.mark.parametrize(("example", "line"), CASES, ids=lambda value: str(value) if isinstance(value, dict) else "")
def test_an_example_is_read_back_as_itself(example: dict[str, Any], line: str) -> None:
    tool = app.tools["sell"]
    written = example_line("shop.py", tool, arguments_of(tool), example)
    words = shlex.split(written)
    assert words[:2] == ["shop.py", "sell"]
    assert parse(tool, words[2:], Wishes(), {}, lambda _: b"").arguments == example
    if line:
        assert written == f"shop.py sell {line}"


def test_values_without_a_json_form_are_written_as_text() -> None:
    shop = App("shop")

    @shop.command(examples=[{"when": datetime(2030, 1, 31, 12), "other_name": 1}])
    def open_at(when: datetime) -> None: ...

    assert "  app.py open_at --when 2030-01-31T12:00:00 --other-name=1\n" in shown(shop, "open_at --help").out


@pytest.mark.parametrize(
    ("program", "called"),
    [("app.py", "app.py"), ("my app", "'my app'"), ("python -m shop", "python -m shop"), ("", "shop")],
)
def test_a_program_is_named_as_one_types_it(program: str, called: str) -> None:
    assert f"Usage: {called} sell " in shown(app, "sell --help", program=program).out
    assert f"Usage: {called} COMMAND " in shown(app, "--help", program=program).out
