"""App: the registry of tools and the facade over them. Knows no argv and no sockets.

What a call needs (the engine, dispatch, the surfaces) is imported when first used, so that importing App costs
next to nothing.
"""

from __future__ import annotations

from _collections_abc import Mapping  # the same class, without the millisecond that its package takes

from accord._caller import PythonCaller
from accord._surfaces import reach, reached
from accord._values import View, lazy
from accord.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Coroutine
    from contextlib import AbstractContextManager
    from typing import Any, Self, TypeVar, overload

    from typing_extensions import Unpack

    from accord._calls import Call, Outcome
    from accord._registry import Middleware, Registry
    from accord._tool import Tool
    from accord._tool_options import ToolOptions
    from accord.cli.capture import InvokeResult
    from accord.offers.options import PromptOptions, ResourceOptions
    from accord.offers.values import Prompt, Resource, Template
    from accord.provide import Provider, Scope
    from accord.settings import Settings
    from accord.store import Store
    from accord.tasks import TaskStore

    _Function = TypeVar("_Function", bound=Callable[..., Any])
    _Middleware = TypeVar("_Middleware", bound=Middleware)

__all__ = ["App", "Group"]


class _Commands:
    """What an App and its groups have in common: names below a prefix."""

    _app: App
    _path: tuple[str, ...]

    if TYPE_CHECKING:

        @overload
        def command(self, name: _Function, /) -> _Function: ...

        @overload
        def command(
            self, name: str | None = None, /, **options: Unpack[ToolOptions]
        ) -> Callable[[_Function], _Function]: ...

    def command(self, name: Any = None, /, **options: Any) -> Any:
        """Register a function as a tool; it is returned unchanged. Works bare and with options.

        Raises:
            RegistrationError: the function cannot work as a tool, or its name is taken.
        """
        if name is not None and not isinstance(name, str):
            self._app._register(name, {}, self._path)
            return name
        if name is not None:
            options["name"] = name

        def register(function: _Function) -> _Function:
            self._app._register(function, options, self._path)
            return function

        return register

    tool = command

    def group(self, name: str, description: str | None = None) -> Group:
        """A named group of tools: ``site build`` on the command line, ``site.build`` in Python and MCP.

        Raises:
            RegistrationError: a tool has that name.
        """
        return Group(self._app, (*self._path, *name.split(".")), description)


class Group(_Commands):
    """Tools that share the first words of their names. Made by ``app.group``."""

    def __init__(self, app: App, path: tuple[str, ...], description: str | None = None) -> None:
        self._app = app
        self._path = path
        for length in range(1, len(path)):
            app._registry.add_group(path[:length], None)
        app._registry.add_group(path, description)

    def __repr__(self) -> str:
        return f"<Group {' '.join(self._path)!r} of {self._app!r}>"


class App(_Commands):
    """A named set of tools under one policy.

    ``app.command`` (or ``app.tool``, the same decorator) registers a function and returns it unchanged; ``app.tools``
    is the ordered, read-only mapping of what is registered. ``app.call`` calls a tool from Python, ``app.run`` from the
    command line. ``store`` is where the results of tools with a ``cache_ttl`` are kept, by default in this process;
    ``tasks`` where those of tools with ``task`` are, or the path of a file for them, by default one of the user's own.
    """

    def __init__(
        self,
        name: str,
        *,
        version: str = "0.0.0",
        description: str | None = None,
        instructions: str | None = None,
        policy: Policy = Policy(),  # noqa: B008 - frozen
        schemas: str | os.PathLike[str] | None = None,
        store: Store | None = None,
        tasks: TaskStore | str | os.PathLike[str] | None = None,
    ) -> None:
        self.name = name
        self.version = version
        self.description = description
        self.instructions = instructions
        self.policy = policy
        #: the folder in which the app's contracts are locked
        self.schemas = schemas
        self._app, self._path = self, ()
        self._stores = store, tasks
        self._made: dict[str, Any] = {}
        self._caller = PythonCaller(self._made)

    def __repr__(self) -> str:
        return f"<App {self.name!r} with {len(self.tools)} tools>"

    # -- registering ---------------------------------------------------------------------------------------------

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The registered tools by name, in the order of registration."""
        return View("tools", self._registry.tools if "_registry" in self.__dict__ else {})

    def add(self, thing: Any, *, prefix: str | None = None, replace: bool = False, **options: Any) -> None:
        """Register a function, everything ``accord.tool`` marked in a module, class or object, another App, or a list.

        ``prefix`` goes before the names, ``options`` replace those given where the function was marked. Another
        App's tools keep its middleware, providers and settings.

        Raises:
            RegistrationError: there is nothing to register, or a name is taken and ``replace`` is not set.
        """
        reach("add")(self, thing, prefix=prefix, replace=replace, options=options)

    def remove(self, name: str) -> None:
        """Take a tool out.

        Raises:
            UnknownTool: there is none of that name.
        """
        if name not in self.tools:
            from accord.errors import UnknownTool  # noqa: PLC0415 - only the failure needs it

            raise UnknownTool(f"no tool is called {name!r}")
        self._registry.remove(name)

    def find(self, name: str) -> Tool | None:
        """The tool of that name or alias, in the dotted or the underscored spelling, or None."""
        return self._registry.find(name)

    if TYPE_CHECKING:

        @overload
        def provide(self, kind: Any, factory: _Function, *, scope: Scope = "call") -> _Function: ...

        @overload
        def provide(self, kind: type[Any], *, scope: Scope = "call") -> Callable[[_Function], _Function]: ...

        @overload
        def provide(self, kind: _Function, *, scope: Scope = "call") -> _Function: ...

        @overload
        def provide(self, kind: Any, *, scope: Scope = "call") -> Callable[[_Function], _Function]: ...

    def provide(self, kind: Any, factory: Any = None, *, scope: str = "call") -> Any:
        """Fill in every parameter annotated ``kind`` with what ``factory`` makes.

        Factories may be async, and generators: what follows their ``yield`` cleans up, after a success, an error or
        a cancel. Their own parameters are filled in, too. ``scope="app"`` makes one value for the app, until
        ``close``. Without a factory this is a decorator, ``@app.provide(Database)``; a bare ``@app.provide``
        reads the type off the factory's return annotation.

        Raises:
            RegistrationError: this cannot be a factory.
        """
        if factory is not None:
            self._registry.provide(kind, factory, scope)
            return factory
        # A NewType and list[T] can be called as well, and are types.
        is_type = isinstance(kind, type) or hasattr(kind, "__supertype__") or hasattr(kind, "__origin__")
        if callable(kind) and not is_type:
            from accord._factories import provided_kind  # noqa: PLC0415 - only this form needs it

            self._registry.provide(provided_kind(kind), kind, scope)
            return kind

        def register(factory: _Function) -> _Function:
            self._registry.provide(kind, factory, scope)
            return factory

        return register

    def use(self, middleware: _Middleware) -> _Middleware:
        """Put ``middleware(call, next) -> Outcome`` around every call; the first one added is the outermost."""
        self._registry.use(middleware)
        return middleware

    # -- what is no tool -----------------------------------------------------------------------------------------

    def resource(self, uri: str, **options: Unpack[ResourceOptions]) -> Callable[[_Function], _Function]:
        """Let clients read what a function returns at this URI, or at each URI of a template (``notes://{day}``).

        Raises:
            RegistrationError: variables and parameters differ, the function cannot work, or the URI is taken.
        """
        register: Callable[[_Function], _Function] = reach("resource")(self._registry, uri, options)
        return register

    if TYPE_CHECKING:

        @overload
        def prompt(self, name: _Function, /) -> _Function: ...

        @overload
        def prompt(
            self, name: str | None = None, /, **options: Unpack[PromptOptions]
        ) -> Callable[[_Function], _Function]: ...

    def prompt(self, name: Any = None, /, **options: Any) -> Any:
        """Let clients begin a conversation with what a function returns. Works bare and with options.

        Raises:
            RegistrationError: the function cannot work, or its name is taken.
        """
        return reach("prompt")(self._registry, name, options)

    def completion(self, ref: Any, argument: str, *, replace: bool = False) -> Callable[[_Function], _Function]:
        """Complete an argument of a prompt or a template: ``ref`` is its name, its URI template, or its function.

        Raises:
            RegistrationError: there is no such argument, or it is completed already.
        """
        register: Callable[[_Function], _Function] = reach("completion")(self._registry, ref, argument, replace=replace)
        return register

    def updated(self, uri: str) -> None:
        """Say that what is read at this URI has changed: clients that watch it are told, where the app is served."""
        for watcher in list(self._registry.watchers):
            watcher.updated(uri)

    @property
    def resources(self) -> Mapping[str, Resource]:
        """The registered resources by URI."""
        return View("resources", self._offered("resources"))

    @property
    def templates(self) -> Mapping[str, Template]:
        """The registered resources whose URI is a template, by template."""
        return View("templates", self._offered("templates"))

    @property
    def prompts(self) -> Mapping[str, Prompt]:
        """The registered prompts by name."""
        return View("prompts", self._offered("prompts"))

    def _offered(self, what: str) -> Mapping[str, Any]:
        offers = self._registry.offers if "_registry" in self.__dict__ else None
        return {} if offers is None else getattr(offers, what)

    # -- calling -------------------------------------------------------------------------------------------------

    def call(self, name: str, /, **arguments: Any) -> Any:
        """Call a tool with annotated values, or with their JSON forms, through the same gate as every surface.

        Returns:
            What the function returned.

        Raises:
            UnknownTool: no tool has that name.
            InvalidParams: the arguments break the contract; ``error_data`` says how, and how to repair them.
            OutputInvalid: the result does.
            Exception: the tool's own exception, as it was raised.
        """
        call = reached.get("call") or reach("call")
        return call(self._registry, self._caller, name, arguments)

    async def acall(self, name: str, /, **arguments: Any) -> Any:
        """``call`` inside an event loop: async tools run in it, all others on a thread. Raises what ``call`` raises."""
        return await reach("acall")(self._adispatch, self._caller, name, arguments)

    def run(self, argv: list[str] | None = None) -> None:
        """Be a command-line program: read the arguments, run the command, exit with its code."""
        import sys  # noqa: PLC0415 - for the one line that exits

        sys.exit(reach("run")(self, sys.argv[1:] if argv is None else argv))

    def serve(self, transport: str = "stdio", **options: Any) -> None:
        """Serve the tools over MCP: over ``"stdio"``, this process's stdin and stdout, until the client is gone; over
        ``"http"`` until the process is told to stop, with ``host`` and ``port`` and whatever ``asgi`` takes.

        Raises:
            ValueError: there is no such transport, it takes no such options, or it cannot serve there.
        """
        if transport not in ("stdio", "http") or (transport == "stdio" and options):
            raise ValueError(f"an app is served over 'stdio', without options, or 'http', and not over {transport!r}")
        reach(transport)(self, **options)

    def asgi(self, **options: Any) -> Callable[[Any, Any, Any], Coroutine[Any, Any, None]]:
        """The tools over MCP as an ASGI application, to be served or mounted; options: ``transports/asgi/endpoint``."""
        endpoint: Callable[[Any, Any, Any], Coroutine[Any, Any, None]] = reach("asgi")(self, **options)
        return endpoint

    def invoke(self, argv: list[str]) -> InvokeResult:
        """Run a command line in this process, and return what it printed and how it ended. Thread-safe.

        Never raises for what a tool does: ``.exception`` holds what it raised.
        """
        result: InvokeResult = reach("invoke")(self, argv)
        return result

    def confirmed(self) -> AbstractContextManager[None]:
        """Consent in advance: inside this block, tools called from Python that ask for confirmation get it."""
        return reach("confirmed")(self._made)  # type: ignore[no-any-return]  # as it says

    @property
    def repairs(self) -> Mapping[tuple[str, str], int]:
        """How often arguments were repaired, by tool and kind of repair (``Policy(repair="report")``)."""
        return dict(self._registry.repairs)

    @property
    def settings(self) -> Settings:
        """The app's settings: environment, ``<app>.toml``, ``pyproject.toml``. Read once, when first asked for.

        Raises:
            SettingsError: a file or a variable cannot be used.
        """
        if "settings" not in self._made:
            self._made["settings"] = reach("settings").load(self.name)
        return self._made["settings"]  # type: ignore[no-any-return]  # it was put there just now

    def close(self) -> None:
        """Clean up what lives as long as the app. An app that is used as a context manager does it at the end."""
        if "_registry" in self.__dict__ and self._registry.open:
            reach("close")(self._registry)
        if "_registry" in self.__dict__ and self._registry.workshop is not None:
            self._registry.workshop.close()
        if "pool" in self._made:
            self._made.pop("pool").shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # -- below the facade ----------------------------------------------------------------------------------------

    @lazy
    def _registry(self) -> Registry:
        # The engine is imported with the first tool, so that importing App stays cheap.
        from accord._registry import Registry  # noqa: PLC0415
        from accord.provide import Providers  # noqa: PLC0415

        store, tasks = self._stores
        providers, kept = Providers(self._built_in), lambda: reach("tasks")(self.name, tasks)
        return Registry(self.policy, providers, lambda: self.settings, store, kept)

    def _register(self, function: Callable[..., Any], options: dict[str, Any], path: tuple[str, ...]) -> None:
        reach("register")(self._registry, function, options, path)

    async def _adispatch(self, call: Call) -> Outcome:
        if "pool" not in self._made:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - only async callers need threads

            threads = self.policy.concurrency
            self._made["pool"] = ThreadPoolExecutor(threads, thread_name_prefix=f"accord-{self.name}")
        outcome: Outcome = await reach("dispatch_async")(self._registry, call, self._made["pool"])
        return outcome

    def _built_in(self, kind: Any) -> Provider | None:
        """Settings and ConfigPaths, provided by every app; known by name, because few tools want them."""
        if getattr(kind, "__module__", None) != "accord.settings":
            return None
        from accord.provide import Provider  # noqa: PLC0415 - as above

        makers = {"Settings": lambda: self.settings, "ConfigPaths": lambda: reach("paths").find(self.name)}
        factory = makers.get(kind.__qualname__)
        return None if factory is None else self._made.setdefault(kind.__qualname__, Provider(kind, factory, "call"))
