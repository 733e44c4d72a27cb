"""Whether source has changed: which files are looked at, and when a change is one."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from accord.cli.watching import Watch, sources_of

LONG_AGO = time.time() - 3600


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> object:
    def loaded(file: Path, written: float = LONG_AGO) -> Path:
        """The file, as that of a module that was loaded."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
        os.utime(file, (written, written))
        module = ModuleType(f"watched_{file.stem}")
        module.__file__ = str(file)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return file

    return loaded


def touch(file: Path) -> None:
    os.utime(file, (LONG_AGO + 60, LONG_AGO + 60))


def test_a_module_below_the_folder_is_looked_at(tmp_path: Path, load) -> None:
    watch = Watch(str(tmp_path))
    file = load(tmp_path / "deep" / "one.py")
    assert watch.changed() is None
    touch(file)
    assert watch.changed() == str(file)


def test_a_module_that_is_loaded_later_is_looked_at_from_then_on(tmp_path: Path, load) -> None:
    watch = Watch(str(tmp_path))
    assert watch.changed() is None
    file = load(tmp_path / "late.py")
    assert watch.changed() is None
    touch(file)
    assert watch.changed() == str(file)


def test_a_file_that_is_gone_has_changed(tmp_path: Path, load) -> None:
    watch = Watch(str(tmp_path))
    file = load(tmp_path / "gone.py")
    assert watch.changed() is None
    file.unlink()
    assert watch.changed() == str(file)


@pytest.mark.parametrize(
    "place", ["../beside.py", "../folder_of_another/x.py", "lib/site-packages/x.py", "dist-packages/x.py", "engine.so"]
)
def test_what_is_not_the_apps_own_source_is_not_looked_at(place: str, tmp_path: Path, load) -> None:
    watch = Watch(str(tmp_path / "folder"))
    file = load((tmp_path / "folder" / place).resolve())
    assert watch.changed() is None
    touch(file)
    assert watch.changed() is None


def test_what_was_written_while_it_was_loaded_has_changed(tmp_path: Path, load) -> None:
    watch = Watch(str(tmp_path))
    written = time.time()
    while time.time() == written:  # until the clock has moved on
        pass
    file = load(tmp_path / "quick.py", written=time.time())
    assert watch.changed() == str(file)


def test_a_time_to_come_is_another_clocks_and_no_change(tmp_path: Path, load) -> None:
    watch = Watch(str(tmp_path))
    file = load(tmp_path / "skewed.py", written=time.time() + 3600)
    assert watch.changed() is None
    touch(file)
    assert watch.changed() == str(file)


def test_a_file_that_was_missing_is_waited_for(tmp_path: Path) -> None:
    watch = Watch(str(tmp_path))
    watch.add([str(tmp_path / "app.py"), "", "<string>"])
    assert watch.changed() is None
    (tmp_path / "app.py").write_text("")
    assert watch.changed() in (str(tmp_path), str(tmp_path / "app.py"))


def test_an_exception_names_its_files_and_those_of_what_it_came_from(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    with pytest.raises(ValueError, match="cannot be loaded") as caught:
        try:
            compile("def x(:", str(wrong), "exec")
        except SyntaxError as error:
            raise ValueError("cannot be loaded") from error
    assert {str(wrong), __file__} <= set(sources_of(caught.value))
