"""Names that are not there yet (R21), and annotations in every spelling Python allows (R22).

The second part is number 6 of the short list in `reference/traps.md`.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from accord import App, Policy, function_to_schema, return_to_schema
from accord.errors import AccordError, RegistrationError
from tests.unit._tools import app_of, module_of, run, send, takes

LATER = """
    from dataclasses import dataclass

    def tool(x: 'Later', n: int = 1) -> 'Later':
        return x
"""
DEFINITION = """
@dataclass
class Later:
    a: int
"""


def test_a_class_defined_after_the_function_works_at_first_use() -> None:
    module = module_of(LATER)
    app = App("later")
    app.command(module.tool)
    exec(DEFINITION, vars(module))
    assert app.tools["tool"].input_schema["properties"]["x"]["properties"] == {"a": {"type": "integer"}}
    assert send(app, "tool", {"x": {"a": 1}})["structuredContent"] == {"a": 1}
    assert send(app, "tool", {"x": {"a": "one"}})["errorData"]["argument"] == "x"


def test_a_call_may_be_the_first_use() -> None:
    module = module_of(LATER)
    app = App("later")
    app.command(module.tool)
    exec(DEFINITION, vars(module))
    assert send(app, "tool", {"x": {"a": 1}})["isError"] is False


def test_a_name_that_never_comes_fails_that_tool_alone_in_a_sentence() -> None:
    module = module_of(LATER)
    app = App("mixed")
    app.command("before")(takes(int))
    app.command("bad")(module.tool)
    app.command("after")(takes(str))
    assert {"before", "after"} <= set(app.tools)
    assert app.tools["before"].input_schema["properties"] == {"x": {"type": "integer"}}
    assert app.tools["after"].input_schema["properties"] == {"x": {"type": "string"}}
    with pytest.raises(RegistrationError, match=r"(?s)bad|tool") as caught:
        _ = app.tools["bad"].input_schema
    assert "'x'" in str(caught.value)
    assert "Later" in str(caught.value)
    assert send(app, "after", {"x": "a"})["isError"] is False


def test_calling_a_tool_whose_name_never_came_says_the_same_and_the_next_call_works() -> None:
    module = module_of(LATER)
    app = App("mixed")
    app.command("bad")(module.tool)
    app.command("good")(takes(int))
    try:
        result = send(app, "bad", {"x": {"a": 1}})
    except AccordError as error:
        text = str(error)
    else:
        assert result["isError"] is True
        text = result["content"][0]["text"]
    assert "Later" in text
    assert "Traceback" not in text
    assert send(app, "good", {"x": 1})["isError"] is False


def test_a_failed_first_use_may_be_tried_again_after_the_name_appears() -> None:
    module = module_of(LATER)
    app = App("again")
    app.command(module.tool)
    with pytest.raises(RegistrationError):
        _ = app.tools["tool"].input_schema
    exec(DEFINITION, vars(module))
    assert app.tools["tool"].input_schema["properties"]["x"]["required"] == ["a"]


def test_an_unresolvable_return_annotation_is_named() -> None:
    module = module_of("def tool(x: int) -> 'Nowhere': ...")
    with pytest.raises(RegistrationError, match=r"tool, its result: .*Nowhere"):
        return_to_schema(module.tool)


def test_a_mistake_that_needs_no_late_name_is_reported_at_registration() -> None:
    """Deferral is for names that may come, not for errors that stay."""
    module = module_of("""
        from typing import Annotated
        from accord import MinLen

        def tool(n: Annotated[int, MinLen(1)], x: int = 1): ...
    """)
    with pytest.raises(RegistrationError, match=r"(?s)tool.*'n'"):
        app_of(module.tool)


def test_an_annotation_that_raises_is_reported_in_a_sentence() -> None:
    module = module_of("""
        from __future__ import annotations

        def tool(x: 1 / 0): ...
    """)
    with pytest.raises(RegistrationError, match=r"(?s)tool.*'x'"):
        app_of(module.tool).tools["tool"].input_schema  # noqa: B018


MODULES = {
    "postponed annotations": """
        from __future__ import annotations
        from typing import Annotated
        from accord import Ge

        def tool(x: Annotated[int, Ge(1)]) -> int:
            return x
    """,
    "quoted annotations": """
        from typing import Annotated
        from accord import Ge

        def tool(x: 'Annotated[int, Ge(1)]') -> 'int':
            return x
    """,
    "quotes inside": """
        from typing import Annotated, List
        from accord import Ge

        Number = Annotated[int, Ge(1)]

        def tool(x: List['Number']) -> 'int':
            return x[0]
    """,
    "an imported name used for types only, present after all": """
        from __future__ import annotations
        from typing import TYPE_CHECKING, Annotated
        from accord import Ge

        if TYPE_CHECKING:
            from fractions import Fraction

        def tool(x: Annotated[int, Ge(1)]) -> int:
            half: Fraction
            return x
    """,
    "NewType": """
        from typing import Annotated, NewType
        from accord import Ge

        UserId = NewType('UserId', int)

        def tool(x: Annotated[UserId, Ge(1)]) -> UserId:
            return x
    """,
    "NewType of NewType": """
        from typing import Annotated, NewType
        from accord import Ge

        UserId = NewType('UserId', int)
        AdminId = NewType('AdminId', UserId)

        def tool(x: Annotated[AdminId, Ge(1)]) -> AdminId:
            return x
    """,
    "TypeVar with a bound": """
        from typing import Annotated, TypeVar
        from accord import Ge

        N = TypeVar('N', bound=int)

        def tool(x: Annotated[N, Ge(1)]) -> N:
            return x
    """,
    "an alias of typing_extensions": """
        from typing import Annotated
        from typing_extensions import TypeAliasType
        from accord import Ge

        Positive = TypeAliasType('Positive', Annotated[int, Ge(1)])

        def tool(x: Positive) -> Positive:
            return x
    """,
    "Final and ClassVar in a dataclass": """
        from dataclasses import dataclass
        from typing import Annotated, ClassVar, Final
        from accord import Ge

        @dataclass
        class Box:
            unit: ClassVar[str] = 'mm'
            size: Final[Annotated[int, Ge(1)]] = 1

        def tool(x: Annotated[int, Ge(1)], box: Box = Box()) -> int:
            return x
    """,
    "a generic dataclass": """
        from dataclasses import dataclass
        from typing import Annotated, Generic, TypeVar
        from accord import Ge

        T = TypeVar('T')

        @dataclass
        class Box(Generic[T]):
            content: T

        def tool(x: Box[Annotated[int, Ge(1)]]) -> int:
            return x.content
    """,
    "a generic TypedDict under postponed annotations": """
        from __future__ import annotations
        from typing import Annotated, Generic, TypeVar
        from typing_extensions import TypedDict
        from accord import Ge

        T = TypeVar('T')

        class Box(TypedDict, Generic[T]):
            content: T

        def tool(x: Box[Annotated[int, Ge(1)]]) -> int:
            return x['content']
    """,
    "a functools.wraps wrapper": """
        import functools
        from typing import Annotated
        from accord import Ge

        def logged(function):
            @functools.wraps(function)
            def inner(*args, **kwargs):
                return function(*args, **kwargs)
            return inner

        @logged
        def tool(x: Annotated[int, Ge(1)]) -> int:
            return x
    """,
    "a callable object": """
        from typing import Annotated
        from accord import Ge

        class Callee:
            __name__ = 'tool'

            def __call__(self, x: Annotated[int, Ge(1)]) -> int:
                return x

        tool = Callee()
    """,
}


def shaped(name: str, value: int) -> Any:
    if name == "quotes inside":
        return [value]
    return {"content": value} if "generic" in name else value


@pytest.mark.parametrize("name", MODULES)
def test_an_annotation_in_any_spelling_is_enforced_and_answers(name: str) -> None:
    tool = module_of(MODULES[name]).tool
    assert run(tool, {"x": shaped(name, 3)})["structuredContent"] == 3
    assert run(tool, {"x": shaped(name, 0)})["errorData"]["reason"] == "constraint_violation"
    assert function_to_schema(tool)["required"] == ["x"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="`type` statements and bracketed generics came with 3.12")
@pytest.mark.parametrize("future", ["", "from __future__ import annotations"])
def test_the_type_statement_and_bracketed_generics_work(future: str) -> None:
    module = module_of(f"""
        {future}
        from dataclasses import dataclass
        from typing import Annotated
        from accord import Ge

        type Positive = Annotated[int, Ge(1)]
        type Tree = Positive | list[Tree]

        @dataclass
        class Box[T]:
            content: T

        def tool[N: int](x: Box[Positive], tree: Tree, n: N) -> int:
            return x.content
    """)
    assert run(module.tool, {"x": {"content": 3}, "tree": [1, [2]], "n": 1})["structuredContent"] == 3
    refused = run(module.tool, {"x": {"content": 0}, "tree": [1, ["a"]], "n": "x"})
    assert {violation["argument"] for violation in refused["errorData"]["violations"]} == {"x", "tree", "n"}


def test_a_recursive_alias_is_a_reference() -> None:
    from typing_extensions import TypeAliasType

    module = module_of(
        """
        from typing import Union
        Json = TypeAliasType('Json', Union[int, str, None, list['Json'], dict[str, 'Json']])

        def tool(x: Json) -> Json:
            return x
        """,
        TypeAliasType=TypeAliasType,
    )
    schema = function_to_schema(module.tool)
    assert "$defs" in schema
    value = {"a": [1, {"b": None}]}
    assert run(module.tool, {"x": value})["structuredContent"] == value
    assert run(module.tool, {"x": {"a": [1.5]}})["isError"] is True


def test_a_type_defined_in_a_function_is_found_or_refused_in_a_sentence() -> None:
    """R22. Nothing of the function's body mentions the class, so only its caller knows it."""
    module = module_of("""
        from __future__ import annotations
        from dataclasses import dataclass

        def make(app):
            @dataclass
            class Local:
                a: int

            @app.command
            def tool(x: Local) -> int:
                return 1
    """)
    app = App("local", policy=Policy())
    said, schema = "", {}
    try:
        module.make(app)
        schema = app.tools["tool"].input_schema
    except RegistrationError as error:
        said = str(error)
    found = schema.get("properties", {}).get("x", {}).get("properties") == {"a": {"type": "integer"}}
    assert found or ("Local" in said and "'x'" in said)


def test_a_type_defined_in_a_function_is_found_through_the_closure() -> None:
    """R22."""
    module = module_of("""
        from __future__ import annotations
        from dataclasses import dataclass

        def make():
            @dataclass
            class Local:
                a: int

            def tool(x: Local) -> int:
                assert isinstance(x, Local)
                return x.a
            return tool
    """)
    assert run(module.make(), {"x": {"a": 4}})["structuredContent"] == 4


def test_mutually_recursive_types_work() -> None:
    """R22."""
    module = module_of("""
        from __future__ import annotations
        from dataclasses import dataclass, field

        @dataclass
        class File:
            name: str
            folder: Folder | None = None

        @dataclass
        class Folder:
            files: list[File] = field(default_factory=list)

        def tool(x: Folder) -> str:
            return type(x.files[0].folder).__name__
    """)
    good = {"files": [{"name": "a", "folder": {"files": []}}]}
    assert run(module.tool, {"x": good})["structuredContent"] == "Folder"
    bad = run(module.tool, {"x": {"files": [{"name": "a", "folder": {"files": [3]}}]}})
    assert bad["errorData"]["violations"][0]["path"] == "/x/files/0/folder/files/0"
