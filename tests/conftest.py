"""What holds for every test."""

import signal


def pytest_configure() -> None:
    """Hear Ctrl-C: a process in the background of a script ignores it, and so would every program it tests."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
