"""The configuration files of MCP clients: where they stand, how they are edited, and how they are written.

``places`` knows where, ``catalog`` what a server looks like in each. ``jsontree`` and ``jsonedit`` change JSON,
``tomledit`` changes TOML, both as text, so that nothing else in a file moves. ``entries`` holds the rules for one
server's entry; ``files`` is the only module that touches the disk.
"""

__all__: list[str] = []
