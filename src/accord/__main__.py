"""The ``accord`` program, also ``python -m accord``."""


def main() -> int:
    """Placeholder."""
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
