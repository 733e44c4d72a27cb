"""Files and functions stay small enough to be read at a sitting."""

import ast

from tests.packaging._source import modules, place, tree

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60

# "src/accord/x.py" or "src/accord/x.py:function" -> the reason why it is clearer long than cut.
ALLOWED: dict[str, str] = {}


def long_files() -> dict[str, str]:
    return {
        (where := place(name, 0).rpartition(":")[0]): f"{where}: {lines} lines, {MAX_FILE_LINES} allowed"
        for name, path in modules().items()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MAX_FILE_LINES
    }


def long_functions() -> dict[str, str]:
    found = {}
    for name in modules():
        for node in ast.walk(tree(name)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_FUNCTION_LINES:
                where = place(name, node.lineno)
                key = f"{where.rpartition(':')[0]}:{node.name}"
                found[key] = f"{where}: {node.name}() has {lines} lines, {MAX_FUNCTION_LINES} allowed"
    return found


def test_files_and_functions_are_small() -> None:
    offenders = [text for key, text in {**long_files(), **long_functions()}.items() if key not in ALLOWED]
    assert not offenders, "split these, or allow them with a reason:\n" + "\n".join(offenders)


def test_the_allow_list_holds_nothing_that_is_no_longer_long() -> None:
    stale = sorted(ALLOWED.keys() - {**long_files(), **long_functions()}.keys())
    assert not stale, f"small again, take them off the list: {stale}"
    assert all(ALLOWED.values()), "every exception carries its reason"
