"""Words that hide what a thing is, and words that belong to one machine, stay out of the tree."""

import ast
import re
import subprocess
from pathlib import Path

from tests.packaging._source import ROOT, modules, place, tree

# A place called this is where things go to be near each other. Plurals count.
BANNED = frozenset("manager service helper handler mixin impl util utility common misc core".split())

# Written in pieces, or this file would be the first offender.
MACHINE_PATHS = ["/" + name + "/" for name in ("work", "root", "farm")]
REGISTRY_HOSTS = [
    "registry" + r"\.npmjs",
    "registry" + r"\.yarnpkg",
    "files" + r"\.pythonhosted",
    r"pypi\.org" + "/simple",
]
LOCAL = re.compile(r"(?<![\w.\-/<])(" + "|".join(MACHINE_PATHS) + ")|" + "|".join(REGISTRY_HOSTS))

# Not ours to edit: the official schemas, as published, and the licence.
VERBATIM = ("tests/data/mcp-schema/", "LICENSE")

PRUNED = {".git", ".hypothesis", "build", "dist", "__pycache__", "node_modules"}


def words(name: str) -> set[str]:
    """`HTTPToolManager` and `tool_managers` both hold the word `manager`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)
    singles = {part.lower() for part in parts}
    return singles | {re.sub(r"ies$", "y", part) for part in singles} | {part.removesuffix("s") for part in singles}


def tracked_files() -> list[Path]:
    """What git tracks or would track; outside a checkout, every file that was not made by a tool."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        found = [path.relative_to(ROOT) for path in ROOT.rglob("*")]
        found = [path for path in found if not any(p in PRUNED or p.startswith((".venv", ".")) for p in path.parts)]
    else:
        found = [Path(name) for name in done.stdout.decode().split("\0") if name]
    return [path for path in found if (ROOT / path).is_file() and not path.as_posix().startswith(VERBATIM)]


def test_no_module_is_named_after_a_junk_drawer() -> None:
    wrong = [place(name, 1) for name in modules() if words(name.rpartition(".")[2]) & BANNED]
    assert not wrong, f"say what it does, in a verb or a noun of its own: {wrong}"


def test_no_class_is_named_after_a_junk_drawer() -> None:
    wrong = [
        f"{place(name, node.lineno)}: {node.name}"
        for name in modules()
        for node in ast.walk(tree(name))
        if isinstance(node, ast.ClassDef) and (words(node.name) & BANNED or re.match(r"_?Base[A-Z]", node.name))
    ]
    assert not wrong, f"say what it is: {wrong}"


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    wrong = []
    for path in tracked_files():
        try:
            text = (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        wrong += [
            f"{path.as_posix()}:{number}: {found.group()}"
            for number, line in enumerate(text.splitlines(), 1)
            if (found := LOCAL.search(line))
        ]
    assert not wrong, "machine paths or registry hosts:\n" + "\n".join(wrong)


def test_the_words_of_a_name_are_found_in_every_spelling() -> None:
    assert "manager" in words("ToolManager") & words("_tool_managers") & words("HTTPManager")
    assert "utility" in words("utilities")
    assert not words("scores") & BANNED
