"""Arrows only point down: the plan of the house (docs/architecture.md) as data, against every import."""

from graphlib import CycleError, TopologicalSorter

import pytest

from tests.packaging._source import Import, imports, modules, place

# From the ground up. A module may import those on the lines before its own, and its neighbours on the same
# line as long as there is no cycle. A name stands for the module `accord.<name>` and its submodules. Names
# that do not exist yet are the plan.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "store", "tasks", "_values"),
    ("_caller",),
    ("_calls",),
    ("markers", "content", "policy", "ui", "_official"),
    ("_entries",),
    ("_pages",),
    ("_canonical", "_marks", "_options", "_seal", "_tool_options", "_wording"),
    ("_blocks", "_docstring", "_jsonpatch", "_parameters", "_ready", "_shapes", "_models"),
    ("_records", "_redact", "_scope"),
    ("typesupport", "_encode", "_signature"),
    ("schema",),
    ("gate",),
    ("result", "types", "_branches", "_native", "_decode", "_glance"),
    ("texts", "_compile", "_wire"),
    ("_tool",),
    ("context", "provide", "settings", "_factories"),
    ("_registry",),
    ("offers",),
    ("_adding", "dispatch"),
    ("_consent", "_keeping", "_python"),
    ("_surfaces", "app"),
    ("auth",),
    ("door",),
    ("server",),
    ("transports",),
    ("cli", "_parity", "testing"),
    ("compat",),
    ("ext",),
    ("__init__",),
    ("__main__",),
)

# Each can be read, tested and fuzzed alone: it imports nothing of ours but itself. Anyone may import it.
ISLANDS = ("contract", "protocol")

# Nobody imports these: they are reached by the user, or through an import string.
ROOFS = ("ext", "__main__")

RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}


def unit(module: str) -> str:
    """The name under which a module stands in the table."""
    return module.split(".")[1] if "." in module else "__init__"


def objection(edge: Import) -> str | None:
    """Why this import may not be, or None."""
    importer, imported = unit(edge.importer), unit(edge.imported)
    if importer == imported:
        return None
    if importer in ISLANDS:
        return f"{importer} is an island: it imports nothing of ours"
    if imported in ROOFS:
        return f"nobody imports {imported}"
    if imported in ISLANDS:
        return None
    if imported == "__init__" and importer != "__main__":
        return "import the module that defines the name, not the facade"
    if RANK.get(imported, 0) > RANK.get(importer, 0):
        return f"{imported} is above {importer}"
    return None


def test_every_module_has_a_place_in_the_plan() -> None:
    known = {*RANK, *ISLANDS}
    strangers = sorted({unit(name) for name in modules()} - known)
    assert not strangers, (
        f"{', '.join(strangers)}: new here. Place each in LAYERS (tests/packaging/test_layers.py), on the "
        "first line that comes after everything it imports, and draw it in docs/architecture.md."
    )


@pytest.mark.parametrize("module", modules())
def test_arrows_only_point_down(module: str) -> None:
    wrong = [
        f"{place(module, edge.line)}: {edge.imported}: {reason}"
        for edge in imports(module)
        if not edge.typing_only and (reason := objection(edge))
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def test_no_two_modules_need_each_other() -> None:
    graph = {
        module: {edge.imported for edge in imports(module) if not edge.typing_only} - {module} for module in modules()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("import cycle: " + " <- ".join(error.args[1]))
