"""A public module exports what it defines, sorted. The lazy facade tells type checkers what it does."""

import ast
import importlib
import subprocess
import sys

import pytest

import accord
from tests.packaging._source import is_type_checking, modules, tree

# Packages whose modules are public one by one. Other packages are public as a whole, by their `__all__`.
OPEN_PACKAGES = ("accord.compat",)
ALSO_PUBLIC = ("accord.schema.formats",)


def is_public(module: str) -> bool:
    if any(part.startswith("_") for part in module.split(".")[1:]):
        return False
    package = module.rpartition(".")[0]
    return package in ("", "accord", *OPEN_PACKAGES) or module in ALSO_PUBLIC


PUBLIC = [name for name in modules() if is_public(name)]


def order(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest: the order that `ruff --fix` (RUF022) gives."""
    if name.isupper() and len(name) > 1:
        return 0, name
    return (1 if name[:1].isupper() else 2), name


def defined_publicly(module: str) -> set[str]:
    """Names without an underscore that the module defines itself, at its top level."""
    names: set[str] = set()
    for node in tree(module).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    # `TYPE_CHECKING = False` spares an import of `typing`; type checkers know the name.
    return {name for name in names if not name.startswith("_")} - {"TYPE_CHECKING"}


def typing_imports() -> dict[str, tuple[str, str]]:
    """The facade's `if TYPE_CHECKING:` block: name -> (module, name in it)."""
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for block in tree("accord").body
        if is_type_checking(block) and isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize("module", PUBLIC)
def test_all_is_complete_sorted_and_importable(module: str) -> None:
    loaded = importlib.import_module(module)
    exported = getattr(loaded, "__all__", None)
    assert exported is not None, f"{module} is public and has no __all__ (or rename it with a leading underscore)"
    assert list(exported) == sorted(exported, key=order), f"{module}.__all__ is not sorted: `make format` does it"
    assert len(set(exported)) == len(exported), f"{module}.__all__ names something twice"
    missing = [name for name in exported if not hasattr(loaded, name)]
    assert not missing, f"{module}.__all__ names what is not there: {missing}"
    forgotten = sorted(defined_publicly(module) - set(exported))
    assert not forgotten, f"{module} defines {forgotten}: add them to __all__, or give them a leading underscore"


def test_the_facade_says_the_same_to_type_checkers_and_at_run_time() -> None:
    names = typing_imports()
    lazily = {name for name in accord.__all__ if not name.startswith("__")} - defined_publicly("accord")
    assert lazily == set(names), "`__all__` and the TYPE_CHECKING block of accord/__init__.py differ"
    for name, (module, original) in names.items():
        if f"{module}.{original}" in modules():
            wanted: object = importlib.import_module(f"{module}.{original}")
        else:
            wanted = getattr(importlib.import_module(module), original)
        assert getattr(accord, name) is wanted, f"accord.{name} is not {module}.{original}"


def test_the_lazy_table_holds_no_name_that_type_checkers_do_not_see() -> None:
    tables = [value for value in vars(accord).values() if isinstance(value, dict) and "App" in value]
    assert len(tables) <= 1, "one lazy table is enough"
    for table in tables:
        assert set(table) <= set(accord.__all__), f"not exported: {sorted(set(table) - set(accord.__all__))}"


def test_dir_lists_every_name_before_anything_is_loaded() -> None:
    program = "import accord; print(*sorted(set(accord.__all__) - set(dir(accord))))"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == []


def test_a_name_that_does_not_exist_is_an_ordinary_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = accord.no_such_name
