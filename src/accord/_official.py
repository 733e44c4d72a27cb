"""The official SDK's content classes, known by name and package: what is recognised is never imported."""

__all__ = ["BLOCKS", "ENVELOPES", "RESULTS", "is_official"]

#: one content block each
BLOCKS = frozenset({"AudioContent", "EmbeddedResource", "ImageContent", "ResourceLink", "TextContent"})
#: a whole result
RESULTS = frozenset({"CallToolResult"})
#: the first major version's wrapper around a result, which it holds as ``root``
ENVELOPES = frozenset({"ServerResult"})

# The SDK's second major version moved its types into a distribution of their own.
_PACKAGES = ("mcp", "mcp_types")


def is_official(kind: type, names: frozenset[str]) -> bool:
    """Whether a class is one of these of the official SDK's, or a subclass of one."""
    return any(base.__name__ in names and base.__module__.partition(".")[0] in _PACKAGES for base in kind.__mro__)
