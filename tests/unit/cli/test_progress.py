"""Live progress: one line on a terminal, drawn over and over; plain lines anywhere else."""

import io
import sys
from collections.abc import Callable
from threading import Event, Thread

import pytest

from accord._values import replace
from accord.cli.progress import Bar
from tests.unit.cli._screen import ASCII, COLOURS, PIPE, TERMINAL, Broken, Screen

DUMB = replace(TERMINAL, escapes=False)


class Time:
    """A clock that stands still until it is moved, and what waits for it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waiting: list[tuple[float, Callable[[], None]]] = []

    def clock(self) -> float:
        return self.now

    def later(self, seconds: float, action: Callable[[], None]) -> Callable[[], None]:
        entry = (self.now + seconds, action)
        self.waiting.append(entry)
        return lambda: self.waiting.remove(entry)

    def move(self, seconds: float) -> None:
        self.now += seconds
        due = [entry for entry in self.waiting if entry[0] <= self.now]
        for entry in due:
            self.waiting.remove(entry)
            entry[1]()


def _bar(screen: io.StringIO, time: Time | None = None, look: object = ASCII, **more: bool) -> Bar:
    time = time or Time()
    return Bar(screen, look, clock=time.clock, later=time.later, **more)  # type: ignore[arg-type]  # a Look


def test_a_terminal_shows_one_line_that_changes() -> None:
    screen, time = Screen(), Time()
    bar = _bar(screen, time)
    bar.show("copying", 1, 4)
    assert screen.lines() == ["#-----  25% copying"]
    time.move(1)
    bar.show("go", 2, 4)
    assert screen.lines() == ["###---  50% go"]


def test_a_window_that_gets_narrower_gets_a_shorter_bar() -> None:
    screen, time = Screen(), Time()
    looks = [ASCII, replace(ASCII, width=12)]
    bar = Bar(screen, ASCII, look_again=lambda: looks.pop(0), clock=time.clock, later=time.later)
    bar.show("copying", 1, 4)
    assert screen.lines() == ["#-----  25% copying"]
    time.move(1)
    bar.show("copying", 2, 4)
    assert screen.lines() == ["#--  50% .."]


def test_drawing_is_limited_by_the_clock() -> None:
    screen, time = Screen(), Time()
    bar = _bar(screen, time)
    for step in range(1000):
        bar.show("copying", step, 1000)
        time.now += 0.001
    assert 5 <= screen.getvalue().count("\r") <= 12


def test_what_came_too_soon_is_drawn_a_moment_later() -> None:
    screen, time = Screen(), Time()
    bar = _bar(screen, time)
    bar.show("first", 1, 4)
    bar.show("second", 2, 4)
    bar.show("third", 3, 4)
    assert screen.bar().endswith("first")
    time.move(0.1)
    assert screen.bar() == "####--  75% third"
    assert not time.waiting


def test_the_end_is_drawn_at_once() -> None:
    screen = Screen()
    bar = _bar(screen)
    bar.show("copying", 1, 2)
    bar.show("copying", 2, 2)
    assert screen.bar() == "###### 100% copying"


def test_what_is_drawn_already_is_not_drawn_again() -> None:
    screen, time = Screen(), Time()
    bar = _bar(screen, time)
    bar.show("copying", 1, 2)
    before = screen.getvalue()
    time.move(1)
    bar.show("copying", 1, 2)
    assert screen.getvalue() == before


def test_log_lines_stand_above_the_bar() -> None:
    screen = Screen()
    bar = _bar(screen)
    bar.show("copying", 1, 2)
    bar.log("info", "hello")
    bar.log("warning", "two\nlines\n")
    assert screen.lines() == ["hello", "warning: two", "lines", "###---  50% copying"]


def test_a_log_line_brings_the_bar_up_to_date() -> None:
    screen, time = Screen(), Time()
    bar = _bar(screen, time)
    bar.show("copying", 1, 4)
    bar.show("copying", 2, 4)
    bar.log("info", "hello")
    assert screen.lines() == ["hello", "###---  50% copying"]
    assert not time.waiting


def test_a_log_line_without_a_bar_is_only_a_line() -> None:
    screen = Screen()
    _bar(screen).log("info", "hello")
    assert screen.getvalue() == "hello\n"


def test_done_erases_the_bar_and_leaves_the_log() -> None:
    screen, time = Screen(), Time()
    bar = _bar(screen, time)
    bar.show("copying", 1, 4)
    bar.log("info", "hello")
    bar.show("copying", 2, 4)
    bar.done()
    assert screen.lines() == ["hello", ""]
    assert not time.waiting
    written = screen.getvalue()
    bar.done()
    assert screen.getvalue() == written


def test_a_timer_that_is_late_draws_nothing_after_the_end() -> None:
    screen, late = Screen(), []

    def never_in_time(_seconds: float, action: Callable[[], None]) -> Callable[[], None]:
        late.append(action)
        return lambda: None

    bar = Bar(screen, ASCII, clock=lambda: 0.0, later=never_in_time)
    bar.show("copying", 1, 4)
    bar.show("copying", 2, 4)
    bar.done()
    (action,) = late
    action()
    assert screen.bar() == ""


def test_after_done_a_new_bar_begins() -> None:
    screen = Screen()
    bar = _bar(screen)
    bar.show("one", 1, 2)
    bar.done()
    bar.show("one", 1, 2)
    assert screen.bar() == "###---  50% one"


def test_done_without_a_bar_writes_nothing() -> None:
    screen = Screen()
    _bar(screen).done()
    assert screen.getvalue() == ""


@pytest.mark.parametrize("look", [PIPE, DUMB], ids=["a pipe", "a dumb terminal"])
def test_without_escape_sequences_each_step_is_one_line_and_said_once(look: object) -> None:
    stream = io.StringIO()
    bar = _bar(stream, look=look)
    for status, step in [("copying", 1), ("copying", 1), ("moving", 1), ("copying", 1), ("copying", 2)]:
        bar.show(status, step, 10)
    bar.log("info", "hello")
    bar.log("error", "broken")
    bar.show("", 0, 0)
    bar.done()
    assert stream.getvalue() == "[1/10] copying\n[1/10] moving\n[2/10] copying\nhello\nerror: broken\n"


def test_a_status_in_a_pipe_stays_on_its_line() -> None:
    stream = io.StringIO()
    _bar(stream, look=PIPE).show("a\nb\x1b", 1, 2)
    assert stream.getvalue() == "[1/2] a\\nb\\x1b\n"


def test_lines_that_were_said_are_not_kept_for_ever() -> None:
    stream = io.StringIO()
    bar = _bar(stream, look=PIPE)
    for step in range(25_000):
        bar.show("x", step, 25_000)
    assert stream.getvalue().count("\n") == 25_000
    assert len(bar._written) <= 10_000


@pytest.mark.parametrize("look", [TERMINAL, PIPE])
def test_quiet_hides_the_progress_and_not_the_log(look: object) -> None:
    stream = io.StringIO()
    bar = _bar(stream, look=look, quiet=True)
    bar.show("copying", 1, 2)
    bar.log("warning", "careful")
    bar.done()
    assert stream.getvalue() == "warning: careful\n"


def test_the_level_is_painted_and_the_text_is_not() -> None:
    stream = io.StringIO()
    bar = _bar(stream, look=COLOURS)
    for level in ("debug", "info", "warning", "error", "critical"):
        bar.log(level, "text")
    assert stream.getvalue().splitlines() == [
        "\x1b[2mdebug:\x1b[0m text",
        "text",
        "\x1b[33mwarning:\x1b[0m text",
        "\x1b[31merror:\x1b[0m text",
        "\x1b[31mcritical:\x1b[0m text",
    ]


def test_what_is_logged_cannot_steer_the_terminal() -> None:
    screen = Screen()
    _bar(screen).log("in\nfo\x1b", "\x1b[2Jgone\r\u202e")
    assert screen.getvalue() == "in\\nfo\\x1b: \\x1b[2Jgone\\x0d\\u202e\n"


def test_without_unicode_everything_is_ascii() -> None:
    screen, time = Screen(), Time()
    bar = _bar(screen, time)
    bar.show("é" * 30, 1, 2)
    time.move(1)
    bar.show("中", 1)
    bar.log("info", "🙂 \udc80")
    assert screen.getvalue().isascii()


@pytest.mark.parametrize("look", [TERMINAL, PIPE])
def test_a_broken_pipe_ends_the_bar_and_nothing_else(look: object) -> None:
    stream = Broken()
    bar = _bar(stream, look=look)
    bar.show("copying", 1, 2)
    bar.log("info", "hello")
    bar.show("copying", 2, 2)
    bar.done()
    assert stream.writes == 1


def test_a_closed_or_missing_stream_raises_nothing() -> None:
    closed = io.StringIO()
    closed.close()
    for stream in (closed, None):
        bar = Bar(stream, TERMINAL)
        bar.show("copying", 1, 2)
        bar.log("info", "hello")
        bar.done()


def test_nothing_is_ever_written_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    for look in (TERMINAL, PIPE):
        bar = _bar(io.StringIO(), look=look)
        bar.show("copying", 1, 2)
        bar.log("info", "hello")
        bar.done()
    assert capsys.readouterr() == ("", "")


class Slowly(Screen):
    """A stream on which two that write at once get in each other's way."""

    def write(self, text: str) -> int:
        for character in text:
            super().write(character)
        return len(text)


def test_many_threads_do_not_tear_each_others_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Slowly()
    bar = _bar(screen)

    def work(name: str) -> None:
        for step in range(50):
            bar.show(name, step, 50)
            bar.log("info", f"{name} {step} end")

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [Thread(target=work, args=(name,)) for name in ("a", "b", "c", "d")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    bar.done()
    assert sorted(screen.lines()) == sorted(["", *(f"{name} {step} end" for name in "abcd" for step in range(50))])


def test_the_last_state_is_drawn_without_being_asked_again() -> None:
    drawn = Event()

    class Watched(Screen):
        def flush(self) -> None:
            if "last" in self.getvalue():
                drawn.set()

    screen = Watched()
    bar = Bar(screen, ASCII)
    bar.show("first", 1, 4)
    bar.show("last", 2, 4)
    assert drawn.wait(timeout=30)
    bar.done()
    assert screen.bar() == ""


def test_a_machine_out_of_threads_still_shows_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    screen, time = Screen(), Time()
    bar = Bar(screen, ASCII, clock=time.clock)
    bar.show("first", 1, 4)
    bar.show("second", 2, 4)
    time.move(1)
    bar.show("third", 3, 4)
    assert screen.bar() == "####--  75% third"
