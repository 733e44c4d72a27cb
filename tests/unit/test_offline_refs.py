"""Every schema we publish is valid and whole, and no reference is ever fetched: no server, no file."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from accord import function_to_schema, return_to_schema
from accord.errors import RegistrationError
from tests.unit import test_types_to_schema, test_types_to_schema_records
from tests.unit._tools import app_of, module_of, returns, run, send, takes

DIALECTS = ["accord", "milo", "openmcp", "governed", "omni"]
RECURSIVE = module_of("""
    from __future__ import annotations
    from dataclasses import dataclass, field
    from typing import Generic, NamedTuple, TypedDict, TypeVar
    from pydantic import BaseModel
    import attrs, msgspec

    T = TypeVar('T')

    @dataclass
    class Tree:
        value: int
        children: list[Tree] = field(default_factory=list)

    class Chain(TypedDict):
        next: Chain | None

    class Model(BaseModel):
        parent: Model | None = None
        others: dict[str, Model] = {}

    class Struct(msgspec.Struct):
        inner: Struct | None = None

    @attrs.define
    class Attrs:
        inner: Attrs | None = None

    @dataclass
    class A:
        b: B | None = None

    @dataclass
    class B:
        a: list[A] = field(default_factory=list)

    @dataclass
    class Twice:
        left: Tree
        right: Tree | None
        chain: Chain
""")
ANNOTATIONS = [row.values[0] for row in test_types_to_schema.ROWS][::3]
ANNOTATIONS += [row[0] for row in test_types_to_schema_records.ROWS]
ANNOTATIONS += [getattr(RECURSIVE, name) for name in ("Tree", "Chain", "Model", "Struct", "Attrs", "A", "B", "Twice")]


def references(schema: Any) -> Iterator[str]:
    """The values of `$ref` where it is a keyword, not a property or a value of that name."""
    if isinstance(schema, list):
        for item in schema:
            yield from references(item)
    elif isinstance(schema, dict):
        for key, inner in schema.items():
            if key == "$ref" and isinstance(inner, str):
                yield inner
            elif key in {"properties", "$defs", "patternProperties"} and isinstance(inner, dict):
                yield from references(list(inner.values()))
            elif key not in {"default", "enum", "const", "examples", "required"}:
                yield from references(inner)


def check(schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    resolver = Registry().with_resource("", DRAFT202012.create_resource(schema)).resolver()
    for reference in references(schema):
        assert reference.startswith("#")
        assert isinstance(resolver.lookup(reference).contents, dict), reference
    assert '"$schema"' not in json.dumps(schema)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_schema_is_valid_and_every_reference_in_it_resolves(dialect: Any) -> None:
    assert len(ANNOTATIONS) >= 60
    for annotation in ANNOTATIONS:
        check(function_to_schema(takes(annotation), dialect=dialect))
        published = return_to_schema(returns(annotation), dialect=dialect)
        if published is not None:
            check(published)


def test_two_recursive_types_together_still_resolve() -> None:
    def tool(a: Any, b: Any, c: Any) -> Any: ...

    tool.__annotations__ = {
        "a": RECURSIVE.Tree | None,
        "b": list[RECURSIVE.A],
        "c": dict[str, RECURSIVE.B],
        "return": RECURSIVE.Model | None,
    }
    for dialect in DIALECTS:
        schema = function_to_schema(tool, dialect=dialect)
        check(schema)
        assert {"Tree", "A"} <= set(schema["$defs"])
        published = return_to_schema(tool, dialect=dialect)
        assert published is not None
        check(published)


# ---- nothing is fetched ----------------------------------------------------------------------------------


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.setblocking(False)
        yield server


def connections(listener: socket.socket) -> int:
    """How many clients came, whichever language they were written in."""
    count = 0
    while True:
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            return count
        count += 1


REFERRERS = {
    "in a property": lambda url: {"type": "object", "properties": {"a": {"$ref": url}}},
    "at the root": lambda url: {"type": "object", "$ref": url},
    "in a definition nobody uses": lambda url: {"type": "object", "$defs": {"a": {"$ref": url}}},
    "relative to an id": lambda url: {
        "$id": f"{url}/base/",
        "type": "object",
        "properties": {"a": {"$ref": "other.json"}},
    },
    "dynamic": lambda url: {"type": "object", "properties": {"a": {"$dynamicRef": f"{url}#x"}}},
    "as the dialect": lambda url: {"$schema": url, "type": "object"},
    "with a fragment": lambda url: {"type": "object", "properties": {"a": {"$ref": f"{url}#/$defs/a"}}},
    "under not": lambda url: {"type": "object", "not": {"items": {"$ref": url}}},
}


@pytest.mark.parametrize("which", ["input_schema", "output_schema"])
@pytest.mark.parametrize("form", REFERRERS)
def test_a_reference_to_a_server_is_refused_without_a_connection(
    form: str, which: str, listener: socket.socket
) -> None:
    host, port = listener.getsockname()

    def tool(**kwargs: Any) -> dict[str, Any]:
        return {}

    with pytest.raises(RegistrationError, match=rf"(?s)tool.*{which}"):
        app_of(tool, **{which: REFERRERS[form](f"http://{host}:{port}/schema.json")})
    assert connections(listener) == 0


@pytest.mark.parametrize("form", REFERRERS)
def test_a_reference_to_a_file_is_refused_though_the_file_is_there(form: str, tmp_path: Path) -> None:
    target = tmp_path / "schema.json"
    target.write_text(json.dumps({"$defs": {"a": {"type": "integer"}}, "type": "integer"}), encoding="utf-8")

    def tool(**kwargs: Any) -> None: ...

    with pytest.raises(RegistrationError, match=r"(?s)tool.*input_schema"):
        app_of(tool, input_schema=REFERRERS[form](target.as_uri()))


def test_what_only_looks_like_a_reference_is_left_alone(listener: socket.socket) -> None:
    host, port = listener.getsockname()
    url = f"http://{host}:{port}/x"
    given = {
        "type": "object",
        "properties": {
            "$ref": {"type": "string"},
            "a": {"const": {"$ref": url}, "default": {"$ref": url}, "examples": [{"$ref": url}]},
            "b": {"$ref": "#/$defs/b"},
        },
        "$defs": {"b": {"type": "integer"}},
    }

    def tool(**kwargs: Any) -> int:
        return len(kwargs)

    app = app_of(tool, input_schema=given)
    assert app.tools["tool"].input_schema == given
    assert send(app, "tool", {"$ref": url, "a": {"$ref": url}, "b": 1})["structuredContent"] == 3
    assert send(app, "tool", {"b": "x"})["isError"] is True
    assert connections(listener) == 0


def test_a_value_that_looks_like_a_reference_is_data(listener: socket.socket) -> None:
    host, port = listener.getsockname()
    url = {"$ref": f"http://{host}:{port}/x", "$schema": f"http://{host}:{port}/y"}
    default = takes(dict[str, Any], default=url)
    assert function_to_schema(default)["properties"]["x"]["default"] == url
    assert run(default, {"x": url})["isError"] is False
    assert run(returns(dict[str, Any], url))["structuredContent"] == url
    assert connections(listener) == 0


AUDITED = """
    import json, sys

    seen = []

    def watch(event, arguments):
        if event == "socket.connect" or event == "socket.getaddrinfo":
            seen.append([event, repr(arguments)])
        elif event == "open" and isinstance(arguments[0], (str, bytes)):
            name = arguments[0] if isinstance(arguments[0], str) else arguments[0].decode()
            if name.endswith((".json", ".fifo")) or "schema.org" in name:
                seen.append([event, name])

    from accord import App
    from accord.testing import call_tool

    given, answers = json.loads(sys.argv[1]), []
    sys.addaudithook(watch)
    for number, schema in enumerate(given):
        app = App("audited")

        def tool(**kwargs) -> dict:
            return {}

        try:
            app.command(input_schema=schema)(tool)
            answers.append(call_tool(app, {"name": "tool", "arguments": {"a": 1}})["isError"])
        except TypeError as error:
            answers.append(type(error).__name__)
    print(json.dumps({"seen": seen, "answers": answers}))
"""


def audited(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(AUDITED), json.dumps(schemas)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_python_opens_no_file_and_no_socket_for_a_reference(tmp_path: Path) -> None:
    target = tmp_path / "schema.json"
    target.write_text("{}", encoding="utf-8")
    urls = ["http://accord.invalid/schema.json", "https://accord.invalid/schema.json", target.as_uri()]
    schemas = [form(url) for form in REFERRERS.values() for url in urls]
    schemas += [{"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "integer"}}}]
    schemas += [{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}]
    report = audited(schemas)
    assert report["seen"] == []
    assert report["answers"] == ["RegistrationError"] * (len(schemas) - 2) + [False, False]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a POSIX thing")
def test_no_language_reads_a_file_for_a_reference(tmp_path: Path) -> None:
    """Reading this pipe would wait for ever, in Rust as in Python, and run into the timeout."""
    pipe = tmp_path / "pipe.fifo"
    os.mkfifo(pipe)
    schemas = [form(pipe.as_uri()) for form in REFERRERS.values()]
    assert audited(schemas) == {"seen": [], "answers": ["RegistrationError"] * len(schemas)}
