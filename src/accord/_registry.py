"""What an App consists of: tools by name, providers by type, middleware in order.

One value that dispatch reads and App fills. Knows how names are spelled and which are taken; runs nothing.
"""

from __future__ import annotations

from _thread import allocate_lock  # the same lock, without the half millisecond that importing threading takes

from accord._values import Value, lazy
from accord.errors import RegistrationError, SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable, Iterator
    from typing import Any, Literal, Protocol, Self, TypeAlias

    from accord._seal import Seal
    from accord._tool import Tool
    from accord.gate.mend import Repair
    from accord.offers.shelf import Offers
    from accord.policy import Policy
    from accord.provide import Opened, Provider, Providers
    from accord.settings import Settings
    from accord.store import Store

    class Watcher(Protocol):
        """Somebody who tells others what an app offers, and hears when that changes."""

        def changed(self, kind: Literal["tools", "prompts", "resources"]) -> None:
            """A list is another one now."""

        def updated(self, uri: str) -> None:
            """A resource has other contents now."""


__all__ = ["Home", "Middleware", "Registry", "Watcher"]

#: what seals, where several processes have to open what one of them sealed: a key, or "new,old"
SEAL_KEY = "ACCORD_SEAL_KEY"

#: takes a call and the next stage, and returns the outcome, or an awaitable of it
Middleware: TypeAlias = "Callable[[Any, Callable[[Any], Any]], Any]"


class Home(Value, eq=False):
    """Where a tool of another app comes from: that app's registry, and the tool's name there."""

    registry: Registry
    name: str


class Registry:
    """The tools of an app and everything that goes with calling them.

    ``homes`` are the tools that came with another app, ``open`` the values that live as long as the app, in the
    order they were opened; ``repairs`` counts the arguments that were mended, by tool and kind.
    """

    def __init__(
        self,
        policy: Policy,
        providers: Providers,
        settings: Callable[[], Settings],
        store: Store | None = None,
    ) -> None:
        self.policy = policy
        self.providers = providers
        self.settings = settings
        self._store = store
        self.tools: dict[str, Tool] = {}
        self.groups: dict[tuple[str, ...], str | None] = {}
        self.homes: dict[str, Home] = {}
        self.middleware: list[Middleware] = []
        self.repairs: dict[tuple[str, str], int] = {}
        self.open: dict[Provider, Opened] = {}
        self.opening: LockType = allocate_lock()
        self.chains: dict[Any, Any] = {}
        self._spellings: dict[str, str] = {}
        self._borrowers: list[Registry] = []
        #: resources, prompts and completions, once there are any
        self.offers: Offers | None = None
        #: the servers that list all this, while they run
        self.watchers: list[Watcher] = []
        #: how often that has changed
        self.edition: int = 0

    @lazy
    def seal(self) -> Seal:
        """What seals the state that travels through callers' hands: with the key of the environment, or one of its own.

        Raises:
            SettingsError: the environment holds a key that cannot seal.
        """
        import os  # noqa: PLC0415 - as below

        from accord._seal import Seal  # noqa: PLC0415 - few tools hand out state

        try:
            return Seal(os.environ.get(SEAL_KEY) or os.urandom(32))
        except ValueError as error:
            problem, _, remedy = str(error).partition("; ")
            raise SettingsError(
                f"the environment variable {SEAL_KEY}", problem, f"{remedy[:1].upper()}{remedy[1:]}"
            ) from None

    def check_key(self) -> None:
        """Raise what ``seal`` would, where the environment holds a key."""
        import os  # noqa: PLC0415 - servers have it

        if os.environ.get(SEAL_KEY):
            self.seal  # noqa: B018 - asked for its exception

    @lazy
    def store(self) -> Store:
        """Where results are kept for a while."""
        if self._store is not None:
            return self._store
        from accord.store import MemoryStore  # noqa: PLC0415 - few apps keep results

        return MemoryStore()

    @classmethod
    def beside(cls, other: Registry) -> Self:
        """One for what is no tool, but called as tools are: with the other's policy, providers and open values.

        Neither the other's names nor its middleware count here.
        """
        made = cls(other.policy, other.providers, other.settings, other._store)
        made.open, made.opening = other.open, other.opening
        other._borrowers.append(made)
        return made

    # -- tools ---------------------------------------------------------------------------------------------------

    @staticmethod
    def spelling(name: str) -> str:
        """What all the spellings of a name have in common."""
        return name.replace(".", "_")

    def find(self, name: str) -> Tool | None:
        """The tool of that name or alias, in the dotted or the underscored spelling, or None."""
        tool = self.tools.get(name)
        return tool if tool is not None else self.tools.get(self._spellings.get(self.spelling(name), ""))

    def add(self, tool: Tool, *, replace: bool = False, home: Home | None = None) -> None:
        """Take a tool in.

        Raises:
            RegistrationError: one of its names is taken.
        """
        names = (tool.name, *tool.options.aliases)
        for name in names:
            taken = self._spellings.get(self.spelling(name))
            if taken is not None and not (replace and taken == tool.name):
                raise RegistrationError(
                    tool.name,
                    None,
                    f"a tool named {taken!r} is registered already, and dots and underscores name the same tool",
                    "Give one of them another name, or register with replace=True.",
                )
        if tool.path in self.groups:
            raise _clash(tool.path, "a group")
        if tool.name in self.tools:
            self.remove(tool.name)
        self.tools[tool.name] = tool
        for name in names:
            self._spellings[self.spelling(name)] = tool.name
        if home is not None:
            self.homes[tool.name] = home
            if self not in home.registry._borrowers:
                home.registry._borrowers.append(self)
        self.changed("tools")

    def remove(self, name: str) -> None:
        """Take a tool out; KeyError when there is none of that name."""
        del self.tools[name]
        self._spellings = {spelling: owner for spelling, owner in self._spellings.items() if owner != name}
        self.homes.pop(name, None)
        self.chains.clear()
        self.changed("tools")

    def changed(self, kind: Literal["tools", "prompts", "resources"]) -> None:
        """Tell whoever lists what is offered that a list is another one now."""
        self.edition += 1
        for watcher in list(self.watchers):
            watcher.changed(kind)

    def add_group(self, path: tuple[str, ...], description: str | None) -> None:
        """Take a group in; a second time, for its description.

        Raises:
            RegistrationError: a tool has that name.
        """
        if self.find(".".join(path)) is not None:
            raise _clash(path, "a tool")
        self.groups[path] = description or self.groups.get(path)

    # -- what goes with a call -----------------------------------------------------------------------------------

    def provide(self, kind: Any, factory: Callable[..., Any], scope: str) -> None:
        """Let a factory fill in parameters, those of tools that are here already, or with other apps, included."""
        self.providers.add(kind, factory, scope)
        concerned = [self]
        for registry in concerned:
            concerned += [each for each in registry._borrowers if each not in concerned]
            for tool in registry.tools.values():
                tool.forget()
            registry.changed("tools")

    def count(self, tool: Tool, repairs: list[Repair]) -> None:
        """Account for arguments that were mended."""
        for each in repairs:
            kind = tool.name, each.repair
            self.repairs[kind] = self.repairs.get(kind, 0) + 1

    def use(self, middleware: Middleware) -> None:
        """Put a middleware around every call; the first one added is the outermost."""
        self.middleware.append(middleware)
        self.chains.clear()

    def middleware_of(self, name: str) -> Iterator[Middleware]:
        """What stands around a call of that tool, outermost first: ours, then that of the app it came with."""
        yield from self.middleware
        home = self.homes.get(name)
        if home is not None:
            yield from home.registry.middleware_of(home.name)

    def providers_of(self, name: str) -> Providers:
        """Who fills in the parameters of that tool: its own app before this one."""
        home = self.homes.get(name)
        return self.providers if home is None else home.registry.providers_of(home.name).before(self.providers)

    def settings_of(self, name: str) -> Callable[[], Settings]:
        """The settings a tool sees: those of the app it came with."""
        home = self.homes.get(name)
        return self.settings if home is None else home.registry.settings_of(home.name)


def _clash(path: tuple[str, ...], what: str) -> RegistrationError:
    return RegistrationError(".".join(path), None, f"{what} has this name already", "Give one of them another name.")
