"""Patches over a corpus of mutated calls: each one passes the gate, and the share repaired is printed."""

from __future__ import annotations

import copy
import datetime
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal

import pytest

from accord import Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf
from accord._calls import Failed
from accord._jsonpatch import apply_patch
from accord._tool import Tool
from accord.dispatch.bind import bind

ROUNDS = 6


class Priority(Enum):
    LOW = "low"
    HIGH = "high"


@dataclass
class Address:
    street: str
    city: str
    postal_code: Annotated[int, Ge(1000), Le(99999)]


@dataclass
class Item:
    sku: str
    quantity: Annotated[int, Ge(1), Le(1000)] = 1
    options: dict[str, str] = field(default_factory=dict)


def search(query: str, limit: Annotated[int, Ge(1), Le(100)] = 10, language: str | None = None) -> None: ...


def deploy(
    environment: str, service: str, replicas: Annotated[int, Gt(0), Lt(50)] = 1, dry_run: bool = False
) -> None: ...


def order(items: list[Item], address: Address, priority: Priority = Priority.LOW) -> None: ...


def schedule(title: str, start: datetime.datetime, minutes: Annotated[int, Ge(5), MultipleOf(5)] = 30) -> None: ...


def transfer(source: str, target: str, amount: Annotated[float, Gt(0), Le(10_000)]) -> None: ...


def render(template: str, variables: dict[str, str], format: Literal["html", "text"] = "text") -> None: ...


def invite(emails: Annotated[list[str], MinLen(1), MaxLen(50)], message: str = "") -> None: ...


def plot(points: list[tuple[float, float]], width: Annotated[int, Ge(16), Le(4096)] = 640) -> None: ...


def move(file_pattern: str, destination: str, overwrite: bool = False) -> None: ...


def query_rows(table: str, columns: list[str] | None = None, offset: Annotated[int, Ge(0)] = 0) -> None: ...


VALID: tuple[tuple[Callable[..., None], dict[str, Any]], ...] = (
    (search, {"query": "cats", "limit": 20, "language": "en"}),
    (deploy, {"environment": "staging", "service": "api", "replicas": 3, "dry_run": True}),
    (
        order,
        {
            "items": [{"sku": "A1", "quantity": 2, "options": {"color": "red"}}],
            "address": {"street": "Main 1", "city": "Oslo", "postal_code": 1234},
            "priority": "high",
        },
    ),
    (schedule, {"title": "Standup", "start": "2024-05-01T09:00:00Z", "minutes": 15}),
    (transfer, {"source": "a", "target": "b", "amount": 12.5}),
    (render, {"template": "Hi", "variables": {"name": "Bo"}, "format": "html"}),
    (invite, {"emails": ["a@b.io"], "message": "hello"}),
    (plot, {"points": [[1, 2.5], [3, 4]], "width": 800}),
    (move, {"file_pattern": "*.py", "destination": "out", "overwrite": False}),
    (query_rows, {"table": "users", "columns": ["id"], "offset": 5}),
)
Mutation = Callable[[random.Random, dict[str, Any], dict[str, Any]], bool]


def misspell(rng: random.Random, arguments: dict[str, Any], schema: dict[str, Any]) -> bool:
    name = rng.choice([key for key in arguments if len(key) >= 5] or [max(arguments, key=len)])
    at = rng.randrange(1, len(name) - 1)
    wrong = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    if wrong in schema["properties"] or wrong == name:
        return False
    arguments[wrong] = arguments.pop(name)
    return True


def change_case(rng: random.Random, arguments: dict[str, Any], schema: dict[str, Any]) -> bool:
    name = rng.choice(list(arguments))
    first, *rest = name.split("_")
    wrong = first + "".join(map(str.title, rest)) if rest else name.upper()
    arguments[wrong] = arguments.pop(name)
    return True


def add_unknown(rng: random.Random, arguments: dict[str, Any], schema: dict[str, Any]) -> bool:
    arguments[rng.choice(["reasoning", "_thought", "xyz123", "$comment"])] = rng.choice([1, "text", None, {}])
    return True


def stringify(rng: random.Random, arguments: dict[str, Any], schema: dict[str, Any]) -> bool:
    names = [key for key, value in arguments.items() if not isinstance(value, str)]
    if not names:
        return False
    name = rng.choice(names)
    arguments[name] = json.dumps(arguments[name])
    return True


def exceed(rng: random.Random, arguments: dict[str, Any], schema: dict[str, Any]) -> bool:
    bounded = [key for key in arguments if schema["properties"][key].get("maximum") is not None]
    if not bounded:
        return False
    name = rng.choice(bounded)
    arguments[name] = schema["properties"][name]["maximum"] + rng.choice([1, 7, 10**6])
    return True


def undercut(rng: random.Random, arguments: dict[str, Any], schema: dict[str, Any]) -> bool:
    bounded = [key for key in arguments if schema["properties"][key].get("minimum") is not None]
    if not bounded:
        return False
    name = rng.choice(bounded)
    arguments[name] = schema["properties"][name]["minimum"] - rng.choice([1, 3, 10**6])
    return True


def misspell_and_stringify(rng: random.Random, arguments: dict[str, Any], schema: dict[str, Any]) -> bool:
    return stringify(rng, arguments, schema) and misspell(rng, arguments, schema)


def drop_required(rng: random.Random, arguments: dict[str, Any], schema: dict[str, Any]) -> bool:
    del arguments[rng.choice(schema["required"])]
    return True


def replace_by_another_type(rng: random.Random, arguments: dict[str, Any], schema: dict[str, Any]) -> bool:
    arguments[rng.choice(schema["required"])] = rng.choice([17, True, [[]]])
    return True


def null_a_required(rng: random.Random, arguments: dict[str, Any], schema: dict[str, Any]) -> bool:
    arguments[rng.choice(schema["required"])] = None
    return True


MECHANICAL: tuple[Mutation, ...] = (
    misspell,
    change_case,
    add_unknown,
    stringify,
    exceed,
    undercut,
    misspell_and_stringify,
)
INVENTED: tuple[Mutation, ...] = (drop_required, replace_by_another_type, null_a_required)


def corpus() -> Iterator[tuple[str, Tool, dict[str, Any]]]:
    rng = random.Random(20240501)
    for function, valid in VALID:
        tool = Tool(function)
        assert tool.gate.is_valid(valid), function.__name__
        for mutation in (*MECHANICAL, *INVENTED):
            for _ in range(ROUNDS):
                arguments = copy.deepcopy(valid)
                if mutation(rng, arguments, tool.canonical_input) and not tool.gate.is_valid(arguments):
                    yield mutation.__name__, tool, arguments


def test_every_patch_passes_the_gate_and_the_share_repaired_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seen: Counter[str] = Counter()
    repaired: Counter[str] = Counter()
    for mutation, tool, arguments in corpus():
        before = copy.deepcopy(arguments)
        outcome = bind(tool, arguments)
        assert isinstance(outcome, Failed)
        assert arguments == before, "binding changed the arguments it was given"
        seen[mutation] += 1
        patch = outcome.error_data.get("patch")
        if patch is not None:
            fixed = apply_patch(arguments, patch)
            assert tool.gate.is_valid(fixed), (mutation, arguments, patch)
            assert not isinstance(bind(tool, fixed), Failed)
            repaired[mutation] += 1
    assert sum(seen.values()) >= 300
    with capsys.disabled():
        print(f"\nrepaired in one step: {sum(repaired.values())} of {sum(seen.values())} mutated calls")
        for mutation, count in seen.items():
            print(f"  {mutation:24} {repaired[mutation]:3} of {count}")
    for mutation in MECHANICAL:
        share = repaired[mutation.__name__] / seen[mutation.__name__]
        assert share >= 0.9, f"{mutation.__name__}: only {share:.0%} repaired"
    for invented in (drop_required, null_a_required):
        assert repaired[invented.__name__] == 0, f"{invented.__name__}: a value was invented"


@pytest.mark.parametrize(
    ("arguments", "patch", "expected"),
    [
        ({"a": 1}, [{"op": "move", "from": "/a", "path": "/b"}], {"b": 1}),
        ({"a": 1}, [{"op": "remove", "path": "/a"}], {}),
        ({"a": {"b": 1}}, [{"op": "replace", "path": "/a/b", "value": 2}], {"a": {"b": 2}}),
        ({"a": [1, 2, 3]}, [{"op": "remove", "path": "/a/1"}], {"a": [1, 3]}),
        ({"a": [1]}, [{"op": "add", "path": "/a/-", "value": 2}], {"a": [1, 2]}),
        ({"a": [1]}, [{"op": "add", "path": "/a/0", "value": 0}], {"a": [0, 1]}),
        ({"x/y~z": 1}, [{"op": "move", "from": "/x~1y~0z", "path": "/a"}], {"a": 1}),
        ({}, [], {}),
    ],
)
def test_a_patch_is_applied_as_rfc_6902_says(arguments: Any, patch: Any, expected: Any) -> None:
    before = copy.deepcopy(arguments)
    assert apply_patch(arguments, patch) == expected
    assert arguments == before


def test_items_of_an_argument_called_properties_are_no_properties() -> None:
    def tool(properties: list[dict[str, int]], required: str = "") -> None: ...

    outcome = bind(Tool(tool), {"properties": [None, None]})
    assert isinstance(outcome, Failed)
    data = outcome.error_data
    assert [each["path"] for each in data["violations"]] == ["/properties/0", "/properties/1"]
    assert "patch" not in data
