"""The command line of the ``accord`` program."""

__all__: list[str] = []
