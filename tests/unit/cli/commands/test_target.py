"""What people may call their app, and what they are told when it is not there."""

import os
import sys
from pathlib import Path

import pytest

from accord.cli.target import Target, load_app, read_target
from accord.errors import ToolError
from tests.unit.cli.commands._programs import FLEET, Program, forgetting

# (what is typed, the file, the module, the attribute)
READ = [
    ("app.py", "app.py", "", ""),
    ("app.py:app", "app.py", "", "app"),
    ("src/app.py:site.inner", "src/app.py", "", "site.inner"),
    ("./app", "./app", "", ""),
    ("/srv/app.py:app", "/srv/app.py", "", "app"),
    ("C:app.py", "C:app.py", "", ""),
    ("C:/apps/app.py", "C:/apps/app.py", "", ""),
    ("C:/apps/app.py:app", "C:/apps/app.py", "", "app"),
    ("odd:name/app.py", "odd:name/app.py", "", ""),
    ("module", "", "module", ""),
    ("package.module:app", "", "package.module", "app"),
    ("package.module:apps.first", "", "package.module", "apps.first"),
]


@pytest.mark.parametrize(("typed", "file", "module", "attribute"), READ)
def test_what_is_typed_is_a_file_or_a_module_and_perhaps_an_attribute(
    typed: str, file: str, module: str, attribute: str
) -> None:
    assert read_target(typed) == Target(file, module, attribute)


@pytest.mark.parametrize("typed", ["", ":", "my-app", "app:", "a b:c", "1:2"])
def test_what_can_be_neither_is_refused(typed: str) -> None:
    with pytest.raises(ToolError, match="names no app"):
        read_target(typed)


# (the file, its text, what is typed, the attribute that is found)
FOUND = [
    ("one.py", FLEET, "one.py", "app"),
    ("one.py", FLEET, "one.py:app", "app"),
    ("one.py", FLEET, "one", "app"),
    ("one.py", FLEET, "one:app", "app"),
    ("one.py", "from accord import App\nother = App('x')", "one.py", "other"),
    ("one.py", "from accord import App\nother = mine = App('x')", "one.py", "other"),
    ("one.py", "from accord import App\nother, app = App('x'), App('y')", "one.py", "app"),
    ("one.py", "from accord import App\nclass Apps: first = App('x')", "one.py:Apps.first", "Apps.first"),
    ("deep/in/one.py", FLEET, "deep/in/one.py", "app"),
    ("json.py", FLEET, "json.py", "app"),
    ("my-app.py", FLEET, "my-app.py", "app"),
    ("one.py", "from dataclasses import dataclass\n@dataclass\nclass A:\n  x: 'int'\n" + FLEET, "one.py", "app"),
]


@pytest.mark.parametrize(("file", "text", "typed", "attribute"), FOUND)
def test_an_app_is_found(accord: Program, file: str, text: str, typed: str, attribute: str) -> None:
    accord.write(file, text)
    with forgetting():
        loaded = load_app(typed)
    assert loaded.attribute == attribute
    assert loaded.module.__file__ == os.fspath(accord.directory / file)


def test_what_stands_beside_a_file_can_be_imported(accord: Program) -> None:
    accord.write("deep/names.py", "NAME = 'beside'")
    accord.write("deep/one.py", "import names\nfrom accord import App\napp = App(names.NAME)")
    with forgetting():
        assert load_app("deep/one.py").app.name == "beside"


@pytest.mark.parametrize("typed", ["lib/package/inner/one.py", "lib/package/inner/one.py:app"])
def test_a_file_of_a_package_is_a_module_of_it(accord: Program, typed: str) -> None:
    accord.write("lib/package/__init__.py", "NAME = 'package'")
    accord.write("lib/package/inner/__init__.py", "")
    accord.write("lib/package/inner/one.py", "from .. import NAME\nfrom accord import App\napp = App(NAME)")
    with forgetting():
        loaded = load_app(typed)
    assert (loaded.app.name, loaded.module.__name__) == ("package", "package.inner.one")


def test_the_file_of_a_package_itself_is_the_package(accord: Program) -> None:
    accord.write("package/__init__.py")
    with forgetting():
        assert load_app("package/__init__.py").module.__name__ == "package"


# (the file's text, what is typed, what is said)
REFUSED = [
    ("", "missing.py", "there is no file 'missing.py'"),
    ("", "missing", "there is no module 'missing'"),
    ("", "missing.inner:app", "there is no module 'missing'"),
    ("", "fleet.inner", "there is no module 'fleet.inner'"),
    ("", "./", "is a directory"),
    ("", "one.py", "holds no App"),
    (FLEET, "one.py:ap", "there is no 'ap'. Its Apps: app."),
    (FLEET, "one:site", "is no App: it is a Group"),
    ("", "one:app", "there is no 'app'. It holds no App"),
    (
        "from accord import App\na, b = App('a'), App('b')",
        "one.py",
        "holds 2 Apps. Say which: one.py:a or one.py:b",
    ),
    ("import missing_dependency", "one.py", "No module named 'missing_dependency'. Is it installed for"),
    ("import missing_dependency", "one", "No module named 'missing_dependency'. Is it installed for"),
    ("\nx = = 1", "one.py", "one.py, line 2: invalid syntax"),
    ("\n\n1 / 0", "one.py", "line 3)"),
    ("import sys\nsys.exit(0)", "one.py", "Put app.run() under `if __name__"),
    (FLEET + "\napp.run(['--version'])", "one.py", "Put app.run() under `if __name__"),
]


@pytest.mark.parametrize(("text", "typed", "said"), REFUSED)
def test_what_is_not_there_or_cannot_be_loaded_is_said_in_a_sentence(
    accord: Program, text: str, typed: str, said: str
) -> None:
    accord.write("one.py", text)
    with forgetting(), pytest.raises(ToolError) as caught:
        load_app(typed)
    assert said in str(caught.value)


def test_a_module_that_failed_is_not_left_behind(accord: Program) -> None:
    accord.write("one.py", "1 / 0")
    with forgetting():
        with pytest.raises(ToolError):
            load_app("one.py")
        assert "one" not in sys.modules


def test_interrupting_a_load_is_no_error_of_the_app(accord: Program) -> None:
    accord.write("one.py", "raise KeyboardInterrupt")
    with forgetting(), pytest.raises(KeyboardInterrupt):
        load_app("one.py")


def test_a_file_is_found_through_its_absolute_path(accord: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(accord.directory.anchor))
    with forgetting():
        assert load_app(f"{accord.directory / 'fleet.py'}:app").app.name == "fleet"
