"""Text -> JSON, as a schema decides: for whatever comes as text and nothing else.

A command line is text, and so are a prompt's arguments and the variables of a resource's address. ``kinds`` says which
JSON types a schema admits, ``reading`` what a text stands for among them. Knows no options, no files and no protocol.
"""

__all__: list[str] = []
