"""How bytes come and go. The only code that touches file descriptors."""

__all__: list[str] = []
