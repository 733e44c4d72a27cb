"""What a tool prints while a bar is drawn on the same terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest

from accord.cli.printed import printing_above
from accord.cli.progress import Bar
from tests.unit.cli._screen import ASCII, Screen


class Terminal(Screen):
    def isatty(self) -> bool:
        return True


@contextmanager
def _on(screen: Terminal) -> Iterator[Bar]:
    """A bar on the screen, which is stdout and stderr. (Not a fixture: pytest changes both between set-up and test.)"""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", screen)
        patch.setattr(sys, "stderr", screen)
        bar = Bar(screen, ASCII, clock=lambda: 0.0, later=lambda _seconds, _action: lambda: None)
        end = printing_above(bar)
        bar.show("working", 1, 4)
        yield bar
        end()
        assert sys.stdout is sys.stderr is screen


def _halves() -> None:
    print("one, ", end="")
    print("two")


# (what the tool does, the lines above the bar)
WRITTEN: list[tuple[Callable[[], Any], list[str]]] = [
    (lambda: print("one"), ["one"]),
    (lambda: print("one\ntwo"), ["one", "two"]),
    (_halves, ["one, two"]),
    (lambda: print("one", file=sys.stderr), ["one"]),
    (lambda: sys.stdout.writelines(["one\n", "two\n"]), ["one", "two"]),
]


@pytest.mark.parametrize(("write", "lines"), WRITTEN)
def test_lines_stand_above_the_bar_which_comes_back(write: Callable[[], Any], lines: list[str]) -> None:
    with _on(screen := Terminal()) as bar:
        write()
        assert screen.lines() == [*lines, ""]
        bar.done()
        bar.show("working", 2, 4)
        assert screen.lines() == [*lines, "###---  50% working"]


def test_a_line_that_is_not_whole_waits_for_its_end() -> None:
    with _on(screen := Terminal()):
        sys.stdout.write("not yet")
        assert screen.lines() == ["#-----  25% working"]
        sys.stdout.flush()
        assert screen.lines() == ["not yet"]


def test_whoever_asks_on_this_line_finds_it_empty() -> None:
    with _on(screen := Terminal()):
        sys.stdout.flush()
        assert screen.lines() == [""]


def test_what_is_left_is_written_at_the_end() -> None:
    with _on(screen := Terminal()):
        sys.stdout.write("the rest")
    assert screen.lines() == ["the rest"]


def test_what_the_tool_put_in_place_of_stdout_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    end = printing_above(Bar(Terminal(), ASCII))
    own = Terminal()
    monkeypatch.setattr(sys, "stdout", own)
    end()
    assert sys.stdout is own


def test_a_stream_that_is_no_terminal_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, screen = Screen(), Terminal()
    monkeypatch.setattr(sys, "stdout", pipe)
    monkeypatch.setattr(sys, "stderr", screen)
    end = printing_above(Bar(screen, ASCII))
    assert sys.stdout is pipe
    assert sys.stderr is not screen
    assert sys.stderr.isatty()
    end()


def test_no_line_is_lost_when_many_threads_print() -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with _on(screen := Terminal()):
            threads = [Thread(target=lambda: [sys.stdout.write("line\n") for _ in range(200)]) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert screen.lines() == [*["line"] * 800, ""]
