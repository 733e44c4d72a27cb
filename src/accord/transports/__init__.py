"""How bytes come and go: over descriptors (the only code that touches them), or from hand to hand."""

__all__: list[str] = []
