"""The end of an app: what lives as long as it does is cleaned up, last opened first."""

from accord._registry import Registry
from accord.dispatch.invoke import close

__all__ = ["close_all"]


def close_all(registry: Registry) -> None:
    """Close every app-scoped value.

    Raises:
        ExceptionGroup: clean-ups that failed; all the others were done.
    """
    problems: list[Exception] = []
    while registry.open:
        _, opened = registry.open.popitem()
        if opened.closer is None:
            continue
        try:
            close(opened.closer, None)
        except Exception as error:  # noqa: BLE001 - boundary: the factory is the author's code
            problems.append(error)
    if problems:
        raise ExceptionGroup("the app could not be closed in order", problems)
