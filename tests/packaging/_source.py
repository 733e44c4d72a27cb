"""The source tree as data, for the tests beside this file: modules, their syntax trees and their imports."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "accord"


class Import(NamedTuple):
    """One import of one of our modules, wherever in the file it stands."""

    importer: str
    imported: str
    line: int
    typing_only: bool


@cache
def modules() -> dict[str, Path]:
    """Every module of the package: its dotted name and its file."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("accord", *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    assert found, f"no modules under {PACKAGE}"
    return found


@cache
def tree(name: str) -> ast.Module:
    path = modules()[name]
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def place(name: str, line: int) -> str:
    """`src/accord/x.py:12`, as editors and terminals link it."""
    return f"{modules()[name].relative_to(ROOT).as_posix()}:{line}"


@cache
def imports(name: str) -> tuple[Import, ...]:
    """Our own modules that `name` imports: at the top, in functions, for typing only, by import_module."""
    return tuple(
        Import(name, target, getattr(node, "lineno", 0), typing_only)
        for node, typing_only in _walk(tree(name), typing_only=False)
        for target in _targets(name, node)
    )


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _walk(node: ast.AST, *, typing_only: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        # The `else` of `if TYPE_CHECKING` does run.
        only = typing_only or (is_type_checking(node) and isinstance(node, ast.If) and child in node.body)
        yield child, only
        yield from _walk(child, typing_only=only)


def _targets(name: str, node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (_module(alias.name) for alias in names if _is_ours(alias.name))
        case ast.ImportFrom(module=module, names=names, level=level):
            base = _absolute(name, module, level)
            if _is_ours(base):
                yield from (_module(f"{base}.{alias.name}") for alias in names)
        case ast.Call(func=func, args=[ast.Constant(value=str(text)), *_]):
            # `import_module("accord.x")` is an import. A table of import strings is not: it loads nothing.
            if ast.unparse(func).rpartition(".")[2] in ("import_module", "__import__") and _is_ours(text):
                yield _module(text)


def _is_ours(dotted: str) -> bool:
    return dotted.partition(".")[0] == "accord"


def _module(dotted: str) -> str:
    """The longest prefix of `dotted` that is a module: the rest are names in it."""
    while dotted and dotted not in modules():
        dotted = dotted.rpartition(".")[0]
    return dotted or "accord"


def _absolute(name: str, module: str | None, level: int) -> str:
    if level == 0:
        return module or ""
    package = name if modules()[name].name == "__init__.py" else name.rpartition(".")[0]
    for _ in range(level - 1):
        package = package.rpartition(".")[0]
    return f"{package}.{module}" if module else package
