"""What needs a library that Accord does not depend on: one module for each extra, of the same name."""

__all__: list[str] = []
