"""App: the registry of tools and the facade over them. Knows no argv and no sockets."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, overload

from accord.policy import Policy

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from accord._tool import Tool

__all__ = ["App", "ToolOptions"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


class ToolOptions(TypedDict, total=False):
    """The options of ``app.command``, all optional."""

    description: str | None
    title: str | None
    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None
    input_schema: dict[str, Any] | None
    output_schema: dict[str, Any] | None
    flatten: bool | None


class App:
    """A named set of tools under one policy.

    ``app.command`` (or ``app.tool``, the same decorator) registers a function and returns it
    unchanged; ``app.tools`` is the ordered, read-only mapping of what is registered.
    """

    def __init__(
        self,
        name: str,
        *,
        version: str = "0.0.0",
        description: str | None = None,
        instructions: str | None = None,
        policy: Policy = Policy(),  # noqa: B008 - frozen
    ) -> None:
        self.name = name
        self.version = version
        self.description = description
        self.instructions = instructions
        self.policy = policy
        self._tools: dict[str, Tool] = {}
        self._spellings: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"<App {self.name!r} with {len(self._tools)} tools>"

    @overload
    def command(self, name: _Function, /) -> _Function: ...

    @overload
    def command(
        self, name: str | None = None, /, **options: "Unpack[ToolOptions]"
    ) -> Callable[[_Function], _Function]: ...

    def command(self, name: Any = None, /, **options: Any) -> Any:
        """Register a function as a tool; it is returned unchanged. Works bare and with options.

        Raises:
            RegistrationError: the function cannot work as a tool, or its name is taken.
        """
        if callable(name):
            self._register(name, {})
            return name

        def register(function: _Function) -> _Function:
            self._register(function, {"name": name, **options})
            return function

        return register

    tool = command

    @property
    def tools(self) -> Mapping[str, "Tool"]:
        """The registered tools by name, in the order of registration."""
        return _Registry(self._tools)

    def remove(self, name: str) -> None:
        """Take a tool out.

        Raises:
            UnknownTool: there is none of that name.
        """
        if name not in self._tools:
            from accord.errors import UnknownTool  # noqa: PLC0415 - only the failure needs it

            raise UnknownTool(f"no tool is called {name!r}")
        del self._tools[name]
        del self._spellings[_spelling(name)]

    def find(self, name: str) -> "Tool | None":
        """The tool of that name, in the dotted or the underscored spelling, or None."""
        tool = self._tools.get(name)
        return tool or self._tools.get(self._spellings.get(_spelling(name), ""))

    def _register(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        # The engine is imported with the first tool, so that importing App stays cheap.
        from accord._tool import Options, Tool  # noqa: PLC0415
        from accord.errors import RegistrationError  # noqa: PLC0415

        tool = Tool(function, Options(**options), self.policy)
        taken = self.find(tool.name)
        if taken is not None:
            raise RegistrationError(
                tool.name,
                None,
                f"a tool named {taken.name!r} is registered already, and dots and underscores name the same tool",
                "Give one of them another name.",
            )
        self._tools[tool.name] = tool
        self._spellings[_spelling(tool.name)] = tool.name


def _spelling(name: str) -> str:
    return name.replace(".", "_")


class _Registry(Mapping[str, "Tool"]):
    """A read-only view of an App's tools."""

    def __init__(self, tools: Mapping[str, "Tool"]) -> None:
        self._tools = tools

    def __getitem__(self, name: str) -> "Tool":
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def __repr__(self) -> str:
        return f"<tools: {', '.join(self._tools)}>"
