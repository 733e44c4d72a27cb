"""Settings and ConfigPaths: what an app is configured with, and where its files stand. Read-only.

``tree`` is what settings are made of, ``variables`` and ``sources`` read them, ``places`` knows the directories,
``typed`` makes the author's types of them. All that touches a file or the schema engine is imported when it is used.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

import msgspec

from accord.settings.tree import Leaf, Node, Table, copied, find, leaves, names, plant

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

__all__ = ["ConfigPaths", "Settings"]

_Kind = TypeVar("_Kind")


class Settings(Mapping[str, Any]):
    """A read-only mapping of settings, or of one table of them.

    ``settings["api"]["key"]`` and ``settings["api.key"]`` are the same; ``get`` takes dotted paths, too. ``repr``
    shows names and never a value. ``Settings({"api": {"key": "k"}})`` makes one of plain values, for tests
    and for direct calls.
    """

    __slots__ = ("_app", "_path", "_table")

    _app: str
    _path: tuple[str, ...]
    _table: Table

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self._app = "app"
        self._path = ()
        self._table = plant(values or {}, "given")

    @classmethod
    def load(cls, app_name: str) -> "Self":
        """The settings of an app, from the environment and the files around the current directory.

        Raises:
            SettingsError: a file or a variable cannot be used; the message says which, where and what to do.
        """
        from accord.settings.sources import read_settings  # noqa: PLC0415 - most tools never ask for settings

        return cls._of(app_name, (), read_settings(app_name))

    @classmethod
    def _of(cls, app: str, path: tuple[str, ...], table: Table) -> "Self":
        settings = cls()
        settings._app, settings._path, settings._table = app, path, table
        return settings

    def __getitem__(self, key: str) -> Any:
        path, node = self._find(key)
        return copied(node.value) if isinstance(node, Leaf) else self._of(self._app, (*self._path, *path), node)

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __repr__(self) -> str:
        """Names only: what is printed or logged by accident is no secret."""
        return f"<Settings: {', '.join(names(self._table)) or 'none'}>"

    def get(self, key: str, default: Any = None) -> Any:
        """The setting at a key or a dotted path, or the default.

        An environment variable is text. Where no file says which type it has, the default does:
        ``get("port", 80)`` is an int.

        Raises:
            SettingsError: the variable's text cannot be read as the type of the default.
        """
        try:
            _, node = self._find(key)
        except KeyError:
            return default
        if isinstance(node, Leaf) and node.text is not None:
            from accord.settings.variables import converted  # noqa: PLC0415 - as in load

            return converted(node.text, default, node.source)
        return self[key]

    def source(self, key: str) -> str:
        """Where a setting came from: ``env DEPLOY_API__KEY``, ``deploy.toml``; for a table, each of its sources.

        Raises:
            KeyError: it is not set.
        """
        _, node = self._find(key)
        return ", ".join(dict.fromkeys(leaf.source for leaf in leaves(node)))

    @overload
    def read(self, kind: type[_Kind], path: str = "") -> _Kind: ...

    @overload
    def read(self, kind: Any, path: str = "") -> Any: ...

    def read(self, kind: Any, path: str = "") -> Any:
        """A table, or a single setting, as a dataclass, a model or any annotation a tool's parameter may have.

        Raises:
            SettingsError: it does not fit the type; every problem is listed, with its source.
            RegistrationError: ``kind`` can never be read from settings.
        """
        from accord.settings.typed import read_typed  # noqa: PLC0415 - only this needs the schema engine

        steps: tuple[str, ...] = tuple(path.split(".")) if path else ()
        node: Node | None = self._table
        if path:
            steps, node = find(self._table, path) or (steps, None)
        return read_typed(kind, self._app, (*self._path, *steps), node)

    def _find(self, key: str) -> tuple[tuple[str, ...], Node]:
        found = find(self._table, key) if isinstance(key, str) else None  # type: ignore[redundant-expr]  # any mapping is asked for anything
        if found is None:
            raise KeyError(key)
        return found


class ConfigPaths(msgspec.Struct, frozen=True):
    """The directories of an app, by the rules of the platform. None of them is made.

    ``project`` is the nearest directory with a pyproject.toml or a .git, else the current one. ``files``
    are the configuration files that exist and are read, those that count more first.
    """

    config: "Path"
    data: "Path"
    cache: "Path"
    state: "Path"
    project: "Path"
    files: "tuple[Path, ...]" = ()

    @classmethod
    def find(cls, app_name: str) -> "Self":
        """The paths of an app, seen from the current directory.

        Raises:
            SettingsError: there is no current directory, or the user has no home directory.
        """
        from accord.settings import places  # noqa: PLC0415 - only who wants paths needs pathlib

        here = places.current_directory()
        files = tuple(places.config_files(app_name, here))
        return cls(**places.own_directories(app_name), project=places.project_of(here) or here, files=files)
