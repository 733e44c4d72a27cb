"""One module per command of the ``accord`` program; each has a ``run(arguments) -> exit code``."""

__all__: list[str] = []
